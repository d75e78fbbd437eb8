"""Royal Game of Ur: race pieces over the board of Ur, on squares that both players share and may capture on.

The rules that I. Finkel read from a tablet of 177 BC, and two others that are played online (RoyalUr). `rules=finkel`
(the default): 7 pieces, four binary dice, 14 squares, the 5th to the 12th shared; a rosette (4th, 8th, 14th) gives
another throw and protects. `rules=blitz`: 5 pieces, four binary dice, 16 squares, all but the first four shared;
rosettes (every 4th) and captures give another throw, and nothing protects. `rules=masters`: 7 pieces, three binary
dice where 0 counts as 4, 16 squares; rosettes give another throw, captures do not, and nothing protects.

Pieces leave the board by an exact throw. A throw must be used if it can be; if not, the turn passes. The first player
to bring all pieces home wins.

Notation: the mover's pieces that are home, a colon, and the squares of their path (from 1) on which others stand; a
slash, and the same of the other player, on theirs; and where the dice are thrown a slash and the throw:
`2:1.4.8/0:2.13/3`. Who is not named waits to enter.
"""

from typing import NamedTuple

from komi.bitset import count
from komi.game import CHANCE
from komi.games._ur_board import (
    BELL,
    LENGTH,
    MASTERS,
    OWN_FIRST,
    PLACES,
    ROSETTE_PLACES,
    ROSETTES,
    SHARED,
    TURNED,
    number,
    on_path,
    shared_of,
    stands_mine,
    stands_theirs,
    unshared_of,
)

players = 2
MAX_THROWN = 4
FOUR_DICE = (1 / 16, 4 / 16, 6 / 16, 4 / 16, 1 / 16)  # the chances of 0 to 4
THREE_DICE = (0.0, 3 / 8, 3 / 8, 1 / 8, 1 / 8)  # 0 counts as 4


class Rules(NamedTuple):
    rules: str = "finkel"
    pieces: int = 0  # of each player; 0: as many as the rules say, 7 or 5


class State(NamedTuple):  # as the player to move sees it
    home: int  # own pieces that have left the board
    rival_home: int  # the opponent's
    own: int  # squares of the own path on which own pieces stand, a set; those shared are left out
    rival: int  # the same of the opponent, on the opponent's path
    shared: int  # who stands on the shared squares, a number in base 3: 1 the mover, 2 the opponent
    throw: int  # what the dice show; 0: not yet thrown


def limits(rules):
    return Rules(rules=("finkel", "blitz", "masters"), pieces=(0, 7))


def _pieces(rules):
    if rules.pieces > 0:
        return rules.pieces
    return 5 if rules.rules == "blitz" else 7


def _path(rules):
    return BELL if rules.rules == "finkel" else MASTERS


def start(rules):
    return State(0, 0, 0, 0, 0, 0)


def domains(rules):
    path, pieces = _path(rules), range(_pieces(rules) + 1)
    own = set(range(LENGTH[path] - SHARED[path]))
    return State(pieces, pieces, own=own, rival=own, shared=range(3 ** SHARED[path]), throw=range(MAX_THROWN + 1))


def possible(rules, state):
    home, rival_home, own, rival, shared, throw = state
    path, pieces = _path(rules), _pieces(rules)
    unshared = 1 << LENGTH[path] - SHARED[path]
    if not (0 <= throw <= MAX_THROWN and 0 <= shared < 3 ** SHARED[path] and 0 <= own < unshared):
        return False
    if not (0 <= rival < unshared and 0 <= home < pieces and 0 <= rival_home < pieces):
        return False
    mine, theirs = home + count(own) + count(stands_mine(shared)), count(rival) + count(stands_theirs(shared))
    if mine > pieces or rival_home + theirs > pieces:
        return False
    return throw == 0 or _moves(rules, state, throw) != 0


def transient(rules, state):
    return state.throw > 0


# An action is the square that a piece moves from, from 1 on; 0: a waiting piece enters.


def action_count(rules):
    return LENGTH[_path(rules)] + 1


def label(rules, state, action):
    to = action + state.throw
    if to > LENGTH[_path(rules)]:
        return f"{action} home"
    return f"{action} to {to}" if action else f"enter at {to}"


def legal(rules, state):
    if state.throw == 0:
        yield CHANCE
    else:
        moves = _moves(rules, state, state.throw)
        for action in range(LENGTH[_path(rules)] + 1):
            if moves >> action & 1:
                yield action


