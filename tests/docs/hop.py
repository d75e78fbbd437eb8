"""Hop: step two fields, or try to hop three and stumble on one; the first at the goal wins."""

from typing import NamedTuple

actions = ("step", "hop")
STEP, HOP = range(2)
chances = (("good", "bad"),)


class Rules(NamedTuple):
    goal: int = 4  # fields to go
    players: int = 2
    chance: int = 1  # 0 if every hop succeeds
    good: float = 2.0  # weight of a hop that succeeds
    bad: float = 1.0  # weight of one that fails
    komi: int = 0  # fields that the second player starts ahead
    lead: int = 0  # fields that the first player starts ahead
    hidden: int = 0  # 1 if a player does not see how far the next player is


class State(NamedTuple):
    own: int = 0  # fields of the player to move
    next: int = 0  # fields of the next player
    last: int = 0  # fields of the third player
    path: int = 0  # with hidden=1: where the player to move has been, one bit each
    next_path: int = 0  # where the next player has been
    second: int = 0  # whether the second player is to move


def players(rules):
    return rules.players


def fields(rules):
    return State._fields if rules.hidden else State._fields[: rules.players]


def limits(rules):
    flag, weight = (0, 1), (0.01, 99.0)
    return Rules(goal=(3, 9), players=(1, 3), chance=flag, good=weight, bad=weight, komi=flag, lead=flag, hidden=flag)


def objective(rules):
    return "expected moves" if rules.players == 1 else "chance of winning"


def aim(rules):
    return "least" if rules.players == 1 else "most"


def start(rules):
    return State(rules.lead, rules.komi if rules.players > 1 else 0, 0)


def view(rules, state):
    return state._replace(next=0, next_path=0) if rules.hidden else state


def legal(rules, state):
    yield STEP
    if state.own < rules.goal - 2:
        yield HOP


def outcomes(rules, state, action):
    if action == STEP:
        yield 1.0, _passed(rules, state, 2), 1
        return
    chance = rules.good / (rules.good + rules.bad) if rules.chance else 1.0
    yield chance, _passed(rules, state, 3), 1
    if rules.chance:
        yield 1.0 - chance, _passed(rules, state, 1), 1


def _passed(rules, state, fields):
    own = min(state.own + fields, rules.goal)
    if rules.players == 1:
        return State(own, 0, 0)
    if rules.players == 2 and rules.hidden:
        return State(state.next, own, 0, state.next_path, state.path | 1 << own, 1 - state.second)
    if rules.players == 2:
        return State(state.next, own, 0)
    return State(state.next, state.last, own)


def _before(rules, state):
    """Return the fields of the player who has just moved."""
    if rules.players == 1:
        return state.own
    return state.next if rules.players == 2 else state.last


def over(rules, state):
    return _before(rules, state) >= rules.goal


def payoff(rules, state, seat=0):
    return 1.0 if rules.players > 1 and seat == rules.players - 1 else 0.0


def reward(rules, state, action, after):
    return 1.0 if rules.players == 1 else 0.0


def how_to_play(rules):
    return f"Step two fields, or try to hop three. Go {rules.goal} fields to win."
