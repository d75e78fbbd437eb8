"""Strongly connected components of the reachable states, with their transitions, in reverse topological order.

Tarjan's depth-first search (R. Tarjan, SIAM J. Comput. 1(2), 1972), iterative, over the states that the
reachability analysis has found. The transitions of each state are computed once, when it is first visited; they stay
on a stack until its strongly connected component is complete, and are then copied to a batch. When a component is
complete, all components that it leads to have been completed before.
"""

from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np

from komi.arrays import I32, I64, check_indices
from komi.graph.lookup import StateIndex, index_of, locate, state_at
from komi.graph.transitions import Transitions, begin, count_columns, gain_at, set_gain, to_mover
from komi.jit.intrinsics import prefetch
from komi.jit.specialization import always_inline
from komi.rules.interface import legal, outcomes, over, payoff, reward, seat_payoff
from komi.typing import Rules

NOT_VISITED = 0  # `status` of a state
COMPLETE = 1  # `status` of a state whose component is complete; so is any other positive number


class SearchStatus(IntEnum):
    """The status of a search when it returns."""

    DONE = 0
    FULL = 1  # the batch
    TOO_LARGE = 2  # the next component, for an empty batch
    OVERFULL = 3  # the stacks of actions or outcomes


class StackTop(IntEnum):
    """The entries of `ComponentSearch.top`."""

    PATH = 0
    STATES = 1
    ACTIONS = 2
    OUTCOMES = 3
    ROOTS = 4


class ComponentSearch(NamedTuple):
    """A depth-first search that can pause: its stacks and their heights."""

    stacked: Transitions  # those of the states on the component stack, and which of these the search has left
    handle: I64  # int64[outcomes] parallel to `stacked.target`: the target's handle; once followed, its `status`
    low: I32  # int32[states] Tarjan's low link: the lowest stack position that a state is known to lead to
    path: I32  # int32[states] positions on the component stack of the states on the current path
    next: I64  # int64[states] parallel to `path`: the next outcome to follow
    status: I32  # int32[all states] `stacked_at` the position on the component stack; NOT_VISITED; positive: COMPLETE
    top: I64  # int64[5] the heights of the stacks: path, states, actions, outcomes; and the number of roots visited
    spare: int  # the maximal number of actions and outcomes of a state, if the stacks can be too small for all; else 0

    @classmethod
    def allocate(
        cls, status: I32, states: int, actions: int, outcomes: int, gain_columns: int, spare: int = 0
    ) -> "ComponentSearch":
        """Create a search of a number of states, given their `status`. The stacks take memory only where used.

        Raises:
            SolveError: if there are more states than can be numbered.
        """
        check_indices(len(status), "pairs of a state and the player to move")
        return cls(
            Transitions.empty(states, actions, outcomes, gain_columns),
            np.empty(outcomes, np.int64),
            np.empty(states, np.int32),
            np.empty(states, np.int32),
            np.empty(states, np.int64),
            status,
            np.zeros(5, np.int64),
            spare,
        )


