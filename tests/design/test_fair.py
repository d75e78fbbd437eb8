"""Every komi of a game at once says what each says alone."""

from pathlib import Path
from typing import Any

import pytest

import komi
from komi.design.ranges import read_values
from komi.evaluation.two_player import match_two_player
from komi.policies.named import find

from rulefiles import write
from slowly import slowly

SMALL = [
    ("red-light", {"goal": 12, "red": 2, "green": 8}),
    ("fowl-play", {"goal": 15}),
    ("pig", {"goal": 20}),
    ("piglet", {}),
]
KOMI = ("    goal: int = 5\n", "    goal: int = 5\n    komi: int = 0\n")
START = ("State(0, 0, 0)\n\n\ndef legal", "State(0, rules.komi, 0)\n\n\ndef legal")


@pytest.mark.slow
@pytest.mark.parametrize(("name", "rules"), SMALL)
def test_each_komi_solved_alone_gives_the_same_chance(name: str, rules: dict[str, int]) -> None:
    together = komi.fair(name, max_komi=3, **rules)
    for points, opening in enumerate(together.table):
        alone = komi.solve(name, komi=points, **rules)
        assert abs(opening.first - alone.value()) <= opening.error_bound + alone.error_bound
        assert opening.error_bound <= 1e-9


@pytest.mark.parametrize(("name", "rules"), [*SMALL[2:], *slowly(*SMALL[:2])])
def test_expected_actions_are_those_of_optimal_play_against_itself(name: str, rules: dict[str, int]) -> None:
    for points, opening in enumerate(komi.fair(name, max_komi=2, **rules).table):
        solution = komi.solve(name, komi=points, **rules)
        optimal = find("optimal", solution)
        played = match_two_player(solution, optimal, optimal)
        assert opening.expected_actions == pytest.approx(played.first.actions, abs=1e-8)


@pytest.mark.parametrize(("name", "rules"), [*SMALL[2:], *slowly(*SMALL[:2])])
def test_more_komi_never_helps_the_first_player(name: str, rules: dict[str, int]) -> None:
    chances = [opening.first for opening in komi.fair(name, max_komi=5, **rules).table]
    assert chances == sorted(chances, reverse=True)


@pytest.mark.slow
def test_komi_goes_by_the_steps_that_the_rules_allow() -> None:
    farkle = komi.fair("farkle", goal=300)
    assert [points for points, _ in farkle.rows] == [0, 50, 100, 150, 200, 250]
    for points, opening in farkle.rows[::5]:
        alone = komi.solve("farkle", komi=points, goal=300)
        assert abs(opening.first - alone.value()) <= opening.error_bound + alone.error_bound


@pytest.mark.slow
def test_red_light_is_fairest_with_komi_1_as_published() -> None:
    red_light = komi.fair("red-light", max_komi=4)
    assert red_light.best == 1
    assert round(red_light.table[1].first, 5) == 0.50001
    assert round(red_light.table[1].expected_actions, 3) == 169.748


@pytest.mark.slow
def test_fowl_play_lasts_as_long_as_published() -> None:
    table = komi.fair("fowl-play", max_komi=1).table
    assert [round(opening.first, 4) for opening in table] == [0.5242, 0.5054]
    assert [round(opening.expected_actions, 2) for opening in table] == [164.98, 163.23]


@pytest.mark.slow
def test_komi_that_play_reads_is_solved_alone_each_time(tmp_path: Path) -> None:
    """Here komi also moves the goal, so that one solution for all would be wrong."""
    path = write(
        tmp_path, KOMI, START, ("return state.rival >= rules.goal", "return state.rival >= rules.goal - rules.komi")
    )
    together = komi.fair(str(path), max_komi=2)
    for points, opening in enumerate(together.table):
        assert opening.first == pytest.approx(komi.solve(str(path), komi=points).value(), abs=1e-10)


def test_komi_goes_as_far_as_the_game_allows_if_no_one_says() -> None:
    assert len(komi.fair("piglet").table) == 10
    assert len(komi.fair("pig", goal=14).table) == 11


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["piglet", "--max-komi", "10"], "komi of piglet must be 0 to 9, not 10."),
        (["piglet", "--max-komi", "-1"], "the greatest komi must be 0 or more, not -1."),
        (["piglet", "--set", "komi=1"], "komi 1 cannot be set here: this command tries every komi."),
    ],
)
def test_bad_input_gets_one_sentence(arguments: list[str], sentence: str, run: Any) -> None:
    ended = run("fair", *arguments)
    assert (ended.code, ended.out, ended.err) == (2, "", f"komi: {sentence}\n")


