"""Best responses in games with hidden information: they know the policy, but see only what their player observes."""

from typing import Any

import numpy as np

from komi.arrays import F64
from komi.evaluation.mixed import BestResponse
from komi.policies.policy import Policy
from komi.policies.tabulate import action_probabilities
from komi.progress import Progress, silent
from komi.solvers.hidden.equilibrium import best_response_value, plan_of, rounding_error
from komi.solvers.hidden.sequence_form import SequenceForm, sequence_form
from komi.solvers.solution import TOLERANCE, Solution


def best_response_hidden(
    solution: Solution[Any],
    policy: Policy,
    tolerance: float = TOLERANCE,  # noqa: ARG001 - as of other best responses; the error is rounding
    progress: Progress = silent,
) -> BestResponse:
    """Compute what the best response to a policy wins, moving first and second.

    Raises:
        GameError: if the policy takes an action that is not legal.
        SolveError: if a table cannot represent the policy.
    """
    game, rules, payoffs = solution.game, solution.rules, solution.kind.payoffs
    form = sequence_form(game, rules, game.part("start")(rules), progress)
    wins = []
    for seat in range(2):
        plan = plan_of(form.players[1 - seat], _behavior(solution, form, 1 - seat, policy))
        wins.append(payoffs.payoff(best_response_value(form.players[seat], plan)))
    return BestResponse(wins[0], wins[1], payoffs.bound(rounding_error(form)))


def _behavior(solution: Solution[Any], form: SequenceForm, seat: int, policy: Policy) -> F64:
    """Return float64[sequences], the probability with which the policy takes the last action of each sequence."""
    data, player = solution.data, form.players[seat]
    table = action_probabilities(policy, solution.compiled, solution.rules, data.states, data.mixes.shape[1])
    behavior = np.ones(player.sequences)
    for each in player.sets:
        behavior[each.sequences] = table[data.states.index_of(each.observation), : len(each.actions)]
    return behavior
