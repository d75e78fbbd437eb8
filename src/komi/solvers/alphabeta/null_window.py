"""The kernel of the search: prove that the score of a position is at least beta, or less.

Alpha-beta search with a null window (D. E. Knuth and R. W. Moore, "An Analysis of Alpha-Beta Pruning", Artificial
Intelligence 6, 1975), fail-soft: of the score s of a position and beta it returns a bound b with

    b <= s, if b >= beta: an action leads to a position with such a bound;
    b >= s, if b < beta: every action leads to one.

A result follows from results of successors that were complete before, in the end from payoffs. So it is proved by
induction, whatever the table contains and whatever infinite play counts. A position that leads back to itself is
refused, since its own result would be needed.

Where the turn passes, scores change sign: score >= beta for the mover unless score >= 1 - beta for the opponent.
Actions whose outcome ends the game, or is in the table, are decided before any is searched (enhanced transposition
cutoffs: J. Schaeffer and A. Plaat, "New Advances in Alpha-Beta Searching", 1996). The action of the table is searched
first, then those that have most often decided elsewhere (J. Schaeffer, "The History Heuristic", ICCA Journal 6(3),
1983).
"""

from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np

from komi.arrays import I64
from komi.graph.expanded_rules import ExpandedGame, expansion_at
from komi.graph.expansion import HIGH, IMAGE_HIGH, IMAGE_LOW, LOW, NUMBER, OUTCOMES, OVER, PROBABLY, TURNS
from komi.jit.addresses import call_at
from komi.jit.intrinsics import hash_key, leading_zeros
from komi.jit.specialization import always_inline
from komi.solvers.alphabeta.transposition_table import (
    EMPTY,
    MAX_SCORE,
    NO_MOVE,
    TranspositionTable,
    bounds_at,
    find_entry,
    store,
)

MAX_PLIES = 1 << 12
"""The longest line of play that is searched."""
MAX_SUCCESSORS = 1 << 20
"""The most successors of all positions of a line together."""
PATH_SLOTS = 4 * MAX_PLIES
TRIED_FIRST = 1 << 62
"""The rank of the action of the table."""


class NullWindowStatus(IntEnum):
    """The status that `search` returns; smaller numbers are those of `expand`."""

    DONE = 0
    PAUSED = 1
    CHANCE = 2  # an action has several outcomes
    PAYOFF = 3  # a payoff is no multiple of the unit
    CYCLE = 4  # a position leads back to itself
    LONG = 5  # a line of play is too long
    OUTSIDE = 6  # a successor does not fit into the layout
    KNOWN = 7  # the table has the result


class Frame(IntEnum):
    """The columns of a position on the path."""

    HIGH = 0  # its halves
    LOW = 1
    BETA = 2
    BEST = 3  # the greatest upper bound of the actions that are decided
    MOVE = 4  # the action that has it
    NEXT = 5  # the row of the successor that is searched
    END = 6  # one past its last successor
    SIDE = 7  # 0 or 1, the player to move
    SLOT = 8  # its slot in the set of positions on the path
    BEGIN = 9  # the number of positions visited before


class Successor(IntEnum):
    """The columns of a successor that is not decided yet."""

    HIGH = 0
    LOW = 1
    ACTION = 2
    TURN = 3  # 1 if the turn passes
    RANK = 4


class SearchState(IntEnum):
    """The progress of a search."""

    DEPTH = 0
    IS_NEW = 1  # 1 if the position at this depth is to be visited, 0 if its result is known
    RESULT = 2
    MOVE = 3  # the action of the root that attains the result, if it is a lower bound
    VISITED = 4


class SearchStack(NamedTuple):
    """The state of a search that can pause.

    Attributes:
        at: int64[SearchState], its progress.
        frame: int64[plies, Frame], the positions on the path.
        successor: int64[., Successor], their successors.
        path: int64[PATH_SLOTS, 2], the halves of the positions on the path, as a hash table.
        history: int64[2, actions], how often an action has decided a position, for each side.
    """

    at: I64
    frame: I64
    successor: I64
    path: I64
    history: I64

    @classmethod
    def for_actions(cls, action_limit: int) -> "SearchStack":
        """Allocate the stack for a game with so many action numbers."""
        return cls(
            np.zeros(len(SearchState), np.int64),
            np.zeros((MAX_PLIES + 1, len(Frame)), np.int64),
            np.empty((MAX_SUCCESSORS, len(Successor)), np.int64),
            np.full((PATH_SLOTS, 2), EMPTY, np.int64),
            np.zeros((2, action_limit), np.int64),
        )

    def begin(self, high: int, low: int, beta: int) -> None:
        """Begin the search of a position."""
        self.at[[SearchState.DEPTH, SearchState.IS_NEW, SearchState.MOVE]] = 0, 1, NO_MOVE
        self.frame[0] = 0
        self.frame[0, [Frame.HIGH, Frame.LOW, Frame.BETA]] = high, low, beta
        self.path[:] = EMPTY


