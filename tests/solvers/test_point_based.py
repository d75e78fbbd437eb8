"""Bounds of games for one player with infinitely many beliefs: the value in exact fractions lies between them."""

import pickle
import random
from contextlib import suppress
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

import komi
from komi.errors import GameError, KomiError, SolveError
from komi.evaluation.compare import compare
from komi.play.table import Table
from komi.policies.named import find
from komi.progress import silent
from komi.solvers.hidden.belief_model import BeliefModel, bound_lengths
from komi.solvers.hidden.point_based import search_bounds

from slowly import slowly

TIGER, ENDLESS_TIGER = (Path(__file__).parents[2] / "examples" / name for name in ("tiger.py", "endless_tiger.py"))
Weights = tuple[Fraction, ...]
ZERO = Fraction(0)
SCALES = (Fraction(1), Fraction(1, 3), Fraction(10**12), Fraction(1, 10**9), Fraction(1, 10**250))
PARTS = (ZERO, ZERO, Fraction(1), Fraction(1, 7), Fraction(3), Fraction(1, 10**15), Fraction(1, 10**300))


class Tree(NamedTuple):
    """What a policy gains until the first belief comes again, and how likely it comes."""

    gain: Fraction
    back: Fraction


class Process:
    """A random process in layers, which may begin again: after the last layer, and in between.

    Its value is that of the best policy until it begins again. Policy iteration finds it in exact fractions, from all
    ways to play one layer after the other.
    """

    def __init__(self, seed: int) -> None:
        self._generator = generator = random.Random(seed)
        scales = generator.sample(SCALES, 2) if seed % 2 else [Fraction(1)]
        sizes = [generator.randrange(1, 4), *(generator.randrange(2, 6) for _ in range(generator.randrange(1, 3)))]
        layers = [list(range(sum(sizes[:each]), sum(sizes[: each + 1]))) for each in range(len(sizes))]
        self.size, self.groups = sum(sizes), [layers[0]]
        for layer in layers[1:]:
            cut = generator.randrange(1, len(layer))
            self.groups += [layer[:cut], layer[cut:]]
        self.legal = [generator.choice(([0], [1], [0, 1], [0, 1])) for _ in self.groups]
        self.rewards = [
            [
                generator.choice(scales) * generator.randrange(-9, 10) / generator.randrange(1, 8)
                for _ in range(self.size)
            ]
            for _ in range(2)
        ]
        self.goes_on = generator.choice((Fraction(1), Fraction(9, 10), 1 - Fraction(1, 10**5)))
        again = generator.choice((ZERO, 1 - Fraction(1, 10**4), Fraction(2, 3)))
        self.first = self._row(len(layers[0]), Fraction(1))
        self.steps = [[[ZERO] * self.size for _ in range(self.size)] for _ in range(2)]
        for layer, after in zip(layers, [*layers[1:], []], strict=True):
            for action in range(2):
                for state in layer:
                    back = self.goes_on * again * (generator.randrange(2) if after else 1)
                    row = self.steps[action][state]
                    row[: sizes[0]] = [back * weight for weight in self.first]
                    if after:
                        row[after[0] : after[-1] + 1] = self._row(len(after), self.goes_on - back)

    def _row(self, size: int, total: Fraction) -> list[Fraction]:
        parts = [self._generator.choice(PARTS) for _ in range(size - 1)]
        parts.insert(self._generator.randrange(size), Fraction(1))
        return [total * part / sum(parts) for part in parts]

    def model(self) -> BeliefModel:
        """Return the process in floats, as many beliefs."""
        steps = np.array(self.steps, float)
        for seen, group in enumerate(self.groups):
            for action in {0, 1}.difference(self.legal[seen]):
                steps[action, group] = 0.0
        rewards = np.array(self.rewards, float)
        first = [(0, np.array(self.first, float))]
        return BeliefModel(
            rewards,
            steps,
            [np.array(group) for group in self.groups],
            [],
            self.legal,
            first,
            0.0,
            bound_lengths(steps),
        )

    def value(self) -> Fraction:
        """Return the value of the first belief."""
        value = ZERO
        while True:
            best = self._best(0, tuple(self.first), value)
            if best.gain + best.back * value == value:
                return value
            value = best.gain / (1 - best.back)

    def _best(self, seen: int, weights: Weights, again: Fraction) -> Tree:
        """Return the best way to go on, if beginning again is worth `again`."""
        ways = []
        for action in self.legal[seen]:
            pairs = list(zip(self.groups[seen], weights, strict=True))
            gain = sum((weight * self.rewards[action][state] for state, weight in pairs), ZERO)
            after = [
                sum((weight * self.steps[action][state][i] for state, weight in pairs), ZERO) for i in range(self.size)
            ]
            back = sum((after[state] for state in self.groups[0]), ZERO)
            for number, group in enumerate(self.groups):
                child = tuple(after[state] for state in group)
                if number and any(child):
                    tree = self._best(number, child, again)
                    gain, back = gain + tree.gain, back + tree.back
            ways.append(Tree(gain, back))
        return max(ways, key=lambda way: way.gain + way.back * again)


