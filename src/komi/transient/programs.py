"""The encoder of rolls as serialized programs: the input of a stored state's backup in reading order.

A program takes a few bytes per outcome. It is a list of 32-bit words:

    the number of nodes; then for each node, children first and the stored state last,
        the number of its actions with one certain outcome << 16 | CHANCE_NODE if chance moves | the number of others
        a term for each of the first
        for each of the others the number of its terms, and for each term the index of its weight, and the term
    and then the numbers of the stored state's actions plus 1, in the same order.

A term refers to a value: its index << 3 | its kind << 1 | whether it is the other seat's. Its kind is STORED_TERM (a
stored state, by its position in the solving order), NODE_TERM (a node of the same roll) or CONSTANT_TERM (of a table;
rewards and payoffs).
"""

from typing import Any, NamedTuple, Self

import numpy as np

from komi.arrays import F64, I32, I64, U32, Flags, check_indices
from komi.game import CHANCE
from komi.graph.lookup import StateIndex, index_of, locate, prefetch_state, state_at
from komi.graph.reachability_kernel import ExplorationStatus
from komi.graph.transitions import begin
from komi.jit.intrinsics import hash_key, prefetch
from komi.rules.interface import record_witness, state_from
from komi.transient.enumerator import ENDED, STORED, Roll, RulesContext, enumerate_roll
from komi.typing import Rules

STORED_TERM, NODE_TERM, CONSTANT_TERM = range(3)
MAX_POSITIONS = 1 << 29  # a term is one word
CHANCE_NODE = 1 << 15  # a bit above all counts
OTHERS = CHANCE_NODE - 1
"""The mask of the number of others."""


class ProgramSegment(NamedTuple):
    """The programs of some states that are consecutive in the solving order."""

    first: int  # the position of the first
    states: int
    code: U32
    constants: F64  # [a power of two] weights, rewards and payoffs; a hash table, NaN in empty slots


class ProgramBuffers(NamedTuple):
    """Buffers for one thread that enumerates rolls and writes their programs."""

    inside: Flags  # [fields] all True: a roll ends only in a stored state, or with the game
    roll: Roll
    successor: I64  # [outcomes] the index of the stored state that it leads to
    code: U32
    constants: F64
    witness: I64  # [fields + 1]

    @classmethod
    def empty(cls, nodes: int, code: int, constants: int, fields: int) -> Self:
        """Allocate buffers for rolls of `nodes` nodes, a power of two, and for code and constants.

        Raises:
            SolveError: if a term cannot refer to all nodes and constants.
        """
        check_indices(max(nodes, constants), "states or numbers in one roll", MAX_POSITIONS)
        roll = Roll.empty(nodes, fields)
        return cls(
            np.ones(fields, np.bool_),
            roll,
            np.empty(len(roll.outcomes.gain), np.int64),
            np.empty(code, np.uint32),
            np.empty(constants),
            np.zeros(fields + 1, np.int64),
        )


def write_programs(
    rules: Rules,
    seats: int,
    action_limit: int,
    states: StateIndex,
    handles: I64,
    stage: tuple[I32, int],
    sign: float,
    buffers: ProgramBuffers,
) -> Any:
    """Write the programs of states.

    Args:
        rules, seats, action_limit: the fields of a `RulesContext`.
        states: all stored states.
        handles: of the states to write.
        stage: (the position of each stored state in the solving order, the position below which none may lead).
        sign: the factor of rewards and payoffs.
        buffers: filled in; constants all NaN.

    Returns:
        (DONE; NO_ROOM, if one of the buffers is too small; BACKWARD; or the violation, as a reachability analysis
        reports it; the number of words; the number of transient states)
    """
    context = RulesContext(rules, seats, action_limit)
    roll, outcomes = buffers.roll, buffers.roll.outcomes
    position, _ = stage
    height: Any = np.int64(0)
    transient_states = 0
    for handle in handles:
        state = state_at(states, handle)
        status = enumerate_roll(context, state, buffers.inside, roll, buffers.witness)
        if status != ExplorationStatus.DONE:
            return status, height, transient_states
        nodes = roll.counts[0]
        actions = roll.node_actions[nodes - 1]
        count = roll.action_outcomes[actions - 1]
        transient_states += nodes - 1
        if height + 1 + 2 * nodes + 4 * actions + 2 * count > len(buffers.code):
            return ExplorationStatus.NO_ROOM, height, transient_states
        for outcome in range(count):
            if outcomes.target[outcome] == STORED:
                prefetch_state(states, state_from(outcomes.fields, outcome))
        for outcome in range(count):
            if outcomes.target[outcome] == STORED:
                successor = index_of(states, locate(states, state_from(outcomes.fields, outcome)))
                prefetch(position, successor)
                buffers.successor[outcome] = successor
        height = _write_program(seats, stage, sign, buffers, height)
        if height < 0:
            record_witness(state, -1, buffers.witness)
            return -1 - height, height, transient_states
    return ExplorationStatus.DONE, height, transient_states


