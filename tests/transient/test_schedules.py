"""Plans say of rolls what their shapes say."""

from typing import Any

import numpy as np
import pytest

import komi
from komi.graph.reachability import find_reachable
from komi.graph.sources import GameTransitions
from komi.graph.transitions import begin
from komi.jit.kernels import engine_kernels
from komi.rules.compiled import CompiledGame
from komi.transient.roll_graph import ENTRIES, SHAPES, Shapes
from komi.transient.roll_sweeps import Slots, follow
from komi.transient.schedules import PLANS, STEPS, Plans, write_plan
from komi.transient.store import Rolls


def backed_up(shapes: Shapes, shape: int, worth: Any) -> float:
    """What a state is worth if its ports are worth this, row by row."""
    graph, exits = shapes.shape_graph[shape], shapes.shape_exits[shape]
    first, last = begin(shapes.graph_rows, graph), shapes.graph_rows[graph]
    rows: list[float] = []
    for row in range(first, last):
        listed = begin(shapes.exits_lists, exits)
        listed += shapes.listed_list[begin(shapes.exits_listed, exits) + row - first]
        entries = range(begin(shapes.list_entries, listed), shapes.list_entries[listed])
        options = [float(worth[shapes.entry_port[entry]]) for entry in entries]
        for action in range(begin(shapes.row_actions, row), shapes.row_actions[row]):
            terms = range(begin(shapes.action_terms, action), shapes.action_terms[action])
            options.append(sum(shapes.term_weight[term] * rows[shapes.term_row[term]] for term in terms))
        rows.append(max(options))
    return rows[-1]


@pytest.mark.parametrize("name", ["ten-thousand", "farkle"])
def test_a_plan_comes_to_what_the_rows_of_a_shape_are_worth(name: str) -> None:
    game = komi.find(name)
    rules = game.rules({"goal": 500})
    compiled = CompiledGame(game)
    rolls = Rolls(compiled, rules)
    find_reachable(GameTransitions(compiled, rules), [game.part("start")(rules)], rolls=rolls)
    shapes, count = rolls.shapes, int(rolls.shapes.used[SHAPES])
    plans = Plans.empty(count, 1)
    random = np.random.default_rng(1)
    for shape in range(count):
        ports = int(shapes.shape_ports[shape] - begin(shapes.shape_ports, shape))
        while not engine_kernels()[write_plan](shapes, shape, ports, plans):
            plans = plans.doubled()
        slots = Slots.empty(int(plans.slots[shape]))
        for _ in range(20):
            slots.value[:ports] = random.random(ports)
            assert follow(shapes, shape, plans, 1.0, slots.value) == pytest.approx(
                backed_up(shapes, shape, slots.value), abs=1e-14
            )
    assert plans.used[PLANS] == count
    assert plans.used[STEPS] < 0.7 * shapes.used[ENTRIES], "lists share what they have in common"
