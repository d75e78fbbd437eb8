"""Checks that the compiled rules agree with the interpreted ones, state by state."""

from collections.abc import Iterator
from math import isclose
from typing import Any, NamedTuple, Self

import numpy as np

from komi.rules.compiled import CompiledGame
from komi.rules.enumeration import StateMoves
from komi.rules.interface import legal, outcomes, over, possible, reward, seat_payoff, transient, view
from komi.rules.interpreter import FAILED, Interpreter, Move


class Told(NamedTuple):
    """Buffers for the results of the compiled rules in one state, with capacity for one extra move and outcome."""

    payoffs: Any  # float64[seats]
    marks: Any  # bool[2]: possible, transient
    seen: Any  # int64[fields], the view
    actions: Any  # int64[moves]
    ends: Any  # int64[moves], the index after the last outcome of each move
    chances: Any  # float64[outcomes]
    afters: Any  # int64[outcomes, fields]
    passes: Any  # int64[outcomes]
    rewards: Any  # float64[outcomes]

    @classmethod
    def room(cls, seats: int, fields: int, enumerated: StateMoves) -> Self:
        """Allocate buffers that are large enough for every state in `enumerated`."""
        moves = 1 + max(map(len, enumerated.values()), default=0)
        size = 1 + max((sum(len(move.outcomes) for move in said) for said in enumerated.values()), default=0)
        return cls(
            np.zeros(seats),
            np.zeros(2, np.bool_),
            np.zeros(fields, np.int64),
            np.zeros(moves, np.int64),
            np.zeros(moves, np.int64),
            np.zeros(size),
            np.zeros((size, fields), np.int64),
            np.zeros(size, np.int64),
            np.zeros(size),
        )


def check(compiled: CompiledGame, interpreter: Interpreter, enumerated: StateMoves) -> None:
    """Report states in `enumerated` where the compiled rules differ from the interpreted ones."""
    seats = interpreter.game.players(interpreter.rules)
    told = Told.room(seats, len(interpreter.game.module.State._fields), enumerated)
    tell_state = compiled.kernels[tell]
    for state, moves in enumerated.items():
        count = tell_state(interpreter.rules, state, told)
        for part, says, said in _answers(interpreter, state, moves, told, count):
            if says != said and not _close(says, said):
                interpreter.record(
                    f"compiled {part}",
                    f"{interpreter.game.file.name}: {part!r} says {says} interpreted, and {said} compiled",
                    state,
                )


def _answers(
    interpreter: Interpreter, state: Any, moves: list[Move], told: Told, count: int
) -> Iterator[tuple[str, Any, Any]]:
    """Yield (part, interpreted result, compiled result) for a state."""
    game, rules = interpreter.game, interpreter.rules
    ended = interpreter.is_over(state)
    yield "over", ended, count < 0
    if ended != (count < 0):
        return
    if ended:
        for paid, said in zip(game.payoffs(rules, state), told.payoffs.tolist(), strict=True):
            yield "payoff", paid, said
        return
    yield "legal", [int(move.action) for move in moves], told.actions[:count].tolist()
    begin = 0
    for move, end in zip(moves, told.ends[:count].tolist(), strict=False):
        here = slice(begin, end)
        afters = map(tuple, told.afters[here].tolist())
        said = list(zip(told.chances[here].tolist(), afters, told.passes[here].tolist(), strict=True))
        yield "outcomes", [(chance, tuple(after), passes) for chance, after, passes in move.outcomes], said
        if game.has("reward"):
            for (_, after, _), gained in zip(move.outcomes, told.rewards[here].tolist(), strict=False):
                yield "reward", interpreter.call("reward", state, move.action, after), gained
        begin = end
    if game.has("possible"):
        yield "possible", interpreter.call("possible", state), bool(told.marks[0])
    if game.has("transient"):
        yield "transient", interpreter.call("transient", state), bool(told.marks[1])
    if game.has("view"):
        yield "view", interpreter.call("view", state), tuple(told.seen.tolist())


def _close(says: Any, said: Any) -> bool:
    """Return whether two results are equal up to rounding. FAILED counts as equal: it is reported already."""
    if says is FAILED:
        return True
    if isinstance(says, list | tuple):
        same_length = isinstance(said, list | tuple) and len(says) == len(said)
        return same_length and all(_close(one, other) for one, other in zip(says, said, strict=True))
    return isclose(says, said, rel_tol=1e-12, abs_tol=1e-15)


def tell(rules: Any, state: Any, told: Any) -> int:
    """Write the results of the rules in a state into `told`. Return the number of legal actions, or -1 at the end."""
    if over(rules, state):
        for seat in range(len(told.payoffs)):
            told.payoffs[seat] = seat_payoff(rules, state, seat)
        return -1
    told.marks[0] = possible(rules, state)
    told.marks[1] = transient(rules, state)
    seen = view(rules, state)
    for i in range(len(state)):
        told.seen[i] = seen[i]
    count = 0
    place = 0
    for action in legal(rules, state):
        if count < len(told.actions):
            told.actions[count] = action
            for probability, after, passes in outcomes(rules, state, action):
                if place < len(told.chances):
                    told.chances[place] = probability
                    told.passes[place] = passes
                    told.rewards[place] = reward(rules, state, action, after)
                    for i in range(len(after)):
                        told.afters[place, i] = after[i]
                    place += 1
            told.ends[count] = place
            count += 1
    return count
