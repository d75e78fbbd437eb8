"""Policies at a table of three come to what the same in exact fractions do."""

from fractions import Fraction
from typing import Any

import pytest

import komi
from games import reference
from komi.evaluation.multiplayer import best_responses
from komi.policies.named import find
from komi.policies.policy import Policy
from komi.rules import catalog

RULES = {"goal": 3, "players": 3}


def mixed(solution: Any, policy: Policy) -> Any:
    """Convert the policy for the slow twin."""
    game, rules = solution.game, solution.rules

    def choose(state: Any) -> dict[int, Fraction]:
        legal = list(game.part("legal")(rules, state))
        if policy.name == "random":
            return {action: Fraction(1, len(legal)) for action in legal}
        return {policy.choose(game, rules, state, 0.5): Fraction(1)}

    return choose


def exactly(solution: Any, policies: list[Policy]) -> list[Fraction]:
    """Compute each seat's payoff, the first to move first, in exact fractions."""
    game, rules = solution.game, solution.rules
    seats = len(policies)
    choose = [mixed(solution, policy) for policy in policies]
    start = game.part("start")(rules)
    return [
        reference.solve(
            reference.decisions(
                game,
                rules,
                lambda state, seat, tracked=tracked: choose[(tracked - seat) % seats](state),
                start,
                tracked,
            )
        )[start, tracked]
        for tracked in range(seats)
    ]


def test_values_of_each_order_of_seats_agree_with_fractions() -> None:
    solution = komi.solve("piglet", **RULES)
    found = komi.match("piglet", "hold-at:1", "random", "optimal", **RULES)
    assert len(found.seatings) == 6
    for seating in found.seatings:
        truth = exactly(solution, [find(name, solution) for name in seating.policies])
        assert sum(truth) == 1
        for ours, value in zip(seating.values, truth, strict=True):
            assert abs(Fraction(ours) - value) <= found.error_bound <= 1e-9
    assert sum(found.average.values()) == pytest.approx(1.0)


def test_the_last_policy_takes_the_seats_left() -> None:
    found = komi.match("piglet", "hold-at:1", "random", **RULES)
    assert found.seatings[0].policies == ("hold-at:1", "random", "random")
    assert len(found.seatings) == 3
    assert found.average["hold-at:1"] + 2 * found.average["random"] == pytest.approx(1.0)


def test_best_responses_are_those_of_fractions() -> None:
    game = catalog.find("piglet")
    solution = komi.solve(game, **RULES)
    policy = find("hold-at:1", solution)
    ours = best_responses(solution, [policy] * 3)
    for seat, value in enumerate(ours):
        choose = mixed(solution, policy)
        truth = reference.best_response(game, solution.rules, choose, seat)[game.part("start")(solution.rules), seat]
        assert abs(Fraction(value) - truth) <= 1e-9


def test_no_one_gains_by_leaving_the_equilibrium() -> None:
    solution = komi.solve("piglet", **RULES)
    found = best_responses(solution, [find("optimal", solution)] * 3)
    for best, value, epsilon in zip(found, solution.seat_values(), solution.epsilon, strict=True):
        assert value - 1e-9 <= best <= value + epsilon + 1e-9


def test_too_many_policies_are_refused_in_a_sentence() -> None:
    with pytest.raises(
        komi.InputError, match="takes 1 to 3 policies; the last one also takes the remaining seats, not 4"
    ):
        komi.match("piglet", *["random"] * 4, **RULES)
