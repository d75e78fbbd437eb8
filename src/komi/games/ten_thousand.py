"""Ten Thousand: roll six dice, set scoring ones aside, and roll the others as often as you dare.

An old game with many house rules; those that differ most are rules to set. After a roll at least one combination that
scores, all of one roll, is set aside; if there is none, the turn total is lost. When all six are set aside, all six may
be rolled again. A 1 scores 100, a 5 scores 50, three alike 100 times their face, three 1s 1000, a straight from 1 to 6
and three pairs of different faces (all six dice) their own. Four, five and six alike score 2, 4 and 8 times as much as
three (`doubling`, the default, for most rule books double), or no more than triples and singles do (`triples`: six
alike are two triples). The first player to hold with the goal reached wins at once; holding is compulsory then.

Dice are written as their faces in order: `dice=115`. Only those that can be part of a scoring combination are written.
"""

from typing import NamedTuple

from komi.game import CHANCE
from komi.games._dice import CHANCES, COUNTS, DIGITS, FIRST, multiset, parts, size, thrown

players = 2
roll = ("dice",)
totals = ("score", "rival", "turn")
ROLL, HOLD, ASIDE = range(3)  # action: roll, hold, or ASIDE and the number of the dice set aside
NOTHING = -1  # on the table: no dice that can score
DICE = 6
UNIT = 50  # points: all scores are multiples
ENOUGH = (0, 250, 250, 400, 1000, 2900, 16400)  # points at which presses_on holds, by the dice left


class Rules(NamedTuple):
    goal: int = 10000  # points that win
    straight: int = 1500  # points for 1 to 6; 0: none
    three_pairs: int = 750  # points for three pairs of different faces; 0: none
    of_a_kind: str = "doubling"  # what four, five and six alike score: twice as much each, or triples and singles
    opening: int = 0  # points that a player with none must hold with at least
    komi: int = 0  # points the second player starts with


class State(NamedTuple):  # as the player to move sees it
    score: int  # own points
    rival: int  # the opponent's points
    turn: int  # points set aside this turn, at risk
    left: int  # dice to be rolled next, or just rolled
    dice: int  # dice of this roll that can score, -1: none can; 0: not yet rolled


steps = State(score=UNIT, rival=UNIT, turn=UNIT, left=1, dice=1)


def limits(rules):
    return Rules(
        goal=(UNIT, 20000, UNIT),
        straight=(0, 5000, UNIT),
        three_pairs=(0, 5000, UNIT),
        of_a_kind=("doubling", "triples"),
        opening=(0, rules.goal, UNIT),
        komi=(0, rules.goal - UNIT, UNIT),
    )


def start(rules):
    return State(score=0, rival=rules.komi, turn=0, left=DICE, dice=0)


def domains(rules):
    most = 8000 if rules.of_a_kind == "doubling" else 2000  # points of six 1s
    beyond = range(0, rules.goal + max(most, rules.straight, rules.three_pairs), UNIT)
    dice = (NOTHING, *DIGITS)
    return State(score=range(0, rules.goal, UNIT), rival=beyond, turn=beyond, left=range(1, DICE + 1), dice=dice)


def possible(rules, state):
    score, rival, turn, left, dice = state
    if score % UNIT or rival % UNIT or turn % UNIT or not (0 <= score < rules.goal and 0 <= rival < rules.goal):
        return False
    if not (turn >= 0 and 1 <= left <= DICE and (turn > 0 or left == DICE)):
        return False
    if dice == 0:
        return True
    if score + turn >= rules.goal:
        return False
    if dice == NOTHING:
        return True
    rolled = multiset(dice)
    return 0 < rolled < FIRST[left + 1] and _scoring(rules, rolled, left) == rolled


def transient(rules, state):
    return state.dice != 0 or state.score + state.turn >= rules.goal


def action_count(rules):
    return ASIDE + len(DIGITS)


def label(rules, state, action):
    return ("roll", "hold")[action] if action < ASIDE else f"set aside {DIGITS[action - ASIDE]}"


def legal(rules, state):
    if state.dice > 0:
        for aside in parts(multiset(state.dice), DICE + 1):
            if _points(rules, aside) > 0:
                yield ASIDE + aside
    elif state.dice == NOTHING:
        yield CHANCE
    else:
        if state.score + state.turn < rules.goal:  # with the goal reached, holding wins
            yield ROLL
        if state.turn > 0 and (state.score > 0 or state.turn >= rules.opening):
            yield HOLD


def outcomes(rules, state, action):
    """Yield (probability, next state, seats the turn passes on)."""
    score, rival, turn, left, _ = state
    if action == HOLD:
        yield 1.0, State(rival, score + turn, 0, DICE, 0), 1
    elif action == ROLL:
        for rolled in range(FIRST[left], FIRST[left + 1]):
            yield CHANCES[rolled], _rolled(rules, state, rolled), 0
    elif action == CHANCE:
        yield 1.0, State(rival, score, 0, DICE, 0), 1
    else:
        yield 1.0, _set_aside(rules, state, action - ASIDE), 0


