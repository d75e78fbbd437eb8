"""Yahtzee: thirteen turns of up to three rolls of five dice, each scored in one of thirteen boxes.

The official rules of Hasbro, and T. Verhoeff, "Optimal Solitaire Yahtzee Strategies", 1999, for what they leave open:
five of a kind are not a full house, except as a joker. A yahtzee, when the yahtzee box is filled, is a joker: with
`joker=forced` (official, the default) it must be scored in its upper box; if that is filled, in any lower box, where a
full house and straights score in full; if these are filled, in another upper box, for nothing. With `joker=free` any
box may be chosen, and a lower box scores in full if the upper box is filled. With `joker=none` it is as any roll.
Each such yahtzee earns a bonus if the yahtzee box scored.

Two play in turns, each on a card of their own, and most points win. Who only wants as many points as can be expected
plays as alone: what one player does changes nothing of what the other can do.

Dice are written as their faces in order: `dice=2245`. Fewer than five are kept, and the others are rolled next.
"""

from typing import NamedTuple

from komi.bitset import count
from komi.game import CHANCE
from komi.games._dice import CHANCES, COUNTS, DIGITS, FIRST, multiset, parts, size, thrown, together

aim = "most"
roll = ("rolls", "dice")
totals = ("upper",)
DICE = 5
ROLLS = 3  # of a turn
NAMES = (
    *("ones", "twos", "threes", "fours", "fives", "sixes"),
    *("three of a kind", "four of a kind", "full house", "small straight", "large straight", "yahtzee", "chance"),
)
THREE, FOUR, FULL_HOUSE, SMALL, LARGE, YAHTZEE, ANY = range(6, 13)
BOXES = 13  # action: score in a box
FULL = (1 << BOXES) - 1  # all boxes, as a set
KEEP = BOXES  # action: this and the digits of the dice kept
ENOUGH = 63  # points in the upper boxes that earn the bonus
MAX_OF_A_BOX = 50  # points, without bonuses
UPPER_BONUS, MORE_YAHTZEES = BOXES, BOXES + 1  # rows of the card below the boxes


class Rules(NamedTuple):
    upper_bonus: int = 35  # points for 63 or more in the upper boxes
    yahtzee_bonus: int = 100  # points for each yahtzee after one that scored in its box
    joker: str = "forced"  # where a yahtzee may be scored when its box is filled: forced, free, or none
    players: int = 1  # how many play, each on a card of their own


class State(NamedTuple):  # as the player to move sees it
    boxes: int  # boxes that are filled, a set: 1 for the ones, 2 for the twos, and so on in the order of the card
    upper: int  # points in the upper boxes, 63 if more; 0 where they earn no bonus
    bonus: int  # 1 where another yahtzee earns a bonus
    rolls: int  # left in this turn
    dice: int  # dice on the table, or those kept; 0: none
    points: int = 0  # own points so far, with two players; alone they count as rewards
    other_boxes: int = 0  # the other player's boxes that are filled,
    other_upper: int = 0  # points in the upper boxes,
    other_bonus: int = 0  # whether another yahtzee earns a bonus,
    other_points: int = 0  # and points so far


def players(rules):
    return rules.players


def fields(rules):
    return State._fields if rules.players == 2 else State._fields[:5]


def limits(rules):
    return Rules(upper_bonus=(0, 1000), yahtzee_bonus=(0, 1000), joker=("forced", "free", "none"), players=(1, 2))


def alone(rules):
    return rules._replace(players=1)


def objective(rules):
    return "expected points" if rules.players == 1 else "chance of winning"


def start(rules):
    return State(0, 0, 0, rolls=ROLLS, dice=0, points=0, other_boxes=0, other_upper=0, other_bonus=0, other_points=0)


def domains(rules):
    boxes, rolls, dice = set(range(BOXES)), range(ROLLS + 1), DIGITS[: FIRST[DICE + 1]]
    upper, bonus = range(ENOUGH + 1 if rules.upper_bonus else 1), range(2 if rules.yahtzee_bonus else 1)
    points = range(BOXES * (MAX_OF_A_BOX + rules.yahtzee_bonus) + rules.upper_bonus + 1)
    return State(boxes, upper, bonus, rolls, dice, points, boxes, upper, bonus, points)


def action_numbers(rules):
    return (*range(BOXES), *(KEEP + digits for digits in DIGITS[: FIRST[DICE]]))


def possible(rules, state):
    dice = multiset(state.dice)
    if not (0 <= state.rolls <= ROLLS and 0 <= dice < FIRST[DICE + 1]):
        return False
    if not _is_card(rules, state.boxes, state.upper, state.bonus, state.points):
        return False
    if rules.players == 2:
        if not _is_card(rules, state.other_boxes, state.other_upper, state.other_bonus, state.other_points):
            return False
        if not 0 <= count(state.other_boxes) - count(state.boxes) <= 1:  # the first player has begun
            return False
    if state.rolls == ROLLS:
        return dice == 0
    return dice >= FIRST[DICE] or state.rolls > 0


