"""Checks of the hints on states inside a roll: `transient`, `roll` and `totals`."""

from collections.abc import Iterator
from typing import Any

from komi.rules.enumeration import StateMoves
from komi.rules.interpreter import FAILED, Interpreter, Move
from komi.typing import State

PAIRS = 4  # of states whose rolls are compared
MAX_ROWS = 2000  # states inside one roll that are compared


def check_transient(interpreter: Interpreter, enumerated: StateMoves) -> None:
    """Check that the transient states form no cycle."""
    transient = {
        state for state, moves in enumerated.items() if moves and interpreter.call("transient", state) in (True, 1)
    }
    follow = {
        state: [after for move in enumerated[state] for _, after, _ in move.outcomes if after in transient]
        for state in transient
    }
    before = dict.fromkeys(transient, 0)
    for after in (after for afters in follow.values() for after in afters):
        before[after] += 1
    first = [state for state in transient if not before[state]]
    while first:
        for after in follow.pop(first.pop()):
            before[after] -= 1
            if not before[after]:
                first.append(after)
    for state in follow:
        interpreter.record("transient", f"{interpreter.game.file.name}: 'transient' states form a cycle", state)


def check_roll(interpreter: Interpreter, enumerated: StateMoves) -> None:
    """Check that transitions within a roll depend only on the fields of `roll`."""
    game, rules = interpreter.game, interpreter.rules
    names = interpreter.attempt(lambda: game.roll(rules), "roll", None)
    if names is FAILED or not names:
        return
    fields = game.module.State._fields
    indices = [fields.index(name) for name in names]
    others = [index for index, name in enumerate(fields) if name not in names]
    known: dict[Any, Any] = {}
    for state, moves in enumerated.items():
        if not moves or not interpreter.call("transient", state):
            continue
        ways = []
        for move in moves:
            for probability, after, passes in move.outcomes:
                if interpreter.is_over(after) or not interpreter.call("transient", after):
                    continue
                if passes or any(state[index] != after[index] for index in others):
                    continue
                inside = tuple(after[index] for index in indices)
                gained = interpreter.call("reward", state, move.action, after) if game.has("reward") else 0.0
                ways.append((move.action, round(probability, 12), inside, gained))
        if known.setdefault(tuple(state[index] for index in indices), ways) != ways:
            interpreter.record("roll", f"{game.file.name}: a roll depends on more than the fields of 'roll'", state)


def check_totals(interpreter: Interpreter, enumerated: StateMoves) -> None:
    """Report states that differ only in `totals` and whose rolls differ."""
    game, rules = interpreter.game, interpreter.rules
    roll = interpreter.attempt(lambda: game.roll(rules), "roll", None)
    totals = interpreter.attempt(lambda: game.totals(rules), "totals", None)
    if roll is FAILED or totals is FAILED or not (roll and totals):
        return
    for one, other in _pairs(interpreter, enumerated):
        first, second = _ways(interpreter, one), _ways(interpreter, other)
        alike = first.keys() == second.keys() and [*map(len, first.values())] == [*map(len, second.values())]
        if not alike or not _same_ways_out(first, second):
            interpreter.record("totals", f"{game.file.name}: a roll depends on 'totals'", other)
            return


def _pairs(interpreter: Interpreter, enumerated: StateMoves) -> Iterator[tuple[Any, Any]]:
    """Yield pairs of states before a roll that differ only in totals and have the same legal actions."""
    game, rules = interpreter.game, interpreter.rules
    totals = game.totals(rules)
    stored = [state for state, moves in enumerated.items() if moves and not interpreter.call("transient", state)]
    found = 0
    for state in stored:
        for other in stored:
            variant = state._replace(**{name: getattr(other, name) for name in totals})
            if variant == state or not game.possible(rules, variant) or interpreter.is_over(variant):
                continue
            if interpreter.call("transient", variant):
                continue
            moves = [move.action for move in interpreter.moves(variant)]
            if moves != [move.action for move in enumerated[state]]:
                continue
            found += 1
            yield state, variant
            break
        if found == PAIRS:
            return


Ways = dict[tuple[Any, int], list[Any]]
"""The outcomes by (roll fields, action): each (probability, inside, (next state, passes, reward))."""


def _ways(interpreter: Interpreter, state: State) -> Ways:
    """Return all outcomes of a state's roll, with its roll fields while it stays in the roll and None at an exit."""
    game, rules = interpreter.game, interpreter.rules
    indices = [state._fields.index(name) for name in game.roll(rules)]
    others = [index for index in range(len(state)) if index not in indices]
    waiting, seen, found = [state], {state}, Ways()
    while waiting and len(seen) < MAX_ROWS:
        here = waiting.pop()
        for move in interpreter.moves(here):
            outcomes = []
            for probability, after, passes in move.outcomes:
                stays = not interpreter.is_over(after) and bool(interpreter.call("transient", after)) and not passes
                stays = stays and all(after[index] == state[index] for index in others)
                inside = tuple(after[index] for index in indices) if stays else None
                outcomes.append(
                    (round(probability, 12), inside, (after, passes, _gained(interpreter, here, move, after)))
                )
                if stays and after not in seen:
                    seen.add(after)
                    waiting.append(after)
            found[tuple(here[index] for index in indices), move.action] = outcomes
    return found


def _gained(interpreter: Interpreter, state: State, move: Move, after: State) -> Any:
    return interpreter.call("reward", state, move.action, after) if interpreter.game.has("reward") else 0.0


def _same_ways_out(first: Ways, second: Ways) -> bool:
    """Return whether the inner outcomes are equal, and exits that are equal in the first roll are so in the second."""
    comes_to: dict[Any, Any] = {}
    for way, outcomes in first.items():
        for one, other in zip(outcomes, second[way], strict=True):
            if one[:2] != other[:2]:
                return False
            if one[1] is None and comes_to.setdefault(one[2], other[2]) != other[2]:
                return False
    return True
