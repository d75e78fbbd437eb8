"""The equations of the rolls of a component, written one after the other as if all states were stored.

They are used where sweeps over rolls find no proof.
"""

from typing import Any

import numpy as np

from komi.graph.perspective import linear_term
from komi.graph.transitions import begin, count_columns, gain_at
from komi.transient.roll_graph import Shapes


def lay_out_rolls(
    batch: Any, first: int, end: int, shapes: Shapes, shape_of: Any, objective: Any, results: Any
) -> tuple[Any, Any, Any]:
    """Write the equations of all states, with boundary values folded into constants.

    Returns:
        (int64[states] the equation of each state, the equations as `fixed_point.sweep` takes them, (the number of each
        action, and its `sure` and `terms` as in `rows.Scratch`))
    """
    flips, sign = objective.is_zero_sum, objective.sign
    root, actions, outcomes = _measure(batch, first, end, shapes, shape_of)
    actions_end, outcomes_end = np.empty(root[-1] + 1, np.int64), np.empty(actions, np.int64)
    constant, target, weight = np.empty(actions), np.empty(outcomes, np.int32), np.empty(outcomes)
    number, sure, sizes = np.empty(actions, np.int16), np.empty(actions), np.empty(actions)
    rows = actions = outcomes = 0
    for state in range(first, end):
        shape = shape_of[batch.state[state]]
        graph, exits = shapes.shape_graph[shape], shapes.shape_exits[shape]
        first_row, base = begin(shapes.graph_rows, graph), rows
        for row in range(first_row, shapes.graph_rows[graph]):
            for action in range(begin(shapes.row_actions, row), shapes.row_actions[row]):
                constant[actions] = sign * shapes.action_gain[action]
                # of two seats, who gain nothing on the way, that is the 1 of `linear_term` where the turn passes
                sure[actions] = 0.0 if flips else constant[actions]
                number[actions], sizes[actions] = shapes.action_number[action], abs(sure[actions])
                for term in range(begin(shapes.action_terms, action), shapes.action_terms[action]):
                    target[outcomes], weight[outcomes] = base + shapes.term_row[term], shapes.term_weight[term]
                    outcomes += 1
                outcomes_end[actions] = outcomes
                actions += 1
            listed = shapes.listed_list[begin(shapes.exits_listed, exits) + row - first_row]
            each = begin(shapes.exits_lists, exits) + listed
            for entry in range(begin(shapes.list_entries, each), shapes.list_entries[each]):
                port = begin(batch.actions_end, state) + shapes.entry_port[entry]
                constant[actions] = sure[actions] = sign * gain_at(batch.gain, port, 0)
                number[actions] = shapes.entry_number[entry]
                sizes[actions] = gain_at(batch.gain, port, count_columns(batch.gain) - 1)
                for outcome in range(begin(batch.outcomes_end, port), batch.outcomes_end[port]):
                    after, chance = batch.target[outcome], batch.probability[outcome]
                    added = 0.0
                    if flips:
                        added, chance = linear_term(chance, batch.passes[outcome])
                        constant[actions] += added
                    if after < 0:
                        target[outcomes], weight[outcomes] = root[-1 - after], chance
                        outcomes += 1
                    else:
                        constant[actions] += chance * results.value[after]
                        sure[actions] += added + chance * results.value[after]
                        sizes[actions] += added + abs(chance * results.value[after])
                outcomes_end[actions] = outcomes
                actions += 1
            actions_end[rows] = actions
            rows += 1
    return root, (actions_end, constant, outcomes_end, target, weight), (number, sure, sizes)


def _measure(batch: Any, first: int, end: int, shapes: Shapes, shape_of: Any) -> tuple[Any, int, int]:
    """Compute the equation of each state, and upper bounds on the numbers of actions and outcomes of all equations."""
    root = np.empty(end - first, np.int64)
    rows = actions = outcomes = 0
    for state in range(first, end):
        shape = shape_of[batch.state[state]]
        graph, exits = shapes.shape_graph[shape], shapes.shape_exits[shape]
        first_row = begin(shapes.graph_rows, graph)
        for row in range(first_row, shapes.graph_rows[graph]):
            first_action, end_action = begin(shapes.row_actions, row), shapes.row_actions[row]
            actions += end_action - first_action
            outcomes += begin(shapes.action_terms, end_action) - begin(shapes.action_terms, first_action)
            listed = shapes.listed_list[begin(shapes.exits_listed, exits) + row - first_row]
            each = begin(shapes.exits_lists, exits) + listed
            for entry in range(begin(shapes.list_entries, each), shapes.list_entries[each]):
                port = begin(batch.actions_end, state) + shapes.entry_port[entry]
                actions += 1
                outcomes += batch.outcomes_end[port] - begin(batch.outcomes_end, port)
            rows += 1
        root[state - first] = rows - 1
    return root, actions, outcomes
