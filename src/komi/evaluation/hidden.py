"""The exact strength of policies in games with hidden information: losses in information sets, and best responses.

A best response knows the policy, but sees only what its player observes. Let Q(I, a) be the expected payoff of action a
in an information set I, given what the player observes there, against a fixed opponent and with a best response from
then on. The loss of a in I is max over b of Q(I, b) - Q(I, a). The regret of a policy against the opponent is the sum
of the losses of its actions, each times the expected number of its uses there. In games for more players the opponent
has all other seats.
"""

from collections.abc import Sequence
from itertools import permutations
from statistics import fmean
from typing import Any

import numpy as np

from komi.arrays import F64, I16, I32, I64
from komi.evaluation.losses import Agreement, Mistake, weighted_mean
from komi.evaluation.multiplayer import MultiplayerMatch, Seating
from komi.evaluation.policy_evaluator import check_tolerance
from komi.evaluation.strength_evaluator import BestResponse, Regret
from komi.game import CHANCE
from komi.jit.kernels import engine_kernels
from komi.policies.named import find
from komi.policies.policy import Policy, distinct_names
from komi.policies.table import TablePolicy
from komi.policies.tabulate import action_probabilities
from komi.progress import Progress, silent
from komi.solvers.hidden.equilibrium import (
    best_response_value,
    expected_share,
    plans_of,
    rounding_error,
    set_reach,
    set_values,
)
from komi.solvers.hidden.history_listing import sequence_form
from komi.solvers.hidden.play_graph import PlayArrays
from komi.solvers.solution import TOLERANCE, Solution

Behaviors = list[F64]
"""float64[sequences] of each player: the probability of the last action of each sequence in its information set."""


