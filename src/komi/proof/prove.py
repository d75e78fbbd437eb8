"""`komi.prove`: the proof of a game's value as a file."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from komi.arrays import I64
from komi.errors import SolveError
from komi.game import Game
from komi.graph.explicit import OVER, ExplicitModel
from komi.jit.kernels import Notice
from komi.progress import Progress, silent
from komi.proof.certificate import check_file, write_certificate
from komi.proof.cuts import cut_cycles
from komi.proof.intervals import Limits, find_intervals
from komi.rules import catalog
from komi.rules.kind import Kind, kind_of
from komi.solvers.optimal_values import objective_of
from komi.solvers.solution import Solution
from komi.solvers.solve import solve, solvers_for
from komi.solvers.tablebase.tablebase import MAX_SCORE, Tablebase
from komi.solvers.value_solution import SinglePlayerSolution, StochasticSolution, ValueSolution
from komi.typing import GameLike

MAX_OUTCOMES = 100_000_000  # two gigabytes
WON = 1 << 40  # `END` in `verify.py`


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
    game: GameLike,
    file: Path | str,
    *,
    progress: Progress = silent,
    notice: Notice = lambda message: None,
    **rules: object,
) -> Proof:
    """Write a certificate of a game's value, which `komi.verify`, or `verify.py` without komi, checks.

    Args:
        game: the name of a game, its rule file, or a Game; see `komi.find`.
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
    found = catalog.find(game)
    settings = found.rules(rules)
    found = found.under(settings)
    check_provable(kind_of(found, settings))
    solution: Any = solve(found, progress=progress, notice=notice, **rules)  # type: ignore[arg-type]  # names of rules
    kind, fields_of = KINDS[type(solution)]
    fields = fields_of(solution, progress)
    size = write_certificate(file, kind, found, solution.rules, fields)
    if isinstance(solution, Tablebase):
        lower = upper = solution.expected_value()
    else:
        scale = solution.game.payoff_scale(solution.rules)
        lower, upper = (scale.payoff(math.ldexp(each, -fields["bits"])) for each in fields["claim"])
    return Proof(file, size, lower, upper, len(fields["lower"]))


def check_provable(kind: Kind) -> None:
    """Check that there are certificates for games of this kind.

    Raises:
        SolveError: if there are none.
    """
    if kind.hidden or not {solver.solution_type for solver in solvers_for(kind)} <= KINDS.keys():
        raise SolveError(
            f"there are no certificates yet for games such as {kind.name}: they prove the values of games of one or "
            "two players who see everything and move one after the other."
        )


def prove_values(solution: ValueSolution, progress: Progress) -> dict[str, Any]:
    """Return the fields of a certificate of an optimal value: intervals of the stored states."""
    play, objective = solution.optimal_play, objective_of(solution.kind)
    model = ExplicitModel.of(solution.compiled, solution.rules, play.states, MAX_OUTCOMES)
    start = play.states.index_of(solution.read(None))
    cut = cut_cycles(model, start)
    if objective.is_zero_sum:  # little is left to compute again between them
        cut.stored[model.target[model.passes & (model.target != OVER)]] = True
    limits = Limits(objective.sign, objective.lowest, objective.highest)
    lower, upper, bits = find_intervals(model, cut, play.values, limits, progress)
    claim = math.floor(math.ldexp(lower[start], bits)) - 1, math.ceil(math.ldexp(upper[start], bits)) + 1
    stored = np.flatnonzero(cut.stored)
    low = np.floor(np.ldexp(lower[stored], bits)).astype(np.int64)
    high = np.ceil(np.ldexp(upper[stored], bits)).astype(np.int64)
    return {
        "bits": bits,
        "claim": sorted(int(objective.sign) * each for each in claim),
        "states": _columns(solution.game, model.fields[stored]),
        "lower": low.tolist(),
        "gap": (high - low).tolist(),
    }


def prove_scores(solution: Tablebase, progress: Progress) -> dict[str, Any]:  # noqa: ARG001
    """Return the fields of a certificate of win, draw or loss with plies: the scores of the stored positions."""
    states, score = solution.data.states, int(_widen(np.array([solution.position_value().score]))[0])
    model = ExplicitModel.of(solution.compiled, solution.rules, states, MAX_OUTCOMES)
    stored = np.flatnonzero(cut_cycles(model, states.index_of(solution.read(None))).stored)
    return {
        "bits": 0,
        "claim": [score, score],
        "states": _columns(solution.game, model.fields[stored]),
        "lower": _widen(solution.scores[stored]).tolist(),
        "gap": [0] * len(stored),
    }


def _columns(game: Game, fields: I64) -> list[Any]:
    """Return the fields of states as the rule file has them, each a list of its values.

    Args:
        game: the game.
        fields: int64[states, fields], flat.
    """
    return list(zip(*(game.nested(game.module.State(*row)) for row in fields.tolist()), strict=True))


def _widen(scores: I64) -> I64:
    """Convert scores of a tablebase to those of certificates, in which a win in 0 plies is `WON`."""
    widened: I64 = scores + np.sign(scores) * (WON - MAX_SCORE)
    return widened


KINDS: Mapping[type[Solution[Any]], tuple[str, Callable[[Any, Progress], dict[str, Any]]]] = {
    StochasticSolution: ("values", prove_values),
    SinglePlayerSolution: ("values", prove_values),
    Tablebase: ("scores", prove_scores),
}
"""The kind of certificate of each type of solution, and the function that computes its fields."""
