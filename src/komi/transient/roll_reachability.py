"""The kernel of the reachability analysis for stored states: visits each once, and follows its roll."""

from typing import Any

from komi.graph.lookup import (
    find_packed_slot,
    has_capacity,
    insert_packed,
    is_occupied,
    packed_at,
    state_at,
)
from komi.graph.reachability_kernel import Exploration, ExplorationStatus, add_visit, push_successor
from komi.graph.transitions import begin
from komi.rules.interface import record_witness, state_from
from komi.transient.enumerator import RulesContext
from komi.transient.exits import evaluate_exits
from komi.transient.hash_consing import RollBuffers, find_roll_graph
from komi.transient.symbolic_transitions import NOT_LEARNED, SymbolicTransitions, find_branches
from komi.typing import Rules


def explore_rolls(
    rules: Rules,
    seats: int,
    action_limit: int,
    exploration: Exploration,
    height: int,
    budget: int,
    rolls: RollBuffers,
    transitions: SymbolicTransitions,
) -> Any:
    """Visit stored states, as `exploration.explore` visits all states.

    Args:
        rules, exploration, height, budget: see `exploration.explore`.
        seats, action_limit: the fields of a `RulesContext`.
        rolls: see `find_roll_graph`.
        transitions: the symbolic transition cache.

    Returns:
        as `exploration.explore`; NO_ROOM if the buffers of `rolls` are too small; UNKNOWN if symbolic
        transitions have to be learned from the state just visited: the witness is then its handle and roll graph.
    """
    found, stack, totals, witness = exploration
    context = RulesContext(rules, seats, action_limit)
    graphs, exits = rolls.graphs, rolls.exits
    for _ in range(budget):
        if height == 0:
            return ExplorationStatus.DONE, height
        height -= 1
        handle = stack[height]
        case, choice = find_branches(transitions, graphs.graph_exits, packed_at(found, handle)[1])
        if case >= 0:
            graph, exit_ = transitions.case_graph[case], transitions.case_exit[case]
            count = graphs.graph_exits[graph] - begin(graphs.graph_exits, graph)
            outcomes = 0
            for index in range(exit_, exit_ + count):
                branch = transitions.exit_chosen[choice, index]
                first, end = transitions.branch_outcomes[branch, 0], transitions.branch_outcomes[branch, 1]
                outcomes += end - first
                for outcome in range(first, end):
                    after = transitions.sum_value[transitions.outcome_sum[outcome]] + transitions.outcome_word[outcome]
                    slot = find_packed_slot(found, 0, after)
                    if is_occupied(found, slot):
                        continue
                    if height == len(stack) - 1 or not has_capacity(found, 1):
                        stack[height] = handle
                        return ExplorationStatus.CROWDED, height + 1
                    stack[height] = insert_packed(found, slot, 0, after)
                    height += 1
            add_visit(totals, count, outcomes, 0, 0, 0)
            continue
        state = state_at(found, handle)
        graph = find_roll_graph(context, state, rolls, witness)
        count = graph
        if graph >= 0:
            count = evaluate_exits(context, state, graph, rolls, witness)
        if count < 0:
            if count == -1 - ExplorationStatus.NO_ROOM:
                stack[height] = handle
                return ExplorationStatus.NO_ROOM, height + 1
            if count == -1 - ExplorationStatus.UNSHARED:
                record_witness(state, -1, witness)
            return -1 - count, height
        outcomes = exits.end[count - 1] if count else 0
        for outcome in range(outcomes):
            after = state_from(exits.fields, outcome)
            status, height = push_successor(rules, found, stack, height, handle, after, witness)
            if status != ExplorationStatus.DONE:
                return status, height
        deficit = max(rolls.roll.outcomes.deficit[0], rolls.listing.deficit[0])
        add_visit(totals, count, outcomes, rolls.builder.counts[2], rolls.roll.counts[2], deficit)
        if case == NOT_LEARNED:
            witness[0], witness[1] = handle, graph
            return ExplorationStatus.UNKNOWN, height
    return ExplorationStatus.PAUSED, height
