"""Bellman equations of a component: fixed points, policy iteration, certificates and expected lengths.

Other packages import from here alone. `solve_components` of `komi.graph.components` passes the components of a game to
a `ValueBackup`, which writes the equations of each (`write_equations`), sweeps them to a fixed point
(`solve_fixed_point`), and proves the values (`certify`). Solvers of other equations replace `sweep`, `sweep_bounds` and
`largest_magnitude` by specialization.
"""

from komi.bellman.anderson import Acceleration
from komi.bellman.backup import ComponentBackup, ValueBackup, compile_ahead, component_at
from komi.bellman.batch import RoleValues
from komi.bellman.certificate import (
    Bounds,
    Scale,
    add_action,
    add_outcome,
    certify,
    is_finite,
    largest_or_inf,
    limit_bounds,
)
from komi.bellman.component_solver import LOOSE, MAX_LENGTH, ComponentStatus, solve_lengths, solve_values
from komi.bellman.equations import (
    ACTIONS,
    CHANCE_MOVES,
    MEASURES,
    TURNS,
    VALUE,
    WIN_PROBABILITY,
    ActionCode,
    Boundary,
    Component,
    Equations,
    Objective,
    Workspace,
    all_free,
    equations_of,
    role_after,
    write_equations,
)
from komi.bellman.feedback_order import order_equations
from komi.bellman.fixed_point import SWEEPS, solve_fixed_point
from komi.bellman.graph_builder import StoredValues
from komi.bellman.length_range import length_ranges
from komi.bellman.policy_equations import PolicyEquations
from komi.bellman.policy_iteration import iterate_policies
from komi.bellman.rational import error_bound, least_response
from komi.bellman.rational_graph import NO_PLAYER, Action, Graph
from komi.bellman.refusals import RationalSolver
from komi.bellman.rounding import ProbabilityError, roll_rounding_slack, round_up, rounding_error, rounding_slack

__all__ = [
    "ACTIONS",
    "CHANCE_MOVES",
    "LOOSE",
    "MAX_LENGTH",
    "MEASURES",
    "NO_PLAYER",
    "SWEEPS",
    "TURNS",
    "VALUE",
    "WIN_PROBABILITY",
    "Acceleration",
    "Action",
    "ActionCode",
    "Boundary",
    "Bounds",
    "Component",
    "ComponentBackup",
    "ComponentStatus",
    "Equations",
    "Graph",
    "Objective",
    "PolicyEquations",
    "ProbabilityError",
    "RationalSolver",
    "RoleValues",
    "Scale",
    "StoredValues",
    "ValueBackup",
    "Workspace",
    "add_action",
    "add_outcome",
    "all_free",
    "certify",
    "compile_ahead",
    "component_at",
    "equations_of",
    "error_bound",
    "is_finite",
    "iterate_policies",
    "largest_or_inf",
    "least_response",
    "length_ranges",
    "limit_bounds",
    "order_equations",
    "role_after",
    "roll_rounding_slack",
    "round_up",
    "rounding_error",
    "rounding_slack",
    "solve_fixed_point",
    "solve_lengths",
    "solve_values",
    "write_equations",
]