@pytest.mark.parametrize("seeds", [range(20), *slowly(range(20, 300))])
def test_the_exact_value_is_between_the_bounds(seeds: range) -> None:
    for seed in seeds:
        process = Process(seed)
        try:
            model = process.model()
        except SolveError:
            continue
        value = process.value()
        for backups in (0, 1, 5, 200):
            found = search_bounds(model, 0.0, backups, silent)
            assert Fraction(found.lower) <= value <= Fraction(found.upper), (seed, backups)


@pytest.mark.parametrize("seeds", [range(20), *slowly(range(20, 300))])
def test_no_policy_takes_more_actions_than_is_proved(seeds: range) -> None:
    for seed in seeds:
        process = Process(seed)
        with suppress(SolveError):
            model = process.model()
            lengths = [Fraction(each) for each in model.lengths.tolist()]
            for seen, group in enumerate(process.groups):
                for action, state in product(process.legal[seen], group):
                    row = zip(process.steps[action][state], lengths, strict=True)
                    assert lengths[state] >= 1 + sum(weight * after for weight, after in row)


def test_a_large_gain_before_many_first_observations_is_added_without_error() -> None:
    many, gained = 300, Fraction(10**15, 3)
    rewards = [Fraction(number % 7, 3) for number in range(many)]
    model = BeliefModel(
        np.array([rewards], float),
        np.zeros((1, many, many)),
        [np.array([each]) for each in range(many)],
        [],
        [[0]] * many,
        [(each, np.array([1 / many])) for each in range(many)],
        float(gained),
        np.ones(many),
    )
    value = gained + sum(rewards) / many
    found = search_bounds(model, 0.0, 1_000, silent)
    assert Fraction(found.lower) <= value <= Fraction(found.upper)
    assert found.upper - found.lower <= 0.5


def test_a_chance_to_end_that_floats_cannot_hold_is_refused() -> None:
    with pytest.raises(SolveError, match="play that ends sooner"):
        bound_lengths(np.array([[[1.0 - 2.0**-53]]]))
    with pytest.raises(SolveError, match="play that ends sooner"):
        bound_lengths(np.array([[[1.0]]]))
    assert 1e6 <= bound_lengths(np.array([[[1.0 - 1e-6]]]))[0] <= 1e6 * (1 + 1e-5)


def value_on_a_grid(discount: float, hear: float, size: int) -> tuple[float, float]:
    """Bound the value of the tiger from belief 1/2: beliefs after n more growls on one side than on the other."""
    growls = np.arange(-size, size + 1)
    tiger = 1 / (1 + (1 / hear - 1) ** growls)
    heard = tiger * hear + (1 - tiger) * (1 - hear)
    bounds = []
    for edge in (-100 / (1 - discount), 10 / (1 - discount)):
        values = np.full(len(growls), edge)
        for _ in range(2000):
            listened = np.full(len(growls), edge)
            listened[1:-1] = -1 + discount * (heard * np.roll(values, -1) + (1 - heard) * np.roll(values, 1))[1:-1]
            opened = 10 - 110 * np.minimum(tiger, 1 - tiger) + discount * values[size]
            values = np.maximum(opened, listened)
        bounds.append(float(values[size]))
    return bounds[0], bounds[1]


