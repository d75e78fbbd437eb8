"""The enumerator of rolls: the transient states inside the roll of a stored state, with their actions and outcomes.

It has two encoders: `komi.transient.builder` makes roll graphs, `komi.transient.programs` serialized programs.
"""

from typing import Any, NamedTuple, Self

import numpy as np

from komi.arrays import F64, I32, I64, Flags, allocate
from komi.game import CHANCE, MAX_PASSES, PROBABILITY_TOLERANCE
from komi.graph.reachability_kernel import DEFICIT_UNITS, ExplorationStatus, payoff_deficit, two_sum_error
from komi.graph.transitions import begin
from komi.jit.intrinsics import hash_key, whole
from komi.jit.specialization import always_inline
from komi.rules.interface import (
    VISITED,
    legal,
    outcomes,
    over,
    possible,
    record_witness,
    reward,
    seat_payoff,
    state_from,
    transient,
)
from komi.transient.violations import SPARE
from komi.typing import State

ENDED, STORED, TRANSIENT = -1, -2, -3
"""The targets of outcomes that leave the roll: the game is over, or play continues in a stored or a transient state."""
HASH_MULTIPLIER = 1_000_003  # a prime, so that all fields count in all bits of the hash


class RulesContext(NamedTuple):
    """The arguments of kernels that run the rules."""

    rules: Any
    seats: int
    action_limit: int  # the upper bound on action numbers, exclusive


class Outcomes(NamedTuple):
    """Outcomes of actions, one after the other: a small tuple, since it is passed often."""

    fields: I64  # [outcomes, fields] the successor
    target: I64  # [outcomes] a node of the roll; or ENDED, STORED or TRANSIENT
    probability: F64  # [outcomes]
    gain: F64  # [outcomes] rewards, and payoffs where the game ends
    passes: I64  # [outcomes] the number of seats by which the turn passes
    deficit: I64  # [1] the largest difference of an action's total probability from 1, in DEFICIT_UNITS

    @classmethod
    def empty(cls, capacity: int, fields: int) -> Self:
        """Allocate buffers for `capacity` outcomes."""
        deficit = np.zeros(1, np.int64)
        return allocate(cls, lambda name: (capacity, fields) if name == "fields" else capacity, deficit=deficit)


class NodeOrder(NamedTuple):
    """The topological order of the nodes of a roll, and buffers to find it."""

    order: I32  # [nodes] children first
    position: I32  # [nodes] the inverse permutation
    depth: I32  # [nodes] nodes on the longest path from it
    path: I32  # [nodes]
    edge: I64  # [nodes]

    @classmethod
    def empty(cls, capacity: int) -> Self:
        """Allocate buffers for `capacity` nodes."""
        return allocate(cls, capacity)


class Roll(NamedTuple):
    """The nodes of one roll: the stored state, which is the first, and the transient states inside."""

    fields: I64  # [nodes, fields]
    table: I32  # [a power of two] hash table of the nodes, -1 in empty slots
    slot: I64  # [nodes] their hash slots
    legal: I64  # [actions] the legal actions of one node
    node_actions: I64  # [nodes] one past its last action
    action: I64  # [actions] the action's number
    action_outcomes: I64  # [actions] one past its last outcome
    inner_outcomes: I64  # [actions] the number of its outcomes that stay inside the roll
    outcomes: Outcomes
    order: NodeOrder
    counts: I64  # [3] the nodes; the most outcomes of one action; the most actions of one node

    @classmethod
    def empty(cls, capacity: int, fields: int) -> Self:
        """Allocate buffers for `capacity` nodes, a power of two, and for more of everything else."""

        def shape(name: str) -> int | tuple[int, ...]:
            if name == "fields":
                return capacity, fields
            return capacity if name in ("slot", "node_actions") else 16 * capacity

        return allocate(
            cls,
            shape,
            table=np.full(4 * capacity, -1, np.int32),
            outcomes=Outcomes.empty(16 * capacity, fields),
            order=NodeOrder.empty(capacity),
            counts=np.zeros(3, np.int64),
        )


