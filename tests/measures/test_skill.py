"""Ladders, the price of restrictions, and chains of best responses."""

from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import komi
from komi.measures.ladder import climb
from komi.measures.restriction import bind, chain_responses, forbid
from komi.policies.named import find
from komi.solvers.solve import solve


@pytest.mark.slow
def test_each_rung_of_a_ladder_is_a_match() -> None:
    solution = solve("piglet")
    ladder = climb(solution, seconds=0.0)
    assert ladder.names == ("random", "hold-at:1", "optimal")
    for i, one in enumerate(ladder.names):
        for j, other in enumerate(ladder.names):
            assert ladder.first[i, j] == pytest.approx(komi.match("piglet", one, other).first.wins, abs=1e-9)
    assert np.allclose(ladder.win_rates + ladder.win_rates.T, 1.0)
    assert ladder.skill_depth == sum(ladder.win_rates[i + 1, i] >= 0.55 for i in range(2))
    assert 0.0 < ladder.skill_share.value < 1.0
    assert ladder.relative_skill.value == pytest.approx(
        ladder.learning_effect.value / (ladder.learning_effect.value + 0.5)
    )


def test_a_bound_player_loses_what_the_best_response_wins() -> None:
    solution = solve("piglet")
    price = bind(solution, find("hold-at:2", solution))
    response = komi.best_response("piglet", "hold-at:2")
    value = solution.expected_value()
    assert price.second.value == pytest.approx(response.wins[0] - value, abs=1e-9)
    assert price.first.value == pytest.approx(value - (1.0 - response.wins[1]), abs=1e-9)


def test_who_may_not_hold_plays_to_the_end() -> None:
    solution = solve("piglet", goal=3)
    price, bound = forbid(solution, "hold"), bind(solution, find("hold-at:3", solution))
    assert price.first.value == pytest.approx(bound.first.value, abs=1e-9)
    assert price.first.value > 0.0


def test_a_player_who_may_not_flip_loses_all_games() -> None:
    solution = solve("piglet", goal=3)
    price, value = forbid(solution, "flip"), solution.expected_value()
    assert price.first.value == pytest.approx(value, abs=1e-9)
    assert price.second.value == pytest.approx(1.0 - value, abs=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("forbidden", ["safe", "toss", "rest"])
def test_a_player_chooses_among_the_actions_that_are_left(forbidden: str) -> None:
    solution = solve(str(Path(__file__).parents[1] / "games" / "short_race.py"))
    price = forbid(solution, forbidden)
    game, rules, start = solution.game, solution.rules, solution.game.part("start")(solution.rules)

    @cache
    def value(state: Any, is_bound: bool) -> Fraction:
        """Compute the chance of the player to move, whose policy, or whose opponent's, is fixed."""
        if game.part("over")(rules, state):
            return Fraction(game.part("payoff")(rules, state))
        legal = list(game.part("legal")(rules, state))
        if is_bound and len(legal) > 1:
            legal = [action for action in legal if game.module.actions[action] != forbidden]
        return max(
            sum(
                Fraction(chance) * (1 - value(after, not is_bound) if passes else value(after, is_bound))
                for chance, after, passes in game.part("outcomes")(rules, state, action)
            )
            for action in legal
        )

    optimal = Fraction(solution.expected_value())
    assert price.first.value == pytest.approx(float(optimal - value(start, True)), abs=1e-12)
    assert price.second.value == pytest.approx(float(value(start, False) - optimal), abs=1e-12)


def test_unknown_actions_are_refused() -> None:
    with pytest.raises(komi.InputError, match="no action 'draw': there are flip, hold"):
        forbid(solve("piglet"), "draw")


@pytest.mark.slow
def test_a_chain_of_best_responses_ends_with_optimal_play() -> None:
    solution = solve("piglet")
    chain = chain_responses(solution, find("hold-at:1", solution))
    assert chain.ending == "optimal"
    assert all(rate > 0.5 for rate in chain.win_rates)
    assert chain_responses(solution, find("optimal", solution)).win_rates == ()
