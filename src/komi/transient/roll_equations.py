"""The equations of the rolls of a component, written one after the other as if all states were stored.

They are used where sweeps over rolls find no proof.
"""

from typing import Any

import numpy as np

from komi.graph.transitions import begin, count_columns, gain_at, inner_index, linear_term
from komi.transient.roll_graph import RollGraphs


def lay_out_rolls(
    batch: Any, first: int, end: int, graphs: RollGraphs, graph_of: Any, objective: Any, results: Any
) -> tuple[Any, Any, Any]:
    """Write the equations of all states, with boundary values folded into constants.

    Returns:
        (int64[states] the equation of each state, the equations as `fixed_point.sweep` takes them, (the number of each
        action, and its `sure` and `terms` as in `equations.Workspace`))
    """
    is_zero_sum, sign = objective.is_zero_sum, objective.sign
    root, actions, outcomes = _measure(batch, first, end, graphs, graph_of)
    actions_end, outcomes_end = np.empty(root[-1] + 1, np.int64), np.empty(actions, np.int64)
    constant, target, weight = np.empty(actions), np.empty(outcomes, np.int64), np.empty(outcomes)
    number, sure, sizes = np.empty(actions, np.int16), np.empty(actions), np.empty(actions)
    nodes = actions = outcomes = 0
    for state in range(first, end):
        graph = graph_of[batch.state[state]]
        interior, assignment = graphs.graph_interior[graph], graphs.graph_assignment[graph]
        first_row, base = begin(graphs.interior_nodes, interior), nodes
        for node in range(first_row, graphs.interior_nodes[interior]):
            for action in range(begin(graphs.node_actions, node), graphs.node_actions[node]):
                constant[actions] = sign * graphs.action_gain[action]
                # of two seats, who gain nothing on the way, that is the 1 of `as_sum` where the turn passes
                sure[actions] = 0.0 if is_zero_sum else constant[actions]
                number[actions], sizes[actions] = graphs.action_number[action], abs(sure[actions])
                for term in range(begin(graphs.action_terms, action), graphs.action_terms[action]):
                    target[outcomes], weight[outcomes] = base + graphs.term_node[term], graphs.term_weight[term]
                    outcomes += 1
                outcomes_end[actions] = outcomes
                actions += 1
            listed = graphs.assigned_list[begin(graphs.assignment_nodes, assignment) + node - first_row]
            exit_list = begin(graphs.assignment_lists, assignment) + listed
            for entry in range(begin(graphs.list_entries, exit_list), graphs.list_entries[exit_list]):
                exit_ = begin(batch.actions_end, state) + graphs.entry_exit[entry]
                constant[actions] = sure[actions] = sign * gain_at(batch.gain, exit_, 0)
                number[actions] = graphs.entry_action[entry]
                sizes[actions] = gain_at(batch.gain, exit_, count_columns(batch.gain) - 1)
                for outcome in range(begin(batch.outcomes_end, exit_), batch.outcomes_end[exit_]):
                    after, chance = batch.target[outcome], batch.probability[outcome]
                    added = 0.0
                    if is_zero_sum:
                        added, chance = linear_term(chance, batch.passes[outcome])
                        constant[actions] += added
                    if after < 0:
                        target[outcomes], weight[outcomes] = root[inner_index(after)], chance
                        outcomes += 1
                    else:
                        constant[actions] += chance * results.value[after]
                        sure[actions] += added + chance * results.value[after]
                        sizes[actions] += added + abs(chance * results.value[after])
                outcomes_end[actions] = outcomes
                actions += 1
            actions_end[nodes] = actions
            nodes += 1
    return root, (actions_end, constant, outcomes_end, target, weight), (number, sure, sizes)


def _measure(batch: Any, first: int, end: int, graphs: RollGraphs, graph_of: Any) -> tuple[Any, int, int]:
    """Compute the equation of each state, and upper bounds on the numbers of actions and outcomes of all equations."""
    root = np.empty(end - first, np.int64)
    nodes = actions = outcomes = 0
    for state in range(first, end):
        graph = graph_of[batch.state[state]]
        interior, assignment = graphs.graph_interior[graph], graphs.graph_assignment[graph]
        first_row = begin(graphs.interior_nodes, interior)
        for node in range(first_row, graphs.interior_nodes[interior]):
            first_action, end_action = begin(graphs.node_actions, node), graphs.node_actions[node]
            actions += end_action - first_action
            outcomes += begin(graphs.action_terms, end_action) - begin(graphs.action_terms, first_action)
            listed = graphs.assigned_list[begin(graphs.assignment_nodes, assignment) + node - first_row]
            exit_list = begin(graphs.assignment_lists, assignment) + listed
            for entry in range(begin(graphs.list_entries, exit_list), graphs.list_entries[exit_list]):
                exit_ = begin(batch.actions_end, state) + graphs.entry_exit[entry]
                actions += 1
                outcomes += batch.outcomes_end[exit_] - begin(batch.outcomes_end, exit_)
            nodes += 1
        root[state - first] = nodes - 1
    return root, actions, outcomes
