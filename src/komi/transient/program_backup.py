"""Backups of stored states by serialized programs (`komi.transient.programs`): values in place, and certificates.

Sweeps read programs sequentially; their latency comes from the values of successor states, which are scattered in
memory and prefetched. Several threads can sweep different segments at once: each reads the latest values of the others
(chaotic iteration). Proofs use only sweeps that do not change the values they read.

**The proof** is that of `certificate`, with one function for both of its bounds. Let v be the computed values, r the
largest |v - max Q|, sigma the error bound of a computed Q, d = r + 4 sigma; and let the lengths be a function A of the
states, 0 outside the component, so that in every state

    A(s) >= 1 - h + max over kept actions a of  sum p A(s'),          h <= 1/2,

where all actions are kept except those with a loss of more than 2.5 d max A. Then above = below = A is a certificate
with c = d and eta = d / (1 - h): a kept action has Q(s, a) + eta sum p A(s') <= v(s) + r + sigma + eta (A(s) - 1 + h);
any other has a loss of more than eta max A; and g, an optimal action up to rounding, is kept. So the error of every
value is at most d max A / (1 - h), plus that of the values at the boundary. The equations inside a roll are states of
their own in this, whose values are max Q.
"""

from typing import Any, NamedTuple, Self

import numpy as np

from komi.arrays import F64, I16, U32
from komi.bellman import largest_or_inf
from komi.graph.transitions import to_mover
from komi.jit.intrinsics import prefetch
from komi.jit.specialization import always_inline
from komi.transient.programs import CHANCE_NODE, NODE_TERM, OTHERS, STORED_TERM, ProgramSegment
from komi.tuning import PREFETCHED_WORDS


class SweepBuffers(NamedTuple):
    """Buffers for the equations of one roll."""

    node_value: F64  # [nodes]
    action_value: F64  # [actions]

    @classmethod
    def empty(cls, capacity: int) -> Self:
        """Allocate buffers for `capacity` nodes, and for as many actions of one node."""
        return cls(np.empty(capacity), np.empty(capacity))


def sweep_programs(
    segment: ProgramSegment,
    is_zero_sum: bool,
    step: float,
    constants: F64,
    values: F64,
    buffers: SweepBuffers,
    write: bool,
) -> Any:
    """Back up the values of a segment's states: the best sum of each equation, plus `step`.

    Values of the game have a step of 0. With the programs that `keep_best` writes, a step of 1 and constants of 0, the
    values are lengths of play; those outside the stage are 0.

    Args:
        segment: the programs.
        is_zero_sum: whether the other player gets one minus the mover's value.
        step: the constant of each equation.
        constants: rewards and payoffs: the `constants` of the segment, or zeros.
        values: [all stored states], by position.
        buffers: for one roll.
        write: whether to write the values back.

    Returns:
        (the largest increase of a value; the largest decrease; the largest value, also inside a roll)
    """
    first, count, code, weights = segment
    node_value = buffers.node_value
    increase = decrease = 0.0
    largest = -np.inf
    at = 0
    for position in range(first, first + count):
        nodes = np.int64(code[at])
        at += 1
        best = -np.inf
        actions: Any = np.int64(0)
        for node in range(nodes):
            certain, others = np.int64(code[at]) >> 16, np.int64(code[at]) & OTHERS
            actions = certain + others
            at += 1
            best = -np.inf
            for _ in range(certain):
                _prefetch_value(code, at, values)
                best = max(best, term_value(code, at, is_zero_sum, values, node_value, constants))
                at += 1
            for _ in range(others):
                total = 0.0
                terms = np.int64(code[at])
                at += 1
                for _ in range(terms):
                    total += weights[code[at]] * term_value(code, at + 1, is_zero_sum, values, node_value, constants)
                    at += 2
                best = max(best, total)
            best += step
            node_value[node] = best
            largest = max(largest, best)
        at += actions
        change = best - values[position]
        increase, decrease = largest_or_inf(increase, change), largest_or_inf(decrease, -change)
        largest = max(largest, values[position])
        if write:
            values[position] = best
    return increase, decrease, largest


