"""Schedules say of rolls what their roll graphs say."""

from typing import Any

import numpy as np
import pytest

import komi
from komi.compiling.compiled import CompiledGame
from komi.graph.reachability import find_reachable
from komi.graph.transitions import begin
from komi.jit.kernels import engine_kernels
from komi.transient.roll_graph import GraphKind, RollGraphs
from komi.transient.roll_sweeps import Slots, run_schedule
from komi.transient.schedules import ScheduleKind, Schedules, write_schedule
from komi.transient.store import Rolls


def value_of(graphs: RollGraphs, graph: int, worth: Any) -> float:
    """Compute the value of a state from those of its exits, node by node."""
    interior, assignment = graphs.graph_interior[graph], graphs.graph_assignment[graph]
    first, last = begin(graphs.interior_nodes, interior), graphs.interior_nodes[interior]
    nodes: list[float] = []
    for node in range(first, last):
        listed = begin(graphs.assignment_lists, assignment)
        listed += graphs.assigned_list[begin(graphs.assignment_nodes, assignment) + node - first]
        entries = range(begin(graphs.list_entries, listed), graphs.list_entries[listed])
        options = [float(worth[graphs.entry_exit[entry]]) for entry in entries]
        for action in range(begin(graphs.node_actions, node), graphs.node_actions[node]):
            terms = range(begin(graphs.action_terms, action), graphs.action_terms[action])
            options.append(sum(graphs.term_weight[term] * nodes[graphs.term_node[term]] for term in terms))
        nodes.append(max(options))
    return nodes[-1]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["ten-thousand", pytest.param("farkle", marks=pytest.mark.slow)])
def test_a_schedule_computes_the_value_of_its_roll_graph(name: str) -> None:
    game = komi.find(name)
    rules = game.rules({"goal": 500})
    compiled = CompiledGame(game)
    rolls = Rolls(compiled, rules)
    find_reachable(rolls, [game.part("start")(rules)])
    graphs, count = rolls.graphs, int(rolls.graphs.used[GraphKind.GRAPH])
    schedules = Schedules.empty(count, 1)
    random = np.random.default_rng(1)
    for graph in range(count):
        exits = int(graphs.graph_exits[graph] - begin(graphs.graph_exits, graph))
        while not engine_kernels()[write_schedule](graphs, graph, exits, schedules):
            schedules = schedules.doubled()
        slots = Slots.empty(int(schedules.slots[graph]))
        for _ in range(20):
            slots.value[:exits] = random.random(exits)
            assert run_schedule(graphs, graph, schedules, 1.0, slots.value) == pytest.approx(
                value_of(graphs, graph, slots.value), abs=1e-14
            )
    assert schedules.used[ScheduleKind.SCHEDULE] == count
    assert schedules.used[ScheduleKind.STEP] < 0.7 * graphs.used[GraphKind.ENTRY], (
        "lists share what they have in common"
    )
