"""Expectimax to a fixed depth, for any number of players (max^n: Luckhardt and Irani, AAAI 1986).

With v the vector of what each seat receives, d the depth and i the seat to move,

    v_d(s) = E[v_(d-1)(s')] after the action with the greatest E[v_(d-1)(s')](i);

chance is summed exactly. v_0 is the mean of some playouts, with the same random numbers for all states, so that much of
the noise cancels; v of a terminal state is its payoffs. Values of states that are met again at the same depth are
looked up in a table. The search is depth-first, with a stack of the outcomes that are still to be visited.
"""

from typing import NamedTuple

import numpy as np

from komi.arrays import F64, I64, U64, Flags
from komi.game import CHANCE
from komi.jit.specialization import never_inline
from komi.rules.interface import legal, outcomes, over, pick, reward, state_from
from komi.search.playouts import PolicyStatus, is_forced, play_out, settle
from komi.search.tree import hash_state
from komi.streams import Stream, begin_game, stream_from
from komi.typing import PolicyData, Rules, State

TABLE_SLOTS = 1 << 14  # values kept; a later one takes the place of an earlier one with the same slot
FIRST_OUTCOMES = 1 << 10  # capacity of a new stack
_DEPTH = np.uint64(0x9E3779B97F4A7C15)
_HALF = np.uint64(32)


class SearchLimits(NamedTuple):
    """The limits of a search, and its objective.

    Attributes:
        depth: actions to look ahead, with those of chance.
        playouts: playouts of each state at that depth.
        seats: the number of players.
        sign: -1.0 if the only player minimizes, otherwise 1.0.
    """

    depth: int
    playouts: int
    seats: int
    sign: float


class Stack(NamedTuple):
    """The outcomes of the states on the current line, one state after the other, each in the order of the rules.

    Attributes:
        fields: int64[outcomes, fields], the next states.
        seats: int64[outcomes], the seats to move there.
        actions: int64[outcomes], the actions that lead there.
        chances: float64[outcomes], the probabilities.
        gains: float64[outcomes], the rewards.
        is_last: bool[outcomes], True for the last outcome of an action.
    """

    fields: I64
    seats: I64
    actions: I64
    chances: F64
    gains: F64
    is_last: Flags


class Line(NamedTuple):
    """The states on the current line, by the depth that remains below them.

    Attributes:
        depth: int64[1], the depth of the last state.
        next: int64[depth + 1], the outcome on the stack to visit next.
        ends: int64[depth + 1], one past the last outcome.
        seats: int64[depth + 1], the seat to move.
        keys: uint64[depth + 1], hashes of state, seat and depth.
        best: int64[depth + 1], the best action so far.
        highest: float64[depth + 1], the mover's value of it, with the sign.
        sums: float64[depth + 1, seats], the expected value of the current action, of the outcomes visited so far.
        values: float64[depth + 1, seats], the value of the best action, or of the state.
    """

    depth: I64
    next: I64
    ends: I64
    seats: I64
    keys: U64
    best: I64
    highest: F64
    sums: F64
    values: F64


class Memory(NamedTuple):
    """The values of states that earlier lines have visited.

    Attributes:
        keys: uint64[TABLE_SLOTS], hashes of state, seat and depth.
        values: float64[TABLE_SLOTS, seats], their values.
        returns: float64[seats], the result of a playout.
        estimates: float64[actions, 4], see `search`.
        counts: int64[2], how often the game has ended, and the number of estimates.
    """

    keys: U64
    values: F64
    returns: F64
    estimates: F64
    counts: I64


@never_inline
def choose_by_expectimax(rules: Rules, state: State, uniform: float, data: PolicyData) -> int:
    """Return the action with the greatest value, the first of several; ENDLESS if no line reached an end of the game.

    Args:
        rules: the rules.
        state: the state, as the player to move sees it.
        uniform: a uniform random number in [0, 1), which determines the playouts.
        data: the `SearchLimits`, and the data of the leaf policy.
    """
    if is_forced(rules, state):
        return pick(rules, state, uniform)[1]
    return search(rules, state, uniform, data, np.empty((0, 4)))


def search(rules: Rules, state: State, uniform: float, data: PolicyData, estimates: F64) -> int:
    """Search from a state, and return the action with the greatest value.

    Args:
        rules: the rules.
        state: the state, as the player to move sees it.
        uniform: a uniform random number in [0, 1), which determines the playouts.
        data: the `SearchLimits`, and the data of the leaf policy.
        estimates: float64[actions, 4], modified in place: each action, 1, the mover's value after it and its square, as
            `mcts.search` writes sums; actions without a row are left out.
    """
    limits, _ = data
    depths, seats = limits.depth + 1, limits.seats
    stack = new_stack(FIRST_OUTCOMES, len(state))
    line = Line(
        np.full(1, limits.depth, np.int64),
        np.zeros(depths, np.int64),
        np.zeros(depths, np.int64),
        np.zeros(depths, np.int64),
        np.zeros(depths, np.uint64),
        np.full(depths, CHANCE, np.int64),
        np.empty(depths),
        np.empty((depths, seats)),
        np.empty((depths, seats)),
    )
    memory = Memory(
        np.zeros(TABLE_SLOTS, np.uint64),
        np.empty((TABLE_SLOTS, seats)),
        np.empty(seats),
        estimates,
        np.zeros(2, np.int64),
    )
    stream = stream_from(uniform, hash_state(state))
    while not push(rules, state, 0, limits.depth, limits, stack, line):
        stack = grown_stack(stack)
    while not visit_all(rules, data, stack, line, memory, stream):
        stack = grown_stack(stack)
    return int(line.best[limits.depth]) if memory.counts[0] > 0 else PolicyStatus.ENDLESS


