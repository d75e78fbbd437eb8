"""An order of a component's equations with a small feedback vertex set."""

from typing import Any

from komi.graph.transitions import begin
from komi.jit.intrinsics import prefetch


def order_equations(batch: Any, first: int, count: int, scratch: Any, values: Any) -> int:
    """Sort the component's states so that a state comes after its successors, except for the feedback vertices.

    All roles of a state stay together. In the order of the search that found the component, all cycles often pass
    through one state, the root of the search; else a second search, from the state with the most incoming outcomes, can
    find an order with fewer feedback vertices. The values at the boundary of the component are prefetched.

    Fills `order`, `position`, and `feedback` with positions in ascending order.

    Returns:
        the size of the feedback vertex set
    """
    order, position, entries = scratch.order, scratch.position, scratch.path
    targets = batch.target
    for i in range(count):
        order[i] = batch.left[first + i]
        position[order[i]] = i
        entries[i] = 0
    end = batch.outcomes_end[batch.actions_end[first + count - 1] - 1]
    for outcome in range(begin(batch.outcomes_end, begin(batch.actions_end, first)), end):
        target = targets[outcome]
        if target >= 0:
            prefetch(values, target)
        else:
            entries[-1 - target] += 1
    if _closes_once(batch, first, count, position):
        scratch.feedback[0] = position[0]
        return 1
    return _search(batch, first, count, int(entries[:count].argmax()), scratch)


def _closes_once(batch: Any, first: int, count: int, position: Any) -> bool:
    """Return whether all cycles pass through the root of the search, which is last in these positions."""
    outcome = begin(batch.outcomes_end, begin(batch.actions_end, first))
    for row in range(count):
        while outcome < batch.outcomes_end[batch.actions_end[first + row] - 1]:
            place = -1 - batch.target[outcome]
            if place > 0 and position[place] >= position[row]:
                return False
            outcome += 1
    return True


def _search(batch: Any, first: int, count: int, root: int, scratch: Any) -> int:
    """Sort the states in postorder of a depth-first search from the root; return the number of feedback vertices."""
    _, _, actions_end, _, _, outcomes_end, targets, _, _, _ = batch
    order, position = scratch.order, scratch.position
    path, follow, feedback_rows = scratch.path, scratch.next, scratch.feedback
    size = 0
    for i in range(count):
        position[i] = -1  # unvisited; -2 on the path; -3 on the path and a feedback vertex
    depth = 1
    path[0] = root
    position[root] = -2
    follow[0] = begin(outcomes_end, begin(actions_end, first + root))
    feedback = 0
    while depth:
        row = path[depth - 1]
        end = outcomes_end[actions_end[first + row] - 1]
        outcome = follow[depth - 1]
        entered = -1
        while outcome < end:
            target = -1 - targets[outcome]
            outcome += 1
            if target < 0:
                continue
            if position[target] == -1:
                entered = target
                break
            if position[target] == -2:
                position[target] = -3
        follow[depth - 1] = outcome
        if entered >= 0:
            path[depth] = entered
            position[entered] = -2
            follow[depth] = begin(outcomes_end, begin(actions_end, first + entered))
            depth += 1
            continue
        if position[row] == -3:
            feedback_rows[feedback] = size
            feedback += 1
        order[size] = row
        position[row] = size
        size += 1
        depth -= 1
    return feedback
