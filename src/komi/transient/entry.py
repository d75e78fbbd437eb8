"""The first visit of a state before a roll, in the search for components: its ports replace its actions."""

from typing import Any

from komi.graph.lookup import StateIndex, index_of, locate, locate_packed, packed_at, state_at
from komi.graph.transitions import begin, count_columns, set_gain
from komi.jit.intrinsics import prefetch
from komi.rules.interface import state_from
from komi.transient.exits import evaluate_ports
from komi.transient.hash_consing import find_shape
from komi.transient.symbolic_transitions import find_leaves


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
    words: Any,
    place: Any,
    action_height: int,
    outcome_height: int,
    rolls: Any,
) -> Any:
    """Push the ports of a state as `search.enter` pushes actions, and store the state's shape.

    The reachability analysis has found every shape before, so that the capacity is sufficient.

    Args:
        entering: the place of the state.
        rolls: `Rolls.search_arrays`; see `search.enter` for the others. View 1 of a gain is the sum of absolute values.
    """
    inside, unshaping, shapes, draft, ports, formulas, witness, shape_of = rolls
    root, choice = find_leaves(formulas, shapes.shape_ports, packed_at(states, entering)[1])
    if root >= 0:
        shape_of[index] = shape = formulas.root_shape[root]
        first = formulas.root_port[root]
        for port in range(shapes.shape_ports[shape] - begin(shapes.shape_ports, shape)):
            leaf = formulas.port_chosen[choice, first + port]
            for outcome in range(formulas.leaf_outcomes[leaf, 0], formulas.leaf_outcomes[leaf, 1]):
                after = formulas.sum_value[formulas.outcome_sum[outcome]] + formulas.outcome_word[outcome]
                word = locate_packed(states, 0, after)
                target = index_of(states, word)
                prefetch(place, target)
                found_target[outcome_height] = target
                found_probability[outcome_height] = formulas.outcome_probability[outcome]
                found_passes[outcome_height] = formulas.outcome_passes[outcome]
                words[outcome_height] = word
                outcome_height += 1
            set_gain(found_gain, action_height, 0, formulas.leaf_gain[leaf])
            if count_columns(found_gain) > 1:
                set_gain(found_gain, action_height, 1, formulas.leaf_magnitude[leaf])
            found_action[action_height] = port
            found_outcomes_end[action_height] = outcome_height
            action_height += 1
        return action_height, outcome_height
    state = state_at(states, entering)
    known = 1 << 15
    shape = find_shape(rules, seats, known, state, inside, unshaping, shapes, draft, witness)
    shape_of[index] = shape
    count = evaluate_ports(rules, seats, known, state, shape, inside, shapes, draft, ports, witness)
    for port in range(count):
        for outcome in range(begin(ports.end, port), ports.end[port]):
            word = locate(states, state_from(ports.fields, outcome))
            target = index_of(states, word)
            prefetch(place, target)
            found_target[outcome_height] = target
            found_probability[outcome_height] = ports.probability[outcome]
            found_passes[outcome_height] = ports.passes[outcome]
            words[outcome_height] = word
            outcome_height += 1
        set_gain(found_gain, action_height, 0, ports.gain[port])
        if count_columns(found_gain) > 1:
            set_gain(found_gain, action_height, 1, ports.magnitude[port])
        found_action[action_height] = port
        found_outcomes_end[action_height] = outcome_height
        action_height += 1
    return action_height, outcome_height
