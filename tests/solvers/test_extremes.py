"""Tiny chances, tiny and huge rewards: values are within their bounds, and refusals say what is true.

Beside all pure policies in fractions, games of a few places: see `chains`.
"""

import re
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import chains
import pytest

import komi
from komi.compiling.compiled import CompiledGame
from komi.errors import SolveError
from komi.rules import catalog
from komi.solvers.solve import solve_without_storing

GAMES = Path(__file__).parents[1] / "games"
CHANCES = catalog.find(str(GAMES / "extremes.py"))
GAINS = catalog.find(str(GAMES / "extreme_gains.py"))
SMALL = (0.5**50, 1e-12, 1e-6, 0.125)
REWARDS = ((1e-12, 1e9), (1e-12, 1.0), (1.0, 1e9), (0.125, 2.0))
FAR = Fraction(1, 10**5)  # numbers in sentences have six digits


def met(seats: int, seeds: range, small: tuple[float, ...] = SMALL) -> Counter[str]:
    """Solve games of chances; count how many were solved, and how many refused with which reason."""
    compiled = CompiledGame(CHANCES)
    counted: Counter[str] = Counter()
    for seed in seeds:
        for chance in small:
            rules = CHANCES.rules(
                {
                    "plan": seed,
                    "seats": seats,
                    "places": 1 + seed % 3,
                    "small": chance,
                    "least": seats == 1 and seed % 2,
                }
            )
            try:
                solution = solve_without_storing(compiled, rules)
            except SolveError as error:
                (check_refusal if seats < 3 else check_refusal_of_several)(rules, str(error))
                counted["refused"] += 1
                continue
            (check_value if seats < 3 else check_equilibrium)(rules, solution)
            counted["solved"] += not solution.has_plies
    return counted


def check_value(rules: Any, solution: Any) -> None:
    if solution.has_plies:  # no chance is met: an endless game is a draw
        return
    for worth in chains.countings(CHANCES, rules, chains.endings(CHANCES, rules, CHANCES.part("start")(rules))):
        assert abs(Fraction(solution.value()) - worth) <= Fraction(solution.error_bound), rules


def check_refusal(rules: Any, message: str) -> None:
    where = re.search(r"(.*) can go on for ever from place=(\d+)", message.partition("counts: ")[2])
    assert where, message
    table = chains.endings(CHANCES, rules, CHANCES.module.State(int(where[2])))
    low, high = chains.countings(CHANCES, rules, table)
    numbers = re.findall(r"(?: is|worth|and) (\d[\d.e-]*)", message)
    assert [float(number) for number in numbers] == pytest.approx([low, high], abs=1e-6, rel=1e-5), (rules, message)
    assert high - low > 1e-7, rules
    never = [[1 - each.ends for each in row] for row in table]
    mover, opponent = max(map(min, never)) > 0, max(map(min, zip(*never, strict=True))) > 0
    anyway, together = min(map(min, never)) > 0, max(map(max, never)) > 0
    who = {
        "play": anyway,
        "the player": mover,
        "the player to move": mover and not opponent,
        "the opponent of the player to move": opponent and not mover,
        "either player, whatever the other does,": mover and opponent,
        "the two players together": together and not (mover or opponent),
    }
    assert who[where[1]], (rules, message)
    assert ("to move" in message) == (rules.seats == 2), message


def check_equilibrium(rules: Any, solution: Any) -> None:
    start = CHANCES.part("start")(rules)
    arrays = solution.optimal_play
    if len(solution.data.mixed):
        return
    chosen = {
        state: int(arrays.choices[arrays.states.index_of(state)]) for state in next(chains.policies(CHANCES, rules))
    }
    for seat, value in enumerate(solution.seat_values()):
        played = chains.follow(CHANCES, rules, start, seat, lambda here, own: chosen[here])
        assert played.ends == 1
        assert abs(Fraction(value) - played.gained) <= Fraction(solution.error_bound), rules
        for own in chains.policies(CHANCES, rules):
            left = chains.follow(
                CHANCES, rules, start, seat, lambda here, far, own=own: own[here] if far == 0 else chosen[here]
            )
            assert left.gained + 1 - left.ends - played.gained <= Fraction(solution.epsilon[seat]), rules


def staying(rules: Any, state: Any) -> set[Any]:
    """Return the states on cycles with a state in which play can stay for ever, if all players wish to."""
    part, follow, reached = CHANCES.part, dict[Any, list[set[Any]]](), [state]
    for here in reached:
        actions = [] if part("over")(rules, here) else part("legal")(rules, here)
        follow[here] = [{after for p, after, _ in CHANCES.outcomes(rules, here, action) if p} for action in actions]
        reached += [after for after in set().union(*follow[here]) if after not in reached]
    back = {state}
    while more := {here for here in reached if back & set().union(*follow[here])} - back:
        back |= more
    while leaving := {here for here in back if not any(after <= back for after in follow[here])}:
        back -= leaving
    return back


