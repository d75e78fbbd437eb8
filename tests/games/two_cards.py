"""Two cards: a die is rolled, and rolled again if wanted, and scored in one of two boxes of one's own card."""

from typing import NamedTuple

from komi.game import CHANCE

SIDES = 3
BOXES = ("low", "high")  # action: score in a box; "low" counts what is missing to a 4
AGAIN = len(BOXES)  # action: roll again


class Rules(NamedTuple):
    players: int = 2  # how many play, each on a card of their own


class State(NamedTuple):
    boxes: int  # filled, a set
    rolls: int  # left in this turn
    die: int  # on the table; 0: none
    points: int = 0  # so far, with two players
    other_boxes: int = 0
    other_points: int = 0


def players(rules):
    return rules.players


def fields(rules):
    return State._fields if rules.players == 2 else State._fields[:3]


def limits(rules):
    return Rules(players=(1, 2))


def alone(rules):
    return rules._replace(players=1)


def objective(rules):
    return "expected points" if rules.players == 1 else "chance of winning"


def start(rules):
    return State(boxes=0, rolls=2, die=0, points=0, other_boxes=0, other_points=0)


def label(rules, state, action):
    return BOXES[action] if action < AGAIN else "roll again"


def legal(rules, state):
    if state.die == 0:
        yield CHANCE
        return
    for box in range(AGAIN):
        if not state.boxes >> box & 1:
            yield box
    if state.rolls > 0:
        yield AGAIN


def outcomes(rules, state, action):
    """Yield (probability, next state, seats the turn passes on)."""
    boxes, rolls, _, points, other_boxes, other_points = state
    if action == CHANCE:
        for face in range(1, SIDES + 1):
            yield 1 / SIDES, State(boxes, rolls - 1, face, points, other_boxes, other_points), 0
    elif action == AGAIN:
        yield 1.0, State(boxes, rolls, 0, points, other_boxes, other_points), 0
    elif rules.players == 1:
        yield 1.0, State(boxes | 1 << action, 2, 0, 0, 0, 0), 1
    else:
        more = points + _points(state, action)
        yield 1.0, State(other_boxes, 2, 0, other_points, boxes | 1 << action, more), 1


def _points(state, box):
    return state.die if box else SIDES + 1 - state.die


def event(rules, state, action, after):
    return str(after.die)


def turned(rules, state):
    if rules.players == 1:
        return state
    boxes, rolls, die, points, other_boxes, other_points = state
    return State(other_boxes, rolls, die, other_points, boxes, points)


def reward(rules, state, action, after):
    return float(_points(state, action)) if 0 <= action < AGAIN else 0.0


def faces(rules, state):
    yield state.die


def card(rules):
    for name in BOXES:
        yield name, "boxes"


def filled(rules, state):
    for box in range(AGAIN):
        if state.boxes >> box & 1:
            yield box


def scores(rules, state, action):
    if 0 <= action < AGAIN:
        yield action, int(_points(state, action))


def over(rules, state):
    return state.boxes == 3 and (rules.players == 1 or state.other_boxes == 3)


def payoff(rules, state, seat=0):
    if rules.players == 1:
        return 0.0  # the points count, as rewards
    ahead = state.points - state.other_points if seat == 0 else state.other_points - state.points
    return 1.0 if ahead > 0 else 0.0 if ahead < 0 else 0.5