def enumerate_roll(context: RulesContext, state: State, inside: Flags, roll: Roll, witness: I64) -> int:
    """Enumerate the nodes of a stored state's roll, with their actions and outcomes.

    Args:
        context: the rules.
        state: a stored state, or one inside its roll.
        inside: [fields], which fields can change within the roll; a change of any other field ends it.
        roll: filled in.
        witness: filled with the fields of a state, and the action, if the rules are broken.

    Returns:
        DONE; NO_ROOM, if the buffers of the roll are too small; or the violation, as a reachability analysis reports it
    """
    outcomes, counts = roll.outcomes, roll.counts
    width = len(state)
    for node in range(counts[0]):
        roll.table[roll.slot[node]] = -1
    counts[0] = 0
    for i in range(width):
        roll.fields[0, i] = state[i]
    _find_or_add_node(roll, width)
    actions = outcome = 0
    node = 0
    while node < counts[0]:
        current = state_from(roll.fields, node)
        choices = list_actions(context, current, roll.legal, witness)
        if choices < 0:
            return -1 - choices  # type: ignore[no-any-return]
        if actions + choices >= len(roll.action):
            return ExplorationStatus.NO_ROOM
        for choice in range(choices):
            action = roll.legal[choice]
            end = list_outcomes(context, current, action, outcomes, outcome, 0, witness)
            if end < 0:
                return -1 - end  # type: ignore[no-any-return]
            counts[1] = max(counts[1], end - outcome)
            inner = 0
            while outcome < end:
                if stays_inside(outcomes, outcome, state, inside):
                    if counts[0] + SPARE >= len(roll.slot):
                        return ExplorationStatus.NO_ROOM
                    for i in range(width):
                        roll.fields[counts[0], i] = outcomes.fields[outcome, i]
                    last = counts[0]
                    target = _find_or_add_node(roll, width)
                    if target == last:
                        added = state_from(roll.fields, target)
                        if not possible(context.rules, added):
                            record_witness(added, -1, witness)
                            return ExplorationStatus.IMPOSSIBLE
                    outcomes.target[outcome] = target
                    inner += 1
                outcome += 1
            roll.action[actions], roll.action_outcomes[actions] = action, end
            roll.inner_outcomes[actions] = inner
            actions += 1
        counts[2] = max(counts[2], choices)
        roll.node_actions[node] = actions
        node += 1
    repeated = sort_nodes(counts[0], roll.node_actions, roll.action_outcomes, outcomes.target, roll.order)
    if repeated >= 0:
        record_witness(state_from(roll.fields, repeated), -1, witness)
        return ExplorationStatus.ROUND
    return ExplorationStatus.DONE


def list_actions(context: RulesContext, state: State, actions: I64, witness: I64) -> Any:
    """List the legal actions of a state that is not over; return their number, or -1 less the violation.

    Every call of the rules compiles another copy of them, so all callers use this function.
    """
    count = chances = 0
    record_witness(state, VISITED, witness)
    for action in legal(context.rules, state):
        if not -1 <= action < context.action_limit:
            record_witness(state, action, witness)
            return -1 - ExplorationStatus.ACTION
        if count >= len(actions):
            return -1 - ExplorationStatus.NO_ROOM
        actions[count] = whole(action)
        chances += action == CHANCE
        count += 1
    if count == 0:
        record_witness(state, -1, witness)
        return -1 - ExplorationStatus.DEAD_END
    if chances and count > 1:
        record_witness(state, CHANCE, witness)
        return -1 - ExplorationStatus.MIXED
    return count


