"""Exported models, read back by an independent reader and solved by plain value iteration, have komi's value."""

import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from komi.errors import GameError, InputError, SolveError
from komi.evaluation.match import match
from komi.exporting import markov_model, model_texts, umb
from komi.exporting.exact_numbers import exact_distribution, exact_number
from komi.exporting.export_model import export_model
from komi.solvers.solve import solve

import rulefiles
from modelfiles import Model, read_drn, read_prism, read_umb

GAMES = Path(__file__).parents[1] / "games"
EXAMPLES = Path(__file__).parents[2] / "examples"
TWO_PLAYERS: list[Any] = [
    ("piglet", {"goal": 4}),
    ("pig", {"goal": 8, "komi": 1}),
    pytest.param("royal-game-of-ur", {"pieces": 1}, marks=pytest.mark.slow),  # with transient states
]
ALONE: list[tuple[str, dict[str, Any], str]] = [
    ("pig-solitaire", {"goal": 20, "turns": 2}, "max"),
    ("pig-solitaire", {"goal": 10, "objective": "turns"}, "min"),
    ("risk-battle", {"attackers": 3, "defenders": 2}, "max"),
]
READERS: dict[str, Callable[[Path], Model]] = {".umb": read_umb, ".prism": read_prism, ".drn": read_drn}


def exported(game: str, file: Path, fix: dict[int, str] | None = None, **rules: Any) -> Model:
    result = export_model(game, file, fix=fix, **rules)
    assert result.size == file.stat().st_size
    model = READERS[file.suffix](file)
    assert result.states == len(model.choices)
    for choices in model.choices:
        for _, _, branches in choices:
            assert sum(probability for _, probability in branches) == 1
            assert len({after for after, _ in branches}) == len(branches)
    return model


@pytest.mark.parametrize("suffix", [".umb", ".prism"])
@pytest.mark.parametrize(("game", "rules"), TWO_PLAYERS)
def test_the_game_of_two_players_has_komis_value(game: str, rules: Any, suffix: str, tmp_path: Path) -> None:
    if suffix == ".prism" and "ur" in game:
        pytest.skip("the game is too large for this format.")
    model = exported(game, tmp_path / f"model{suffix}", **rules)
    assert model.players == 2
    value = solve(game, **rules).expected_value()
    assert model.value("max min") == pytest.approx(value, abs=1e-9)
    assert model.value("max min", reward=True) == pytest.approx(value, abs=1e-9)


@pytest.mark.parametrize("suffix", [*READERS])
@pytest.mark.parametrize(("game", "rules"), TWO_PLAYERS[:2])
def test_optimal_play_of_either_seat_guarantees_the_value(game: str, rules: Any, suffix: str, tmp_path: Path) -> None:
    value = solve(game, **rules).expected_value()
    for seat, aim in ((1, "min"), (2, "max")):
        model = exported(game, tmp_path / f"model{suffix}", {seat: "optimal"}, **rules)
        assert model.players == 1
        assert model.value(aim) == pytest.approx(value, abs=1e-9)


def test_fixed_policies_leave_a_markov_chain(tmp_path: Path) -> None:
    for policies in (("optimal", "hold-at:3"), ("random", "optimal"), ("random", "random")):
        model = exported("pig", tmp_path / "model.umb", dict(enumerate(policies, 1)), goal=8)
        assert model.players == 0
        assert all(len(choices) == 1 for choices in model.choices)
        assert model.value("") == pytest.approx(match("pig", *policies, goal=8).first.wins, abs=1e-9)


@pytest.mark.parametrize("suffix", [*READERS])
@pytest.mark.parametrize(("game", "rules", "aim"), ALONE)
def test_a_single_player_game_has_komis_value(game: str, rules: Any, aim: str, suffix: str, tmp_path: Path) -> None:
    model = exported(game, tmp_path / f"model{suffix}", **rules)
    solution = solve(game, **rules)
    assert model.value(aim, reward=True) == pytest.approx(solution.value(), abs=1e-9)
    if not solution.kind.rewards:
        assert model.value(aim) == pytest.approx(solution.value(), abs=1e-9)


@pytest.mark.slow
def test_a_draw_is_a_separate_final_state_and_pays_a_half(tmp_path: Path) -> None:
    model = exported(str(EXAMPLES / "connect_four.py"), tmp_path / "model.umb", line=3)
    assert model.value("max min", reward=True) == solve(str(EXAMPLES / "connect_four.py"), line=3).expected_value()
    assert {name: len(states) for name, states in model.labels.items()} == {
        "over": 3,
        "first_wins": 1,
        "second_wins": 1,
        "draw": 1,
    }


@pytest.mark.slow
def test_other_payoffs_are_named_as_fractions(tmp_path: Path) -> None:
    rules = rulefiles.write(tmp_path, ("return 0.0", "return 0.1"))
    model = exported(str(rules), tmp_path / "model.prism")
    assert set(model.labels) == {"over", "payoff_1_10", "payoff_9_10"}
    value = solve(str(rules)).expected_value()
    assert model.value("max min", reward=True) == pytest.approx(value, abs=1e-9)


