"""The first visit of a state before a roll, in the search for components: its ports replace its actions."""

from typing import Any

from komi.graph.component_search import ACTIONS, OUTCOMES, ComponentSearch, push_outcome
from komi.graph.lookup import StateIndex, locate, locate_packed, packed_at, state_at
from komi.graph.transitions import begin, count_columns, set_gain
from komi.rules.interface import state_from
from komi.transient.exits import evaluate_ports
from komi.transient.hash_consing import find_shape
from komi.transient.symbolic_transitions import find_leaves

ANY_ACTION = 1 << 15  # upper bound on action numbers: the reachability analysis has checked them


def push_roll(
    rules: Any, seats: int, states: StateIndex, handle: int, index: int, search: ComponentSearch, source: Any
) -> None:
    """Push the ports of a state as `component_search.push_transitions` pushes actions, and store the state's shape.

    The reachability analysis has found every shape before, so that the capacity is sufficient.

    Args:
        rules, seats, states, handle, index, search: as in `component_search.push_transitions`; column 1 of a gain is
            the sum of absolute values.
        source: see `Rolls.search`.
    """
    inside, unshaping, shapes, draft, ports, formulas, witness, shape_of = source
    root, choice = find_leaves(formulas, shapes.shape_ports, packed_at(states, handle)[1])
    if root >= 0:
        shape_of[index] = shape = formulas.root_shape[root]
        first = formulas.root_port[root]
        for port in range(shapes.shape_ports[shape] - begin(shapes.shape_ports, shape)):
            leaf = formulas.port_chosen[choice, first + port]
            height = search.top[OUTCOMES]
            for outcome in range(formulas.leaf_outcomes[leaf, 0], formulas.leaf_outcomes[leaf, 1]):
                packed = formulas.sum_value[formulas.outcome_sum[outcome]] + formulas.outcome_word[outcome]
                after = locate_packed(states, 0, packed)
                probability, passes = formulas.outcome_probability[outcome], formulas.outcome_passes[outcome]
                height = push_outcome(search, height, height, after, states, probability, passes)
            _push_port(search, port, height, formulas.leaf_gain[leaf], formulas.leaf_magnitude[leaf])
        return
    state = state_at(states, handle)
    shape = find_shape(rules, seats, ANY_ACTION, state, inside, unshaping, shapes, draft, witness)
    shape_of[index] = shape
    count = evaluate_ports(rules, seats, ANY_ACTION, state, shape, inside, shapes, draft, ports, witness)
    for port in range(count):
        height = search.top[OUTCOMES]
        for outcome in range(begin(ports.end, port), ports.end[port]):
            after = locate(states, state_from(ports.fields, outcome))
            probability, passes = ports.probability[outcome], ports.passes[outcome]
            height = push_outcome(search, height, height, after, states, probability, passes)
        _push_port(search, port, height, ports.gain[port], ports.magnitude[port])


def _push_port(search: ComponentSearch, port: int, height: int, gain: float, magnitude: float) -> None:
    """Push a port, whose outcomes end at `height`."""
    stacked, top = search.stacked, search.top
    row = top[ACTIONS]
    set_gain(stacked.gain, row, 0, gain)
    if count_columns(stacked.gain) > 1:
        set_gain(stacked.gain, row, 1, magnitude)
    stacked.action[row] = port
    stacked.outcomes_end[row] = height
    top[ACTIONS], top[OUTCOMES] = row + 1, height
