"""Hooligan: alone, seven turns of up to three rolls of five dice, each scored in one of seven boxes.

Described by T. W. Neller among the projects of "Solving the Dice Game Pig", 2005. Any dice may be kept between rolls.
Boxes 1 to 6 score the sum of the dice that show their number, box H (hooligan) scores for a straight of five. Which
box a turn counts in may be said after the last roll, which is the default, or must be said after the first.

Dice are written as their faces in order: `dice=2245`. Fewer than five are kept, and the others are rolled next.
"""

from typing import NamedTuple

from komi.game import CHANCE
from komi.games._dice import CHANCES, COUNTS, DIGITS, FIRST, multiset, parts, size, thrown, together

players = 1
aim = "most"
DICE = 5
ROLLS = 3  # of a turn
BOXES = 7  # action: score in a box, or declare it
HOOLIGAN = 6  # the last box
KEEP = BOXES  # action: this and the digits of the dice kept


class Rules(NamedTuple):
    straight: int = 20  # points that 1-2-3-4-5 or 2-3-4-5-6 scores in box H
    declare: bool = False  # whether the box must be chosen after the first roll


class State(NamedTuple):
    boxes: int  # boxes that are filled, a set: 1 for the ones, 2 for the twos, 4 and so on, 64 for H
    declared: int  # box declared, from 1 on; 0: none
    rolls: int  # left in this turn
    dice: int  # dice on the table, or those kept; 0: none


def limits(rules):
    return Rules(straight=(0, 1000), declare=None)


def objective(rules):
    return "expected points"


def start(rules):
    return State(boxes=0, declared=0, rolls=ROLLS, dice=0)


def domains(rules):
    return State(
        boxes=set(range(BOXES)),
        declared=range(BOXES + 1 if rules.declare else 1),
        rolls=range(ROLLS + 1),
        dice=DIGITS[: FIRST[DICE + 1]],
    )


def action_numbers(rules):
    return (*range(BOXES), *(KEEP + digits for digits in DIGITS[: FIRST[DICE]]))


def possible(rules, state):
    dice = multiset(state.dice)
    if not (0 <= state.boxes < 1 << BOXES and 0 <= state.rolls <= ROLLS and 0 <= dice < FIRST[DICE + 1]):
        return False
    if not (0 <= state.declared <= (BOXES if rules.declare else 0)):
        return False
    if state.declared > 0 and state.boxes >> (state.declared - 1) & 1:
        return False
    if state.rolls == ROLLS:
        return dice == 0 and state.declared == 0
    if dice < FIRST[DICE]:  # some are kept
        return state.rolls > 0 and (state.declared > 0 or not rules.declare)
    return not rules.declare or state.declared > 0 or state.rolls == ROLLS - 1


def transient(rules, state):
    return state.rolls < ROLLS


def roll(rules):
    return () if rules.declare else ("rolls", "dice")


def action_count(rules):
    return KEEP + int("6" * DICE) + 1


def label(rules, state, action):
    if action >= KEEP:
        return f"keep {action - KEEP or 'none'}"
    box = "H" if action == HOOLIGAN else str(action + 1)
    return f"declare {box}" if rules.declare and state.declared == 0 else f"score {box}"


def legal(rules, state):
    dice = multiset(state.dice)
    if dice < FIRST[DICE]:
        yield CHANCE
        return
    for box in range(BOXES):
        if state.declared == box + 1 or (state.declared == 0 and not state.boxes >> box & 1):
            yield box
    if state.rolls > 0 and (state.declared > 0 or not rules.declare):
        for kept in parts(dice, DICE):
            yield KEEP + DIGITS[kept]


def outcomes(rules, state, action):
    """Yield (probability, next state, seats the turn passes on)."""
    if action == CHANCE:
        more = DICE - size(multiset(state.dice))
        for rolled in range(FIRST[more], FIRST[more + 1]):
            yield CHANCES[rolled], _rolled(state, rolled), 0
    else:
        after, passes = _chosen(rules, state, action)
        yield 1.0, after, passes


def sample(rules, state, action, uniform):
    """Sample an outcome with a uniform random number."""
    if action == CHANCE:
        rolled = thrown(DICE - size(multiset(state.dice)), uniform)
        return CHANCES[rolled], _rolled(state, rolled), 0
    after, passes = _chosen(rules, state, action)
    return 1.0, after, passes


def _rolled(state, rolled):
    """Return the state after rolling these dice beside the kept ones."""
    dice = DIGITS[together(multiset(state.dice), rolled)]
    return State(state.boxes, state.declared, state.rolls - 1, dice)


def _chosen(rules, state, action):
    """Return the state after a player's action, and the number of seats the turn passes on."""
    boxes, declared, rolls, dice = state
    if action >= KEEP:
        return State(boxes, declared, rolls, action - KEEP), 0
    if rules.declare and declared == 0:
        return State(boxes, action + 1, rolls, dice), 0
    return State(boxes | 1 << action, 0, ROLLS, 0), 1


def event(rules, state, action, after):
    return str(after.dice)


def reward(rules, state, action, after):
    if after.boxes == state.boxes:
        return 0.0
    return float(_points(rules, multiset(state.dice), action))


def _points(rules, dice, box):
    """Compute the points of the dice in a box."""
    if box < HOOLIGAN:
        return (box + 1) * COUNTS[dice][box + 1]
    different = 0
    for face in range(2, 6):
        different += COUNTS[dice][face] == 1
    return rules.straight if different == 4 and COUNTS[dice][1] + COUNTS[dice][6] == 1 else 0


def faces(rules, state):
    for digit in str(state.dice or "").ljust(DICE, "0"):
        yield int(digit)


def keeps(rules, state, action):
    return tuple(map(int, str(action - KEEP or ""))) if action >= KEEP else None


def card(rules):
    for name in ("ones", "twos", "threes", "fours", "fives", "sixes", "hooligan"):
        yield name, "boxes"


def filled(rules, state):
    for box in range(BOXES):
        if state.boxes >> box & 1:
            yield box


def scores(rules, state, action):
    if 0 <= action < KEEP and (state.declared > 0 or not rules.declare):
        yield action, _points(rules, multiset(state.dice), action)


def over(rules, state):
    return state.boxes == (1 << BOXES) - 1


def payoff(rules, state):
    return 0.0  # the points count, as rewards


def how_to_play(rules):
    more = " Say after the first roll which box the turn is for." if rules.declare else ""
    return f"""
    Alone, seven turns of up to three rolls of five dice. Each turn fills one of seven boxes.

    After each roll keep any dice and roll the others, at most twice. Then score the turn in a box that is still
    empty. Boxes 1 to 6 score the sum of the dice that show their number; box H scores {rules.straight} for a
    straight of five.{more}

    Example: you roll 4 4 1 2 6 and keep the fours. The next rolls make it 4 4 4 3 4: box 4 scores 16.
    """
