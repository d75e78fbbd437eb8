"""Enumerate the transient states inside the roll of a stored state, and list their actions and outcomes.

Unlike `komi.transient.builder`, nothing is shared between states and no shape is stored: this is for states that are
too many for that.
"""

from typing import Any, NamedTuple

import numpy as np

from komi.game import CHANCE
from komi.graph.reachability_kernel import (
    ACTION,
    DEAD_END,
    DEFICIT_UNITS,
    DONE,
    IMPOSSIBLE,
    MIXED,
    PASSES,
    PAYOFF,
    PROBABILITY,
    PROBABILITY_TOLERANCE,
)
from komi.graph.summation import two_sum_error
from komi.rules.interface import (
    legal,
    outcomes,
    over,
    payoff,
    possible,
    record_witness,
    reward,
    seat_payoff,
    state_from,
    transient,
)
from komi.transient.hashing import hash_of_row
from komi.transient.violations import NO_ROOM, ROUND, SPARE

ENDED = -1
"""The target of an outcome after which the game is over."""


class Sheet(NamedTuple):
    """Buffers for the rows of one roll: the stored state, which is the first, and the transient states inside."""

    fields: Any  # int64[rows, fields]
    table: Any  # int32[a power of two] hash table of the rows, -1 in empty slots
    slot: Any  # int64[rows] their hash slots
    actions_end: Any  # int64[rows] one past its last action
    number: Any  # int64[actions]
    outcomes_end: Any  # int64[actions] one past its last outcome
    probability: Any  # float64[outcomes]
    gain: Any  # float64[outcomes] rewards, and payoffs where the game ends
    turn: Any  # int64[outcomes] the number of seats by which the turn passes
    target: Any  # int64[outcomes] a row; ENDED; or -2 less the index in `ways`
    ways: Any  # int64[ways, fields] the stored states that the roll leads to
    order: Any  # int64[rows] parents first
    parents: Any  # int64[rows] unprocessed outcomes that lead to it
    counted: Any  # int64[5]: rows; ways; most outcomes of one action; most actions in one state; largest deficit

    @classmethod
    def empty(cls, room: int, fields: int) -> "Sheet":
        """Allocate buffers for `room` rows, a power of two, and for more of everything else."""
        many = 16 * room
        return cls(
            np.empty((room, fields), np.int64),
            np.full(4 * room, -1, np.int32),
            np.empty(room, np.int64),
            np.empty(room, np.int64),
            np.empty(many, np.int64),
            np.empty(many, np.int64),
            np.empty(many, np.float64),
            np.empty(many, np.float64),
            np.empty(many, np.int64),
            np.empty(many, np.int64),
            np.empty((many, fields), np.int64),
            np.empty(room, np.int64),
            np.empty(room, np.int64),
            np.zeros(5, np.int64),
        )


