"""Losses and best responses with hidden information are those of a plain walk over histories."""

from collections import defaultdict
from collections.abc import Callable
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import komi
from komi.evaluation.requirements import check_comparable
from komi.game import CHANCE
from komi.policies.mixed import MixedPolicy
from komi.policies.named import find
from komi.rules.kind import kind_of

ROOT = Path(__file__).parents[2]
PENNIES = ROOT / "tests" / "games" / "matching_pennies.py"
Mix = Callable[[Any], dict[int, float]]  # of an observation


@cache
def solved(name: str) -> Any:
    return komi.solve(ROOT / "examples" / f"{name}.py")


def random_policy(solution: Any, seed: int) -> MixedPolicy:
    """Create a policy with a random mix in two of three information sets, and a pure choice in the third."""
    game, rules, states = solution.game, solution.rules, solution.data.states
    generator, mixes = np.random.default_rng(seed), {}
    table = np.zeros_like(solution.data.mixes)
    for index, fields in enumerate(states.all_fields().tolist()):
        state = game.module.State(*fields)
        count = len(list(game.part("legal")(rules, state)))
        mix = generator.dirichlet(np.ones(count)) if generator.random() > 1 / 3 else generator.permutation(count) == 0
        seen = state if game.is_chance(rules, state) else game.part("view")(rules, state)
        table[index, :count] = mixes.setdefault(seen, mix)
    return MixedPolicy(f"random {seed}", states, table)


def mix_of(solution: Any, policy: MixedPolicy) -> Mix:
    def mix(observation: Any) -> dict[int, float]:
        actions = solution.game.part("legal")(solution.rules, observation)
        row = policy.probabilities[policy.states.index_of(observation)].tolist()
        return dict(zip(actions, row, strict=False))

    return mix


class Walk:
    """Enumerates all histories of a game in which one seat is free and the other plays a fixed mix."""

    def __init__(self, solution: Any, seat: int, theirs: Mix) -> None:
        self.game, self.rules, self.seat, self.theirs = solution.game, solution.rules, seat, theirs
        self.losses: dict[Any, dict[int, float]] = {}
        self.weights: dict[Any, float] = {}

    def best(self) -> float:
        """Compute the payoff of the best response; fill in the loss of each action in each information set."""
        return self._best([(self.game.part("start")(self.rules), 0, 1.0)])

    def _best(self, histories: list[tuple[Any, int, float]]) -> float:
        total, groups = 0.0, defaultdict(list)
        while histories:
            state, mover, weight = histories.pop()
            if self.game.part("over")(self.rules, state):
                paid = self.game.part("payoff")(self.rules, state)
                total += weight * (paid if mover == self.seat else -paid)
            elif self.game.is_chance(self.rules, state):
                histories += self.after(state, mover, CHANCE, weight)
            elif mover == self.seat:
                groups[self.game.part("view")(self.rules, state)].append((state, mover, weight))
            else:
                for action, share in self.theirs(self.game.part("view")(self.rules, state)).items():
                    histories += self.after(state, mover, action, weight * share) if share > 0.0 else []
        for observation, group in groups.items():
            values = {
                action: self._best(
                    [each for state, mover, weight in group for each in self.after(state, mover, action, weight)]
                )
                for action in self.game.part("legal")(self.rules, observation)
            }
            weight = sum(weight for _, _, weight in group)
            self.losses[observation] = {
                action: (max(values.values()) - value) / weight for action, value in values.items()
            }
            self.weights[observation] = weight
            total += max(values.values())
        return total

    def after(self, state: Any, mover: int, action: int, weight: float) -> list[tuple[Any, int, float]]:
        """Return the histories after an action."""
        return [
            (successor, (mover + passes) % 2, weight * chance)
            for chance, successor, passes in self.game.outcomes(self.rules, state, action)
        ]

    def play(self, ours: Mix) -> float:
        """Compute the payoff of a mix in the free seat."""

        def expected(state: Any, mover: int) -> float:
            if self.game.part("over")(self.rules, state):
                paid = self.game.part("payoff")(self.rules, state)
                return float(paid if mover == self.seat else -paid)
            mix = {CHANCE: 1.0}
            if not self.game.is_chance(self.rules, state):
                mix = (ours if mover == self.seat else self.theirs)(self.game.part("view")(self.rules, state))
            return sum(
                weight * expected(successor, turn)
                for action, share in mix.items()
                if share > 0.0
                for successor, turn, weight in self.after(state, mover, action, share)
            )

        return expected(self.game.part("start")(self.rules), 0)


