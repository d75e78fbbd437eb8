"""Refusals of observations that forget what their player has seen or done, or hide what it can do."""

from collections.abc import Sequence
from math import fsum

from komi.errors import GameError
from komi.rules.interpreter import Interpreter, Move
from komi.typing import State


def imperfect_recall(
    interpreter: Interpreter, seen: State, one: Sequence[tuple[State, int]], other: Sequence[tuple[State, int]]
) -> str:
    """Refuse a game in which different decisions of a player lead to one observation, and say where they differ first.

    Args:
        interpreter: calls the rules.
        seen: the observation.
        one, other: the decisions, observations and actions in the order of play.
    """

    def label(seen: State, action: int) -> str:
        return repr(interpreter.game.label(interpreter.rules, seen, action))

    def write(decisions: Sequence[tuple[State, int]]) -> str:
        written = ", then ".join(f"{label(seen, action)} in {interpreter.write(seen)}" for seen, action in decisions)
        return written or "nothing"

    same = next(
        (number for number, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]),
        min(len(one), len(other)),
    )
    besides = f", besides {write(one[:same])}," if same else ""
    kept = "how many decisions there were"
    for (first, action), (also_seen, other_action) in zip(one, other, strict=False):
        if first != also_seen:
            fields = zip(first._fields, first, also_seen, strict=True)
            kept = ", ".join(f"{name} (then {a} or {b})" for name, a, b in fields if a != b)
            break
        if action != other_action:
            kept = f"which was chosen, {' or '.join(label(first, each) for each in (action, other_action))}"
            break
    return (
        f"{interpreter.game.name} has imperfect recall: a player who sees {interpreter.write(seen)} can have chosen "
        f"{write(one[same:])} or {write(other[same:])}{besides} before: let a field that 'view' shows keep {kept}."
    )


def different_actions(interpreter: Interpreter, seen: State) -> GameError:
    """Create the error for states that look the same to a player who can do different things in them."""
    file, written = interpreter.game.file.name, interpreter.write(seen)
    return GameError(f"{file}: states with the same view, {written}, have different legal actions.", written)


def probability_deficit(move: Move) -> float:
    """Return the difference between the sum of the probabilities of a move and 1; 0 if it is within their rounding."""
    deficit = abs(fsum(probability for probability, _, _ in move.outcomes) - 1.0)
    return deficit if deficit > (len(move.outcomes) + 4) * 2.0**-52 else 0.0