def list_outcomes(
    context: RulesContext, state: State, action: int, into: Outcomes, first: int, passed: int, witness: I64
) -> Any:
    """List the outcomes of an action, from index `first` on; return one past the last, or -1 less the violation.

    Args:
        context: the rules.
        state: the state.
        action: the action.
        into: filled in; no target is a node.
        first: the index of the first outcome.
        passed: the number of seats by which the turn has passed before.
        witness: filled with the fields of a state, and the action, if the rules are broken.
    """
    rules, seats, _ = context
    width = len(state)
    end = first
    total = rest = 0.0
    record_witness(state, VISITED, witness)
    for probability, after, passes in outcomes(rules, state, action):
        if end + SPARE >= len(into.gain):
            return -1 - ExplorationStatus.NO_ROOM
        rest += two_sum_error(total, probability)
        total += probability
        if not probability >= 0.0:
            record_witness(state, action, witness)
            return -1 - ExplorationStatus.PROBABILITY
        if not 0 <= passes < MAX_PASSES:
            record_witness(state, action, witness)
            return -1 - ExplorationStatus.PASSES
        turn = passed + whole(passes)
        while turn > seats:
            turn -= seats
        gain = reward(rules, state, action, after)
        if not abs(gain) < np.inf:
            record_witness(state, action, witness)
            return -1 - ExplorationStatus.REWARD
        if over(rules, after):
            difference = payoff_deficit(rules, after, seats)
            if not difference <= PROBABILITY_TOLERANCE:
                record_witness(after, -1, witness)
                return -1 - (ExplorationStatus.SUM if difference < np.inf else ExplorationStatus.PAYOFF)
            into.deficit[0] = max(into.deficit[0], np.int64(np.ceil(difference * DEFICIT_UNITS)))
            gain += seat_payoff(rules, after, (seats - turn) % seats)
            into.target[end] = ENDED
        else:
            into.target[end] = TRANSIENT if transient(rules, after) else STORED
        for i in range(width):
            into.fields[end, i] = whole(after[i])
        into.probability[end], into.gain[end], into.passes[end] = probability, gain, turn
        end += 1
    if abs(total - 1.0) > PROBABILITY_TOLERANCE:
        record_witness(state, action, witness)
        return -1 - ExplorationStatus.PROBABILITY
    into.deficit[0] = max(into.deficit[0], np.int64(np.ceil(abs(total - 1.0 + rest) * DEFICIT_UNITS)))
    return end


@always_inline
def stays_inside(outcomes: Outcomes, outcome: int, root: Any, inside: Flags) -> bool:
    """Return whether an outcome stays inside the roll of a stored state."""
    is_same, changes_all = True, True
    for i in range(len(root)):
        changes_all = changes_all and inside[i]
        is_same = is_same and (inside[i] or outcomes.fields[outcome, i] == root[i])
    return outcomes.target[outcome] == TRANSIENT and is_same and (changes_all or outcomes.passes[outcome] == 0)


@always_inline
def _find_or_add_node(roll: Roll, width: int) -> Any:
    """Return the node with the fields of the one past the last, which is added if it is new."""
    fields, table = roll.fields, roll.table
    new = roll.counts[0]
    last = len(table) - 1
    slot: Any = np.int64(hash_of_row(fields, new, width)) & last
    while table[slot] >= 0:
        node = table[slot]
        is_same = True
        for i in range(width):
            is_same = is_same and fields[node, i] == fields[new, i]
        if is_same:
            return np.int64(node)
        slot = (slot + 1) & last
    table[slot] = new
    roll.slot[new] = slot
    roll.counts[0] = new + 1
    return new


@always_inline
def hash_of_row(numbers: I64, row: Any, width: int) -> Any:
    """Compute a polynomial hash of the first `width` numbers of a row: three times as fast as mixing them in turn."""
    polynomial = np.int64(0)
    for i in range(width):
        polynomial = polynomial * HASH_MULTIPLIER + numbers[row, i]
    return hash_key(np.uint64(0), polynomial)


def sort_nodes(count: int, node_actions: I64, action_edges: I64, targets: Any, order: NodeOrder) -> Any:
    """Sort nodes topologically by depth-first search, children first; return a node on a cycle, or -1 if there is none.

    Args:
        count: the number of nodes; all are reachable from node 0.
        node_actions: [nodes] one past the last action of each.
        action_edges: [actions] one past the last edge of each.
        targets: [edges] a node; negative if the edge leaves the roll.
        order: filled in.
    """
    position, path, depth = order.position, order.path, order.depth
    for node in range(count):
        position[node] = -1  # not visited; -2 on the path
    length, size = 1, 0
    path[0], position[0], depth[0] = 0, -2, 1
    order.edge[0] = 0
    while length:
        node = path[length - 1]
        actions = node_actions[node]
        end = action_edges[actions - 1] if actions > begin(node_actions, node) else 0
        edge = order.edge[length - 1]
        entered = -1
        while edge < end:
            after = targets[edge]
            if after >= 0:
                if position[after] == -1:
                    entered = after
                    break
                if position[after] == -2:
                    return after
                depth[node] = max(depth[node], depth[after] + 1)
            edge += 1
        order.edge[length - 1] = edge
        if entered >= 0:
            path[length], position[entered], depth[entered] = entered, -2, 1
            order.edge[length] = begin(action_edges, begin(node_actions, entered))
            length += 1
            continue
        order.order[size], position[node] = node, size
        size += 1
        length -= 1
    return np.int64(-1)
