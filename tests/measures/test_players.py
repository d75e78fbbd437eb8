"""The measures of games for one player, and for three, are those of all games in exact fractions."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from twin import Twin

import komi
from komi.measures.bounded import Bounded
from komi.measures.measure import Measures, follow_policies, measure_solution
from komi.measures.single_player import QUANTILES
from komi.measures.tension import measure_moves, measure_tension
from komi.presentation.measures_report import measure_sentences
from komi.solvers.solution import Solution
from komi.solvers.solve import solve

GAMES = Path(__file__).parents[1] / "games"
EXAMPLES = Path(__file__).parents[2] / "examples"
LOW, DECIDED = Fraction(1, 5), Fraction(17, 20)


def solved(name: str, **rules: object) -> Solution[Any]:
    return solve(str(GAMES / f"{name}.py"), **rules)  # type: ignore[arg-type]


def assert_is(found: Bounded, exact: float) -> None:
    assert abs(found.value - exact) <= found.error + 1e-13 * abs(exact)
    assert found.error < 1e-6


def assert_measures(solution: Solution[Any], policies: tuple[str, ...], has_cycles: bool = False) -> Measures:
    """Compare all measures with those of the slow twin."""
    twin = Twin(solution, policies)
    play, flow = follow_policies(solution, policies, float(LOW), float(DECIDED))
    exact = twin.expected(LOW, DECIDED)
    if not has_cycles:
        assert twin.measures(LOW, DECIDED) == pytest.approx(exact, abs=1e-12)
    for name, number in measure_tension(play.chain, flow, measure_moves(play.chain))._asdict().items():
        if not twin.is_points or name in ("suspense", "surprise", "variance", "moves"):
            assert_is(number, exact[name])
    measures = measure_solution(solution, policies)
    for name, value in twin.choice().items():
        assert_is(measures.numbers[name], value)
    start = twin.value[twin.start]
    if solution.kind.seats == 1:
        assert_is(measures.numbers["value"], float(start[0]))
    if solution.kind.seats == 1 and not has_cycles:
        assert_is(measures.numbers["lost_early"], float(twin.lost_early()))
    for seat, value in zip(measures.seats, start, strict=False):
        assert_is(seat, float(value))
    return measures


@pytest.mark.slow
@pytest.mark.parametrize("policy", ["optimal", "random"])
def test_a_target_alone_is_measured_against_chance(policy: str) -> None:
    measures = assert_measures(solved("short_solitaire", target=7), (policy,))
    assert 0.0 < measures["lost_early"] < 1.0
    assert measures["lead_changes"] > 0.0


@pytest.mark.slow
@pytest.mark.parametrize("policy", ["optimal", "random"])
def test_points_alone_are_spread_as_in_all_games(policy: str) -> None:
    solution = solved("short_solitaire", turns=5)
    measures = assert_measures(solution, (policy,))
    assert 0.0 < measures["lost_early"] < 1.0
    scores = Twin(solution, (policy,)).scores()
    mean = sum(score * chance for score, chance in scores.items())
    variance = sum((score - mean) ** 2 * chance for score, chance in scores.items())
    assert_is(measures.numbers["deviation"], float(variance) ** 0.5)
    for name, share in QUANTILES.items():
        below = sum(chance for score, chance in scores.items() if score < measures[name])
        assert float(below) < share <= float(below + scores[Fraction(measures[name])]) + 1e-12


@pytest.mark.slow
def test_fewest_turns_alone_are_measured_with_cycles() -> None:
    solution = solve("pig-solitaire", goal=5, sides=3, objective="turns")
    measures = assert_measures(solution, ("optimal",), has_cycles=True)
    assert 0.0 < measures["lost_early"] < 1.0


@pytest.mark.slow
@pytest.mark.parametrize(
    "policies", [("optimal",) * 3, ("random",) * 3, ("optimal", "random", "random"), ("random", "optimal", "optimal")]
)
def test_three_players_are_measured_as_in_all_games(policies: tuple[str, ...]) -> None:
    measures = assert_measures(solved("kingmakers"), policies)
    assert measures["kingmaking"] > 0.0
    assert sum(seat.value for seat in measures.seats) == pytest.approx(1.0)


@pytest.mark.slow
@pytest.mark.parametrize("policies", [("optimal",) * 3, ("random", "optimal", "random")])
def test_three_players_are_measured_with_cycles(policies: tuple[str, ...]) -> None:
    solution = solve("pig", goal=4, sides=3, players=3)
    twin = Twin(solution, policies)
    play, flow = follow_policies(solution, policies, float(LOW), float(DECIDED))
    exact = twin.expected(LOW, DECIDED)
    for name, number in measure_tension(play.chain, flow, measure_moves(play.chain))._asdict().items():
        assert_is(number, exact[name])
    first, *_ = twin.value[twin.start]
    assert_is(measure_solution(solution, policies).numbers["first"], float(first))
    assert measure_solution(solution, policies)["kingmaking"] == 0.0


@pytest.mark.slow
@pytest.mark.parametrize("players", [1, 3])
def test_hop_alone_and_of_three_is_measured_as_in_all_games(players: int) -> None:
    assert_measures(solve(str(GAMES.parent / "docs" / "hop.py"), players=players), ("random",) * players)


@pytest.mark.slow
def test_mixed_play_is_refused_in_a_sentence() -> None:
    with pytest.raises(komi.SolveError, match="mix"):
        measure_solution(solved("hot_potato"))


def test_a_game_that_chance_plays_alone_takes_no_time_of_players() -> None:
    sentences = measure_sentences(komi.measure(str(EXAMPLES / "snakes_and_ladders.py")))
    assert "No player takes an action in a game." in sentences
