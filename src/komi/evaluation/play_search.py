"""Depth-first search of play: the states that play between given policies reaches, in topological order.

A *node* is a pair of a state and the role to move, numbered index * roles + role. The component search of `komi.graph`
runs on nodes: `push_play` replaces the function that pushes the transitions of a state.
"""

from collections.abc import Iterator, Sequence
from types import FunctionType
from typing import Any, NamedTuple, cast

import numpy as np

from komi.arrays import I8, I16, I32, I64, Flags
from komi.bellman import ActionCode
from komi.compiling.compiled import CompiledGame
from komi.game import CHANCE
from komi.graph.component_search import ComponentSearch, SearchStatus, StackTop, search_components
from komi.graph.expanded_rules import GraphKernels
from komi.graph.lookup import StateIndex, index_of, is_member, locate, members, state_at
from komi.graph.state_sets import StateSet
from komi.graph.transitions import Transitions, begin
from komi.jit.kernels import engine_kernels
from komi.rules.interface import legal, outcomes, over
from komi.solvers.solution import Solution
from komi.tuning import BATCH_STATES
from komi.typing import Rules, State


class PlayOrder(NamedTuple):
    """The nodes that play reaches, in topological order of their strongly connected components.

    In a component they are in reverse postorder of a depth-first search: nearly all transitions lead forward.

    Attributes:
        handles: int64[nodes], the handles of the states.
        indices: int32[nodes], the indices of the states.
        roles: int8[nodes], the roles to move.
        ends: int64[components], one past the last node of each component.
        loops: bool[nodes], True if an outcome leads to the same node.
        feedback: bool[nodes], True if another node leads back to this one: a cycle closes.
    """

    handles: I64
    indices: I32
    roles: I8
    ends: I64
    loops: Flags
    feedback: Flags


class _PlaySource(NamedTuple):
    """The transitions of play, for `push_play`.

    Attributes:
        policies: int16[roles, states], as in `reached_in_roles`.
        within_turns: True if outcomes that pass the turn are left out.
    """

    policies: I16
    within_turns: bool


def reached(solution: Solution[Any], actions: I16) -> Flags:
    """Return bool[states], True for states reachable from the start if every seat plays these actions.

    Args:
        solution: the solved game; its states are indexed like `actions`.
        actions: int16[states], the policy as tabulated by `policies.tabulate`.
    """
    return reached_in_roles(solution.compiled, solution.rules, solution.optimal_play.states, [actions])[:, 0]


def reached_in_roles(compiled: CompiledGame, rules: Rules, states: StateSet, policies: Sequence[I16]) -> Flags:
    """Return bool[states, roles], True for states reachable from the start with this role to move.

    Every role may make the first move.

    Args:
        compiled: the game.
        rules: its rules.
        states: all reachable states.
        policies: one policy per role, int16[states] of actions, or FREE or UNIFORM where any action is possible.
    """
    order = order_play(compiled, rules, states, np.stack(policies), first_roles=len(policies))
    is_reached = np.zeros((states.size, len(policies)), np.bool_)
    is_reached[order.indices, order.roles] = True
    return is_reached


def order_play(
    compiled: CompiledGame, rules: Rules, states: StateSet, policies: I16, first_roles: int = 1
) -> PlayOrder:
    """Order the nodes that play reaches.

    Args:
        compiled: the game.
        rules: its rules.
        states: all reachable states.
        policies: int16[roles, states], as in `reached_in_roles`.
        first_roles: the number of roles that may make the first move.
    """
    start = compiled.game.part("start")(rules)
    roots = np.array([[states.handle(start), states.index_of(start)]], np.int64) * len(policies)
    return _order(compiled, rules, states, _PlaySource(policies, False), roots + np.arange(first_roles)[:, None])


def order_turns(compiled: CompiledGame, rules: Rules, states: StateSet, policies: I16) -> PlayOrder:
    """Order the nodes that play reaches so that outcomes within a turn lead forward; those that pass it do not count.

    The parameters are those of `order_play`; role 0 makes the first move.
    """
    roles, order = len(policies), order_play(compiled, rules, states, policies)
    if roles == 1:
        return order
    roots = np.stack([order.handles, order.indices.astype(np.int64)], axis=1) * roles + order.roles[:, None].astype(
        np.int64
    )
    return _order(compiled, rules, states, _PlaySource(policies, True), roots)


