"""What the ports of one state gain and lead to."""

from typing import Any

import numpy as np

from komi.compile.rulebook import (
    legal,
    outcomes,
    over,
    reward,
    seat_payoff,
    state_from,
    state_inside,
    transient,
)
from komi.model.rolls.shapes import Draft, Ports, Shapes
from komi.model.survey_kernel import NO_ROOM, UNSHARED
from komi.model.transitions import begin


def evaluate_ports(
    rules: Any, seats: int, state: Any, shape: int, inside: Any, shapes: Shapes, draft: Draft, ports: Ports
) -> int:
    """Run the rules once for each port of a state: how many ports there are, or -1 less what is wrong.

    Args:
        rules, seats, state: where.
        shape: the state's, as `find_shape` has just found it.
        inside: bool[fields], as there.
        shapes, draft: as there.
        ports: filled in.

    It is UNSHARED, and the promise of `totals` broken, if a way out of a shared roll leads to a transient state in
    which there is something to choose, or chance moves.
    """
    shared = len(shapes.family_fields) > 1
    first = begin(shapes.shape_ports, shape) if shared else 0
    count = shapes.shape_ports[shape] - first
    if count >= len(ports.gain):
        return -1 - NO_ROOM
    if not shared:  # the draft's ports by their numbers in the shape
        for entry in range(draft.row_exits[draft.counted[0] - 1]):
            port = draft.exit_port[entry]
            draft.port_of[draft.port_number[port]] = port
    height = 0
    for number in range(count):
        if shared:
            place = first + number
            action, outcome = _wide(shapes.port_action[place]), _wide(shapes.port_outcome[place])
            node = state if shapes.port_root[place] else state_inside(state, shapes.port_fields, place, inside)
        else:
            port = draft.port_of[number]
            action, outcome = _wide(draft.port_action[port]), _wide(draft.port_outcome[port])
            node = state_from(draft.fields, draft.port_row[port])
        gain = magnitude = 0.0
        k = -1
        for chance, after, passes in outcomes(rules, node, action):
            k += 1
            if outcome >= 0 and k != outcome:
                continue
            if height + 1 >= len(ports.probability):
                return -1 - NO_ROOM
            probability = 1.0 if outcome >= 0 else chance
            gained = reward(rules, node, action, after)
            turn = passes
            where = after
            if shared:
                while not over(rules, where) and transient(rules, where):
                    ways = 0
                    here = where
                    for only in legal(rules, here):
                        for _, then, further in outcomes(rules, here, only):
                            ways += 1
                            if ways == 1:
                                gained += reward(rules, here, only, then)
                                turn += further
                                where = then
                    if ways != 1:
                        return -1 - UNSHARED
            while turn > seats:
                turn -= seats
            if over(rules, where):
                gained += seat_payoff(rules, where, (seats - turn) % seats)
            else:
                for i in range(len(where)):
                    ports.fields[height, i] = where[i]
                ports.probability[height] = probability
                ports.passes[height] = turn
                height += 1
            gain += probability * gained
            magnitude += probability * abs(gained)
        ports.gain[number] = gain
        ports.magnitude[number] = magnitude
        ports.end[number] = height
    return count  # type: ignore[no-any-return]


def _wide(number: Any) -> Any:
    """The number in 64 bits, as rules take it."""
    return np.int64(number)
