"""komi: a workbench for small games of chance and choice."""

from komi.errors import AuditError, GameError, InputError, KomiError, SolveError, StorageError

TYPE_CHECKING = False  # as in `typing`, whose import takes as long as all others here

if TYPE_CHECKING:
    from komi.approximating.approximate import Approximation, approximate
    from komi.checking.check import Check, check
    from komi.design.fair import Fair, fair
    from komi.design.find_rules import RuleSearch, find_rules
    from komi.design.learned_chances import LearnedChances, learn_chances
    from komi.design.spread_total import Spread, spread_total
    from komi.design.sweep import Sweep, sweep
    from komi.evaluation.compare import compare
    from komi.evaluation.losses import Agreement
    from komi.evaluation.match import match
    from komi.evaluation.match_result import Match
    from komi.evaluation.multiplayer import MultiplayerMatch
    from komi.evaluation.regret import best_response, regret
    from komi.evaluation.scores import ScoreDistribution, scores
    from komi.evaluation.single_player import SinglePlayerEvaluation
    from komi.evaluation.strength_evaluator import BestResponse, Regret
    from komi.exporting.export import ExportResult, export
    from komi.exporting.export_model import export_model
    from komi.learning.learn import Learned, LearningSettings, learn
    from komi.measures.measure import Measures, measure
    from komi.plotting.plot import plot
    from komi.proof.endless import EndlessValues, endless_values
    from komi.proof.prove import Proof, prove
    from komi.proof.verification import Verification, verify
    from komi.reporting.game_report import report
    from komi.rules.catalog import find
    from komi.rules.game import Game
    from komi.simulation.result import Simulation
    from komi.simulation.simulation import simulate
    from komi.solvers.hidden.hidden_solver import HiddenSolution
    from komi.solvers.multiplayer.nash_solver import MultiplayerSolution
    from komi.solvers.simultaneous.mixed_solver import SimultaneousSolution
    from komi.solvers.solution import Solution
    from komi.solvers.solve import solve
    from komi.solvers.stochastic.stochastic_solver import SinglePlayerSolution, StochasticSolution
    from komi.solvers.tablebase.tablebase import Tablebase
    from komi.tables.policy_table import PolicyTable, table
    from komi.teaching.simulated.teach_by_simulation import SimulatedTeachingResult, teach_by_simulation
    from komi.teaching.teach import TeachingResult, teach

__all__ = [
    "Agreement",
    "Approximation",
    "AuditError",
    "BestResponse",
    "Check",
    "EndlessValues",
    "ExportResult",
    "Fair",
    "Game",
    "GameError",
    "HiddenSolution",
    "InputError",
    "KomiError",
    "Learned",
    "LearnedChances",
    "LearningSettings",
    "Match",
    "Measures",
    "MultiplayerMatch",
    "MultiplayerSolution",
    "PolicyTable",
    "Proof",
    "Regret",
    "RuleSearch",
    "ScoreDistribution",
    "SimulatedTeachingResult",
    "Simulation",
    "SimultaneousSolution",
    "SinglePlayerEvaluation",
    "SinglePlayerSolution",
    "Solution",
    "SolveError",
    "Spread",
    "StochasticSolution",
    "StorageError",
    "Sweep",
    "Tablebase",
    "TeachingResult",
    "Verification",
    "approximate",
    "best_response",
    "check",
    "compare",
    "endless_values",
    "export",
    "export_model",
    "fair",
    "find",
    "find_rules",
    "learn",
    "learn_chances",
    "match",
    "measure",
    "plot",
    "prove",
    "regret",
    "report",
    "scores",
    "simulate",
    "solve",
    "spread_total",
    "sweep",
    "table",
    "teach",
    "teach_by_simulation",
    "verify",
]
__version__ = "0.1.0"

_HOMES = {
    "Agreement": "komi.evaluation.losses",
    "Approximation": "komi.approximating.approximate",
    "BestResponse": "komi.evaluation.strength_evaluator",
    "Check": "komi.checking.check",
    "EndlessValues": "komi.proof.endless",
    "ExportResult": "komi.exporting.export",
    "Fair": "komi.design.fair",
    "SinglePlayerEvaluation": "komi.evaluation.single_player",
    "Game": "komi.rules.game",
    "HiddenSolution": "komi.solvers.hidden.hidden_solver",
    "Learned": "komi.learning.learn",
    "LearnedChances": "komi.design.learned_chances",
    "LearningSettings": "komi.learning.learn",
    "TeachingResult": "komi.teaching.teach",
    "Match": "komi.evaluation.match_result",
    "Measures": "komi.measures.measure",
    "PolicyTable": "komi.tables.policy_table",
    "Proof": "komi.proof.prove",
    "Regret": "komi.evaluation.strength_evaluator",
    "RuleSearch": "komi.design.find_rules",
    "ScoreDistribution": "komi.evaluation.scores",
    "MultiplayerMatch": "komi.evaluation.multiplayer",
    "MultiplayerSolution": "komi.solvers.multiplayer.nash_solver",
    "SimulatedTeachingResult": "komi.teaching.simulated.teach_by_simulation",
    "Simulation": "komi.simulation.result",
    "SimultaneousSolution": "komi.solvers.simultaneous.mixed_solver",
    "SinglePlayerSolution": "komi.solvers.stochastic.stochastic_solver",
    "Solution": "komi.solvers.solution",
    "StochasticSolution": "komi.solvers.stochastic.stochastic_solver",
    "Spread": "komi.design.spread_total",
    "Sweep": "komi.design.sweep",
    "Tablebase": "komi.solvers.tablebase.tablebase",
    "Verification": "komi.proof.verification",
    "approximate": "komi.approximating.approximate",
    "best_response": "komi.evaluation.regret",
    "check": "komi.checking.check",
    "compare": "komi.evaluation.compare",
    "endless_values": "komi.proof.endless",
    "export": "komi.exporting.export",
    "export_model": "komi.exporting.export_model",
    "fair": "komi.design.fair",
    "find": "komi.rules.catalog",
    "find_rules": "komi.design.find_rules",
    "learn": "komi.learning.learn",
    "learn_chances": "komi.design.learned_chances",
    "match": "komi.evaluation.match",
    "measure": "komi.measures.measure",
    "plot": "komi.plotting.plot",
    "prove": "komi.proof.prove",
    "regret": "komi.evaluation.regret",
    "report": "komi.reporting.game_report",
    "scores": "komi.evaluation.scores",
    "simulate": "komi.simulation.simulation",
    "solve": "komi.solvers.solve",
    "spread_total": "komi.design.spread_total",
    "sweep": "komi.design.sweep",
    "table": "komi.tables.policy_table",
    "teach": "komi.teaching.teach",
    "teach_by_simulation": "komi.teaching.simulated.teach_by_simulation",
    "verify": "komi.proof.verification",
}


def __getattr__(name: str) -> object:
    """Import a public name on first use: `komi games` must not wait for the import of the compiler."""
    if name not in _HOMES:
        raise AttributeError(f"module 'komi' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
