"""Retrograde analysis of two-player games without chance: the winner of each position and the plies to the end.

A position's score is E - n if the mover wins in n plies, n - E if the mover loses in n, and 0 if neither
can force a win, where E is the greatest number that the scores' type holds. So the winner hurries and
the loser delays when each takes the action of the greatest score:

    score(s) = max over actions of step(score(after), negated where the turn passes on),

where `step` moves a score by one towards 0. An infinite play is a draw. These equations have one solution
in which wins and losses take finitely many plies, and it is correct: by induction on the plies for wins and
losses; where the score is 0, the player can stay in such positions forever or to the end, while no
action leads to a loss of the opponent. (K. Thompson, "Retrograde Analysis of Certain Endgames",
ICCA Journal 9(3), 1986, works back move by move; here the order of the packed states replaces most of that.)

Positions are processed in descending order of their packed states, so that in games whose moves increase the packed
state, for example by adding counters, all successor scores are known and memory is accessed in order. A position that
leads to its own packed state or a lower one opens a group: all positions from it down to the lowest packed state that
the group leads to. These depend on each other and on final scores only. They start as draws and are backed up
repeatedly, in alternating directions, until a fixed point is reached. On the way a win or loss, once found, stays,
and its plies only decrease; so the iteration ends, and in the solution above.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from komi.arrays import I16, I32, I64, MAX_INDEX, check_indices
from komi.compiling.compiled import CompiledGame
from komi.errors import GameError, SolveError
from komi.graph.expanded_rules import GraphKernels
from komi.graph.lookup import StateIndex, index_of, is_member, locate, member_below, members, state_at
from komi.graph.reachability import find_reachable
from komi.graph.state_sets import StateSet
from komi.jit.kernels import engine_kernels
from komi.progress import Progress, silent
from komi.rules.interface import legal, outcomes, over, payoff
from komi.solvers.tablebase.position_graph import PositionTransitions
from komi.tuning import GROUP_POSITIONS, KEYS_AT_ONCE
from komi.typing import Rules, State


class BackupStatus(IntEnum):
    """The status that `back_up` returns."""

    DONE = 0
    FULL = 1  # the buffers of the group are too small
    LARGE = 2  # the group is complete, and the caller has to solve it by `converge_group`
    TOO_DEEP = 3  # some plies do not fit into the scores' type


ScoreArray = NDArray[np.int8] | NDArray[np.int16]

MAX_SWEEPS = 1 << 62  # no limit: a group always converges


class TablebaseCounts(NamedTuple):
    """The numbers of positions that the mover wins, loses and draws, and of terminal positions."""

    win: int
    loss: int
    draw: int
    terminal: int


@dataclass(frozen=True)
class Scores:
    """The scores of a set of positions: the winner and the plies to the end.

    Attributes:
        states: the positions, none of them terminal.
        scores: int8[states] or int16[states], see the module docstring; E is the greatest number of that type.
        counts: the number of positions of each kind.
    """

    states: StateSet
    scores: ScoreArray
    counts: TablebaseCounts


def solve_positions(
    compiled: CompiledGame,
    rules: Rules,
    roots: Sequence[Any],
    known: Scores | None = None,  # noqa: ARG001
    progress: Progress = silent,
) -> Scores:
    """Compute the scores of all positions that are reachable from the roots, and of no others.

    Raises:
        OtherKindError: if an action has more than one outcome or is a chance move, or a payoff is not 0, 1/2 or 1.
        GameError: if the rules are broken.
        SolveError: if there are too many positions, or a win takes more plies than can be stored.
    """
    transitions = PositionTransitions(compiled, rules)
    states, _ = find_reachable(transitions, roots, progress=progress)
    for kind in (np.int8, np.int16):
        scores = _scores(compiled, rules, states, cast(ScoreArray, np.zeros(states.size, kind)), progress)
        if scores is not None:
            break
    else:
        raise SolveError(f"some positions of {compiled.game.name} take more than {np.iinfo(kind).max} plies to win.")
    win, loss = int(np.count_nonzero(scores > 0)), int(np.count_nonzero(scores < 0))
    counts = TablebaseCounts(win, loss, states.size - win - loss, transitions.terminal.count)
    return Scores(states, scores, counts)


def verify(compiled: CompiledGame, rules: Rules, states: StateSet, scores: ScoreArray) -> None:
    """Verify that the score of every position follows from the rules and its successors' scores.

    Args:
        compiled, rules, states, scores: the solved game.

    Raises:
        GameError: if a score does not follow.
    """
    kernel = GraphKernels(compiled)[inconsistent]
    most = int(np.iinfo(scores.dtype).max)
    for begin in range(0, states.handle_limit, KEYS_AT_ONCE):
        handle = kernel(rules, states, scores, most, begin, min(begin + KEYS_AT_ONCE, states.handle_limit))
        if handle >= 0:
            game = compiled.game
            state = game.write(rules, game.module.State(*states.fields_at(handle)))
            message = f"{game.file.name}: the value of {state} does not follow from those of the positions after it."
            raise GameError(message, state)


def _scores(
    compiled: CompiledGame, rules: Rules, states: StateSet, scores: ScoreArray, progress: Progress
) -> ScoreArray | None:
    """Fill in the scores; return None if some plies do not fit into their type."""
    most = int(np.iinfo(scores.dtype).max)
    last = states.handle_limit
    at = np.array(At(last, states.size, 0, 0, 0, 0, 0), np.int64)
    group = Group.empty(1 << 10, 1 << 12)
    while at[0] > 0:
        end = max(int(at[0] - 1) - KEYS_AT_ONCE, 0) & ~63
        how = GraphKernels(compiled)[back_up](rules, states, scores, most, group, at, end)
        if how == BackupStatus.LARGE:
            where, changes, changed = At(*at.tolist()), 1, 0
            while changes > 0:
                changes = engine_kernels()[converge_group](scores, where.top_index, where.states, group, not changed, 2)
                changed += changes
                progress("sweeping positions", changed, 0)
            at[5], how = 0, BackupStatus.TOO_DEEP if changes < 0 else BackupStatus.DONE
        if how == BackupStatus.TOO_DEEP:
            return None
        if how == BackupStatus.FULL:
            group = group.larger()
        progress("working back", last - int(at[0]), last)
    return scores


class Group(NamedTuple):
    """The positions of a group, highest packed state first, as a graph that can be backed up without the rules."""

    fixed: I16  # [states] the best of the final scores among its successors
    edges_end: I64  # [states] one past its last edge
    edges: I32  # [edges] 2 * index of the successor in the group, + 1 if the turn passes on

    @classmethod
    def empty(cls, states: int, edges: int) -> "Group":
        """Allocate buffers for a number of states and edges.

        Raises:
            SolveError: if 31 bits cannot number the states.
        """
        check_indices(states, "positions that lead to each other", MAX_INDEX // 2)
        return cls(np.empty(states, np.int16), np.empty(states, np.int64), np.empty(edges, np.int32))

    def larger(self) -> "Group":
        """Return a copy with twice the capacity."""
        check_indices(2 * len(self.fixed), "positions that lead to each other", MAX_INDEX // 2)
        return Group._make(np.concatenate((array, np.empty_like(array))) for array in self)


class GroupRange(NamedTuple):
    """The location of the open group."""

    top: int  # its highest packed state
    top_index: int  # the index of that state
    low: int  # the lowest packed state that it leads to


class At(NamedTuple):
    """The progress of the retrograde analysis."""

    cursor: int  # packed states from here up are done, or in the open group
    below: int  # the number of positions below the cursor
    top: int  # the highest packed state of the open group
    top_index: int  # its index
    low: int  # the lowest packed state that the group leads to
    states: int  # the size of the open group; 0 if none is open
    edges: int  # the number of edges of the open group


def back_up(rules: Rules, states: StateIndex, scores: ScoreArray, most: int, group: Group, at: I64, end: int) -> int:
    """Compute the scores of the positions from the cursor down to the packed state `end`.

    Args:
        rules: the rules.
        states: all positions.
        scores: int8[positions] or int16[positions], filled in.
        most: E, the greatest score.
        group: buffers for the open group.
        at: int64[7], an `At`, read and written.
        end: where to stop, a multiple of 64.

    Returns:
        a `BackupStatus`
    """
    fixed, edges_end, edges = group
    cursor, below, top, top_index, low, size, transitions = at
    while cursor > end:
        here = member_below(states, cursor, end)
        if here < 0:
            cursor = end
            break
        if size == 0:
            top, top_index, low, transitions = here, below - 1, here, 0
        best, last, how = 0, transitions, BackupStatus.FULL
        if size < len(fixed):
            group_range = GroupRange(top, top_index, low)
            how, best, last, low = back_up_once(rules, states, scores, most, edges, here, group_range, transitions)
        if how != BackupStatus.DONE:
            _keep(at, cursor, below, top, top_index, low, size, transitions)
            return how
        transitions = last
        if size > 0 or transitions > 0:
            fixed[size] = best
            edges_end[size] = transitions
            size += 1
        else:
            scores[below - 1] = best
        cursor = here
        below -= 1
        if size > 0 and here <= low:
            _keep(at, cursor, below, top, top_index, low, size, transitions)
            if size > GROUP_POSITIONS:
                return BackupStatus.LARGE
            if converge_group(scores, top_index, size, group, True, MAX_SWEEPS) != 0:
                return BackupStatus.TOO_DEEP
            size = 0
    _keep(at, cursor, below, top, top_index, low, size, transitions)
    return BackupStatus.DONE


def _keep(at: I64, cursor: int, below: int, top: int, top_index: int, low: int, size: int, transitions: int) -> None:
    """Store the progress, entry by entry: one assignment of all entries takes seconds to compile."""
    at[0], at[1], at[2], at[3], at[4], at[5], at[6] = cursor, below, top, top_index, low, size, transitions


def back_up_once(
    rules: Rules,
    states: StateIndex,
    scores: ScoreArray,
    most: int,
    edges: I32,
    here: int,
    group_range: GroupRange,
    first: int,
) -> Any:
    """Back up one position from the known scores above the open group, and add edges to its other successors.

    Returns:
        (DONE, FULL or TOO_DEEP, the best of the known scores, one past the last edge, the lowest packed state led to)
    """
    top, top_index, low = group_range
    state = state_at(states, here)
    last = first
    best = -most - 1
    for action in legal(rules, state):
        for _, after, passes in outcomes(rules, state, action):
            word = locate(states, after)
            if is_member(states, word):
                target = index_of(states, word)
                if word <= top:
                    if last == len(edges):
                        return BackupStatus.FULL, best, first, low
                    edges[last] = 2 * (top_index - target) + (passes & 1)
                    last += 1
                    low = min(low, word)
                    continue
                score = int(scores[target])
            else:
                score = final_score(rules, after, most)
            if score == 1 or score == -1:
                return BackupStatus.TOO_DEEP, best, first, low
            best = max(best, step(-score if passes & 1 else score))
        if best == most - 1:  # a win in one ply: nothing is better
            return BackupStatus.DONE, best, first, low
    return BackupStatus.DONE, best, last, low


def converge_group(scores: ScoreArray, top_index: int, states: int, group: Group, is_new: bool, sweeps: int) -> int:
    """Sweep the group, in alternating directions, until a fixed point is reached, at most `sweeps` times.

    Returns:
        the number of scores that the last sweep changed; -1 if plies do not fit into the scores' type.
    """
    if is_new:
        scores[top_index + 1 - states : top_index + 1] = 0
    changes = 1
    for number in range(sweeps):
        changes = sweep_group(scores, top_index, states, group, number % 2 == 1)
        if changes <= 0:
            break
    return changes


def sweep_group(scores: ScoreArray, top_index: int, states: int, group: Group, upwards: bool) -> int:
    """Back up each position of a group once. Return the number of changed scores; -1 if plies do not fit."""
    fixed, edges_end, edges = group
    changes = 0
    for i in range(states):
        position = states - 1 - i if upwards else i
        best = int(fixed[position])
        for edge in edges[edges_end[position - 1] if position else 0 : edges_end[position]]:
            score = int(scores[top_index - (edge >> 1)])
            if score == 1 or score == -1:
                return -1
            best = max(best, step(-score if edge & 1 else score))
        if best != scores[top_index - position]:
            scores[top_index - position] = best
            changes += 1
    return changes


def step(score: int) -> int:
    """Return the score one ply earlier."""
    if score > 0:
        return score - 1
    return score + 1 if score < 0 else 0


def final_score(rules: Rules, state: State, most: int) -> int:
    """Return the score of a terminal position."""
    share = payoff(rules, state)
    return most if share == 1.0 else -most if share == 0.0 else 0


def step_score(rules: Rules, states: StateIndex, scores: ScoreArray, most: int, after: State, passes: int) -> int:
    """Return the score of an action with this successor."""
    word = locate(states, after)
    score = int(scores[index_of(states, word)]) if is_member(states, word) else final_score(rules, after, most)
    return step(-score if passes & 1 else score)


def inconsistent(rules: Rules, states: StateIndex, scores: ScoreArray, most: int, begin: int, end: int) -> int:
    """Return the place of a position from `begin` to `end` whose score violates the equations, or -1."""
    for handle in range(begin, end):
        if not is_member(states, handle):
            continue
        state = state_at(states, handle)
        best = -most - 1
        for action in legal(rules, state):
            for _, after, passes in outcomes(rules, state, action):
                if not (is_member(states, locate(states, after)) or over(rules, after)):
                    return handle
                best = max(best, step_score(rules, states, scores, most, after, passes))
        if best != scores[index_of(states, handle)]:
            return handle
    return -1


def choose(rules: Rules, states: StateIndex, scores: ScoreArray, most: int, choices: I16) -> None:
    """Choose the action of the greatest score in every position, the first of several.

    Args:
        rules: the rules.
        states: the `StateSet` of the positions.
        scores: int8[positions] or int16[positions].
        most: E, the greatest score.
        choices: int16[positions], filled in.
    """
    for index, here in members(states.keys):
        state = state_at(states, here)
        best = -2 * most
        for action in legal(rules, state):
            for _, after, passes in outcomes(rules, state, action):
                score = step_score(rules, states, scores, most, after, passes)
                if score > best:
                    best = score
                    choices[index] = action
