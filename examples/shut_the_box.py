"""Shut the Box: shut tiles that add up to the throw of two dice, until no throw can be shut.

A traditional game, here alone, with tiles 1 to 9; one die is thrown once the open tiles add up to no more than 6. The
tiles are shut one by one, from the highest down: each that fits is offered once, and can be left if others make up the
rest of the throw.
"""

from typing import NamedTuple

from komi.game import CHANCE

players = 1
actions = ("shut", "leave")
SHUT, LEAVE = range(2)


class Rules(NamedTuple):
    tiles: int = 9  # the highest tile
    one_die: int = 6  # one die is thrown if the open tiles add up to no more than this; 0 for two dice always
    objective: str = "sum"  # the least sum of the tiles that stay open, or the best chance to shut the box


class State(NamedTuple):
    open: int = 0  # the open tiles; bit n - 1 for tile n
    left: int = 0  # points of the throw that are still to be shut; 0 before a throw
    tile: int = 0  # the tile on offer, the highest that can be shut
    stuck: int = 0  # 1 after a throw that cannot be shut


def limits(rules):
    return Rules(tiles=(1, 12), one_die=(0, 78), objective=("sum", "shut"))


def objective(rules):
    return "expected sum" if rules.objective == "sum" else "chance of shutting the box"


def aim(rules):
    return "least" if rules.objective == "sum" else "most"


def elements(rules):
    return {"open": tuple(str(tile) for tile in range(1, rules.tiles + 1))}


def start(rules):
    return State(open=(1 << rules.tiles) - 1)


def legal(rules, state):
    if state.left == 0:
        yield CHANCE
        return
    lower = _below(state.open, state.tile)
    if _can_shut(lower, state.left - state.tile):
        yield SHUT
    if _can_shut(lower, state.left):
        yield LEAVE


def outcomes(rules, state, action):
    if action == CHANCE and _total(state.open) <= rules.one_die:
        for die in range(1, 7):
            yield 1 / 6, _offer(state.open, die, rules.tiles), 0
    elif action == CHANCE:
        for total in range(2, 13):
            yield (6 - abs(total - 7)) / 36, _offer(state.open, total, rules.tiles), 0
    elif action == LEAVE:
        yield 1.0, _offer(state.open, state.left, state.tile - 1), 0
    else:
        yield 1.0, _offer(state.open - (1 << state.tile - 1), state.left - state.tile, state.tile - 1), 0


def _total(tiles):
    """Return the sum of the open tiles."""
    total = 0
    for tile in range(1, 13):
        total += tile * (tiles >> tile - 1 & 1)
    return total


def _below(tiles, tile):
    """Return the open tiles below a tile."""
    return tiles & ((1 << max(tile - 1, 0)) - 1)


def _can_shut(tiles, points):
    """Return whether some of these tiles add up to the points."""
    sums = 1  # bit n: some of the tiles add up to n
    for tile in range(1, 13):
        if tiles >> tile - 1 & 1:
            sums |= sums << tile
    return points >= 0 and sums >> max(points, 0) & 1 == 1


def _offer(tiles, left, highest):
    """Return the state in which the highest tile up to `highest` that can be shut is on offer."""
    if left == 0:
        return State(tiles, 0, 0, 0)
    for tile in range(highest, 0, -1):
        if tiles >> tile - 1 & 1 and _can_shut(_below(tiles, tile), left - tile):
            return State(tiles, left, tile, 0)
    return State(tiles, 0, 0, 1)


def over(rules, state):
    return state.stuck == 1 or state.open == 0


def reward(rules, state, action, after):
    if after.stuck == 0 or rules.objective == "shut":
        return 0.0
    return float(_total(after.open))


def payoff(rules, state):
    return 1.0 if state.open == 0 and rules.objective == "shut" else 0.0


def event(rules, state, action, after):
    if after.stuck:
        return "nothing fits"
    return "" if after.left == 0 else f"throw {after.left}"
