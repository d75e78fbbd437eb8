"""Pass the Pigs: throw two rubber pigs as often as you dare; on opposite sides they end the turn with nothing.

D. Moffat, 1977, with the official scores. How a pig lands is counted, not calculated: the chances are in proportion
to six counts, by default those of 3939 throws by J. C. Wong; `throws=kern` takes the 11,954 of J. C. Kern, Journal of
Statistics Education 14(3), 2006. Both pigs land independently, except that they may touch (oinker: the score is lost
too) or lie on each other (piggyback: the player is out, and the other wins), which are said to happen so rarely that
their chances are 0 by default. A turn begins with a throw; the first player to stop with the goal reached wins. A
piggyback at a table of more than two would leave the others playing on, and is not offered there.
"""

from typing import NamedTuple

from komi.games._seats import are_below, before, handicaps, most_komi, passed

actions = ("throw", "hold")
chances = (("right", "left", "razorback", "trotter", "snouter", "jowler"),)
THROW, HOLD = range(2)
OUT = -1  # in place of a score: the player is out
MAX_POINTS = 60  # of a throw
KERN = (3607.0, 4180.0, 2674.0, 1057.0, 363.0, 73.0)


class Rules(NamedTuple):
    goal: int = 100  # points that win
    throws: str = "counts"  # which throws give the chances: the six counts that follow, or kern
    right: float = 1344.0  # times a pig lay on its right side
    left: float = 1294.0  # times it lay on its left side, that with the dot
    razorback: float = 767.0  # times it lay on its back
    trotter: float = 365.0  # times it stood
    snouter: float = 137.0  # times it leaned on its snout
    jowler: float = 32.0  # times it leaned on a jowl and an ear
    oinker: float = 0.0  # chance that the pigs touch
    piggyback: float = 0.0  # chance that one lies on the other
    komi: int = 0  # points the second player starts with; the third starts with twice as many, and so on
    players: int = 2


class State(NamedTuple):  # as the player to move sees it
    score: int  # own points
    rival: int  # the opponent's points, -1 if out; with more than two players those of the next
    turn: int  # points thrown this turn, at risk
    rival2: int = 0  # points of the next player but one, with three or more
    rival3: int = 0  # points of the last player, with four


def players(rules):
    return rules.players


def fields(rules):
    return State._fields[: rules.players + 1]


def limits(rules):
    others = rules.left + rules.razorback + rules.trotter + rules.snouter + rules.jowler
    counts = (0.0, 1e9)
    return Rules(
        goal=(1, 1000),
        throws=("counts", "kern"),
        right=counts if others > 0.0 else (1.0, 1e9),  # a pig must land somehow
        left=counts,
        razorback=counts,
        trotter=counts,
        snouter=counts,
        jowler=counts,
        oinker=(0.0, 0.99),
        piggyback=(0.0, 0.99 - rules.oinker if rules.players == 2 else 0.0),
        komi=(0, most_komi(rules.players, rules.goal)),
        players=(2, 4),
    )


def start(rules):
    score, rival, rival2, rival3 = handicaps(rules.players, rules.komi)
    return State(score, rival, 0, rival2, rival3)


def domains(rules):
    least = OUT if rules.piggyback else 0
    points, beyond = range(least, rules.goal), range(least, rules.goal + MAX_POINTS)
    last = [beyond if seat == rules.players - 1 else points for seat in range(4)]  # who has just held
    return State(points, last[1], turn=range(rules.goal + MAX_POINTS), rival2=last[2], rival3=last[3])


def possible(rules, state):
    in_range = are_below(rules.players, rules.goal, state.score, state.rival, state.rival2, state.rival3)
    return in_range and 0 <= state.turn < rules.goal - state.score + MAX_POINTS


def legal(rules, state):
    if state.score + state.turn < rules.goal:  # with the goal reached, holding wins
        yield THROW
    if state.turn > 0:
        yield HOLD


