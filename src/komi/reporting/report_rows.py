"""The figures of optimal play in `komi report`, by the class of the solution."""

from collections.abc import Sequence
from functools import singledispatch
from typing import Any

from komi.presentation.formatting import format_percent, format_value, value_heading
from komi.rounding import format_bound
from komi.solvers.hidden.hidden_solver import HiddenSolution
from komi.solvers.multiplayer.nash_solver import MultiplayerSolution
from komi.solvers.simultaneous.mixed_solver import SimultaneousSolution
from komi.solvers.solution import Solution
from komi.solvers.stochastic.stochastic_solver import SinglePlayerSolution, StochasticSolution
from komi.solvers.tablebase.tablebase import Tablebase

Rows = Sequence[tuple[str, str]]


@singledispatch
def report_rows(solution: Solution[Any]) -> Rows:
    """List the figures of a solution as (label, exact number)."""
    raise TypeError(f"no report rows for {type(solution).__name__}")


@report_rows.register(StochasticSolution)
@report_rows.register(SimultaneousSolution)
@report_rows.register(HiddenSolution)
def _(solution: Solution[Any]) -> Rows:
    return [
        (value_heading(solution.kind, "first player"), format_value(solution.kind, solution.value())),
        _bound_row(solution, f"no {'probability' if solution.kind.is_chance else 'value'} is off by more than"),
        _reachable_states(solution),
    ]


@report_rows.register
def _(solution: SinglePlayerSolution) -> Rows:
    return [
        (solution.objective, format_value(solution.kind, solution.value())),
        _bound_row(solution, f"largest error of the {solution.objective}"),
        _reachable_states(solution),
    ]


@report_rows.register
def _(solution: MultiplayerSolution) -> Rows:
    return [
        *((f"seat {seat} wins", format_percent(value)) for seat, value in enumerate(solution.seat_values(), 1)),
        ("proved: no seat can gain by deviating more than", format_bound(solution.epsilon[0])),
        ("states in which the policy mixes actions", f"{len(solution.data.mixed):,}"),
        _reachable_states(solution),
    ]


@report_rows.register
def _(solution: Tablebase) -> Rows:
    value, counts = solution.position_value(), solution.counts
    result = "a draw" if value.plies is None else f"the first player's {value.value}, after {value.plies} moves"
    return [
        ("with perfect play", result),
        ("reachable positions", f"{solution.states:,}"),
        ("won, lost and drawn for the mover", f"{counts.win:,}, {counts.loss:,} and {counts.draw:,}"),
    ]


def _bound_row(solution: Solution[Any], claim: str) -> tuple[str, str]:
    """Return a claim and the bound; a sentence beside the figures names the hints that an unproved one rests on."""
    return f"{'proved' if solution.is_proved else 'not proved'}: {claim}", format_bound(solution.error_bound)


def _reachable_states(solution: Solution[Any]) -> tuple[str, str]:
    return "reachable states", f"{solution.states:,}"
