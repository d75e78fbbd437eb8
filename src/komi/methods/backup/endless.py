"""What a component without a proof is worth if an endless game is lost, and if it is won; who can make it endless.

With low(s) and high(s) what the mover gets if an endless game counts as a loss and as a win of theirs,

    high(s) = max over a of  c(s, a) + sum p high(s') + sum p (1 - low(s')),
    low(s)  = max over a of  c(s, a) + sum p low(s')  + sum p (1 - high(s'))

(the second sums where the turn passes), the greatest and the least solution, which plain value iteration from 1 and
from 0 closes in on. They are found here to about as many digits as a sentence tells.
"""

from typing import Any

import numpy as np

from komi.errors import SolveError

SWEEPS = 20_000  # at most
SETTLED = 1e-14  # a change in a sweep that is rounding
EXIT = 1e-9  # a smaller probability of leaving the component is rounding

TOGETHER, MOVER, OPPONENT, EITHER, CHANCE, TOO_LONG = range(6)
"""Who can make the game endless: only both players together, one of them, either, or nobody chooses. Or play does end,
but how long it lasts has no proof."""
WHO = (
    "the two players together",
    "the player to move",
    "the opponent of the player to move",
    "either player, whatever the other does,",
    "play",
)
TELLING = 1e-6  # a difference that is no error of the iteration


def refusal(game: str, state: str, low: float, high: float, who: int) -> SolveError:
    """Why a game has no proved value: what `count_endless` has found, in a sentence."""
    if who == TOO_LONG:
        return SolveError(
            f"how long {game} lasts cannot be proved: play from {state} is too long. Choose smaller rules."
        )
    if not np.isfinite(high - low):
        return SolveError(
            f"the value of {game} depends on what an endless game counts: {WHO[who]} can go on for ever from {state}."
        )
    if high - low < TELLING:
        return SolveError(
            f"the value of {game} cannot be proved: {WHO[who]} can go on from {state} for too long, at too low a cost."
        )
    return SolveError(
        f"the value of {game} depends on what an endless game counts: {WHO[who]} can go on for ever from {state}, "
        f"which is worth {low:.6g} to the player to move if that counts as lost, and {high:.6g} if it counts as won."
    )


def count_endless(rows: Any, lowest: float, highest: float, stop: Any) -> tuple[int, float, float, int]:
    """Where it matters most what an endless game counts.

    Args:
        rows: the component's actions and outcomes, in solving order.
        lowest, highest: what an endless game counts if it is lost, and if it is won; infinite where there is no limit.
        stop: bool[1], set from outside to end early.

    Returns:
        (the row, low and high there, who can make the game endless); low is high where they do not settle in time
    """
    actions_end = rows[0]
    low, high = np.full(len(actions_end), lowest), np.full(len(actions_end), highest)
    if np.isfinite(highest - lowest):
        change = np.inf
        for _ in range(SWEEPS):
            change = _close_in(rows, low, high)
            if change < SETTLED or stop[0]:
                break
        if change >= SETTLED:
            low[:] = high
    row = 0
    for i in range(len(actions_end)):
        if high[i] - low[i] > high[row] - low[row]:
            row = i
    if actions_end[-1] == len(actions_end):
        return row, low[row], high[row], CHANCE
    mover, opponent = _holding(rows)
    return row, low[row], high[row], MOVER * mover[row] + OPPONENT * opponent[row]


def _close_in(rows: Any, low: Any, high: Any) -> float:
    """One sweep of low and high, float64[rows], over rows as `settle` takes them; returns the largest change."""
    actions_end, constant, outcomes_end, target, weight = rows
    change = 0.0
    action = 0
    outcome = 0
    for i in range(len(actions_end)):
        least = most = -np.inf
        while action < actions_end[i]:
            total_low = total_high = constant[action]
            while outcome < outcomes_end[action]:
                chance, after = weight[outcome], target[outcome]
                total_low += chance * (low[after] if chance > 0.0 else high[after])
                total_high += chance * (high[after] if chance > 0.0 else low[after])
                outcome += 1
            least, most = max(least, total_low), max(most, total_high)
            action += 1
        change = max(change, least - low[i], high[i] - most)
        low[i], high[i] = least, most
    return change


def _holding(rows: Any) -> tuple[Any, Any]:
    """Whether the mover, and whether the opponent, can make the game endless with some probability, alone.

    First the states in which a player can surely stay for ever, the greatest set in which they always have an action
    whose outcomes all stay in it and the other has none with another outcome; then those from which the player can
    come to it with some probability.
    """
    size = len(rows[0])
    mover, opponent = np.ones(size, np.bool_), np.ones(size, np.bool_)
    while _narrow(rows, mover, opponent, True):
        pass
    while _narrow(rows, mover, opponent, False):
        pass
    return mover, opponent


def _narrow(rows: Any, mover: Any, opponent: Any, surely: bool) -> bool:
    """Look at every row again: surely stays, or may come to what stays; returns whether anything has changed."""
    actions_end, _, outcomes_end, target, weight = rows
    changed = False
    action = 0
    outcome = 0
    for i in range(len(actions_end)):
        some, every = False, True
        while action < actions_end[i]:
            mover_all, opponent_all = True, True
            mover_any, opponent_any = False, False
            leaving = 1.0
            while outcome < outcomes_end[action]:
                chance, after = weight[outcome], target[outcome]
                outcome += 1
                if chance == 0.0:
                    continue
                passed = chance < 0.0
                for_mover = opponent[after] if passed else mover[after]
                for_opponent = mover[after] if passed else opponent[after]
                mover_all, mover_any = mover_all and for_mover, mover_any or for_mover
                opponent_all, opponent_any = opponent_all and for_opponent, opponent_any or for_opponent
                leaving -= abs(chance)
            stays = leaving < EXIT
            some = some or (mover_all and stays if surely else mover_any)
            every = every and (opponent_all and stays if surely else opponent_any)
            action += 1
        if not surely:
            some, every = some or mover[i], every or opponent[i]
        changed = changed or some != mover[i] or every != opponent[i]
        mover[i], opponent[i] = some, every
    return changed