def outcomes(rules, state, action):
    """Yield (probability, next state, seats the turn passes on)."""
    if action == HOLD:
        yield 1.0, _passed(rules, state, state.score + state.turn), 1
        return
    right, left, razorback, trotter, snouter, jowler = _chances(rules)
    side, five, apart = right + left, razorback + trotter, 1.0 - rules.oinker - rules.piggyback
    for points, chance in (
        (1, right * right + left * left),
        (5, 2.0 * side * five),
        (10, 2.0 * side * snouter + 2.0 * razorback * trotter),
        (15, 2.0 * side * jowler + 2.0 * five * snouter),
        (20, razorback * razorback + trotter * trotter + 2.0 * five * jowler),
        (25, 2.0 * snouter * jowler),
        (40, snouter * snouter),
        (60, jowler * jowler),
    ):
        if chance > 0.0:
            yield apart * chance, State(state.score, state.rival, state.turn + points, state.rival2, state.rival3), 0
    if right * left > 0.0:
        yield apart * (2.0 * right * left), _passed(rules, state, state.score), 1
    if rules.oinker > 0.0:
        yield rules.oinker, _passed(rules, state, 0), 1
    if rules.piggyback > 0.0:
        yield rules.piggyback, _passed(rules, state, OUT), 1


def _chances(rules):
    """Return the probabilities of the six positions in which a pig can land, from right side to jowler."""
    right, left, razorback, trotter, snouter, jowler = KERN
    if rules.throws == "counts":
        right, left, razorback = rules.right, rules.left, rules.razorback
        trotter, snouter, jowler = rules.trotter, rules.snouter, rules.jowler
    total = right + left + razorback + trotter + snouter + jowler
    return right / total, left / total, razorback / total, trotter / total, snouter / total, jowler / total


def _passed(rules, state, own):
    """Return the state after a turn that leaves the mover with `own` points, as seen by the next player."""
    score, rival, rival2, rival3 = passed(rules.players, own, state.rival, state.rival2, state.rival3)
    return State(score, rival, 0, rival2, rival3)


def event(rules, state, action, after):
    if after.turn > 0:
        return f"{after.turn - state.turn} points"
    own = before(rules.players, after.rival, after.rival2, after.rival3)
    if own == OUT:
        return "piggyback"
    if own < state.score:
        return "oinker"
    return "pig out or oinker" if rules.oinker > 0.0 and state.score == 0 else "pig out"


def over(rules, state):
    own = before(rules.players, state.rival, state.rival2, state.rival3)
    return own >= rules.goal or own == OUT


def payoff(rules, state, seat=0):
    if state.rival == OUT:  # of two players
        return 1.0 if seat == 0 else 0.0
    return 1.0 if seat == rules.players - 1 else 0.0  # the player before has just reached the goal


LANDINGS = {
    1: ("pig: on one side", "pig: on the same side"),
    5: ("pig: on its side", "pig: razorback or trotter"),
    10: ("pig: snouter, or razorback", "pig: on its side, or trotter"),
    15: ("pig: jowler, or snouter", "pig: on its side, or razorback or trotter"),
    20: ("pig: razorback or trotter", "pig: the same, or jowler"),
    25: ("pig: snouter", "pig: jowler"),
    40: ("pig: snouter", "pig: snouter"),
    60: ("pig: jowler", "pig: jowler"),
}
"""How both pigs can have landed, by the points of a throw."""


def table(rules, state):
    yield "counter", "This turn", -1, "points at risk", state.turn


def laid(rules, event):
    """Yield the pigs, as far as the event tells how they have landed."""
    if event == "pig out":
        yield "token", "Last throw", -1, "pig: on its left side"
        yield "token", "Last throw", -1, "pig: on its right side"
    elif event[-7:] == " points":
        for landing in LANDINGS[int(event[:-7])]:
            yield "token", "Last throw", -1, landing
        yield "counter", "Last throw", -1, "points", int(event[:-7])
    else:
        yield "token", "Last throw", -1, event


def how_to_play(rules):
    return f"""
    Throw two pigs as often as you dare, and hold before they land on opposite sides. First to {rules.goal} points
    wins.

    How the pigs land says what a throw scores. Both on the same side: 1. One on its back (razorback) or standing
    (trotter): 5; on its snout (snouter): 10; on jowl and ear (jowler): 15. Both pigs count, and two alike count
    double: two trotters 20. On opposite sides the turn ends, and the points at risk are lost. Throw again, or hold
    to bank the points. Where the rules allow for it, pigs that touch cost the whole score, and a pig on top of the
    other loses.

    Example: you throw a trotter (5) and then a razorback with a snouter (15), and hold: 20 points. Your opponent
    throws opposite sides at once, and scores nothing.
    """