def test_states_have_the_fields_of_the_rules(tmp_path: Path) -> None:
    model = exported("piglet", tmp_path / "model.umb", goal=3)
    assert model.valuations[0] == {"seat": 1, "score": 0, "rival": 0, "turn": 0, "end": 0}
    [(hold, _, [(after, one)])] = [choice for choice in model.choices[0] if choice[0] == "hold"]
    assert (hold, one) == ("hold", 1)
    assert model.valuations[after] == {"seat": 2, "score": 0, "rival": 0, "turn": 0, "end": 0}
    assert {model.valuations[state]["end"] for state in model.labels["over"]} == {1, 2}


@pytest.mark.parametrize("fix", [{1: "optimal"}, {1: "optimal", 2: "random"}])
def test_all_formats_hold_the_same_model(fix: dict[int, str], tmp_path: Path) -> None:
    umb, prism, drn = (exported("piglet", tmp_path / f"model{suffix}", fix, goal=4) for suffix in READERS)
    assert drn.choices == umb.choices
    assert drn.labels == umb.labels
    number = {tuple(each.values()): index for index, each in enumerate(umb.valuations)}
    numbers = [number[tuple(each.values())] for each in prism.valuations]
    assert sorted(numbers) == list(range(len(umb.choices)))
    for state, choices in zip(numbers, prism.choices, strict=True):
        assert [reward for _, reward, _ in choices] == [reward for _, reward, _ in umb.choices[state]]
        assert [sorted((numbers[after], p) for after, p in branches) for _, _, branches in choices] == [
            branches for _, _, branches in umb.choices[state]
        ]


def test_numbers_become_the_fractions_that_were_meant() -> None:
    assert exact_number(1 / 3 * 1 / 7) == Fraction(1, 21)
    assert exact_number(0.1) == Fraction(1, 10)
    assert exact_distribution([0.1, 0.2, 0.7]) == [Fraction(1, 10), Fraction(1, 5), Fraction(7, 10)]
    root = 2.0**-0.5
    assert exact_number(root) == Fraction(root)
    odd = exact_distribution([root, 1.0 - root])
    assert sum(odd) == 1
    assert [float(each) for each in odd] == [root, 1.0 - root]


@pytest.mark.slow
def test_rationals_have_as_many_bits_as_they_need(tmp_path: Path) -> None:
    root = 2.0**-0.5 / 2**20
    rolls = "yield 1 / 3, State(score, rival, turn + face), 0"
    odd = rolls.replace("1 / 3", f"{root!r} if face == 2 else {2 / 3 - root!r}")
    rules = rulefiles.write(tmp_path, (rolls, odd))
    model = exported(str(rules), tmp_path / "model.umb")
    assert b'"size": 256' in (tmp_path / "model.umb").read_bytes()
    assert model.value("max min") == pytest.approx(solve(str(rules)).expected_value(), abs=1e-9)


@pytest.mark.slow
def test_a_field_with_the_name_of_a_variable_or_of_a_word_of_prism(tmp_path: Path) -> None:
    rules = rulefiles.write(tmp_path)
    rules.write_text(re.sub(r"\bturn\b", "end", re.sub(r"\brival\b", "max", rules.read_text())))
    model = exported(str(rules), tmp_path / "model.prism")
    assert list(model.valuations[0]) == ["seat", "score", "max_", "end", "end_"]
    assert model.value("max min") == pytest.approx(solve(str(rules)).expected_value(), abs=1e-9)


STEPS = '''"""Steps: the right action at a step of even number is left; the wrong one can end the game."""

from typing import NamedTuple

players = 1
actions = ("left", "right")


class Rules(NamedTuple):
    length: int = 4


class State(NamedTuple):
    é: int = 8589934592
    è: int = 0


def start(rules):
    return State()


def legal(rules, state):
    yield 0
    yield 1


def outcomes(rules, state, action):
    if action == state.é % 2:
        yield 1.0, State(state.é + 1, state.è), 0
    else:
        yield 0.5, State(state.é, 1), 0
        yield 0.5, State(state.é + 1, 0), 0


def over(rules, state):
    return state.è == 1 or state.é >= 8589934592 + rules.length


def payoff(rules, state):
    return 1.0 if state.è == 0 else 0.0
'''


def test_fields_can_be_wide_and_have_letters_of_any_language(tmp_path: Path) -> None:
    rules = tmp_path / "steps.py"
    rules.write_text(STEPS)
    for suffix, names in ((".umb", ["é", "è", "end"]), (".prism", ["_", "__", "end"])):
        model = exported(str(rules), tmp_path / f"model{suffix}")
        assert list(model.valuations[0]) == names
        steps = {valuation[names[0]] for valuation in model.valuations if not valuation["end"]}
        assert steps == {2**33 + step for step in range(4)}
        assert model.value("min") == 0.5**4


