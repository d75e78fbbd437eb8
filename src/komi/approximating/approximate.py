"""`komi.approximate`: a compact policy of a game, and exactly what it gives away."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from komi.approximating.fitting import Fitting
from komi.approximating.inputs import inputs_of
from komi.approximating.network import Network, hidden_of
from komi.approximating.source import MOST_WEIGHTS, NAME, SCALES, source_of
from komi.compile.kernels import Notice
from komi.errors import InputError
from komi.evaluation.match import Match, best_response
from komi.evaluation.match import match as play_match
from komi.files import write_whole
from komi.game import Game
from komi.policies import named
from komi.progress import Progress, silent
from komi.teaching.asked import check_file, check_seconds, solved
from komi.teaching.games import Games
from komi.teaching.wording import actions_of

BITS = 9  # of a weight of a network that is to have few bytes


@dataclass(frozen=True)
class Approximation:
    """A compact policy.

    Attributes:
        game: the game.
        rules: its rules.
        network: what decides.
        size: of its weights, in bytes.
        match: its games against optimal play, evaluated exactly.
        worst_case: its average chance of winning against the player who knows it and exploits it best.
        file: the policy as Python; `komi match` takes it as FILE.py:network.
    """

    game: Game
    rules: Any
    network: Network
    size: int
    match: Match
    worst_case: float
    file: Path

    @property
    def loss(self) -> float:
        """What it gives away against optimal play, on average of both seats."""
        return 0.5 - self.match.average


def approximate(
    game: str | Game,
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
    """A network of one hidden layer that plays the game, trained on what it gives away against optimal play.

    Args:
        game: a built-in game's name, the path of a rule file, or a Game.
        file: where to write it as a policy: a name that ends in .py.
        weights: how many weights of single precision it has, at most; 118 unless a size is given.
        size: how many bytes its weights take, at most: nine bits each, and two scales. Not beside `weights`.
        seconds: how long to train.
        seed: of the training.
        progress: called during long work; see `komi.progress`.
        notice: called with a sentence before something that takes seconds and happens only once.
        rules: the rules to change, by name.

    Raises:
        InputError: for an unknown game or rule, a network that is too small or too large, or seconds out of range.
        GameError: if the rules are broken.
        SolveError: if the game cannot be solved, or is no game of two players who win or lose.
        StorageError: if the file cannot be written.
    """
    file = Path(file)
    if weights is not None and size is not None:
        raise InputError("a network has so many weights, or so many bytes: give one of the two.")
    most = _weights_in(size) if size is not None else 118 if weights is None else weights
    check_seconds(seconds, "training")
    check_file(file, "a network", NAME)
    solution = solved(game, progress, notice, rules)
    found = solution.game
    inputs, actions = inputs_of(found, solution.rules, solution.values.states), actions_of(found, solution.rules)
    hidden = hidden_of(most, inputs, actions)
    if hidden < 1 or most > MOST_WEIGHTS:
        least = next(count for count in range(MOST_WEIGHTS) if hidden_of(count, inputs, actions) == 1)
        ends = (least, MOST_WEIGHTS) if size is None else (bytes_of(least), bytes_of(MOST_WEIGHTS))
        raise InputError(
            f"a network for {found.name} has {ends[0]} to {ends[1]} "
            f"{'weights' if size is None else 'bytes'}, not {most if size is None else size}."
        )
    bits = None if size is None else BITS
    fitting = Fitting(Games.of(solution, actions), inputs, np.random.default_rng(seed), bits)
    network = fitting.best(hidden, seconds, progress)
    source = source_of(network, inputs, found, file.name, bits)
    write_whole(file, lambda draft: draft.write_text(source, encoding="utf-8"))
    policy, optimal = named.find(f"{file}:{NAME}", solution), named.find("optimal", solution)
    return Approximation(
        game=found,
        rules=solution.rules,
        network=network,
        size=4 * network.weights if bits is None else bytes_of(network.weights),
        match=play_match(solution, policy, optimal, progress=progress),
        worst_case=1.0 - best_response(solution, policy, progress=progress).average,
        file=file,
    )


def _weights_in(size: int) -> int:
    """How many weights of few bits so many bytes hold."""
    return (size - SCALES) * 8 // BITS


def bytes_of(weights: int) -> int:
    """How many bytes so many weights of few bits take."""
    return SCALES - (-weights * BITS // 8)
