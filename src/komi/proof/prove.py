"""`komi.prove`: the proof of a game's value as a file."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from komi.errors import SolveError
from komi.game import Game
from komi.graph.explicit import ExplicitModel
from komi.jit.kernels import Notice
from komi.proof.bounds import Limits, find_intervals
from komi.proof.certificate import check_file, write_certificate
from komi.progress import Progress, silent
from komi.solvers.optimal_values import objective_of
from komi.solvers.solution import Solution
from komi.solvers.solve import solve
from komi.solvers.value_solution import ValueSolution

MAX_OUTCOMES = 100_000_000  # two gigabytes


@dataclass(frozen=True)
class Proof:
    """A certificate that was written.

    Attributes:
        file: the path of the file.
        size: its size in bytes.
        lower, upper: the interval of the value that it proves.
        states: the number of states whose values it contains.
    """

    file: Path
    size: int
    lower: float
    upper: float
    states: int


def prove(
    game: str | Game,
    file: Path | str,
    *,
    progress: Progress = silent,
    notice: Notice = lambda message: None,
    **rules: object,
) -> Proof:
    """Write a certificate of a game's value, which `verify` checks without komi.

    Args:
        game: a built-in game's name, the path of a rule file, or a Game.
        file: the path of the certificate.
        progress: called during long work; see `komi.progress`.
        notice: called with a sentence before a slow step that happens only once.
        rules: the rules to change, by name.

    Returns:
        the file, its size, and the interval that it proves.

    Raises:
        InputError: for an unknown game or rule, or a file that is no certificate.
        GameError: if the rules are broken.
        SolveError: if the game cannot be solved, or there are no certificates for games of its kind.
        StorageError: if the file cannot be written.
    """
    file = Path(file)
    check_file(file)
    solution = solve(game, progress=progress, notice=notice, **rules)
    for solution_type, (kind, write) in KINDS.items():
        if isinstance(solution, solution_type) and "view" not in vars(solution.game.module):
            proof = write(solution, progress)
            size = write_certificate(file, kind, solution.game, solution.rules, proof)
            unit = 2.0 ** -proof["bits"]
            lower, upper = (each * unit for each in proof["claim"])
            return Proof(file, size, lower, upper, len(proof["lower"]))
    raise SolveError(
        f"there are no certificates yet for games such as {solution.game.name}: komi proves the values of games of one "
        "or two players with chance."
    )


def prove_values(solution: Solution[Any], progress: Progress) -> dict[str, Any]:
    """Return the fields of a certificate of optimal values."""
    arrays = solution.arrays
    objective = objective_of(solution.kind)
    model = ExplicitModel.of(solution.compiled, solution.rules, arrays.states, MAX_OUTCOMES)
    start = arrays.states.index_of(solution.read(None))
    limits = Limits(objective.sign, objective.lowest, objective.highest)
    found = find_intervals(model, arrays.values, np.array([start]), solution.kind.seats == 2, limits, progress)
    unit = 2.0**-found.bits
    stored = np.flatnonzero(found.stored)
    lower, upper = (
        rounding(bounds[stored] / unit).astype(np.int64)
        for bounds, rounding in ((found.lower, np.floor), (found.upper, np.ceil))
    )
    claim = sorted(
        (
            objective.sign * (math.floor(found.lower[start] / unit) - 1),
            objective.sign * (math.ceil(found.upper[start] / unit) + 1),
        )
    )
    return {
        "bits": found.bits,
        "claim": [int(each) for each in claim],
        "states": model.fields[stored].T.tolist(),
        "lower": lower.tolist(),
        "gap": (upper - lower).tolist(),
    }


KINDS: Mapping[type[Solution[Any]], tuple[str, Callable[[Solution[Any], Progress], dict[str, Any]]]] = {
    ValueSolution: ("values", prove_values),
}