def keep_best(
    segment: ProgramSegment,
    is_zero_sum: bool,
    values: F64,
    buffers: SweepBuffers,
    max_loss: float,
    kept: U32,
    choices: I16,
) -> Any:
    """Back up values without changing them, and write programs that contain only actions with a small loss.

    Args:
        segment, is_zero_sum, values, buffers: as in `sweep_programs`.
        max_loss: the largest loss of a kept action.
        kept: [.], at least as long as the segment's code; filled in.
        choices: [all stored states], by position: an optimal action; filled in.

    Returns:
        (the number of words written, the largest |v - max Q|, the largest sum of a backup's absolute terms); the second
        or the third is infinite if a value is infinite or no number
    """
    first, count, code, _ = segment
    residual = magnitude = 0.0
    at = 0
    height: Any = np.int64(0)
    for position in range(first, first + count):
        nodes = np.int64(code[at])
        kept[height] = nodes
        at += 1
        height += 1
        best = -np.inf
        chosen: Any = np.int64(0)
        actions: Any = np.int64(0)
        for node in range(nodes):
            header: Any = np.int64(code[at])
            start = at + 1
            actions = (header >> 16) + (header & OTHERS)
            at, best, chosen, largest = _value_actions(segment, start, header, is_zero_sum, values, buffers)
            magnitude = max(magnitude, largest)
            buffers.node_value[node] = best
            height = _keep_actions(code, start, header, buffers.action_value, best - max_loss, kept, height)
        for action in range(actions):
            if buffers.action_value[action] >= best - max_loss:
                kept[height] = code[at + action]
                height += 1
        choices[position] = np.int64(code[at + chosen]) - 1
        at += actions
        residual = largest_or_inf(residual, abs(best - values[position]))
    return height, residual, magnitude


def _value_actions(
    segment: ProgramSegment, at: int, header: int, is_zero_sum: bool, values: F64, buffers: SweepBuffers
) -> Any:
    """Compute the values of a node's actions.

    Returns:
        (the index after their terms, the best value, the first action that has it, the largest sum of absolute terms)
    """
    code, constants, node_value = segment.code, segment.constants, buffers.node_value
    certain = header >> 16
    best, magnitude = -np.inf, 0.0
    chosen: Any = np.int64(0)
    for action in range(certain + (header & OTHERS)):
        if action < certain:
            total = term_value(code, at, is_zero_sum, values, node_value, constants)
            absolute = abs(total)
            at += 1
        else:
            total = absolute = 0.0
            terms = np.int64(code[at])
            at += 1
            for _ in range(terms):
                weighted = constants[code[at]] * term_value(code, at + 1, is_zero_sum, values, node_value, constants)
                total += weighted
                absolute += abs(weighted)
                at += 2
        magnitude = largest_or_inf(magnitude, absolute)
        buffers.action_value[action] = total
        if total > best:
            best, chosen = total, np.int64(action)
    return at, best, chosen, magnitude


def _keep_actions(code: U32, at: int, header: int, action_value: F64, lowest: float, kept: U32, height: int) -> int:
    """Write the actions of a node with values of at least `lowest`; return the new number of words."""
    certain = header >> 16
    begun = height
    height += 1
    few: Any = np.int64(0)
    many: Any = np.int64(0)
    for action in range(certain + (header & OTHERS)):
        length: Any = 1 if action < certain else 1 + 2 * np.int64(code[at])
        if action_value[action] >= lowest:
            few += action < certain
            many += action >= certain
            for i in range(length):
                kept[height] = code[at + i]
                height += 1
        at += length
    kept[begun] = few << 16 | header & CHANCE_NODE | many
    return height


@always_inline
def term_value(code: U32, at: int, is_zero_sum: bool, values: F64, node_value: F64, constants: F64) -> float:
    """Return the value of a term to the player to move."""
    term = np.int64(code[at])
    index, kind = term >> 3, term >> 1 & 3
    if kind == STORED_TERM:
        value = values[index]
    elif kind == NODE_TERM:
        value = node_value[index]
    else:
        value = constants[index]
    return to_mover(value, term) if is_zero_sum else value  # type: ignore[no-any-return]


@always_inline
def _prefetch_value(code: U32, at: int, values: F64) -> None:
    if at + PREFETCHED_WORDS < len(code):
        index = np.int64(code[at + PREFETCHED_WORDS]) >> 3
        if index < len(values):
            prefetch(values, index)
