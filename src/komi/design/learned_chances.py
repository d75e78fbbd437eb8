"""Probabilities learned from counts: the best policy given the counts, and its loss if the truth differs.

The probabilities of rubber pigs or bent dice are unknown, but can be estimated from counts. With counts n of the
results of independent throws and a Dirichlet prior (the same number for each result) the posterior of the probabilities
is a Dirichlet distribution with parameters n + prior. The policy is optimal for the posterior mean. Draws from the
posterior show its robustness: the game is solved for each draw, and the policy for the mean plays against the optimal
player there, evaluated exactly.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from komi.arrays import F64
from komi.compiling.compiled import CompiledGame
from komi.errors import InputError, KomiError, SolveError
from komi.evaluation.policy_evaluator import PolicyEvaluator
from komi.evaluation.requirements import check_two_player, check_won_or_lost
from komi.jit.kernels import Notice
from komi.parallel import spread
from komi.policies.table import TablePolicy
from komi.progress import Progress, silent
from komi.rounding import format_bound
from komi.rules import catalog
from komi.rules.game import Game
from komi.rules.kind import Kind
from komi.solvers.solution import Solution
from komi.solvers.solve import solve_all_states
from komi.typing import GameLike, Rules

MAX_DRAWS = 100_000  # each draw is one solve
MAX_COUNT = 10**9  # their sums stay exact in double precision
PROVED = 1e-8  # the largest error bound accepted, small compared with the variance of draws


@dataclass(frozen=True)
class Draw:
    """A draw from the posterior, with the values of the game and of the policy under it.

    Attributes:
        chances: the probabilities, by name.
        first: the first player's probability of winning if both know the probabilities and play optimally.
        average: the policy's probability of winning, over both seats, against an optimal player who knows them.
    """

    chances: Mapping[str, float]
    first: float
    average: float

    @property
    def loss(self) -> float:
        """The difference of the policy's probability of winning from one half."""
        return 0.5 - self.average


@dataclass(frozen=True)
class LearnedChances:
    """The results of learning from counts.

    Attributes:
        counts: the number of throws with each result.
        prior: the number added to each count.
        chances: the posterior mean of the probabilities, by name.
        solution: optimal play under these probabilities.
        draws: the draws, in order.
        credible: the posterior probability of the credible intervals.
    """

    counts: Mapping[str, int]
    prior: float
    chances: Mapping[str, float]
    solution: Solution[Any]
    draws: tuple[Draw, ...]
    credible: float

    def __repr__(self) -> str:
        low, high = self.first
        return f"<LearnedChances of {self.solution.game.name}: the first player wins {low:.6f} to {high:.6f}>"

    @property
    def first(self) -> tuple[float, float]:
        """The credible interval of the first player's probability of winning."""
        outside = (1.0 - self.credible) / 2
        low, high = np.quantile([draw.first for draw in self.draws], [outside, 1.0 - outside])
        return float(low), float(high)

    @property
    def loss(self) -> float:
        """The policy's mean loss caused by imperfect knowledge of the probabilities."""
        return float(np.mean([draw.loss for draw in self.draws]))

    @property
    def greatest_loss(self) -> float:
        """The policy's greatest loss in the `credible` share of draws."""
        return float(np.quantile([draw.loss for draw in self.draws], self.credible))


def check_learned_kind(kind: Kind, has_plies: bool) -> None:
    """Check that the value of a game depends on chances.

    Raises:
        SolveError: if it does not.
    """
    check_two_player(kind)
    check_won_or_lost(kind, "learned chances are measured")
    if has_plies:
        raise SolveError(f"{kind.name} is won, drawn or lost without chance under these rules: nothing is learned.")


