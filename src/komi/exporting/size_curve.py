"""The loss of a policy as a function of its size in bytes: from a single number to remember to perfect play."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from komi.approximating.approximate import BITS, bytes_of
from komi.approximating.network import hidden_of
from komi.approximating.network_inputs import NetworkInputs, inputs_of
from komi.approximating.network_source import MAX_WEIGHTS
from komi.approximating.trainer import NetworkTrainer
from komi.evaluation.match import best_response
from komi.evaluation.match import match as play_match
from komi.exporting.dense_table import DenseTable
from komi.exporting.encodings import LineEncoding
from komi.game import Game
from komi.jit.kernels import Notice
from komi.policies import named
from komi.policies.table import TablePolicy
from komi.policies.tabulate import tabulate
from komi.progress import Progress, silent
from komi.solvers.solution import Solution
from komi.teaching.features import at_risk, features_of, ranges
from komi.teaching.loss_evaluation import LossEvaluator
from komi.teaching.strategy import follow
from komi.teaching.strategy_rendering import StrategyRenderer, actions_of
from komi.teaching.strategy_search import learn, side_by_side
from komi.teaching.validation import check_seconds, solved

NUMBERS = 3  # to remember, at most


@dataclass(frozen=True)
class SizedPolicy:
    """A policy with its size and its loss.

    Attributes:
        kind: strategy, network or table.
        bytes: the size of its numbers; a number to remember takes one byte.
        loss: its expected loss per game against optimal play, averaged over both seats.
        worst_case: its winning probability against a best response, averaged over both seats.
        words: its description.
    """

    kind: str
    bytes: int
    loss: float
    worst_case: float
    words: str


@dataclass(frozen=True)
class SizeCurve:
    """Policies of a game by kind and size; the last one plays perfectly."""

    game: Game
    rules: Any
    sizes: tuple[SizedPolicy, ...]


def curve(
    game: str | Game,
    *,
    seconds: float = 300.0,
    seed: int = 1,
    progress: Progress = silent,
    notice: Notice = lambda message: None,
    **rules: object,
) -> SizeCurve:
    """Compute policies of all sizes (strategies to remember, networks, optimal play as a table) and their exact losses.

    Args:
        game: a built-in game's name, the path of a rule file, or a Game.
        seconds: the time limit for search and training together.
        seed: the seed of search and training.
        progress: called during long work; see `komi.progress`.
        notice: called with a sentence before a slow step that happens only once.
        rules: the rules to change, by name.

    Raises:
        InputError: for an unknown game or rule, or seconds out of range.
        GameError: if the rules are broken.
        SolveError: if the game cannot be solved, is not a two-player win-loss game, or has too many states.
    """
    check_seconds(seconds, "training")
    solution = solved(game, progress, notice, rules)
    found = solution.game
    table = _table(solution)
    games = LossEvaluator.of(solution, actions_of(found, solution.rules))
    inputs = inputs_of(found, solution.rules, solution.arrays.states)
    units = list(_units(inputs, len(games.regrets)))
    share = seconds / (1 + len(units))
    sizes = [*_strategies(games, seed, share, progress)]
    for hidden in units:
        fitting = NetworkTrainer(games, inputs, np.random.default_rng(seed), BITS)
        network = fitting.best(hidden, share, progress)
        actions = network.actions(inputs, solution.arrays.states)
        words = f"a network of {network.weights} weights"
        sizes.append(_measured(games, actions, "network", bytes_of(network.weights), words, progress))
    return SizeCurve(found, solution.rules, (*sizes, table))


def _measured(
    games: LossEvaluator, actions: NDArray[np.int16], kind: str, size: int, words: str, progress: Progress
) -> SizedPolicy:
    """Measure a policy of a given size; where a preferred action is not legal, the first legal one is played."""
    solution = games.solution
    policy = TablePolicy(words, solution.arrays.states, games.played(actions))
    loss = 0.5 - play_match(solution, policy, named.find("optimal", solution), progress=progress).average
    worst = 1.0 - best_response(solution, policy, progress=progress).average
    return SizedPolicy(kind, size, max(loss, 0.0), worst, words)


def _table(solution: Solution[Any]) -> SizedPolicy:
    """Measure optimal play as a compressed table."""
    states = solution.arrays.states
    actions = tabulate(named.find("optimal", solution), solution.compiled, solution.rules, states)
    box = DenseTable.of(states, solution.game.module.State._fields, ranges(states), actions)
    return SizedPolicy("table", len(LineEncoding.of(box).code), 0.0, 0.5, "optimal play as a table")


def _strategies(games: LossEvaluator, seed: int, seconds: float, progress: Progress) -> Iterator[SizedPolicy]:
    """Yield the best strategies found that have few numbers to remember."""
    solution = games.solution
    game, rules = solution.game, solution.rules
    features, subject = features_of(game, rules, solution.arrays.states), at_risk(game, rules)
    searches = side_by_side(games, features, NUMBERS, subject, seed)
    wording = StrategyRenderer(game, rules, features, subject)
    for each in learn(searches, seconds, progress):
        if each.strategy.numbers:
            actions, words = follow(each.strategy, features, solution.arrays.states), wording.text(each.strategy)
            yield _measured(games, actions, "strategy", each.strategy.numbers, words, progress)


def _units(inputs: NetworkInputs, actions: int) -> Iterator[int]:
    """Yield numbers of hidden units, each twice the one before."""
    hidden = 1
    while hidden <= hidden_of(MAX_WEIGHTS, inputs, actions):
        yield hidden
        hidden *= 2
