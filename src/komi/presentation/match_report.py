"""The text and JSON output of `komi match`, by the number of players."""

from collections.abc import Sequence
from dataclasses import asdict
from functools import singledispatch
from typing import Any

from komi.evaluation.average import AverageEvaluation, AverageMatch
from komi.evaluation.match_result import Match, SeatResult
from komi.evaluation.multiplayer import MultiplayerMatch
from komi.evaluation.single_player import SinglePlayerEvaluation
from komi.presentation.fields import select
from komi.presentation.formatting import (
    TextReport,
    format_percent,
    format_proof,
    format_range,
    format_value,
    value_heading,
)
from komi.rounding import format_bound
from komi.rules.kind import Kind

LENGTHS = ("expected_actions", "expected_actions_range", "expected_turns", "expected_chance_moves")
BOUNDS = ("error_bound", "length_error_bound")
AnyMatch = AverageEvaluation | AverageMatch | Match | MultiplayerMatch | SinglePlayerEvaluation


@singledispatch
def match_json(result: AnyMatch, policies: Sequence[str]) -> dict[str, Any]:  # noqa: ARG001
    """Return the result of a match as `komi match --json` prints it, without the game.

    Args:
        result: the result.
        policies: the names of the policies, one for each seat.
    """
    raise TypeError(f"no JSON for {type(result).__name__}")


@singledispatch
def match_text(result: AnyMatch, policies: Sequence[str], kind: Kind) -> TextReport:  # noqa: ARG001
    """Format the result of a match as `komi match` prints it.

    Args:
        result: the result.
        policies: the names of the policies, one for each seat.
        kind: the kind of game.
    """
    raise TypeError(f"no text for {type(result).__name__}")


@match_json.register
def _(result: Match, policies: Sequence[str]) -> dict[str, Any]:
    a, b = policies
    return {
        "a": a,
        "b": b,
        **select(result, "average", *LENGTHS, *BOUNDS, first="first.wins", second="second.wins"),
        "seats": {"first": _seat_json(result.first), "second": _seat_json(result.second)},
    }


@match_text.register
def _(result: Match, policies: Sequence[str], kind: Kind) -> TextReport:
    a, b = policies
    chance = ["moves of chance"] if result.expected_chance_moves else []
    average = (result.average, result.expected_actions, result.expected_turns, result.expected_chance_moves)
    rows = [
        (name, format_value(kind, wins), *(f"{length:.3f}" for length in lengths[: 2 + len(chance)]))
        for name, (wins, *lengths) in (
            ("moving first", _figures(result.first)),
            ("moving second", _figures(result.second)),
            ("on average", average),
        )
    ]
    footer = [
        *(
            f"{a} wins {format_percent(rates.wins)}, draws {format_percent(rates.draws)} and loses "
            f"{format_percent(rates.losses)} {name}."
            for name, rates in (("moving first", result.first.rates), ("moving second", result.second.rates))
            if rates is not None
        ),
        format_proof(kind, result.error_bound),
    ]
    if result.expected_actions_range is not None:
        lengths = format_range(*result.expected_actions_range)
        footer.append(f"Some optimal actions have the same value; the length depends on the choice: {lengths} actions.")
    columns = (f"{a} against {b}", value_heading(kind, a), "actions", "turns", *chance)
    return TextReport(columns=columns, rows=rows, footer=footer)


@match_json.register
def _(result: MultiplayerMatch, policies: Sequence[str]) -> dict[str, Any]:
    return {
        "policies": policies,
        **select(result, "values", "average", "seatings", *BOUNDS),
        **select(result.seatings[0], expected_actions="actions", expected_turns="turns"),
    }


@match_text.register
def _(result: MultiplayerMatch, policies: Sequence[str], kind: Kind) -> TextReport:
    first = result.seatings[0]
    footer = []
    if len(result.seatings) > 1:
        averages = ", ".join(f"{name} {format_value(kind, value)}" for name, value in result.average.items())
        verb = "wins" if kind.is_chance else "gets"
        footer.append(f"With seats drawn by lot, a player of each policy {verb}: {averages}.")
    footer.append(f"{first.actions:.3f} actions and {first.turns:.3f} turns of all seats together.")
    footer.append(format_proof(kind, result.error_bound))
    rows = [
        (str(seat), name, format_value(kind, value))
        for seat, (name, value) in enumerate(zip(policies, result.values, strict=True), 1)
    ]
    return TextReport(columns=("seat", "policy", value_heading(kind)), rows=rows, footer=footer)


@match_json.register
def _(result: SinglePlayerEvaluation, policies: Sequence[str]) -> dict[str, Any]:  # noqa: ARG001
    names = ("policy", "objective", "value", "optimal", "loss", *BOUNDS)
    return select(result, *names, expected_actions="actions", expected_turns="turns")


@match_text.register
def _(result: SinglePlayerEvaluation, policies: Sequence[str], kind: Kind) -> TextReport:  # noqa: ARG001
    values = (format_value(kind, each) for each in (result.value, result.optimal, result.loss))
    return TextReport(
        columns=("policy", result.objective, "optimal", "loss", "actions", "turns"),
        rows=[(result.policy, *values, f"{result.actions:.3f}", f"{result.turns:.3f}")],
        footer=[f"Proved: the error of the {result.objective} is at most {format_bound(result.error_bound)}."],
    )


@match_json.register
def _(result: AverageEvaluation, policies: Sequence[str]) -> dict[str, Any]:  # noqa: ARG001
    return select(result, "policy", "objective", "value", "optimal", "loss", "error_bound")


@match_text.register
def _(result: AverageEvaluation, policies: Sequence[str], kind: Kind) -> TextReport:  # noqa: ARG001
    values = (format_value(kind, each) for each in (result.value, result.optimal, result.loss))
    return TextReport(
        columns=("policy", result.objective, "optimal", "loss"),
        rows=[(result.policy, *values)],
        footer=[f"Proved: the error of the {result.objective} is at most {format_bound(result.error_bound)}."],
    )


@match_json.register
def _(result: AverageMatch, policies: Sequence[str]) -> dict[str, Any]:
    a, b = policies
    return {"a": a, "b": b, **select(result, "average", "first", "second", "error_bound"), "expected_actions": None}


@match_text.register
def _(result: AverageMatch, policies: Sequence[str], kind: Kind) -> TextReport:
    a, b = policies
    rows = [
        (name, format_value(kind, value))
        for name, value in (
            ("moving first", result.first),
            ("moving second", result.second),
            ("on average", result.average),
        )
    ]
    columns = (f"{a} against {b}", value_heading(kind, a))
    return TextReport(columns=columns, rows=rows, footer=[format_proof(kind, result.error_bound)])


def _figures(seat: SeatResult) -> tuple[float, float, float, float | None]:
    return seat.wins, seat.actions, seat.turns, seat.chance_moves


def _seat_json(seat: SeatResult) -> dict[str, Any]:
    """Return the results of a seat; `rates` only in a game with a `payoff_range`."""
    return {name: value for name, value in asdict(seat).items() if name != "rates" or value is not None}
