"""The order of the nodes that play reaches, on hand-made graphs, against slow twins in plain Python."""

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import komi
from komi.bellman import ActionCode
from komi.compiling.compiled import compiled_game
from komi.evaluation.play_search import PlayOrder, order_play, order_turns
from komi.graph.reachability import find_reachable
from komi.graph.sources import GameTransitions

GAME = Path(__file__).parents[1] / "games" / "drawn_graph.py"
NODES = 7
Edges = set[tuple[int, int]]
Node = tuple[int, int]
"""A node of the graph, and the role to move."""
GRAPHS: list[Edges] = [
    set(),
    {(0, 0), (0, 1)},
    {(0, 1), (1, 2), (2, 0), (2, 3), (3, 4)},
    {(0, 1), (1, 0), (1, 2), (2, 1)},
    {(0, 1), (0, 2), (1, 3), (2, 3), (3, 4), (4, 3), (4, 4)},
    {(0, 1), (1, 2), (2, 3), (3, 1), (2, 4), (4, 5), (5, 2), (5, 6)},
]


def ordered(edges: Edges, roles: int, turns: bool = False) -> tuple[PlayOrder, list[Node]]:
    """Order all play if role 0 is free and role 1 takes the edge to the lowest node."""
    game = komi.find(str(GAME))
    compiled, rules = (
        compiled_game(game),
        game.default_rules._replace(edges=sum(1 << (NODES * a + b) for a, b in edges)),
    )
    states, _ = find_reachable(GameTransitions(compiled, rules), [game.part("start")(rules)], side_by_side=False)
    nodes = [states.fields(index)[0] for index in range(states.size)]
    lowest = [min((b for a, b in edges if a == node), default=NODES) for node in nodes]
    policies = np.array([[ActionCode.FREE] * len(nodes), lowest], np.int16)[:roles]
    order = order_turns(compiled, rules, states, policies) if turns else order_play(compiled, rules, states, policies)
    return order, [(nodes[index], int(role)) for index, role in zip(order.indices, order.roles, strict=True)]


def play_edges(edges: Edges, roles: int) -> set[tuple[Node, Node]]:
    """Return all transitions of this play between nodes that it reaches."""
    lowest = {a: min(b for c, b in edges if c == a) for a, _ in edges}
    every = {
        ((a, role), (b, (role + 1) % roles)) for a, b in edges for role in range(roles) if role == 0 or b == lowest[a]
    }
    reached = {(0, 0)}
    while more := {b for a, b in every if a in reached} - reached:
        reached |= more
    return {(a, b) for a, b in every if a in reached}


def reachable_from(node: Node, edges: set[tuple[Node, Node]]) -> set[Node]:
    found = {node}
    while more := {b for a, b in edges if a in found} - found:
        found |= more
    return found


@pytest.mark.parametrize("roles", [1, 2])
@pytest.mark.parametrize("edges", GRAPHS)
def test_play_is_ordered_by_components_in_which_only_feedback_nodes_are_led_back_to(edges: Edges, roles: int) -> None:
    order, nodes = ordered(edges, roles)
    transitions = play_edges(edges, roles)
    place = {node: number for number, node in enumerate(nodes)}
    assert len(place) == len(nodes)
    assert set(nodes) == reachable_from((0, 0), transitions)
    component = {node: int(np.searchsorted(order.ends, number, side="right")) for node, number in place.items()}
    for a in nodes:
        mutual = {b for b in reachable_from(a, transitions) if a in reachable_from(b, transitions)}
        assert {b for b in nodes if component[b] == component[a]} == mutual
    assert all(component[a] <= component[b] for a, b in transitions)
    assert {nodes[number] for number in np.flatnonzero(order.loops)} == {a for a, b in transitions if a == b}
    closing = {b for a, b in transitions if place[b] < place[a]}
    assert {nodes[number] for number in np.flatnonzero(order.feedback)} == closing


@pytest.mark.parametrize("edges", GRAPHS)
def test_outcomes_that_pass_the_turn_close_no_cycle_of_a_turn(edges: Edges) -> None:
    order, nodes = ordered(edges, 2, turns=True)
    assert sorted(nodes) == sorted(ordered(edges, 2)[1])
    assert [b - a for a, b in pairwise([0, *order.ends.tolist()])] == [1] * len(nodes)
    assert not order.feedback.any()
    assert not order.loops.any()
