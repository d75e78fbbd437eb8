"""A random game of a few steps in which views and legal actions show, or hide, what happened before."""

from typing import NamedTuple

from komi.game import CHANCE

players = 2
actions = tuple(f"action {number}" for number in range(64))
STEPS = 5
CHOICES, SECRETS, ANYTHING = range(3)
DIGIT = 8  # more than there are events of one step


class Rules(NamedTuple):
    plan: int = 0
    hidden: int = CHOICES  # hidden are choices until the next one, what only some ever learn, or anything in any step
    leaks: int = 0  # of 64: in how many steps legal actions depend on all events, not only on those in view
    skips: int = 0  # of 64: how many events skip the next step
    laps: int = 0  # of 64: after how many last events play goes back, once, to an earlier step
    late: int = 0  # 1 if play begins in a later step, as if something had happened before


class State(NamedTuple):
    step: int
    events: int  # one digit in base DIGIT for each step before, the first is the lowest; 0 if nothing happened in it
    lap: int = 0


def drawn(rules, a, b, question):
    """Return a number from 0 to 63."""
    number = (rules.plan * 7919 + a * 613 + b * 104729 + question * 7 + 12345) % 2147483648
    for _ in range(3):
        number = (number * 1103515245 + 12345) % 2147483648
        number ^= number >> 11
    return (number >> 7) % 64


def start(rules):
    if rules.late == 0:
        return State(0, 0)
    if drawn(rules, 0, 0, 1) % 2:
        return State(1, 1 + drawn(rules, 0, 0, 2) % 3)
    return State(2, 1 + drawn(rules, 0, 0, 2) % 3 + DIGIT * (1 + drawn(rules, 0, 0, 3) % 3))


def seat(rules, step):
    """Return the seat to move: each player in turn for pairs of steps with choices."""
    if step == STEPS:
        return 0
    if rules.hidden == CHOICES:
        return (drawn(rules, step // 2, 0, 4) + step) % 2
    return drawn(rules, step, 0, 4) % 2


def by_chance(rules, step):
    likely = 8 if rules.hidden == CHOICES else 24 if step == 0 else 10
    return drawn(rules, step, 0, 5) < likely


def shown(rules, step, before, event):
    """Return what the mover in a step observes of an earlier event."""
    key = step * STEPS + before
    hides = drawn(rules, key, 0, 6) < 16
    if rules.hidden == CHOICES:
        hides = step % 2 == 1 and before == step - 1 and not by_chance(rules, before) and drawn(rules, step, 0, 6) < 56
    elif rules.hidden == SECRETS:
        key = seat(rules, step) * STEPS + before
        hides = (by_chance(rules, before) or seat(rules, before) != seat(rules, step)) and drawn(rules, key, 0, 6) < 36
    if not hides:
        return event
    form = drawn(rules, key, 0, 7) % 4
    return min(event, 1) if form == 3 else form


def view(rules, state):
    step, events, lap = state
    if step == STEPS or by_chance(rules, step):
        return state
    seen = 0
    unit = 1
    for before in range(step):
        seen += unit * shown(rules, step, before, events // unit % DIGIT)
        unit *= DIGIT
    return State(step, seen, lap if drawn(rules, step, 0, 8) < 32 else 0)


def legal(rules, state):
    step = state.step
    if by_chance(rules, step):
        yield CHANCE
        return
    leaks = drawn(rules, step, 0, 9) < rules.leaks
    known = state.events if leaks else view(rules, state).events
    form = drawn(rules, step, 0, 10) % 3
    way = drawn(rules, step, known, 11)
    low = drawn(rules, step, 0, 12) % 30
    high = low + 33 + drawn(rules, step, 0, 13) % (31 - low)
    if form == 0:  # 31 * (31 * 0 + low + 1) + high + 1 is the same for both
        yield low + way % 2
        yield high - 31 * (way % 2)
    elif form == 1:
        yield low if way % 2 else high
        yield high if way % 2 else low
    else:
        yield low + way % 2
        if way % 4 > 0:
            yield high
        if way % 4 == 3:
            yield 63 if high < 63 else 62


def outcomes(rules, state, action):
    step, events, _ = state
    unit = DIGIT**step
    if action == CHANCE:
        total = 2 + drawn(rules, step, events, 14) % 2
        for event in range(1, total + 1):
            yield 1 / total, *after(rules, state, events + unit * event)
        return
    event = 1
    for each in legal(rules, state):
        if each == action:
            break
        event += 1
    is_sure = (rules.hidden == CHOICES and step % 2 == 0) or drawn(rules, step, events + unit * event, 15) < 40
    if is_sure:
        yield 1.0, *after(rules, state, events + unit * event)
    else:
        likely = (1 + drawn(rules, step, events + unit * event, 16) % 3) / 4
        yield likely, *after(rules, state, events + unit * event)
        yield 1.0 - likely, *after(rules, state, events + unit * (event + 3))


def after(rules, state, events):
    """Return the state after these events, and the seats that the turn passes on."""
    step, _, lap = state
    key = STEPS * lap + step
    following = step + 1
    together = rules.hidden == CHOICES and step % 2 == 0
    if step + 2 < STEPS and not together and drawn(rules, key, events, 17) < rules.skips:
        following = step + 2
    elif not together and drawn(rules, key, events, 18) < 6:
        following = STEPS
    if following == STEPS and lap == 0 and drawn(rules, key, events, 19) < rules.laps:
        following = 1 + drawn(rules, key, events, 20) % 2
        events = events % DIGIT**following
        lap = 1
    elif following < STEPS and following % 2 == 0 and rules.hidden == CHOICES and drawn(rules, step, 0, 21) < 32:
        events = 1 + drawn(rules, step, events, 22) % 3  # many ways lead to one state
    return State(following, events, lap), (seat(rules, following) - seat(rules, step)) % 2


def over(rules, state):
    return state.step == STEPS


def payoff(rules, state):
    return drawn(rules, state.events, state.lap, 23) % 5 / 4
