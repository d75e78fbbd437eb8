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

from komi.arrays import F64, I16, I32, Flags
from komi.errors import SolveError
from komi.jit.kernels import engine_kernels
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
        (first.payoffs.values, first.payoffs.keys.T.astype(np.int64)), (first.sequences, second.sequences)
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

    sets = np.arange(1, player.sets + 1)
    rows = np.concatenate([[0], sets, 1 + player.set_of])
    columns = np.concatenate([[0], player.parents, np.arange(1, player.sequences)])
    values = np.where(np.arange(len(rows)) <= player.sets, -1.0, 1.0)
    values[0] = 1.0
    return coo_array((values, (rows, columns)), (1 + player.sets, player.sequences)).tocsr()


def behavior_of(player: SequenceFormPlayer, plan: F64) -> F64:
    """Return float64[sequences], the probability of the last action of each sequence in its information set.

    Where the plan does not lead, all actions are equally likely.
    """
    behavior = np.ones(player.sequences)
    weights = np.where(plan > NEGLIGIBLE, plan, 0.0)
    totals = player.set_sums(weights)
    with np.errstate(invalid="ignore"):
        shares = weights[1:] / totals[player.set_of]
    behavior[1:] = np.where(totals[player.set_of] > 0.0, shares, 1.0 / np.diff(player.firsts)[player.set_of])
    return behavior


def plan_of(player: SequenceFormPlayer, behavior: F64) -> F64:
    """Return float64[sequences], the realization plan of a behavior policy."""
    plan = np.ones(player.sequences)
    engine_kernels()[_multiply_down](player.parents, player.firsts, behavior, plan)
    return plan


def _multiply_down(parents: I32, firsts: I32, behavior: F64, plan: F64) -> None:
    """Compute a realization plan; the first entry is 1 before."""
    for number in range(len(parents)):
        for sequence in range(firsts[number], firsts[number + 1]):
            plan[sequence] = plan[parents[number]] * behavior[sequence]


def plans_of(form: SequenceForm, behaviors: Sequence[F64]) -> list[F64]:
    """Return the realization plan of each player's behavior policy."""
    return [plan_of(player, behavior) for player, behavior in zip(form.players, behaviors, strict=True)]


def best_response_value(player: SequenceFormPlayer, plans: Sequence[F64]) -> float:
    """Compute the expected share of a best response to the plans of the others, up to rounding.

    Args:
        player: the player who responds.
        plans: those of all players; the player's own plan has no effect.
    """
    gains = player.payoffs.times(player.seat, plans, player.sequences)
    engine_kernels()[_respond](player.parents, player.firsts, gains)
    return float(gains[0])


def _respond(parents: I32, firsts: I32, gains: F64) -> None:
    """Add to the payoffs of each sequence those of the best actions that follow."""
    for count in range(len(parents)):
        number = len(parents) - 1 - count
        best = gains[firsts[number]]
        for sequence in range(firsts[number] + 1, firsts[number + 1]):
            best = max(best, gains[sequence])
        gains[parents[number]] += best


def expected_share(player: SequenceFormPlayer, plans: Sequence[F64]) -> float:
    """Compute a player's expected share if all play these plans, up to rounding."""
    return float(plans[player.seat] @ player.payoffs.times(player.seat, plans, player.sequences))


def rounding_error(form: SequenceForm) -> float:
    """Return a bound on the rounding error of a best response's share.

    It counts every operation on the way from the payoffs to the result, as if all were in one chain, those that list
    the histories included, and the rounding of the probabilities of the rules and of the policies. It includes the
    deficit of probabilities that sum to 1 only up to a tolerance.
    """
    actions = max(int(np.diff(player.firsts).max(initial=1)) for player in form.players)
    sizes = [len(player.payoffs.values) + 2 * player.sets for player in form.players]
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
    return plans[seat][player.parents] * player.reach.times(seat, plans, player.sets)


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
    value = np.full((player.sets, len(form.players)), np.nan)
    action_value = np.zeros(player.sequences)
    found = SetValues(value, action_value, reached)
    for gains, reach in _by_errors(form, seat, behaviors):
        engine_kernels()[_add_values](player.parents, player.firsts, seat, free, gains, reach, behavior, found)
    return found


def _add_values(
    parents: I32, firsts: I32, seat: int, free: Flags, gains: F64, reach: F64, behavior: F64, found: SetValues
) -> None:
    """Compute the values of the information sets that are reached and have none yet.

    Args:
        parents, firsts: those of the player.
        seat, free, behavior: as in `set_values`.
        gains: float64[sequences, seats], payoffs, modified in place: those of what follows are added.
        reach: float64[sets], the probability of each without the player's own actions.
        found: modified in place.
    """
    for count in range(len(parents)):
        number = len(parents) - 1 - count
        first, end = firsts[number], firsts[number + 1]
        is_new = reach[number] > 0.0 and np.isnan(found.value[number, seat])
        if is_new and free[number]:
            best = first
            for sequence in range(first, end):
                behavior[sequence] = 0.0
                if gains[sequence, seat] > gains[best, seat]:
                    best = sequence
            behavior[best] = 1.0
        for each in range(gains.shape[1]):
            total = 0.0
            for sequence in range(first, end):
                total += behavior[sequence] * gains[sequence, each]
            gains[parents[number], each] += total
            if is_new:
                found.value[number, each] = total / reach[number]
        if is_new:
            for sequence in range(first, end):
                found.action_value[sequence] = gains[sequence, seat] / reach[number]


def _by_errors(form: SequenceForm, seat: int, behaviors: Sequence[F64]) -> Iterator[tuple[F64, F64]]:
    """Yield what all get in a player's sequences, and what is reached, where the others make 0, 1, 2, ... errors.

    Yields:
        float64[sequences, seats], the sums of payoffs, and float64[sets], the probabilities without the player's own
        actions.
    """
    player = form.players[seat]
    played = [_errors(each, own) for each, own in zip(form.players, behaviors, strict=True)]
    errors, weights = [errors for errors, _ in played], [weights for _, weights in played]
    at_ends, on_the_way = (entries.sums(seat, errors) for entries in (player.payoffs, player.reach))
    for count in range(max(int(at_ends.max(initial=0)), int(on_the_way.max(initial=0))) + 1):
        payoffs = [each.payoffs.where(at_ends == count).times(seat, weights, player.sequences) for each in form.players]
        reach = player.reach.where(on_the_way == count)
        yield np.stack(payoffs, axis=1), reach.times(seat, weights, player.sets)


def _errors(player: SequenceFormPlayer, behavior: F64) -> tuple[I16, F64]:
    """Return the number of errors in each sequence, and its probability, in which errors are uniform."""
    errors, weights = np.zeros(player.sequences, np.int16), np.ones(player.sequences)
    engine_kernels()[_count_errors](player.parents, player.firsts, behavior, errors, weights)
    return errors, weights


def _count_errors(parents: I32, firsts: I32, behavior: F64, errors: I16, weights: F64) -> None:
    """Fill in the errors of each sequence, and its probability; the first entries are 0 and 1 before."""
    for number in range(len(parents)):
        first, end = firsts[number], firsts[number + 1]
        for sequence in range(first, end):
            is_error = behavior[sequence] == 0.0
            share = 1.0 / (end - first) if is_error else behavior[sequence]
            errors[sequence] = errors[parents[number]] + is_error
            weights[sequence] = weights[parents[number]] * share
