"""Games in which views and legal actions carry information: every answer is that of a linear program."""

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from sequence_program import sequence_form_value

import komi
from komi.evaluation.hidden import HiddenEvaluator
from komi.policies.named import find
from komi.rules import catalog

ROOT = Path(__file__).parents[1]
GAME = catalog.find(str(ROOT / "games" / "random_information.py"))
SHOWN = catalog.find(str(ROOT / "games" / "shown_choice.py"))
LATE = catalog.find(str(ROOT / "games" / "late_secret.py"))
KUHN = catalog.find(str(ROOT.parent / "examples" / "kuhn_poker.py"))
WAYS = ({}, {"leaks": 24}, {"skips": 16}, {"laps": 32}, {"late": 1}, {"leaks": 16, "skips": 8}, {"skips": 8, "late": 1})
FAST = (0, 1, 3, 4, 5, 8, 9, 10, 11, 14, 16, 17, 18, 24, 29, 32, 33, 34, 35, 48)
REFUSAL = re.compile(r"[^\n]*\.$")


def solved(plan: int, matched: bool = False) -> str:
    """Solve a game, and match optimal play; return the class of the solution, or that of the error."""
    way = WAYS[plan // 8 % len(WAYS)]
    rules = {"plan": plan, "hidden": (0, 1, 0, 1, 2, 0, 1, 1)[plan % 8], **way}
    try:
        solution = komi.solve(GAME, **rules)
    except (komi.SolveError, komi.GameError) as error:
        assert REFUSAL.match(str(error)), error
        return type(error).__name__
    value = sequence_form_value(GAME, GAME.rules(rules))
    assert solution.expected_value() == pytest.approx(value, abs=solution.error_bound + 1e-8), rules
    if matched and not solution.has_plies:
        match = komi.match(GAME, "optimal", "optimal", **rules)
        assert match.first.wins == pytest.approx(value, abs=match.error_bound + 1e-8), rules
        assert match.second.wins == pytest.approx(1.0 - value, abs=match.error_bound + 1e-8), rules
    return type(solution).__name__


def test_solved_games_have_the_value_of_the_linear_program() -> None:
    found = Counter(map(solved, FAST))
    assert found["SimultaneousSolution"] >= 4
    assert found["HiddenSolution"] >= 4
    assert found["GameError"] >= 1


@pytest.mark.slow
def test_two_thousand_games_have_the_value_of_the_linear_program() -> None:
    found = Counter(solved(plan, matched=True) for plan in range(1000, 3000))
    assert found["SimultaneousSolution"] >= 300
    assert found["HiddenSolution"] >= 300


@pytest.mark.parametrize("last", [32, 33])
def test_a_choice_that_legal_actions_show_is_not_simultaneous(last: int) -> None:
    with pytest.raises(
        komi.GameError, match="states with the same view, step=2,chosen=1,right=0, have different legal"
    ):
        komi.solve(SHOWN, last=last)


@pytest.mark.slow
def test_a_choice_that_looks_like_a_chance_event_is_hidden() -> None:
    solution = komi.solve(SHOWN, way=1)
    assert isinstance(solution, komi.HiddenSolution)
    assert abs(solution.value() - 0.5) <= solution.error_bound
    match = komi.match(SHOWN, "optimal", "optimal", way=1)
    assert match.first.wins == pytest.approx(0.5, abs=match.error_bound)


@pytest.mark.parametrize(
    "evaluate", [komi.solve, lambda *each, **rules: komi.match(*each, "random", "random", **rules)]
)
def test_a_choice_that_looks_like_the_start_is_refused(evaluate: Any) -> None:
    with pytest.raises(komi.SolveError, match="imperfect recall: a player who sees step=2,chosen=0,right=0 can have"):
        evaluate(SHOWN, way=2)


@pytest.mark.parametrize(
    ("game", "rules"),
    [(LATE, {"faces": 10}), (LATE, {"faces": 150}), pytest.param(KUHN, {"cards": 11}, marks=pytest.mark.slow)],
)
def test_games_are_solved_whatever_their_first_states_hide(game: Any, rules: dict[str, int]) -> None:
    solution = komi.solve(game, **rules)
    assert solution.kind.is_concealed
    lower, upper = solution.bounds
    assert lower <= solution.value() <= upper < lower + 1e-9
    assert solution.value() == pytest.approx(sequence_form_value(game, game.rules(rules)), abs=1e-9)
    assert komi.match(game, "optimal", "optimal", **rules).first.wins == pytest.approx(solution.value(), abs=1e-9)


def test_probabilities_that_sum_to_less_than_one_count_in_the_bounds() -> None:
    rules = {"faces": 3, "idle": 10, "lost": 9.9e-10}
    with pytest.raises(komi.SolveError, match=r"proved only to 1\.0e-08"):  # 9.9e-9 and rounding, rounded up
        komi.solve(LATE, **rules)
    solution = komi.solve(LATE, tolerance=1e-7, **rules)
    lower, upper = solution.bounds
    assert lower <= sequence_form_value(LATE, LATE.rules(rules)) <= 2 / 3 <= upper
    evaluator, optimal = HiddenEvaluator(solution), find("optimal", solution)
    assert evaluator.best_response(optimal).error_bound >= 9.9e-9
    assert evaluator.regret(optimal).error_bound >= 9.9e-9
