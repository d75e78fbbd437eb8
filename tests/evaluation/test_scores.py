"""Final scores are as probable as plain recursion in exact fractions says, and so is the chance of a target."""

from collections import Counter
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import komi
from games import reference
from komi.rules import catalog
from komi.solvers.solution import Solution

import rulefiles


def distribution(solution: Solution[Any], choose: Any) -> dict[int, Fraction]:
    """How probable each final score is if this policy plays, by recursion through a game without cycles."""
    game, rules = solution.game, solution.rules

    @cache
    def after(state: Any) -> Counter[int]:
        found: Counter[int] = Counter()
        if game.part("over")(rules, state):
            found[int(game.payoffs(rules, state)[0])] = Fraction(1)  # type: ignore[assignment]
            return found
        for action, share in choose(state).items():
            for chance, following, _ in reference.outcomes(game, rules, state, action):
                gained = int(game.part("reward")(rules, state, action, following))
                for score, p in after(following).items():
                    found[score + gained] += share * chance * p
        return found

    return dict(after(game.part("start")(rules)))


def test_scores_of_think_are_those_of_fractions() -> None:
    solution = komi.solve("think", turns=2)
    found = komi.scores("think", "hold-at:12", turns=2)
    truth = distribution(solution, lambda state: {int(state.turn >= 12): Fraction(1)})
    assert set(found.distribution) == {score for score, chance in truth.items() if chance}
    for score, chance in truth.items():
        assert abs(Fraction(found.distribution[score]) - chance) <= found.error_bound <= 1e-9


def test_random_play_shares_its_chances() -> None:
    solution = komi.solve("think", turns=1)
    found = komi.scores("think", "random", turns=1)

    def choose(state: Any) -> dict[int, Fraction]:
        legal = list(solution.game.part("legal")(solution.rules, state))
        return {action: Fraction(1, len(legal)) for action in legal}

    for score, chance in distribution(solution, choose).items():
        assert abs(Fraction(found.distribution[score]) - chance) <= found.error_bound


def test_a_turn_of_hold_at_twenty_scores_as_published() -> None:
    found = komi.scores("pig-solitaire", "hold-at:20", objective="score", turns=1)
    published = {0: 0.624541, 20: 0.099713, 21: 0.094991, 22: 0.074189, 23: 0.054196, 24: 0.035198, 25: 0.017173}
    assert found.distribution == pytest.approx(published, abs=5e-7)


def test_the_mean_is_what_the_policy_comes_to_also_where_play_leads_back() -> None:
    rules: dict[str, Any] = {"objective": "turns", "goal": 12}
    found, measured = (
        komi.scores("pig-solitaire", "hold-at:5", **rules),
        komi.match("pig-solitaire", "hold-at:5", **rules),
    )
    assert found.mean == pytest.approx(measured.value, abs=1e-8)
    assert found.error_bound <= 1e-9
    assert found.probabilities.sum() == pytest.approx(1.0, abs=1e-11)


def test_quantiles_and_sums_follow_from_the_chances() -> None:
    found = komi.scores("think", "optimal", turns=2)
    assert found.at_least(found.least) == pytest.approx(1.0)
    assert found.at_least(found.quantile(0.5)) >= 0.5
    assert found.deviation > 0


def test_games_without_scores_say_so() -> None:
    with pytest.raises(komi.SolveError, match="pig-solitaire has no rewards"):
        komi.scores("pig-solitaire", goal=12, turns=3)
    with pytest.raises(komi.SolveError, match="piglet is for 2 players"):
        komi.scores("piglet", goal=3)


@pytest.mark.slow
def test_the_best_chance_of_a_target_in_turns_is_the_chance_of_the_goal_in_time() -> None:
    for turns in (2, 3):
        best = komi.solve("pig-solitaire:at-most", objective="turns", goal=12, target=turns)
        in_time = komi.solve("pig-solitaire", objective="reach", goal=12, turns=turns)
        assert best.objective == f"chance of at most {turns} turns"
        assert best.value() == pytest.approx(in_time.value(), abs=1e-9)


@pytest.mark.slow
def test_the_best_chance_of_so_many_points_is_that_of_fractions() -> None:
    game = catalog.find("think:at-least")
    rules = {"turns": 2, "target": 20}
    solution = komi.solve(game, **rules)
    truth = reference.solve_one_seat(game, game.rules(rules))[game.part("start")(game.rules(rules))]
    assert solution.objective == "chance of at least 20 points"
    assert abs(Fraction(solution.value()) - truth) <= solution.error_bound <= 1e-9
    optimal = komi.scores("think", "optimal", turns=2).at_least(20)
    assert optimal < solution.value()


def test_the_target_of_a_policy_has_the_chance_that_its_scores_have() -> None:
    of_scores = komi.scores("think", "hold-at:12", turns=2).at_least(20)
    assert komi.match("think:at-least", "hold-at:12", turns=2, target=20).value == pytest.approx(of_scores, abs=1e-9)


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("pig:at-least", "a target is for games for one player"),
        ("thinks:at-least", "there is no game 'thinks'"),
    ],
)
def test_games_without_a_target_say_so(name: str, why: str) -> None:
    with pytest.raises(komi.KomiError, match=why):
        catalog.find(name)


def test_a_target_needs_something_to_be_gained(tmp_path: Path) -> None:
    path = rulefiles.write(tmp_path, ("players = 2", "players = 1"))
    with pytest.raises(komi.GameError, match="gains nothing on the way"):
        catalog.find(f"{path}:at-least")


def test_rewards_that_are_no_whole_numbers_make_no_target(tmp_path: Path) -> None:
    path = rulefiles.write(
        tmp_path,
        ("players = 2", "players = 1"),
        ("def over", "def reward(rules, state, action, after):\n    return 0.5\n\n\ndef over"),
    )
    with pytest.raises(komi.GameError, match="a target is for whole numbers"):
        catalog.find(f"{path}:at-least")