def test_the_endless_tiger_is_worth_what_a_grid_of_its_beliefs_finds() -> None:
    lower, upper = value_on_a_grid(0.75, 0.85, 40)
    assert upper - lower < 1e-9
    solution = komi.solve(ENDLESS_TIGER, discount=0.75)
    assert solution.value() == pytest.approx(lower, abs=solution.error_bound + 1e-9)
    assert solution.error_bound <= 1e-9 * solution.scale


@pytest.mark.slow
def test_the_published_tiger_is_worth_19_37() -> None:
    lower, upper = value_on_a_grid(0.95, 0.85, 400)
    solution = komi.solve(ENDLESS_TIGER)
    assert solution.value() == pytest.approx((lower + upper) / 2, abs=1e-7)
    assert round(solution.value(), 2) == 19.37


def test_games_with_a_last_round_have_the_value_that_a_list_of_beliefs_gives(tmp_path: Path) -> None:
    listed = komi.solve(TIGER, rounds=6)
    path = rewrite(TIGER, tmp_path, "growls=state.growls ", "growls=0 ")
    searched = komi.solve(path, rounds=6)
    assert isinstance(searched, komi.PointBasedSolution)
    assert abs(searched.value() - listed.value()) <= searched.error_bound + listed.error_bound


def test_other_commands_refuse_what_has_no_list_of_beliefs() -> None:
    with pytest.raises(KomiError, match=r"can have chosen nothing or 'listen' in \S+, besides 'listen' in \S+, before"):
        compare(ENDLESS_TIGER, "random", "optimal", discount=0.75)
    with pytest.raises(KomiError, match="remembers all that the player has seen"):
        find("optimal", komi.solve(ENDLESS_TIGER, discount=0.75)).code()


@pytest.mark.parametrize("discount", [0.75, 0.95])
def test_the_optimal_policy_gains_what_is_proved(discount: float) -> None:
    solution = komi.solve(ENDLESS_TIGER, discount=discount)
    simulation = komi.simulate(ENDLESS_TIGER, 200_000, policies="optimal", seed=7, discount=discount)
    assert abs(simulation.value.mean - solution.value()) <= 5 * simulation.value.stderr + solution.error_bound
    again = komi.simulate(ENDLESS_TIGER, 200_000, policies="optimal", seed=7, discount=discount, workers=1)
    assert again.value.mean == simulation.value.mean


def test_the_optimal_policy_is_that_of_a_list_of_beliefs_where_there_is_one(tmp_path: Path) -> None:
    listed = komi.match(TIGER, "optimal", rounds=5)
    path = rewrite(TIGER, tmp_path, "growls=state.growls ", "growls=0 ")
    simulation = komi.simulate(path, 100_000, policies="optimal", seed=3, rounds=5)
    assert abs(simulation.value.mean - listed.value) <= 5 * simulation.value.stderr


def test_a_policy_without_a_memory_is_matched() -> None:
    by_name = komi.match(ENDLESS_TIGER, "random", discount=0.75)
    assert by_name.value == pytest.approx((-1 - 45 - 45) / 3 / (1 - 0.75), abs=1e-7)
    always = komi.match(ENDLESS_TIGER, lambda observation, mask: 0, discount=0.75)
    assert always.value == pytest.approx(-1 / (1 - 0.75), abs=1e-7)
    assert always.optimal == komi.solve(ENDLESS_TIGER, discount=0.75).value()


