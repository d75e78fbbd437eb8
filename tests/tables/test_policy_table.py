"""Tables say of every state what the policy does there."""

import csv
from pathlib import Path
from typing import Any

import pytest

import komi
from komi.policies.named import find

PIG = {"goal": 12}


@pytest.fixture(scope="module")
def pig() -> Any:
    return komi.solve("pig", **PIG)


def test_each_cell_says_where_the_action_changes(pig: Any) -> None:
    table = komi.table("pig", **PIG)
    assert (table.y, table.x, table.over) == ("score", "rival", "turn")
    compared = 0
    for y in table.ys:
        for x in table.xs:
            runs = table.runs.get((y, x), ())
            for turn in range(12 - y + 6):
                state = pig.read(f"score={y},rival={x},turn={turn}") if turn < 12 - y + 6 and turn != 1 else None
                if state is None or pig.data.states.index_of(state) < 0:
                    continue
                action = [label for value, label in runs if value <= turn][-1]
                assert action == pig.best(tuple(state))
                compared += 1
    assert compared == pig.states


def test_a_number_alone_separates_two_actions_in_a_row() -> None:
    table = komi.table("pig", policy="hold-at:5", **PIG)
    assert table.below_and_above == ("roll", "hold")
    assert table.cell(0, 0) == "5"
    assert table.cell(9, 0) == "3"
    assert any("at which the policy takes hold; below it, roll." in note for note in table.notes)


def test_without_a_field_inside_a_cell_it_says_the_action(pig: Any) -> None:
    table = komi.table("pig", x="turn", y="score", state="rival=4", **PIG)
    assert table.cell(3, 4) == pig.best("score=3,rival=4,turn=4")
    assert table.columns[0] == "score"


def test_games_for_one_player_and_of_several_have_tables() -> None:
    alone = komi.table("pig-solitaire", goal=12, turns=3)
    assert (alone.y, alone.x, alone.over) == ("score", "turns", "turn")
    assert komi.table("piglet", goal=3, players=3).runs


def test_where_both_choose_at_once_mixed_play_is_said_to_be() -> None:
    table = komi.table("skunk", state="rolled=1,turn=2", goal=5, ending="first")
    assert {label for runs in table.runs.values() for _, label in runs} >= {"hold", "stand"}
    with pytest.raises(
        komi.InputError, match=r"no player chooses in any state .* choose a 'state' with other values of rolled"
    ):
        komi.table("skunk", state="rolled=0", goal=5, ending="first")
    usual = komi.table("skunk", goal=5, ending="first")  # of the first state in which the players choose
    assert usual.runs
    assert usual.state.rolled > 0


def test_random_play_is_called_so() -> None:
    table = komi.table("pig", policy="random", x="rival", y="score", state="turn=4", **PIG)
    assert table.cell(0, 0) == "random"


def test_files_hold_all_of_it(run: Any, tmp_path: Path) -> None:
    for name in ("table.csv", "table.html"):
        assert "Written:" in run("table", "pig", "--set", "goal=12", "-o", tmp_path / name).out
    with (tmp_path / "table.csv").open() as file:
        rows = list(csv.reader(file))
    solution = run("table", "pig", "--set", "goal=12", "--json").solution
    assert rows == [solution["columns"], *solution["rows"]]
    assert "<td>" in (tmp_path / "table.html").read_text()


def test_cells_that_change_again_are_shown_to_people_with_a_star(run: Any) -> None:
    table = komi.table("pig", goal=40)
    again = next(place for place, runs in table.runs.items() if len(runs) > 2)
    assert table.brief(*again) == f"{table.runs[again][1][0]}*" != table.cell(*again)
    out = run("table", "pig", "--set", "goal=40").out
    assert f" {table.brief(*again)} " in out
    assert "* The action changes again as turn grows; use --output FILE.csv to see where." in out
    assert max(len(line) for line in out.splitlines() if line.strip()[:1].isdigit()) <= 80


def test_people_are_shown_as_much_as_fits(run: Any) -> None:
    out = run("table", "pig", "--set", "goal=30").out
    assert "Some rows and columns are omitted" in out
    assert "Each number is the smallest turn" in out or "A cell lists the actions as turn grows" in out


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (["--x", "points"], "has no field 'points': its fields are score, rival, turn"),
        (["--x", "score", "--y", "score"], "'score' is named twice"),
        (["-o", "table.txt"], "a table is written as .csv or .html"),
        (["--policy", "cheat"], "there is no policy 'cheat'"),
    ],
)
def test_bad_input_is_reported_in_a_sentence(run: Any, options: list[str], why: str) -> None:
    found = run("table", "pig", "--set", "goal=12", *options)
    assert found.code == 2
    assert why in found.err


def test_the_table_is_of_the_policy_requested(pig: Any) -> None:
    policy = find("hold-at:4", pig)
    table = komi.table("pig", policy="hold-at:4", x="turn", y="score", state="rival=0", **PIG)
    for turn in (2, 3, 4, 5):
        state = pig.read(f"turn={turn}")
        assert table.cell(0, turn) == pig.game.label(pig.rules, state, policy.choose(pig.game, pig.rules, state, 0.5))


def test_a_python_function_has_the_table_of_the_policy_that_it_is() -> None:
    def holds_at_4(rules: Any, state: Any) -> int:
        return 0 if state.turn < 4 and state.score + state.turn < rules.goal else 1

    table = komi.table("pig", policy=holds_at_4, **PIG)
    assert table.heading == "Pig: holds_at_4"
    assert table.rows == komi.table("pig", policy="hold-at:4", **PIG).rows