def _moves(rules, state, throw):
    """Return the set of legal actions after a throw."""
    path = _path(rules)
    pieces, theirs = on_path(path, state.own, stands_mine(state.shared)), stands_theirs(state.shared)
    waiting = _pieces(rules) - state.home - count(pieces)
    safe = ROSETTES[path] if rules.rules == "finkel" else 0
    taken = pieces | theirs << OWN_FIRST & safe
    reached = (pieces << 1 | (waiting > 0)) << throw & (1 << LENGTH[path] + 2) - 1
    return (reached & ~(taken << 1)) >> throw


def outcomes(rules, state, action):
    """Yield (probability, next state, seats the turn passes on)."""
    home, rival_home, own, rival, shared, throw = state
    path = _path(rules)
    if action == CHANCE:
        unusable = 0.0
        chances = THREE_DICE if rules.rules == "masters" else FOUR_DICE
        for thrown in range(MAX_THROWN + 1):
            if thrown > 0 and _moves(rules, state, thrown) != 0:
                if chances[thrown] > 0.0:
                    yield chances[thrown], State(home, rival_home, own, rival, shared, thrown), 0
            else:
                unusable += chances[thrown]
        if unusable > 0.0:
            yield unusable, _passed(path, home, rival_home, own, rival, shared), 1
        return
    to = action + throw
    mine, theirs = stands_mine(shared), stands_theirs(shared)
    pieces = on_path(path, own, mine)
    if action > 0:
        pieces &= ~(1 << (action - 1))
    again = False
    if to > LENGTH[path]:
        home += 1
    else:
        landing = 1 << (to - 1)
        pieces |= landing
        captured = theirs & landing >> OWN_FIRST
        theirs &= ~captured
        again = ROSETTES[path] & landing > 0 or (captured > 0 and rules.rules == "blitz")
    own, shared = unshared_of(path, pieces), number(shared_of(path, pieces), theirs)
    if again:
        yield 1.0, State(home, rival_home, own, rival, shared, 0), 0
    else:
        yield 1.0, _passed(path, home, rival_home, own, rival, shared), 1


def _passed(path, home, rival_home, own, rival, shared):
    """Return the state as seen by the other player."""
    turned = number(TURNED[path][stands_theirs(shared)], TURNED[path][stands_mine(shared)])
    return State(rival_home, home, rival, own, turned, 0)


def event(rules, state, action, after):
    return str(after.throw) if after.throw else "no throw to use"


def over(rules, state):
    return state.rival_home == _pieces(rules)


def payoff(rules, state):
    return 0.0  # the opponent's last piece has just come home


def stage(rules, state):
    """Return the stage: it increases with the pieces at home, which never come back."""
    return 8 * (state.home + state.rival_home) + abs(state.home - state.rival_home)


def order(rules, state):
    """Return the total number of squares that all pieces on the board have moved."""
    path = _path(rules)
    mine, theirs = stands_mine(state.shared), stands_theirs(state.shared)
    pieces = on_path(path, state.own, mine), on_path(path, state.rival, theirs)
    moved = 0
    for square in range(LENGTH[path]):
        moved += (square + 1) * ((pieces[0] >> square & 1) + (pieces[1] >> square & 1))
    return moved


def leader(rules, state):
    if state.home == state.rival_home:
        return -1
    return 0 if state.home > state.rival_home else 1


def write(rules, state):
    path = _path(rules)
    mine, theirs = _both(path, state)
    parts = [f"{state.home}:{_squares(mine)}", f"{state.rival_home}:{_squares(theirs)}"]
    return "/".join(parts + [str(state.throw)] * (state.throw > 0))


def _both(path, state):
    """Return the squares of the mover's pieces, and those of the other player's on their own path, as sets."""
    theirs = TURNED[path][stands_theirs(state.shared)]
    return on_path(path, state.own, stands_mine(state.shared)), on_path(path, state.rival, theirs)


def _squares(pieces):
    return ".".join(str(square + 1) for square in range(16) if pieces >> square & 1)