def sample(rules, state, action, uniform):
    """Sample an outcome with a uniform random number."""
    if action == HOLD:
        return 1.0, State(state.rival, state.score + state.turn, 0, DICE, 0), 1
    if action == ROLL:
        rolled = thrown(state.left, uniform)
        return CHANCES[rolled], _rolled(rules, state, rolled), 0
    if action == CHANCE:
        return 1.0, State(state.rival, state.score, 0, DICE, 0), 1
    return 1.0, _set_aside(rules, state, action - ASIDE), 0


def _rolled(rules, state, rolled):
    """Return the state after rolling these dice."""
    scoring = _scoring(rules, rolled, state.left)
    return State(state.score, state.rival, state.turn, state.left, DIGITS[scoring] if scoring > 0 else NOTHING)


def _set_aside(rules, state, aside):
    """Return the state after setting these dice aside."""
    left = state.left - size(aside)
    turn = state.turn + _points(rules, aside)
    return State(state.score, state.rival, turn, left if left > 0 else DICE, 0)


def _scoring(rules, rolled, left):
    """Return the dice of a roll that can be part of a scoring combination."""
    if left == DICE and _points(rules, rolled) > 0:
        return rolled  # a straight or three pairs, among others
    digits = 0
    for face in range(1, 7):
        alike = COUNTS[rolled][face]
        if face == 1 or face == 5 or alike >= 3:
            if rules.of_a_kind == "triples" and face != 1 and face != 5:
                alike -= alike % 3  # a fourth and a fifth do not score
            for _ in range(alike):
                digits = 10 * digits + face
    return multiset(digits)


def _points(rules, aside):
    """Compute the points of dice that are set aside together; 0 if one of them is in no combination."""
    if size(aside) == DICE:
        single, pairs = 0, 0
        for face in range(1, 7):
            single += COUNTS[aside][face] == 1
            pairs += COUNTS[aside][face] == 2
        if single == DICE and rules.straight > 0:
            return rules.straight
        if pairs == 3:
            return max(rules.three_pairs, _alike_points(rules, aside))
    return _alike_points(rules, aside)


def _alike_points(rules, aside):
    """Compute the points of dice as `_points` does, without straights and three pairs."""
    total = 0
    for face in range(1, 7):
        alike = COUNTS[aside][face]
        one = 100 if face == 1 else (50 if face == 5 else 0)
        three = 1000 if face == 1 else 100 * face
        if alike >= 3 and rules.of_a_kind == "doubling":
            total += three << (alike - 3)
        elif alike > 0:
            if alike % 3 and one == 0:
                return 0
            total += alike // 3 * three + alike % 3 * one
    return total


def event(rules, state, action, after):
    if state.dice == NOTHING:
        return "the turn passes"
    return f"{after.dice} can score" if after.dice > 0 else "nothing that scores"


def faces(rules, state):
    for digit in str(max(state.dice, 0) or "").ljust(state.left, "0"):
        yield int(digit)


def keeps(rules, state, action):
    return tuple(map(int, str(DIGITS[action - ASIDE]))) if action >= ASIDE else None


def scores(rules, state, action):
    if action >= ASIDE:
        yield 0, int(_points(rules, action - ASIDE))


def over(rules, state):
    return state.rival >= rules.goal


def payoff(rules, state):
    return 0.0  # the opponent has just reached the goal


def holds_early(rules, state, action):
    """Set all scoring dice aside, and hold from 300 points on."""
    return _likes(rules, state, action, 300)


def presses_on(rules, state, action):
    """Set all scoring dice aside, and hold when too many points are at risk for the number of dice left."""
    return _likes(rules, state, action, ENOUGH[state.left])


def _likes(rules, state, action, enough):
    if action >= ASIDE:
        return 1.0 * _points(rules, action - ASIDE)
    return 1.0 if (action == HOLD) == (state.turn >= enough) else 0.0


policies = (holds_early, presses_on)


def opponents(rules):
    """Yield (policy, description) for each opponent."""
    yield "holds_early", "Sets aside all that scores, and holds from 300 points on."
    yield "presses_on", "Sets aside all that scores, and rolls on while few points are at stake or many dice are left."
    yield "optimal", "Plays optimally: no one can do better."


def how_to_play(rules):
    more = " Four, five and six alike count twice as much each time." if rules.of_a_kind == "doubling" else ""
    if rules.straight:
        more += f" A straight from 1 to 6 scores {rules.straight}."
    if rules.three_pairs:
        more += f" Three pairs score {rules.three_pairs}."
    if rules.opening:
        more += f" The first points that you hold must be {rules.opening} or more."
    return f"""
    Roll six dice, set aside some that score, and roll the others as often as you dare. First to {rules.goal} points
    wins.

    A 1 scores 100, a 5 scores 50, three alike 100 times their number, three 1s 1000.{more} After each roll set
    aside at least one scoring combination. Then roll the dice that are left, or hold to bank the points of this
    turn. If nothing scores, the turn ends, and its points are lost. When all six dice are set aside, roll all six
    again.

    Example: you roll 1 3 3 3 4 6, set aside the three 3s and the 1 for 400 points, and hold. Your opponent sets
    aside a 5, rolls the other five, 2 2 3 4 6, and scores nothing.
    """
