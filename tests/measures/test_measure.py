"""The measures of a game are those that all of its games give, one by one, in exact fractions."""

from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from twin import Twin

import komi
from komi.evaluation.visits import count_visits
from komi.measures.bounded import Bounded
from komi.measures.measure import follow_policies, measure_solution
from komi.measures.profile import profile_turns
from komi.measures.tension import Tension, measure_moves, measure_tension
from komi.policies.named import find
from komi.solvers.solution import Solution
from komi.solvers.solve import solve

GAMES = Path(__file__).parents[1] / "games"
PAIRS = [("optimal", "optimal"), ("optimal", "random"), ("random", "optimal"), ("random", "random")]
LOW, DECIDED = 0.1, 0.95


def solved(name: str, **rules: object) -> Solution[Any]:
    return solve(str(GAMES / f"{name}.py"), **rules)  # type: ignore[arg-type]


def tension(solution: Solution[Any], names: tuple[str, str], low: float = LOW, decided: float = DECIDED) -> Tension:
    play, flow = follow_policies(solution, names, low, decided)
    return measure_tension(play.chain, flow, measure_moves(play.chain))


def assert_is(found: Bounded, exact: float) -> None:
    assert abs(found.value - exact) <= found.error + 1e-14 * abs(exact)
    assert found.error < 1e-6


@pytest.mark.parametrize("names", PAIRS)
def test_tension_is_that_of_all_states_in_fractions(names: tuple[str, str]) -> None:
    solution = solve("piglet", goal=3, komi=1)
    exact = Twin(solution, names).expected(Fraction(1, 4), Fraction(17, 20))
    for name, found in tension(solution, names, 0.25, 0.85)._asdict().items():
        assert_is(found, exact[name])


@pytest.mark.parametrize("names", PAIRS)
def test_choice_is_that_of_all_states_in_fractions(names: tuple[str, str]) -> None:
    solution = solve("piglet", goal=3, komi=1)
    measures = measure_solution(solution, names)
    for name, exact in Twin(solution, names).choice().items():
        assert_is(measures.numbers[name], exact)


@pytest.mark.parametrize("names", PAIRS)
def test_changes_of_the_value_add_up_to_the_variance_of_the_result(names: tuple[str, str]) -> None:
    play, flow = follow_policies(solve("piglet"), names)
    first = play.first.value
    assert_is(measure_tension(play.chain, flow, measure_moves(play.chain)).variance, first * (1.0 - first))


def test_chance_alone_decides_optimal_play_and_half_of_random_play_is_choice() -> None:
    solution = solve("piglet")
    assert_is(measure_solution(solution).numbers["luck"], 1.0)
    assert 0.2 < measure_solution(solution, ("random",))["luck"] < 0.8


def test_the_moves_are_as_many_as_a_match_counts() -> None:
    measures = komi.measure("piglet", "random", "hold-at:4")
    seat = komi.match("piglet", "random", "hold-at:4").first
    assert_is(measures.numbers["moves"], seat.actions)
    assert_is(measures.numbers["turns"], seat.turns)
    assert_is(measures.numbers["first"], seat.wins)


def test_other_games_are_refused_in_a_sentence() -> None:
    with pytest.raises(komi.SolveError, match="in skunk players choose at the same time"):
        komi.measure("skunk")


def test_a_number_of_policies_that_does_not_fit_is_refused() -> None:
    with pytest.raises(komi.InputError, match="piglet is measured with one policy or 2, not with 3"):
        komi.measure("piglet", "random", "random", "random")


@pytest.mark.parametrize("wrong", [{"comeback_at": 0.6}, {"decided_at": 0.4}, {"pace": 0.0}, {"pace": float("nan")}])
def test_thresholds_out_of_range_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(komi.InputError):
        measure_solution(solve("piglet"), **wrong)  # type: ignore[arg-type]


@pytest.mark.slow
@pytest.mark.parametrize("names", PAIRS)
@pytest.mark.parametrize("head_start", [0, 1, 2])
def test_measures_are_those_of_all_games_one_by_one(names: tuple[str, str], head_start: int) -> None:
    solution = solved("short_race", head_start=head_start)
    twin = Twin(solution, names)
    exact = twin.measures(Fraction(1, 10), Fraction(19, 20))
    assert twin.expected(Fraction(1, 10), Fraction(19, 20)) == pytest.approx(exact, abs=1e-12)
    for name, found in tension(solution, names)._asdict().items():
        assert_is(found, exact[name])
    for name, each in twin.choice().items():
        assert_is(measure_solution(solution, names).numbers[name], each)


@pytest.mark.slow
@pytest.mark.parametrize("game", ["pig", "red-light", "fowl-play", "hog"])
def test_measures_are_within_four_standard_errors_of_simulated_games(game: str) -> None:
    solution = solve(game)
    play, flow = follow_policies(solution, ("optimal",), LOW, DECIDED)
    found = measure_tension(play.chain, flow, measure_moves(play.chain))
    games = sampled(solution, 4000)
    for name, sample in games.items():
        error = sample.std(ddof=1) / np.sqrt(len(sample))
        assert abs(sample.mean() - getattr(found, name).value) <= 4.0 * error


def sampled(solution: Solution[Any], games: int) -> dict[str, Any]:
    """Sample games, with the rules interpreted, and measure each by the definitions."""
    random = np.random.default_rng(1)
    game, rules = solution.game, solution.rules
    names = ("moves", "surprise", "variance", "lead_changes", "comeback", "drama")
    found = {name: np.zeros(games) for name in names}
    known: dict[Any, list[Any]] = {}

    def moves(state: Any) -> list[Any]:
        if state not in known:
            known[state] = list(game.part("outcomes")(rules, state, solution.optimal_action(state)))
        return known[state]

    for i in range(games):
        state, seat = game.part("start")(rules), 0
        v = [float(solution.expected_value())]
        while not game.part("over")(rules, state):
            outcomes = moves(state)
            chances = np.array([chance for chance, *_ in outcomes])
            chosen = random.choice(len(outcomes), p=chances / chances.sum())
            _, state, passes = outcomes[chosen]
            seat = (seat + passes) % 2
            own = float(solution.expected_value(state))
            v.append(1.0 - own if seat else own)
        values = np.array(v)
        changes, leaders = np.diff(values), [each > 0.5 for each in v if abs(each - 0.5) > 1e-9]
        winners = values if v[-1] > 0.5 else 1.0 - values
        found["moves"][i], found["surprise"][i] = len(changes), np.abs(changes).sum()
        found["variance"][i] = changes @ changes
        found["lead_changes"][i] = sum(a != b for a, b in pairwise(leaders))
        found["comeback"][i] = winners.min() <= LOW
        found["drama"][i] = np.maximum(0.0, 0.5 - winners[:-1]).sum()
    return found


def test_the_profile_by_turn_adds_up_to_the_whole_game() -> None:
    solution = solve("piglet")
    play, flow = follow_policies(solution, ("optimal",))
    profile = profile_turns(play.chain, games=5)
    whole = measure_tension(play.chain, flow, measure_moves(play.chain))
    assert profile.suspense.sum() == pytest.approx(whole.suspense.value, rel=0.01)  # but for the longest games
    optimal = find("optimal", solution)
    turns = count_visits(solution, optimal, optimal).turns
    assert profile.running == pytest.approx(1.0 - np.cumsum(turns)[: len(profile.running)], abs=1e-9)
    assert np.all(np.diff(profile.quantiles, axis=1) >= 0.0)
    assert profile.games.shape == (5, len(profile.running))
