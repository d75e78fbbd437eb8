"""Backups of stored states by serialized programs (`komi.transient.programs`): values in place, and certificates.

Sweeps read programs sequentially; their latency comes from the values of successor states, which are scattered in
memory and prefetched. Several threads can sweep different segments at once: each reads the latest values of the others
(chaotic iteration). Proofs use only sweeps that do not change the values they read.

**The proof** is that of `certificate`, with one function for both of its bounds. Let v be the computed values, r the
largest |v - max Q|, sigma the error bound of a computed Q, d = r + 4 sigma; and let `lengths` be a function A of the
states, 0 outside the component, so that in every state

    A(s) >= 1 - h + max over kept actions a of  sum p A(s'),          h <= 1/2,

where all actions are kept except those with a loss of more than 2.5 d max A. Then above = below = A is a certificate
with c = d and eta = d / (1 - h): a kept action has Q(s, a) + eta sum p A(s') <= v(s) + r + sigma + eta (A(s) - 1 + h);
any other has a loss of more than eta max A; and g, an optimal action up to rounding, is kept. So the error of every
value is at most d max A / (1 - h), plus that of the values at the boundary. The equations inside a roll are states of
their own in this, whose values are max Q.
"""

from typing import Any

import numpy as np

from komi.graph.perspective import to_mover
from komi.jit.intrinsics import prefetch
from komi.jit.specialization import always_inline
from komi.transient.programs import CHANCE_ROW, INSIDE, OTHERS, STORED

AHEAD = 48  # words between the prefetch of a value and its use


def sweep_values(segment: Any, flips: bool, values: Any, room: Any) -> float:
    """Back up the values of a segment's states in place.

    Args:
        segment: a `programs.Segment`.
        flips: whether the other player gets one minus the mover's value.
        values: float64[all stored states], by position.
        room: float64[2, rows], a buffer for the equations of one roll.

    Returns:
        the largest change of a value
    """
    first, count, words, numbers = segment
    inside = room[0]
    change = 0.0
    at = 0
    for position in range(first, first + count):
        rows = np.int64(words[at])
        at += 1
        best = -np.inf
        actions: Any = np.int64(0)
        for row in range(rows):
            plain, others = np.int64(words[at]) >> 16, np.int64(words[at]) & OTHERS
            actions = plain + others
            at += 1
            best = -np.inf
            for _ in range(plain):
                _call_ahead(words, at, values)
                best = max(best, worth_of(words, at, flips, values, inside, numbers))
                at += 1
            for _ in range(others):
                total = 0.0
                terms = np.int64(words[at])
                at += 1
                for _ in range(terms):
                    total += numbers[words[at]] * worth_of(words, at + 1, flips, values, inside, numbers)
                    at += 2
                best = max(best, total)
            inside[row] = best
        at += actions
        change = max(change, abs(best - values[position]))
        values[position] = best
    return change


