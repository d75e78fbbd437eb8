"""A finished game looked back on: how the chance of winning went, what was given away, and what was luck.

Let V be one seat's chance of winning, all playing on optimally, before the first entry of the log and after each; its
last value is the result. In a game for one player it is the objective: what was gained, and what can still be. An
action that waits for its event has the expected V of what can come of it. Then the steps of V at
chance events are luck, those at actions what the seat gave away (never up) or was given (never down), and

    result - V at the start = luck + skill,    skill = gifts - mistakes

but for rounding, and the second, of one or two players, but for the solution's error bound. Where one player wants the
least, mistakes raise V and skill = mistakes. Who resigns gives away what the game was still worth to them. A game that
stopped because a position came too often has the first only: a draw can then be more than the loser could have had by
playing on.

The accuracy of a seat is the share that it kept of all that its decisions could have given away,

    accuracy = 1 - (sum of losses) / (sum over its decisions of best - worst)

so that the best decision at every turn makes 1, and the worst at every turn 0.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from komi.game import Event
from komi.methods.answer import Answer
from komi.play.reasons import Part, reasons
from komi.play.table import Entry, Table

ROUNDING = 1e-12  # of a loss: so little is none


@dataclass(frozen=True)
class Decision:
    """One choice, looked back on.

    Attributes:
        number: its entry in the log.
        seat: who chose.
        state: where, as this seat saw it.
        chosen: the action.
        best: the best action; the chosen one if it is as good.
        worth: of each action to the seat, best first.
        loss: chance of winning, or objective, given away.
        reasons: why the actions are worth so much, if something was given away; see `komi.play.reasons`.
    """

    number: int
    seat: int
    state: Any
    chosen: str
    best: str
    worth: dict[str, float]
    loss: float
    reasons: dict[str, list[Part]]


@dataclass(frozen=True)
class Review:
    """A game as one seat looks back on it.

    Attributes:
        seat: the seat.
        decisions: of all seats.
        worst: the number of the seat's decision that gave most away; None if none gave anything.
        start: its chance of winning at the start.
        curve: its chance after each entry of the log; in the end the result.
        luck: what the chance events added to it.
        mistakes: what its decisions gave away.
        gifts: what the opponent's decisions gave it.
        accuracy: the share of what its decisions could have given away that it kept; None if nothing was at stake.
    """

    seat: int
    decisions: list[Decision]
    worst: int | None
    start: float
    curve: list[float]
    luck: float
    skill: float
    mistakes: float
    gifts: float
    accuracy: float | None


def review(solution: Answer[Any], table: Table, seat: int) -> Review:
    """Look back on a game.

    Args:
        solution: optimal play of the game.
        table: the game, finished or not.
        seat: who looks back.
    """
    start, steps = _steps(solution, table, seat)
    curve = [step.after for step in steps]
    before = [start, *curve][: len(steps)]
    moves = list(zip(before, steps, strict=True))
    decisions = list(_decisions(solution, table, seat, steps))
    own = [decision for decision in decisions if decision.seat == seat]
    worst = max(own, key=lambda decision: decision.loss, default=None)
    given_up = 0.0 if table.resigned is None or table.payoffs is None else table.payoffs[seat] - (curve or [start])[-1]
    has_resigned = table.resigned == seat
    at_stake = sum(max(decision.worth.values()) - min(decision.worth.values()) for decision in own)
    lost = sum(decision.loss for decision in own)
    return Review(
        seat,
        decisions,
        worst.number if worst and worst.loss else None,
        start,
        curve,
        sum(step.after - earlier for earlier, step in moves if step.entry.kind == "event"),
        sum(step.after - earlier for earlier, step in moves if step.entry.kind == "action") + given_up,
        lost - has_resigned * given_up,
        sum(decision.loss for decision in decisions if decision.seat != seat) + (not has_resigned) * given_up,
        1.0 - lost / at_stake if at_stake > 0.0 else None,
    )


@dataclass(frozen=True)
class _Step:
    """An entry of the log with V after it, and what the seat had gained before it."""

    entry: Entry
    after: float
    gained: float


def _steps(solution: Answer[Any], table: Table, seat: int) -> tuple[float, list[_Step]]:
    """V at the start, and each step."""
    again = Table(table.game, table.rules, beginning=table.beginning)
    start = _value(solution, again, seat)
    steps = []
    for entry in table.log:
        gained = _gained(solution, again, seat)
        again.enter(entry.label)
        steps.append(_Step(entry, _value(solution, again, seat), gained))
    return start, steps


def _gained(solution: Answer[Any], table: Table, seat: int) -> float:
    return table.gained[seat] if solution.kind.rewards else 0.0


def _value(solution: Answer[Any], table: Table, seat: int) -> float:
    """V as the table stands."""
    gained = _gained(solution, table, seat)
    if table.payoffs is not None:
        return gained + table.payoffs[seat]
    assert table.mover is not None
    place = seat - table.mover
    if not table.events:
        return gained + solution.chance_of(place, table.state)
    return gained + sum(
        event.probability * (_gain(solution, table, event) + solution.chance_of(place - event.passes, event.after))
        for event in table.events
    )


def _gain(solution: Answer[Any], table: Table, event: Event) -> float:
    return table.gain(event) if solution.kind.rewards else 0.0


def _decisions(solution: Answer[Any], table: Table, seat: int, steps: list[_Step]) -> Iterator[Decision]:
    state = table.beginning
    pick = min if solution.kind.aim == "least" else max
    for step in steps:
        entry = step.entry
        if entry.kind == "action":
            worth = {advice.label: advice.worth for advice in solution.advice(state)}
            if entry.seat == seat or table.players == 2:  # a repetition may have ended the game
                worth[entry.label] = step.after - step.gained if entry.seat == seat else 1.0 - step.after
            best = pick(worth, key=worth.__getitem__)
            loss = abs(worth[best] - worth[entry.label])
            if loss <= max(ROUNDING * (1.0 + abs(worth[best])), 2 * solution.error_bound):
                best, loss = entry.label, 0.0
            told = reasons(solution, state, worth) if loss else {}
            yield Decision(entry.number, entry.seat, state, entry.label, best, worth, loss, told)
        state = entry.state
