"""Checks that the display of dice, score cards and pieces is consistent with the rules."""

from collections.abc import Callable, Iterator
from itertools import islice
from numbers import Integral, Real
from typing import Any

from komi.game import CHANCE
from komi.rules.enumeration import StateMoves
from komi.rules.interpreter import FAILED, Interpreter, Move
from komi.typing import State

STATES = 1000  # checked, or up to twice as many
MAX_DICE = 20  # on a table: as many as the page and the terminal can show in a row
SIDES = 6  # of the dice that the page and the terminal can draw
TOLERANCE = 1e-9  # points
COLOURS = ("white", "black")


def check_faces(interpreter: Interpreter, enumerated: StateMoves) -> None:
    """Check that dice show 1 to 6, or 0 where the face is irrelevant."""
    for state, _ in some(enumerated):
        faces = _listed(interpreter, "faces", state)
        if len(faces) > MAX_DICE or not all(_is_whole(face, SIDES) for face in faces):
            note(interpreter, "faces", f"yields {faces!r}, not 0 to {SIDES} for each of up to {MAX_DICE} dice", state)


def check_keeps(interpreter: Interpreter, enumerated: StateMoves) -> None:
    """Check that each action keeps dice that are on the table, and no two actions the same ones."""
    for state, moves in some(enumerated):
        layout, known = _listed(interpreter, "faces", state), set()
        for move in moves:
            kept = interpreter.call("keeps", state, move.action) if move.action != CHANCE else None
            if kept is FAILED or kept is None:
                continue
            if not isinstance(kept, tuple) or any(kept.count(face) > layout.count(face) or not face for face in kept):
                note(interpreter, "keeps", f"returns {kept!r}, which are not dice on the table", state)
            elif list(kept) != sorted(kept) or kept in known:
                note(interpreter, "keeps", f"returns {kept!r}: dice must be sorted and differ for each action", state)
            else:
                known.add(kept)


def check_card(interpreter: Interpreter, enumerated: StateMoves) -> None:
    """Check that a score card has boxes, and belongs to one player, or to each where each plays alone."""
    game, rules = interpreter.game, interpreter.rules
    rows, first = interpreter.call_on_rules("card"), next(iter(enumerated))
    if rows is FAILED:
        return
    if game.players(game.alone(rules)) != 1:
        note(interpreter, "card", "describes one player's card, but several players do not play 'alone'", first)
    elif not (isinstance(rows, list) and rows) or not all(map(is_pair, rows)):
        note(interpreter, "card", f"yields {rows!r}, not (name of the box, section) for each box", first)


def check_filled(interpreter: Interpreter, enumerated: StateMoves) -> None:
    """Check that the filled boxes are boxes of the card."""
    rows = _rows(interpreter)
    for state, _ in some(enumerated):
        filled = _listed(interpreter, "filled", state)
        if not all(_is_whole(box, rows - 1) for box in filled):
            note(interpreter, "filled", f"yields {filled!r}, but boxes are numbered from 0 to {rows - 1}", state)


def check_scores(interpreter: Interpreter, enumerated: StateMoves) -> None:
    """Check that scores go into open boxes of the card, fill them, and sum to the reward."""
    rows = _rows(interpreter)
    for state, moves in some(enumerated):
        for move in moves:
            scores = _listed(interpreter, "scores", state, move.action)
            problem = _malformed(scores, rows) or _misplaced(interpreter, state, move, scores)
            if problem:
                note(
                    interpreter, "scores", f"yields {scores!r} for {_label(interpreter, state, move)}: {problem}", state
                )


def _malformed(scores: list[Any], rows: int) -> str:
    for score in scores:
        if not (isinstance(score, tuple) and len(score) == 2 and _is_whole(score[0], rows - 1)):
            return f"it must yield (row from 0 to {rows - 1}, points)"
        if not isinstance(score[1], Integral):
            return "points are whole numbers"
    return ""


def _misplaced(interpreter: Interpreter, state: State, move: Move, scores: list[Any]) -> str:
    game, rules = interpreter.game, interpreter.rules
    _, after, passes = move.outcomes[0]
    if len(move.outcomes) > 1:
        return "an action with several outcomes must not score" if scores else ""
    gained = interpreter.call("reward", state, move.action, after) if game.has("reward") else None
    if isinstance(gained, Real) and abs(gained - sum(points for _, points in scores)) > TOLERANCE:
        return f"the reward is {gained:g}"
    if game.has("filled") and scores:
        box = scores[0][0]
        if box in _listed(interpreter, "filled", state):
            return "this box is filled already"
        own = game.turned(rules, after, -passes % game.players(rules))
        if box not in _listed(interpreter, "filled", own):
            return "it does not fill its box"
    return ""