def keep_best(segment: Any, flips: bool, values: Any, room: Any, given_up: float, kept: Any, choices: Any) -> Any:
    """Back up values without changing them, and write programs that contain only actions with a small loss.

    The last word of such a program is the number of an optimal action of the stored state, plus 1.

    Args:
        segment, flips, values, room: as in `sweep_values`.
        given_up: the largest loss of a kept action.
        kept: uint32[.], at least as long as the segment; filled in.
        choices: int16[all stored states], by position: an optimal action; filled in.

    Returns:
        (the number of words written, the largest |v - max Q|, the largest sum of a backup's absolute terms)
    """
    first, count, words, numbers = segment
    inside, worth = room[0], room[1]
    residual = magnitude = 0.0
    at = 0
    height = 0
    for position in range(first, first + count):
        rows = np.int64(words[at])
        kept[height] = rows
        at += 1
        height += 1
        best = -np.inf
        chosen: Any = np.int64(0)
        actions: Any = np.int64(0)
        for row in range(rows):
            plain, others = np.int64(words[at]) >> 16, np.int64(words[at]) & OTHERS
            nobody = np.int64(words[at]) & CHANCE_ROW
            actions = plain + others
            at += 1
            start = at
            best = -np.inf
            for action in range(actions):
                if action < plain:
                    total = worth_of(words, at, flips, values, inside, numbers)
                    magnitude = max(magnitude, abs(total))
                    at += 1
                else:
                    total = terms = 0.0
                    count_of_terms = np.int64(words[at])
                    at += 1
                    for _ in range(count_of_terms):
                        each = numbers[words[at]] * worth_of(words, at + 1, flips, values, inside, numbers)
                        total += each
                        terms += abs(each)
                        at += 2
                    magnitude = max(magnitude, terms)
                worth[action] = total
                if total > best:
                    best, chosen = total, np.int64(action)
            inside[row] = best
            header = height
            height += 1
            few: Any = np.int64(0)
            many: Any = np.int64(0)
            for action in range(actions):
                length: Any = 1 if action < plain else 1 + 2 * np.int64(words[start])
                if worth[action] >= best - given_up:
                    few += action < plain
                    many += action >= plain
                    for i in range(length):
                        kept[height] = words[start + i]
                        height += 1
                start += length
            kept[header] = few << 16 | nobody | many
        choices[position] = np.int64(words[at + chosen]) - 1
        kept[height] = words[at + chosen]
        height += 1
        at += actions
        residual = max(residual, abs(best - values[position]))
    return height, residual, magnitude


def sweep_lengths(segment: Any, begin: int, lengths: Any, room: Any, write: bool) -> Any:
    """Back up `lengths` by programs of the kept actions.

    Args:
        segment: a `programs.Segment` with programs that `keep_best` has written.
        begin: the position of the component's first state.
        lengths: float64[the component's states].
        room: float64[2, rows], a buffer for the equations of one roll.
        write: whether to write the lengths back.

    Returns:
        (the largest increment of a length, the largest length, also inside a roll)
    """
    first, count, words, numbers = segment
    inside = room[0]
    growth = largest = 0.0
    at = 0
    for place in range(first - begin, first - begin + count):
        rows = np.int64(words[at])
        at += 1
        longest = 0.0
        for row in range(rows):
            plain, others = np.int64(words[at]) >> 16, np.int64(words[at]) & OTHERS
            at += 1
            longest = 0.0
            for _ in range(plain):
                longest = max(longest, _length(words, at, begin, lengths, inside))
                at += 1
            for _ in range(others):
                total = 0.0
                terms = np.int64(words[at])
                at += 1
                for _ in range(terms):
                    total += numbers[words[at]] * _length(words, at + 1, begin, lengths, inside)
                    at += 2
                longest = max(longest, total)
            longest += 1.0
            inside[row] = longest
            largest = max(largest, longest)
        at += 1
        largest = max(largest, lengths[place])
        growth = max(growth, longest - lengths[place])
        if write:
            lengths[place] = longest
    return growth, largest


@always_inline
def worth_of(words: Any, at: int, flips: bool, values: Any, inside: Any, numbers: Any) -> float:
    """Return the value of a term to the player to move."""
    term = np.int64(words[at])
    there, kind = term >> 3, term >> 1 & 3
    if kind == STORED:
        worth = values[there]
    elif kind == INSIDE:
        worth = inside[there]
    else:
        worth = numbers[there]
    return to_mover(worth, term) if flips else worth  # type: ignore[no-any-return]


@always_inline
def _length(words: Any, at: int, begin: int, lengths: Any, inside: Any) -> float:
    """Return the remaining length in the component after a term."""
    term = np.int64(words[at])
    there, kind = term >> 3, term >> 1 & 3
    if kind == STORED:
        return lengths[there - begin] if there - begin < len(lengths) else 0.0
    return inside[there] if kind == INSIDE else 0.0


@always_inline
def _call_ahead(words: Any, at: int, values: Any) -> None:
    if at + AHEAD < len(words):
        there = np.int64(words[at + AHEAD]) >> 3
        if there < len(values):
            prefetch(values, there)
