"""`komi.approximate`: a compact policy of a game, and its exact loss against optimal play."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from komi.approximating.network import Network, max_hidden_units
from komi.approximating.network_inputs import create_inputs
from komi.approximating.network_source import MAX_WEIGHTS, NAME, SCALES, network_source
from komi.approximating.trainer import NetworkTrainer
from komi.errors import InputError
from komi.evaluation.audit import MatchResult
from komi.evaluation.strength import PolicyStrength, measure_strength
from komi.files import write_atomically
from komi.jit.kernels import Notice
from komi.policies import named
from komi.progress import Progress, silent
from komi.rules.game import Game
from komi.teaching.loss_evaluation import LossEvaluator
from komi.teaching.strategy_rendering import count_actions
from komi.teaching.validation import check_file, check_seconds, solve_for_teaching
from komi.typing import GameLike, Rules

BITS = 9  # of a quantized weight


@dataclass(frozen=True)
class Approximation:
    """A compact policy and its measured strength.

    Attributes:
        game: the game.
        rules: its rules.
        network: the network that chooses the actions.
        size: the size of its weights in bytes.
        strength: its exact strength beside optimal play.
        file: the policy as Python; `komi match` accepts it as FILE.py:network.
    """

    game: Game
    rules: Rules
    network: Network
    size: int
    strength: PolicyStrength
    file: Path

    def __repr__(self) -> str:
        return f"<Approximation of {self.game.name}: {self.size:,} bytes, loss {self.loss:.6f}, in {self.file}>"

    @property
    def match(self) -> MatchResult:
        """The exact result of its games with optimal play, as `komi match` reports it."""
        return self.strength.match

    @property
    def worst_case(self) -> float | None:
        """With two players, its value against a best response, averaged over both seats; else None."""
        return self.strength.worst_case

    @property
    def loss(self) -> float:
        """Its expected loss per game against optimal play, averaged over all seats."""
        return self.strength.loss


def approximate(
    game: GameLike,
    file: Path | str,
    *,
    weights: int | None = None,
    size: int | None = None,
    seconds: float = 300.0,
    seed: int = 1,
    progress: Progress = silent,
    notice: Notice = lambda message: None,
    **rules: object,
) -> Approximation:
    """Train a network with one hidden layer to minimize its loss against optimal play.

    Args:
        game: the name of a game, its rule file, or a Game; see `komi.find`.
        file: the file to write the policy to, with a name that ends in .py.
        weights: the greatest number of single-precision weights; 118 unless `size` is given.
        size: the greatest size of the weights in bytes: nine bits each, and two scales. Excludes `weights`.
        seconds: the time limit of the training.
        seed: the seed of the training.
        progress: called during long work; see `komi.progress`.
        notice: called with a sentence before a slow step that happens only once.
        rules: the rules to change, by name.

    Raises:
        InputError: for an unknown game or rule, a network that is too small or too large, or seconds out of range.
        GameError: if the rules are broken.
        SolveError: if the game cannot be solved, or policies cannot be trained in it: see `solve_for_teaching`.
        StorageError: if the file cannot be written.
    """
    file = Path(file)
    if weights is not None and size is not None:
        raise InputError("a network has so many weights, or so many bytes: give one of the two.")
    most = _weights_in(size) if size is not None else 118 if weights is None else weights
    check_seconds(seconds, "training")
    check_file(file, "a network", NAME)
    solution = solve_for_teaching(game, progress, notice, rules)
    found = solution.game
    inputs, actions = (
        create_inputs(found, solution.rules, solution.optimal_play.states),
        count_actions(found, solution.rules),
    )
    hidden = max_hidden_units(most, inputs, actions)
    if hidden < 1 or most > MAX_WEIGHTS:
        least = next(count for count in range(MAX_WEIGHTS) if max_hidden_units(count, inputs, actions) == 1)
        ends = (least, MAX_WEIGHTS) if size is None else (bytes_of(least), bytes_of(MAX_WEIGHTS))
        raise InputError(
            f"a network for {found.name} has {ends[0]} to {ends[1]} "
            f"{'weights' if size is None else 'bytes'}, not {most if size is None else size}."
        )
    bits = None if size is None else BITS
    trainer = NetworkTrainer(LossEvaluator.of(solution, actions), inputs, np.random.default_rng(seed), bits)
    network = trainer.train(hidden, seconds, progress)
    source = network_source(network, inputs, found, file.name, bits)
    write_atomically(file, lambda draft: draft.write_text(source, encoding="utf-8"))
    return Approximation(
        game=found,
        rules=solution.rules,
        network=network,
        size=4 * network.weights if bits is None else bytes_of(network.weights),
        strength=measure_strength(solution, named.find(f"{file}:{NAME}", solution), progress),
        file=file,
    )


def _weights_in(size: int) -> int:
    """Compute the number of quantized weights that fit into a number of bytes."""
    return (size - SCALES) * 8 // BITS


def bytes_of(weights: int) -> int:
    """Compute the size of quantized weights, with their scales, in bytes."""
    return SCALES - (-weights * BITS // 8)
