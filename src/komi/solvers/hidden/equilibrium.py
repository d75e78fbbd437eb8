"""An equilibrium of a game in sequence form, and what best responses gain against policies, with rounding.

A *realization plan* x gives each sequence of a player the product of the probabilities of its own actions. It is a
point of a polytope, the payoff x A y is bilinear, and the best response to x is a linear program. Its dual turns the
maximin problem into one linear program of the size of the sequence form (Koller, Megiddo and von Stengel, 1996):

    maximize p(empty)   subject to   E x = e,  x >= 0,  F' p <= A' x,

whose dual solution is the opponent's plan y. What is proved does not rely on it: both plans become behavior policies,
and the value is between what a best response leaves to each of them. For any number of players, a best response to the
plans of all others takes one pass over the player's information sets, the last ones first. The bounds include rounding:
all terms of these sums and products are nonnegative, so that N operations change the result by a factor of at most
1 + N u / (1 - N u) (Higham, *Accuracy and Stability of Numerical Algorithms*, 2002, section 3.1).
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from komi.arrays import F64, Flags
from komi.errors import SolveError
from komi.solvers.hidden.sequence_form import SequenceForm, SequenceFormPlayer

UNIT_ROUNDOFF = 2.0**-53
PROBABILITY_UNITS = 8  # unit roundoffs in a probability of the rules, which is accurate to 4 units in its last place
NEGLIGIBLE = 1e-11  # a realization weight of the linear program that counts as zero


class SetValues(NamedTuple):
    """The values of one player's information sets, given the policies of all.

    Attributes:
        value: float64[sets, seats], the expected share of each player, seat by seat, given what this player observes.
        action_value: float64[sequences], this player's after the action that ends each sequence, in its set.
        reach: float64[sets], the probability that play of these policies leads there.
    """

    value: F64
    action_value: F64
    reach: F64


def solve_linear_program(form: SequenceForm, name: str) -> tuple[F64, F64]:
    """Compute a realization plan of each of two players, an approximate equilibrium.

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
        (first.payoffs.values, (first.payoffs.rows, first.payoffs.columns[0])), (first.sequences, second.sequences)
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


def plans_of(form: SequenceForm, behaviors: Sequence[F64]) -> list[F64]:
    """Return the realization plan of each player's behavior policy."""
    return [plan_of(player, behavior) for player, behavior in zip(form.players, behaviors, strict=True)]


def best_response_value(player: SequenceFormPlayer, plans: Sequence[F64]) -> float:
    """Compute the expected share of a best response to the plans of the others, up to rounding.

    Args:
        player: the player who responds.
        plans: those of all players; the player's own plan has no effect.
    """
    gains = player.payoffs.times(player.others(plans), player.sequences)
    for each in reversed(player.sets):
        gains[each.parent] += gains[each.sequences].max()
    return float(gains[0])


def expected_share(player: SequenceFormPlayer, plans: Sequence[F64]) -> float:
    """Compute a player's expected share if all play these plans, up to rounding."""
    return float(plans[player.seat] @ player.payoffs.times(player.others(plans), player.sequences))


def rounding_error(form: SequenceForm) -> float:
    """Return a bound on the rounding error of a best response's share.

    It counts every operation on the way from the payoffs to the result, as if all were in one chain, those that list
    the histories included, and the rounding of the probabilities of the rules and of the policies. It includes the
    deficit of probabilities that sum to 1 only up to a tolerance.
    """
    actions = max((len(each.actions) for player in form.players for each in player.sets), default=1)
    sizes = [len(player.payoffs.values) + 2 * len(player.sets) for player in form.players]
    factors = (actions + PROBABILITY_UNITS + 4) * (form.plies + 1) + len(form.players)
    operations = form.transitions + max(sizes) + factors
    return form.deficit + operations * UNIT_ROUNDOFF / (1.0 - operations * UNIT_ROUNDOFF) + 2.0 * UNIT_ROUNDOFF


