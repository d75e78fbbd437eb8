"""Hypergammon: backgammon with three checkers or fewer for each player, without the cube.

The checkers begin one by one on the last points of the board. Two dice are thrown; each die moves one checker, and
equal dice count twice. A point with two checkers of the rival is closed; a single one is hit, and enters again from the
bar before the others move. Both dice are played if they can be, otherwise the higher one. Who has all checkers at home
bears them off. A loser who has borne off none pays twice, a gammon, or thrice, a backgammon, with a checker on the bar
or in the winner's home.
"""

from typing import NamedTuple

from komi.game import CHANCE

players = 2
FACES, HOME, BAR = 6, 6, 25  # points are 1 to 24 for each player, who moves down; 0 is off the board
PLACES = BAR + 1
PASS = FACES * PLACES  # the actions before move a checker from a place
action_count = PASS + 1


class Rules(NamedTuple):
    checkers: int = 2  # of each player
    gammon: int = 2  # multiple of the stakes that a gammon counts
    backgammon: int = 3  # multiple of the stakes that a backgammon counts


class State(NamedTuple):
    own: int  # your checkers: their places, sorted, as digits to the base 26
    rival: int  # the rival's checkers, with points as the rival counts them
    high: int = 0  # higher die to move by; 0 if there is none
    low: int = 0  # lower die to move by; 0 if there is none
    moves: int = 0  # moves left in the turn; 0 before the throw


def limits(rules):
    return Rules(checkers=(1, 3), gammon=(1, 2), backgammon=(1, 3))


def payoff_range(rules):
    most = max(rules.gammon, rules.backgammon)
    return -most, most


def objective(rules):
    return "expected points"


def start(rules):
    side = _side([BAR - 1 - checker for checker in range(rules.checkers)])
    return State(side, side)


def _side(places):
    """Return the number of a player's checkers at these places."""
    side = 0
    for place in sorted(places):
        side = PLACES * side + place
    return side


def _places(rules, side):
    return [side // PLACES**checker % PLACES for checker in range(rules.checkers)]


def _move(rules, side, place, to):
    """Move one checker from a place to another."""
    places = _places(rules, side)
    places[places.index(place)] = to
    return _side(places)


def _can_move(rules, state, place, die):
    own, to = _places(rules, state.own), place - die
    if place == 0 or (place != BAR and max(own) == BAR):
        return False
    if to > 0:
        return _places(rules, state.rival).count(BAR - to) < 2
    return max(own) <= HOME and (to == 0 or place == max(own))


def _can_use(rules, state, die):
    return any(_can_move(rules, state, place, die) for place in _places(rules, state.own))


def _other(state, die):
    """Return the die that is left when one of two different ones is played; 0 if there is none."""
    return state.high + state.low - die if state.low > 0 else 0


def _uses_both(rules, state, place, die):
    return _can_move(rules, state, place, die) and _can_use(rules, _after(rules, state, place, die), _other(state, die))


def _after(rules, state, place, die):
    """Return the state after a move, before the turn passes."""
    to = max(place - die, 0)
    places, rival = _places(rules, state.rival), state.rival
    if to > 0 and BAR - to in places:
        rival = _move(rules, rival, BAR - to, BAR)
    return state._replace(own=_move(rules, state.own, place, to), rival=rival)


def domains(rules):
    places, dice = range(PLACES**rules.checkers), range(FACES + 1)
    return State(own=places, rival=places, high=dice, low=dice, moves=range(5))


def legal(rules, state):
    if state.moves == 0:
        yield CHANCE
        return
    own = _places(rules, state.own)
    dice = [state.high] if state.low == 0 else [state.high, state.low]
    both = state.low > 0 and any(_uses_both(rules, state, place, die) for die in dice for place in own)
    found = False
    for die in dice:
        if both or not found:
            for place in range(1, BAR + 1):
                if place in own and (
                    _uses_both(rules, state, place, die) if both else _can_move(rules, state, place, die)
                ):
                    found = True
                    yield (die - 1) * PLACES + place
    if not found:
        yield PASS


def outcomes(rules, state, action):
    if action == CHANCE:
        for first in range(1, FACES + 1):
            yield 1 / 36, State(state.own, state.rival, first, 0, 4), 0
            for second in range(1, first):
                yield 1 / 18, State(state.own, state.rival, first, second, 2), 0
    elif action == PASS:
        yield 1.0, State(state.rival, state.own), 1
    else:
        die, place = action // PLACES + 1, action % PLACES
        after = _after(rules, state, place, die)
        if after.own == 0 or state.moves == 1:
            yield 1.0, State(after.rival, after.own), 1
        else:
            left = _other(state, die) if state.low > 0 else state.high
            yield 1.0, after._replace(high=left, low=0, moves=state.moves - 1), 0


def over(rules, state):
    return state.rival == 0


def payoff(rules, state):
    own = _places(rules, state.own)
    if 0 in own:
        return -1
    return -rules.backgammon if max(own) > BAR - 1 - HOME else -rules.gammon


def label(rules, state, action):
    if action == PASS:
        return "pass"
    die, place = action // PLACES + 1, action % PLACES
    return f"{'bar' if place == BAR else place}/{place - die if place > die else 'off'} with {die}"


def event(rules, state, action, after):
    return f"{after.high}-{after.low or after.high}"


def write(rules, state):
    """Write a position as 24,23/24,23 3-1*2: the checkers of the mover and of the opponent, dice, and moves left."""
    sides = "/".join(",".join(map(str, _places(rules, side))) for side in (state.own, state.rival))
    return f"{sides} {state.high}-{state.low}*{state.moves}" if state.moves > 0 else sides


def read(rules, text):
    """Read what `write` writes."""
    sides, _, throw = text.partition(" ")
    own, rival = (_side(map(int, side.split(","))) for side in sides.split("/"))
    dice, _, moves = throw.partition("*")
    high, low = map(int, dice.split("-")) if throw else (0, 0)
    return State(own, rival, high, low, int(moves or 0))
