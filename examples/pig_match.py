"""Pig with a doubling cube, in a match: the first with the points of the match wins it.

A game of Pig is worth what the cube shows: 1 at first. Before a turn, a player who may double offers twice the stake.
The rival takes, and owns the cube, or drops, and loses what it showed. The first game in which a player needs one point
is played without the cube (the Crawford rule). The loser of a game begins the next.

The values at the beginnings of games are a match equity table, as for backgammon (N. Zadeh, On doubling in tournament
backgammon, Management Science 23, 1977), here of the player who begins.
"""

from typing import NamedTuple

players = 2
actions = ("roll", "hold", "double", "take", "drop", "play on")
ROLL, HOLD, DOUBLE, TAKE, DROP, PLAY = range(6)

NOBODY, MOVER, RIVAL = range(3)  # owners of the cube
BEFORE, TURN, OFFERED = range(3)  # phases of a turn


class Rules(NamedTuple):
    match: int = 3  # points that win the match
    goal: int = 15  # score that wins a game
    sides: int = 6  # faces of the die
    crawford: int = 1  # 1: no cube in the first game in which a player needs one point


class State(NamedTuple):
    won: int = 0  # your points in the match
    lost: int = 0  # the rival's points in the match
    score: int = 0  # your score in this game
    rival: int = 0  # the rival's score in this game
    turn: int = 0  # sum of this turn
    phase: int = BEFORE  # before or in a turn, or the cube is offered
    cube: int = 1  # what the game is worth
    owner: int = NOBODY  # who owns the cube: neither player, you or the rival
    crawford: int = 0  # 1 in the game without the cube, 2 after it


def limits(rules):
    return Rules(match=(1, 15), goal=(2, 100), sides=(2, 20), crawford=(0, 1))


def start(rules):
    return _next_game(rules, 0, 0, 0)


def _next_game(rules, won, lost, crawford):
    """Return the beginning of a game at this score of the match."""
    is_one_away = max(won, lost) == rules.match - 1 and rules.match > 1
    return State(won, lost, crawford=min(crawford + 1, 2) if is_one_away and rules.crawford == 1 else 0)


def domains(rules):
    return State(
        won=range(rules.match),
        lost=range(rules.match + 1),
        score=range(rules.goal),
        rival=range(rules.goal),
        turn=range(rules.goal + rules.sides),
        phase=range(3),
        cube=tuple(1 << doubled for doubled in range((rules.match - 1).bit_length() + 1)),
        owner=range(3),
        crawford=range(3),
    )


def legal(rules, state):
    if state.phase == OFFERED:
        yield TAKE
        yield DROP
    elif state.phase == BEFORE and _can_double(rules, state):
        yield DOUBLE
        yield PLAY
    else:
        yield ROLL
        if state.turn > 0:
            yield HOLD


def _can_double(rules, state):  # a stake that wins the match need not be doubled
    return state.owner != RIVAL and state.crawford != 1 and state.won + state.cube < rules.match


def outcomes(rules, state, action):
    other = NOBODY if state.owner == NOBODY else MOVER + RIVAL - state.owner
    passed = State(
        state.lost, state.won, state.rival, state.score, cube=state.cube, owner=other, crawford=state.crawford
    )
    if action == DOUBLE:
        yield 1.0, passed._replace(phase=OFFERED), 1
    elif action == TAKE:
        yield 1.0, passed._replace(phase=TURN, cube=2 * state.cube, owner=RIVAL), 1
    elif action == DROP:
        yield 1.0, _next_game(rules, state.won, min(state.lost + state.cube, rules.match), state.crawford), 0
    elif action == PLAY:
        yield 1.0, state._replace(phase=TURN), 0
    elif action == HOLD and state.score + state.turn >= rules.goal:
        yield 1.0, _next_game(rules, state.lost, min(state.won + state.cube, rules.match), state.crawford), 1
    elif action == HOLD:
        yield 1.0, passed._replace(rival=state.score + state.turn), 1
    else:
        yield 1 / rules.sides, passed, 1
        for face in range(2, rules.sides + 1):
            turn = min(state.turn + face, rules.goal - state.score)
            yield 1 / rules.sides, state._replace(turn=turn, phase=TURN), 0


def over(rules, state):
    return state.lost >= rules.match


def payoff(rules, state):
    return 0.0
