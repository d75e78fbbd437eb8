"""Values of transient states: the roll of each is enumerated and backed up from the stored states that it leads to."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from komi.arrays import F64, I64, Flags, read_only
from komi.compiling.compiled import CompiledGame
from komi.errors import GameError
from komi.graph.lookup import StateIndex, index_of, is_member, locate
from komi.graph.reachability_kernel import ExplorationStatus
from komi.graph.state_sets import StateSet
from komi.graph.transitions import begin, to_mover
from komi.rules.interface import state_from
from komi.transient.enumerator import STORED, Roll, RulesContext, enumerate_roll
from komi.typing import Rules, State

FIRST_CAPACITY = 256  # nodes, a power of two
MAX_CACHED = 1_000_000  # the most states whose values are cached, which take some 200 MB


class TransientValue(NamedTuple):
    """The value and an optimal action of a transient state.

    Attributes:
        value: its value to the player to move.
        choice: an optimal action.
        missing: stored states that its roll leads to and whose values are unknown; the other attributes are valid only
            if there are none.
    """

    value: float
    choice: int
    missing: Sequence[Any]


class ValueBuffers(NamedTuple):
    """Buffers for the values inside one roll."""

    inside: Flags  # [fields] all True: a roll ends only in a stored state, or with the game
    roll: Roll
    node_value: F64  # [nodes]
    missing: I64  # [outcomes] those that lead to stored states that are not in the set
    witness: I64  # [fields + 1]

    @classmethod
    def empty(cls, capacity: int, fields: int) -> "ValueBuffers":
        """Allocate buffers for rolls of `capacity` nodes, a power of two."""
        roll = Roll.empty(capacity, fields)
        missing = np.empty(len(roll.outcomes.gain), np.int64)
        return cls(np.ones(fields, np.bool_), roll, np.empty(capacity), missing, np.zeros(fields + 1, np.int64))


class TransientEvaluator:
    """An evaluator of single transient states.

    Args:
        compiled, rules: the game.
        is_zero_sum, sign: as in `equations.Objective`.

    Attributes:
        cache: the values of transient states inside the rolls that were enumerated.
    """

    def __init__(self, compiled: CompiledGame, rules: Rules, is_zero_sum: bool, sign: float) -> None:
        self._compiled, self._rules = compiled, rules
        self._objective = (is_zero_sum, sign)
        self._capacity = FIRST_CAPACITY
        self._allocate()
        self.cache: dict[Any, float] = {}

    def evaluate(self, states: StateSet, values: NDArray[np.float64], state: State) -> TransientValue:
        """Enumerate the roll from a transient state on, and back it up.

        Args:
            states, values: of the stored states.
            state: the transient state.

        Raises:
            GameError: if the rules are broken there.
        """
        game = self._compiled.game
        while True:
            count, value, choice = self._compiled.kernels[back_up_roll](
                self._rules,
                game.players(self._rules),
                game.action_limit,
                state,
                states.in_memory(),
                read_only(values),
                self._objective,
                self._buffers,
            )
            if count == 0:
                self._cache_values()
            if count >= 0:
                missing = self._buffers.roll.outcomes.fields[self._buffers.missing[:count]].tolist()
                return TransientValue(float(value), int(choice), [game.module.State(*fields) for fields in missing])
            if count != -1 - ExplorationStatus.NO_ROOM:
                written = game.write(self._rules, state)
                raise GameError(f"{game.file.name}: the rules are broken inside the roll of {written}.", written)
            self._capacity *= 2
            self._allocate()

    def _allocate(self) -> None:
        self._buffers = ValueBuffers.empty(self._capacity, len(self._compiled.game.module.State._fields))

    def _cache_values(self) -> None:
        """Cache the values of all states inside the roll."""
        if len(self.cache) > MAX_CACHED:
            self.cache.clear()
        nodes = slice(self._buffers.roll.counts[0])
        values = (self._objective[1] * self._buffers.node_value[nodes]).tolist()
        for fields, value in zip(self._buffers.roll.fields[nodes].tolist(), values, strict=True):
            self.cache[self._compiled.game.module.State(*fields)] = value


def back_up_roll(
    rules: Rules,
    seats: int,
    action_limit: int,
    state: State,
    states: StateIndex,
    values: F64,
    objective: tuple[bool, float],
    buffers: ValueBuffers,
) -> Any:
    """Enumerate the roll of a state and back it up.

    Args:
        rules, seats, action_limit: the fields of a `RulesContext`.
        state: the state at which the roll begins.
        states: the stored states.
        values: [stored states].
        objective: is_zero_sum and sign of the `equations.Objective`.
        buffers: filled in: the values of all nodes, or the outcomes whose stored states are missing.

    Returns:
        (the number of missing stored states, or -1 minus an error code; its value; an optimal action)
    """
    roll, node_value = buffers.roll, buffers.node_value
    outcomes, (is_zero_sum, sign) = roll.outcomes, objective
    context = RulesContext(rules, seats, action_limit)
    status = enumerate_roll(context, state, buffers.inside, roll, buffers.witness)
    if status != ExplorationStatus.DONE:
        return -1 - status, 0.0, 0
    missing = 0
    for outcome in range(roll.action_outcomes[roll.node_actions[roll.counts[0] - 1] - 1]):
        if outcomes.target[outcome] == STORED:
            handle = locate(states, state_from(outcomes.fields, outcome))
            if not is_member(states, handle):
                buffers.missing[missing] = outcome
                missing += 1
    if missing:
        return missing, 0.0, 0
    choice: Any = np.int64(0)
    for i in range(roll.counts[0]):
        node = roll.order.order[i]
        first = begin(roll.node_actions, node)
        outcome = begin(roll.action_outcomes, first)
        best = -np.inf
        for action in range(first, roll.node_actions[node]):
            total = 0.0
            while outcome < roll.action_outcomes[action]:
                target = outcomes.target[outcome]
                value = 0.0
                if target >= 0:
                    value = node_value[target]
                elif target == STORED:
                    handle = locate(states, state_from(outcomes.fields, outcome))
                    value = sign * values[index_of(states, handle)]
                if is_zero_sum and (target >= 0 or target == STORED):
                    value = to_mover(value, outcomes.passes[outcome])
                total += outcomes.probability[outcome] * (sign * outcomes.gain[outcome] + value)
                outcome += 1
            if total > best:
                best, choice = total, roll.action[action]
        node_value[node] = best
    return 0, sign * node_value[0], choice