def unroll(rules: Any, seats: int, known: int, state: Any, checked: bool, sheet: Sheet, witness: Any) -> int:
    """Fill in the sheet of a stored state.

    Args:
        rules: the rules.
        seats: the number of seats.
        known: the upper bound on action numbers, exclusive.
        state: the stored state.
        checked: whether all states in its roll are known to be possible.
        sheet: filled in.
        witness: filled with the fields of a state, and the action, if the rules are broken.

    Returns:
        DONE; NO_ROOM, if the buffers of the sheet are too small; or the violation of the rules

    Arrays are taken out of the sheet once: inside a loop, each access to the tuple would count references.
    """
    (
        fields,
        table,
        slots,
        actions_end,
        numbers,
        outcomes_end,
        probabilities,
        gains,
        turns,
        targets,
        ways,
        order,
        parents,
        counted,
    ) = sheet
    width = len(state)
    for row in range(counted[0]):
        table[slots[row]] = -1
    counted[0] = counted[1] = 0
    for i in range(width):
        fields[0, i] = state[i]
    _row_of(fields, table, slots, counted, width)
    actions = height = 0
    here = 0
    while here < counted[0]:
        node = state_from(fields, here)
        choices = chances = 0
        for action in legal(rules, node):
            if not -1 <= action < known:
                record_witness(node, action, witness)
                return ACTION
            if actions + SPARE >= len(numbers):
                return NO_ROOM
            choices += 1
            chances += action == CHANCE
            first = height
            total = rest = 0.0
            for probability, after, passes in outcomes(rules, node, action):
                if max(height, counted[1]) + SPARE >= len(turns) or counted[0] + SPARE >= len(slots):
                    return NO_ROOM
                if not probability >= 0.0:
                    record_witness(node, action, witness)
                    return PROBABILITY
                if passes < 0:
                    record_witness(node, action, witness)
                    return PASSES
                rest += two_sum_error(total, probability)
                total += probability
                turn = passes
                while turn > seats:
                    turn -= seats
                gain = reward(rules, node, action, after)
                if over(rules, after):
                    if not 0.0 <= payoff(rules, after) <= 1.0:
                        record_witness(after, -1, witness)
                        return PAYOFF
                    gain += seat_payoff(rules, after, (seats - turn) % seats)
                    target: Any = np.int64(ENDED)
                elif transient(rules, after):
                    for i in range(width):
                        fields[counted[0], i] = after[i]
                    before = counted[0]
                    target = _row_of(fields, table, slots, counted, width)
                    if not checked and target == before and not possible(rules, after):
                        record_witness(after, -1, witness)
                        return IMPOSSIBLE
                else:
                    for i in range(width):
                        ways[counted[1], i] = after[i]
                    target = -2 - counted[1]
                    counted[1] += 1
                probabilities[height], gains[height] = probability, gain
                turns[height], targets[height] = turn, target
                height += 1
            if abs(total - 1.0) > PROBABILITY_TOLERANCE:
                record_witness(node, action, witness)
                return PROBABILITY
            counted[2] = max(counted[2], height - first)
            counted[4] = max(counted[4], np.int64(np.ceil(abs(total - 1.0 + rest) * DEFICIT_UNITS)))
            numbers[actions] = action
            outcomes_end[actions] = height
            actions += 1
        if choices == 0:
            record_witness(node, -1, witness)
            return DEAD_END
        if chances and choices > 1:
            record_witness(node, CHANCE, witness)
            return MIXED
        counted[3] = max(counted[3], choices)
        actions_end[here] = actions
        here += 1
    return _order(fields, actions_end, outcomes_end, targets, order, parents, counted[0], witness)


def _row_of(fields: Any, table: Any, slots: Any, counted: Any, width: int) -> Any:
    """Return the row with the same fields as the one past the last row, which is added if they are new."""
    new = counted[0]
    last = len(table) - 1
    slot: Any = np.int64(hash_of_row(fields, new, width)) & last
    while table[slot] >= 0:
        row = table[slot]
        same = True
        for i in range(width):
            same = same and fields[row, i] == fields[new, i]
        if same:
            return np.int64(row)
        slot = (slot + 1) & last
    table[slot] = new
    slots[new] = slot
    counted[0] = new + 1
    return new


def _order(
    fields: Any, actions_end: Any, outcomes_end: Any, targets: Any, order: Any, parents: Any, rows: int, witness: Any
) -> int:
    """Sort the rows topologically, parents first; return ROUND if they form a cycle."""
    for row in range(rows):
        parents[row] = 0
    end = outcomes_end[actions_end[rows - 1] - 1]
    for outcome in range(end):
        if targets[outcome] >= 0:
            parents[targets[outcome]] += 1
    ordered = 0
    if parents[0] == 0:
        order[0], ordered = 0, 1
    here = 0
    while here < ordered:
        row = order[here]
        first_action = actions_end[row - 1] if row else 0
        first = outcomes_end[first_action - 1] if first_action else 0
        for outcome in range(first, outcomes_end[actions_end[row] - 1]):
            after = targets[outcome]
            if after >= 0:
                parents[after] -= 1
                if parents[after] == 0:
                    order[ordered] = after
                    ordered += 1
        here += 1
    if ordered == rows:
        return DONE
    for row in range(rows):
        if parents[row] > 0:
            record_witness(state_from(fields, row), -1, witness)
    return ROUND