class HiddenEvaluator:
    """Measures policies of one game for two or more players with hidden information.

    Args:
        solution: the solved game.
        progress: progress callback, called during long work; see `komi.progress`.
    """

    def __init__(self, solution: Solution[Any], progress: Progress = silent) -> None:
        game, rules = solution.game, solution.rules
        self._solution = solution
        self._form = sequence_form(solution.compiled, rules, game.part("start")(rules), progress)
        self._error = rounding_error(self._form)

    def regret(self, policy: Policy, opponent: Policy | None = None) -> Regret:
        """Compute the regret of a policy against an opponent; None for optimal play.

        Raises:
            GameError: if a policy takes an action that is not legal.
            SolveError: if a table cannot represent a policy.
        """
        ours, theirs = self._behaviors(policy), self._behaviors(opponent or find("optimal", self._solution))
        payoffs, regrets = self._solution.kind.payoffs, []
        for player in self._form.players:
            plans = plans_of(self._form, _seated(ours, player.seat, theirs))
            share = expected_share(player, plans)
            regrets.append(payoffs.width * max(best_response_value(player, plans) - share, 0.0))
        mistakes = self._mistakes(self._losses(theirs), ours, self._visits(ours, theirs))
        return Regret(tuple(regrets), 2.0 * payoffs.width * self._error, tuple(mistakes))

    def best_response(self, policy: Policy) -> BestResponse:
        """Compute the best response to a policy.

        Raises:
            GameError: if the policy takes an action that is not legal.
            SolveError: if a table cannot represent the policy.
        """
        theirs, payoffs = self._behaviors(policy), self._solution.kind.payoffs
        plans = plans_of(self._form, theirs)
        wins = tuple(payoffs.payoff(best_response_value(player, plans)) for player in self._form.players)
        even = payoffs.even
        if self._solution.kind.has_seat_values:
            even = payoffs.payoff(fmean(expected_share(player, plans) for player in self._form.players))
        response = TablePolicy("best response", self._solution.data.states, self._best_actions(self._losses(theirs)))
        return BestResponse(response, wins, payoffs.bound(self._error), even)

    def best_responses(self, policies: Sequence[Policy]) -> tuple[float, ...]:
        """Compute the expected payoff of each seat's best response while all other seats keep to these policies.

        Raises:
            GameError: if a policy takes an action that is not legal.
            SolveError: if a table cannot represent a policy.
        """
        behaviors = [self._behaviors(policy)[seat] for seat, policy in enumerate(policies)]
        plans, payoffs = plans_of(self._form, behaviors), self._solution.kind.payoffs
        return tuple(payoffs.payoff(best_response_value(player, plans)) for player in self._form.players)

    def match(self, policies: Sequence[Policy], tolerance: float = TOLERANCE) -> MultiplayerMatch:
        """Compute the expected payoff of each of three or more seats, for every order of these policies.

        Args:
            policies: one per seat, the first to move first.
            tolerance: the largest error bound to accept.

        Raises:
            GameError: if a policy takes an action that is not legal.
            SolveError: if a table cannot represent a policy, or the error bound exceeds the tolerance.
        """
        names, payoffs = distinct_names(policies), self._solution.kind.payoffs
        behaviors = {name: self._behaviors(policy) for name, policy in zip(names, policies, strict=True)}
        check_tolerance(self._error, tolerance)
        seatings = []
        for order in dict.fromkeys(permutations(names)):
            shares, actions, turns = self._play([behaviors[name][seat] for seat, name in enumerate(order)])
            seatings.append(Seating(order, tuple(map(payoffs.payoff, shares)), actions, turns + 1.0))
        return MultiplayerMatch(tuple(seatings), payoffs.bound(self._error), self._error * self._form.plies)

    def _play(self, behaviors: Behaviors) -> tuple[list[float], float, float]:
        """Return the expected share of each seat, and how often players act and the turn passes."""
        form, graph = self._form, self._form.graph
        reach, totals = np.zeros((graph.states.size, len(form.players))), np.zeros(len(form.players) + 2)
        reach[graph.states.index_of(self._solution.game.part("start")(self._solution.rules)), 0] = 1.0
        mixes = form.mixes(behaviors)
        engine_kernels()[_play_forward](graph.arrays, graph.observation, form.order, mixes, reach, totals)
        *shares, actions, turns = totals.tolist()
        return shares, actions, turns

    def compare(self, a: Policy, b: Policy, most: int) -> Agreement:
        """Compute how often policies agree in information sets, and where the first loses most in games of both.

        Its losses are those against optimal play.

        Raises:
            GameError: if a policy takes an action that is not legal.
            SolveError: if a table cannot represent a policy.
        """
        ours, theirs = self._behaviors(a), self._behaviors(b)
        visits = self._visits(ours, theirs)
        mistakes = self._mistakes(self._losses(self._behaviors(find("optimal", self._solution))), ours, visits)
        agreeing, times = [], []
        for seat, player in enumerate(self._form.players):
            has_choice = np.diff(player.firsts) > 1
            agreeing.append(player.set_sums(ours[seat] * theirs[seat])[has_choice])
            times.append(visits[seat][has_choice])
        shares, decisions = np.concatenate(agreeing), np.concatenate(times)
        return Agreement(
            all_states=weighted_mean(shares, np.ones(len(shares))),
            real_states=weighted_mean(shares, decisions),
            states=len(shares),
            decisions=float(decisions.sum()),
            loss=sum(mistake.loss * mistake.visits for mistake in mistakes),
            mistakes=mistakes[:most],
        )

    def _behaviors(self, policy: Policy) -> Behaviors:
        """Return the behavior of a policy in both seats."""
        solution, data = self._solution, self._solution.data
        table = action_probabilities(policy, solution.compiled, solution.rules, data.states, data.mixes.shape[1])
        places = data.states.indices_of(self._form.graph.observed)
        behaviors = [np.ones(player.sequences) for player in self._form.players]
        for player, behavior in zip(self._form.players, behaviors, strict=True):
            behavior[1:] = table[places[player.observations][player.set_of], player.ranks]
        return behaviors

    def _losses(self, opponent: Behaviors) -> list[F64]:
        """Compute the loss of the last action of each sequence of each player, against an opponent in the other seats.

        Returns:
            float64[sequences] of each player; shares from 0 to 1.
        """
        losses = []
        for seat, player in enumerate(self._form.players):
            behaviors = [np.zeros_like(each) if place == seat else each for place, each in enumerate(opponent)]
            values = set_values(self._form, seat, behaviors, np.ones(player.sets, np.bool_))
            lost = np.zeros(player.sequences)
            lost[1:] = values.value[player.set_of, seat] - values.action_value[1:]
            losses.append(lost)
        return losses

    def _visits(self, ours: Behaviors, theirs: Behaviors) -> list[F64]:
        """Compute float64[sets] of each player: the visits of policy A in games against B, averaged over the seats."""
        seats = len(self._form.players)
        return [set_reach(self._form, seat, _seated(ours, seat, theirs)) / seats for seat in range(seats)]

    def _mistakes(self, losses: Sequence[F64], behaviors: Behaviors, visits: Sequence[F64]) -> list[Mistake]:
        """List the actions of a policy that lose more than rounding, those that lose most in a game first."""
        solution, mistakes = self._solution, []
        game, rules, width = solution.game, solution.rules, solution.kind.payoffs.width
        negligible = max(1e-12, 2.0 * solution.error_bound / width)
        for player, lost, behavior, reach in zip(self._form.players, losses, behaviors, visits, strict=True):
            counts = reach[player.set_of] * behavior[1:]
            for sequence in 1 + np.flatnonzero((lost[1:] > negligible) & (counts > 0.0)):
                number = player.set_of[sequence - 1]
                first, end = player.firsts[number : number + 2]
                observation = game.module.State(*self._form.graph.observed.fields(int(player.observations[number])))
                label, best = (
                    game.label(rules, observation, int(player.actions[each]))
                    for each in (sequence, first + lost[first:end].argmin())
                )
                written, count = game.write(rules, observation), float(counts[sequence - 1])
                mistakes.append(Mistake(written, label, best, width * float(lost[sequence]), count))
        return sorted(mistakes, key=lambda mistake: -mistake.loss * mistake.visits)

    def _best_actions(self, losses: Sequence[F64]) -> I16:
        """Return int16[states], an action without loss in each state of the solution; CHANCE at chance nodes."""
        form, graph, states = self._form, self._form.graph, self._solution.data.states
        actions = np.full(states.size, CHANCE, np.int16)
        best = np.full(len(form.set_of), CHANCE, np.int16)
        for player, lost in zip(form.players, losses, strict=True):
            most = int(np.diff(player.firsts).max(initial=1))
            least = player.table(lost, most, fill=np.inf).argmin(axis=1)
            best[player.observations] = player.actions[player.firsts[:-1] + least]
        seen = np.flatnonzero(form.set_of >= 0)
        actions[states.indices_of(graph.observed)[seen]] = best[seen]
        chosen = form.order[graph.observation[form.order] >= 0]
        actions[states.indices_of(graph.states)[chosen]] = best[graph.observation[chosen]]
        return actions


