"""Bear-off: the end of a game of backgammon, with gammons and, as a rule, the doubling cube of money play.

Both players have their checkers at home. Two dice are thrown; each die moves one checker down by its number or bears it
off, and equal dice count twice. The first player without checkers wins what the cube shows, and a multiple of it, a
gammon, if the other has borne off none. A player who is to throw may double the stakes, unless the other owns the cube:
the other then takes, and owns the cube, or drops, and loses the stakes before the double.

Payoffs are points, so that the value of a position is its equity (E. B. Keeler and J. Spencer, Optimal doubling in
backgammon, Operations Research 23, 1975).
"""

from typing import NamedTuple

from komi.game import CHANCE

players = 2
BITS = 4  # of the number of checkers on a point: up to 15
FACES = 6
DOUBLE, THROW, TAKE, DROP = range(FACES * FACES, FACES * FACES + 4)  # the actions before move checkers
NAMES = ("double", "throw", "take", "drop")
action_count = DROP + 1

NOBODY, MOVER, RIVAL = range(3)  # owners of the cube
TO_THROW, THROWN, OFFERED, DROPPED = range(4)  # phases of a turn


class Rules(NamedTuple):
    checkers: int = 3  # checkers of each player
    points: int = 3  # points that they stand on; they begin on the farthest
    gammon: int = 2  # multiple of the stakes that a gammon counts
    cube: int = 1  # highest number of the cube; 1 plays without it


class State(NamedTuple):
    own: int  # checkers of the mover: four bits for each point, the nearest first
    rival: int  # checkers of the opponent
    cube: int  # stakes
    owner: int  # owner of the cube: neither player, the mover or the opponent
    phase: int  # phase of the turn
    high: int  # higher die to move by; 0 if there is none
    low: int  # lower die to move by; 0 if there is none
    moves: int  # moves left in the turn


def limits(rules):
    return Rules(checkers=(1, 15), points=(1, FACES), gammon=(1, 3), cube=(1, 64))


def payoff_range(rules):
    return -rules.gammon * rules.cube, rules.gammon * rules.cube


def objective(rules):
    return "expected points"


def start(rules):
    home = rules.checkers << BITS * (rules.points - 1)
    return State(home, home, 1, NOBODY, TO_THROW, 0, 0, 0)


def _on(home, point):
    """Return the number of checkers on a point; points are counted from 1."""
    return home >> BITS * (point - 1) & (1 << BITS) - 1


def _can_double(rules, state):
    return 2 * state.cube <= rules.cube and state.owner != RIVAL


def legal(rules, state):
    if state.phase == OFFERED:
        yield TAKE
        yield DROP
    elif state.phase == TO_THROW and _can_double(rules, state):
        yield DOUBLE
        yield THROW
    elif state.phase == TO_THROW:
        yield CHANCE
    else:
        for die in (state.high, state.low):
            if die > 0:
                for point in range(1, rules.points + 1):
                    if _can_move(state.own, point, die):
                        yield (die - 1) * FACES + point - 1


def _can_move(home, point, die):
    """Return whether a die can move a checker from a point: a die above it bears off only the farthest one."""
    return _on(home, point) > 0 and (point >= die or home >> BITS * point == 0)


def outcomes(rules, state, action):
    own, rival, cube, owner, _, high, low, moves = state
    if action == DOUBLE:
        yield 1.0, State(rival, own, cube, _other(owner), OFFERED, 0, 0, 0), 1
    elif action == TAKE:
        yield 1.0, State(rival, own, 2 * cube, RIVAL, TO_THROW, 0, 0, 0), 1
    elif action == DROP:
        yield 1.0, state._replace(phase=DROPPED), 0
    elif action in (CHANCE, THROW):
        for first in range(1, FACES + 1):
            yield 1 / 36, State(own, rival, cube, owner, THROWN, first, 0, 4), 0
            for second in range(1, first):
                yield 1 / 18, State(own, rival, cube, owner, THROWN, first, second, 2), 0
    else:
        die, point = action // FACES + 1, action % FACES + 1
        own -= 1 << BITS * (point - 1)
        if point > die:
            own += 1 << BITS * (point - die - 1)
        if own == 0 or moves == 1:
            yield 1.0, State(rival, own, cube, _other(owner), TO_THROW, 0, 0, 0), 1
        elif low == 0:
            yield 1.0, State(own, rival, cube, owner, THROWN, high, 0, moves - 1), 0
        else:
            yield 1.0, State(own, rival, cube, owner, THROWN, high + low - die, 0, 1), 0


def _other(owner):
    return NOBODY if owner == NOBODY else MOVER + RIVAL - owner


def over(rules, state):
    return state.rival == 0 or state.phase == DROPPED


def payoff(rules, state):
    if state.phase == DROPPED:
        return -state.cube
    left = 0
    for point in range(1, rules.points + 1):
        left += _on(state.own, point)
    return -state.cube * (rules.gammon if left == rules.checkers else 1)


def label(rules, state, action):
    if action >= DOUBLE:
        return NAMES[action - DOUBLE]
    die, point = action // FACES + 1, action % FACES + 1
    return f"{point}/{point - die if point > die else 'off'} with {die}"


def event(rules, state, action, after):
    return f"{after.high}-{after.low or after.high}"


def write(rules, state):
    """Write a position as 0,0,3/0,0,3: the checkers on each point, of the mover and of the opponent, and the rest."""
    homes = (",".join(str(_on(home, point)) for point in range(1, rules.points + 1)) for home in state[:2])
    dice = f" {state.high}-{state.low or state.high}*{state.moves}" if state.phase == THROWN else ""
    phase = {OFFERED: " offered", DROPPED: " dropped"}.get(state.phase, "")
    owner = ("", " own", " rival")[state.owner]
    return "/".join(homes) + (f" cube {state.cube}{owner}" if rules.cube > 1 else "") + dice + phase


def read(rules, text):
    """Read what `write` writes."""
    homes, *words = text.split()
    own, rival = (
        sum(int(count) << BITS * point for point, count in enumerate(home.split(","))) for home in homes.split("/")
    )
    state = State(own, rival, 1, NOBODY, TO_THROW, 0, 0, 0)
    for before, word in zip(["", *words], words, strict=False):
        if before == "cube":
            state = state._replace(cube=int(word))
        elif word in ("own", "rival"):
            state = state._replace(owner=MOVER if word == "own" else RIVAL)
        elif word in ("offered", "dropped"):
            state = state._replace(phase=OFFERED if word == "offered" else DROPPED)
        elif "*" in word:
            dice, _, moves = word.partition("*")
            high, low = map(int, dice.split("-"))
            one_number = high == low
            state = state._replace(phase=THROWN, high=high, low=0 if one_number else low, moves=int(moves))
    return state


def how_to_play(rules):
    return f"""
    Bear off your {rules.checkers} checkers before your opponent does.

    Throw two dice. Each die moves one checker down by its number, or off the board from the point of its number; a
    higher number bears off your farthest checker. Equal dice move four times. A player who has borne off none when the
    other has finished loses {rules.gammon} times the stakes.
    """
