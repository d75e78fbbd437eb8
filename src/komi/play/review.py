"""Review of a finished game: the probability of winning over time, the losses by mistakes, and luck.

Let V be one seat's probability of winning under optimal play, before the first entry of the log and after each; its
last value is the result. In a game with a `payoff_range` V is the expected payoff, in a single-player game the
objective: the rewards so far plus the expected rewards to come. An action whose chance event has not occurred has the
expected V of its outcomes. Then the steps of V at chance events are luck, and those at actions are the seat's losses
(never up) or gifts by its opponents (never down), and

    result - V at the start = luck + skill,    skill = gifts - mistakes

up to rounding; the second equation holds for one or two players who see everything, up to the solution's error bound.
Where something is hidden, simultaneous choices included, V is the value with all of it revealed, but a decision is
judged by what the player saw: with one player, or two of opposed interests, skill is then defined by the second
equation, and luck, that of guesses included, by the first. In a single-player game with a minimized objective, mistakes
raise V and skill = mistakes. Resigning is a decision between V
of playing on and the loss of the game. For a game stopped by repetition only the first equation holds: a draw can then
be worth more than the loser's value of playing on.

The accuracy of a seat compares its losses with the largest possible losses of its decisions,

    accuracy = 1 - (sum of losses) / (sum over its decisions of best - worst)

so that the best decision at every turn gives 1, and the worst at every turn 0.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from komi.play.reasons import Reason, reasons
from komi.play.table import Entry, Table
from komi.rules.kind import check_no_average
from komi.solvers.solution import Solution
from komi.typing import State

ROUNDING = 1e-12  # a smaller loss counts as 0
RESIGN, PLAY_ON = "resign", "play on"  # the decision of a player who resigned


@dataclass(frozen=True)
class ReviewedDecision:
    """The review of one decision.

    Attributes:
        number: the number of its entry in the log; that of the next entry if the player resigned.
        seat: the seat that decided.
        state: the state as this seat observed it.
        chosen: the action.
        best: the best action; the chosen one if it is as good.
        values: the value of each action to the seat, best first.
        loss: loss in probability of winning, or in the objective.
        reasons: explanations of the actions' values if the loss is not 0; see `komi.play.reasons`.
    """

    number: int
    seat: int
    state: State
    chosen: str
    best: str
    values: dict[str, float]
    loss: float
    reasons: dict[str, list[Reason]]


@dataclass(frozen=True)
class Review:
    """The review of a game from the view of one seat.

    Attributes:
        seat: the seat.
        decisions: the decisions of all seats.
        worst: the number of the entry of the seat's largest loss; None if it has none.
        start: its probability of winning at the start.
        curve: its probability of winning after each entry of the log and after a resignation; the last one is the
            result.
        luck: the part of result - start that is due to chance.
        skill: the part that is due to decisions.
        mistakes: the sum of its decisions' losses.
        gifts: the sum of the losses by the opponents' decisions.
        accuracy: 1 less its losses divided by its largest possible losses; None if these are 0.
    """

    seat: int
    decisions: list[ReviewedDecision]
    worst: int | None
    start: float
    curve: list[float]
    luck: float
    skill: float
    mistakes: float
    gifts: float
    accuracy: float | None


def review(solution: Solution[Any], table: Table, seat: int) -> Review:
    """Review a game.

    Args:
        solution: optimal play of the game.
        table: the game, finished or not.
        seat: the seat whose view the review takes.

    Raises:
        SolveError: if the value of the game is an average of play that never ends.
    """
    check_no_average(solution.kind)
    start, steps = _steps(solution, table, seat)
    curve = [step.after for step in steps]
    before = [start, *curve][: len(steps)]
    moves = list(zip(before, steps, strict=True))
    decisions = list(_decisions(solution, table, seat, steps))
    forfeit = 0.0
    if table.resigned is not None and table.payoffs is not None:
        decisions.append(_resignation(solution, table, table.resigned, table.payoffs))
        forfeit = table.payoffs[seat] - (curve or [start])[-1]
        curve.append(table.payoffs[seat])
    own = [decision for decision in decisions if decision.seat == seat]
    worst = max(own, key=lambda decision: decision.loss, default=None)
    at_stake = sum(max(decision.values.values()) - min(decision.values.values()) for decision in own)
    lost = sum(decision.loss for decision in own)
    given = sum(decision.loss for decision in decisions if decision.seat != seat)
    skill = sum(step.after - earlier for earlier, step in moves if step.entry.kind == "action") + forfeit
    if solution.kind.hidden and table.players <= 2 and solution.kind.is_opposed:
        skill = lost if solution.kind.aim == "least" else given - lost
    return Review(
        seat,
        decisions,
        worst.number if worst and worst.loss else None,
        start,
        curve,
        (curve or [start])[-1] - start - skill,
        skill,
        lost,
        given,
        1.0 - lost / at_stake if at_stake > 0.0 else None,
    )


def course(solution: Solution[Any], table: Table) -> list[float]:
    """Compute the first seat's V at the start and after each move: an action with its outcome, or one of chance."""
    replayed = Table(table.game, table.rules, initial_state=table.initial_state)
    values = [_value(solution, replayed, 0)]
    for entry in table.log:
        replayed.enter(entry.label)
        if replayed.pending is None:
            values.append(_value(solution, replayed, 0))
    return values


