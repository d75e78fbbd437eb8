"""Openings: value and length of a game from the start, under rule sets that differ only in the initial state.

A job that solves openings can be serialized for another process: it contains the game's files.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from komi.bellman import length_ranges
from komi.compiling.compiled import CompiledGame, compiled_game
from komi.errors import SolveError
from komi.evaluation.match import evaluate_match
from komi.evaluation.mixed import match_mixed
from komi.evaluation.multiplayer import MultiplayerMatch
from komi.evaluation.policy_evaluator import PolicyEvaluator
from komi.policies.named import find
from komi.progress import Progress, silent
from komi.proof.audit import MAX_OUTCOMES, MAX_STATES, list_play, prove
from komi.rounding import proved_only
from komi.rules.catalog import SerializedModule
from komi.rules.declarations import keywords
from komi.rules.game import Game
from komi.rules.kind import Kind, kind_of
from komi.solvers.solution import TOLERANCE, VerifiedHints
from komi.solvers.solve import find_solvers, solve_all_states
from komi.solvers.solver import check_initial_state
from komi.solvers.stochastic.optimal_values import find_values, objective_of
from komi.solvers.stochastic.stochastic_solver import hints_of
from komi.typing import Rules, State

RuleSets = tuple[tuple[Any, ...], ...]
"""Rule sets that share one solution, as tuples of their values."""


def check_sweepable(game: Game, rules: Rules) -> None:
    """Check that the value and the length of the game can be computed.

    Raises:
        SolveError: if the game is of another kind.
    """
    check_sweepable_kind(kind_of(game, rules))
    find_solvers(game, rules)


def check_sweepable_kind(kind: Kind) -> None:
    """Check that games of this kind have a fairness, or one value, that rule sets can be compared by.

    Raises:
        SolveError: if they have not.
    """
    if not kind.is_opposed:
        raise SolveError(
            f"in {kind.name} each seat has a value of its own ('payoff_range'): parameter sweeps compare rule sets by "
            "one; 'komi solve' lists those of all seats under one rule set."
        )


@dataclass(frozen=True)
class Opening:
    """The value and length of optimal play from the start.

    Attributes:
        first: the first player's probability of winning; with a `payoff_range` the expected payoff; in a single-player
            game the objective.
        expected_actions: expected number of actions of both players, the last one included; nan where transient states
            are not stored and the length was not computed; inf where play never ends.
        error_bound: error bound of `first`.
        length_error_bound: error bound of the expected actions.
        expected_actions_range: the least and the greatest expected number of actions over all choices between actions
            of equal value; None if both are equal, or were not requested.
        even: the value of a fair game.
        hints: the hints of the rule file that the value relies on; None if it relies on the rules alone.
        seats: with three and more players the probability of winning of each seat, the first player's first; else
            empty.
    """

    first: float
    expected_actions: float
    error_bound: float
    length_error_bound: float
    expected_actions_range: tuple[float, float] | None = None
    even: float = 0.5
    hints: VerifiedHints | None = None
    seats: tuple[float, ...] = ()

    @property
    def unfairness(self) -> float:
        """The distance of the first player's probability of winning from one half, or of the payoff from 0.

        With three and more players the largest distance of the probability of a seat from its equal share.
        """
        return max(abs(value - self.even) for value in self.seats or (self.first,))


def solve_expanded_openings(
    compiled: CompiledGame, rule_sets: Sequence[Any], progress: Progress = silent
) -> list[Opening]:
    """Solve the openings of a two-player game whose transient states are not stored; without lengths.

    See `solve_openings`.
    """
    rules = rule_sets[0]
    starts = [check_initial_state(compiled.game, each) for each in rule_sets]
    found = find_values(compiled, rules, starts, progress=progress)
    _check_bound(compiled.game, rules, starts[0], found.error_bound)
    payoffs = kind_of(compiled.game, rules).payoffs
    shares = [float(found.values[found.states.index_of(start)]) for start in starts]
    for each, share in zip(rule_sets, shares, strict=True):
        _audit(compiled.game, each, found.states.size + found.expanded, share, found.error_bound)
    values = [payoffs.payoff(share) for share in shares]
    bound = payoffs.bound(found.error_bound)
    hints = hints_of(found)
    return [Opening(value, math.nan, bound, math.nan, even=payoffs.even, hints=hints) for value in values]


def solve_openings(
    compiled: CompiledGame,
    rule_sets: Sequence[Any],
    progress: Progress = silent,
    side_by_side: bool = True,
    ranges: bool = False,
) -> list[Opening]:
    """Solve the openings under rule sets that differ only in rules that only `start` reads, with one solution.

    With three and more players, simultaneous moves or hidden information, each rule set has its own solution, which
    is cached.

    Args:
        compiled: the game.
        rule_sets: one or more rule sets.
        progress: progress callback, called during long work; see `komi.progress`.
        side_by_side: whether to use two threads, as simultaneous moves always do; one thread takes less CPU time in
            total.
        ranges: whether to compute the ranges of expected actions.

    Raises:
        GameError: if the rules are broken.
        SolveError: if the game is too large, or a value cannot be proved.
    """
    kind = kind_of(compiled.game, rule_sets[0])
    if kind.seats > 2:
        return [_solve_seats(compiled, rules, progress) for rules in rule_sets]
    if kind.hidden:
        return [_solve_mixed(compiled, rules, progress) for rules in rule_sets]
    if kind.average:
        return [_solve_average(compiled, rules, progress) for rules in rule_sets]
    starts = [check_initial_state(compiled.game, rules) for rules in rule_sets]
    objective = objective_of(kind)
    evaluator = PolicyEvaluator(compiled, rule_sets[0], starts, progress, side_by_side)
    results = evaluator.evaluate(objective=objective, gain_columns=objective.gain_columns, measures=1)
    states = evaluator.states
    lengths: list[tuple[float, float] | None] = [None] * len(starts)
    if ranges and kind.seats == 2:
        lengths = length_ranges(
            compiled, rule_sets[0], states, evaluator.counts, starts, results.value, results.choice, progress
        )
    openings = []
    for rules, start, length_range in zip(rule_sets, starts, lengths, strict=True):
        index = states.index_of(start)
        reached = results.value if len(starts) == 1 else results.value[[index]]  # of several, the stricter scale
        scale = max(1.0, float(abs(reached).max(initial=0.0))) if kind.rewards else 1.0
        _check_bound(compiled.game, rule_sets[0], start, float(results.bound[index]), scale)
        _audit(compiled.game, rules, states.size, float(results.value[index]), float(results.bound[index]))
        opening = Opening(
            kind.payoffs.payoff(objective.sign * float(results.value[index])),
            float(results.length[0, index]),
            kind.payoffs.bound(float(results.bound[index])),
            float(results.length_bound[index]),
            length_range,
            kind.payoffs.even,
        )
        openings.append(opening)
    return openings


def _audit(game: Game, rules: Rules, states: int, value: float, bound: float) -> None:
    """Audit a value, times the sign of the objective, under its own rules, unless play is too large.

    Raises:
        GameError: if the rules are broken where only Python finds it.
        AuditError: if the value is wrong.
    """
    play = list_play(game, rules, MAX_STATES, MAX_OUTCOMES) if states <= MAX_STATES else None
    if play is None:
        return
    objective = objective_of(kind_of(game, rules))
    results = np.full(len(play.states), np.nan)
    found = prove(play.model(objective.sign), results, objective.lowest, objective.highest)
    if found is not None:
        results[0] = value
        found.check(results, bound, play.states, f"the value of {game.name}")


def _solve_mixed(compiled: CompiledGame, rules: Rules, progress: Progress) -> Opening:
    """Solve the opening of a game in which optimal play is mixed; its length is that of optimal play against itself."""
    solution = solve_all_states(compiled.game, progress=progress, notice=compiled.kernels.notice, **keywords(rules))
    optimal = find("optimal", solution)
    played = match_mixed(solution, optimal, optimal, progress=progress)
    return Opening(
        solution.value(),
        played.first.actions,
        solution.error_bound,
        played.length_error_bound,
        even=solution.kind.payoffs.even,
    )


def _solve_seats(compiled: CompiledGame, rules: Rules, progress: Progress) -> Opening:
    """Solve the opening of a game for three and more: the values of the equilibrium that the solver finds."""
    solution = solve_all_states(compiled.game, progress=progress, notice=compiled.kernels.notice, **keywords(rules))
    seats = solution.kind.seats
    played = evaluate_match(solution, [find("optimal", solution)] * seats, progress=progress)
    assert isinstance(played, MultiplayerMatch)
    values = played.values
    return Opening(
        values[0],
        played.seatings[0].actions,
        played.error_bound,
        played.length_error_bound,
        even=1.0 / seats if solution.kind.payoffs.is_chance else solution.kind.payoffs.even,
        seats=values,
    )


def _solve_average(compiled: CompiledGame, rules: Rules, progress: Progress) -> Opening:
    """Solve the opening of a game that never ends."""
    solution = solve_all_states(compiled.game, progress=progress, notice=compiled.kernels.notice, **keywords(rules))
    return Opening(solution.value(), math.inf, solution.error_bound, 0.0, even=solution.kind.payoffs.even)


def _check_bound(game: Game, rules: Rules, start: State, bound: float, scale: float = 1.0) -> None:
    if not bound <= TOLERANCE * scale:
        where = f"{game.name} from {game.write(rules, start)}"
        raise SolveError(f"{where} is {proved_only(bound, TOLERANCE * scale)}.")


class OpeningsJob:
    """Solves the openings of one game, in this or in another process."""

    def __init__(self, compiled: CompiledGame) -> None:
        self._compiled = compiled

    def __call__(self, rule_sets: RuleSets, progress: Progress) -> list[Opening]:
        """Solve the openings of rule sets that share one solution, on one core if moves are sequential."""
        sets = [self._compiled.game.module.Rules(*numbers) for numbers in rule_sets]
        compiled = self._compiled.under(sets[0])
        check_sweepable(compiled.game, sets[0])
        return solve_openings(compiled, sets, progress, side_by_side=False)

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore_job, (SerializedModule.of(self._compiled.game.module),)


@cache
def _restore_job(game: SerializedModule) -> OpeningsJob:
    return OpeningsJob(compiled_game(game.game()))
