"""Rolls of stored states that are too many to store their roll graphs: each is enumerated when it is needed."""

from typing import Any

from komi.arrays import I64
from komi.compiling.compiled import CompiledGame
from komi.compiling.packing import Layout
from komi.graph.growing_set import GrowingSet
from komi.graph.lookup import prefetch_state, state_at
from komi.graph.reachability_kernel import Exploration, ExplorationStatus, add_visit, push_successor
from komi.graph.sources import Explorer
from komi.rules.interface import state_from
from komi.transient.enumerator import STORED, RulesContext, enumerate_roll
from komi.transient.programs import ProgramBuffers
from komi.transient.violations import broken_roll
from komi.typing import Rules

FIRST_NODES = 64  # of one roll, a power of two; capacities double when they are too small
FIRST_CODE = 1 << 20  # words of a segment's programs
FIRST_CONSTANTS = 256  # a power of two


class OnDemandRolls:
    """Buffers to enumerate the rolls of a game's stored states, for each of several threads.

    It is a `graph.sources.ExplorationSource`: it gives the successors of states, but does not store their transitions.

    Args:
        compiled, rules: the game.
        threads: the number of threads.

    Attributes:
        seats: the number of seats.
        max_threads: the number of threads.
        buffers: the buffers of each thread.
    """

    memory = 0  # of the buffers for one roll, which are small

    def __init__(self, compiled: CompiledGame, rules: Rules, threads: int) -> None:
        self.compiled, self.rules, self.max_threads = compiled, rules, threads
        self.seats = compiled.game.players(rules)
        self._fields = len(compiled.game.module.State._fields)
        self._factors = [1] * threads
        self.buffers = [self._allocate(1) for _ in range(threads)]

    @property
    def max_size(self) -> int:
        """An upper bound on the nodes of a roll and on the actions of a state."""
        return max(len(buffers.roll.action) for buffers in self.buffers)

    def grow(self, thread: int) -> None:
        """Double the capacity of a thread's buffers."""
        self._factors[thread] *= 2
        self.buffers[thread] = self._allocate(self._factors[thread])

    def _allocate(self, factor: int) -> ProgramBuffers:
        return ProgramBuffers.empty(factor * FIRST_NODES, factor * FIRST_CODE, factor * FIRST_CONSTANTS, self._fields)

    def explorer(self, thread: int) -> Explorer:
        """Return the object with which a thread explores states."""
        return _RollExplorer(self, thread)

    def check_size(self, layout: Layout) -> None:
        """Accept any number of states: the only limits are those of all sets of states."""


class _RollExplorer:
    """Explores states for one thread, with its own buffers."""

    def __init__(self, rolls: OnDemandRolls, thread: int) -> None:
        self._rolls, self._thread = rolls, thread
        self._kernel = rolls.compiled.checked.kernels[explore_on_demand]
        self._limit = rolls.compiled.game.action_limit

    def explore(
        self, found: GrowingSet, stack: I64, height: int, budget: int, totals: I64, witness: I64
    ) -> tuple[int, int]:
        """Visit at most `budget` stored states, and push their successors; see `graph.sources.Explorer`."""
        rolls = self._rolls
        buffers = rolls.buffers[self._thread]
        status, height = self._kernel(
            rolls.rules,
            rolls.seats,
            self._limit,
            Exploration(found.index, stack, totals, witness),
            height,
            budget,
            buffers,
        )
        if status == ExplorationStatus.NO_ROOM:
            rolls.grow(self._thread)
            return ExplorationStatus.PAUSED, height
        if status == ExplorationStatus.ROUND:
            raise broken_roll(rolls.compiled, rolls.rules, status, witness)
        return status, height


def explore_on_demand(
    rules: Rules,
    seats: int,
    action_limit: int,
    exploration: Exploration,
    height: int,
    budget: int,
    buffers: ProgramBuffers,
) -> Any:
    """Visit stored states, as `exploration.explore` visits all states.

    Args:
        rules, exploration, height, budget: see `exploration.explore`.
        seats, action_limit: the fields of a `RulesContext`.
        buffers: for one state's roll.

    Returns:
        as `exploration.explore`; NO_ROOM if the buffers are too small.
    """
    found, stack, totals, witness = exploration
    context = RulesContext(rules, seats, action_limit)
    roll, outcomes = buffers.roll, buffers.roll.outcomes
    for _ in range(budget):
        if height == 0:
            return ExplorationStatus.DONE, height
        height -= 1
        handle = stack[height]
        status = enumerate_roll(context, state_at(found, handle), buffers.inside, roll, witness)
        if status != ExplorationStatus.DONE:
            if status == ExplorationStatus.NO_ROOM:
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
                if status != ExplorationStatus.DONE:
                    return status, height
        add_visit(totals, actions, count, roll.counts[1], roll.counts[2], outcomes.deficit[0])
    return ExplorationStatus.PAUSED, height
