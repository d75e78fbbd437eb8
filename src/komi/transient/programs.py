"""Rolls as serialized programs: the input of a stored state's backup in reading order, a few bytes per outcome.

The program of a state is a list of 32-bit words:

    the number of its rows; then for each row, children first and the stored state last,
        the number of its actions with one certain outcome << 16 | CHANCE_ROW if chance moves | the number of others
        a term for each of the first
        for each of the others the number of its terms, and for each term the index of its weight, and the term
    and then the numbers of the stored state's actions, in the same order.

A term refers to a value: its index << 3 | its kind << 1 | whether it is the other seat's. Its kind is STORED
(a stored state, by its position in the solving order), INSIDE (a row of the same roll) or NUMBER (of a table;
rewards and payoffs).
"""

from typing import Any, NamedTuple

import numpy as np

from komi.game import CHANCE
from komi.graph.lookup import StateIndex, index_of, locate, prefetch_state, state_at
from komi.graph.reachability_kernel import DONE
from komi.jit.intrinsics import hash_key, prefetch
from komi.rules.interface import record_witness, state_from
from komi.transient.enumeration import ENDED, Sheet, unroll
from komi.transient.violations import NO_ROOM

STORED, INSIDE, NUMBER = range(3)
MAX_POSITIONS = 1 << 29
CHANCE_ROW = 1 << 15
OTHERS = CHANCE_ROW - 1
"""The mask of the number of others."""
BACKWARD = 20
"""The result of `write_programs` if a state leads to one of an earlier stage."""


class Segment(NamedTuple):
    """The programs of some states that are consecutive in the solving order."""

    first: int  # the position of the first
    states: int
    words: Any  # uint32[.]
    numbers: Any  # float64[a power of two] weights, rewards and payoffs; a hash table, NaN in empty slots


def write_programs(
    rules: Any,
    seats: int,
    known: int,
    states: StateIndex,
    places: Any,
    position: Any,
    least: int,
    sign: float,
    sheet: Sheet,
    words: Any,
    numbers: Any,
    witness: Any,
) -> Any:
    """Write the programs of states.

    Args:
        rules, seats, known: see `unroll`.
        states: the `StateSet` of all stored states.
        places: int64[.], the places of the states.
        position: int32[all stored states], their positions in the solving order.
        least: no state may lead to a position below this.
        sign: the factor of rewards and payoffs.
        sheet: buffers for one roll.
        words, numbers: as in `Segment`, to be filled in; numbers all NaN.
        witness: see `unroll`.

    Returns:
        (DONE; NO_ROOM, if one of the arrays is too small; BACKWARD; or the violation of the rules; the
        number of words; the number of transient states; the largest difference of an action's total probability from 1)
    """
    (
        _,
        _,
        _,
        actions_end,
        numbers_of,
        outcomes_end,
        probabilities,
        gains,
        turns,
        targets,
        ways,
        order,
        inverse,
        counted,
    ) = sheet
    indices = np.empty(len(ways), np.int64)
    height = moments = 0
    deficit = 0.0
    for place in places:
        state = state_at(states, place)
        how = unroll(rules, seats, known, state, True, sheet, witness)
        if how != DONE:
            return how, height, moments, deficit
        rows = counted[0]
        moments += rows - 1
        actions = actions_end[rows - 1]
        if height + 1 + 2 * rows + 4 * actions + 2 * outcomes_end[actions - 1] > len(words):
            return NO_ROOM, height, moments, deficit
        for way in range(counted[1]):
            prefetch_state(states, state_from(ways, way))
        for way in range(counted[1]):
            indices[way] = index_of(states, locate(states, state_from(ways, way)))
            prefetch(position, indices[way])
        for i in range(rows):
            inverse[order[rows - 1 - i]] = i
        words[height] = rows
        height += 1
        for i in range(rows - 1, -1, -1):
            row = order[i]
            header, plain = height, 0
            height += 1
            first_action = actions_end[row - 1] if row else 0
            for certain in (True, False):
                for action in range(first_action, actions_end[row]):
                    first = outcomes_end[action - 1] if action else 0
                    end = outcomes_end[action]
                    if certain != _is_certain(probabilities, gains, targets, first, end):
                        continue
                    plain += certain
                    if not certain:
                        begun = height
                        height += 1
                    gain = total = 0.0
                    for outcome in range(first, end):
                        total += probabilities[outcome]
                        gain += probabilities[outcome] * gains[outcome]
                        target = targets[outcome]
                        flip = np.int64(seats == 2 and turns[outcome] & 1 == 1)
                        if target == ENDED:
                            continue
                        if target >= 0:
                            term = inverse[target] << 3 | INSIDE << 1 | flip
                        else:
                            there = np.int64(position[indices[-2 - target]])
                            if there < least:
                                record_witness(state, -1, witness)
                                return BACKWARD, height, moments, deficit
                            term = there << 3 | STORED << 1 | flip
                        if not certain:
                            slot = _slot_of(numbers, probabilities[outcome])
                            if slot < 0:
                                return NO_ROOM, height, moments, deficit
                            words[height] = slot
                            height += 1
                        words[height] = term
                        height += 1
                    deficit = max(deficit, abs(total - 1.0))
                    if gain != 0.0 or (certain and targets[first] == ENDED):
                        slot = _slot_of(numbers, sign * gain)
                        if slot < 0:
                            return NO_ROOM, height, moments, deficit
                        if not certain:
                            weight = _slot_of(numbers, 1.0)
                            if weight < 0:
                                return NO_ROOM, height, moments, deficit
                            words[height] = weight
                            height += 1
                        words[height] = slot << 3 | NUMBER << 1
                        height += 1
                    if not certain:
                        words[begun] = (height - begun) // 2
            nobody = CHANCE_ROW if numbers_of[first_action] == CHANCE else 0
            words[header] = plain << 16 | nobody | (actions_end[row] - first_action - plain)
        for certain in (True, False):
            for action in range(actions_end[0]):
                first = outcomes_end[action - 1] if action else 0
                if certain == _is_certain(probabilities, gains, targets, first, outcomes_end[action]):
                    words[height] = numbers_of[action] + 1
                    height += 1
    return DONE, height, moments, deficit


def _is_certain(probabilities: Any, gains: Any, targets: Any, first: int, end: int) -> bool:
    """Return whether an action has one certain outcome, without both a gain and a successor to add up."""
    if end - first != 1 or probabilities[first] != 1.0:
        return False
    return targets[first] == ENDED or gains[first] == 0.0  # type: ignore[no-any-return]


def _slot_of(numbers: Any, number: float) -> Any:
    """Return the hash slot of a number, which is inserted if it is new; -1 if the table is too full."""
    last = len(numbers) - 1
    slot: Any = np.int64(hash_key(np.uint64(1), np.int64(number * 2.0**40))) & last
    for _ in range(len(numbers) // 2):
        if numbers[slot] == number:
            return slot
        if numbers[slot] != numbers[slot]:
            numbers[slot] = number
            return slot
        slot = (slot + 1) & last
    return np.int64(-1)