def check_refusal_of_several(rules: Any, message: str) -> None:
    assert "no proof was found" in message
    first, pure = re.search(r"place=(\d+)", message), list(chains.policies(CHANCES, rules))
    assert first, message
    later = re.search(r"for ever from place=(\d+)", message)
    state = CHANCES.module.State(int((later or first)[1]))
    never = [1 - chains.follow(CHANCES, rules, state, 0, lambda here, own, a=a: a[here]).ends for a in pure]
    if "play cannot stay there" in message:
        assert not staying(rules, state), (rules, message)
    else:
        assert ("the players together can" in message) == (min(never) == 0 < max(never)), (rules, message)
        assert ("play can" in message) == (min(never) > 0), (rules, message)


def gains_met(seeds: range) -> Counter[str]:
    """Solve games of gains; count how many were solved, and how many refused with which reason."""
    compiled = CompiledGame(GAINS)
    counted: Counter[str] = Counter()
    for seed in seeds:
        for little, much in REWARDS:
            rules = GAINS.rules(
                {"plan": seed, "places": 1 + seed % 3, "little": little, "much": much, "least": bool(seed % 2)}
            )
            try:
                solution = solve_without_storing(compiled, rules)
            except SolveError as error:
                check_refusal_of_gains(rules, str(error))
                counted[str(error).partition("extreme-gains")[0]] += 1
                continue
            counted["solved"] += 1
            check_gains(rules, solution)
    return counted


def gained(rules: Any, state: Any) -> Iterator[chains.Ending]:
    for policy in chains.policies(GAINS, rules):
        yield chains.follow(GAINS, rules, state, 0, lambda here, own, a=policy: a[here], rewarded=True)


def check_gains(rules: Any, solution: Any) -> None:
    sign = -1 if rules.least else 1
    found = list(gained(rules, GAINS.part("start")(rules)))
    assert all(sign * each < 0 for one in found for each in one.rounds), rules
    best = sign * max(sign * one.gained for one in found if one.ends == 1)
    assert abs(Fraction(solution.value()) - best) <= Fraction(solution.error_bound), rules


def check_refusal_of_gains(rules: Any, message: str) -> None:
    sign = -1 if rules.least else 1
    if "proved only to" in message:  # a bound is no more than that
        return
    where = re.search(r"from place=(\d+)(?:[.;]|, where the [a-z ]+ are (\S+) if play must end\.)", message)
    assert where, message
    found = list(gained(rules, GAINS.module.State(int(where[1]))))
    rounds = [sign * each for one in found for each in one.rounds]
    if "has no limit" in message:
        assert max(rounds) > 0, (rules, message)
    elif "never ends" in message:
        assert all(one.ends == 0 for one in found), (rules, message)
    else:
        assert "depends on what an endless game counts" in message
        assert 0 in rounds, (rules, message)
        best = max(sign * one.gained for one in found if one.ends == 1)
        assert float(where[2]) == pytest.approx(sign * float(best), rel=1e-5), (rules, message)
        assert ("play can" in message) == all(one.ends < 1 for one in found), (rules, message)


@pytest.mark.parametrize("seats", [2, pytest.param(1, marks=pytest.mark.slow)])
def test_games_with_tiny_chances_are_solved_and_refusals_are_true(seats: int) -> None:
    counted = met(seats, range(8), SMALL[:3])
    assert counted["solved"] >= 12
    assert counted["refused"] >= 3


@pytest.mark.slow
def test_tables_of_three_with_tiny_chances_are_solved_and_refusals_are_true() -> None:
    counted = met(3, range(8), SMALL[:1])
    assert counted["solved"] >= 3


def test_games_with_tiny_and_huge_rewards_are_solved_and_refusals_are_true() -> None:
    counted = gains_met(range(24))
    assert counted["solved"] >= 60


@pytest.mark.slow
@pytest.mark.parametrize("seats", [1, 2])
def test_many_games_with_tiny_chances_are_solved_and_refusals_are_true(seats: int) -> None:
    met(seats, range(1000, 1200))


@pytest.mark.slow
def test_a_thousand_tables_of_three_with_tiny_chances_are_solved_and_refusals_are_true() -> None:
    met(3, range(1000, 1250))


@pytest.mark.slow
def test_optimal_play_of_three_mixes_where_the_equilibrium_does() -> None:
    rules = {"plan": 59, "seats": 3, "small": 0.25}
    solution = komi.solve(CHANCES, **rules)
    assert not solution.is_pure
    simulation = komi.simulate(CHANCES, 100_000, policies="optimal", seed=1, **rules)
    for estimate, value in zip(simulation.wins, solution.seat_values(), strict=True):
        assert abs(estimate.mean - value) < 4.0 * estimate.stderr
    with pytest.raises(SolveError, match="policy optimal mixes actions: 'komi simulate' measures it"):
        komi.match(CHANCES, "optimal", **rules)


@pytest.mark.slow
def test_many_games_with_tiny_and_huge_rewards_are_solved_and_refusals_are_true() -> None:
    gains_met(range(1000, 1300))
