"""The text and JSON output of `komi match`, by the class of the result."""

from collections.abc import Sequence
from dataclasses import asdict, astuple
from functools import singledispatch
from typing import Any

from komi.evaluation.match import Match
from komi.evaluation.multiplayer import MultiplayerMatch
from komi.evaluation.single_player import SinglePlayerEvaluation
from komi.rules.kind import Kind
from komi.solvers.single_player import format_value
from komi.text import Text, between, percent


@singledispatch
def match_json(result: Any, policies: Sequence[str]) -> dict[str, Any]:  # noqa: ARG001
    """Return the part of the JSON object that depends on the kind of game; `policies` are their names."""
    raise TypeError(f"no JSON for {type(result).__name__}")


@singledispatch
def match_text(result: Any, policies: Sequence[str], kind: Kind) -> Text:  # noqa: ARG001
    """Format the result; `policies` are their names."""
    raise TypeError(f"no text for {type(result).__name__}")


@match_json.register
def _(result: Match, policies: Sequence[str]) -> dict[str, Any]:
    a, b = policies
    return {
        "a": a,
        "b": b,
        "first": result.first.wins,
        "second": result.second.wins,
        "average": result.average,
        "expected_actions": result.expected_actions,
        "expected_actions_range": result.expected_actions_range,
        "expected_turns": result.expected_turns,
        "expected_chance_moves": result.expected_chance_moves,
        "error_bound": result.error_bound,
        "length_error_bound": result.length_error_bound,
        "seats": {"first": asdict(result.first), "second": asdict(result.second)},
    }


@match_text.register
def _(result: Match, policies: Sequence[str], kind: Kind) -> Text:  # noqa: ARG001
    a, b = policies
    chance_column = ["moves of chance"] if result.expected_chance_moves else []
    average = (result.average, result.expected_actions, result.expected_turns, result.expected_chance_moves)
    rows = [
        (name, percent(wins), *(f"{length:.3f}" for length in lengths[: 2 + len(chance_column)]))
        for name, wins, *lengths in (
            ("moving first", *astuple(result.first)),
            ("moving second", *astuple(result.second)),
            ("on average", *average),
        )
    ]
    after = [_proof(result.error_bound)]
    if result.expected_actions_range is not None:
        lengths = between(*result.expected_actions_range)
        after.append(f"Some actions have equal values: depending on which are taken, the length is {lengths} actions.")
    columns = (f"{a} against {b}", f"{a} wins", "actions", "turns", *chance_column)
    return Text(columns=columns, rows=rows, after=after)


@match_json.register
def _(result: MultiplayerMatch, policies: Sequence[str]) -> dict[str, Any]:
    first = result.seatings[0]
    return {
        "policies": list(policies),
        "values": result.values,
        "average": result.average,
        "seatings": [asdict(seating) for seating in result.seatings],
        "expected_actions": first.actions,
        "expected_turns": first.turns,
        "error_bound": result.error_bound,
        "length_error_bound": result.length_error_bound,
    }


@match_text.register
def _(result: MultiplayerMatch, policies: Sequence[str], kind: Kind) -> Text:  # noqa: ARG001
    """Show the requested order of the policies, and each policy's average over all orders."""
    first = result.seatings[0]
    after = []
    if len(result.seatings) > 1:
        shares = ", ".join(f"{name} {percent(value)}" for name, value in result.average.items())
        after.append(f"If seats are drawn at random, each player of a policy wins: {shares}.")
    after.append(f"{first.actions:.3f} actions and {first.turns:.3f} turns of all seats together.")
    after.append(_proof(result.error_bound))
    rows = [
        (str(seat), name, percent(value))
        for seat, (name, value) in enumerate(zip(policies, result.values, strict=True), 1)
    ]
    return Text(columns=("seat", "policy", "wins"), rows=rows, after=after)


@match_json.register
def _(result: SinglePlayerEvaluation, policies: Sequence[str]) -> dict[str, Any]:  # noqa: ARG001
    return {
        "policy": result.policy,
        "objective": result.objective,
        "value": result.value,
        "optimal": result.optimal,
        "loss": result.loss,
        "expected_actions": result.actions,
        "expected_turns": result.turns,
        "error_bound": result.error_bound,
        "length_error_bound": result.length_error_bound,
    }


@match_text.register
def _(result: SinglePlayerEvaluation, policies: Sequence[str], kind: Kind) -> Text:  # noqa: ARG001
    values = (format_value(kind, value) for value in (result.value, result.optimal, result.loss))
    return Text(
        columns=("policy", result.objective, "optimal", "loss", "actions", "turns"),
        rows=[(result.policy, *values, f"{result.actions:.3f}", f"{result.turns:.3f}")],
        after=[f"Proved: the error of the {result.objective} is at most {result.error_bound:.1e}."],
    )


def _proof(error_bound: float) -> str:
    return f"Proved: the error of each probability is at most {error_bound:.1e}."