def _seated(ours: Behaviors, seat: int, theirs: Behaviors) -> Behaviors:
    """Return the behaviors of all players if one policy has a seat and another one has all others."""
    return [*theirs[:seat], ours[seat], *theirs[seat + 1 :]]


def _play_forward(arrays: PlayArrays, observation: I32, order: I64, mixes: F64, reach: F64, totals: F64) -> None:
    """Follow play through all states, each before those that it leads to.

    Args:
        arrays, observation: those of the graph.
        order: int64[reached], the states.
        mixes: float64[actions], the probability of each action.
        reach: float64[states, seats], the probability that play leads to a state in which a seat is the mover; that of
            the initial state is 1 before.
        totals: float64[seats + 2], to which the expected shares, the actions of players and the turns are added.
    """
    seats = reach.shape[1]
    for state in order:
        for seat in range(seats):
            weight = reach[state, seat]
            if weight == 0.0:
                continue
            if observation[state] >= 0:
                totals[seats] += weight
            for action in range(arrays.ends[state - 1] if state > 0 else 0, arrays.ends[state]):
                begin = arrays.outcome_ends[action - 1] if action > 0 else 0
                for outcome in range(begin, arrays.outcome_ends[action]):
                    share, target = weight * mixes[action] * arrays.probability[outcome], arrays.target[outcome]
                    mover = (seat + arrays.passes[outcome]) % seats
                    if target >= 0:
                        reach[target, mover] += share
                        totals[seats + 1] += share * (arrays.passes[outcome] > 0)
                    else:
                        for each in range(seats):
                            totals[each] += share * arrays.shares[-1 - target, (each - mover) % seats]
