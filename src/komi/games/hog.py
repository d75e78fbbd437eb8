"""Hog: name a number of dice and roll them once; any 1 and the turn scores nothing (Math Forum, 1993).

T. W. Neller and C. G. M. Presser, "Pigtail: A Pig Addendum", The UMAP Journal 26(4), 2005. Some retell that a 1
scores a point: here, as there, it scores none. A player who reaches the goal wins at once.
"""

from typing import NamedTuple

from komi.games._seats import are_below, before, handicaps, most_komi, passed

MAX_SIDES = 10
MAX_DICE = 40


class Rules(NamedTuple):
    goal: int = 100  # points that win
    max_dice: int = 30  # that may be rolled at once
    sides: int = 6  # faces of a die
    komi: int = 0  # points the second player starts with; the third starts with twice as many, and so on
    players: int = 2


class State(NamedTuple):  # as the player to move sees it
    score: int  # own points
    rival: int  # the opponent's points; with more than two players those of the next
    rival2: int = 0  # points of the next player but one, with three or more
    rival3: int = 0  # points of the last player, with four


def players(rules):
    return rules.players


def fields(rules):
    return State._fields[: rules.players]


def limits(rules):
    return Rules(
        goal=(1, 1000),
        max_dice=(1, MAX_DICE),
        sides=(2, MAX_SIDES),
        komi=(0, most_komi(rules.players, rules.goal)),
        players=(2, 4),
    )


def start(rules):
    score, rival, rival2, rival3 = handicaps(rules.players, rules.komi)
    return State(score, rival, rival2, rival3)


def possible(rules, state):
    return are_below(rules.players, rules.goal, state.score, state.rival, state.rival2, state.rival3)


# An action is the number of dice, less one.


def action_count(rules):
    return rules.max_dice


def label(rules, state, action):
    return f"roll {action + 1}"


def legal(rules, state):
    for action in range(rules.max_dice):  # noqa: UP028  no 'yield from' when compiled
        yield action


def outcomes(rules, state, action):
    """Yield (probability, next state, seats the turn passes on)."""
    dice, needed = action + 1, rules.goal - state.score
    left = 1.0
    for total in range(2 * dice, min(rules.sides * dice + 1, needed)):
        chance = CHANCES[FIRST[rules.sides][dice] + total]
        left -= chance
        yield chance, _scored(rules, state, total), 1
    some_one = 1.0 - ((rules.sides - 1) / rules.sides) ** dice
    yield some_one, _scored(rules, state, 0), 1
    if rules.sides * dice >= needed:  # to have reached the goal is enough
        yield max(left - some_one, 0.0), _scored(rules, state, needed), 1


def _scored(rules, state, points):
    """Return the state after a turn that scores `points`, as seen by the next player."""
    score, rival, rival2, rival3 = passed(rules.players, state.score + points, state.rival, state.rival2, state.rival3)
    return State(score, rival, rival2, rival3)


def event(rules, state, action, after):
    points = before(rules.players, after.rival, after.rival2, after.rival3) - state.score
    if points == 0:
        return "a 1"
    return f"total {points}" if state.score + points < rules.goal else "enough"


def over(rules, state):
    return before(rules.players, state.rival, state.rival2, state.rival3) >= rules.goal


def payoff(rules, state, seat=0):
    return 1.0 if seat == rules.players - 1 else 0.0  # the player before has just reached the goal


def _with_one_more(ways, sides):
    """Add a die: count the ways to roll each total without a 1, starting at twice the number of dice."""
    longer = [0] * (len(ways) + sides - 2)
    for total, count in enumerate(ways):
        for more in range(sides - 1):
            longer[total + more] += count
    return longer


# The chances of the totals of any number of dice with any number of sides, one list after the other, and where each
# list would begin if it began with total 0.
FIRST = [[0] * (MAX_DICE + 1) for _ in range(MAX_SIDES + 1)]
CHANCES = []
for sides in range(2, MAX_SIDES + 1):
    ways = [1]
    for dice in range(1, MAX_DICE + 1):
        ways = _with_one_more(ways, sides)
        FIRST[sides][dice] = len(CHANCES) - 2 * dice
        CHANCES += [count / sides**dice for count in ways]


def table(rules, state):
    """Yield the numbers of dice that can be rolled."""
    for action in range(rules.max_dice):
        yield "stack", "Dice to roll at once", -1, "die" if action == 0 else "dice", action + 1, action


def laid(rules, event):
    if event == "a 1":
        yield "die", "Last roll", 0, "1"
    else:
        yield "token", "Last roll", 0, event


def how_to_play(rules):
    return f"""
    Name a number of dice and roll them once. If no die shows a 1, their sum is yours. First to {rules.goal} points
    wins.

    On your turn choose from 1 to {rules.max_dice} dice. They are rolled once, together. If any die shows a 1, the
    turn scores nothing; otherwise it scores the sum. Then the turn passes. More dice bring more, and fail more
    often.

    Example: you roll five dice: 6, 4, 3, 3 and 2 are 18 points. Your opponent rolls seven dice, one of which shows
    a 1, and scores nothing.
    """