def value_bounds(form: SequenceForm, plans: Sequence[F64], is_zero_sum: bool) -> tuple[float, float]:
    """Return a proved lower and upper bound on the first player's share.

    In a zero-sum game of two it is the value of the game: the first bound is what the first player's policy wins at
    least, the second is what the other's policy leaves at most, so that their difference bounds how much both policies
    together can be exploited. In other games it is the first player's share if all play these plans.
    """
    first, *others = form.players
    error = rounding_error(form)
    if is_zero_sum:
        lower, upper = 1.0 - best_response_value(others[0], plans), best_response_value(first, plans)
    else:
        lower = upper = expected_share(first, plans)
    return float(np.nextafter(lower - error, -np.inf)), float(np.nextafter(upper + error, np.inf))


def deviation_gains(form: SequenceForm, plans: Sequence[F64]) -> list[float]:
    """Return a proved upper bound on the share that each player gains by deviating alone from these plans."""
    error = 2.0 * rounding_error(form)
    gains = [max(best_response_value(each, plans) - expected_share(each, plans), 0.0) for each in form.players]
    return [float(np.nextafter(gain + error, np.inf)) for gain in gains]


def set_reach(form: SequenceForm, seat: int, behaviors: Sequence[F64]) -> F64:
    """Return float64[sets], the probability that play of these policies leads to each information set of a player."""
    player, plans = form.players[seat], plans_of(form, behaviors)
    return plans[seat][player.parents] * player.reach.times(player.others(plans), len(player.sets))


def set_values(form: SequenceForm, seat: int, behaviors: Sequence[F64], free: Flags) -> SetValues:
    """Compute the values of a player's information sets and actions.

    What the player believes follows from chance and the policies of the others. Where these do not lead, it is the
    limit as the others make rare errors, each action equally likely: only histories with the fewest errors count.

    Args:
        form: the sequence form.
        seat: the player.
        behaviors: the policies; the player's is modified in place.
        free: bool[sets], the information sets in which the player's policy is first set to a best response.
    """
    player, behavior = form.players[seat], behaviors[seat]
    reached = set_reach(form, seat, behaviors)
    value = np.full((len(player.sets), len(form.players)), np.nan)
    action_value = np.zeros(player.sequences)
    for gains, reach in _by_errors(form, seat, behaviors):
        for number in range(len(player.sets) - 1, -1, -1):
            each = player.sets[number]
            is_new = reach[number] > 0.0 and np.isnan(value[number, seat])
            own = gains[each.sequences]
            if is_new and free[number]:
                behavior[each.sequences] = np.arange(len(own)) == own[:, seat].argmax()
            totals = behavior[each.sequences] @ own
            gains[each.parent] += totals
            if is_new:
                value[number] = totals / reach[number]
                action_value[each.sequences] = own[:, seat] / reach[number]
    return SetValues(value, action_value, reached)


def _by_errors(form: SequenceForm, seat: int, behaviors: Sequence[F64]) -> Iterator[tuple[F64, F64]]:
    """Yield what all get in a player's sequences, and what is reached, where the others make 0, 1, 2, ... errors.

    Yields:
        float64[sequences, seats], the sums of payoffs, and float64[sets], the probabilities without the player's own
        actions.
    """
    player = form.players[seat]
    played = [_errors(each, own) for each, own in zip(form.players, behaviors, strict=True) if each.seat != seat]
    totals = [
        np.sum([errors[column] for (errors, _), column in zip(played, entries.columns, strict=True)], 0)
        for entries in (player.payoffs, player.reach)
    ]
    weights = [weights for _, weights in played]
    for count in range(int(max(each.max(initial=0.0) for each in totals)) + 1):
        ends, reached = (errors == count for errors in totals)
        payoffs = [
            player.payoffs._replace(values=np.where(ends, each.payoffs.values, 0.0)).times(weights, player.sequences)
            for each in form.players
        ]
        reach = player.reach._replace(values=np.where(reached, player.reach.values, 0.0))
        yield np.stack(payoffs, axis=1), reach.times(weights, len(player.sets))


def _errors(player: SequenceFormPlayer, behavior: F64) -> tuple[F64, F64]:
    """Return the number of errors in each sequence, and its probability, in which errors are uniform."""
    errors, weights = np.zeros(player.sequences), np.ones(player.sequences)
    for each in player.sets:
        own = behavior[each.sequences]
        errors[each.sequences] = errors[each.parent] + (own == 0.0)
        weights[each.sequences] = weights[each.parent] * np.where(own == 0.0, 1.0 / len(own), own)
    return errors, weights
