"""Check of the hint `symmetries`: images of a state have the same value."""

from typing import Any

from komi.rules.enumeration import StateMoves
from komi.rules.interpreter import Interpreter, Move
from komi.typing import State


def check_symmetries(interpreter: Interpreter, enumerated: StateMoves) -> None:
    """Check that a state and an image end together and lead to the same orbits. The image checked rotates."""
    file = interpreter.game.file.name
    orbits = _Orbits(interpreter)
    for turn, (state, moves) in enumerate(enumerated.items()):
        others = sorted(orbits[state] - {state})
        if not others:
            continue
        image = others[turn % len(others)]
        if interpreter.is_over(image) != interpreter.is_over(state):
            interpreter.record("symmetries", f"{file}: the game is over in only one of two 'symmetries'", state)
        elif interpreter.is_over(state) and _shares(interpreter, image) != _shares(interpreter, state):
            interpreter.record("symmetries", f"{file}: 'symmetries' have different payoffs", state)
        elif orbits[image] != orbits[state]:
            interpreter.record("symmetries", f"{file}: 'symmetries' of an image differ from those of the state", state)
        elif moves and orbits.led_to(interpreter.moves(image)) != orbits.led_to(moves):
            interpreter.record("symmetries", f"{file}: actions in 'symmetries' do not lead to 'symmetries'", state)


def _shares(interpreter: Interpreter, state: State) -> tuple[float, ...]:
    return interpreter.game.shares(interpreter.rules, state)


class _Orbits(dict[Any, frozenset[Any]]):
    """A cache of orbits: each state with its symmetric images."""

    def __init__(self, interpreter: Interpreter) -> None:
        super().__init__()
        self._interpreter = interpreter

    def __missing__(self, state: State) -> frozenset[Any]:
        self[state] = frozenset({state, *self._interpreter.images(state)})
        return self[state]

    def led_to(self, moves: list[Move]) -> list[Any]:
        """Return the orbits that the actions lead to, sorted, independent of the numbering of the actions."""
        return sorted(
            sorted((round(chance, 9), passes, sorted(self[after])) for chance, after, passes in move.outcomes)
            for move in moves
        )
