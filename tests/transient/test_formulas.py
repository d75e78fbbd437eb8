"""What formulas say of the ways out of a roll is what the rules say there."""

import random
from typing import Any

import numpy as np
import pytest

import komi
from komi.graph.reachability import find_reachable
from komi.graph.sources import GameTransitions
from komi.graph.transitions import begin
from komi.jit.kernels import engine_kernels
from komi.rules.compiled import CompiledGame
from komi.transient.store import Rolls
from komi.transient.symbolic_execution import tells_symbols
from komi.transient.symbolic_transitions import (
    CONDITIONS,
    FORMS,
    LEAVES,
    MOST,
    OUTCOMES,
    PLAIN,
    PORTS,
    ROOTS,
    SUMS,
    find_leaves,
)

from rulefiles import SOUND


def ways_out(game: Any, rules: Any, state: Any) -> set[tuple[Any, int]]:
    """The stored states that a roll leads to, and how far the turn passes, found state by state."""
    over, transient = game.part("over"), game.part("transient")
    found, waiting, seen = set(), [(state, 0)], set()
    while waiting:
        here, turned = waiting.pop()
        for action in game.part("legal")(rules, here):
            for _, after, passes in game.part("outcomes")(rules, here, action):
                if over(rules, after) or (after, turned + passes) in seen:
                    continue
                seen.add((after, turned + passes))
                if transient(rules, after):
                    waiting.append((after, turned + passes))
                else:
                    found.add((after, turned + passes))
    return found


@pytest.mark.parametrize(
    "settings", [{}, {"opening": 350, "komi": 100}, {"of_a_kind": "triples", "three_pairs": 0}], ids=str
)
def test_formulas_lead_where_the_rules_do(settings: dict[str, Any]) -> None:
    game = komi.find("ten-thousand")
    rules = game.rules({"goal": 1500, **settings})
    compiled = CompiledGame(game)
    rolls = Rolls(compiled, rules)
    states, counts = find_reachable(GameTransitions(compiled, rules), [game.part("start")(rules)], rolls=rolls)
    each = Rolls(compiled, rules, shared=False)
    assert (
        counts.states
        == find_reachable(GameTransitions(compiled, rules), [game.part("start")(rules)], rolls=each)[1].states
    )
    *_, formulas = rolls.survey_arrays(states.layout)
    looked_at = 0
    for index in random.Random(1).sample(range(states.size), 60):
        state = game.module.State(*states.fields(index))
        root, choice = engine_kernels()[find_leaves](formulas, rolls.shapes.shape_ports, states.handle(state))
        if root < 0:
            assert root == PLAIN
            continue
        looked_at += 1
        shape, first = formulas.root_shape[root], formulas.root_port[root]
        ports = rolls.shapes.shape_ports[shape] - begin(rolls.shapes.shape_ports, shape)
        outcomes = np.concatenate(
            [np.arange(*formulas.leaf_outcomes[leaf]) for leaf in formulas.port_chosen[choice, first : first + ports]]
        )
        words = formulas.sum_value[formulas.outcome_sum[outcomes]] + formulas.outcome_word[outcomes]
        leads = {
            (game.module.State(*states.layout.unpack(int(word))), int(passes))
            for word, passes in zip(words, formulas.outcome_passes[outcomes], strict=True)
        }
        assert leads == ways_out(game, rules, state)
    assert looked_at > 50


@pytest.mark.parametrize("room", [0, 3])
def test_formulas_without_room_are_not_used(room: int, monkeypatch: pytest.MonkeyPatch) -> None:
    game = komi.find("ten-thousand")
    rules = game.rules({"goal": 1500})
    compiled, start = CompiledGame(game), game.part("start")(rules)
    _, expected = find_reachable(GameTransitions(compiled, rules), [start], rolls=Rolls(compiled, rules, shared=False))
    for kind in (FORMS, SUMS, ROOTS, PORTS, LEAVES, CONDITIONS, OUTCOMES):
        monkeypatch.setattr("komi.transient.symbolic_cache.MOST", (*MOST[:kind], room, *MOST[kind + 1 :]))
        _, counts = find_reachable(GameTransitions(compiled, rules), [start], rolls=Rolls(compiled, rules))
        assert counts.states == expected.states
        assert counts.outcomes == expected.outcomes


@pytest.mark.parametrize(
    ("before", "after", "tells"),
    [
        ("", "", False),
        ("score, rival, turn = state", "score, rival, turn = state\n    flag = isinstance(turn, int)", True),
        ("if action == HOLD", "if action is HOLD", True),
    ],
)
def test_rules_that_could_tell_symbols_are_not_run_with_them(
    before: str, after: str, tells: bool, tmp_path: Any
) -> None:
    file = tmp_path / "sprint.py"
    file.write_text(SOUND.replace(before, after, 1) if before else SOUND)
    assert tells_symbols(komi.find(str(file)).module) is tells