def test_game_without_komi_is_distinguished(tmp_path: Path) -> None:
    with pytest.raises(komi.InputError, match="sprint has no rule 'komi'"):
        komi.fair(str(write(tmp_path)))


def test_json_names_every_komi(run: Any) -> None:
    solution = run("fair", "piglet", "--max-komi", "2", "--json").solution
    assert [row["komi"] for row in solution["table"]] == [0, 1, 2]
    assert set(solution["table"][0]) == {
        "komi",
        "first",
        "expected_actions",
        "expected_actions_range",
        "error_bound",
    }
    assert solution["best"] in (0, 1, 2)


@pytest.mark.parametrize("red", [2, 4])
@pytest.mark.parametrize("goal", [1, 5, 9])
def test_red_light_with_one_green_chip_among_an_even_number_of_red_is_exactly_fair(red: int, goal: int) -> None:
    """The green chip is as likely to come in a turn of the one player as of the other, for either first player."""
    opening = komi.fair("red-light", max_komi=0, goal=goal, red=red, green=1).table[0]
    assert opening.unfairness <= opening.error_bound


def test_greatest_komi_has_an_end(run: Any) -> None:
    ended = run("fair", "pig", "--max-komi", "99999999999")
    assert (ended.code, ended.out) == (2, "")
    assert ended.err == "komi: the greatest komi must be at most 10,000, not 99,999,999,999.\n"


@pytest.mark.slow
def test_fairness_of_simultaneous_choice_is_that_of_each_solution() -> None:
    found = komi.fair("skunk", max_komi=2, goal=5, ending="first")
    assert [opening.first for opening in found.table] == [
        komi.solve("skunk", goal=5, ending="first", komi=komi_).value() for komi_ in range(3)
    ]
    assert found.table[0].first == pytest.approx(0.5, abs=1e-6)


def test_one_player_has_no_fairness() -> None:
    with pytest.raises(komi.InputError, match="think is a single-player game: fairness needs opponents"):
        komi.fair("think")


def test_fairest_komi_for_three_brings_all_seats_nearest_to_a_third(run: Any) -> None:
    found = komi.fair("piglet", max_komi=1, goal=3, players=3)
    seats = [komi.solve("piglet", goal=3, players=3, komi=number).seat_values() for number in range(2)]
    assert [opening.seats for opening in found.table] == [pytest.approx(values, abs=1e-9) for values in seats]
    farthest = [max(abs(value - 1 / 3) for value in values) for values in seats]
    assert found.best == farthest.index(min(farthest))
    assert [row["seat_3"] for row in found.records()] == [values[2] for values in (each.seats for each in found.table)]
    assert "player 3" in run("fair", "piglet", "--max-komi", "1", "--set", "goal=3", "--set", "players=3").out


@pytest.mark.slow
def test_komi_can_be_a_fraction_with_a_step(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        ("    goal: int = 5\n", "    goal: int = 3\n    komi: float = 0.0\n"),
        ("State(0, 0, 0)\n\n\ndef legal", "State(0, 1 if rules.komi > 0.35 else 0, 0)\n\n\ndef legal"),
    )
    found = komi.fair(str(path), 0.4, step=0.1)
    assert [komi for komi, _ in found.rows] == [0.0, 0.1, 0.2, 0.3, 0.4]
    values = [opening.first for opening in found.table]
    assert values[:4] == [values[0]] * 4
    assert values[4] != pytest.approx(values[0])
    swept = komi.sweep(str(path), {"komi": read_values(found.game, "komi", "0.1..0.4:0.15")})
    assert {row.rules.komi for row in swept.rows} == {0.1, 0.25, 0.4}


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--step", "0.5"], "komi of piglet is a whole number: its step cannot be 0.5."),
        (["--step", "0"], "the step of komi must be above 0, not 0."),
        (["--max-komi", "nan"], "the greatest komi must be 0 or more, not nan."),
        (["--max-komi", "1.5"], "rule 'komi' of piglet must be a whole number, not '1.5'."),
    ],
)
def test_a_step_that_does_not_fit_is_refused(options: list[str], sentence: str, run: Any) -> None:
    result = run("fair", "piglet", *options)
    assert result.code == 2
    assert sentence in result.err