def learn_chances(
    game: GameLike,
    counts: Mapping[str, int],
    *,
    prior: float = 1.0,
    draws: int = 50,
    seed: int = 0,
    credible: float = 0.95,
    workers: int | None = None,
    progress: Progress = silent,
    notice: Notice = lambda message: None,
    **rules: object,
) -> LearnedChances:
    """Find the best policy given counts, and estimate its loss if the true probabilities differ.

    Args:
        game: as `komi.find` accepts it; it must define `chances`, see `komi.game`.
        counts: the number of throws with each result, by the name of its rule; omitted results count 0.
        prior: the number added to each count; 1 is the uniform prior.
        draws: the number of draws from the posterior.
        seed: seed of the draws.
        credible: the posterior probability of the credible intervals.
        workers: number of draws to solve in parallel; by default the number of cores.
        progress: progress callback, called during long work; see `komi.progress`.
        notice: callback that receives a message before work that takes seconds and happens only once.
        rules: values of rules to change, by name.

    Raises:
        InputError: for invalid counts or other numbers.
        SolveError: if the game is not a two-player zero-sum game of perfect information, or cannot be solved.
    """
    game = catalog.find(game)
    groups = _check_counts(game, counts)
    _check_numbers(prior, draws, seed, credible)
    weights = {name: counts.get(name, 0) + prior for group in groups for name in group}
    given = {name: setting for name, setting in rules.items() if name not in weights}
    if len(given) < len(rules):
        raise InputError(f"rule {next(name for name in rules if name in weights)!r} is learned: you cannot set it.")
    solution = solve_all_states(game, progress=progress, notice=notice, **{**given, **weights})  # type: ignore[arg-type]
    check_learned_kind(solution.kind, solution.has_plies)
    policy = TablePolicy("learned", solution.optimal_play.states, solution.optimal_play.choices)
    samples = [_sample_posterior(groups, weights, np.random.default_rng((seed, number))) for number in range(draws)]

    def play(number: int, going_on: Progress) -> Draw:
        chosen = game.rules({**given, **samples[number]})
        return _evaluate_draw(solution.compiled, policy, chosen, _normalize(groups, samples[number]), going_on)

    results: list[Draw | None] = [None] * draws
    for done, (number, draw) in enumerate(spread(play, range(draws), workers), 1):
        if isinstance(draw, KomiError):
            raise draw
        results[number] = draw
        progress("draws", done, draws)
    all_counts = {name: int(counts.get(name, 0)) for name in weights}
    return LearnedChances(
        all_counts, prior, _normalize(groups, weights), solution, tuple(draw for draw in results if draw), credible
    )


def _check_counts(game: Game, counts: Mapping[str, int]) -> list[tuple[str, ...]]:
    """Return the distributions that the counts belong to.

    Raises:
        InputError: if there are no counts, or a count is invalid.
    """
    groups = game.chances()
    if not groups:
        raise InputError(f"{game.name} has no chances to learn: its file does not define `chances`.")
    names = [name for group in groups for name in group]
    for name, count in counts.items():
        if name not in names:
            raise InputError(f"{game.name} has no chance {name!r}: it has {', '.join(names)}.")
        if isinstance(count, bool) or not isinstance(count, int | np.integer) or not 0 <= count <= MAX_COUNT:
            raise InputError(f"the count of {name!r} must be a whole number from 0 to {MAX_COUNT:,}, not {count!r}.")
    chosen = [group for group in groups if any(name in counts for name in group)]
    if not chosen:
        raise InputError(f"there are no counts: {game.name} has {', '.join(names)}.")
    for group in chosen:
        if not any(counts.get(name, 0) for name in group):
            raise InputError(f"the counts of {', '.join(group)} are all zero: at least one must have been thrown.")
    return chosen


def _check_numbers(prior: float, draws: int, seed: int, credible: float) -> None:
    if not 0.0 < prior < math.inf:
        raise InputError(f"the prior must be greater than 0, not {prior:g}.")
    if not 2 <= draws <= MAX_DRAWS:
        raise InputError(f"there must be 2 to {MAX_DRAWS:,} draws, not {draws}.")
    if seed < 0:
        raise InputError(f"the seed must be a whole number from 0 on, not {seed}.")
    if not 0.0 < credible < 1.0:
        raise InputError(f"the credible share must be between 0 and 1, not {credible:g}.")


def _sample_posterior(
    groups: list[tuple[str, ...]], weights: Mapping[str, float], random: np.random.Generator
) -> dict[str, float]:
    """Draw probabilities from the posterior, scaled by the sum of their weights."""
    chances: dict[str, float] = {}
    for group in groups:
        alphas = np.array([weights[name] for name in group])
        shares: F64 = random.dirichlet(alphas) * alphas.sum()
        chances |= dict(zip(group, shares.tolist(), strict=True))
    return chances


def _normalize(groups: list[tuple[str, ...]], weights: Mapping[str, float]) -> dict[str, float]:
    """Return the weights of each distribution, normalized to sum 1."""
    return {name: weights[name] / sum(weights[other] for other in group) for group in groups for name in group}


def _evaluate_draw(
    compiled: CompiledGame, policy: TablePolicy, rules: Rules, chances: Mapping[str, float], progress: Progress
) -> Draw:
    """Solve the game for these rules, and evaluate the policy against the optimal player there."""
    evaluator = PolicyEvaluator(compiled, rules, progress=progress, side_by_side=False)
    optimal = evaluator.evaluate(measures=0)
    match = evaluator.evaluate((evaluator.tabulate(policy), optimal.choice), measures=0)
    bound = max(float(results.bound.max()) for results in (optimal, match))
    if not bound <= PROVED:
        raise SolveError(f"{compiled.game.name} is proved only to {format_bound(bound)} for sampled chances.")
    first, second = match.value[2 * evaluator.start], match.value[2 * evaluator.start + 1]
    return Draw(chances, float(optimal.value[evaluator.start]), (float(first) + 1.0 - float(second)) / 2)
