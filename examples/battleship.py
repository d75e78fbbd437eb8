"""Battleship on a small sea: hide a ship, then shoot at the other one in turn; the first to sink it wins.

Squares are numbered row by row, and named by their column and row: a1, b1. Nobody shoots at a square twice, and the
game ends without a winner if both ships are afloat after the last shot. These are the rules of OpenSpiel's battleship
with one ship and without repeated shots.
"""

from typing import NamedTuple

players = 2


class Rules(NamedTuple):
    width: int = 3  # squares in a row
    height: int = 2  # squares in a column
    length: int = 2  # squares of a ship
    shots: int = 2  # of each player


class State(NamedTuple):  # as the player to move sees it
    ship: int = 0  # where my ship lies: 1 + twice its first square, 1 more if it lies down the column; 0 before
    target: int = 0  # where the rival's ship lies
    shots: int = 0  # my shots in order: a digit for each, 1 + its square, in the base squares + 1
    hits: int = 0  # a bit for each square that I have hit
    rival_shots: int = 0
    rival_hits: int = 0
    second: int = 0  # 1 if I am the second player


def limits(rules):
    return Rules(width=(2, 4), height=(1, 4), length=(1, 3), shots=(1, 6))


def start(rules):
    return State()


def covered(rules, ship):
    """Return a bit for each square of a ship; none if it is hidden, or not yet placed."""
    if ship == 0:
        return 0
    square, step = (ship - 1) // 2, rules.width if (ship - 1) % 2 else 1
    squares = 0
    for place in range(rules.length):
        squares |= 1 << square + place * step
    return squares


def fits(rules, ship):
    square, is_down = (ship - 1) // 2, (ship - 1) % 2
    if is_down:
        return rules.length > 1 and square // rules.width + rules.length <= rules.height
    return square % rules.width + rules.length <= rules.width


def shot_at(rules, shots):
    """Return a bit for each square that was shot at."""
    squares = 0
    while shots > 0:
        squares |= 1 << shots % (rules.width * rules.height + 1) - 1
        shots //= rules.width * rules.height + 1
    return squares


def domains(rules):
    squares = rules.width * rules.height
    ship, shots, hits = range(2 * squares + 1), range((squares + 1) ** rules.shots), set(range(squares))
    return State(ship, 0, shots, hits, rival_shots=shots, rival_hits=hits, second=range(2))


def legal(rules, state):
    for number in range(2 * rules.width * rules.height):
        if state.ship == 0:
            if fits(rules, number + 1):
                yield number
        elif number < rules.width * rules.height and not shot_at(rules, state.shots) >> number & 1:
            yield number


def turned(rules, state):
    return State(
        state.target, state.ship, state.rival_shots, state.rival_hits, state.shots, state.hits, 1 - state.second
    )


def outcomes(rules, state, action):
    if state.ship == 0:
        yield 1.0, turned(rules, state._replace(ship=action + 1)), 1
    else:
        shots = state.shots * (rules.width * rules.height + 1) + action + 1
        hits = state.hits | covered(rules, state.target) & 1 << action
        yield 1.0, turned(rules, state._replace(shots=shots, hits=hits)), 1


def is_sunk(rules, ship, hits):
    return ship > 0 and hits == covered(rules, ship)


def over(rules, state):
    last = (rules.width * rules.height + 1) ** (rules.shots - 1)  # the least number with so many digits
    return is_sunk(rules, state.ship, state.rival_hits) or min(state.shots, state.rival_shots) >= last


def payoff(rules, state):
    return 0.0 if is_sunk(rules, state.ship, state.rival_hits) else 0.5


def view(rules, state):
    return state._replace(target=0)


def deal(rules, view, uniform):
    if view.ship == 0 and view.second == 0:
        return view
    shots, possible = shot_at(rules, view.shots), 0
    for ship in range(1, 2 * rules.width * rules.height + 1):
        possible += fits(rules, ship) and covered(rules, ship) & shots == view.hits
    number = int(uniform * possible)
    for ship in range(1, 2 * rules.width * rules.height + 1):
        if fits(rules, ship) and covered(rules, ship) & shots == view.hits:
            if number == 0:
                return view._replace(target=ship)
            number -= 1
    return view


def open_actions(rules, state, action):
    return state.ship > 0


def table(rules, state):
    """Yield where a ship can be hidden, or both seas: ships where they are seen, and all shots."""
    is_hiding = state.ship == 0 and state.shots + state.rival_shots == 0 and (state.target == 0 or state.second == 1)
    for number in range(rules.width * rules.height):
        row, column = divmod(number, rules.width)
        if is_hiding and fits(rules, 2 * number + 1):
            yield "square", "Hide across, from", 0, name(rules, number), row, column, 2 * number
        if is_hiding and fits(rules, 2 * number + 2):
            yield "square", "Hide down, from", 0, name(rules, number), row, column, 2 * number + 1
        if not is_hiding:
            theirs = shown(rules, number, state.target, state.shots, state.hits)
            yield "square", "Sea", 1, theirs, row, column, number
            mine = shown(rules, number, state.ship, state.rival_shots, state.rival_hits)
            yield "square", "Sea", 0, mine, row, column


def shown(rules, number, ship, shots, hits):
    """Return what a square of a sea shows: a shot, a ship that is seen, or its name."""
    if shot_at(rules, shots) >> number & 1:
        return "red: hit" if hits >> number & 1 else "miss"
    return "green: ship" if covered(rules, ship) >> number & 1 else name(rules, number)


def name(rules, number):
    """Return the name of a square, such as b1: the second of the first row."""
    return f"{'abcdefgh'[number % rules.width]}{number // rules.width + 1}"


def action_count(rules):
    return 2 * rules.width * rules.height


def label(rules, state, action):
    if state.ship > 0:
        return f"shoot at {name(rules, action)}"
    return f"hide from {name(rules, action // 2)} {'down' if action % 2 else 'across'}"