def check_writable(part: str) -> Callable[[Interpreter, StateMoves], None]:
    """Return a check that the square that a part of the game gives for an action is on the board, or None."""

    def check(interpreter: Interpreter, enumerated: StateMoves) -> None:
        for state, moves in some(enumerated):
            places = squares_of(interpreter, state)
            for move in moves:
                place = None if move.action == CHANCE else interpreter.call(part, state, move.action)
                if place is not None and place is not FAILED and place not in places:
                    note(interpreter, part, f"returns {place!r}, which is not a square of the 'board'", state)

    return check


def squares_of(interpreter: Interpreter, state: State) -> list[Any]:
    """Return the row and column of each square of the board, or an empty list without a board."""
    squares = interpreter.list_yielded("board", state) if interpreter.game.has("board") else []
    return [square[:2] for square in squares if isinstance(square, tuple)]


def check_beside(interpreter: Interpreter, enumerated: StateMoves) -> None:
    """Check that each group of pieces beside the board has a text, a colour and a count."""
    for state, _ in some(enumerated):
        for group in _listed(interpreter, "beside", state):
            is_group = isinstance(group, tuple) and len(group) == 3 and group[1] in COLOURS
            if not (is_group and isinstance(group[0], str) and _is_whole(group[2])):
                note(interpreter, "beside", f"yields {group!r}, not (text, 'white' or 'black', count)", state)


def check_throw(interpreter: Interpreter, enumerated: StateMoves) -> None:
    """Check that no more dice show their mark than there are."""
    for state, _ in some(enumerated):
        thrown = interpreter.call("throw", state)
        if thrown is None or thrown is FAILED:
            continue
        if not (isinstance(thrown, tuple) and len(thrown) == 2 and _is_whole(thrown[1], MAX_DICE)):
            note(interpreter, "throw", f"returns {thrown!r}, not (number of marked dice, number of dice)", state)
        elif not _is_whole(thrown[0], thrown[1]):
            note(interpreter, "throw", f"returns {thrown[0]!r} marked dice of {thrown[1]}", state)


def check_turned(interpreter: Interpreter, enumerated: StateMoves) -> None:
    """Check that 'turned' is the identity when it is applied once for each player."""
    players = interpreter.game.players(interpreter.rules)
    moved = False
    for state, _ in some(enumerated):
        turned = state
        for _ in range(players):
            turned = interpreter.call("turned", turned)
            if turned is FAILED:
                break
            moved = moved or turned != state
        if turned not in (state, FAILED):
            note(interpreter, "turned", "does not restore a state after one call for each player", state)
    if not moved and interpreter.game.has("view"):
        start = interpreter.game.part("start")(interpreter.rules)
        note(
            interpreter,
            "turned",
            "changes no state: let it exchange what belongs to the players, or all see what the mover sees",
            start,
        )


def _rows(interpreter: Interpreter) -> int:
    """Return the number of rows of the card: 1 if the game has no card."""
    rows = interpreter.call_on_rules("card") if interpreter.game.has("card") else [1]
    return len(rows) if isinstance(rows, list) else 0


def some(enumerated: StateMoves) -> Iterator[tuple[Any, list[Move]]]:
    """Iterate over all states, or over an evenly spaced sample of many."""
    return islice(enumerated.items(), 0, None, max(len(enumerated) // STATES, 1))


def _listed(interpreter: Interpreter, part: str, state: State, *more: Any) -> list[Any]:
    return interpreter.list_yielded(part, state, *more)


def is_pair(thing: Any) -> bool:
    """Return whether `thing` is a tuple of two strings."""
    return isinstance(thing, tuple) and list(map(type, thing)) == [str, str]


def _is_whole(number: Any, most: float = float("inf")) -> bool:
    return isinstance(number, Integral) and 0 <= int(number) <= most


def _label(interpreter: Interpreter, state: State, move: Move) -> str:
    return repr(interpreter.game.label(interpreter.rules, state, move.action))


def note(interpreter: Interpreter, part: str, problem: str, state: State = None) -> None:
    """Report a problem with a part of a game."""
    interpreter.record(part, f"{interpreter.game.file.name}: {part!r} {problem}", state)