def check_against_walk(solution: Any, policy: MixedPolicy, opponent: MixedPolicy) -> None:
    """Check regret, mistakes and the best response of a policy in both seats."""
    game, ours, theirs = solution.game, mix_of(solution, policy), mix_of(solution, opponent)
    measured = komi.regret(game, policy, opponent=opponent)
    response = komi.best_response(game, opponent)
    found = {(mistake.state, mistake.action): mistake.loss for mistake in measured.mistakes}
    for seat in range(2):
        walk = Walk(solution, seat, theirs)
        best = walk.best()
        assert response.wins[seat] == pytest.approx(best, abs=1e-12)
        assert measured.losses[seat] == pytest.approx(best - walk.play(ours), abs=1e-12)
        chosen = {seen: response.policy.choose(game, solution.rules, seen, 0.5) for seen in walk.losses}
        assert walk.play(lambda seen, chosen=chosen: {chosen[seen]: 1.0}) == pytest.approx(best, abs=1e-12)
        for observation, losses in walk.losses.items():
            for action, share in ours(observation).items():
                label = game.label(solution.rules, observation, action)
                loss = found.pop((game.write(solution.rules, observation), label), 0.0)
                assert loss == pytest.approx(losses[action], abs=1e-11) or share == 0.0 or loss == 0.0
    assert not found
    visited = sum(mistake.loss * mistake.visits for mistake in measured.mistakes)
    assert visited == pytest.approx(measured.average, abs=1e-12)
    assert measured.average > 0.0


@pytest.mark.parametrize("seed", range(5))
def test_losses_in_kuhn_poker_are_those_of_a_walk_over_all_histories(seed: int) -> None:
    solution = solved("kuhn_poker")
    check_against_walk(solution, random_policy(solution, seed), random_policy(solution, seed + 100))


@pytest.mark.slow
def test_losses_in_leduc_poker_are_those_of_a_walk_over_all_histories() -> None:
    solution = solved("leduc_poker")
    check_against_walk(solution, random_policy(solution, 1), random_policy(solution, 2))


@pytest.mark.parametrize("seed", range(3))
def test_no_pure_strategy_wins_more_than_the_best_response(seed: int) -> None:
    solution = solved("kuhn_poker")
    policy = random_policy(solution, seed)
    wins = komi.best_response(solution.game, policy).wins
    for seat in range(2):
        walk = Walk(solution, seat, lambda seen: {0: 0.5, 1: 0.5})
        walk.best()
        sets = list(walk.losses)
        assert len(sets) == 6
        walk.theirs = mix_of(solution, policy)
        strategies = (dict(zip(sets, actions, strict=True)) for actions in product((0, 1), repeat=len(sets)))
        payoffs = [walk.play(lambda seen, pure=pure: {pure[seen]: 1.0}) for pure in strategies]
        assert wins[seat] == pytest.approx(max(payoffs), abs=1e-12)


@pytest.mark.slow
def test_a_best_response_wins_in_a_match_what_it_is_said_to_win() -> None:
    game = solved("kuhn_poker").game
    response = komi.best_response(game, "random")
    match = komi.match(game, response.policy, "random")
    assert (match.first.wins, match.second.wins) == pytest.approx(response.wins, abs=1e-9)
    assert response.exploitability == pytest.approx(11 / 24, abs=1e-9)
    assert komi.regret(game, response.policy, opponent="random").average == pytest.approx(0.0, abs=1e-12)


