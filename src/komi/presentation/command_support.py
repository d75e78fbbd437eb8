"""Support of the kinds of games by each command, from the checks of the commands themselves.

`COMMANDS` lists every command about one game with the check that refuses a kind of game. The table of the
documentation is written from it.
"""

from collections.abc import Callable

from komi.design.fair import check_seats
from komi.design.learned_chances import check_learned_kind
from komi.design.openings import check_sweepable_kind
from komi.design.spread_total import check_numeric
from komi.errors import KomiError, SolveError
from komi.evaluation.requirements import check_comparable, strategy_refusal, teaching_refusal
from komi.exporting.export import table_refusal
from komi.exporting.markov_model import check_model_kind
from komi.learning.learn import check_learnable
from komi.measures.measure import check_kind, check_measured
from komi.rules.kind import Kind
from komi.solvers.solve import solvers_for
from komi.teaching.simulated.teach_by_simulation import check_multiplayer


def _any_game(kind: Kind) -> None:
    """Accept every kind of game."""


def _check_taught(kind: Kind) -> None:
    """Check that strategies can be searched: with a solution, or in games without one by simulation."""
    try:
        has_plies = _has_plies(kind)
    except SolveError:
        check_multiplayer(kind)
        return
    if kind.is_concealed:
        check_multiplayer(kind)
        return
    _raise(teaching_refusal(kind, has_plies))


def _check_approximated(kind: Kind) -> None:
    _raise(strategy_refusal(kind, _has_plies(kind)))


def _check_exported(kind: Kind) -> None:
    _raise(table_refusal(kind))
    solvers_for(kind)


def _check_compared(kind: Kind) -> None:
    solvers_for(kind)
    check_comparable(kind)


def _check_measured(kind: Kind) -> None:
    solvers_for(kind)
    check_kind(kind)


def _check_designed(kind: Kind) -> None:
    solvers_for(kind)
    check_measured(kind)


def _check_swept(kind: Kind) -> None:
    check_sweepable_kind(kind)
    solvers_for(kind)


def _check_fair(kind: Kind) -> None:
    check_seats(kind)
    _check_swept(kind)


def _check_spread(kind: Kind) -> None:
    check_numeric(kind, _has_plies(kind))


def _check_learned_chances(kind: Kind) -> None:
    check_learned_kind(kind, _has_plies(kind))


def _has_plies(kind: Kind) -> bool:
    """Return whether the solver of this kind of game finds win, draw or loss."""
    return solvers_for(kind)[0].solution_type.has_plies


def _raise(refusal: str | None) -> None:
    if refusal is not None:
        raise SolveError(refusal)


COMMANDS: dict[str, Callable[[Kind], object]] = {
    "rules": _any_game,
    "check": _any_game,
    "moves": _any_game,
    "play": _any_game,
    "opponents": _any_game,
    "serve": _any_game,
    "simulate": _any_game,
    "report": _any_game,
    "solve": solvers_for,
    "value": solvers_for,
    "table": solvers_for,
    "plot": solvers_for,
    "review": solvers_for,
    "match": solvers_for,
    "compare": _check_compared,
    "measure": _check_measured,
    "sweep": _check_swept,
    "design": _check_designed,
    "fair": _check_fair,
    "spread-total": _check_spread,
    "learn": check_learnable,
    "learn-chances": _check_learned_chances,
    "teach": _check_taught,
    "approximate": _check_approximated,
    "export POLICY": _check_exported,
    "prove": solvers_for,
    "export --to .prism": check_model_kind,
    "export --to .efg": _any_game,
}
"""Each command about one game, and the check that raises an error for the kinds that it does not support."""
GENERAL_COMMANDS = ("games", "verify", "study", "reproduce", "cache")
"""The commands that are not about one game."""


def refusal(command: str, kind: Kind) -> str | None:
    """Return the sentence with which a command refuses a kind of game; None if it accepts the kind.

    Args:
        command: a name in `COMMANDS`.
        kind: the kind of game.
    """
    try:
        COMMANDS[command](kind)
    except KomiError as error:
        return str(error)
    return None
