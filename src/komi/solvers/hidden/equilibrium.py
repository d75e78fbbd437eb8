"""An equilibrium of a game in sequence form, and what a best response gains against a policy, with rounding.

A *realization plan* x gives each sequence of a player the product of the probabilities of its own actions. It is a
point of a polytope, the payoff x A y is bilinear, and the best response to x is a linear program. Its dual turns the
maximin problem into one linear program of the size of the sequence form (Koller, Megiddo and von Stengel, 1996):

    maximize p(empty)   subject to   E x = e,  x >= 0,  F' p <= A' x,

whose dual solution is the opponent's plan y. What is proved does not rely on it: both plans become behavior policies,
and the value is between what a best response leaves to each of them. The bounds include rounding: all terms of these
sums and products are nonnegative, so that N operations change the result by a factor of at most 1 + N u / (1 - N u)
(Higham, *Accuracy and Stability of Numerical Algorithms*, 2002, section 3.1).
"""

from typing import NamedTuple

import numpy as np

from komi.arrays import F64, Flags
from komi.errors import SolveError
from komi.solvers.hidden.sequence_form import SequenceForm, SequenceFormPlayer

UNIT_ROUNDOFF = 2.0**-53
PROBABILITY_UNITS = 8  # unit roundoffs in a probability of the rules, which is accurate to 4 units in its last place
NEGLIGIBLE = 1e-11  # a realization weight of the linear program that counts as zero


class SetValues(NamedTuple):
    """The values of one player's information sets, given both policies.

    Attributes:
        value: float64[sets], the player's expected share.
        action_value: float64[sequences], that of the action that ends each sequence, in its information set.
        reach: float64[sets], the probability that play of both policies leads there.
    """

    value: F64
    action_value: F64
    reach: F64


def solve_linear_program(form: SequenceForm, name: str) -> tuple[F64, F64]:
    """Compute a realization plan of each player, an approximate equilibrium.

    Args:
        form: the sequence form.
        name: the name of the game, for the error.

    Returns:
        float64[sequences] of each player.

    Raises:
        SolveError: if the linear program is not solved.
    """
    from scipy.optimize import linprog  # type: ignore[import-untyped]  # slow to import
    from scipy.sparse import coo_array, csr_array, hstack  # type: ignore[import-untyped]

    first, second = form.players
    payoffs = coo_array(
        (first.payoffs.values, (first.payoffs.rows, first.payoffs.columns)), (first.sequences, second.sequences)
    ).tocsr()
    plans, values = _flow(first), _flow(second)
    constraints = hstack([-payoffs.T / (abs(payoffs).max() or 1.0), values.T], format="csr")
    equations = hstack([plans, csr_array((plans.shape[0], values.shape[0]))], format="csr")
    constants = np.zeros(plans.shape[0])
    constants[0] = 1.0
    objective = np.zeros(constraints.shape[1])
    objective[first.sequences] = -1.0
    bounds = [(0.0, None)] * first.sequences + [(None, None)] * values.shape[0]
    found = linprog(
        objective,
        constraints,
        np.zeros(second.sequences),
        equations,
        constants,
        bounds,
        method="highs",
        options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
    )
    if found.x is None:
        raise SolveError(f"the linear program of {name} was not solved ({found.message}).")
    return found.x[: first.sequences], -found.ineqlin.marginals


def _flow(player: SequenceFormPlayer) -> "csr_array":  # type: ignore[name-defined]  # noqa: F821
    """Return the matrix E of the equations E x = (1, 0, ..., 0) of realization plans."""
    from scipy.sparse import coo_array

    rows, columns, values = [0], [0], [1.0]
    for number, each in enumerate(player.sets, 1):
        size = len(each.actions)
        rows += [number] * (size + 1)
        columns += [each.parent, *range(each.first, each.first + size)]
        values += [-1.0] + [1.0] * size
    return coo_array((values, (rows, columns)), (1 + len(player.sets), player.sequences)).tocsr()


def behavior_of(player: SequenceFormPlayer, plan: F64) -> F64:
    """Return float64[sequences], the probability of the last action of each sequence in its information set.

    Where the plan does not lead, all actions are equally likely.
    """
    behavior = np.ones(player.sequences)
    weights = np.where(plan > NEGLIGIBLE, plan, 0.0)
    for each in player.sets:
        own = weights[each.sequences]
        total = own.sum()
        behavior[each.sequences] = own / total if total > 0.0 else 1.0 / len(own)
    return behavior


def plan_of(player: SequenceFormPlayer, behavior: F64) -> F64:
    """Return float64[sequences], the realization plan of a behavior policy."""
    plan = np.ones(player.sequences)
    for each in player.sets:
        plan[each.sequences] = plan[each.parent] * behavior[each.sequences]
    return plan


