"""Games for one player with hidden information: values are those of all policies, computed in exact fractions."""

import random
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import NamedTuple

import pytest

import komi
from komi.solvers.hidden.belief_solver import PartiallyObservableSolution

from slowly import slowly

EXAMPLES = Path(__file__).parents[2] / "examples"

RULES = '''"""A hidden number moves, is seen through noise, and pays for what is done."""

from typing import NamedTuple

from komi.game import CHANCE

players = 1
{declared}
HIDDEN, SEEN, ACTIONS, STEPS = {sizes}
FIRST = {first}
WEIGHTS = {weights}
PAYOFFS = {payoffs}
REWARDS = {rewards}


class Rules(NamedTuple):
    unused: int = 0


class State(NamedTuple):
    step: int = -1
    hidden: int = 0
    memory: int = 0
    paid: int = -1


def start(rules):
    return State()


def view(rules, state):
    return state._replace(hidden=0{forgets})


def label(rules, state, action):
    return "action " + str(action)


def legal(rules, state):
    if state.step < 0:
        yield CHANCE
        return
    for action in range(ACTIONS):
        yield action


def outcomes(rules, state, action):
    if state.step < 0:
        for hidden in range(HIDDEN):
            if FIRST[hidden] > 0:
                yield FIRST[hidden] / sum(FIRST), State(0, hidden), 0
        return
    row = (state.step * HIDDEN + state.hidden) * ACTIONS + action
    size = HIDDEN * SEEN + 2
    total = 0
    for number in range(size):
        total += WEIGHTS[row * size + number]
    for number in range(size):
        weight = WEIGHTS[row * size + number]
        if weight == 0:
            continue
        if number == size - 2:
            yield weight / total, State(paid=PAYOFFS[row]), 0
        elif number == size - 1:
            yield weight / total, State(), 0
        else:
            memory = (state.memory * ACTIONS + action) * SEEN + number % SEEN + 1
            yield weight / total, State(state.step + 1, number // SEEN, memory), 0


def over(rules, state):
    return state.paid >= 0


def payoff(rules, state):
    return state.paid / 4
'''
REWARD = """

def reward(rules, state, action, after):
    if state.step < 0:
        return 0.0
    return float(REWARDS[(state.step * HIDDEN + state.hidden) * ACTIONS + action])
"""


class Noise(NamedTuple):
    """A random game: tables as in the rule file."""

    hidden: int
    seen: int
    actions: int
    steps: int
    aim: str
    first: list[int]
    weights: list[list[int]]
    payoffs: list[int]
    rewards: list[int] | None

    @classmethod
    def sample(cls, seed: int, *, returns: bool = False) -> "Noise":
        generator = random.Random(seed)
        hidden, seen, steps = generator.choice((2, 3)), 2, 2
        actions = generator.choice((2, 3))
        rows = []
        for step in range(steps):
            for _ in range(hidden * actions):
                continues = 0 if step == steps - 1 else generator.choice((0, 1, 4))
                row = [generator.choice((0, 1, 2, 5)) * (continues > 0) for _ in range(hidden * seen)]
                row += [generator.choice((1, 2, 3)), generator.choice((0, 1, 3)) * returns]
                rows.append(row)
        return cls(
            hidden,
            seen,
            actions,
            steps,
            generator.choice(("most", "least")),
            [generator.choice((1, 2, 3)) for _ in range(hidden)],
            rows,
            [generator.randrange(5) for _ in rows],
            [generator.randrange(-3, 4) for _ in rows] if generator.random() < 0.5 else None,
        )

    def write(self, folder: Path, forgets: str = "") -> Path:
        path = folder / "noise.py"
        text = RULES.format(
            declared=f"aim = {self.aim!r}\naction_count = {self.actions}\n",
            sizes=(self.hidden, self.seen, self.actions, self.steps),
            first=tuple(self.first),
            weights=tuple(number for row in self.weights for number in row),
            payoffs=tuple(self.payoffs),
            rewards=tuple(self.rewards or [0]),
            forgets=forgets,
        )
        path.write_text(text + (REWARD if self.rewards is not None else ""))
        return path

    def histories(self) -> Iterator[tuple[int, ...]]:
        """Yield all that the player can have done and seen."""
        for step in range(self.steps):
            yield from product(range(self.actions * self.seen), repeat=step)

    def value(self, policy: dict[tuple[int, ...], int]) -> Fraction:
        """Return what a policy gets: what it gets before play returns to the start, by the chance that it does not."""
        gained = returned = Fraction(0)
        paths = [((), hidden, Fraction(weight, sum(self.first))) for hidden, weight in enumerate(self.first)]
        while paths:
            history, hidden, chance = paths.pop()
            action = policy[history]
            row = (len(history) * self.hidden + hidden) * self.actions + action
            total = sum(self.weights[row])
            gained += chance * (self.rewards[row] if self.rewards is not None else 0)
            *moves, ends, again = self.weights[row]
            gained += chance * Fraction(ends, total) * Fraction(self.payoffs[row], 4)
            returned += chance * Fraction(again, total)
            for number, weight in enumerate(moves):
                if weight:
                    after = (*history, action * self.seen + number % self.seen)
                    paths.append((after, number // self.seen, chance * Fraction(weight, total)))
        return gained / (1 - returned)

    def best(self) -> Fraction:
        """Return the value of the best of all deterministic policies."""
        histories = list(self.histories())
        choices = product(range(self.actions), repeat=len(histories))
        values = (self.value(dict(zip(histories, each, strict=True))) for each in choices)
        return max(values) if self.aim == "most" else min(values)


def check(noise: Noise, folder: Path) -> None:
    solution = komi.solve(noise.write(folder))
    assert isinstance(solution, PartiallyObservableSolution)
    best = noise.best()
    lower, upper = map(Fraction, solution.bounds)
    assert lower <= best <= upper
    assert abs(solution.value() - best) <= solution.error_bound < 1e-9 * solution.scale
    attained = komi.match(solution.game, "optimal")
    assert abs(Fraction(attained.value) - best) <= attained.error_bound + Fraction(solution.error_bound)


@pytest.mark.parametrize("returns", [False, True])
@pytest.mark.parametrize("seeds", [range(3), *slowly(range(3, 500))])
def test_values_are_those_of_the_best_of_all_policies(seeds: range, returns: bool, tmp_path: Path) -> None:
    for seed in seeds:
        folder = tmp_path / str(seed)
        folder.mkdir()
        check(Noise.sample(seed, returns=returns), folder)