def _write_program(seats: int, stage: Any, sign: float, buffers: ProgramBuffers, height: int) -> Any:
    """Write the program of an enumerated roll; return the new number of words, or -1 less the status."""
    roll, code = buffers.roll, buffers.code
    code[height] = roll.counts[0]
    height += 1
    for i in range(roll.counts[0]):
        node = roll.order.order[i]
        header, certain = height, 0
        height += 1
        first, end = begin(roll.node_actions, node), roll.node_actions[node]
        for is_certain in (True, False):
            for action in range(first, end):
                if _is_certain(roll, action) == is_certain:
                    certain += is_certain
                    height = _write_action(seats, stage, sign, buffers, action, is_certain, height)
                    if height < 0:
                        return height
        chance = CHANCE_NODE if roll.action[first] == CHANCE else 0
        code[header] = certain << 16 | chance | (end - first - certain)
    for is_certain in (True, False):
        for action in range(roll.node_actions[0]):
            if _is_certain(roll, action) == is_certain:
                code[height] = roll.action[action] + 1
                height += 1
    return height


def _write_action(
    seats: int, stage: Any, sign: float, buffers: ProgramBuffers, action: int, is_certain: bool, height: int
) -> Any:
    """Write the terms of an action; return the new number of words, or -1 less the status."""
    roll, outcomes, code, constants = buffers.roll, buffers.roll.outcomes, buffers.code, buffers.constants
    position, lowest = stage
    first = begin(roll.action_outcomes, action)
    header = height
    height += not is_certain
    gain = 0.0
    for outcome in range(first, roll.action_outcomes[action]):
        gain += outcomes.probability[outcome] * outcomes.gain[outcome]
        target = outcomes.target[outcome]
        if target == ENDED:
            continue
        is_flipped = np.int64(seats == 2 and outcomes.passes[outcome] & 1 == 1)
        if target >= 0:
            term = np.int64(roll.order.position[target]) << 3 | NODE_TERM << 1 | is_flipped
        else:
            successor = np.int64(position[buffers.successor[outcome]])
            if successor < lowest:
                return np.int64(-1 - ExplorationStatus.BACKWARD)
            term = successor << 3 | STORED_TERM << 1 | is_flipped
        if not is_certain:
            slot = _find_or_add_constant(constants, outcomes.probability[outcome])
            if slot < 0:
                return np.int64(-1 - ExplorationStatus.NO_ROOM)
            code[height] = slot
            height += 1
        code[height] = term
        height += 1
    if gain != 0.0 or (is_certain and outcomes.target[first] == ENDED):
        slot, weight = _find_or_add_constant(constants, sign * gain), _find_or_add_constant(constants, 1.0)
        if min(slot, weight) < 0:
            return np.int64(-1 - ExplorationStatus.NO_ROOM)
        if not is_certain:
            code[height] = weight
            height += 1
        code[height] = slot << 3 | CONSTANT_TERM << 1
        height += 1
    if not is_certain:
        code[header] = (height - header) // 2
    return height


def _is_certain(roll: Roll, action: int) -> bool:
    """Return whether an action has one certain outcome, without both a gain and a successor to add up."""
    outcomes, first = roll.outcomes, begin(roll.action_outcomes, action)
    if roll.action_outcomes[action] - first != 1 or outcomes.probability[first] != 1.0:
        return False
    return outcomes.target[first] == ENDED or outcomes.gain[first] == 0.0  # type: ignore[no-any-return]


def _find_or_add_constant(constants: F64, number: float) -> Any:
    """Return the hash slot of a number, which is inserted if it is new; -1 if the table is too full."""
    last = len(constants) - 1
    slot: Any = np.int64(hash_key(np.uint64(1), np.int64(number * 2.0**40))) & last
    for _ in range(len(constants) // 2):
        if constants[slot] == number:
            return slot
        if constants[slot] != constants[slot]:
            constants[slot] = number
            return slot
        slot = (slot + 1) & last
    return np.int64(-1)
