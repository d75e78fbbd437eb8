"""The public names of komi: each is imported on first use."""

from .approximating.approximate import Approximation as Approximation, approximate as approximate
from .checking.check import Check as Check, check as check
from .design.fair import Fair as Fair, fair as fair
from .design.find_rules import RuleSearch as RuleSearch, find_rules as find_rules
from .design.learned_chances import LearnedChances as LearnedChances, learn_chances as learn_chances
from .design.simulated_rule_sets import SimulatedRuleSets as SimulatedRuleSets
from .design.simulated_rule_sets import simulate_rule_sets as simulate_rule_sets
from .design.spread_total import Spread as Spread, spread_total as spread_total
from .design.sweep import Sweep as Sweep, sweep as sweep
from .errors import (
    AuditError as AuditError,
    GameError as GameError,
    InputError as InputError,
    KomiError as KomiError,
    SolveError as SolveError,
    StorageError as StorageError,
)
from .evaluation.compare import compare as compare
from .evaluation.losses import Agreement as Agreement
from .evaluation.match import match as match
from .evaluation.match_result import Match as Match
from .evaluation.multiplayer import MultiplayerMatch as MultiplayerMatch
from .evaluation.regret import best_response as best_response, regret as regret
from .evaluation.scores import ScoreDistribution as ScoreDistribution, scores as scores
from .evaluation.average import AverageEvaluation as AverageEvaluation
from .evaluation.average import AverageMatch as AverageMatch
from .evaluation.single_player import SinglePlayerEvaluation as SinglePlayerEvaluation
from .evaluation.strength_evaluator import BestResponse as BestResponse, Regret as Regret
from .exporting.export import ExportResult as ExportResult, export as export
from .exporting.export_model import export_model as export_model
from .learning.learn import Learned as Learned, LearningSettings as LearningSettings, learn as learn
from .measures.measure import Measures as Measures, measure as measure
from .plotting.plot import plot as plot
from .proof.endless import EndlessValues as EndlessValues, endless_values as endless_values
from .proof.prove import Proof as Proof, prove as prove
from .proof.verification import Verification as Verification, verify as verify
from .reporting.game_report import report as report
from .rules.catalog import find as find
from .rules.game import Game as Game
from .simulation.result import Simulation as Simulation
from .simulation.simulation import simulate as simulate
from .solvers.hidden.belief_solver import PartiallyObservableSolution as PartiallyObservableSolution
from .solvers.hidden.hidden_solver import HiddenMultiplayerSolution as HiddenMultiplayerSolution
from .solvers.hidden.hidden_solver import HiddenSolution as HiddenSolution
from .solvers.hidden.point_based_solver import PointBasedSolution as PointBasedSolution
from .solvers.multiplayer.nash_solver import MultiplayerSolution as MultiplayerSolution
from .solvers.simultaneous.mixed_solver import SimultaneousSolution as SimultaneousSolution
from .solvers.solution import Solution as Solution
from .solvers.solve import solve as solve
from .solvers.stochastic.stochastic_solver import (
    SinglePlayerSolution as SinglePlayerSolution,
    StochasticSolution as StochasticSolution,
)
from .solvers.average.average_solver import AverageSolution as AverageSolution
from .solvers.tablebase.tablebase import Tablebase as Tablebase
from .tables.policy_table import PolicyTable as PolicyTable, table as table
from .teaching.simulated.teach_by_simulation import (
    SimulatedTeachingResult as SimulatedTeachingResult,
    teach_by_simulation as teach_by_simulation,
)
from .teaching.teach import TeachingResult as TeachingResult, teach as teach

__version__: str
