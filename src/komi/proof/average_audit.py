"""Audits of averages: the inequalities that prove an average reward, with the rules as Python runs them.

Functions g and h with g >= P_a g and g + h >= r_a + P_a h for all actions bound the average reward per action of every
policy by g; with the inequalities the other way round, for one policy, that of this policy from below (Puterman 1994,
theorem 9.1.2). Of two players one gains what the other loses: where the turn passes, the upper bound follows from minus
the lower one of the other player, and the lower one from minus the upper. Neither compiled rules nor solvers take part;
see `proof.audit`.
"""

from typing import Any, NamedTuple

import numpy as np

from komi.arrays import F64, Flags
from komi.errors import AuditError
from komi.game import CHANCE
from komi.proof.audit import ROUNDING, ListedPlay


class AverageClaim(NamedTuple):
    """What is claimed of the average of each state, and the proof; of negative rewards if the aim is the least.

    Attributes:
        values: float64[states], the averages.
        error_bound: the bound on their error.
        upper, lower: float64[2, states], the functions g and h of the inequalities.
    """

    values: F64
    error_bound: float
    upper: F64
    lower: F64


def audit_average(
    play: ListedPlay, claim: AverageClaim, policies: tuple[F64 | None, F64], sign: float, name: str
) -> bool:
    """Check an average and its proof.

    Args:
        play: all of play.
        claim: the claim; NaN in states of which nothing is claimed.
        policies: float64[actions], the shares of the actions under the policy that attains at most the upper, and at
            least the lower bound; None in place of the first if no policy attains more.
        sign: -1.0 if the average is to be minimized, otherwise 1.0.
        name: what the average is of, for a message.

    Returns:
        True if the proof holds; False if it does so only up to rounding.

    Raises:
        AuditError: if it does not hold.
    """
    check_claim(claim, name)
    return check_bounds(play, (claim.upper, claim.lower), policies, sign, name)


def check_claim(claim: AverageClaim, name: str) -> None:
    """Check that averages are as near to their bounds as the error bound says.

    Raises:
        AuditError: if they are not.
    """
    slack = claim.error_bound + ROUNDING * (1.0 + np.nanmax(np.abs(claim.values)))
    is_apart = (claim.upper[0] - claim.values > slack) | (claim.values - claim.lower[0] > slack)
    if is_apart.any():
        raise AuditError(f"the average of {name} is not within its bounds: this is an error in komi.")


def check_bounds(
    play: ListedPlay, bounds: tuple[F64, F64], policies: tuple[F64 | None, F64], sign: float, name: str
) -> bool:
    """Check the inequalities of an upper and a lower bound.

    Args:
        play: all of play.
        bounds: float64[2, states] each, the functions g and h above and below. With two players, the lower one bounds
            what the player to move gains who follows the second policy while the other one follows the first.
        policies, sign, name: as in `audit_average`.

    Returns:
        True if they hold; False if they do so only up to rounding.

    Raises:
        AuditError: if they do not hold.
    """
    if (play.target < 0).any():
        raise AuditError(f"the average of {name} is that of play which ends: this is an error in komi.")
    is_proof = True
    for functions, others, shares, side in zip(bounds, bounds[::-1], policies, (1.0, -1.0), strict=True):
        state, is_wrong, holds = _check(play, functions, others, sign, shares, side)
        for wrong in np.flatnonzero(is_wrong)[:1]:
            raise AuditError(
                f"the proof of the average of {name} does not hold in {play.states[state[wrong]]} by the rules as "
                "Python runs them: this is an error in komi."
            )
        is_proof &= bool(holds.all())
    return is_proof


def _check(
    play: ListedPlay, functions: F64, others: F64, sign: float, shares: F64 | None, side: float
) -> tuple[Any, Flags, Flags]:
    """Check the inequalities of each action, or of each state if a policy is followed.

    Returns:
        the states of the inequalities; whether one is violated, whatever the rounding; whether both surely hold.
    """
    gain = functions[0]
    pair_state = np.repeat(np.arange(len(play.ends)), np.diff(play.ends, prepend=0))
    numbers = np.diff(play.outcome_ends, prepend=0)
    before, probability = np.repeat(pair_state, numbers), play.probability.astype(np.longdouble)
    flips = (play.passes % 2 == 1) & (play.payoffs.shape[1] == 2)
    after = np.where(flips, -others[:, play.target], functions[:, play.target])
    if shares is None:
        state, ends = pair_state, play.outcome_ends
    else:
        state, ends = np.arange(len(play.ends)), play.outcome_ends[play.ends - 1]
        probability = probability * np.repeat(shares, numbers)
    first = ends - np.diff(ends, prepend=0)
    takes = np.where(play.actions[(play.ends - np.diff(play.ends, prepend=0))[state]] == CHANCE, 0.0, 1.0)
    lack = np.abs(np.add.reduceat(probability, first) - 1.0)
    lack += (np.diff(ends, prepend=0) + 2) * np.finfo(np.longdouble).eps + 8 * ROUNDING

    def compare(gained: F64, which: int, allowed: F64) -> tuple[Flags, Flags]:
        """Return whether an action surely exceeds what the inequality allows, and whether it surely does not."""
        rise = after[which] - functions[which][before]
        sums = np.add.reduceat(probability * (gained + rise), first)
        size = np.where(probability > 0.0, np.abs(gained) + np.abs(rise), 0.0)
        error = lack * np.maximum.reduceat(size, first)
        return side * sums - error > side * allowed, side * sums + error <= side * allowed

    drifts, stays = compare(np.zeros(len(probability)), 0, np.zeros(len(state)))
    exceeds, keeps = compare(sign * play.reward, 1, takes * gain[state])
    return state, drifts | exceeds, stays & keeps
