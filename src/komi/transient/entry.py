"""The first visit of a state before a roll, in the search for components: its exits replace its actions."""

from typing import Any

from komi.game import MAX_ACTIONS
from komi.graph.component_search import ComponentSearch, StackTop, push_outcome
from komi.graph.lookup import StateIndex, locate, locate_packed, packed_at, state_at
from komi.graph.transitions import begin, count_columns, set_gain
from komi.rules.interface import state_from
from komi.transient.enumerator import RulesContext
from komi.transient.exits import evaluate_exits
from komi.transient.hash_consing import find_roll_graph
from komi.transient.symbolic_transitions import find_branches
from komi.typing import Rules


def push_roll(
    rules: Rules, seats: int, states: StateIndex, handle: int, index: int, search: ComponentSearch, source: Any
) -> None:
    """Push the exits of a state as `component_search.push_transitions` pushes actions, and store its roll graph.

    The reachability analysis has found every roll graph before, so that the capacity is sufficient.

    Args:
        rules, seats, states, handle, index, search: as in `component_search.push_transitions`; column 1 of a gain is
            the sum of absolute values.
        source: see `Rolls.search`.
    """
    buffers, transitions, witness, graph_of = source
    graphs, exits = buffers.graphs, buffers.exits
    case, choice = find_branches(transitions, graphs.graph_exits, packed_at(states, handle)[1])
    if case >= 0:
        graph_of[index] = graph = transitions.case_graph[case]
        first = transitions.case_exit[case]
        for exit_ in range(graphs.graph_exits[graph] - begin(graphs.graph_exits, graph)):
            branch = transitions.exit_chosen[choice, first + exit_]
            height = search.top[StackTop.OUTCOMES]
            for outcome in range(transitions.branch_outcomes[branch, 0], transitions.branch_outcomes[branch, 1]):
                packed = transitions.sum_value[transitions.outcome_sum[outcome]] + transitions.outcome_word[outcome]
                after = locate_packed(states, 0, packed)
                probability, passes = transitions.outcome_probability[outcome], transitions.outcome_passes[outcome]
                height = push_outcome(search, height, height, after, states, probability, passes)
            _push_exit(search, exit_, height, transitions.branch_gain[branch], transitions.branch_magnitude[branch])
        return
    state = state_at(states, handle)
    context = RulesContext(rules, seats, MAX_ACTIONS)
    graph = find_roll_graph(context, state, buffers, witness)
    graph_of[index] = graph
    count = evaluate_exits(context, state, graph, buffers, witness)
    for exit_ in range(count):
        height = search.top[StackTop.OUTCOMES]
        for outcome in range(begin(exits.end, exit_), exits.end[exit_]):
            after = locate(states, state_from(exits.fields, outcome))
            probability, passes = exits.probability[outcome], exits.passes[outcome]
            height = push_outcome(search, height, height, after, states, probability, passes)
        _push_exit(search, exit_, height, exits.gain[exit_], exits.magnitude[exit_])


def _push_exit(search: ComponentSearch, exit_: int, height: int, gain: float, magnitude: float) -> None:
    """Push an exit, whose outcomes end at `height`."""
    stacked, top = search.stacked, search.top
    row = top[StackTop.ACTIONS]
    set_gain(stacked.gain, row, 0, gain)
    if count_columns(stacked.gain) > 1:
        set_gain(stacked.gain, row, 1, magnitude)
    stacked.action[row] = exit_
    stacked.outcomes_end[row] = height
    top[StackTop.ACTIONS], top[StackTop.OUTCOMES] = row + 1, height