@never_inline
def visit_all(rules: Rules, data: PolicyData, stack: Stack, line: Line, memory: Memory, stream: Stream) -> bool:
    """Visit all outcomes on the stack and below; return False to be called again with a larger stack."""
    limits, _ = data
    while True:
        depth = line.depth[0]
        row = line.next[depth]
        if row == line.ends[depth]:
            slot = slot_of(line.keys[depth])
            memory.keys[slot] = line.keys[depth]
            memory.values[slot] = line.values[depth]
            if depth == limits.depth:
                return True
            line.depth[0] = depth + 1
            add_outcome(limits, stack, line, memory)
            continue
        state, seat = state_from(stack.fields, row), stack.seats[row]
        if is_known(rules, state, seat, depth - 1, limits, line, memory):
            add_outcome(limits, stack, line, memory)
        elif depth == 1:
            average_playouts(rules, state, seat, data, line.values[0], memory, stream)
            add_outcome(limits, stack, line, memory)
        elif push(rules, state, seat, depth - 1, limits, stack, line):
            line.depth[0] = depth - 1
        else:
            return False


def push(rules: Rules, state: State, seat: int, depth: int, limits: SearchLimits, stack: Stack, line: Line) -> bool:
    """Put the outcomes of a state that is not terminal on the stack; return False if there is no space."""
    row = line.ends[depth + 1] if depth < limits.depth else 0
    line.next[depth], line.seats[depth], line.keys[depth] = row, seat, key_of(state, seat, depth, limits)
    for action in legal(rules, state):
        for chance, after, passes in outcomes(rules, state, action):
            if row == len(stack.chances):
                return False
            for field in range(len(after)):
                stack.fields[row, field] = after[field]
            stack.seats[row], stack.actions[row] = (seat + passes) % limits.seats, action
            stack.chances[row], stack.gains[row] = chance, reward(rules, state, action, after)
            stack.is_last[row] = False
            row += 1
        stack.is_last[row - 1] = True
    line.ends[depth], line.highest[depth], line.sums[depth] = row, -np.inf, 0.0
    return True


def is_known(
    rules: Rules, state: State, seat: int, depth: int, limits: SearchLimits, line: Line, memory: Memory
) -> bool:
    """Fill row `depth` of the line's values if the state is terminal or in the table; return whether it is."""
    if over(rules, state):
        settle(rules, state, seat, 0.0, line.values[depth])
        memory.counts[0] += 1
        return True
    key = key_of(state, seat, depth, limits)
    slot = slot_of(key)
    if memory.keys[slot] != key:
        return False
    line.values[depth] = memory.values[slot]
    return True


def add_outcome(limits: SearchLimits, stack: Stack, line: Line, memory: Memory) -> None:
    """Add the value of the outcome that was just visited to its action, and compare the action if it is complete."""
    depth = line.depth[0]
    row = line.next[depth]
    line.next[depth] = row + 1
    sums = line.sums[depth]
    for seat in range(limits.seats):
        sums[seat] += stack.chances[row] * line.values[depth - 1, seat]
    if limits.seats == 1:
        sums[0] += stack.chances[row] * stack.gains[row]
    if not stack.is_last[row]:
        return
    value = limits.sign * sums[line.seats[depth]]
    if value > line.highest[depth]:
        line.highest[depth], line.best[depth] = value, stack.actions[row]
        line.values[depth] = sums
    sums[:] = 0.0
    if depth == limits.depth and memory.counts[1] < len(memory.estimates):
        estimate = memory.estimates[memory.counts[1]]
        estimate[0], estimate[1], estimate[2], estimate[3] = stack.actions[row], 1.0, value, value * value
        memory.counts[1] += 1


def average_playouts(
    rules: Rules, state: State, seat: int, data: PolicyData, values: F64, memory: Memory, stream: Stream
) -> None:
    """Fill float64[seats] with the mean result of some playouts from a state."""
    limits, leaf = data
    values[:] = 0.0
    for playout in range(limits.playouts):
        begin_game(stream, playout, seat)
        memory.counts[0] += play_out(rules, state, seat, leaf, stream, memory.returns)
        for each in range(limits.seats):
            values[each] += memory.returns[each] / limits.playouts


def key_of(state: State, seat: int, depth: int, limits: SearchLimits) -> np.uint64:
    """Hash a state with the seat to move and the depth; never 0."""
    key = np.uint64(hash_state(state)) ^ np.uint64(2 * (depth * limits.seats + seat)) * _DEPTH
    return np.uint64(key)


def slot_of(key: np.uint64) -> int:
    """Return the slot of a hash in the table."""
    return int(np.int64(key >> _HALF) & (TABLE_SLOTS - 1))


def new_stack(rows: int, fields: int) -> Stack:
    """Allocate a stack, in compiled code."""
    return Stack(
        np.empty((rows, fields), np.int64),
        np.empty(rows, np.int64),
        np.empty(rows, np.int64),
        np.empty(rows),
        np.empty(rows),
        np.empty(rows, np.bool_),
    )


def grown_stack(stack: Stack) -> Stack:
    """Return a copy of a stack with twice the capacity, in compiled code."""
    rows, fields = stack.fields.shape
    larger = new_stack(2 * rows, fields)
    larger.fields[:rows], larger.seats[:rows], larger.actions[:rows] = stack.fields, stack.seats, stack.actions
    larger.chances[:rows], larger.gains[:rows] = stack.chances, stack.gains
    larger.is_last[:rows] = stack.is_last
    return larger