def search_components(
    rules: Rules,
    seats: int,
    states: StateIndex,
    roots: I64,
    search: ComponentSearch,
    batch: Transitions,
    ends: I64,
    source: Any,
) -> Any:
    """Continue the search until the batch is full or the search is complete.

    Args:
        rules: the rules.
        seats: the number of seats.
        states: the states that are searched.
        roots: int64[., 2], the handle and the index of each initial state.
        search: the search, modified in place.
        batch: filled in.
        ends: int64[.], filled in: one past the last state of each component in the batch.
        source: arrays for `push_transitions`, if specialization replaces it.

    Returns:
        (how it ended, components in the batch, its states, actions and outcomes). TOO_LARGE: the batch
        is empty and the next component does not fit; the other numbers are its size. OVERFULL: the stacks of
        actions or outcomes have no capacity for `search.spare` more.
    """
    stacked, handles, lows, path, nexts, status, top, spare = search
    depth, height, root = top[StackTop.PATH], top[StackTop.STATES], top[StackTop.ROOTS]
    components = closed = actions = transitions = 0
    entering = index = -1
    before = 0
    while True:
        if entering >= 0:
            if top[StackTop.ACTIONS] + spare > len(stacked.action) or top[StackTop.OUTCOMES] + spare > len(
                stacked.target
            ):
                return SearchStatus.OVERFULL, 0, height, top[StackTop.ACTIONS], top[StackTop.OUTCOMES]
            for distance in (2, 4):  # successive indices often have equal distances
                prefetch(status, index + distance * (index - before))
            before = index
            status[index] = stacked_at(height)
            lows[height] = height
            stacked.state[height] = index
            path[depth] = height
            nexts[depth] = top[StackTop.OUTCOMES]
            push_transitions(rules, seats, states, entering, index, search, source)
            stacked.actions_end[height] = top[StackTop.ACTIONS]
            depth += 1
            height += 1
            entering = -1
        elif depth == 0:
            if root == len(roots):
                break
            index = roots[root, 1]
            if status[index] == NOT_VISITED:
                entering = roots[root, 0]
            root += 1
            continue
        here = path[depth - 1]
        outcome = _follow_outcomes(search, here, depth - 1)
        if outcome >= 0:
            entering, index = handles[outcome], stacked.target[outcome]
            continue
        low = lows[here]
        if low < here:
            depth -= 1
            stacked.postorder[height - depth - 1] = here
            parent = path[depth - 1]
            lows[parent] = min(lows[parent], low)
            continue
        size, first_action, first_outcome = _component_begin(stacked, here, height)
        new_actions, new_transitions = top[StackTop.ACTIONS] - first_action, top[StackTop.OUTCOMES] - first_outcome
        end_action, end_transition = actions + new_actions, transitions + new_transitions
        if components == len(ends) or not _fit(batch, closed + size, end_action, end_transition):
            top[StackTop.PATH], top[StackTop.STATES], top[StackTop.ROOTS] = depth, height, root
            if components == 0:
                return SearchStatus.TOO_LARGE, 0, size, new_actions, new_transitions
            return SearchStatus.FULL, components, closed, actions, transitions
        depth -= 1
        stacked.postorder[height - depth - 1] = here
        _move_component(search, batch, here, depth, height, closed, actions, transitions)
        closed, actions, transitions = closed + size, end_action, end_transition
        ends[components] = closed
        components += 1
        height, top[StackTop.ACTIONS], top[StackTop.OUTCOMES] = here, first_action, first_outcome
    top[StackTop.PATH], top[StackTop.STATES], top[StackTop.ROOTS] = depth, height, root
    return SearchStatus.DONE, components, closed, actions, transitions


@always_inline
def stacked_at(position: Any) -> Any:
    """Return the `status` of a state at a position on the component stack, and the other way round."""
    return -1 - position


def _fit(batch: Transitions, states: int, actions: int, outcomes: int) -> bool:
    """Return whether a batch has room for these numbers of states, actions and outcomes."""
    return states <= len(batch.state) and actions <= len(batch.action) and outcomes <= len(batch.target)


@always_inline
def push_transitions(
    rules: Rules,
    seats: int,
    states: StateIndex,
    handle: int,
    index: int,  # noqa: ARG001  for other sources
    search: ComponentSearch,
    source: Any,  # noqa: ARG001
) -> None:
    """Push the actions and outcomes of a state that is visited for the first time, by running the rules in it.

    Specialization replaces this function for other sources of transitions, as in `transient.entry`.

    Args:
        rules, seats, states: as in `search_components`.
        handle, index: of the state.
        search: the search, whose stacks of actions and outcomes grow.
        source: what another source of transitions needs.
    """
    stacked, top = search.stacked, search.top
    gains = stacked.gain
    columns = count_columns(gains)
    if columns == 1:
        seats = 2
    action, height = top[StackTop.ACTIONS], top[StackTop.OUTCOMES]
    state = state_at(states, handle)
    for number in legal(rules, state):
        gain = ending = 0.0
        for column in range(1, columns):
            set_gain(gains, action, column, 0.0)
        first = height
        for probability, after, passes in outcomes(rules, state, number):
            turn = passes
            while turn > seats:
                turn -= seats
            gained = reward(rules, state, number, after)
            if gained != 0.0:  # the compiler removes this in a game without rewards
                gain += probability * gained
                if seats == 1 and columns > 1:
                    set_gain(gains, action, 1, gain_at(gains, action, 1) + probability * abs(gained))
            if over(rules, after):
                ending += probability
                if columns == 1:
                    gain += probability * to_mover(payoff(rules, after), turn)
                else:
                    gain += probability * seat_payoff(rules, after, (seats - turn) % seats)
                    for column in range(1, columns):
                        theirs = abs(seat_payoff(rules, after, (column + seats - turn) % seats))
                        set_gain(gains, action, column, gain_at(gains, action, column) + probability * theirs)
                continue
            height = push_outcome(search, first, height, locate(states, after), states, probability, turn)
        set_gain(gains, action, 0, gain)
        stacked.action[action] = number
        stacked.ending[action] = ending
        stacked.outcomes_end[action] = height
        action += 1
    top[StackTop.ACTIONS], top[StackTop.OUTCOMES] = action, height


