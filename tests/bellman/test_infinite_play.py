"""What a component is worth if infinite play pays a stated amount: against all pairs of positional strategies."""

import random
from fractions import Fraction
from itertools import product

import pytest

from komi.bellman.infinite_play import end_components, solve_infinite_play
from komi.bellman.rational import evaluate
from komi.bellman.rational_graph import MAXIMIZER, MINIMIZER, NO_PLAYER, Action, Graph

HALF = Fraction(1, 2)


def random_graph(chance: random.Random) -> Graph:
    """Create a graph in which much of play can go on for ever."""
    size = chance.randint(1, 5)
    actions = [[random_action(chance, size) for _ in range(chance.randint(1, 3))] for _ in range(size)]
    choosers = [chance.choice((MAXIMIZER, MINIMIZER)) if len(each) > 1 else NO_PLAYER for each in actions]
    return Graph([(node, 0, True) for node in range(size)], choosers, actions, True, 0.0)


def random_action(chance: random.Random, size: int) -> Action:
    weights = [chance.randint(0, 2) * chance.randint(0, 1) for _ in range(size)]
    leaving = chance.randint(0, 2) * chance.randint(0, 1) + (not any(weights))
    total = sum(weights) + leaving
    successors = {node: Fraction(weight, total) for node, weight in enumerate(weights) if weight}
    reward = Fraction(leaving * chance.randint(0, 4), 4 * total)
    return Action(0, successors, reward, reward, leaving > 0)


def share_of(taken: list[Action], pays: Fraction) -> list[Fraction]:
    """Compute A's share under fixed strategies: where play cannot leave, that of endless play."""
    leaving: set[int] = set()
    while (
        more := {node for node, action in enumerate(taken) if action.can_leave or action.successors.keys() & leaving}
        - leaving
    ):
        leaving |= more
    ended = [action if node in leaving else Action(0, {}, pays, pays, True) for node, action in enumerate(taken)]
    return evaluate(ended, [action.reward for action in ended])


def value_of(graph: Graph, pays: Fraction) -> list[Fraction]:
    """Compute the greatest share that A can guarantee, over all pairs of positional strategies."""
    sides = {
        player: [
            each if chooser == player else [None] for chooser, each in zip(graph.choosers, graph.actions, strict=True)
        ]
        for player in (MAXIMIZER, MINIMIZER)
    }
    guaranteed = []
    for own in product(*sides[MAXIMIZER]):
        shares = [
            share_of(
                [a or b or each[0] for a, b, each in zip(own, other, graph.actions, strict=True)],
                pays,
            )
            for other in product(*sides[MINIMIZER])
        ]
        guaranteed.append([min(column) for column in zip(*shares, strict=True)])
    return [max(column) for column in zip(*guaranteed, strict=True)]


def check(seed: int) -> None:
    chance = random.Random(seed)
    graph, pays = random_graph(chance), Fraction(chance.randint(0, 4), 4)
    found = solve_infinite_play(graph, pays)
    assert found is not None
    assert found.low == found.high == value_of(graph, pays)
    assert share_of(found.chosen, pays) == found.low


def test_the_value_is_that_of_the_best_strategies() -> None:
    for seed in range(60):
        check(seed)


@pytest.mark.slow
def test_the_value_is_that_of_the_best_strategies_of_many_graphs() -> None:
    for seed in range(60, 3000):
        check(seed)


def test_end_components_are_maximal_and_apart() -> None:
    stay, go = (
        Action(0, {0: Fraction(1)}, Fraction(0), Fraction(0), False),
        Action(0, {1: HALF, 2: HALF}, *[Fraction(0)] * 2, False),
    )
    back, leave = go._replace(successors={0: Fraction(1)}), Action(0, {}, HALF, HALF, True)
    assert end_components([[go], [back], [back]]) == [[0, 1, 2]]
    assert end_components([[go, stay], [back], [leave]]) == [[0]]
    assert end_components([[go], [back], [leave]]) == []
