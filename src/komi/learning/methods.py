"""The methods of `komi learn`, by name."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from komi.arrays import F64
from komi.jit.kernels import engine_kernels
from komi.learning.planning import (
    GameModel,
    Predecessors,
    PriorityQueue,
    evaluate,
    fill_queue,
    improve,
    sweep,
    sweep_by_priority,
)
from komi.learning.samples import DOUBLE, EXPECTED, MAXIMUM, SARSA, STATES

EVALUATION = 0.1  # sweeps evaluate a policy until the largest change is this multiple of the tolerance
FIRST_TOLERANCE = 0.1  # of the evaluation of the first policy; each later one is evaluated this much more closely


@dataclass(frozen=True, eq=False)
class Planning:
    """The data of a method that plans.

    Attributes:
        model: the model.
        values: float64[states], modified in place.
        is_converged: returns whether no value has an error of more than the tolerance.
        tolerance: the tolerance.
    """

    model: GameModel
    values: F64
    is_converged: Callable[[], bool]
    tolerance: float


Plan = Callable[[Planning], Iterator[int]]
"""A method that plans: after each round it yields the number of backups."""


@dataclass(frozen=True)
class Method:
    """A method of learning.

    Attributes:
        name: its name.
        plan: the method, if it plans with a model; None if it learns from samples.
        estimate: its estimate for the next state; see `samples`.
        trace_decay: lambda.
        has_traces: whether lambda can be chosen.
        first_visits: whether only the first occurrence in a game counts.
    """

    name: str
    plan: Plan | None = None
    estimate: int = STATES
    trace_decay: float = 0.0
    has_traces: bool = False
    first_visits: bool = False


def value_iteration(planning: Planning) -> Iterator[int]:
    """Back up all states with the values of the sweep before (Jacobi; Puterman, section 6.3)."""
    while not planning.is_converged():
        engine_kernels()[sweep](planning.model, planning.values.copy(), planning.values, False)
        yield len(planning.values)


def gauss_seidel(planning: Planning) -> Iterator[int]:
    """Back up all states in place, the last one first (Puterman, section 6.3.3)."""
    while not planning.is_converged():
        engine_kernels()[sweep](planning.model, planning.values, planning.values, False)
        yield len(planning.values)


def naive_value_iteration(planning: Planning) -> Iterator[int]:
    """Back up all states in place, the first one first, from 0, until no value changes by more than the tolerance.

    A small change in the last sweep does not bound the error.
    """
    planning.values[:] = 0.0
    change = np.inf
    while change >= planning.tolerance:
        change = engine_kernels()[sweep](planning.model, planning.values, planning.values, True)
        yield len(planning.values)


def policy_iteration(planning: Planning) -> Iterator[int]:
    """Evaluate the policy by sweeps, then improve it in all states (Puterman, section 6.5: modified policy iteration).

    In a two-player game both players improve at once.
    """
    kernels, model, values = engine_kernels(), planning.model, planning.values
    entries = np.concatenate(([0], model.ends[:-1])).astype(np.int64)
    closeness = FIRST_TOLERANCE
    while not planning.is_converged():
        change = np.inf
        while change > closeness:
            change = kernels[evaluate](model, entries, values)
            yield len(values)
        if kernels[improve](model, values, entries) == 0 or closeness > EVALUATION * planning.tolerance:
            closeness *= FIRST_TOLERANCE


def prioritized_sweeping(planning: Planning) -> Iterator[int]:
    """Back up first the states whose values will change most (Moore and Atkeson 1993)."""
    kernels, model, values = engine_kernels(), planning.model, planning.values
    predecessors, queue = Predecessors.of(model), PriorityQueue.empty(len(values))
    kernels[fill_queue](model, values, queue)
    yield len(values)
    while queue.size[0] and not planning.is_converged():
        kernels[sweep_by_priority](model, predecessors, values, queue, len(values))
        yield len(values)


METHODS = {
    method.name: method
    for method in (
        Method("value-iteration", value_iteration),
        Method("gauss-seidel", gauss_seidel),
        Method("naive", naive_value_iteration),
        Method("prioritized-sweeping", prioritized_sweeping),
        Method("policy-iteration", policy_iteration),
        Method("monte-carlo", estimate=SARSA, trace_decay=1.0, first_visits=True),
        Method("td"),
        Method("td-lambda", trace_decay=0.7, has_traces=True),
        Method("sarsa", estimate=SARSA, has_traces=True),
        Method("expected-sarsa", estimate=EXPECTED),
        Method("q-learning", estimate=MAXIMUM),
        Method("double-q-learning", estimate=DOUBLE),
    )
}
"""All methods, by name: first those that plan with a model, then those that learn from samples."""
