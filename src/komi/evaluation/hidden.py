"""The exact strength of policies in games with hidden information: losses in information sets, and best responses.

A best response knows the policy, but sees only what its player observes. Let Q(I, a) be the expected payoff of action a
in an information set I, given what the player observes there, against a fixed opponent and with a best response from
then on. The loss of a in I is max over b of Q(I, b) - Q(I, a). The regret of a policy against the opponent is the sum
of the losses of its actions, each times the expected number of its uses there. In games for more players the opponent
has all other seats.
"""

from collections import defaultdict
from collections.abc import Sequence
from itertools import permutations
from statistics import fmean
from typing import Any

import numpy as np

from komi.arrays import F64, I16
from komi.evaluation.losses import Agreement, Mistake, weighted_mean
from komi.evaluation.multiplayer import MultiplayerMatch, Seating
from komi.evaluation.policy_evaluator import check_tolerance
from komi.evaluation.strength_evaluator import BestResponse, Regret
from komi.game import CHANCE
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
        self._form = sequence_form(game, rules, game.part("start")(rules), progress)
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
        """Return the expected share of each seat, and how often players act and the turn passes, ply by ply."""
        form, game, rules = self._form, self._solution.game, self._solution.rules
        seats, actions, turns = len(form.players), 0.0, 0.0
        shares = np.zeros(seats)
        level = {(game.part("start")(rules), 0): 1.0}
        while level:
            after: defaultdict[tuple[Any, int], float] = defaultdict(float)
            for (state, seat), reach in level.items():
                moves = form.moves_of.get(state)
                if moves is None:
                    shares += reach * np.roll(game.shares(rules, state), seat)
                    continue
                mix = [1.0]
                if moves[0].action != CHANCE:
                    actions += reach
                    _, number = form.set_of[game.part("view")(rules, state)]
                    mix = behaviors[seat][form.players[seat].sets[number].sequences].tolist()
                for share, move in zip(mix, moves, strict=True):
                    for probability, successor, passes in move.outcomes:
                        weight = reach * share * probability
                        turns += weight * bool(passes and successor in form.moves_of)
                        if weight > 0.0:
                            after[successor, (seat + passes) % seats] += weight
            level = after
        return shares.tolist(), actions, turns

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
            both = ours[seat] * theirs[seat]
            for each, count in zip(player.sets, visits[seat], strict=True):
                if len(each.actions) > 1:
                    agreeing.append(both[each.sequences].sum())
                    times.append(count)
        return Agreement(
            all_states=weighted_mean(np.array(agreeing), np.ones(len(agreeing))),
            real_states=weighted_mean(np.array(agreeing), np.array(times)),
            states=len(agreeing),
            decisions=float(sum(times)),
            loss=sum(mistake.loss * mistake.visits for mistake in mistakes),
            mistakes=mistakes[:most],
        )

    def _behaviors(self, policy: Policy) -> Behaviors:
        """Return the behavior of a policy in both seats."""
        solution, data = self._solution, self._solution.data
        table = action_probabilities(policy, solution.compiled, solution.rules, data.states, data.mixes.shape[1])
        behaviors = [np.ones(player.sequences) for player in self._form.players]
        for player, behavior in zip(self._form.players, behaviors, strict=True):
            for each in player.sets:
                behavior[each.sequences] = table[data.states.index_of(each.observation), : len(each.actions)]
        return behaviors

    def _losses(self, opponent: Behaviors) -> list[F64]:
        """Compute the loss of the last action of each sequence of each player, against an opponent in the other seats.

        Returns:
            float64[sequences] of each player; shares from 0 to 1.
        """
        losses = []
        for seat, player in enumerate(self._form.players):
            behaviors = [np.zeros_like(each) if place == seat else each for place, each in enumerate(opponent)]
            values = set_values(self._form, seat, behaviors, np.ones(len(player.sets), np.bool_))
            lost = np.zeros(player.sequences)
            for number, each in enumerate(player.sets):
                lost[each.sequences] = values.value[number, seat] - values.action_value[each.sequences]
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
            for each, times in zip(player.sets, reach, strict=True):
                own = lost[each.sequences]
                for rank in np.flatnonzero((own > negligible) & (times * behavior[each.sequences] > 0.0)):
                    label, best = (
                        game.label(rules, each.observation, each.actions[int(index)]) for index in (rank, own.argmin())
                    )
                    written, count = game.write(rules, each.observation), float(times * behavior[each.first + rank])
                    mistakes.append(Mistake(written, label, best, width * float(own[rank]), count))
        return sorted(mistakes, key=lambda mistake: -mistake.loss * mistake.visits)

    def _best_actions(self, losses: Sequence[F64]) -> I16:
        """Return int16[states], an action without loss in each state of the solution; CHANCE at chance nodes."""
        solution, form = self._solution, self._form
        states, view = solution.data.states, solution.game.part("view")
        actions = np.full(states.size, CHANCE, np.int16)
        observations = {
            state: view(solution.rules, state) for state, moves in form.moves_of.items() if moves[0].action != CHANCE
        }
        for state, observation in [*observations.items(), *zip(form.set_of, form.set_of, strict=True)]:
            seat, number = form.set_of[observation]
            each = form.players[seat].sets[number]
            actions[states.index_of(state)] = each.actions[int(losses[seat][each.sequences].argmin())]
        return actions


def _seated(ours: Behaviors, seat: int, theirs: Behaviors) -> Behaviors:
    """Return the behaviors of all players if one policy has a seat and another one has all others."""
    return [*theirs[:seat], ours[seat], *theirs[seat + 1 :]]
