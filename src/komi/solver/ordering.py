"""An order of a component's states in which cycles close through few of them."""

from typing import Any

from komi.compile.bits import prefetch
from komi.solver.explore import begin


def most_entered(batch: Any, first: int, end: int, place: Any, entries: Any, values: Any) -> int:
    """The row that most outcomes lead to: where cycles close, more often than not."""
    size = end - first
    for i in range(size):
        entries[i] = 0
    targets = batch.target
    first_outcome = begin(batch.outcomes_end, begin(batch.actions_end, first))
    for outcome in range(first_outcome, batch.outcomes_end[batch.actions_end[end - 1] - 1]):
        row = place[targets[outcome]]
        if row:
            entries[row - 1] += 1
        else:
            prefetch(values, targets[outcome])
    most = 0
    for i in range(size):
        if entries[i] > entries[most]:
            most = i
    return most


def order_states(batch: Any, first: int, count: int, root: int, scratch: Any) -> int:
    """Order the component's states so that a state comes after what it leads to, but for the feedback states.

    Fills `order` and `position`, and `feedback` with positions in ascending order; returns how many
    feedback states there are.
    """
    _, actions_end, _, _, outcomes_end, targets, _ = batch
    place, order, position = scratch.place, scratch.order, scratch.position
    path, follow, feedback_states = scratch.path, scratch.next, scratch.feedback
    size = 0
    for i in range(count):
        position[i] = -1  # not seen; -2 on the path; -3 on the path and a feedback state
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
            target = place[targets[outcome]] - 1
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
            feedback_states[feedback] = size
            feedback += 1
        order[size] = row
        position[row] = size
        size += 1
        depth -= 1
    return feedback
