"""What the ports of one state gain and lead to."""

from typing import Any

import numpy as np

from komi.compile.rulebook import state_from, state_inside
from komi.model.rolls.listing import list_actions, list_outcomes
from komi.model.rolls.shapes import Draft, Ports, Shapes
from komi.model.survey_kernel import NO_ROOM, UNSHARED
from komi.model.transitions import begin


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
    """Run the rules once for each port of a state: how many ports there are, or -1 less what is wrong.

    Args:
        rules, seats, known, state, witness: as `find_shape` takes them.
        shape: the state's, as `find_shape` has just found it.
        inside: bool[fields], as there.
        shapes, draft: as there.
        ports: filled in.

    It is UNSHARED, and the promise of `totals` broken, if a way out of a shared roll leads to a transient state in
    which there is something to choose, or chance moves.
    """
    shared = len(shapes.family_fields) > 1
    first = begin(shapes.shape_ports, shape) if shared else 0
    width, listing = len(state), draft.listing
    numbers = shapes.shape_ports[shape] - first
    if numbers >= len(ports.gain):
        return -1 - NO_ROOM
    if not shared:  # the draft's ports by their numbers in the shape
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
    """The number in 64 bits, as rules take it."""
    return np.int64(number)
