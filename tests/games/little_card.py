"""Two small dice, of which any are kept and the others rolled once more, scored in one of three boxes."""

from typing import NamedTuple

from komi.game import CHANCE

players = 1
roll = ("left", "low", "high")
SIDES = 3
BOXES = 3  # action: score the lower die, the higher, or 4 for a pair
KEEP = 3  # action: this and which dice are kept: 0 none, 1 the lower, 2 the higher


class Rules(NamedTuple):
    target: str = "most"  # points: most, least, or enough of them
    enough: int = 8
    shared: bool = True  # whether `totals` is promised


class State(NamedTuple):
    boxes: int  # filled, a set
    points: int  # so far; 0 where they count as rewards
    left: int  # rolls of this turn
    low: int  # the dice on the table, 0 for one to be rolled
    high: int


def totals(rules):
    return ("points",) if rules.shared else ()


def aim(rules):
    return "least" if rules.target == "least" else "most"


def limits(rules):
    return Rules(target=("most", "least", "enough"), enough=(1, 10), shared=None)


def objective(rules):
    return "chance of enough" if rules.target == "enough" else "expected points"


def start(rules):
    return State(0, 0, 2, 0, 0)


def transient(rules, state):
    return state.left < 2


def label(rules, state, action):
    return f"score {action}" if action < KEEP else f"keep {action - KEEP}"


def legal(rules, state):
    if state.low == 0:
        yield CHANCE
        return
    for box in range(BOXES):
        if not state.boxes >> box & 1:
            yield box
    if state.left > 0:
        for kept in range(3):
            yield KEEP + kept


def outcomes(rules, state, action):
    """Yield (probability, next state, seats the turn passes on)."""
    boxes, points, left, low, high = state
    if action == CHANCE and high > 0:
        for face in range(1, SIDES + 1):
            yield 1 / SIDES, State(boxes, points, left - 1, min(face, high), max(face, high)), 0
    elif action == CHANCE:
        for one in range(1, SIDES + 1):
            for two in range(one, SIDES + 1):
                chance = 1 if one == two else 2
                yield chance / SIDES**2, State(boxes, points, left - 1, one, two), 0
    elif action >= KEEP:
        kept = 0
        if action > KEEP:
            kept = low if action == KEEP + 1 else high
        yield 1.0, State(boxes, points, left, 0, kept), 0
    else:
        counted = points + _scored(low, high, action) if rules.target == "enough" else 0
        yield 1.0, State(boxes | 1 << action, min(counted, rules.enough), 2, 0, 0), 1


def _scored(low, high, box):
    if box == 2:
        return 4 if low == high else 0
    return high if box else low


def reward(rules, state, action, after):
    if rules.target == "enough" or after.boxes == state.boxes:
        return 0.0
    return float(_scored(state.low, state.high, action))


def over(rules, state):
    return state.boxes == (1 << BOXES) - 1


def payoff(rules, state):
    return 1.0 if rules.target == "enough" and state.points >= rules.enough else 0.0
