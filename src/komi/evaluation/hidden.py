"""The exact strength of policies in games with hidden information: losses in information sets, and best responses.

A best response knows the policy, but sees only what its player observes. Let Q(I, a) be the expected payoff of action a
in an information set I, given what the player observes there, against a fixed opponent and with a best response from
then on. The loss of a in I is max over b of Q(I, b) - Q(I, a). The regret of a policy against the opponent is the sum
of the losses of its actions, each times the expected number of its uses there.
"""

from typing import Any

import numpy as np

from komi.arrays import F64, I16
from komi.evaluation.losses import Agreement, Mistake, weighted_mean
from komi.evaluation.strength_evaluator import BestResponse, Regret
from komi.game import CHANCE
from komi.policies.named import find
from komi.policies.policy import Policy
from komi.policies.table import TablePolicy
from komi.policies.tabulate import action_probabilities
from komi.progress import Progress, silent
from komi.solvers.hidden.equilibrium import (
    best_response_value,
    expected_share,
    plan_of,
    rounding_error,
    set_reach,
    set_values,
)
from komi.solvers.hidden.sequence_form import sequence_form
from komi.solvers.solution import Solution

Behaviors = tuple[F64, F64]
"""float64[sequences] of each player: the probability of the last action of each sequence in its information set."""


class HiddenEvaluator:
    """Measures policies of one game for two players with hidden information.

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
        for seat, player in enumerate(self._form.players):
            plan = plan_of(self._form.players[1 - seat], theirs[1 - seat])
            share = expected_share(player, plan_of(player, ours[seat]), plan)
            regrets.append(payoffs.width * max(best_response_value(player, plan) - share, 0.0))
        mistakes = self._mistakes(self._losses(theirs), ours, self._visits(ours, theirs))
        return Regret(tuple(regrets), 2.0 * payoffs.width * self._error, tuple(mistakes))

    def best_response(self, policy: Policy) -> BestResponse:
        """Compute the best response to a policy.

        Raises:
            GameError: if the policy takes an action that is not legal.
            SolveError: if a table cannot represent the policy.
        """
        theirs, payoffs, wins = self._behaviors(policy), self._solution.kind.payoffs, []
        for seat, player in enumerate(self._form.players):
            plan = plan_of(self._form.players[1 - seat], theirs[1 - seat])
            wins.append(payoffs.payoff(best_response_value(player, plan)))
        response = TablePolicy("best response", self._solution.data.states, self._best_actions(self._losses(theirs)))
        return BestResponse(response, (wins[0], wins[1]), payoffs.bound(self._error), payoffs.even)

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
        first, second = (np.ones(player.sequences) for player in self._form.players)
        for player, behavior in zip(self._form.players, (first, second), strict=True):
            for each in player.sets:
                behavior[each.sequences] = table[data.states.index_of(each.observation), : len(each.actions)]
        return first, second

    def _losses(self, opponent: Behaviors) -> tuple[F64, F64]:
        """Compute the loss of the last action of each sequence of each player, against an opponent in the other seat.

        Returns:
            float64[sequences] of each player; shares from 0 to 1.
        """
        losses = []
        for seat, player in enumerate(self._form.players):
            own, other = np.zeros(player.sequences), opponent[1 - seat]
            free = np.ones(len(player.sets), np.bool_)
            values = set_values(self._form, seat, (own, other) if seat == 0 else (other, own), free)
            lost = np.zeros(player.sequences)
            for number, each in enumerate(player.sets):
                lost[each.sequences] = values.value[number] - values.action_value[each.sequences]
            losses.append(lost)
        return losses[0], losses[1]

    def _visits(self, ours: Behaviors, theirs: Behaviors) -> tuple[F64, F64]:
        """Compute float64[sets] of each player: the visits of policy A in games against B, averaged over the seats."""
        first, second = (
            set_reach(self._form, seat, ours[seat], theirs[1 - seat]) / 2 for seat in range(len(self._form.players))
        )
        return first, second

    def _mistakes(self, losses: tuple[F64, F64], behaviors: Behaviors, visits: tuple[F64, F64]) -> list[Mistake]:
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

    def _best_actions(self, losses: tuple[F64, F64]) -> I16:
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
