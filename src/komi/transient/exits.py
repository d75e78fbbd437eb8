"""Evaluation of the ports of one state: their gains and successors."""

from typing import Any

import numpy as np

from komi.graph.transitions import begin
from komi.rules.interface import state_from, state_inside
from komi.transient.roll_graph import Draft, Ports, Shapes
from komi.transient.rule_calls import list_actions, list_outcomes
from komi.transient.violations import NO_ROOM, UNSHARED


def evaluate_ports(
    rules: Any,
    seats: int,
    known: int,
    state: Any,
    shape: int,
    inside: Any,
    shapes: Shapes,
    draft: Draft,
    ports: Ports,
    witness: Any,
) -> int:
    """Run the rules once for each port of a state; return the number of ports, or -1 less the violation.

    Args:
        rules, seats, known, state, witness: see `find_shape`.
        shape: the state's shape, as just returned by `find_shape`.
        inside: bool[fields], see `find_shape`.
        shapes, draft: see `find_shape`.
        ports: filled in.

    The violation is UNSHARED, and the promise of `totals` broken, if an exit of a shared roll leads to a transient
    state with a choice or a chance move.
    """
    shared = len(shapes.family_fields) > 1
    first = begin(shapes.shape_ports, shape) if shared else 0
    width, listing = len(state), draft.listing
    numbers = shapes.shape_ports[shape] - first
    if numbers >= len(ports.gain):
        return -1 - NO_ROOM
    if not shared:  # index the ports of the draft by their numbers in the shape
        for entry in range(draft.row_exits[draft.counted[0] - 1]):
            port = draft.exit_port[entry]
            draft.port_of[draft.port_number[port]] = port
    height = 0
    for number in range(numbers):
        if shared:
            place = first + number
            action, outcome = _wide(shapes.port_action[place]), _wide(shapes.port_outcome[place])
            node = state if shapes.port_root[place] else state_inside(state, shapes.port_fields, place, inside)
        else:
            port = draft.port_of[number]
            action, outcome = _wide(draft.port_action[port]), _wide(draft.port_outcome[port])
            node = state_from(draft.fields, draft.port_row[port])
        gain = magnitude = 0.0
        count = list_outcomes(rules, seats, node, action, listing, 0, 0, witness)
        if count < 0:
            return count  # type: ignore[no-any-return]
        for k in range(count):
            if outcome >= 0 and k != outcome:
                continue
            if height + 1 >= len(ports.probability):
                return -1 - NO_ROOM
            probability = 1.0 if outcome >= 0 else listing.probability[k]
            gained = listing.gain[k]
            place = k
            while shared and listing.transient[place]:
                here, turned = state_from(listing.fields, place), listing.fields[place, width + 1]
                if list_actions(rules, known, here, listing, witness) != 1:
                    return -1 - UNSHARED
                only = listing.action[0]
                if list_outcomes(rules, seats, here, only, listing, count, turned, witness) != count + 1:
                    return -1 - UNSHARED
                place = count
                gained += listing.gain[place]
            if not listing.fields[place, width]:
                for i in range(width):
                    ports.fields[height, i] = listing.fields[place, i]
                ports.probability[height] = probability
                ports.passes[height] = listing.fields[place, width + 1]
                height += 1
            gain += probability * gained
            magnitude += probability * abs(gained)
        ports.gain[number] = gain
        ports.magnitude[number] = magnitude
        ports.end[number] = height
    return numbers  # type: ignore[no-any-return]


def _wide(number: Any) -> Any:
    """Convert a number to 64 bits, as the rules expect it."""
    return np.int64(number)
