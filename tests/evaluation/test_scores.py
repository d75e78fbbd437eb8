"""Final scores are as probable as plain recursion in exact fractions says, and so is the chance of a target."""

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import komi
from games import reference
from komi.rules import catalog
from komi.rules.target import find_unit
from komi.solvers.solution import Solution

import rulefiles


def distribution(solution: Solution[Any], choose: Any) -> dict[int, Fraction]:
    """Compute the distribution of final scores under a policy by recursion through a game without cycles."""
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


@pytest.mark.slow
def test_scores_of_think_are_those_of_fractions() -> None:
    solution = komi.solve("think", turns=2)
    found = komi.scores("think", "hold-at:12", turns=2)
    truth = distribution(solution, lambda state: {int(state.turn >= 12): Fraction(1)})
    assert set(found.distribution) == {score for score, chance in truth.items() if chance}
    for score, chance in truth.items():
        assert abs(Fraction(found.distribution[score]) - chance) <= found.error_bound <= 1e-9


@pytest.mark.slow
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


@pytest.mark.slow
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


@pytest.mark.slow
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


COINS = '''"""Coins: three flips, each of a small coin or a big one; heads count, a big tail can cost a little."""

from typing import NamedTuple

players = 1
actions = ("small", "big")


class Rules(NamedTuple):
    flips: int = 3


class State(NamedTuple):
    left: int
    heads: int = 0  # of the last flip


def start(rules):
    return State(rules.flips)


def legal(rules, state):
    yield from (0, 1)


def outcomes(rules, state, action):
    yield 0.5, State(state.left - 1, 1), 0
    yield 0.5, State(state.left - 1, 0), 0


def reward(rules, state, action, after):
    if action == 0:
        return 0.75 if after.heads else 0.0
    return 1.5 if after.heads else LOST


def over(rules, state):
    return state.left == 0


def payoff(rules, state):
    return 0.0


def big_last(rules, state):
    return int(state.left == 1)
'''


@pytest.mark.slow
@pytest.mark.parametrize("lost", [0.0, -0.25])
def test_fractions_are_scored_in_their_unit(lost: float, tmp_path: Path) -> None:
    path = tmp_path / f"coins_{'less' if lost else 'more'}.py"
    path.write_text(COINS.replace("LOST", str(lost)))
    found = komi.scores(str(path), f"{path}:big_last")
    truth = Counter[float]()
    for flips in product((0, 1), (0, 1), (lost, 1.5)):
        truth[0.75 * (flips[0] + flips[1]) + flips[2]] += 1 / 8  # type: ignore[assignment]
    assert found.unit == Fraction(1, 4) if lost else Fraction(3, 4)
    assert found.distribution == pytest.approx(truth)
    assert found.mean == pytest.approx(0.75 + (1.5 + lost) / 2)
    assert found.at_least(1.6) == found.at_least(1.75) == pytest.approx(sum(p for s, p in truth.items() if s > 1.6))
    assert found.quantile(1.0) == 3.0
    assert found.between(0.75, 1.5) == ([0.75, 1.0, 1.25, 1.5] if lost else [0.75, 1.5])


@pytest.mark.slow
@pytest.mark.parametrize("lost", [0.0, -0.25])
def test_the_target_can_be_a_fraction(lost: float, tmp_path: Path) -> None:
    path = tmp_path / f"coin_{'less' if lost else 'more'}.py"
    path.write_text(COINS.replace("LOST", str(lost)))
    best = komi.solve(f"{path}:at-least", target=2.2)
    assert best.objective == "chance of at least 2.2 in all"
    rational = {
        play: sum(0.5**3 for flips in product((0, 1), repeat=3) if scored(play, flips, lost) >= 2.2)
        for play in product((0, 1), repeat=3)
    }
    assert best.value() >= max(rational.values()) - 1e-9  # which coins, decided before any flip
    chance = komi.match(f"{path}:at-least", "random", target=2.2).value
    assert chance == pytest.approx(komi.scores(str(path), "random").at_least(2.2), abs=1e-9)


def scored(play: tuple[int, ...], flips: tuple[int, ...], lost: float) -> float:
    return sum((1.5 if big else 0.75) if flip else lost * big for big, flip in zip(play, flips, strict=True))


@pytest.mark.parametrize(
    ("rewards", "unit"),
    [
        ([1, 2, -3], 1),
        ([50.0, 100.0], 1),
        ([0.5, 1.0], Fraction(1, 2)),
        ([1.5, 0.75], Fraction(3, 4)),
        ([0.1, 0.25, 0.0], Fraction(1, 20)),
        ([1 / 3, 1.0], Fraction(1, 3)),
        ([2**0.5], None),
        ([1 / 997, 1 / 991], None),
    ],
)
def test_the_unit_of_rewards_is_their_greatest_common_measure(rewards: list[float], unit: Any) -> None:
    assert find_unit(rewards) == unit


def test_rewards_without_a_common_unit_make_no_target(tmp_path: Path) -> None:
    path = rulefiles.write(
        tmp_path,
        ("players = 2", "players = 1"),
        ("def over", "def reward(rules, state, action, after):\n    return 2**0.5\n\n\ndef over"),
    )
    with pytest.raises(
        komi.GameError, match=r"are not all multiples of one unit, which a target needs; one is 1\.414213562"
    ):
        catalog.find(f"{path}:at-least")
