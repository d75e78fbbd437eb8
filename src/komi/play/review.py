"""A finished game looked back on: how the chance of winning went, what was given away, and what was luck.

Let V be one seat's chance of winning, both playing on optimally, before the first entry of the log and after each; its
last value is the result. An action that waits for its event has the expected V of what can come of it. Then the steps
of V at chance events are luck, those at actions what the seat gave away (never up) or was given (never down), and

    result - V at the start = luck + skill,    skill = gifts - mistakes

but for rounding, and the second but for the solution's error bound. A game that stopped because a position came too
often has the first only: a draw can then be more than the loser could have had by playing on.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from komi.methods.answer import Answer
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
        loss: chance of winning given away.
    """

    number: int
    seat: int
    state: Any
    chosen: str
    best: str
    worth: dict[str, float]
    loss: float


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


def review(solution: Answer[Any], table: Table, seat: int) -> Review:
    """Look back on a game.

    Args:
        solution: optimal play of the game.
        table: the game of two, finished or not.
        seat: who looks back.
    """
    start, steps = _steps(solution, table, seat)
    curve = [after for _, after in steps]
    before = [start, *curve[:-1]]
    moves = list(zip(before, steps, strict=True))
    decisions = list(_decisions(solution, table, seat, steps))
    own = [decision for decision in decisions if decision.seat == seat]
    worst = max(own, key=lambda decision: decision.loss, default=None)
    return Review(
        seat,
        decisions,
        worst.number if worst and worst.loss else None,
        start,
        curve,
        sum(after - earlier for earlier, (entry, after) in moves if entry.kind == "event"),
        sum(after - earlier for earlier, (entry, after) in moves if entry.kind == "action"),
        sum(decision.loss for decision in own),
        sum(decision.loss for decision in decisions if decision.seat != seat),
    )


def _steps(solution: Answer[Any], table: Table, seat: int) -> tuple[float, list[tuple[Entry, float]]]:
    """The seat's chance at the start; each entry of the log with the chance after it."""
    again = Table(table.game, table.rules)
    start = _value(solution, again, seat)
    steps = []
    for entry in table.log:
        again.enter(entry.label)
        steps.append((entry, _value(solution, again, seat)))
    return start, steps


def _value(solution: Answer[Any], table: Table, seat: int) -> float:
    """The seat's chance of winning as the table stands."""
    if table.payoffs is not None:
        return table.payoffs[seat]
    assert table.mover is not None
    if not table.events:
        return _turned(solution.chance(table.state), table.mover == seat)
    return sum(
        event.probability * _turned(solution.chance(event.after), (table.mover + event.passes) % 2 == seat)
        for event in table.events
    )


def _turned(chance: float, own: bool) -> float:
    """A mover's chance as one's own, or as that of the other."""
    return chance if own else 1.0 - chance


def _decisions(solution: Answer[Any], table: Table, seat: int, steps: list[tuple[Entry, float]]) -> Iterator[Decision]:
    state = table.game.part("start")(table.rules)
    for entry, after in steps:
        if entry.kind == "action":
            worth = {advice.label: advice.worth for advice in solution.advice(state)}
            worth[entry.label] = _turned(after, entry.seat == seat)  # a repetition may have ended the game
            best = max(worth, key=worth.__getitem__)
            loss = worth[best] - worth[entry.label]
            if loss <= max(ROUNDING, 2 * solution.error_bound):
                best, loss = entry.label, 0.0
            yield Decision(entry.number, entry.seat, state, entry.label, best, worth, loss)
        state = entry.state
