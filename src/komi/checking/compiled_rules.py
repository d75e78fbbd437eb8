"""Checks that the compiled rules agree with the interpreted ones, state by state."""

from collections.abc import Iterator
from math import isclose
from typing import Any, NamedTuple, Self

import numpy as np

from komi.arrays import F64, I64, Flags
from komi.game import CHANCE, Game
from komi.rules.compiled import CompiledGame
from komi.rules.enumeration import StateMoves
from komi.rules.interface import deal, legal, outcomes, over, pick, possible, reward, seat_payoff, transient, view
from komi.rules.interpreter import FAILED, Interpreter, Move
from komi.typing import Rules, State


class StateResults(NamedTuple):
    """Buffers for the results of the compiled rules in one state, with capacity for one extra move and outcome."""

    payoffs: F64  # float64[seats]
    flags: Flags  # bool[2]: possible, transient
    observation: I64  # int64[fields], the view; numba reserves the name "view"
    uniforms: F64  # float64[numbers], those that `deal` receives
    drawn: I64  # int64[fields], the state drawn by `deal`
    actions: I64  # int64[moves]
    ends: I64  # int64[moves], the index after the last outcome of each move
    probabilities: F64  # float64[outcomes]
    next_states: I64  # int64[outcomes, fields]
    passes: I64  # int64[outcomes]
    rewards: F64  # float64[outcomes]

    @classmethod
    def allocate(cls, game: Game, rules: Rules, enumerated: StateMoves) -> Self:
        """Allocate buffers that are large enough for every state in `enumerated`."""
        fields = len(game.module.State._fields)
        moves = 1 + max(map(len, enumerated.values()), default=0)
        size = 1 + max(
            (sum(len(move.outcomes) for move in moves_of_state) for moves_of_state in enumerated.values()), default=0
        )
        return cls(
            np.zeros(game.players(rules)),
            np.zeros(2, np.bool_),
            np.zeros(fields, np.int64),
            np.random.default_rng(0).random(game.deal_uniforms),
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
    results = StateResults.allocate(interpreter.game, interpreter.rules, enumerated)
    evaluate = compiled.kernels[evaluate_rules]
    for state, moves in enumerated.items():
        count = evaluate(interpreter.rules, state, results)
        for part, interpreted, compiled_result in _results(interpreter, state, moves, results, count):
            if interpreted != compiled_result and not _close(interpreted, compiled_result):
                difference = f"returns {interpreted} interpreted, but {compiled_result} compiled"
                interpreter.record(f"compiled {part}", f"{interpreter.game.file.name}: {part!r} {difference}", state)


def _results(
    interpreter: Interpreter, state: State, moves: list[Move], results: StateResults, count: int
) -> Iterator[tuple[str, Any, Any]]:
    """Yield (part, interpreted result, compiled result) for a state."""
    game, rules = interpreter.game, interpreter.rules
    ended = interpreter.is_over(state)
    yield "over", ended, count < 0
    if ended != (count < 0):
        return
    if ended:
        for payoff, compiled_payoff in zip(game.shares(rules, state), results.payoffs.tolist(), strict=True):
            yield "payoff", payoff, compiled_payoff
        return
    yield "legal", [int(move.action) for move in moves], results.actions[:count].tolist()
    begin = 0
    for move, end in zip(moves, results.ends[:count].tolist(), strict=False):
        part = slice(begin, end)
        afters = map(tuple, results.next_states[part].tolist())
        compiled_outcomes = list(
            zip(results.probabilities[part].tolist(), afters, results.passes[part].tolist(), strict=True)
        )
        yield "outcomes", [(chance, tuple(after), passes) for chance, after, passes in move.outcomes], compiled_outcomes
        if game.has("reward"):
            for (_, after, _), compiled_reward in zip(move.outcomes, results.rewards[part].tolist(), strict=False):
                yield "reward", interpreter.call("reward", state, move.action, after), compiled_reward
        begin = end
    if game.has("possible"):
        yield "possible", interpreter.call("possible", state), bool(results.flags[0])
    if game.has("transient"):
        yield "transient", interpreter.call("transient", state), bool(results.flags[1])
    if game.has("view"):
        yield "view", interpreter.call("view", state), tuple(results.observation.tolist())
    if game.has("deal") and moves[0].action != CHANCE:
        view = tuple(results.observation.tolist())
        drawn = interpreter.call("deal", game.module.State(*view), *results.uniforms.tolist())
        yield "deal", drawn, tuple(results.drawn.tolist())


def _close(interpreted: Any, compiled: Any) -> bool:
    """Return whether two results are equal up to rounding. FAILED counts as equal: it is reported already."""
    if interpreted is FAILED:
        return True
    if isinstance(interpreted, list | tuple):
        same_length = isinstance(compiled, list | tuple) and len(interpreted) == len(compiled)
        return same_length and all(_close(one, other) for one, other in zip(interpreted, compiled, strict=True))
    return isclose(interpreted, compiled, rel_tol=1e-12, abs_tol=1e-15)


def evaluate_rules(rules: Rules, state: State, results: StateResults) -> int:
    """Fill in the results of the rules in a state. Return the number of legal actions, or -1 at the end."""
    if over(rules, state):
        for seat in range(len(results.payoffs)):
            results.payoffs[seat] = seat_payoff(rules, state, seat)
        return -1
    results.flags[0] = possible(rules, state)
    results.flags[1] = transient(rules, state)
    seen = view(rules, state)
    for i in range(len(state)):
        results.observation[i] = seen[i]
    if len(results.uniforms) > 0 and pick(rules, state, 0.0)[0] > 0:
        drawn = deal(rules, seen, results.uniforms)
        for i in range(len(state)):
            results.drawn[i] = drawn[i]
    count = size = 0
    for action in legal(rules, state):
        if count < len(results.actions):
            results.actions[count] = action
            for probability, after, passes in outcomes(rules, state, action):
                if size < len(results.probabilities):
                    results.probabilities[size] = probability
                    results.passes[size] = passes
                    results.rewards[size] = reward(rules, state, action, after)
                    for i in range(len(after)):
                        results.next_states[size, i] = after[i]
                    size += 1
            results.ends[count] = size
            count += 1
    return count
