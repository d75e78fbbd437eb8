"""The loss of a policy as a function of its size in bytes: from a single number to remember to perfect play."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from komi.approximating.approximate import BITS, bytes_of
from komi.approximating.network import max_hidden_units
from komi.approximating.network_inputs import NetworkInputs, create_inputs
from komi.approximating.network_source import MAX_WEIGHTS
from komi.approximating.trainer import NetworkTrainer
from komi.arrays import I16
from komi.evaluation.strength import measure_strength
from komi.exporting.dense_table import DenseTable
from komi.exporting.encodings import LineEncoding
from komi.jit.kernels import Notice
from komi.policies import named
from komi.policies.table import TablePolicy
from komi.policies.tabulate import tabulate
from komi.progress import Progress, silent
from komi.rules.flat_states import identifier
from komi.rules.game import Game
from komi.solvers.solution import Solution
from komi.teaching.features import field_ranges, list_features
from komi.teaching.field_roles import find_risk_field
from komi.teaching.loss_evaluation import LossEvaluator
from komi.teaching.parallel_search import create_searches, run_searches
from komi.teaching.strategy import strategy_actions
from komi.teaching.strategy_rendering import StrategyRenderer, count_actions
from komi.teaching.validation import check_seconds, solve_for_teaching
from komi.typing import GameLike, Rules

NUMBERS = 3  # to remember, at most


@dataclass(frozen=True)
class SizedPolicy:
    """A policy with its size and its loss.

    Attributes:
        kind: strategy, network or table.
        bytes: the size of its numbers; a number to remember takes one byte.
        loss: its expected loss per game against optimal play, averaged over all seats.
        worst_case: with two players, its value against a best response, averaged over both seats; else None.
        words: its description.
    """

    kind: str
    bytes: int
    loss: float
    worst_case: float | None
    words: str


@dataclass(frozen=True)
class SizeCurve:
    """Policies of a game by kind and size; the last one plays perfectly."""

    game: Game
    rules: Rules
    sizes: tuple[SizedPolicy, ...]


def curve(
    game: GameLike,
    *,
    seconds: float = 300.0,
    seed: int = 1,
    progress: Progress = silent,
    notice: Notice = lambda message: None,
    **rules: object,
) -> SizeCurve:
    """Compute policies of all sizes (strategies to remember, networks, optimal play as a table) and their exact losses.

    Args:
        game: the name of a game, its rule file, or a Game; see `komi.find`.
        seconds: the time limit for search and training together.
        seed: the seed of search and training.
        progress: called during long work; see `komi.progress`.
        notice: called with a sentence before a slow step that happens only once.
        rules: the rules to change, by name.

    Raises:
        InputError: for an unknown game or rule, or seconds out of range.
        GameError: if the rules are broken.
        SolveError: if the game cannot be solved, policies cannot be trained in it, or it has too many states.
    """
    check_seconds(seconds, "training")
    solution = solve_for_teaching(game, progress, notice, rules)
    found = solution.game
    table = _table(solution)
    evaluator = LossEvaluator.of(solution, count_actions(found, solution.rules))
    inputs = create_inputs(found, solution.rules, solution.optimal_play.states)
    units = list(_units(inputs, len(evaluator.regrets)))
    share = seconds / (1 + len(units))
    sizes = [*_strategies(evaluator, seed, share, progress)]
    for hidden in units:
        trainer = NetworkTrainer(evaluator, inputs, np.random.default_rng(seed), BITS)
        network = trainer.train(hidden, share, progress)
        actions = network.actions(inputs, solution.optimal_play.states)
        words = f"a network of {network.weights} weights"
        sizes.append(_measured(evaluator, actions, "network", bytes_of(network.weights), words, progress))
    return SizeCurve(found, solution.rules, (*sizes, table))


def _measured(
    evaluator: LossEvaluator, actions: I16, kind: str, size: int, words: str, progress: Progress
) -> SizedPolicy:
    """Measure a policy of a given size; where a preferred action is not legal, the first legal one is played."""
    solution = evaluator.solution
    policy = TablePolicy(words, solution.optimal_play.states, evaluator.legalize(actions))
    strength = measure_strength(solution, policy, progress)
    return SizedPolicy(kind, size, max(strength.loss, 0.0), strength.worst_case, words)


def _table(solution: Solution[Any]) -> SizedPolicy:
    """Measure optimal play as a compressed table."""
    states = solution.optimal_play.states
    actions = tabulate(named.find("optimal", solution), solution.compiled, solution.rules, states)
    table = DenseTable.of(
        states, tuple(map(identifier, solution.game.module.State._fields)), field_ranges(states), actions
    )
    worst_case = solution.kind.payoffs.even if solution.kind.seats == 2 else None
    return SizedPolicy("table", len(LineEncoding.of(table).code), 0.0, worst_case, "optimal play as a table")


def _strategies(evaluator: LossEvaluator, seed: int, seconds: float, progress: Progress) -> Iterator[SizedPolicy]:
    """Yield the best strategies found that have few numbers to remember."""
    solution = evaluator.solution
    game, rules = solution.game, solution.rules
    features = list_features(game, rules, solution.optimal_play.states, evaluator.choices)
    subject = find_risk_field(game, rules)
    searches = create_searches(evaluator, features, NUMBERS, subject, seed)
    renderer = StrategyRenderer(game, rules, features, subject)
    for each in run_searches(searches, seconds, progress):
        if each.strategy.numbers:
            actions, words = (
                strategy_actions(each.strategy, features, solution.optimal_play.states),
                renderer.text(each.strategy),
            )
            yield _measured(evaluator, actions, "strategy", each.strategy.numbers, words, progress)


def _units(inputs: NetworkInputs, actions: int) -> Iterator[int]:
    """Yield numbers of hidden units, each twice the one before."""
    hidden = 1
    while hidden <= max_hidden_units(MAX_WEIGHTS, inputs, actions):
        yield hidden
        hidden *= 2