def search(
    game: ExpandedGame, images: int, scale: int, table: TranspositionTable, stack: SearchStack, budget: int
) -> Any:
    """Continue a search until it is complete, or has visited `budget` positions.

    Args:
        game: the game.
        images: the address of `images.find_least_image`, or 0 to use no symmetries.
        scale: twice the payoff of `share` is the score `2 share scale - scale`, which is an integer.
        table: proved bounds, read and added to.
        stack: its progress, from `SearchStack.begin` on.
        budget: the number of visits after which to pause.

    Returns:
        how it ended, a NullWindowStatus, or what `expand` returns where it fails.
    """
    at = stack.at
    end_visits = at[SearchState.VISITED] + budget
    while True:
        if at[SearchState.IS_NEW]:
            if at[SearchState.VISITED] == end_visits:
                return np.int64(NullWindowStatus.PAUSED)
            status = visit(game, images, scale, table, stack)
            if status == NullWindowStatus.KNOWN:
                at[SearchState.DEPTH] -= 1
                at[SearchState.IS_NEW] = 0
                continue
            if status != NullWindowStatus.DONE:
                return status
        else:
            take_result(stack)
        depth = at[SearchState.DEPTH]
        frame = stack.frame[depth]
        if frame[Frame.BEST] < frame[Frame.BETA] and frame[Frame.NEXT] < frame[Frame.END]:
            if depth == MAX_PLIES:
                return np.int64(NullWindowStatus.LONG)
            descend(stack)
            continue
        conclude(table, stack)
        if depth == 0:
            return np.int64(NullWindowStatus.DONE)


def visit(game: ExpandedGame, images: int, scale: int, table: TranspositionTable, stack: SearchStack) -> Any:
    """Visit the position on top of the path: look it up, or decide what its successors decide without a search.

    Returns:
        KNOWN if the table has its result, DONE if not, or how it failed.
    """
    at, successors = stack.at, stack.successor
    depth = at[SearchState.DEPTH]
    frame = stack.frame[depth]
    high, low, beta = frame[Frame.HIGH], frame[Frame.LOW], frame[Frame.BETA]
    slot = find_entry(table, high, low)
    tried: Any = np.int64(NO_MOVE)
    if slot >= 0:
        lower, upper, tried = bounds_at(table, slot)
        if depth > 0 and (lower >= beta or upper < beta):
            at[SearchState.RESULT] = lower if lower >= beta else upper
            return np.int64(NullWindowStatus.KNOWN)
    slot = path_slot(stack.path, high, low)
    if stack.path[slot, 1] != EMPTY:
        return np.int64(NullWindowStatus.CYCLE)
    stack.path[slot, 0], stack.path[slot, 1] = high, low
    frame[Frame.SLOT], frame[Frame.BEGIN] = slot, at[SearchState.VISITED]
    at[SearchState.VISITED] += 1
    actions = call_at(game.function, game.context, high, low)
    if actions < 0:
        return actions
    into = expansion_at(game.context)
    if into.counts[OUTCOMES] != actions or into.action[0, NUMBER] < 0:
        return np.int64(NullWindowStatus.CHANCE)
    if into.deficit[0] != 0.0:
        return np.int64(NullWindowStatus.PAYOFF)
    frame[Frame.BEST], frame[Frame.MOVE] = -MAX_SCORE, NO_MOVE
    end = frame[Frame.NEXT]
    for outcome in range(actions):
        if into.weight[outcome, PROBABLY] != 1.0:
            return np.int64(NullWindowStatus.CHANCE)
        action, turn = into.action[outcome, NUMBER], into.outcome[outcome, TURNS] & 1
        if into.outcome[outcome, OVER]:
            share = into.payoff[outcome, 0]
            units = np.int64(share * scale + 0.5)
            if units / scale != share:
                return np.int64(NullWindowStatus.PAYOFF)
            lower = upper = 2 * units - scale
        else:
            next_high, next_low = into.outcome[outcome, HIGH], into.outcome[outcome, LOW]
            if next_low < 0:
                return np.int64(NullWindowStatus.OUTSIDE)
            if images != 0:
                status = call_at(images, game.context, next_high, next_low)
                if status < 0:
                    return status
                next_high, next_low = into.counts[IMAGE_HIGH], into.counts[IMAGE_LOW]
            lower, upper = known_bounds(table, next_high, next_low)
            if end == MAX_SUCCESSORS:
                return np.int64(NullWindowStatus.LONG)
            row = successors[end]
            row[Successor.HIGH], row[Successor.LOW], row[Successor.ACTION] = next_high, next_low, action
            row[Successor.TURN] = turn
            row[Successor.RANK] = TRIED_FIRST if action == tried else stack.history[frame[Frame.SIDE], action]
        if turn:
            lower, upper = -upper, -lower
        if lower >= beta or upper < beta:
            raise_best(frame, lower if lower >= beta else upper, action)
            if lower >= beta:
                break
        else:
            end += 1
    frame[Frame.END] = end
    return np.int64(NullWindowStatus.DONE)