def test_a_function_of_arrays_can_return_probabilities(tmp_path: Path) -> None:
    file = tmp_path / "mix.py"
    file.write_text(
        "def mix(rules, state, action):\n"
        "    return 1 + (3 * state.card + 2 * action + state.first) % 5\n"
        "\n"
        "mixed = (mix,)\n"
    )

    def weights(observations: Any, masks: Any) -> Any:
        card, _, _, first, *_ = observations.T[..., None]
        chosen = masks * (1.0 + (3 * card + 2 * np.arange(3) + first) % 5)
        return chosen / chosen.sum(axis=1, keepdims=True)

    game = solved("leduc_poker").game
    ours, theirs = (komi.regret(game, policy, vectorized=True) for policy in (weights, f"{file}:mix"))
    assert ours.losses == pytest.approx(theirs.losses, abs=1e-12)
    assert [mistake.state for mistake in ours.mistakes] == [mistake.state for mistake in theirs.mistakes]


@pytest.mark.parametrize(
    ("policy", "reason"),
    [
        (lambda _, masks: masks * 1.0, "probabilities are 0 or more, with a sum of 1"),
        (lambda _, masks: np.full(masks.shape, np.nan), "probabilities are 0 or more"),
        (lambda _, masks: np.full(masks.shape, 1 / 3), "takes action 0 in .* where only call, raise can be taken"),
    ],
)
def test_what_is_no_mixed_strategy_is_refused(policy: Any, reason: str) -> None:
    with pytest.raises(komi.KomiError, match=reason):
        komi.regret(solved("leduc_poker").game, policy, vectorized=True)


@pytest.mark.slow
def test_a_best_response_wins_in_a_simulation_what_it_is_said_to_win() -> None:
    game = solved("kuhn_poker").game
    response = komi.best_response(game, "random")
    found = komi.simulate(game, 40_000, policies=(response.policy, "random"), seed=1)
    assert abs(found.payoffs[0].mean - response.wins[0]) < 5 * found.payoffs[0].stderr


def test_an_equilibrium_has_no_regret_and_punishes_few_mistakes() -> None:
    solution = solved("kuhn_poker")
    assert komi.regret(solution.game, "optimal").average == pytest.approx(0.0, abs=1e-9)
    assert komi.regret(solution.game, "optimal").mistakes == ()
    measured = komi.regret(solution.game, "random")
    optimal = find("optimal", solution)
    wins = [Walk(solution, seat, mix_of(solution, optimal)).play(lambda _: {0: 0.5, 1: 0.5}) for seat in range(2)]
    value = solution.value()
    assert measured.losses == pytest.approx((value - wins[0], -value - wins[1]), abs=1e-9)
    assert measured.mistakes[0].state == "card=3,rival=0,said=2"
    assert (measured.mistakes[0].action, measured.mistakes[0].best) == ("pass", "bet")
    assert measured.mistakes[0].loss == pytest.approx(3.0, abs=1e-9)


def test_policies_are_compared_in_information_sets() -> None:
    game = solved("kuhn_poker").game
    found = komi.compare(game, "random", most=2)
    assert (found.states, found.all_states) == (12, 0.5)
    assert found.loss == pytest.approx(komi.regret(game, "random").average, abs=1e-9)
    assert found.mistakes == list(komi.regret(game, "random").mistakes[:2])
    response = komi.best_response(game, "random").policy
    same = komi.compare(game, response, response)
    assert (same.all_states, same.real_states) == (1.0, 1.0)


def test_what_cannot_be_measured_is_refused() -> None:
    with pytest.raises(komi.SolveError, match="ismcts:5 chooses at random: it can only be simulated"):
        komi.regret(solved("kuhn_poker").game, "ismcts:5")
    pennies = komi.find(PENNIES)
    with pytest.raises(komi.SolveError, match="in matching-pennies players choose at the same time"):
        check_comparable(kind_of(pennies, pennies.default_rules))
