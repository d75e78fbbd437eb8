"""The symbolic transition cache yields the successors that the rules yield, and the same values without it."""

import random
from typing import Any

import numpy as np
import pytest

import komi
from komi.compiling.compiled import CompiledGame
from komi.graph.reachability import find_reachable
from komi.graph.transitions import begin
from komi.jit.kernels import engine_kernels
from komi.solvers.stochastic.optimal_values import find_values
from komi.transient.store import Rolls
from komi.transient.symbolic_execution import SymbolicExecutor, can_distinguish_symbols
from komi.transient.symbolic_transitions import CAPACITIES, RUN_RULES, SymbolKind, find_branches

from rulefiles import SOUND


def successors_of(game: Any, rules: Any, state: Any) -> set[tuple[Any, int]]:
    """List the stored states that a roll leads to, and how far the turn passes, state by state."""
    over, transient = game.part("over"), game.part("transient")
    found, waiting, seen = set(), [(state, 0)], set()
    while waiting:
        current, passed = waiting.pop()
        for action in game.part("legal")(rules, current):
            for _, after, passes in game.part("outcomes")(rules, current, action):
                if over(rules, after) or (after, passed + passes) in seen:
                    continue
                seen.add((after, passed + passes))
                if transient(rules, after):
                    waiting.append((after, passed + passes))
                else:
                    found.add((after, passed + passes))
    return found


@pytest.mark.slow
@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"opening": 350, "komi": 100},
        {"of_a_kind": "triples", "three_pairs": 0},
    ],
    ids=str,
)
def test_cached_successors_are_those_of_the_rules(settings: dict[str, Any]) -> None:
    game = komi.find("ten-thousand")
    rules = game.rules({"goal": 1500, **settings})
    compiled = CompiledGame(game)
    rolls = Rolls(compiled, rules)
    states, counts = find_reachable(rolls, [game.part("start")(rules)])
    unshared = Rolls(compiled, rules, shared=False)
    assert counts.states == find_reachable(unshared, [game.part("start")(rules)])[1].states
    transitions = rolls.symbolic_transitions(states.layout)
    compared = 0
    for index in random.Random(1).sample(range(states.size), 60):
        state = game.module.State(*states.fields(index))
        case, choice = engine_kernels()[find_branches](transitions, rolls.graphs.graph_exits, states.handle(state))
        if case < 0:
            assert case == RUN_RULES
            continue
        compared += 1
        graph, first = transitions.case_graph[case], transitions.case_exit[case]
        exits = rolls.graphs.graph_exits[graph] - begin(rolls.graphs.graph_exits, graph)
        outcomes = np.concatenate(
            [
                np.arange(*transitions.branch_outcomes[branch])
                for branch in transitions.exit_chosen[choice, first : first + exits]
            ]
        )
        keys = transitions.sum_value[transitions.outcome_sum[outcomes]] + transitions.outcome_word[outcomes]
        found = {
            (game.module.State(*states.layout.unpack(int(key))), int(passes))
            for key, passes in zip(keys, transitions.outcome_passes[outcomes], strict=True)
        }
        assert found == successors_of(game, rules, state)
    assert compared > 50


@pytest.mark.slow
def test_values_are_the_same_without_symbolic_execution(monkeypatch: pytest.MonkeyPatch) -> None:
    game = komi.find("ten-thousand")
    rules = game.rules({"goal": 1500})
    compiled, roots = CompiledGame(game), [game.part("start")(rules)]
    found = find_values(compiled, rules, roots, has_rolls=True)
    monkeypatch.setenv("KOMI_SYMBOLIC_EXECUTION", "0")
    rolls = Rolls(compiled, rules)
    expected_states, _ = find_reachable(rolls, roots)
    expected = find_values(compiled, rules, roots, has_rolls=True)
    assert rolls.symbolic_transitions(expected_states.layout).counts.sum() == 0
    assert (found.values == expected.values).all()
    assert (found.choices == expected.choices).all()
    assert found.error_bound == expected.error_bound


def test_only_unsupported_operations_end_a_symbolic_execution() -> None:
    game = komi.find("ten-thousand")
    rules = game.rules({})
    state = game.part("start")(rules)
    totals = [name in game.totals(rules) for name in state._fields]
    executor = SymbolicExecutor(game, rules, totals)
    assert executor._execute(state, lambda symbolic: symbolic[totals.index(True)] + 1) is not None
    for unsupported in (
        lambda total: [0][total],
        lambda total: total**2,
        lambda total: {total},
        lambda total: total.real,
    ):
        assert executor._execute(state, lambda symbolic, use=unsupported: use(symbolic[totals.index(True)])) is None
    with pytest.raises(ZeroDivisionError):
        executor._execute(state, lambda _: 1 // 0)


@pytest.mark.slow
@pytest.mark.parametrize("capacity", [0, 3])
def test_a_full_cache_is_not_used(capacity: int, monkeypatch: pytest.MonkeyPatch) -> None:
    game = komi.find("ten-thousand")
    rules = game.rules({"goal": 1500})
    compiled, start = CompiledGame(game), game.part("start")(rules)
    _, expected = find_reachable(Rolls(compiled, rules, shared=False), [start])
    for kind in list(SymbolKind)[:-1]:
        monkeypatch.setattr(
            "komi.transient.symbolic_cache.CAPACITIES", (*CAPACITIES[:kind], capacity, *CAPACITIES[kind + 1 :])
        )
        _, counts = find_reachable(Rolls(compiled, rules), [start])
        assert counts.states == expected.states
        assert counts.outcomes == expected.outcomes


@pytest.mark.parametrize(
    ("before", "after", "distinguishes"),
    [
        ("", "", False),
        ("score, rival, turn = state", "score, rival, turn = state\n    flag = isinstance(turn, int)", True),
        ("if action == HOLD", "if action is HOLD", True),
    ],
)
def test_rules_that_could_distinguish_symbols_are_not_executed(
    before: str, after: str, distinguishes: bool, tmp_path: Any
) -> None:
    file = tmp_path / "sprint.py"
    file.write_text(SOUND.replace(before, after, 1) if before else SOUND)
    assert can_distinguish_symbols(komi.find(str(file)).module) is distinguishes


def test_type_errors_of_komi_itself_are_not_taken_for_unsupported_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    game = komi.find("ten-thousand")
    rules = game.rules({})
    executor = SymbolicExecutor(game, rules, [True, *[False] * 4])
    state, broken = game.part("start")(rules), lambda _: executor._reduce(None)  # type: ignore[arg-type]
    monkeypatch.setenv("KOMI_SYMBOLIC_EXECUTION", "strict")
    with pytest.raises(TypeError):
        executor._execute(state, broken)
    monkeypatch.setenv("KOMI_SYMBOLIC_EXECUTION", "1")
    assert executor._execute(state, broken) is None
