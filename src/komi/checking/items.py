"""Checks the items on the table: that each has the form of its kind, and that no two mean the same action."""

from collections.abc import Iterator
from functools import partial
from typing import Any

from komi.checking.table_layout import note, some
from komi.game import CHANCE
from komi.rules.enumeration import StateMoves
from komi.rules.interpreter import FAILED, Interpreter, Move
from komi.rules.table_items import MAX_ITEMS, item_of, wrong_item
from komi.typing import State


def check_table(interpreter: Interpreter, enumerated: StateMoves) -> None:
    """Check the items in each state, as every player sees it from the side of the player to move."""
    for state, moves in some(enumerated):
        legal = [move.action for move in moves if move.action != CHANCE]
        for seen in states_as_seen(interpreter, state):
            entries = _valid(interpreter, "table", seen)
            meant = [item_of(entry).action for entry in entries]
            twice = next((action for action in legal if meant.count(action) > 1), None)
            if twice is not None:
                label = interpreter.game.label(interpreter.rules, state, twice)
                note(interpreter, "table", f"has two items that mean {label!r}: a thing can have one action", state)


def check_laid(interpreter: Interpreter, enumerated: StateMoves) -> None:
    """Check the items that chance events put on the table."""
    known: set[str] = set()
    for state, moves in some(enumerated):
        for event in (event for move in moves for event in _events(interpreter, state, move)):
            if event not in known:
                known.add(event)
                _valid(interpreter, "laid", event)


def _events(interpreter: Interpreter, state: State, move: Move) -> list[str]:
    """Return the names of the chance events of an action."""
    game, rules = interpreter.game, interpreter.rules
    if len(move.outcomes) < 2 and move.action != CHANCE:
        return []
    events = interpreter.attempt(lambda: game.events(rules, state, move.action), "event", state)
    return [] if events is FAILED else [event.label for event in events]


def states_as_seen(interpreter: Interpreter, state: State) -> Iterator[State]:
    """Yield the state as each player sees it while the game runs; the whole state if nothing is hidden."""
    game, rules = interpreter.game, interpreter.rules
    if not game.has("view") or interpreter.is_over(state):
        yield state
        return
    players = game.players(rules)
    for seats in range(players if game.has("turned") else 1):
        turned = interpreter.attempt(partial(game.turned, rules, state, seats), "turned", state)
        view = FAILED if turned is FAILED else interpreter.call("view", turned)
        if view is not FAILED:
            yield game.turned(rules, view, -seats % players)


def _valid(interpreter: Interpreter, part: str, given: Any) -> list[Any]:
    """Return the items that have their form, and report the others with the lines that yield them."""
    entries, players = interpreter.list_yielded(part, given), interpreter.game.players(interpreter.rules)
    if len(entries) > MAX_ITEMS:
        note(interpreter, part, f"yields {len(entries)} items, more than {MAX_ITEMS}", given)
    errors = [
        f"{part!r} yields {entry!r}: {problem}" if problem else None
        for entry in entries
        for problem in [wrong_item(entry, players)]
    ]
    return interpreter.without_errors(entries, errors, part, given)