def read(rules, text):
    path = _path(rules)
    parts = text.strip().split("/")
    if len(parts) not in (2, 3):
        raise ValueError("it must be two players' pieces, and a throw if there is one, with / between them")
    home, pieces = _side(path, parts[0])
    rival_home, rivals = _side(path, parts[1])
    throw = int(parts[2]) if len(parts) == 3 and parts[2].isdecimal() else 0
    if len(parts) == 3 and not 1 <= throw <= MAX_THROWN:
        raise ValueError(f"{parts[2]!r} is not a throw, only 1 to {MAX_THROWN} are")
    mine, theirs = shared_of(path, pieces), TURNED[path][shared_of(path, rivals)]
    if mine & theirs:
        raise ValueError("pieces of both players stand on one square")
    shared = number(mine, theirs)
    return State(home, rival_home, unshared_of(path, pieces), unshared_of(path, rivals), shared, throw)


def _side(path, text):
    """Parse one player's pieces into the number of pieces at home and the set of occupied squares."""
    home, colon, squares = text.partition(":")
    if not (home.strip().isdecimal() and colon):
        raise ValueError(f"{text!r} is not the number of pieces home, a colon, and squares with dots between them")
    pieces = 0
    for square in filter(None, squares.split(".")):
        if not (square.strip().isdecimal() and 1 <= int(square) <= LENGTH[path]):
            raise ValueError(f"{square!r} is not a square, only 1 to {LENGTH[path]} are")
        if pieces >> (int(square) - 1) & 1:
            raise ValueError(f"square {square} is named twice")
        pieces |= 1 << (int(square) - 1)
    return int(home), pieces


def board(rules, state):
    """Yield (row, column, piece, 1 for a rosette) for each square."""
    path = _path(rules)
    stands = {}
    mine, theirs = _both(path, state)
    for colour, pieces, places in zip(("white", "black"), (mine, theirs), PLACES[path], strict=True):
        stands |= {place: colour for square, place in enumerate(places) if pieces >> square & 1}
    for place in sorted({*PLACES[path][0], *PLACES[path][1]}):
        yield place // 3, place % 3, stands.get(place, ""), int(place in ROSETTE_PLACES)


def square(rules, state, action):
    """Return the row and column of the piece that moves; None if it enters from outside the board."""
    if action <= 0:
        return None
    return divmod(PLACES[_path(rules)][0][action - 1], 3)


def target(rules, state, action):
    """Return the row and column that the piece moves to; None if it leaves the board."""
    to = action + state.throw
    return None if action < 0 or to > LENGTH[_path(rules)] else divmod(PLACES[_path(rules)][0][to - 1], 3)


def beside(rules, state):
    """Yield (label, colour, number of pieces) for the pieces beside the board."""
    for colour, home, pieces in zip(
        ("white", "black"), (state.home, state.rival_home), _both(_path(rules), state), strict=True
    ):
        yield "waiting", colour, _pieces(rules) - home - int(pieces).bit_count()
        yield "home", colour, home


def throw(rules, state):
    """Return the number of dice that show their mark, and the number of dice; None before the throw."""
    dice = 3 if rules.rules == "masters" else 4
    return None if state.throw == 0 else (state.throw if state.throw <= dice else 0, dice)


def turned(rules, state):
    """Return the state as seen by the other player."""
    others = _passed(_path(rules), *state[:5])
    return others._replace(shared=int(others.shared), throw=state.throw)


def hunts(rules, state, action):
    """Take a rival's piece if possible, else move to a rosette, else move a piece home, else move the foremost one."""
    path, to = _path(rules), action + state.throw
    if to > LENGTH[path]:
        return 100.0
    landing = 1 << (to - 1)
    if stands_theirs(state.shared) << OWN_FIRST & landing > 0:
        return 300.0 + to
    if ROSETTES[path] & landing > 0:
        return 200.0 + to
    return 1.0 * to


policies = (hunts,)


def opponents(rules):
    """Yield (policy, description) for each opponent."""
    yield "random", "Picks any legal move."
    yield "hunts", "Captures if it can, else goes to a rosette or home, else moves its foremost piece."
    yield "optimal", "Plays optimally: no one can do better."


def how_to_play(rules):
    return """
    Race your pieces along the board of Ur. Throw, move one piece, and capture on the squares that both use.

    Each turn begins with a throw, which says how many squares one of your pieces must move: enter a new piece, move
    one on, or bring one home by the exact number. You may not land on your own pieces. Landing on an opponent's
    piece sends it back to the start. A rosette gives another throw; by Finkel's rules a piece there is also safe.
    If nothing can move, the turn passes.

    The first few squares are each player's own, then both share a lane. The first player to bring all pieces home wins.

    Example: you throw 4 and enter a piece on the 4th square, a rosette. You throw again: a 2 takes the piece to the
    6th square, where an opponent's piece stands, which goes back to the start.
    """