@always_inline
def push_outcome(
    search: ComponentSearch, first: int, height: int, handle: int, states: StateIndex, probability: float, passes: int
) -> int:
    """Push an outcome, or add it to an equal one of the same action, from `first` on; return the new height."""
    stacked = search.stacked
    target = index_of(states, handle)
    prefetch(search.status, target)
    same = first
    while same < height and (stacked.target[same] != target or stacked.passes[same] != passes):
        same += 1
    if same < height:
        stacked.probability[same] += probability
        return height
    stacked.target[height] = target
    stacked.probability[height] = probability
    stacked.passes[height] = passes
    search.handle[height] = handle
    return height + 1


@always_inline
def _follow_outcomes(search: ComponentSearch, here: int, depth: int) -> Any:
    """Follow the outcomes of the state at stack position `here`, and update its low link.

    Returns:
        the first outcome that leads to a state that has not been visited, or -1
    """
    stacked, handles, status = search.stacked, search.handle, search.status
    follow: Any = search.next[depth]
    end = stacked.outcomes_end[stacked.actions_end[here] - 1]
    low = search.low[here]
    found: Any = np.int64(-1)
    while follow < end:
        target_status = status[stacked.target[follow]]
        if target_status == NOT_VISITED:
            found = follow
            break
        if stacked_at(low) < target_status < 0:
            low = stacked_at(target_status)
        handles[follow] = target_status
        follow += 1
    search.low[here] = low
    search.next[depth] = follow
    return found


@always_inline
def _component_begin(stacked: Transitions, here: int, height: int) -> Any:
    """Return the number of states from stack position `here` on, and their first action and outcome."""
    first_action = begin(stacked.actions_end, here)
    return height - here, first_action, begin(stacked.outcomes_end, first_action)


@always_inline
def _move_component(
    search: ComponentSearch,
    batch: Transitions,
    here: int,
    depth: int,
    height: int,
    closed: int,
    actions: int,
    transitions: int,
) -> None:
    """Copy the component from stack position `here` on to the batch, after the given numbers of its entries."""
    stacked, handles, status = search.stacked, search.handle, search.status
    size, first_action, first_outcome = _component_begin(stacked, here, height)
    first_postorder = height - depth - size
    for i in range(size):
        batch.state[closed + i] = stacked.state[here + i]
        batch.postorder[closed + i] = stacked.postorder[first_postorder + i] - here
        batch.actions_end[closed + i] = stacked.actions_end[here + i] - first_action + actions
        status[stacked.state[here + i]] = COMPLETE
    for i in range(search.top[StackTop.ACTIONS] - first_action):
        for column in range(count_columns(stacked.gain)):
            set_gain(batch.gain, actions + i, column, gain_at(stacked.gain, first_action + i, column))
        batch.action[actions + i] = stacked.action[first_action + i]
        batch.ending[actions + i] = stacked.ending[first_action + i]
        batch.outcomes_end[actions + i] = stacked.outcomes_end[first_action + i] - first_outcome + transitions
    for i in range(search.top[StackTop.OUTCOMES] - first_outcome):
        within = handles[first_outcome + i]
        batch.target[transitions + i] = here + within if within < 0 else stacked.target[first_outcome + i]
        batch.probability[transitions + i] = stacked.probability[first_outcome + i]
        batch.passes[transitions + i] = stacked.passes[first_outcome + i]
