"""Checks that the compiled rules agree with the interpreted ones, state by state."""

from collections.abc import Iterator
from math import isclose
from typing import Any, NamedTuple, Self

import numpy as np

from komi.arrays import F64, I64, Flags
from komi.compiling.compiled import CompiledGame
from komi.game import CHANCE
from komi.graph.expanded_rules import expand_states
from komi.graph.expansion import (
    GAINED,
    NUMBER,
    OUTCOMES,
    OUTCOMES_END,
    OVER,
    PROBABLY,
    ROWS,
    TURNS,
    Expansion,
)
from komi.rules.enumeration import StateMoves
from komi.rules.game import Game
from komi.rules.interface import deal, pick, transient, view
from komi.rules.interpreter import FAILED, Interpreter, Move
from komi.typing import Rules, State


class Hidden(NamedTuple):
    """The results of the compiled rules in a state, except its actions and outcomes."""

    is_transient: Flags  # bool[1]
    observation: I64  # int64[fields], the view; numba reserves the name "view"
    uniforms: F64  # float64[numbers], those that `deal` receives
    drawn: I64  # int64[fields], the state drawn by `deal`

    @classmethod
    def allocate(cls, game: Game) -> Self:
        """Allocate the arrays for a game."""
        fields = len(game.module.State._fields)
        uniforms = np.random.default_rng(0).random(game.deal_uniforms)
        return cls(np.zeros(1, np.bool_), np.zeros(fields, np.int64), uniforms, np.zeros(fields, np.int64))


def check(compiled: CompiledGame, interpreter: Interpreter, enumerated: StateMoves) -> None:
    """Report states in `enumerated` where the compiled rules differ from the interpreted ones.

    Raises:
        GameError: if the compiled rules are broken where the interpreted ones are not.
    """
    game, rules = interpreter.game, interpreter.rules
    states = [state for state in enumerated if not interpreter.is_over(state)]
    rows = np.pad(compiled.rows(rules, states), ((0, 0), (0, 1)))
    hidden = Hidden.allocate(game)
    observe = compiled.kernels[observe_rules] if any(map(game.has, ("transient", "view", "deal"))) else None
    for state, expansion in zip(states, expand_states(compiled, rules, rows), strict=True):
        results = list(_results(interpreter, state, enumerated[state], expansion))
        if observe:
            observe(rules, state, hidden)
            results += _hidden_results(interpreter, state, enumerated[state], hidden)
        for part, where, interpreted, compiled_result in results:
            if interpreted != compiled_result and not _close(interpreted, compiled_result):
                difference = f"returns {interpreted} interpreted, but {compiled_result} compiled"
                interpreter.record(f"compiled {part}", f"{game.file.name}: {part!r} {difference}", where)


def _results(
    interpreter: Interpreter, state: State, moves: list[Move], expansion: Expansion
) -> Iterator[tuple[str, State, Any, Any]]:
    """Yield (part, state, interpreted result, compiled result) for a state and what follows it."""
    game, rules = interpreter.game, interpreter.rules
    count, size = expansion.counts[[ROWS, OUTCOMES]].tolist()
    yield "legal", state, [int(move.action) for move in moves], expansion.action[:count, NUMBER].tolist()
    afters = list(map(tuple, expansion.outside[:size, :-1].tolist()))
    passes, ends = expansion.outcome[:size, TURNS].tolist(), expansion.outcome[:size, OVER].tolist()
    probabilities, rewards = expansion.weight[:size, PROBABLY].tolist(), expansion.weight[:size, GAINED].tolist()
    begin = 0
    for move, end in zip(moves, expansion.action[:count, OUTCOMES_END].tolist(), strict=False):
        part = slice(begin, end)
        compiled_outcomes = list(zip(probabilities[part], afters[part], passes[part], strict=True))
        interpreted = [(chance, tuple(after), passes) for chance, after, passes in move.outcomes]
        yield "outcomes", state, interpreted, compiled_outcomes
        for (_, after, _), index in zip(move.outcomes, range(begin, end), strict=False):
            ended = interpreter.is_over(after)
            yield "over", after, ended, bool(ends[index])
            if ended and ends[index]:
                yield "payoff", after, list(game.shares(rules, after)), expansion.payoff[index].tolist()
            if game.has("reward"):
                yield "reward", state, interpreter.call("reward", state, move.action, after), rewards[index]
        begin = end


def _hidden_results(
    interpreter: Interpreter, state: State, moves: list[Move], hidden: Hidden
) -> Iterator[tuple[str, State, Any, Any]]:
    """Yield (part, state, interpreted result, compiled result) for what is not about moves."""
    game, view_of_state = interpreter.game, tuple(hidden.observation.tolist())
    if game.has("transient"):
        yield "transient", state, interpreter.call("transient", state), bool(hidden.is_transient[0])
    if game.has("view"):
        yield "view", state, interpreter.call("view", state), view_of_state
    if game.has("deal") and moves[0].action != CHANCE:
        drawn = interpreter.call("deal", game.module.State(*view_of_state), *hidden.uniforms.tolist())
        yield "deal", state, drawn, tuple(hidden.drawn.tolist())


def _close(interpreted: Any, compiled: Any) -> bool:
    """Return whether two results are equal up to rounding. FAILED counts as equal: it is reported already."""
    if interpreted is FAILED:
        return True
    if isinstance(interpreted, list | tuple):
        same_length = isinstance(compiled, list | tuple) and len(interpreted) == len(compiled)
        return same_length and all(_close(one, other) for one, other in zip(interpreted, compiled, strict=True))
    return isclose(interpreted, compiled, rel_tol=1e-12, abs_tol=1e-15)


def observe_rules(rules: Rules, state: State, hidden: Hidden) -> None:
    """Fill in what the rules say of a state that is not terminal, besides its actions and outcomes."""
    hidden.is_transient[0] = transient(rules, state)
    seen = view(rules, state)
    for i in range(len(state)):
        hidden.observation[i] = seen[i]
    if len(hidden.uniforms) > 0 and pick(rules, state, 0.0)[0] > 0:
        drawn = deal(rules, seen, hidden.uniforms)
        for i in range(len(state)):
            hidden.drawn[i] = drawn[i]