def best_response_value(player: SequenceFormPlayer, opponent_plan: F64) -> float:
    """Compute the expected share of a best response to a plan of the opponent, up to rounding."""
    gains = player.payoffs.times(opponent_plan, player.sequences)
    for each in reversed(player.sets):
        gains[each.parent] += gains[each.sequences].max()
    return float(gains[0])


def expected_share(player: SequenceFormPlayer, plan: F64, opponent_plan: F64) -> float:
    """Compute the expected share of a plan against one of the opponent, up to rounding."""
    return float(plan @ player.payoffs.times(opponent_plan, player.sequences))


def rounding_error(form: SequenceForm) -> float:
    """Return a bound on the rounding error of a best response's share.

    It counts every operation on the way from the payoffs to the result, as if all were in one chain, those that list
    the histories included, and the rounding of the probabilities of the rules and of the policies. It includes the
    deficit of probabilities that sum to 1 only up to a tolerance.
    """
    actions = max((len(each.actions) for player in form.players for each in player.sets), default=1)
    sizes = [len(player.payoffs.values) + 2 * len(player.sets) for player in form.players]
    operations = form.transitions + max(sizes) + (actions + PROBABILITY_UNITS + 4) * (form.plies + 1)
    return form.deficit + operations * UNIT_ROUNDOFF / (1.0 - operations * UNIT_ROUNDOFF) + 2.0 * UNIT_ROUNDOFF


def value_bounds(form: SequenceForm, behaviors: tuple[F64, F64]) -> tuple[float, float]:
    """Return a proved lower and upper bound on the value of the game to the first player.

    The first is what the first player's policy wins at least, the second is what the other's policy leaves at most:
    their difference bounds how much both policies together can be exploited.
    """
    first, second = form.players
    error = rounding_error(form)
    lower = 1.0 - best_response_value(second, plan_of(first, behaviors[0])) - error
    upper = best_response_value(first, plan_of(second, behaviors[1])) + error
    return float(np.nextafter(lower, -np.inf)), float(np.nextafter(upper, np.inf))


def set_reach(form: SequenceForm, seat: int, behavior: F64, opponent_behavior: F64) -> F64:
    """Return float64[sets], the probability that play of two policies leads to each information set of a player."""
    player, opponent = form.players[seat], form.players[1 - seat]
    by_others = player.reach.times(plan_of(opponent, opponent_behavior), len(player.sets))
    return plan_of(player, behavior)[player.parents] * by_others


def set_values(form: SequenceForm, seat: int, behaviors: tuple[F64, F64], free: Flags) -> SetValues:
    """Compute the values of a player's information sets and actions.

    What the player believes follows from chance and the opponent's policy. Where that policy does not lead, it is the
    limit as the opponent makes rare errors, each action equally likely: only histories with the fewest errors count.

    Args:
        form: the sequence form.
        seat: the player.
        behaviors: the policies; the player's is modified in place.
        free: bool[sets], the information sets in which the player's policy is first set to a best response.
    """
    player, opponent = form.players[seat], form.players[1 - seat]
    behavior, reached = behaviors[seat], set_reach(form, seat, behaviors[seat], behaviors[1 - seat])
    errors, weights = _errors(opponent, behaviors[1 - seat])
    value = np.full(len(player.sets), np.nan)
    action_value = np.zeros(player.sequences)
    for count in range(int(errors.max()) + 1):
        likely = np.where(errors == count, weights, 0.0)
        gains = player.payoffs.times(likely, player.sequences)
        reach = player.reach.times(likely, len(player.sets))
        for number in range(len(player.sets) - 1, -1, -1):
            each = player.sets[number]
            is_new = reach[number] > 0.0 and np.isnan(value[number])
            own = gains[each.sequences]
            if is_new and free[number]:
                behavior[each.sequences] = np.arange(len(own)) == own.argmax()
            total = float(own @ behavior[each.sequences])
            gains[each.parent] += total
            if is_new:
                value[number] = total / reach[number]
                action_value[each.sequences] = own / reach[number]
    return SetValues(value, action_value, reached)


def _errors(player: SequenceFormPlayer, behavior: F64) -> tuple[F64, F64]:
    """Return the number of errors in each sequence, and its probability, in which errors are uniform."""
    errors, weights = np.zeros(player.sequences), np.ones(player.sequences)
    for each in player.sets:
        own = behavior[each.sequences]
        errors[each.sequences] = errors[each.parent] + (own == 0.0)
        weights[each.sequences] = weights[each.parent] * np.where(own == 0.0, 1.0 / len(own), own)
    return errors, weights
