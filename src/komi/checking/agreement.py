"""Whether the rules say the same compiled as interpreted, state by state."""

from collections.abc import Iterator
from math import isclose
from typing import Any

import numpy as np

from komi.compile.compiled import CompiledGame
from komi.compile.rulebook import (
    legal,
    outcomes,
    over,
    payoff,
    possible,
    reward,
    seat_payoff,
    transient,
    view,
)
from komi.interpreted import FAILED, Interpreter, Move
from komi.walk import Walk


def check(compiled: CompiledGame, interpreter: Interpreter, walked: Walk) -> None:
    """Note where the compiled rules say otherwise than the interpreted ones did in the states walked."""
    for state, moves in walked.items():
        for part, says, said in _answers(compiled, interpreter, state, moves):
            if says != said and not _close(says, said):
                interpreter.note(
                    f"compiled {part}",
                    f"{interpreter.game.file.name}: {part!r} says {says} interpreted, and {said} compiled",
                    state,
                )


def _answers(
    compiled: CompiledGame, interpreter: Interpreter, state: Any, moves: list[Move]
) -> Iterator[tuple[str, Any, Any]]:
    """(part, what it says interpreted, what it says compiled) of a state."""
    game, rules, kernels = interpreter.game, interpreter.rules, compiled.kernels
    ended = interpreter.is_over(state)
    yield "over", ended, bool(kernels[tell_over](rules, state))
    if ended:
        if game.is_seated:
            for seat, paid in enumerate(game.payoffs(rules, state)):
                yield "payoff", paid, kernels[tell_seat_payoff](rules, state, seat)
        else:
            yield "payoff", interpreter.ask("payoff", state), kernels[tell_payoff](rules, state)
        return
    yield from _move_answers(compiled, interpreter, state, moves)
    for name, template in (("possible", tell_possible), ("view", tell_view), ("transient", tell_transient)):
        if game.has(name):
            yield name, interpreter.ask(name, state), kernels[template](rules, state)


def _move_answers(
    compiled: CompiledGame, interpreter: Interpreter, state: Any, moves: list[Move]
) -> Iterator[tuple[str, Any, Any]]:
    rules, kernels = interpreter.rules, compiled.kernels
    told = np.empty(len(moves) + 1, np.int64)
    count = kernels[tell_legal](rules, state, told)
    yield "legal", [int(move.action) for move in moves], [int(action) for action in told[:count]]
    for move in moves:
        size = len(move.outcomes) + 1
        chances, afters = np.empty(size), np.empty((size, len(state)), np.int64)
        passes = np.empty(size, np.int64)
        count = kernels[tell_outcomes](rules, state, move.action, chances, afters, passes)
        said = [(float(chances[i]), tuple(map(int, afters[i])), int(passes[i])) for i in range(count)]
        yield "outcomes", [(chance, tuple(after), passed) for chance, after, passed in move.outcomes], said
        if interpreter.game.has("reward"):
            for _, after, _ in move.outcomes:
                gained = interpreter.ask("reward", state, move.action, after)
                yield "reward", gained, kernels[tell_reward](rules, state, move.action, after)


def _close(says: Any, said: Any) -> bool:
    """Whether two answers are the same but for rounding; what has failed is noted already."""
    if says is FAILED:
        return True
    if isinstance(says, list | tuple):
        same_length = isinstance(said, list | tuple) and len(says) == len(said)
        return same_length and all(_close(one, other) for one, other in zip(says, said, strict=True))
    return isclose(says, said, rel_tol=1e-12, abs_tol=1e-15)


def tell_over(rules: Any, state: Any) -> bool:
    """Whether the game has ended, compiled."""
    return over(rules, state)


def tell_payoff(rules: Any, state: Any) -> float:
    """The payoff, compiled."""
    return payoff(rules, state)


def tell_seat_payoff(rules: Any, state: Any, seat: int) -> float:
    """The payoff of a seat, compiled."""
    return seat_payoff(rules, state, seat)


def tell_possible(rules: Any, state: Any) -> bool:
    """Whether such a state is possible, compiled."""
    return possible(rules, state)


def tell_view(rules: Any, state: Any) -> Any:
    """The view, compiled."""
    return view(rules, state)


def tell_transient(rules: Any, state: Any) -> bool:
    """Whether the state is one of a moment, compiled."""
    return transient(rules, state)


def tell_reward(rules: Any, state: Any, action: int, after: Any) -> float:
    """The reward, compiled."""
    return reward(rules, state, action, after)


def tell_legal(rules: Any, state: Any, told: Any) -> int:
    """Fill in the legal actions, as many as there is room for; returns how many that is."""
    count = 0
    for action in legal(rules, state):
        if count < len(told):
            told[count] = action
            count += 1
    return count


def tell_outcomes(rules: Any, state: Any, action: int, chances: Any, afters: Any, passed: Any) -> int:
    """Fill in the outcomes of an action, as many as there is room for; returns how many that is."""
    count = 0
    for probability, after, passes in outcomes(rules, state, action):
        if count < len(chances):
            chances[count] = probability
            passed[count] = passes
            for i in range(len(after)):
                afters[count, i] = after[i]
            count += 1
    return count
