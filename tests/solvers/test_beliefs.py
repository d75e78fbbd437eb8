"""Games for one player with hidden information: values are those of all policies, computed in exact fractions."""

import pickle
import random
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from pathlib import Path
from typing import NamedTuple

import pytest

import komi
from komi.errors import GameError, SolveError
from komi.evaluation.compare import compare
from komi.solvers.hidden import clouds
from komi.solvers.hidden.belief_solver import PartiallyObservableSolution
from komi.solvers.hidden.clouds import exact

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


def objective(rules):
    return "expected points"
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

    def best_unseen(self) -> Fraction:
        """Return the value of the best policy that remembers its action, and does not see what follows it."""
        values = []
        for first, *then in product(range(self.actions), repeat=1 + self.actions):
            policy = {history: then[history[0] // self.seen] for history in self.histories() if history}
            values.append(self.value({(): first, **policy}))
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


@pytest.mark.parametrize("seeds", [range(2), *slowly(range(2, 100))])
def test_certificates_prove_both_ends_of_the_value(seeds: range, tmp_path: Path) -> None:
    for seed in seeds:
        noise, file = Noise.sample(seed), tmp_path / f"{seed}.cert"
        folder = tmp_path / str(seed)
        folder.mkdir()
        path = noise.write(folder)
        assert komi.solve(path, audit=True).is_audited
        proof, best = komi.prove(path, file), float(noise.best())
        assert proof.lower is not None
        assert proof.upper is not None
        assert best - 1e-8 < proof.lower <= best + 1e-12
        assert best - 1e-12 <= proof.upper < best + 1e-8
        _, value = proof.claims
        assert (value.lower is None) == (noise.aim == "most")
        assert (value.upper is None) == (noise.aim == "least")
        assert komi.verify(file).verified


@pytest.mark.slow
def test_the_losses_in_information_sets_add_up_to_the_loss_of_a_policy(tmp_path: Path) -> None:
    path = Noise.sample(7, returns=True).write(tmp_path)
    compared, found = komi.compare(path, "random", most=100), komi.match(path, "random")
    assert compared.loss == pytest.approx(found.loss, abs=1e-9)
    assert sum(each.loss * each.visits for each in compared.mistakes) == pytest.approx(found.loss, abs=1e-9)
    assert komi.regret(path, "random").average == pytest.approx(found.loss, abs=1e-9)
    assert komi.regret(path, "optimal").average < 1e-9


@pytest.mark.parametrize("seeds", [range(3), *slowly(range(3, 100))])
def test_a_view_that_shows_too_little_has_the_value_of_a_player_who_remembers_its_actions(
    seeds: range, tmp_path: Path
) -> None:
    for seed in seeds:
        folder = tmp_path / str(seed)
        folder.mkdir()
        noise = Noise.sample(seed)
        solution = komi.solve(noise.write(folder, forgets=", memory=0"))
        assert abs(Fraction(solution.value()) - noise.best_unseen()) <= Fraction(solution.error_bound)


def test_a_view_that_forgets_what_matters_has_no_policy(tmp_path: Path) -> None:
    path = Noise.sample(0).write(tmp_path, forgets=", memory=0")
    with pytest.raises(SolveError, match=r"imperfect recall: a player who sees .* keep which was chosen|memory \(then"):
        compare(path, "random", "optimal")


def test_what_cannot_be_solved_is_refused_in_a_sentence(tmp_path: Path) -> None:
    path = Noise.sample(0).write(tmp_path)
    text = path.read_text()

    def refuse(old: str, new: str, error: type[Exception], sentence: str) -> None:
        assert old in text
        path.write_text(text.replace(old, new))
        with pytest.raises(error, match=sentence):
            komi.solve(path)

    actions = "    for action in range(ACTIONS):\n        yield action\n"
    refuse(
        actions, "    yield state.hidden\n", GameError, "states with the same view, .*, have different legal actions"
    )
    refuse("FIRST[hidden] / sum(FIRST)", "FIRST[hidden] / sum(FIRST) + 2e-10", SolveError, "they must sum to 1")
    refuse("State(0, hidden), 0", "State(-1, 1 - state.hidden), 0", SolveError, "chance can move more than 1,000 times")


def test_a_game_of_too_many_beliefs_is_refused_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clouds, "MAX_TRANSITIONS", 100)
    with pytest.raises(
        SolveError, match="have more than 100 transitions: too many to solve; shorter games and smaller"
    ):
        komi.solve(EXAMPLES / "tiger.py", fresh=True)
    monkeypatch.setattr(clouds, "MAX_TRANSITIONS", 10_000)
    monkeypatch.setattr(clouds, "MAX_SECONDS", -1.0)
    with pytest.raises(SolveError, match="takes more than -1 seconds: choose smaller rules"):
        komi.solve(EXAMPLES / "tiger.py", fresh=True)


def test_floats_stand_for_the_simplest_fractions() -> None:
    generator = random.Random(1)
    for _ in range(1000):
        divisor = generator.randrange(1, 5000)
        number = Fraction(generator.randrange(divisor + 1), divisor)
        assert exact(float(number)) == number
        assert exact(float(number) * (1 + 2.0**-51)) == number
    root = exact(0.5**0.5)
    assert abs(root - Fraction(0.5**0.5)) <= Fraction(0.5**0.5) / 2**50


@pytest.mark.parametrize(("doors", "opened"), [(3, 1), (4, 1), (4, 2), (5, 3)])
def test_monty_hall_is_won_by_switching(doors: int, opened: int) -> None:
    solution = komi.solve(EXAMPLES / "monty_hall.py", doors=doors, opened=opened)
    lower, upper = map(Fraction, solution.bounds)
    switching = Fraction(doors - 1, doors * (doors - 1 - opened))
    assert lower <= switching <= upper
    shown = {"step": 3, "picked": 1, "opened": (1 << opened) - 1 << 1}
    assert solution.actions(shown)["stay with door 1"] == pytest.approx(1 / doors)
    assert solution.best(shown).startswith("switch")
    assert komi.match(
        EXAMPLES / "monty_hall.py", f"{EXAMPLES}/monty_hall.py:stay", doors=doors, opened=opened
    ).value == (pytest.approx(1 / doors))


@pytest.mark.parametrize("rounds", [1, 2, 3, 4, 10])
def test_the_tiger_is_worth_what_its_beliefs_are(rounds: int) -> None:
    hear, unsure = Fraction(85, 100), Fraction(15, 100)

    @cache
    def value(left: int, growls: int) -> Fraction:
        if not left:
            return Fraction(0)
        on_left = hear ** max(growls, 0) * unsure ** max(-growls, 0)
        on_right = hear ** max(-growls, 0) * unsure ** max(growls, 0)
        tiger = on_left / (on_left + on_right)
        heard = tiger * hear + (1 - tiger) * unsure
        opened = [10 - 110 * chance + value(left - 1, 0) for chance in (tiger, 1 - tiger)]
        listened = -1 + heard * value(left - 1, growls + 1) + (1 - heard) * value(left - 1, growls - 1)
        return max(*opened, listened)

    solution = komi.solve(EXAMPLES / "tiger.py", rounds=rounds)
    lower, upper = map(Fraction, solution.bounds)
    assert lower <= value(rounds, 0) <= upper
    for (left, growls), number in [((rounds, 0), 3), ((max(rounds - 1, 1), 1), 3)][: rounds - 1]:
        seen = {"placed": 1, "growls": growls, "rounds": left}
        assert len(solution.actions(seen)) == number
        assert solution.value(seen) == pytest.approx(float(value(left, growls)))


def best_sweep(squares: int, columns: int, mines: int) -> Fraction:
    """Return the chance of clearing a field of mines, from the sets of fields that are still possible."""

    def near(square: int, field: tuple[int, ...]) -> int:
        return sum(
            max(abs(each // columns - square // columns), abs(each % columns - square % columns)) == 1 for each in field
        )

    @cache
    def cleared(fields: frozenset[tuple[int, ...]], opened: frozenset[int]) -> int:
        if len(opened) == squares - mines:
            return len(fields)
        best = 0
        for square in set(range(squares)) - opened:
            shown: dict[int, set[tuple[int, ...]]] = {}
            for field in fields:
                if square not in field:
                    shown.setdefault(near(square, field), set()).add(field)
            best = max(best, sum(cleared(frozenset(each), opened | {square}) for each in shown.values()))
        return best

    fields = frozenset(combinations(range(squares), mines))
    return Fraction(cleared(fields, frozenset()), len(fields))


@pytest.mark.parametrize(("rows", "columns", "mines"), [(2, 2, 1), *slowly((2, 3, 2), (3, 3, 2), (2, 4, 3))])
def test_minesweeper_is_cleared_as_often_as_a_search_of_fields_finds(rows: int, columns: int, mines: int) -> None:
    solution = komi.solve(EXAMPLES / "minesweeper.py", rows=rows, columns=columns, mines=mines)
    lower, upper = map(Fraction, solution.bounds)
    assert lower <= best_sweep(rows * columns, columns, mines) <= upper


def test_a_solution_is_pickled_with_its_policy() -> None:
    solution = komi.solve(EXAMPLES / "monty_hall.py")
    again = pickle.loads(pickle.dumps(solution))
    assert again.value() == solution.value()
    assert again.best({"step": 1}) == solution.best({"step": 1})
