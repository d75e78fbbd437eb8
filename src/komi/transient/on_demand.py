"""Rolls of stored states that are too many to store their roll graphs: each is enumerated when it is needed."""

from collections.abc import Callable
from typing import Any

from komi.arrays import I64
from komi.graph.lookup import GrowingIndex, prefetch_state, state_at
from komi.graph.reachability_kernel import DONE, NO_ROOM, PAUSED
from komi.rules.compiled import CompiledGame
from komi.rules.interface import state_from
from komi.rules.packing import Layout
from komi.transient.enumerator import STORED, RulesContext, enumerate_roll
from komi.transient.programs import ProgramBuffers
from komi.transient.roll_reachability import push_successor

FIRST_NODES = 64  # of one roll, a power of two; capacities double when they are too small
FIRST_CODE = 1 << 20  # words of a segment's programs
FIRST_CONSTANTS = 256  # a power of two


class OnDemandRolls:
    """Buffers to enumerate the rolls of a game's stored states, for each of several threads.

    Args:
        compiled, rules: the game.
        threads: the number of threads.

    Attributes:
        seats: the number of seats.
        threads: the number of threads.
        buffers: the buffers of each thread.
    """

    def __init__(self, compiled: CompiledGame, rules: Any, threads: int) -> None:
        self.seats, self.threads = compiled.game.players(rules), threads
        self._fields = len(compiled.game.module.State._fields)
        self._survey = compiled.kernels[visit_rolls_on_demand]
        self._factors = [1] * threads
        self.buffers = [self._allocate(1) for _ in range(threads)]

    @property
    def max_size(self) -> int:
        """An upper bound on the nodes of a roll and on the actions of a state."""
        return max(len(buffers.roll.action) for buffers in self.buffers)

    def make_room(self, thread: int) -> None:
        """Double the capacity of a thread's buffers."""
        self._factors[thread] *= 2
        self.buffers[thread] = self._allocate(self._factors[thread])

    def _allocate(self, factor: int) -> ProgramBuffers:
        return ProgramBuffers.empty(factor * FIRST_NODES, factor * FIRST_CODE, factor * FIRST_CONSTANTS, self._fields)

    def visitor(self, thread: int) -> "Visitor":
        """Return the object with which a thread visits states."""
        return Visitor(self, thread, self._survey)

    def check_size(self, rules: Any, layout: Layout) -> None:
        """Accept any number of states: the only limits are those of all sets of states."""


class Visitor:
    """The kernel and the buffers with which one thread visits states."""

    def __init__(self, rolls: OnDemandRolls, thread: int, kernel: Callable[..., Any]) -> None:
        self._rolls, self._thread, self.kernel = rolls, thread, kernel
        self.seats = rolls.seats

    def survey_arrays(self, layout: Layout) -> tuple[Any, ...]:  # noqa: ARG002  does not depend on the layout
        """Return the additional arguments of `visit_rolls_on_demand`."""
        return (self._rolls.buffers[self._thread],)

    def make_room(self) -> None:
        """Double the capacity of the thread's buffers."""
        self._rolls.make_room(self._thread)


def visit_rolls_on_demand(
    rules: Any,
    seats: int,
    action_limit: int,
    found: GrowingIndex,
    stack: I64,
    height: int,
    budget: int,
    totals: I64,
    witness: I64,
    buffers: ProgramBuffers,
) -> Any:
    """Visit stored states, as `reachability_kernel.survey` visits all states.

    Args:
        rules, found, stack, height, budget, totals, witness: see `reachability_kernel.survey`.
        seats, action_limit: the fields of a `RulesContext`.
        buffers: for one state's roll.

    Returns:
        as `reachability_kernel.survey`; NO_ROOM if the buffers are too small.
    """
    context = RulesContext(rules, seats, action_limit)
    roll, outcomes = buffers.roll, buffers.roll.outcomes
    for _ in range(budget):
        if height == 0:
            return DONE, height
        height -= 1
        handle = stack[height]
        status = enumerate_roll(context, state_at(found, handle), buffers.inside, roll, witness)
        if status != DONE:
            if status == NO_ROOM:
                stack[height] = handle
                height += 1
            return status, height
        actions = roll.node_actions[roll.counts[0] - 1]
        count = roll.action_outcomes[actions - 1]
        for outcome in range(count):
            if outcomes.target[outcome] == STORED:
                prefetch_state(found, state_from(outcomes.fields, outcome))
        for outcome in range(count):
            if outcomes.target[outcome] == STORED:
                after = state_from(outcomes.fields, outcome)
                status, height = push_successor(rules, found, stack, height, handle, after, witness)
                if status != DONE:
                    return status, height
        totals[0] += 1
        totals[1] += actions
        totals[2] += count
        totals[3] = max(totals[3], roll.counts[1])
        totals[4] = max(totals[4], roll.counts[2])
        totals[5] = max(totals[5], outcomes.deficit[0])
    return PAUSED, height
