"""The JSON output of `komi solve` and `komi value`, by the class of the solution."""

from dataclasses import asdict
from functools import singledispatch
from typing import Any

from komi.presentation.solution_text import check_not_over
from komi.solvers.hidden.hidden_solver import HiddenSolution
from komi.solvers.multiplayer.nash_solver import MultiplayerSolution
from komi.solvers.simultaneous.mixed_solver import SimultaneousSolution
from komi.solvers.solution import Solution
from komi.solvers.stochastic.stochastic_solver import SinglePlayerSolution, StochasticSolution
from komi.solvers.tablebase.tablebase import Tablebase
from komi.typing import State

Json = dict[str, Any]


def solution_json(solution: Solution[Any]) -> Json:
    """Return the JSON object of a solution, as `komi solve --json` prints it."""
    return {
        "game": solution.game.name,
        "rules": solution.rules._asdict(),
        "states": solution.states,
        **game_json(solution),
        **_hints_json(solution),
        "audited": solution.is_audited,
        "seconds": asdict(solution.seconds),
    }


def state_json(solution: Solution[Any], state: State) -> Json:
    """Return the JSON object of a state, as `komi value --json` prints it.

    Raises:
        InputError: if the game is over in the state, and its solution is a tablebase.
    """
    return {
        "game": solution.game.name,
        "rules": solution.rules._asdict(),
        "state": solution.game.shown(solution.rules, state),
        **values_json(solution, state),
        **_hints_json(solution),
    }


def _hints_json(solution: Solution[Any]) -> Json:
    return {"proved": solution.is_proved, "relies_on": solution.verified_hints and asdict(solution.verified_hints)}


@singledispatch
def game_json(solution: Solution[Any]) -> Json:
    """Return the value of the game, in the fields of its class of games."""
    raise TypeError(f"no JSON for {type(solution).__name__}")


@singledispatch
def values_json(solution: Solution[Any], state: State) -> Json:  # noqa: ARG001
    """Return the values of a state and its actions, in the fields of the class of games."""
    raise TypeError(f"no JSON for {type(solution).__name__}")


@game_json.register(StochasticSolution)
@game_json.register(SimultaneousSolution)
def _(solution: Solution[Any]) -> Json:
    return {**_objective_json(solution), "value": solution.value(), "error_bound": solution.error_bound}


@game_json.register
def _(solution: HiddenSolution) -> Json:
    return {
        **_objective_json(solution),
        "value": solution.value(),
        "error_bound": solution.error_bound,
        "bounds": list(solution.bounds),
        "exploitability": solution.exploitability,
        "information_sets": solution.information_sets,
    }


@game_json.register
def _(solution: SinglePlayerSolution) -> Json:
    return {"objective": solution.objective, "value": solution.value(), "error_bound": solution.error_bound}


@game_json.register
def _(solution: MultiplayerSolution) -> Json:
    return {
        "value": solution.value(),
        "values": list(solution.seat_values()),
        "error_bound": solution.error_bound,
        "epsilon": list(solution.epsilon),
        "unique": solution.unique,
        "others": solution.others,
        "mixed_states": len(solution.data.mixed),
    }


@game_json.register
def _(solution: Tablebase) -> Json:
    """Return value and plies, counts of positions, first moves and a principal variation.

    Plies count every action, a first move itself included.
    """
    return {
        **asdict(solution.position_value()),
        **_payoff_json(solution, None),
        "error_bound": 0.0,
        "counts": solution.counts._asdict(),
        "first_moves": {label: asdict(value) for label, value in solution.actions().items()},
        "line": solution.line(),
    }


@values_json.register
def _(solution: StochasticSolution, state: State) -> Json:
    return {
        **_objective_json(solution),
        "value": solution.value(state),
        "error_bound": solution.error_bound,
        **_actions_json(solution, state),
    }


@values_json.register
def _(solution: SinglePlayerSolution, state: State) -> Json:
    return {
        "objective": solution.objective,
        "value": solution.value(state),
        "error_bound": solution.error_bound,
        **_actions_json(solution, state),
    }


@values_json.register
def _(solution: SimultaneousSolution, state: State) -> Json:
    return _mixed_json(solution, state)


def _mixed_json(solution: SimultaneousSolution | HiddenSolution, state: State) -> Json:
    return {
        **_objective_json(solution),
        "value": solution.value(state),
        "error_bound": solution.error_bound,
        "mixed": solution.mixed(state),
        "actions": solution.actions(state),
        "best": solution.best(state),
    }


@values_json.register
def _(solution: HiddenSolution, state: State) -> Json:
    return {
        **_mixed_json(solution, state),
        "exploitability": solution.exploitability,
    }


@values_json.register
def _(solution: MultiplayerSolution, state: State) -> Json:
    return {
        "value": solution.value(state),
        "values": list(solution.seat_values(state)),
        "error_bound": solution.error_bound,
        "epsilon": list(solution.epsilon),
        "mixed": solution.mixed(state),
        **_actions_json(solution, state),
    }


@values_json.register
def _(solution: Tablebase, state: State) -> Json:
    check_not_over(solution, state)
    actions = solution.actions(state)
    return {
        "notation": solution.game.write(solution.rules, state),
        **asdict(solution.position_value(state)),
        **_payoff_json(solution, state),
        "error_bound": 0.0,
        "actions": {label: asdict(value) for label, value in actions.items()},
        "best": next(iter(actions)),
    }


def _objective_json(solution: Solution[Any]) -> Json:
    """Return the name of the values of a game with a `payoff_range`; nothing for probabilities of winning."""
    return {} if solution.kind.is_chance else {"objective": solution.objective}


def _payoff_json(solution: Tablebase, state: State | None) -> Json:
    """Return the payoff of the mover in a game with a `payoff_range`; nothing in others."""
    return {} if solution.kind.is_chance else {**_objective_json(solution), "payoff": solution.expected_value(state)}


def _actions_json(solution: Solution[Any], state: State) -> Json:
    actions = solution.actions(state)
    return {"actions": actions, "best": next(iter(actions), None)}
