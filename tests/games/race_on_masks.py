"""A race of pieces like the Royal Game of Ur: each player's pieces are the bits of a number."""

from typing import NamedTuple

from komi.game import CHANCE

players = 2
NOT_THROWN = 0
CHANCES = (1 / 16, 4 / 16, 6 / 16, 4 / 16, 1 / 16)  # of 0 to 4, with four two-sided dice


class Rules(NamedTuple):
    pieces: int = 2  # of each player
    squares: int = 14  # of each player's path
    private: int = 4  # squares at the beginning of the path where no piece is captured
    last: int = 2  # squares at its end


class State(NamedTuple):  # as the player to move sees it
    mine: int  # a bit for each square of the path
    theirs: int
    waiting: int  # pieces that have not entered
    theirs_waiting: int
    throw: int  # one more than the dice show


def limits(rules):
    return Rules(pieces=(1, 7), squares=(3, 20), private=(1, 6), last=(1, 6))


def start(rules):
    return State(0, 0, rules.pieces, rules.pieces, NOT_THROWN)


def legal(rules, state):
    if state.throw == NOT_THROWN:
        yield CHANCE
        return
    movable = False
    for origin in range(rules.squares + 1):
        if _can_move(rules, state, origin):
            movable = True
            yield origin
    if not movable:
        yield rules.squares + 1


def label(rules, state, action):
    return "pass" if action > rules.squares else "enter" if action == 0 else f"from {action}"


def outcomes(rules, state, action):
    """Yield the outcomes of moving a piece: action s moves it from square s, counted from 1; action 0 enters one."""
    mine, theirs, waiting, theirs_waiting, throw = state
    if action == CHANCE:
        for value in range(5):
            yield CHANCES[value], State(mine, theirs, waiting, theirs_waiting, value + 1), 0
        return
    if action > rules.squares:
        yield 1.0, State(theirs, mine, theirs_waiting, waiting, NOT_THROWN), 1
        return
    target = action + throw - 1
    if action == 0:
        waiting -= 1
    else:
        mine -= 1 << (action - 1)
    if target <= rules.squares:
        mine |= 1 << (target - 1)
        if _is_shared(rules, target) and (theirs >> (target - 1)) & 1:
            theirs -= 1 << (target - 1)
            theirs_waiting += 1
    if _throws_again(rules, target):
        yield 1.0, State(mine, theirs, waiting, theirs_waiting, NOT_THROWN), 0
    else:
        yield 1.0, State(theirs, mine, theirs_waiting, waiting, NOT_THROWN), 1


def over(rules, state):
    return state.theirs == 0 and state.theirs_waiting == 0


def payoff(rules, state):
    return 0.0


def _can_move(rules, state, origin):
    if state.throw <= 1 or (state.waiting == 0 if origin == 0 else not (state.mine >> (origin - 1)) & 1):
        return False
    target = origin + state.throw - 1
    if target > rules.squares:
        return target == rules.squares + 1
    if (state.mine >> (target - 1)) & 1:
        return False
    safe = _throws_again(rules, target)
    return not (safe and _is_shared(rules, target) and (state.theirs >> (target - 1)) & 1)


def _is_shared(rules, square):
    return rules.private < square <= rules.squares - rules.last


def _throws_again(rules, square):
    """Return whether a square gives another throw: the last of the beginning, the fourth shared one, the last."""
    return square == rules.private or square == rules.private + 4 or square == rules.squares