def test_advice_follows_what_the_player_has_heard() -> None:
    table = Table(komi.find(ENDLESS_TIGER), komi.find(ENDLESS_TIGER).rules({"discount": 0.75}))
    solution = komi.solve(ENDLESS_TIGER, discount=0.75)
    table.enter(table.events[0].label)
    first = solution.advise(table.decisions(0), table.observation(0))
    assert (first.label, first.value) == ("listen", pytest.approx(solution.value(), abs=1e-4))
    for growls in (1, 2):
        table.enter("listen")
        table.enter(next(each.label for each in table.events if (each.after.growl, each.after.stopped) == (1, 0)))
        advice = solution.advise(table.decisions(0), table.observation(0))
        tiger = 1 / (1 + (0.15 / 0.85) ** growls)
        opened = 10 - 110 * (1 - tiger) + 0.75 * solution.value()
        if growls == 2:
            assert (advice.label, advice.value) == ("open the right door", pytest.approx(opened, abs=1e-3))
        else:
            assert (advice.label, advice.value > opened) == ("listen", True)


def test_play_that_can_go_on_for_ever_is_refused(tmp_path: Path) -> None:
    path = rewrite(ENDLESS_TIGER, tmp_path, "def discount(", "def unused(")
    with pytest.raises(SolveError, match=r"'listen' in .* it can go on for ever: a 'discount' helps"):
        komi.solve(path)


def test_rewards_of_a_chance_are_refused(tmp_path: Path) -> None:
    text = TIGER.read_text().replace("growls=state.growls ", "growls=0 ").replace('"expected gold"', '"chance of gold"')
    path = tmp_path / "tiger.py"
    path.write_text(text)
    with pytest.raises(GameError, match="is a chance, which only 'payoff' gives"):
        komi.solve(path)


def test_rewards_beyond_floats_are_refused(tmp_path: Path) -> None:
    path = rewrite(ENDLESS_TIGER, tmp_path, "else rules.gold", "else 1e308")
    with pytest.raises(SolveError, match=r"rewards of up to 1e\+100"):
        komi.solve(path)


def test_a_search_that_is_too_short_names_the_tolerance_that_accepts_it_and_how_to_search_longer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("KOMI_MAX_VISITED", "50")
    with pytest.raises(SolveError, match=r"a tolerance of \S+ accepts them, and KOMI_MAX_VISITED=100 ") as raised:
        komi.solve(ENDLESS_TIGER, discount=0.7)
    tolerance = float(str(raised.value).split("a tolerance of ")[1].split()[0])
    wide = komi.solve(ENDLESS_TIGER, discount=0.7, tolerance=tolerance)
    assert 1e-6 < wide.error_bound <= tolerance * wide.scale
    monkeypatch.delenv("KOMI_MAX_VISITED")
    narrow = komi.solve(ENDLESS_TIGER, discount=0.7)
    assert narrow.error_bound <= 1e-9 * narrow.scale
    assert abs(narrow.value() - wide.value()) <= wide.error_bound + narrow.error_bound
    assert komi.solve(ENDLESS_TIGER, discount=0.7, tolerance=tolerance).error_bound == narrow.error_bound


def test_a_search_stops_at_the_tolerance() -> None:
    counts = [komi.solve(ENDLESS_TIGER, discount=0.8, fresh=True, tolerance=each).states for each in (1e-1, 1e-4, 1e-9)]
    assert counts == sorted(set(counts))


def test_a_solution_is_pickled() -> None:
    solution = komi.solve(ENDLESS_TIGER, discount=0.75)
    again = pickle.loads(pickle.dumps(solution))
    assert (again.value(), again.bounds, again.states) == (solution.value(), solution.bounds, solution.states)


def rewrite(path: Path, folder: Path, old: str, new: str) -> Path:
    text = path.read_text()
    assert old in text
    written = folder / path.name
    written.write_text(text.replace(old, new))
    return written


def test_a_search_that_is_refused_replaces_no_solution(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = {"discount": 0.75}
    komi.solve(ENDLESS_TIGER, **rules)
    monkeypatch.setenv("KOMI_MAX_VISITED", "5")
    with pytest.raises(komi.SolveError, match="KOMI_MAX_VISITED=10 searches twice as long"):
        komi.solve(ENDLESS_TIGER, fresh=True, **rules)
    monkeypatch.delenv("KOMI_MAX_VISITED")
    assert komi.solve(ENDLESS_TIGER, **rules).seconds.solve == 0.0