@pytest.mark.parametrize("values", [[2**33, 2**33 + 2], [-3, 127], [0, 128], [-(2**63), 2**63 - 1], [5, 5]])
def test_valuations_are_the_least_integers_that_hold_a_field(values: list[int]) -> None:
    [description], packed = umb.encode_valuations({"field": np.array(values)})
    assert packed["field"].tolist() == values
    size = description["type"]["size"]
    assert packed.dtype["field"] == np.dtype(f"<i{size // 8}")
    assert size == 8 or not all(-(2 ** (size // 2 - 1)) <= value < 2 ** (size // 2 - 1) for value in values)


def test_two_legal_actions_with_one_label_are_refused(tmp_path: Path) -> None:
    rules = tmp_path / "steps.py"
    labels = "def label(rules, state, action):\n    return 'go' if state.é LATER else ('left', 'right')[action]"
    for later, refused in (("== 8589934592", solve), ("== 8589934592 + 150", export_model)):
        text = STEPS.replace('actions = ("left", "right")', f"action_count = 2\n\n\n{labels.replace('LATER', later)}")
        rules.write_text(text.replace("length: int = 4", "length: int = 200"))
        arguments = (str(rules), tmp_path / "model.umb")[: 1 + (refused is export_model)]
        with pytest.raises(GameError, match="two legal actions have the same label") as raised:
            refused(*arguments)
        assert f"é={eval(later[3:])}" in str(raised.value)


def test_games_that_do_not_fit_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for game, suffix, rules, message in (
        ("skunk", ".umb", {}, "skunk has hidden information"),
        ("hog", ".umb", {"players": 3}, "hog has 3 players"),
        ("pig", ".drn", {"goal": 8}, "does not say who moves"),
        ("pig", ".json", {}, "that of a model in .umb, .prism, .drn, .efg: 'model.json' does not"),
    ):
        with pytest.raises(InputError, match=message):
            export_model(game, tmp_path / f"model{suffix}", **rules)
    monkeypatch.setattr(model_texts, "MAX_PRISM_CHOICES", 100)
    with pytest.raises(InputError, match="choices, more than the 100 that such a file can have"):
        export_model("pig", tmp_path / "model.prism", goal=8)
    monkeypatch.setattr(markov_model, "MAX_TRANSITIONS", 100)
    with pytest.raises(SolveError, match="transitions, more than 100: choose smaller rules"):
        export_model("pig", tmp_path / "model.umb", goal=8)


@pytest.mark.parametrize("suffix", [*READERS, ".efg"])
def test_only_files_of_komi_are_replaced(suffix: str, tmp_path: Path) -> None:
    file = tmp_path / f"model{suffix}"
    game = "risk-battle"
    for _ in range(2):
        export_model(game, file, attackers=2, defenders=1)
    file.write_text("mine")
    with pytest.raises(InputError, match="already exists, and was not written by komi"):
        export_model(game, file, attackers=2, defenders=1)


def test_the_command_writes_models(run: Any, tmp_path: Path) -> None:
    file = tmp_path / "model.umb"
    arguments = ["export", "piglet", "--set", "goal=3", "--to", file, "--fix", "1=optimal"]
    found = run(*arguments, "--json").solution
    assert found["fix"] == {"1": "optimal"}
    assert found["bytes"] == file.stat().st_size
    assert f"for {found['states']} states" in run(*arguments).out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["optimal", "--to", "x.umb"], "a .umb file is a model: fix the policy of a seat with --fix 1=optimal."),
        (["--to", "x.py"], "name the policy to write to x.py, such as optimal, after the game."),
        (["--to", "x.md"], "for a model, or without a policy in .js or .mjs, for the rules: 'x.md' does not."),
        (["optimal", "--to", "x.py", "--fix", "1=optimal"], "--fix is for models, which end in"),
        (["--to", "x.umb", "--fix", "3=optimal"], "piglet has no seat 3: seats are numbered from 1 to 2."),
        (["--to", "x.umb", "--fix", "optimal"], "--fix takes SEAT=POLICY, such as 1=optimal, not 'optimal'."),
        (["--to", "x.umb", "--fix", "1=random", "--fix", "1=optimal"], "--fix names seat 1 twice."),
        (["--to", "x.umb", "--fix", "1=perfect"], "piglet has no policy 'perfect'"),
        (["--to", "x.efg", "--fix", "1=optimal"], "a game tree holds the choices of all players"),
        (["--to", "nowhere/x.umb"], "there is no folder"),
    ],
)
def test_wrong_arguments(run: Any, arguments: list[str], message: str) -> None:
    ended = run("export", "piglet", *arguments)
    assert (ended.code, ended.out) == (2, "")
    assert message in ended.err
    assert ended.err.count("\n") == 1
