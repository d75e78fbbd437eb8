"""The reachability analysis and the component search on hand-made graphs, against slow twins in plain Python."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import komi
from komi.compiling.compiled import compiled_game
from komi.graph.components import ALL_SOLVED, solve_components, status_of_bounds
from komi.graph.reachability import find_reachable
from komi.graph.sources import GameTransitions
from komi.graph.transitions import Transitions, begin

GAME = Path(__file__).parents[1] / "games" / "drawn_graph.py"
NODES = 7
Edges = set[tuple[int, int]]
CYCLE_WITH_TAIL = {(0, 1), (1, 2), (2, 0), (2, 3), (3, 4)}
TWO_CYCLES_THAT_SHARE_A_NODE = {(0, 1), (1, 0), (1, 2), (2, 1)}
SELF_LOOP = {(0, 0), (0, 1)}
DIAMOND = {(0, 1), (0, 2), (1, 3), (2, 3), (3, 4), (4, 3)}
UNREACHABLE = {(0, 1), (2, 0), (3, 2), (2, 3)}
LATE_BACK_EDGE = {(0, 1), (1, 2), (2, 3), (3, 1), (2, 4), (4, 5), (5, 2), (5, 6)}


def closure(edges: Edges) -> Edges:
    """Return all pairs of nodes such that the first leads to the second, in any number of steps, also none."""
    pairs = edges | {(node, node) for node in range(NODES)}
    for middle in range(NODES):
        pairs = pairs | {(a, b) for a, m in pairs if m == middle for n, b in pairs if n == middle}
    return pairs


def strong_components(edges: Edges) -> set[frozenset[int]]:
    pairs = closure(edges)
    reachable = {b for a, b in pairs if a == 0}
    return {frozenset(b for b in reachable if (a, b) in pairs and (b, a) in pairs) for a in reachable}


class Recorder:
    """A component solver that records the nodes of each component, and the edges and the order of each state."""

    def __init__(self) -> None:
        self.components: list[list[int]] = []
        self.edges: list[tuple[int, int, float]] = []
        self.postorder: list[list[int]] = []

    def allocate(self, states: int, actions: int, outcomes: int) -> None:
        pass

    def solve(self, batch: Transitions, ends: Any) -> int:
        for component in range(len(ends)):
            first, end = int(begin(ends, component)), int(ends[component])
            members = batch.state[first:end].tolist()
            self.components.append(members)
            self.postorder.append(batch.postorder[first:end].tolist())
            for row in range(first, end):
                for action in range(begin(batch.actions_end, row), batch.actions_end[row]):
                    for outcome in range(begin(batch.outcomes_end, action), batch.outcomes_end[action]):
                        target = int(batch.target[outcome])
                        target = members[-1 - target] if target < 0 else target
                        self.edges.append((int(batch.state[row]), target, float(batch.probability[outcome])))
        return ALL_SOLVED

    def stop(self) -> None:
        pass

    def error(self, index: int) -> Exception:
        return AssertionError(index)


def check_search(edges: Edges) -> None:
    game = komi.find(str(GAME))
    rules = game.default_rules._replace(edges=sum(1 << (NODES * a + b) for a, b in edges))
    transitions, roots = GameTransitions(compiled_game(game), rules), [game.part("start")(rules)]
    states, counts = find_reachable(transitions, roots, side_by_side=False)
    nodes = [states.fields(index)[0] for index in range(states.size)]
    assert nodes == sorted(b for a, b in closure(edges) if a == 0)
    assert counts.outcomes == 2 * counts.actions
    recorder = Recorder()
    solve_components(transitions, states, counts, roots, recorder, side_by_side=False)
    components = [frozenset(nodes[index] for index in component) for component in recorder.components]
    assert len(components) == len(set(components))
    assert set(components) == strong_components(edges)
    rank = {node: number for number, component in enumerate(components) for node in component}
    found = [(nodes[a], nodes[b], probability) for a, b, probability in recorder.edges]
    assert sorted(found) == sorted((a, b, 1.0) for a, b in edges if a in rank)
    assert all(rank[b] <= rank[a] for a, b, _ in found)
    assert all(sorted(postorder) == [*range(len(postorder))] for postorder in recorder.postorder)


@pytest.mark.parametrize(
    "edges",
    [set(), SELF_LOOP, CYCLE_WITH_TAIL, TWO_CYCLES_THAT_SHARE_A_NODE, DIAMOND, UNREACHABLE, LATE_BACK_EDGE],
)
def test_components_of_hand_made_graphs_come_in_reverse_topological_order(edges: Edges) -> None:
    check_search(edges)


@settings(max_examples=60, deadline=None)
@given(st.sets(st.tuples(st.integers(0, NODES - 1), st.integers(0, NODES - 1)), max_size=14))
def test_components_of_random_graphs_come_in_reverse_topological_order(edges: Edges) -> None:
    check_search(edges)


@given(st.floats(0.0, width=32))
def test_a_state_is_complete_if_and_only_if_its_bound_is_positive(bound: float) -> None:
    bounds = np.array([bound], np.float32)
    status = status_of_bounds(bounds)
    assert np.shares_memory(status, bounds)
    assert (status[0] > 0) == (bounds[0] > 0.0)
    assert (status[0] == 0) == (bounds[0] == 0.0)


@pytest.mark.parametrize("bound", [-1.0, -0.0])
def test_a_negative_bound_cannot_share_its_memory(bound: float) -> None:
    with pytest.raises(ValueError, match="negative"):
        status_of_bounds(np.array([bound], np.float32))


def test_rows_of_ranges_begin_where_the_row_before_ends() -> None:
    ends = np.array([2, 2, 5])
    assert [[*range(begin(ends, row), ends[row])] for row in range(3)] == [[0, 1], [], [2, 3, 4]]