def _is_card(rules, boxes, upper, bonus, points):
    """Return whether such a card is possible."""
    if not 0 <= boxes <= FULL:
        return False
    most = 0
    for face in range(1, 7):
        most += DICE * face * (boxes >> (face - 1) & 1)
    if not 0 <= upper <= (min(most, ENOUGH) if rules.upper_bonus else 0):
        return False
    if not 0 <= bonus <= (boxes >> YAHTZEE & 1 if rules.yahtzee_bonus else 0):
        return False
    if rules.players == 1:
        return points == 0
    most = count(boxes) * (MAX_OF_A_BOX + rules.yahtzee_bonus)
    return 0 <= points <= most + (rules.upper_bonus if upper == ENOUGH else 0)


def transient(rules, state):
    return state.rolls < ROLLS


def action_count(rules):
    return KEEP + int("6" * DICE) + 1


def label(rules, state, action):
    return NAMES[action] if action < KEEP else f"keep {action - KEEP or 'none'}"


def legal(rules, state):
    dice = multiset(state.dice)
    if dice < FIRST[DICE]:
        yield CHANCE
        return
    for box in range(BOXES):
        if not state.boxes >> box & 1 and _may_score(rules, state.boxes, dice, box):
            yield box
    if state.rolls > 0:
        for kept in parts(dice, DICE):
            yield KEEP + DIGITS[kept]


def _may_score(rules, boxes, dice, box):
    """Return whether the dice can be scored in an open box."""
    face = _alike(dice)
    if rules.joker != "forced" or face == 0 or not boxes >> YAHTZEE & 1:
        return True
    if not boxes >> (face - 1) & 1:
        return box == face - 1
    lower = (1 << BOXES) - (1 << THREE)
    return box >= THREE or boxes & lower == lower


def _alike(dice):
    """Return the face that all dice show; 0 if they differ."""
    for face in range(1, 7):
        if COUNTS[dice][face] == DICE:
            return face
    return 0


def outcomes(rules, state, action):
    """Yield (probability, next state, seats the turn passes on)."""
    if action == CHANCE:
        more = DICE - size(multiset(state.dice))
        for rolled in range(FIRST[more], FIRST[more + 1]):
            yield CHANCES[rolled], _rolled(state, rolled), 0
    elif action >= KEEP:
        yield 1.0, _with(state, state.rolls, action - KEEP), 0
    else:
        yield 1.0, _scored(rules, state, action), 1


def sample(rules, state, action, uniform):
    """Sample an outcome with a uniform random number."""
    if action == CHANCE:
        rolled = thrown(DICE - size(multiset(state.dice)), uniform)
        return CHANCES[rolled], _rolled(state, rolled), 0
    if action >= KEEP:
        return 1.0, _with(state, state.rolls, action - KEEP), 0
    return 1.0, _scored(rules, state, action), 1


def _rolled(state, rolled):
    """Return the state after rolling these dice beside the kept ones."""
    return _with(state, state.rolls - 1, DIGITS[together(multiset(state.dice), rolled)])


def _with(state, rolls, dice):
    """Replace the rolls left and the dice in a state."""
    boxes, upper, bonus, _, _, points, other_boxes, other_upper, other_bonus, other_points = state
    return State(boxes, upper, bonus, rolls, dice, points, other_boxes, other_upper, other_bonus, other_points)


def _scored(rules, state, box):
    """Return the state after scoring in a box, as seen by the next player."""
    points = _points(rules, state.boxes, multiset(state.dice), box)
    boxes, upper, bonus = state.boxes | 1 << box, state.upper, state.bonus
    if box < THREE and rules.upper_bonus:
        upper = min(upper + points, ENOUGH)
    if box == YAHTZEE and points > 0 and rules.yahtzee_bonus:
        bonus = 1
    if rules.players == 1:
        return State(boxes, upper, bonus, ROLLS, 0, 0, 0, 0, 0, 0)
    points += state.points + _bonuses(rules, state, box, points)
    other_boxes, other_upper, other_bonus = state.other_boxes, state.other_upper, state.other_bonus
    return State(other_boxes, other_upper, other_bonus, ROLLS, 0, state.other_points, boxes, upper, bonus, points)


def turned(rules, state):
    """Exchange the two cards; the dice remain those of the player to move. With one player nothing changes."""
    if rules.players == 1:
        return state
    boxes, upper, bonus, rolls, dice, points, other_boxes, other_upper, other_bonus, other_points = state
    return State(other_boxes, other_upper, other_bonus, rolls, dice, other_points, boxes, upper, bonus, points)


