"""An order of a component's equations with a small feedback vertex set."""

from typing import Any

from komi.arrays import I32
from komi.bellman.equations import Component
from komi.graph.transitions import begin, inner_index
from komi.jit.intrinsics import prefetch

UNVISITED, ON_PATH, FEEDBACK = -1, -2, -3  # of a state without a position yet; FEEDBACK is on the path, too


def order_equations(component: Component, roles: int, workspace: Any, values: Any) -> int:
    """Sort the component's states so that a state comes after its successors, except for the feedback vertices.

    All roles of a state stay together. In the order of the search that found the component, all cycles often pass
    through one state, the root of the search; else a second search, from the state with the most incoming outcomes, can
    find an order with fewer feedback vertices. The values at the boundary of the component are prefetched.

    Fills `order`, `position`, and `feedback` with equations in ascending order.

    Args:
        component: its transitions.
        roles: the number of roles, each with an equation for each state.
        workspace: a `Workspace`, or other buffers of these names.
        values: an array of all states and roles, whose items at the boundary are prefetched.

    Returns:
        the size of the feedback vertex set
    """
    batch, first, count = component
    order, position, entries = workspace.order, workspace.position, workspace.path
    targets = batch.target
    for i in range(count):
        order[i] = batch.postorder[first + i]
        position[order[i]] = i
        entries[i] = 0
    end = batch.outcomes_end[batch.actions_end[first + count - 1] - 1]
    for outcome in range(begin(batch.outcomes_end, begin(batch.actions_end, first)), end):
        target = targets[outcome]
        if target >= 0:
            prefetch(values, target * roles)
        else:
            entries[inner_index(target)] += 1
    if _closes_once(component, position):
        workspace.feedback[0] = position[0]
        feedback = 1
    else:
        feedback = _search(component, int(entries[:count].argmax()), workspace)
    feedback *= roles
    for j in range(feedback - 1, -1, -1):  # from states to equations, in place
        workspace.feedback[j] = workspace.feedback[j // roles] * roles + j % roles
    return feedback


def _closes_once(component: Component, position: I32) -> bool:
    """Return whether all cycles pass through the root of the search, which is last in these positions."""
    batch, first, count = component
    outcome = begin(batch.outcomes_end, begin(batch.actions_end, first))
    for row in range(count):
        while outcome < batch.outcomes_end[batch.actions_end[first + row] - 1]:
            target = inner_index(batch.target[outcome])
            if target > 0 and position[target] >= position[row]:
                return False
            outcome += 1
    return True


def _search(component: Component, root: int, workspace: Any) -> int:
    """Sort the states in postorder of a depth-first search from the root; return the number of feedback vertices."""
    batch, first, count = component
    actions_end, outcomes_end, targets = batch.actions_end, batch.outcomes_end, batch.target
    order, position = workspace.order, workspace.position
    path, follow, vertices = workspace.path, workspace.next, workspace.feedback
    size = 0
    for i in range(count):
        position[i] = UNVISITED
    depth = 1
    path[0] = root
    position[root] = ON_PATH
    follow[0] = begin(outcomes_end, begin(actions_end, first + root))
    feedback = 0
    while depth:
        state = path[depth - 1]
        end = outcomes_end[actions_end[first + state] - 1]
        outcome = follow[depth - 1]
        entered = -1
        while outcome < end:
            target = inner_index(targets[outcome])
            outcome += 1
            if target < 0:  # at the boundary
                continue
            if position[target] == UNVISITED:
                entered = target
                break
            if position[target] == ON_PATH:
                position[target] = FEEDBACK
        follow[depth - 1] = outcome
        if entered >= 0:
            path[depth] = entered
            position[entered] = ON_PATH
            follow[depth] = begin(outcomes_end, begin(actions_end, first + entered))
            depth += 1
            continue
        if position[state] == FEEDBACK:
            vertices[feedback] = size
            feedback += 1
        order[size] = state
        position[state] = size
        size += 1
        depth -= 1
    return feedback
