"""Little Battleship: each hides a ship of two squares in a row, then they shoot in turn; both squares hit sink it."""

from typing import NamedTuple

players = 2


class Rules(NamedTuple):
    squares: int = 3  # squares in each row


class State(NamedTuple):
    ship: int = 0  # the left square of my ship, counted from 1; 0 before it is placed
    target: int = 0  # the left square of the rival's ship
    shots: int = 0  # squares that I have shot at
    hits: int = 0  # those that hit
    rival_shots: int = 0  # squares that the rival has shot at
    rival_hits: int = 0  # those that hit
    second: int = 0  # 1 for the second player


def limits(rules):
    return Rules(squares=(2, 6))


def label(rules, state, action):
    return f"hide at {action + 1}" if state.ship == 0 else f"shoot at {action + 1}"


def action_count(rules):
    return rules.squares


def start(rules):
    return State()


def legal(rules, state):
    if state.ship == 0:
        for i in range(rules.squares - 1):
            yield i
    else:
        for i in range(rules.squares):
            if not state.shots >> i & 1:
                yield i


def swap(state):
    return State(
        state.target, state.ship, state.rival_shots, state.rival_hits, state.shots, state.hits, 1 - state.second
    )


def outcomes(rules, state, action):
    if state.ship == 0:
        yield 1.0, swap(state._replace(ship=action + 1)), 1
    else:
        hit = 1 if action == state.target - 1 or action == state.target else 0
        yield 1.0, swap(state._replace(shots=state.shots | 1 << action, hits=state.hits | hit << action)), 1


def over(rules, state):
    return state.ship > 0 and state.rival_hits == 3 << (state.ship - 1)


def payoff(rules, state):
    return 0.0


def view(rules, state):
    return state._replace(target=0)


def turned(rules, state):
    return swap(state)


def open_actions(rules, state, action):
    return state.ship > 0
