"""komi: a workbench for small games of chance and choice."""

from typing import TYPE_CHECKING

from komi.errors import GameError, InputError, KomiError, SolveError, StorageError

if TYPE_CHECKING:
    from komi.catalog import find
    from komi.checking.check import Check, check
    from komi.design.fair import Fair, fair
    from komi.design.sweep import Sweep, sweep
    from komi.evaluation.match import Match
    from komi.evaluation.strength import match
    from komi.game import Game
    from komi.methods.race.solution import Solution
    from komi.methods.solve import solve
    from komi.methods.win_draw_loss.tablebase import Tablebase
    from komi.simulation.result import Simulation
    from komi.simulation.simulation import simulate

__all__ = [
    "Check",
    "Fair",
    "Game",
    "GameError",
    "InputError",
    "KomiError",
    "Match",
    "Simulation",
    "Solution",
    "SolveError",
    "StorageError",
    "Sweep",
    "Tablebase",
    "check",
    "fair",
    "find",
    "match",
    "simulate",
    "solve",
    "sweep",
]
__version__ = "0.1.0"

_HOMES = {
    "Check": "komi.checking.check",
    "check": "komi.checking.check",
    "Fair": "komi.design.fair",
    "fair": "komi.design.fair",
    "Game": "komi.game",
    "find": "komi.catalog",
    "Match": "komi.evaluation.match",
    "match": "komi.evaluation.strength",
    "Simulation": "komi.simulation.result",
    "simulate": "komi.simulation.simulation",
    "Solution": "komi.methods.race.solution",
    "Sweep": "komi.design.sweep",
    "sweep": "komi.design.sweep",
    "Tablebase": "komi.methods.win_draw_loss.tablebase",
    "solve": "komi.methods.solve",
}


def __getattr__(name: str) -> object:
    """What needs the compiler is imported when first asked for: `komi games` must not wait for it."""
    if name not in _HOMES:
        raise AttributeError(f"module 'komi' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)
