"""Checks the form of what a game displays to players: the board, texts, opponents, and policies."""

from collections.abc import Callable
from numbers import Integral
from typing import Any

from komi.checking.table_layout import is_pair, note, some, squares_of
from komi.game import CHANCE
from komi.policies import from_files, named
from komi.policies.policy import Policy
from komi.rules.enumeration import StateMoves
from komi.rules.interpreter import FAILED, Interpreter
from komi.typing import State

LUCK = 0.5  # the uniform random number that policies get: any will do


def check_board(interpreter: Interpreter, enumerated: StateMoves) -> None:
    """Check that each square is a tuple (row, column, text, tint)."""
    for state, _ in some(enumerated):
        squares = interpreter.list_yielded("board", state)
        wrong = next((square for square in squares if not _is_square(square)), None)
        if wrong is not None:
            note(interpreter, "board", f"yields {wrong!r}, not (row, column, text, tint)", state)
        elif not squares and "board" not in interpreter.problems:
            note(interpreter, "board", "yields no squares", state)


def check_decisive(interpreter: Interpreter, enumerated: StateMoves) -> None:
    """Check that the squares that ended the game are squares of the board."""
    for _, moves in some(enumerated):
        for after in [after for move in moves for _, after, _ in move.outcomes if interpreter.is_over(after)]:
            places = squares_of(interpreter, after)
            for square in interpreter.list_yielded("decisive", after):
                if square not in places:
                    note(interpreter, "decisive", f"yields {square!r}, which is not a square of the 'board'", after)


def check_text(part: str) -> Callable[[Interpreter, StateMoves], None]:
    """Return a check that a part of the game returns a string."""

    def check(interpreter: Interpreter, enumerated: StateMoves) -> None:  # noqa: ARG001
        text = interpreter.call_on_rules(part)
        if text is not FAILED and not isinstance(text, str):
            note(interpreter, part, f"returns {text!r}, which is not a string")

    return check


def check_revealed(interpreter: Interpreter, enumerated: StateMoves) -> None:
    """Check that 'revealed' returns a string for each transition."""
    for state, moves in enumerated.items():
        for move in moves:
            for probability, after, _ in move.outcomes:
                text = interpreter.call("revealed", state, move.action, after) if probability > 0.0 else ""
                if text is not FAILED and not isinstance(text, str):
                    note(interpreter, "revealed", f"returns {text!r}, which is not a string")
                    return


def check_opponents(interpreter: Interpreter, enumerated: StateMoves) -> None:  # noqa: ARG001
    """Check that the opponents are existing policies, each with a sentence on how it plays."""
    pairs, game = interpreter.call_on_rules("opponents"), interpreter.game
    if pairs is FAILED:
        return
    if not isinstance(pairs, list) or not all(map(is_pair, pairs)):
        note(interpreter, "opponents", f"returns {pairs!r}, not pairs (name of a policy, how it plays)")
        return
    if len(pairs) > named.MAX_OPPONENTS:
        note(interpreter, "opponents", f"yields {len(pairs)} pairs, more than {named.MAX_OPPONENTS}")
    own = interpreter.attempt(lambda: from_files.game_policies(game), "policies", None)
    known = [*(own if own is not FAILED else ()), *named.NAMES]
    for name, _ in pairs:
        policy, colon, number = name.partition(":")
        if not from_files.is_in_file(name) and name not in known and not (number and f"{policy}{colon}N" in known):
            note(interpreter, "opponents", f"names {name!r}, which is not a policy: there are {', '.join(known)}")


def check_policies(interpreter: Interpreter, enumerated: StateMoves) -> None:
    """Check that the game's own policies choose legal actions."""
    own = interpreter.attempt(lambda: from_files.game_policies(interpreter.game), "policies", None)
    for policy in own.values() if own is not FAILED else ():
        for state, moves in some(enumerated):
            if moves and moves[0].action != CHANCE:
                _check_choice(interpreter, policy, state, [move.action for move in moves])


def _check_choice(interpreter: Interpreter, policy: Policy, state: State, legal: list[int]) -> None:
    game, rules = interpreter.game, interpreter.rules
    seen = interpreter.call("view", state) if game.has("view") else state
    if seen is FAILED:
        return
    action = interpreter.attempt(lambda: policy.choose(game, rules, seen, LUCK), "policies", state)
    if action is not FAILED and action not in legal:
        note(interpreter, "policies", f"has {policy.name!r}, which takes an action that is not legal, {action}", state)


def _is_square(square: Any) -> bool:
    if not (isinstance(square, tuple) and len(square) == 4):
        return False
    row, column, shows, tint = square
    return all(isinstance(number, Integral) for number in (row, column, tint)) and isinstance(shows, str)