@always_inline
def known_bounds(table: TranspositionTable, high: int, low: int) -> tuple[Any, Any]:
    """Return the bounds on the score of a position that the table has."""
    slot = find_entry(table, high, low)
    if slot < 0:
        return np.int64(-MAX_SCORE), np.int64(MAX_SCORE)
    lower, upper, _ = bounds_at(table, slot)
    return lower, upper


@always_inline
def raise_best(frame: I64, bound: int, action: int) -> None:
    """Record the bound of an action that is decided, if it is the greatest."""
    if bound > frame[Frame.BEST] or frame[Frame.MOVE] == NO_MOVE:
        frame[Frame.BEST], frame[Frame.MOVE] = bound, action


def path_slot(path: I64, high: int, low: int) -> Any:
    """Find the slot of a position among those on the path: the one that holds it, or the empty one for it."""
    last = np.uint64(len(path) - 1)
    slot = hash_key(high, low) & last
    while path[slot, 1] != EMPTY and (path[slot, 1] != low or path[slot, 0] != high):
        slot = (slot + np.uint64(1)) & last
    return np.int64(slot)


def take_result(stack: SearchStack) -> None:
    """Take the result of the successor that was searched."""
    frame = stack.frame[stack.at[SearchState.DEPTH]]
    row = stack.successor[frame[Frame.NEXT]]
    result = stack.at[SearchState.RESULT]
    raise_best(frame, -result if row[Successor.TURN] else result, row[Successor.ACTION])
    frame[Frame.NEXT] += 1


def descend(stack: SearchStack) -> None:
    """Put the successor of the highest rank on top of the path."""
    depth, successors = stack.at[SearchState.DEPTH], stack.successor
    frame, after = stack.frame[depth], stack.frame[depth + 1]
    first = best = frame[Frame.NEXT]
    for row in range(first + 1, frame[Frame.END]):
        if successors[row, Successor.RANK] > successors[best, Successor.RANK]:
            best = row
    if best != first:
        for column in range(successors.shape[1]):
            successors[first, column], successors[best, column] = successors[best, column], successors[first, column]
    turn = successors[first, Successor.TURN]
    after[Frame.HIGH], after[Frame.LOW] = successors[first, Successor.HIGH], successors[first, Successor.LOW]
    after[Frame.BETA] = 1 - frame[Frame.BETA] if turn else frame[Frame.BETA]
    after[Frame.SIDE] = frame[Frame.SIDE] ^ turn
    after[Frame.NEXT] = frame[Frame.END]
    stack.at[SearchState.DEPTH] = depth + 1
    stack.at[SearchState.IS_NEW] = 1


def conclude(table: TranspositionTable, stack: SearchStack) -> None:
    """Store the result of the position on top of the path, and remove it."""
    at = stack.at
    frame = stack.frame[at[SearchState.DEPTH]]
    best, move = frame[Frame.BEST], frame[Frame.MOVE]
    visited = at[SearchState.VISITED] - frame[Frame.BEGIN]
    effort = 64 - leading_zeros(np.uint64(visited))
    is_lower = best >= frame[Frame.BETA]
    if is_lower:
        stack.history[frame[Frame.SIDE], move] += effort
    bounds = (best, MAX_SCORE) if is_lower else (-MAX_SCORE, best)
    store(table, frame[Frame.HIGH], frame[Frame.LOW], bounds[0], bounds[1], move, effort)
    stack.path[frame[Frame.SLOT], 1] = EMPTY
    at[SearchState.RESULT], at[SearchState.MOVE] = best, move
    at[SearchState.DEPTH] -= 1
    at[SearchState.IS_NEW] = 0
