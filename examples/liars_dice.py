"""Liar's Dice with one die each, or two: bid how many dice show a face, or call the opponent a liar.

A bid names a number of dice and a face, and must be higher than the bid before: more dice, or as many of a higher face.
After a call all dice are shown, and the player who was wrong loses. The highest face counts as any face.
"""

from typing import NamedTuple

from komi.bitset import length
from komi.game import CHANCE

players = 2


class Rules(NamedTuple):
    sides: int = 6  # of a die
    wild: bool = True  # whether the highest face counts as any face
    dice: int = 1  # of each player


class State(NamedTuple):  # as the player to move sees it
    die: int = 0  # your dice, a digit each, the lowest first; 0 before the throw
    rival: int = 0  # the opponent's dice
    bids: int = 0  # all bids so far, one bit each: the lowest is that of one die with the lowest face
    called: int = 0  # 1: the opponent has called you a liar


def limits(rules):
    return Rules(sides=(2, 8), dice=(1, 2))


def start(rules):
    return State()


def view(rules, state):
    return state if state.called else state._replace(rival=0)


def deal(rules, view, uniform):
    return view if view.called else view._replace(rival=thrown(rules, int(uniform * rules.sides**rules.dice)))


def thrown(rules, number):
    """Return the dice of one of all equally likely throws."""
    first, second = 1 + number % rules.sides, 1 + number // rules.sides
    return first if rules.dice == 1 else 10 * min(first, second) + max(first, second)


def bids(rules):
    """Return the number of possible bids."""
    return 2 * rules.dice * rules.sides


def domains(rules):
    throws = tuple({thrown(rules, number) for number in range(rules.sides**rules.dice)})
    return State(die=(0, *throws), rival=(0, *throws), bids=set(range(bids(rules))), called=range(2))


def legal(rules, state):
    if state.die == 0:
        yield CHANCE
        return
    yield from range(length(state.bids), bids(rules))
    if state.bids > 0:
        yield bids(rules)  # call


def outcomes(rules, state, action):
    if action == CHANCE:
        throws = rules.sides**rules.dice
        for mine in range(throws):
            for other in range(throws):
                yield 1 / throws**2, State(thrown(rules, mine), thrown(rules, other)), 0
    elif action == bids(rules):
        yield 1.0, State(state.rival, state.die, state.bids, 1), 1
    else:
        yield 1.0, State(state.rival, state.die, state.bids | 1 << action), 1


def over(rules, state):
    return state.called == 1


def payoff(rules, state):
    last = length(state.bids) - 1
    number, face = last // rules.sides + 1, last % rules.sides + 1
    shown = 0
    for dice in (state.die, state.rival):
        for die in (dice % 10, dice // 10):
            shown += die == face or (rules.wild and die == rules.sides)
    return 1.0 if shown >= number else 0.0  # the player to move has made the bid that was called


def label(rules, state, action):
    if action == bids(rules):
        return "liar"
    number, face = action // rules.sides + 1, action % rules.sides + 1
    return f"{NUMBERS[number]} {face}" + ("s" if number > 1 else "")


def action_count(rules):
    return bids(rules) + 1


open_actions = True
NUMBERS = ("no", "one", "two", "three", "four")


def table(rules, state):
    """Yield the dice, of which the opponent's are hidden until a call, and the bids that are left."""
    for seat in range(2):
        dice = state.rival if seat else state.die
        for place in range(rules.dice):
            face = dice // 10 ** (rules.dice - 1 - place) % 10
            yield "die", "Dice", seat, str(face) if face else ""
    if state.bids > 0:
        yield "token", "Last bid", -1, label(rules, state, length(state.bids) - 1)
    for bid in range(bids(rules) if state.called else length(state.bids), bids(rules)):
        row, face = bid // rules.sides, bid % rules.sides
        yield "square", "Higher bids", -1, label(rules, state, bid), row - length(state.bids) // rules.sides, face, bid


def turned(rules, state):
    return state._replace(die=state.rival, rival=state.die)
