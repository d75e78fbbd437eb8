"""The first visit of a state before a roll, in the search for components: its exits replace its actions."""

from typing import Any

from komi.graph.lookup import StateIndex, index_of, locate, locate_packed, packed_at, state_at
from komi.graph.transitions import begin, count_columns, set_gain
from komi.jit.intrinsics import prefetch
from komi.rules.interface import state_from
from komi.transient.enumerator import MAX_ACTIONS, RulesContext
from komi.transient.exits import evaluate_exits
from komi.transient.hash_consing import find_roll_graph
from komi.transient.symbolic_transitions import find_branches


def enter_roll(
    rules: Any,
    seats: int,
    states: StateIndex,
    entering: int,
    index: int,
    found_gain: Any,
    found_action: Any,
    found_outcomes_end: Any,
    found_target: Any,
    found_probability: Any,
    found_passes: Any,
    handles: Any,
    place: Any,
    action_height: int,
    outcome_height: int,
    rolls: Any,
) -> Any:
    """Push the exits of a state as `search.enter` pushes actions, and store the state's roll graph.

    The reachability analysis has found every roll graph before, so that the capacity is sufficient.

    Args:
        entering: the handle of the state.
        rolls: `Rolls.search_arrays`; see `search.enter` for the others. View 1 of a gain is the sum of absolute values.
    """
    buffers, transitions, witness, graph_of = rolls
    graphs, exits = buffers.graphs, buffers.exits
    case, choice = find_branches(transitions, graphs.graph_exits, packed_at(states, entering)[1])
    if case >= 0:
        graph_of[index] = graph = transitions.case_graph[case]
        first = transitions.case_exit[case]
        for exit_ in range(graphs.graph_exits[graph] - begin(graphs.graph_exits, graph)):
            branch = transitions.exit_chosen[choice, first + exit_]
            for outcome in range(transitions.branch_outcomes[branch, 0], transitions.branch_outcomes[branch, 1]):
                after = transitions.sum_value[transitions.outcome_sum[outcome]] + transitions.outcome_word[outcome]
                handle = locate_packed(states, 0, after)
                target = index_of(states, handle)
                prefetch(place, target)
                found_target[outcome_height] = target
                found_probability[outcome_height] = transitions.outcome_probability[outcome]
                found_passes[outcome_height] = transitions.outcome_passes[outcome]
                handles[outcome_height] = handle
                outcome_height += 1
            set_gain(found_gain, action_height, 0, transitions.branch_gain[branch])
            if count_columns(found_gain) > 1:
                set_gain(found_gain, action_height, 1, transitions.branch_magnitude[branch])
            found_action[action_height] = exit_
            found_outcomes_end[action_height] = outcome_height
            action_height += 1
        return action_height, outcome_height
    state = state_at(states, entering)
    context = RulesContext(rules, seats, MAX_ACTIONS)
    graph = find_roll_graph(context, state, buffers, witness)
    graph_of[index] = graph
    count = evaluate_exits(context, state, graph, buffers, witness)
    for exit_ in range(count):
        for outcome in range(begin(exits.end, exit_), exits.end[exit_]):
            handle = locate(states, state_from(exits.fields, outcome))
            target = index_of(states, handle)
            prefetch(place, target)
            found_target[outcome_height] = target
            found_probability[outcome_height] = exits.probability[outcome]
            found_passes[outcome_height] = exits.passes[outcome]
            handles[outcome_height] = handle
            outcome_height += 1
        set_gain(found_gain, action_height, 0, exits.gain[exit_])
        if count_columns(found_gain) > 1:
            set_gain(found_gain, action_height, 1, exits.magnitude[exit_])
        found_action[action_height] = exit_
        found_outcomes_end[action_height] = outcome_height
        action_height += 1
    return action_height, outcome_height
