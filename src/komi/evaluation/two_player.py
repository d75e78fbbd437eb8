"""Exact matches of two policies: winning probabilities from each seat, expected game lengths, and best responses."""

from dataclasses import replace
from typing import Any

from komi.arrays import I16
from komi.bellman import length_ranges
from komi.errors import SolveError
from komi.evaluation.match_result import Match, SeatResult, WinRates
from komi.evaluation.policy_evaluator import PolicyEvaluator, check_tolerance
from komi.evaluation.requirements import check_two_player
from komi.evaluation.visits import count_visits
from komi.graph import limits
from komi.policies.named import is_optimal_play
from komi.policies.policy import Policy
from komi.progress import Progress, silent
from komi.rules.payoff_scale import PayoffScale
from komi.solvers.solution import TOLERANCE, Solution
from komi.transient import find_staged_lengths


def match_two_player(
    solution: Solution[Any], a: Policy, b: Policy, tolerance: float = TOLERANCE, progress: Progress = silent
) -> Match:
    """Compute the exact strength of policy A against policy B.

    Raises:
        GameError: if a policy takes an action that is not legal.
        SolveError: if play between them may never end, or the result cannot be proved to the tolerance.
    """
    check_two_player(solution.kind)
    is_optimal = a is b and is_optimal_play(a, solution)
    if is_optimal and _is_staged(solution):
        return _staged_match(solution, progress)
    evaluator = PolicyEvaluator.of(solution, progress)
    tables = [evaluator.tabulate(policy) for policy in ([a] if a is b else [a, b])]
    result = _evaluate(evaluator, tables, tolerance, solution.kind.payoffs)
    if not solution.kind.payoffs.is_chance:
        result = _with_rates(result, solution, a, b, progress)
    if not is_optimal:
        return result
    states, arrays = evaluator.states, solution.optimal_play
    values = arrays.values[arrays.states.indices_of(states)]
    (length_range,) = length_ranges(
        solution.compiled, solution.rules, states, evaluator.counts, evaluator.starts, values, tables[0], progress
    )
    return replace(result, expected_actions_range=length_range)


def best_response(
    solution: Solution[Any], policy: Policy, tolerance: float = TOLERANCE, progress: Progress = silent
) -> Match:
    """Compute the exact result of the best response to a policy: the policy's worst case."""
    check_two_player(solution.kind)
    evaluator = PolicyEvaluator.of(solution, progress)
    table = evaluator.tabulate(policy)
    return _evaluate(evaluator, [evaluator.free(), table], tolerance, solution.kind.payoffs)


def _is_staged(solution: Solution[Any]) -> bool:
    """Return whether the game has so many states before a roll that it is solved by staged value iteration."""
    return solution.kind.transient and solution.game.has("stage") and solution.data.states.size > limits.MAX_LISTED


def _staged_match(solution: Solution[Any], progress: Progress) -> Match:
    """Compute the result of optimal play against itself in a game solved by staged value iteration."""
    start = solution.game.part("start")(solution.rules)
    data = solution.data
    found = find_staged_lengths(
        solution.compiled, solution.rules, start, data.states, data.values, data.max_outcomes, progress
    )
    actions, turns, chance_moves = map(float, found.lengths)
    wins = solution.value(start)
    seats = (wins, solution.kind.payoffs.opposite(wins))
    first, second = (SeatResult(each, actions, turns + 1.0, chance_moves) for each in seats)
    return Match(first, second, solution.error_bound, found.bound)


def _with_rates(result: Match, solution: Solution[Any], a: Policy, b: Policy, progress: Progress) -> Match:
    """Add how often A wins, draws and loses from each seat, unless games are too long to follow."""
    try:
        first = count_visits(solution, a, b, progress)
        second = first if a is b else count_visits(solution, b, a, progress)
    except SolveError:
        return result
    seats = ((result.first, first.results, first), (result.second, second.results[::-1], second))
    rated = [
        replace(seat, rates=WinRates(float(rates[0]), float(rates[1]), float(rates[2]), visits.remainder))
        for seat, rates, visits in seats
    ]
    return replace(result, first=rated[0], second=rated[1])


def _evaluate(evaluator: PolicyEvaluator, tables: list[I16], tolerance: float, payoffs: PayoffScale) -> Match:
    """Compute the result of one or two policies, the first of which is A."""
    results = evaluator.evaluate(tables)
    check_tolerance(float(results.bound.max()), tolerance)
    first = evaluator.start * len(tables)
    second = first + len(tables) - 1  # A's opponent moves first
    seats = []
    for row, wins in ((first, results.value[first]), (second, 1.0 - results.value[second])):
        actions, turns, chance_moves = map(float, results.length[:, row])
        seats.append(SeatResult(payoffs.payoff(float(wins)), actions, turns + 1.0, chance_moves))
    return Match(seats[0], seats[1], payoffs.bound(float(results.bound.max())), float(results.length_bound.max()))