def _points(rules, boxes, dice, box):
    """Compute the points of the dice in a box, without bonuses."""
    if box < THREE:
        return (box + 1) * COUNTS[dice][box + 1]
    total, most, pairs, run, longest = 0, 0, 0, 0, 0
    for face in range(1, 7):
        alike = COUNTS[dice][face]
        total += face * alike
        most = max(most, alike)
        pairs += alike >= 2
        run = run + 1 if alike > 0 else 0
        longest = max(longest, run)
    joker = most == DICE and rules.joker != "none" and boxes >> YAHTZEE & 1 and boxes >> (_alike(dice) - 1) & 1
    if box == THREE:
        return total if most >= 3 else 0
    if box == FOUR:
        return total if most >= 4 else 0
    if box == FULL_HOUSE:
        return 25 if joker or (most == 3 and pairs == 2) else 0
    if box == SMALL:
        return 30 if joker or longest >= 4 else 0
    if box == LARGE:
        return 40 if joker or longest == 5 else 0
    if box == YAHTZEE:
        return 50 if most == DICE else 0
    return total


def event(rules, state, action, after):
    return str(after.dice)


def reward(rules, state, action, after):
    if not 0 <= action < KEEP:
        return 0.0
    points = _points(rules, state.boxes, multiset(state.dice), action)
    return float(points + _bonuses(rules, state, action, points))


def _bonuses(rules, state, box, points):
    """Compute the bonuses for scoring these points in a box."""
    more = 0
    if rules.upper_bonus and box < THREE and state.upper < ENOUGH <= state.upper + points:
        more += rules.upper_bonus
    if state.bonus and _alike(multiset(state.dice)):
        more += rules.yahtzee_bonus
    return more


def faces(rules, state):
    for digit in str(state.dice or "").ljust(DICE, "0"):
        yield int(digit)


def keeps(rules, state, action):
    return tuple(map(int, str(action - KEEP or ""))) if action >= KEEP else None


def card(rules):
    for box, name in enumerate(NAMES):
        yield name, "upper" if box < THREE else "lower"
    yield f"bonus for {ENOUGH}", "upper"
    yield "more yahtzees", "lower"


def filled(rules, state):
    for box in range(BOXES):
        if state.boxes >> box & 1:
            yield box


def scores(rules, state, action):
    if not 0 <= action < KEEP:
        return
    dice = multiset(state.dice)
    points = int(_points(rules, state.boxes, dice, action))
    yield action, points
    if rules.upper_bonus and action < THREE and state.upper < ENOUGH <= state.upper + points:
        yield UPPER_BONUS, rules.upper_bonus
    if state.bonus and _alike(dice):
        yield MORE_YAHTZEES, rules.yahtzee_bonus


def over(rules, state):
    return state.boxes == FULL and (rules.players == 1 or state.other_boxes == FULL)


def payoff(rules, state, seat=0):
    if rules.players == 1:
        return 0.0  # the points count, as rewards
    ahead = state.points - state.other_points if seat == 0 else state.other_points - state.points
    return 1.0 if ahead > 0 else 0.0 if ahead < 0 else 0.5


def first_roll(rules, state):
    """Score the first roll."""
    return _best_box(rules, state)


def most_alike(rules, state):
    """Keep the dice of the most frequent face; of two, the higher."""
    dice, face = multiset(state.dice), 1
    for other in range(2, 7):
        if COUNTS[dice][other] >= COUNTS[dice][face]:
            face = other
    if state.rolls == 0 or COUNTS[dice][face] == DICE:
        return _best_box(rules, state)
    kept = 0
    for _ in range(COUNTS[dice][face]):
        kept = 10 * kept + face
    return KEEP + kept


def _best_box(rules, state):
    """Return the open box in which the dice score most."""
    dice = multiset(state.dice)
    best, most = 0, -1
    for box in range(BOXES):
        if not state.boxes >> box & 1 and _may_score(rules, state.boxes, dice, box):
            points = _points(rules, state.boxes, dice, box)
            if points > most:
                best, most = box, points
    return best


policies = (first_roll, most_alike)


def opponents(rules):
    if rules.players == 2:
        yield "first_roll", "Scores its first roll, in the box that brings most."
        yield "most_alike", "Keeps the number it has most of, and scores in the box that brings most."
        yield "optimal", "Gets as many points as can be expected, whatever you do."


def how_to_play(rules):
    alone, against = " Get as many points as you can.", " Each has a card of their own, and most points win."
    aim = alone if rules.players == 1 else against
    return f"""
    Thirteen turns of up to three rolls of five dice. Each turn fills one of thirteen boxes.{aim}

    After each roll keep any dice and roll the others, at most twice. Then score the turn in a box that is still
    empty. The upper boxes, ones to sixes, score the sum of their number; 63 points or more there earn
    {rules.upper_bonus} more.

    Three and four of a kind and chance score the sum of all dice, a full house 25, a small straight (four in a row)
    30, a large straight 40, a yahtzee (five alike) 50. Further yahtzees earn {rules.yahtzee_bonus} each, once one
    has scored 50.

    Example: you roll 3 3 5 1 6, keep the threes, and get 3 3 3 5 5: a full house, 25 points. Or 9 in the threes.
    """
