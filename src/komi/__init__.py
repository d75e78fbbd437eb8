"""komi: a workbench for small games of chance and choice."""

from typing import TYPE_CHECKING

from komi.errors import GameError, InputError, KomiError, SolveError, StorageError

if TYPE_CHECKING:
    from komi.approximating.approximate import Approximation, approximate
    from komi.catalog import find
    from komi.checking.check import Check, check
    from komi.design.fair import Fair, fair
    from komi.design.learned_chances import LearnedChances, learn_chances
    from komi.design.spread_total import Spread, spread_total
    from komi.design.sweep import Sweep, sweep
    from komi.evaluation.alone import Alone
    from komi.evaluation.comparison import compare
    from komi.evaluation.comparison import compare as agree
    from komi.evaluation.losses import Agreement
    from komi.evaluation.match import Match
    from komi.evaluation.scores import Scores, scores
    from komi.evaluation.seating import SeatedMatch
    from komi.evaluation.strength import match
    from komi.exporting.export import Exported, export
    from komi.game import Game
    from komi.methods.answer import Answer
    from komi.methods.race.solution import Solution
    from komi.methods.several.solution import SeveralSeats
    from komi.methods.simultaneous.solution import Simultaneous
    from komi.methods.solitaire.solution import Solitaire
    from komi.methods.solve import solve
    from komi.methods.win_draw_loss.tablebase import Tablebase
    from komi.plotting.plot import plot
    from komi.reporting.report import report
    from komi.simulation.result import Simulation
    from komi.simulation.simulation import simulate
    from komi.tables.policy_table import PolicyTable, table
    from komi.teaching.simulated.teach import SimulatedLesson, teach_by_simulation
    from komi.teaching.teach import Lesson, teach

__all__ = [
    "Agreement",
    "Alone",
    "Answer",
    "Approximation",
    "Check",
    "Exported",
    "Fair",
    "Game",
    "GameError",
    "InputError",
    "KomiError",
    "LearnedChances",
    "Lesson",
    "Match",
    "PolicyTable",
    "Scores",
    "SeatedMatch",
    "SeveralSeats",
    "SimulatedLesson",
    "Simulation",
    "Simultaneous",
    "Solitaire",
    "Solution",
    "SolveError",
    "Spread",
    "StorageError",
    "Sweep",
    "Tablebase",
    "agree",
    "approximate",
    "check",
    "compare",
    "export",
    "fair",
    "find",
    "learn_chances",
    "match",
    "plot",
    "report",
    "scores",
    "simulate",
    "solve",
    "spread_total",
    "sweep",
    "table",
    "teach",
    "teach_by_simulation",
]
__version__ = "0.1.0"

_HOMES = {
    "Agreement": "komi.evaluation.losses",
    "Approximation": "komi.approximating.approximate",
    "Answer": "komi.methods.answer",
    "Check": "komi.checking.check",
    "Exported": "komi.exporting.export",
    "Fair": "komi.design.fair",
    "Alone": "komi.evaluation.alone",
    "Game": "komi.game",
    "LearnedChances": "komi.design.learned_chances",
    "Lesson": "komi.teaching.teach",
    "Match": "komi.evaluation.match",
    "PolicyTable": "komi.tables.policy_table",
    "Scores": "komi.evaluation.scores",
    "SeatedMatch": "komi.evaluation.seating",
    "SeveralSeats": "komi.methods.several.solution",
    "SimulatedLesson": "komi.teaching.simulated.teach",
    "Simulation": "komi.simulation.result",
    "Simultaneous": "komi.methods.simultaneous.solution",
    "Solitaire": "komi.methods.solitaire.solution",
    "Solution": "komi.methods.race.solution",
    "Spread": "komi.design.spread_total",
    "Sweep": "komi.design.sweep",
    "Tablebase": "komi.methods.win_draw_loss.tablebase",
    "approximate": "komi.approximating.approximate",
    "check": "komi.checking.check",
    "compare": "komi.evaluation.comparison",
    "export": "komi.exporting.export",
    "fair": "komi.design.fair",
    "find": "komi.catalog",
    "learn_chances": "komi.design.learned_chances",
    "match": "komi.evaluation.strength",
    "plot": "komi.plotting.plot",
    "report": "komi.reporting.report",
    "scores": "komi.evaluation.scores",
    "simulate": "komi.simulation.simulation",
    "solve": "komi.methods.solve",
    "spread_total": "komi.design.spread_total",
    "sweep": "komi.design.sweep",
    "table": "komi.tables.policy_table",
    "teach": "komi.teaching.teach",
    "teach_by_simulation": "komi.teaching.simulated.teach",
}
_ALIASES = {"agree": "compare"}


def __getattr__(name: str) -> object:
    """Import a public name on first use: `komi games` must not wait for the import of the compiler."""
    name = _ALIASES.get(name, name)
    if name not in _HOMES:
        raise AttributeError(f"module 'komi' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
