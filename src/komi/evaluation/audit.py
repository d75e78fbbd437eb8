"""Audits of matches: results of policies, with the rules and the policies as Python runs them; see `proof.audit`."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from komi.arrays import F64, Flags
from komi.compiling.packing import Layout
from komi.errors import AuditError, SolveError
from komi.evaluation.average import AverageEvaluation, AverageMatch
from komi.evaluation.match_result import Match, SeatResult
from komi.evaluation.multiplayer import MultiplayerMatch
from komi.evaluation.single_player import SinglePlayerEvaluation
from komi.game import CHANCE
from komi.graph.state_sets import StateSet
from komi.policies.policy import Policy
from komi.policies.tabulate import action_probabilities, illegal_action_error
from komi.proof.audit import MAX_OUTCOMES, MAX_STATES, ROUNDING, ListedPlay, Shares, list_play, prove, rows
from komi.proof.average_audit import audit_average, check_bounds, check_claim
from komi.solvers.solution import Solution
from komi.solvers.stochastic.optimal_values import objective_of

MatchResult = AverageEvaluation | AverageMatch | Match | MultiplayerMatch | SinglePlayerEvaluation
RATE_ROUNDING = 1e-9  # of rates of wins and draws, which have no bound of their own
LEAST, MOST = 0.01, 0.99  # uniform random numbers; a policy that takes another action for another one is random


def audit_match(solution: Solution[Any], policies: Sequence[Policy], result: MatchResult) -> None:
    """Audit the result of policies, one per seat, unless play is too large.

    Raises:
        GameError: if the rules are broken, or a policy takes an action that is not legal, where only Python finds it.
        AuditError: if the result is wrong.
    """
    play = _play(solution)
    if play is None:
        return
    seats, payoffs = [policy_shares(solution, policy, play) for policy in policies], solution.kind.payoffs
    if isinstance(result, AverageEvaluation):
        claim = result.claim(play.flat_fields(solution.game))
        audit_average(play, claim, (seats[0], seats[0]), 1.0, f"{policies[0].name} in {solution.game.name}")
        return
    if isinstance(result, AverageMatch):
        name = f"{policies[0].name} against {policies[1].name} in {solution.game.name}"
        own, other = result.claims(play.flat_fields(solution.game))
        for claim, shares, opposed in ((own, seats, other), (other, seats[::-1], own)):
            check_claim(claim, name)
            check_bounds(play, (claim.upper, opposed.lower), (shares[0], shares[1]), 1.0, name)
        return
    audit = _MatchAudit(solution, play, " and ".join(policy.name for policy in policies))
    if isinstance(result, SinglePlayerEvaluation):
        audit.check_value(seats, 0, result.value, result.error_bound)
        audit.check_length(seats, result.actions, result.length_error_bound)
    elif isinstance(result, MultiplayerMatch):
        bound = result.error_bound / payoffs.width
        for seat, value in enumerate(result.values):
            audit.check_value(seats, seat, payoffs.share(value), bound)
        audit.check_length(seats, result.seatings[0].actions, result.length_error_bound)
    else:
        bound = result.error_bound / payoffs.width
        for seat, (order, found) in enumerate(((seats, result.first), (seats[::-1], result.second))):
            audit.check_value(order, seat, payoffs.share(found.wins), bound)
            audit.check_length(order, found.actions, result.length_error_bound)
            audit.check_rates(order, seat, found)
        if policies[0] is policies[1] and policies[0].name == "optimal" and not solution.kind.hidden:
            audit.check_ties(seats[0], result)


def audit_restriction(
    solution: Solution[Any], restricted: Callable[[ListedPlay], Shares], values: tuple[float, float], bound: float
) -> None:
    """Audit what the first player gets if one of two players is restricted, and both play their best otherwise.

    Args:
        solution: the solution of the game.
        restricted: returns what a restricted player does.
        values: the share if the first player is restricted, and if the second is.
        bound: the error bound of both.

    Raises:
        AuditError: if a value is wrong.
    """
    if play := _play(solution):
        shares, audit = restricted(play), _MatchAudit(solution, play, "restricted play")
        for seats, value in zip(((shares, None), (None, shares)), values, strict=True):
            audit.check_value(seats, None, value, bound)


def audit_claim(
    solution: Solution[Any], seat: int, policies: Sequence[Policy | None], interval: tuple[float, float]
) -> None:
    """Audit an interval of the share, or expected total, of a seat.

    Args:
        solution: the solution of the game.
        seat: the seat.
        policies: for each seat its policy; None if it plays its best, in a game that has no view.
        interval: the ends.

    Raises:
        AuditError: if the value is not in the interval.
    """
    if play := _play(solution):
        seats = [None if each is None else policy_shares(solution, each, play) for each in policies]
        value, bound = sum(interval) / 2, (interval[1] - interval[0]) / 2
        is_zero_sum = len(seats) == 2 and None in policies
        value = 1.0 - value if is_zero_sum and seat else value
        _MatchAudit(solution, play, "policies").check_value(seats, None if is_zero_sum else seat, value, bound)


def _play(solution: Solution[Any]) -> ListedPlay | None:
    """List all of play; return None if there is too much."""
    if solution.listable_states > MAX_STATES:
        return None
    return list_play(solution.game, solution.rules, MAX_STATES, MAX_OUTCOMES)


def policy_shares(solution: Solution[Any], policy: Policy, play: ListedPlay) -> F64:
    """Return float64[actions], the share of each action of each state under a policy."""
    game, rules = solution.game, solution.rules
    flat = play.flat_fields(game)
    shares = np.zeros(len(play.actions))
    if policy.is_mixed or policy.is_searched or not _is_compiled(policy):
        states = StateSet.of_fields(Layout.around(flat, game.steps), flat)
        numbers = np.diff(play.ends, prepend=0)
        table = action_probabilities(policy, solution.compiled, rules, states, int(numbers.max()))
        for index, span in zip(states.indices_of_fields(flat).tolist(), rows(play), strict=True):
            shares[span] = table[index, : span.stop - span.start]
        return shares
    for fields, span in zip(flat.tolist(), rows(play), strict=True):
        actions, state = play.actions[span].tolist(), game.module.State(*fields)
        if actions == [CHANCE]:
            shares[span] = 1.0
            continue
        if policy.code() is None:  # any of them
            shares[span] = 1.0 / len(actions)
            continue
        seen = game.observed(rules, state)
        chosen = {policy.choose(game, rules, seen, uniform) for uniform in (LEAST, MOST)}
        for action in chosen - set(actions):
            raise illegal_action_error(policy, action, game, rules, state)
        shares[span] = [1.0 / len(actions) if len(chosen) > 1 else float(each in chosen) for each in actions]
    return shares


def _is_compiled(policy: Policy) -> bool:
    """Return whether compiled code can call the policy; otherwise its table was made by Python."""
    try:
        policy.code()
    except SolveError:
        return False
    return True


class _MatchAudit:
    """The audit of one match."""

    def __init__(self, solution: Solution[Any], play: ListedPlay, policies: str) -> None:
        self._game, self._play, self._name = solution.game, play, f"{policies} in {solution.game.name}"
        self._kind = solution.kind

    def check_value(self, seats: Sequence[Shares], seat: int | None, value: float, bound: float) -> None:
        """Check the share, or the expected total, of one seat; of the player to move first if it is None."""
        sign, lowest, highest = 1.0, 0.0, 1.0
        if self._kind.seats == 1:
            objective = objective_of(self._kind)
            sign, lowest, highest = objective.sign, objective.lowest, objective.highest
        model = self._play.model(sign, seats, seat)
        what = f"the value of seat {(seat or 0) + 1} for {self._name}"
        self._check(model, sign * value, bound, (lowest, highest), what)

    def check_length(self, seats: Sequence[Shares], actions: float, bound: float) -> None:
        """Check the expected number of actions."""
        model = self._lengths().model(1.0, seats, 0)
        self._check(model, actions, bound, (-np.inf, np.inf), f"the number of actions of {self._name}")

    def check_rates(self, seats: Sequence[Shares], seat: int, found: SeatResult) -> None:
        """Check the rates of wins and draws, where they are reported."""
        if found.rates is None:
            return
        for what, rate, sign in (("wins", found.rates.wins, 1), ("draws", found.rates.draws, 0)):
            counted = self._play._replace(payoffs=(self._play.signs == sign).astype(np.float64))
            bound = found.rates.remainder + RATE_ROUNDING
            self._check(counted.model(1.0, seats, seat), rate, bound, (0.0, 1.0), f"the {what} of {self._name}")

    def check_ties(self, optimal: F64, result: Match) -> None:
        """Check that no optimal play of both players is longer or shorter than reported.

        Args:
            optimal: float64[actions], the shares of optimal play.
            result: its result against itself.
        """
        ties = (optimal > 0.0) | self._ties()
        reported = result.expected_actions_range or (result.expected_actions,) * 2
        for sign, length in zip((-1.0, 1.0), reported, strict=True):
            model = self._lengths().model(sign, (ties,), 0)
            found = prove(model, np.full(len(model.ends), np.nan), -np.inf, np.inf)
            slack = result.length_error_bound + ROUNDING * length
            if found is not None and found.lower[-1] > sign * length + slack:
                raise AuditError(
                    f"optimal play of {self._game.name} was found to take {reported[0]:.12g} to {reported[1]:.12g} "
                    f"actions, but can take {sign * found.lower[-1]:.12g} by the rules as Python runs them: this is an "
                    "error in komi."
                )

    def _ties(self) -> Flags:
        """Return bool[actions], those that are surely best where the player to move wins, or loses, for sure."""
        model = self._play.model()
        is_over, target = model.target < 0, np.where(model.target < 0, 0, model.target)
        numbers, outcomes = np.diff(model.ends, prepend=0), model.outcome_ends - np.diff(model.outcome_ends, prepend=0)
        is_won, is_lost = np.zeros((2, len(model.ends)), np.bool_)
        while True:
            wins = np.where(is_over, model.gain == 1.0, np.where(model.passes, is_lost[target], is_won[target]))
            loses = np.where(is_over, model.gain == 0.0, np.where(model.passes, is_won[target], is_lost[target]))
            wins, loses = np.logical_and.reduceat(wins, outcomes), np.logical_and.reduceat(loses, outcomes)
            won = np.logical_or.reduceat(wins, model.ends - numbers)
            lost = np.logical_and.reduceat(loses, model.ends - numbers)
            if (won == is_won).all() and (lost == is_lost).all():
                ties: Flags = wins | np.repeat(lost, numbers)
                return ties
            is_won, is_lost = won, lost

    def _lengths(self) -> ListedPlay:
        """Return play in which every action of a player counts 1, and nothing else does."""
        play = self._play
        counts = np.repeat((play.actions != CHANCE).astype(np.float64), np.diff(play.outcome_ends, prepend=0))
        return play._replace(reward=counts, payoffs=np.zeros_like(play.payoffs))

    def _check(self, model: Any, value: float, bound: float, ends: tuple[float, float], what: str) -> None:
        found = prove(model, np.full(len(model.ends), np.nan), *ends)
        if found is not None:
            results = np.full(len(model.ends), np.nan)
            results[0] = value
            found.check(results, bound, self._play.states, what)
