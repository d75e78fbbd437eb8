"""Retrograde analysis against the definition of a win, on games that go round."""

from pathlib import Path

import pytest

import komi
from komi.compiling.compiled import CompiledGame
from komi.errors import GameError, SolveError
from komi.rules.catalog import find
from komi.solvers.solve import solve_all_states, solve_by
from komi.solvers.solver import OtherKindError
from komi.solvers.tablebase.retrograde import solve_positions
from komi.solvers.tablebase.tablebase import RETROGRADE, Tablebase
from komi.tuning import GROUP_POSITIONS
from solvers.duels import results

from slowly import slowly

GAMES = Path(__file__).parent.parent / "games"
DUEL = find(str(GAMES / "random_duel.py"))
COUNTDOWN = find(str(GAMES / "countdown.py"))


def agrees(tablebase: Tablebase) -> bool:
    game, rules = tablebase.game, tablebase.rules
    plain = results(game, rules, game.part("start")(rules))
    worths = {state: tablebase.position_value(state) for state in plain}
    return {state: (worth.value, worth.plies) for state, worth in worths.items()} == plain


@pytest.mark.parametrize("seed", range(40))
def test_every_position_of_random_games_is_what_the_definition_says(seed: int) -> None:
    ends = 1 + 7 * (seed % 5)
    assert agrees(solve_by(RETROGRADE, DUEL, DUEL.rules({"plan": seed, "places": 100 + 30 * seed, "ends": ends})))


@pytest.mark.slow
def test_every_position_of_a_thousand_random_games_is_what_the_definition_says() -> None:
    for seed in range(1_000, 2_000):
        rules = DUEL.rules({"plan": seed, "places": 20 + seed % 100, "ends": 1 + 3 * (seed % 7)})
        assert agrees(solve_by(RETROGRADE, DUEL, rules)), rules


def test_some_random_game_has_wins_losses_and_draws() -> None:
    counts = solve_by(RETROGRADE, DUEL, DUEL.rules({"plan": 1, "places": 2000, "ends": 3})).counts
    assert min(counts.win, counts.loss, counts.draw, counts.terminal) > 10


@pytest.mark.slow
def test_a_group_too_large_for_one_call_is_settled_right() -> None:
    tablebase = solve_by(RETROGRADE, DUEL, DUEL.rules({"plan": 5, "places": 3 * GROUP_POSITIONS // 2, "ends": 2}))
    assert tablebase.states > GROUP_POSITIONS
    assert agrees(tablebase)


def test_scores_follow_from_each_other_whatever_the_game() -> None:
    for seed in range(10):
        solve_by(RETROGRADE, DUEL, DUEL.rules({"plan": seed, "places": 5000, "ends": 5})).check()


@pytest.mark.slow
def test_plies_that_no_byte_holds_are_right() -> None:
    assert agrees(solve_by(RETROGRADE, COUNTDOWN, COUNTDOWN.rules({"pile": 1000})))


def test_plies_without_end_are_refused() -> None:
    with pytest.raises(SolveError, match="more than 32767 plies"):
        solve_by(RETROGRADE, COUNTDOWN, COUNTDOWN.rules({"pile": 40_000}))


def broken(tmp_path: Path, old: str, new: str) -> komi.Game:
    path = tmp_path / "broken.py"
    path.write_text((GAMES / "countdown.py").read_text().replace(old, new))
    return find(str(path))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("    yield 0\n", "    if state.pile != 7:\n        yield 0\n", "no legal action"),
        ("State(state.pile - 1), 1", "State(state.pile - 1), -1", "negative number of seats"),
        ("return State(rules.pile)", "return State(0)", "over before it begins"),
        (
            "players = 2",
            "players = 2\n\ndef possible(rules, state):\n    return state.pile != 7",
            "'possible' rules out",
        ),
    ],
)
def test_broken_rules_are_refused_in_one_sentence(tmp_path: Path, old: str, new: str, message: str) -> None:
    game = broken(tmp_path, old, new)
    with pytest.raises(GameError, match=message):
        solve_by(RETROGRADE, game, game.default_rules)


@pytest.mark.slow
def test_chance_that_comes_late_is_left_to_the_race_solver(tmp_path: Path) -> None:
    late = "    if state.pile == 2:\n        yield 0.5, State(1), 1\n        yield 0.5, State(0), 1\n        return\n"
    game = broken(tmp_path, "    yield 1.0, State", late + "    yield 1.0, State")
    assert komi.solve(game).value() == pytest.approx(0.5)


def test_shares_that_differ_from_a_draw_by_rounding_are_left_to_the_race_solver(tmp_path: Path) -> None:
    shares = "def payoff(rules, state, seat):\n    return 0.5 + seat * 1e-10\n\n\ndef payoff_of_one("
    game = broken(tmp_path, "def payoff(", shares)
    with pytest.raises(OtherKindError, match="payoffs other than a win, a draw and a loss"):
        solve_by(RETROGRADE, game, game.default_rules)


def test_positions_beside_those_of_play_are_solved_when_requested() -> None:
    tablebase = solve_by(RETROGRADE, COUNTDOWN, COUNTDOWN.rules({"pile": 10}))
    assert (tablebase.value((15,)), tablebase.plies((15,))) == ("win", 15)


def test_roots_need_not_be_the_start() -> None:
    scores = solve_positions(CompiledGame(COUNTDOWN), COUNTDOWN.default_rules, [COUNTDOWN.module.State(9)])
    assert scores.states.size == 9


@pytest.mark.slow
def test_terminal_positions_count_as_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KOMI_MAX_MEMORY", "64K")  # enough for the other positions, which take 48
    with pytest.raises(SolveError, match="KOMI_MAX_MEMORY sets another limit"):
        solve_all_states("traffic-lights", fresh=True, version=1)


@pytest.mark.parametrize("limit", ["1M", *slowly("20M", "")])
def test_memory_for_bits_that_is_not_there_is_reported_or_done_without(
    limit: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Positions in a hash table where there is no memory for bits."""
    if limit:
        monkeypatch.setenv("KOMI_MAX_MEMORY", limit)
    smaller = {"rows": 4, "columns": 3}
    if limit == "1M":
        with pytest.raises(SolveError, match="KOMI_MAX_MEMORY sets another limit"):
            solve_all_states("traffic-lights", fresh=True, **smaller)
    else:
        assert komi.solve("traffic-lights", fresh=True, **smaller).value() == "loss"