def _order(compiled: CompiledGame, rules: Rules, states: StateSet, source: _PlaySource, roots: I64) -> PlayOrder:
    """Order the nodes that are reachable from the roots, int64[., 2], the handle and the index of each node."""
    roles, seats = len(source.policies), compiled.game.players(rules)
    handles, count = np.empty(states.size, np.int64), roles * states.size
    outcome_count = GraphKernels(compiled)[_count_outcomes](rules, states, source.policies, handles)
    search = ComponentSearch.allocate(np.zeros(count, np.int32), count, count, outcome_count, 1)
    kernel = GraphKernels(compiled, push_transitions=cast(FunctionType, push_play))[search_components]
    nodes_fit, outcomes_fit = min(BATCH_STATES, count), min(BATCH_STATES, outcome_count)
    batch, ends = Transitions.empty(nodes_fit, nodes_fit, outcomes_fit, 1), np.empty(BATCH_STATES, np.int64)
    nodes, loops, feedback = np.empty(count, np.int32), *np.zeros((2, count), np.bool_)
    size, how = 0, SearchStatus.TOO_LARGE
    component_ends = []
    while how != SearchStatus.DONE:
        how, components, *sizes = kernel(rules, seats, states, roots, search, batch, ends, source)
        if how == SearchStatus.TOO_LARGE:
            nodes_fit, outcomes_fit = max(nodes_fit, sizes[0]), max(outcomes_fit, sizes[2])
            batch = Transitions.empty(nodes_fit, nodes_fit, outcomes_fit, 1)
            continue
        window = slice(size, size + sizes[0])
        engine_kernels()[_order_batch](batch, ends[:components], nodes[window], loops[window], feedback[window])
        component_ends.append(size + ends[:components])
        size += sizes[0]
    begins = np.concatenate([np.zeros(1, np.int64), *component_ends])[:-1]
    indices, node_roles = np.divmod(nodes[:size][::-1], np.int32(roles))
    return PlayOrder(
        handles[indices],
        indices,
        node_roles.astype(np.int8),
        size - begins[::-1],
        loops[:size][::-1].copy(),
        feedback[:size][::-1].copy(),
    )


def _count_outcomes(rules: Rules, states: StateIndex, policies: I16, handles: I64) -> int:
    """Return the number of outcomes of all nodes, including unreachable ones; fill in int64[states], the handles."""
    total = 0
    for index, handle in members(states.keys):
        handles[index] = handle
        state = state_at(states, handle)
        for action in legal(rules, state):
            count = 0
            for _ in outcomes(rules, state, action):
                count += 1
            for role in range(len(policies)):
                choice = policies[role, index]
                if choice < CHANCE or choice == action:
                    total += count
    return total


def push_play(
    rules: Rules,
    seats: int,  # noqa: ARG001
    states: StateIndex,
    handle: int,
    index: int,
    search: ComponentSearch,
    source: _PlaySource,
) -> None:
    """Push the outcomes of a node as those of one action; replaces `component_search.push_transitions`.

    Args:
        rules, states: as in `search_components`.
        seats: not used.
        handle, index: of the node: those of the state times the number of roles, plus the role.
        search: the search, whose stacks grow; only the targets of outcomes are filled in.
        source: the transitions of play.
    """
    stacked, top = search.stacked, search.top
    roles = len(source.policies)
    role = index % roles
    state = state_at(states, handle // roles)
    choice = source.policies[role, index // roles]
    height = top[StackTop.OUTCOMES]
    for action in legal(rules, state):
        if choice >= CHANCE and action != choice:
            continue
        for probability, after, passes in outcomes(rules, state, action):
            next_role = (role + passes) % roles
            if probability <= 0.0 or over(rules, after) or (source.within_turns and next_role != role):
                continue
            next_handle = locate(states, after)
            if is_member(states, next_handle):
                stacked.target[height] = index_of(states, next_handle) * roles + next_role
                search.handle[height] = next_handle * roles + next_role
                height += 1
    stacked.outcomes_end[top[StackTop.ACTIONS]] = height
    top[StackTop.ACTIONS] += 1
    top[StackTop.OUTCOMES] = height


def _order_batch(batch: Transitions, ends: I64, nodes: I32, loops: Flags, feedback: Flags) -> None:
    """Fill in the nodes of a batch in postorder, component by component, and their flags of `PlayOrder`."""
    rank = np.empty(len(nodes), np.int64)
    first = 0
    for end in ends:
        for k in range(first, end):
            row = first + batch.postorder[k]
            nodes[k], rank[row] = batch.state[row], k
        for row in range(first, end):
            for outcome in range(begin(batch.outcomes_end, row), batch.outcomes_end[row]):
                target = batch.target[outcome]
                if target >= 0:
                    continue
                if first - 1 - target == row:
                    loops[rank[row]] = True
                elif rank[first - 1 - target] > rank[row]:
                    feedback[rank[first - 1 - target]] = True
        first = end


def policy_outcomes(rules: Rules, state: State, choice: int) -> Iterator[tuple[int, float, State, int]]:
    """Yield (action, probability, next state, passes) of each outcome of the actions that a policy takes.

    Args:
        rules: the rules.
        state: the state.
        choice: the policy's action, or UNIFORM, which takes each legal action with equal probability.
    """
    count = 1
    if choice == ActionCode.UNIFORM:
        count = 0
        for _ in legal(rules, state):
            count += 1
    for action in legal(rules, state):
        if choice == ActionCode.UNIFORM or action == choice:
            for probability, after, passes in outcomes(rules, state, action):
                yield action, probability / count, after, passes
