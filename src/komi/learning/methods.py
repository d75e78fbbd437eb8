"""The methods of `komi learn`, by name."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from komi.arrays import F64
from komi.jit.kernels import engine_kernels
from komi.learning import planning
from komi.learning.planning import GameModel, Predecessors, PriorityQueue
from komi.learning.samples import DOUBLE, EXPECTED, MAXIMUM, SARSA, STATES

EVALUATION = 0.1  # sweeps evaluate a policy until the largest change is this multiple of the tolerance
FIRST_TOLERANCE = 0.1  # of the evaluation of the first policy; each later one is evaluated this much more closely

Plan = Callable[[GameModel, F64, Callable[[], bool], float], Iterator[int]]
"""A method that plans, as a function of the model, the values (modified in place), a test for convergence, and the
tolerance. After each round it yields the number of backups."""


@dataclass(frozen=True)
class Method:
    """A method of learning.

    Attributes:
        name: its name.
        summary: what it does.
        plan: the method, if it plans with a model; None if it learns from samples.
        estimate: its estimate for the next state; see `samples`.
        trace_decay: lambda.
        has_traces: whether lambda can be chosen.
        first_visits: whether only the first occurrence in a game counts.
    """

    name: str
    summary: str
    plan: Plan | None = None
    estimate: int = STATES
    trace_decay: float = 0.0
    has_traces: bool = False
    first_visits: bool = False


def value_iteration(
    model: GameModel,
    values: F64,
    is_converged: Callable[[], bool],
    tolerance: float,  # noqa: ARG001
) -> Iterator[int]:
    """Back up all states with the values of the sweep before (Jacobi; Puterman, section 6.3)."""
    while not is_converged():
        engine_kernels()[planning.sweep](model, values.copy(), values, False)
        yield len(values)


def gauss_seidel(
    model: GameModel,
    values: F64,
    is_converged: Callable[[], bool],
    tolerance: float,  # noqa: ARG001
) -> Iterator[int]:
    """Back up all states in place (Puterman, section 6.3.3)."""
    while not is_converged():
        engine_kernels()[planning.sweep](model, values, values, False)
        yield len(values)


def naive_value_iteration(
    model: GameModel,
    values: F64,
    is_converged: Callable[[], bool],  # noqa: ARG001
    tolerance: float,
) -> Iterator[int]:
    """Back up all states in place, the first one first, from 0, until no value changes by more than the tolerance.

    So do Neller and Presser, "Optimal Play of the Dice Game Pig", figure 2. A small change does not bound the error.
    """
    values[:] = 0.0
    change = np.inf
    while change >= tolerance:
        change = engine_kernels()[planning.sweep](model, values, values, True)
        yield len(values)


def policy_iteration(
    model: GameModel, values: F64, is_converged: Callable[[], bool], tolerance: float
) -> Iterator[int]:
    """Evaluate the policy by sweeps, then improve it in all states (Puterman, section 6.5: modified policy iteration).

    In a two-player game both players improve at once.
    """
    kernels = engine_kernels()
    entries = np.concatenate(([0], model.ends[:-1])).astype(np.int64)
    closeness = FIRST_TOLERANCE
    while not is_converged():
        change = np.inf
        while change > closeness:
            change = kernels[planning.evaluate](model, entries, values)
            yield len(values)
        if kernels[planning.improve](model, values, entries) == 0 or closeness > EVALUATION * tolerance:
            closeness *= FIRST_TOLERANCE


def prioritized_sweeping(
    model: GameModel,
    values: F64,
    is_converged: Callable[[], bool],
    tolerance: float,  # noqa: ARG001
) -> Iterator[int]:
    """Back up first the states whose values will change most (Moore and Atkeson 1993)."""
    kernels, predecessors = engine_kernels(), Predecessors.of(model)
    queue = PriorityQueue.empty(len(values))
    kernels[planning.fill_queue](model, values, queue)
    yield len(values)
    while queue.size[0] and not is_converged():
        kernels[planning.sweep_by_priority](model, predecessors, values, queue, len(values))
        yield len(values)


METHODS = {
    method.name: method
    for method in (
        Method("value-iteration", "value iteration, all states at once (Jacobi)", value_iteration),
        Method("gauss-seidel", "value iteration in place", gauss_seidel),
        Method("naive", "value iteration until no value changes much, as in the papers", naive_value_iteration),
        Method("prioritized-sweeping", "value iteration where values change most", prioritized_sweeping),
        Method("policy-iteration", "evaluation and improvement of a policy in turn", policy_iteration),
        Method("monte-carlo", "the mean outcome of games", estimate=SARSA, trace_decay=1.0, first_visits=True),
        Method("td", "temporal differences: the value of the next state, TD(0)"),
        Method("td-lambda", "temporal differences over several steps, TD(lambda)", trace_decay=0.7, has_traces=True),
        Method("sarsa", "the value of the next action", estimate=SARSA, has_traces=True),
        Method("expected-sarsa", "the mean value of the next action", estimate=EXPECTED),
        Method("q-learning", "the value of the best next action", estimate=MAXIMUM),
        Method("double-q-learning", "the same, with two tables that check each other", estimate=DOUBLE),
    )
}
"""All methods, by name: first those that plan with a model, then those that learn from samples."""