@dataclass(frozen=True)
class _Step:
    """An entry of the log with V after it, and the seat's rewards before it."""

    entry: Entry
    after: float
    rewards: float


def _steps(solution: Solution[Any], table: Table, seat: int) -> tuple[float, list[_Step]]:
    """Compute V at the start, and each step."""
    replayed = Table(table.game, table.rules, initial_state=table.initial_state)
    start = _value(solution, replayed, seat)
    steps = []
    for entry in table.log:
        rewards = _rewards(solution, replayed, seat)
        replayed.enter(entry.label)
        steps.append(_Step(entry, _value(solution, replayed, seat), rewards))
    return start, steps


def _rewards(solution: Solution[Any], table: Table, seat: int) -> float:
    return table.rewards[seat] if solution.kind.rewards else 0.0


def _value(solution: Solution[Any], table: Table, seat: int) -> float:
    """Compute V in the current state of the table."""
    rewards = _rewards(solution, table, seat)
    if table.payoffs is not None:
        return rewards + table.payoffs[seat]
    assert table.mover is not None
    offset = seat - table.mover  # the seat, counted from the player to move
    if not table.events:
        return rewards + solution.revealed_value(table.state, offset)
    gain = table.gain if solution.kind.rewards else lambda event: 0.0
    return rewards + sum(
        event.probability * (gain(event) + solution.revealed_value(event.after, offset - event.passes))
        for event in table.events
    )


def _decisions(solution: Solution[Any], table: Table, seat: int, steps: list[_Step]) -> Iterator[ReviewedDecision]:
    state = table.initial_state
    pick = min if solution.kind.aim == "least" else max
    for step in steps:
        entry = step.entry
        if entry.kind == "action":
            values = {advice.label: advice.value for advice in solution.action_values(state)}
            is_known = entry.seat == seat or (table.players == 2 and solution.kind.is_opposed)
            if is_known and not solution.kind.hidden:  # repetition may have ended the game
                values[entry.label] = (
                    step.after - step.rewards if entry.seat == seat else table.scale.opposite(step.after)
                )
            best = pick(values, key=values.__getitem__)
            best, loss = _compare(solution, values, best, entry.label)
            explanations = reasons(solution, state, values) if loss else {}
            yield ReviewedDecision(entry.number, entry.seat, state, entry.label, best, values, loss, explanations)
        state = entry.state


def _resignation(solution: Solution[Any], table: Table, resigned: int, payoffs: tuple[float, ...]) -> ReviewedDecision:
    """Review the decision to resign."""
    before = Table(table.game, table.rules, [entry.label for entry in table.log], table.initial_state)
    values = {PLAY_ON: _value(solution, before, resigned), RESIGN: payoffs[resigned]}
    best, loss = _compare(solution, values, PLAY_ON, RESIGN)
    return ReviewedDecision(table.number, resigned, before.state, RESIGN, best, values, loss, {})


def _compare(solution: Solution[Any], values: dict[str, float], best: str, chosen: str) -> tuple[str, float]:
    """Return the best action and the loss of the chosen one, which is the best if the difference can be an error."""
    loss = abs(values[best] - values[chosen])
    is_equal = loss <= max(ROUNDING * (1.0 + abs(values[best])), 2 * solution.error_bound)
    return (chosen, 0.0) if is_equal else (best, loss)
