"""Policies with a memory get what following them from state to state gets."""

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import komi
from komi.errors import AuditError, GameError
from komi.evaluation.match import evaluate_match
from komi.policies.named import find

EXAMPLES = Path(__file__).parents[2] / "examples"
ENDLESS_TIGER = EXAMPLES / "endless_tiger.py"


def followed(solution: Any) -> tuple[float, float]:
    """Return the expected total and the number of actions, by the probabilities of all states after each step."""
    game, rules, controller = solution.game, solution.rules, solution.controller
    seen = {game.module.State(*each): number for number, each in enumerate(solution.data.observations.tolist())}
    edges = {
        (node, int(controller.seen[edge])): int(controller.after[edge])
        for node in range(len(controller.actions))
        for edge in range(controller.ends[node], controller.ends[node + 1])
    }
    play, total, actions = Counter({(game.part("start")(rules), 0): 1.0}), 0.0, 0.0
    while sum(play.values()) > 1e-15:
        after = Counter[Any]()
        for (state, before), weight in play.items():
            memory, action = before, -1
            if not game.is_chance(rules, state):
                number = seen[game.observed(rules, state)]
                memory = edges.get((before, number), 1 + number)
                action = int(controller.actions[memory])
                actions += weight
            for chance, later, _ in game.outcomes(rules, state, action):
                total += weight * chance * game.part("reward")(rules, state, action, later)
                if not game.part("over")(rules, later):
                    after[later, memory] += weight * chance
        play = after
    return total, actions


@pytest.mark.parametrize("discount", [0.5, 0.75, pytest.param(0.95, marks=pytest.mark.slow)])
def test_the_optimal_policy_of_the_endless_tiger_gets_what_following_it_gets(discount: float) -> None:
    solution = komi.solve(ENDLESS_TIGER, discount=discount)
    policy = find("optimal", solution)
    result: Any = evaluate_match(solution, [policy])
    total, actions = followed(solution)
    assert abs(result.value - total) <= result.error_bound + 1e-10
    assert abs(result.actions - actions) <= result.length_error_bound + 1e-10
    assert result.actions == pytest.approx(1 / (1 - discount))
    assert result.loss <= result.error_bound + solution.error_bound
    assert result.error_bound < 1e-9


def test_the_optimal_policy_of_rounds_is_worth_what_a_list_of_beliefs_finds(tmp_path: Path) -> None:
    listed = komi.match(EXAMPLES / "tiger.py", "optimal", rounds=6)
    path = tmp_path / "tiger.py"
    path.write_text((EXAMPLES / "tiger.py").read_text().replace("growls=state.growls ", "growls=0 "))
    searched = komi.match(path, "optimal", rounds=6)
    bound = searched.error_bound + listed.error_bound + komi.solve(path, rounds=6).error_bound
    assert abs(searched.value - listed.value) <= bound
    assert searched.actions == pytest.approx(6.0, abs=1e-9)
    assert searched.turns == listed.turns


def test_a_controller_that_does_not_attain_the_value_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    solution: Any = komi.solve(ENDLESS_TIGER, discount=0.75)
    listens = solution.controller._replace(actions=np.zeros_like(solution.controller.actions))
    other = replace(find("optimal", solution), controller=listens)  # type: ignore[type-var]
    assert evaluate_match(solution, [other]).value == pytest.approx(-4.0)  # type: ignore[union-attr]
    monkeypatch.setattr(type(solution), "controller", listens)
    with pytest.raises(AuditError, match="attains -4 by the rules as Python runs them"):
        evaluate_match(solution, [find("optimal", solution)])


def test_a_policy_of_other_rules_may_be_worse() -> None:
    deaf = find("optimal", komi.solve(ENDLESS_TIGER, discount=0.75, hear=0.5))
    result: Any = komi.match(ENDLESS_TIGER, deaf, discount=0.75)
    assert result.loss > 0.1


def test_a_policy_that_does_not_know_what_is_seen_is_refused() -> None:
    solution: Any = komi.solve(ENDLESS_TIGER, discount=0.75)
    policy: Any = find("optimal", solution)
    with pytest.raises(GameError, match="policy optimal has no legal action in State"):
        evaluate_match(solution, [replace(policy, numbers=np.full_like(policy.numbers, -1))])
