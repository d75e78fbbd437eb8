"""A random dice game whose stored states differ in the fields of the roll, with promises that are right or broken.

Inside a roll only the die changes. What a throw leads to follows from the die, and on the ways out from the mode, too;
an action may need a score. With `broken` above 0 one state breaks a promise.
"""

from typing import NamedTuple

actions = ("first", "second", "third", "cash")
CASH = 3
UNBROKEN, CHANCES, ACTIONS, EXITS, MODES, REWARDS = range(6)
"""What breaks a hint: inside a roll chances, actions or rewards depend on a total, or on the mode; exits differ."""


class Rules(NamedTuple):
    plan: int = 0
    seats: int = 2
    faces: int = 5  # values of the die
    stored: int = 32  # values of the die out of 64 that are not transient
    modes: int = 2
    goal: int = 3
    chained: int = 0  # ways out of 64 that lead into the next roll, where there is something to choose
    promised: bool = True  # whether states are transient, and 'roll' and 'totals' are given
    broken: int = 0  # which promise is broken, most of them where the score is 1


class State(NamedTuple):
    score: int
    rival: int  # with one seat: how many turns are over
    die: int
    mode: int


def players(rules):
    return rules.seats


def roll(rules):
    return ("die",) if rules.promised else ()


def totals(rules):
    return ("score", "rival") if rules.promised else ()


def drawn(rules, die, mode, action, outcome, question):
    """Return a number from 0 to 63."""
    number = rules.plan * 7919 + die * 613 + mode * 4099 + action * 101 + outcome * 29 + question * 7 + 12345
    number %= 2147483648
    for _ in range(3):
        number = (number * 1103515245 + 12345) % 2147483648
        number ^= number >> 11
    return (number >> 7) % 64


def momentary(rules, die):
    return drawn(rules, die, 0, 0, 0, 0) >= rules.stored and die > 0


def transient(rules, state):
    return rules.promised and momentary(rules, state.die)


def start(rules):
    return State(0, 0, 0, 0)


def legal(rules, state):
    die, breaks = state.die, state.score == 1
    count = 1 + drawn(rules, die, 0, 0, 0, 1) % 3
    if rules.broken == ACTIONS and breaks and momentary(rules, die):
        count = 1 + count % 3
    yield from range(count)
    if momentary(rules, die):
        if drawn(rules, die, 0, 0, 0, 2) < 16:
            yield CASH
    elif state.score >= drawn(rules, die, 0, 0, 0, 3) % 4:  # actions before a roll may depend on the totals
        yield CASH


def outcomes(rules, state, action):
    """Yield (probability, next state, seats the turn passes on)."""
    score, rival, die, mode = state
    breaks = score == 1
    inner_mode = mode if rules.broken == MODES or not momentary(rules, die) else 0
    if action == CASH:
        gain = 1 + drawn(rules, die, mode, action, 0, 4) % 2
        if rules.broken == EXITS and breaks:
            gain = 3 - gain
        yield way_out(rules, state, gain, 0, 0, 1)
        return
    count = 1 + drawn(rules, die, inner_mode, action, 0, 5) % 3
    total = 0
    for outcome in range(count):
        total += 1 + drawn(rules, die, inner_mode, action, outcome, 6) % 4
    for outcome in range(count):
        probability = (1 + drawn(rules, die, inner_mode, action, outcome, 6) % 4) / total
        if rules.broken == CHANCES and breaks and momentary(rules, die) and count > 1:
            probability = probability / 2 if outcome else probability + (1.0 - probability) / 2
        after = 1 + drawn(rules, die, inner_mode, action, outcome, 7) % (rules.faces - 1)
        inner = drawn(rules, die, inner_mode, action, outcome, 8) < 48 and after > die
        if inner and momentary(rules, after):
            yield probability, State(score, rival, after, mode), 0
        else:
            gain = drawn(rules, die, mode, action, outcome, 9) % 3
            passes = drawn(rules, die, mode, action, outcome, 10) % 2
            chained = gain > 0 and drawn(rules, die, mode, action, outcome, 13) < rules.chained
            kept = drawn(rules, die, mode, action, outcome, 11) < 32 and not momentary(rules, after)
            next_die = after if chained or kept else 0
            next_mode = drawn(rules, die, mode, action, outcome, 12) % rules.modes
            yield (probability, *way_out(rules, state, gain, next_die, next_mode, passes)[1:])


def way_out(rules, state, gain, die, mode, passes):
    """Return the target of an exit of the roll."""
    score, rival = state.score + gain, state.rival
    if rules.seats == 1:
        return 1.0, State(score, rival + 1, die, mode), 1
    if passes:
        return 1.0, State(rival, score, die, mode), 1
    return 1.0, State(score, rival, die, mode), 0


def over(rules, state):
    return state.score >= rules.goal or state.rival >= (4 if rules.seats == 1 else rules.goal)


def payoff(rules, state):
    return 1.0 if state.score >= rules.goal else 0.0
