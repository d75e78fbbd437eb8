"""All pure policies of a small game, one after the other: Markov chains in fractions, slow and obviously right."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

from komi.rules.game import Game

import exact

Outcomes = list[tuple[Fraction, Any, int]]


@dataclass(frozen=True)
class Ending:
    """The results of a chain from its first node.

    Attributes:
        gained: on average, endless play counting as nothing.
        ends: the chance that it ends.
        rounds: what each set of nodes that it can stay in for ever gains on average in a step.
    """

    gained: Fraction
    ends: Fraction
    rounds: list[Fraction]


def outcomes(game: Game, rules: Any, state: Any, action: int) -> Outcomes:
    """Return at most two outcomes; the likelier has the remaining probability."""
    listed = sorted((Fraction(p), after, passes) for p, after, passes in game.outcomes(rules, state, action))
    assert len(listed) <= 2
    chances = [listed[0][0], 1 - listed[0][0]] if len(listed) == 2 else [Fraction(1)]
    return [(chance, after, passes) for chance, (_, after, passes) in zip(chances, listed, strict=True)]


def policies(game: Game, rules: Any) -> Iterator[dict[Any, int]]:
    """Yield all policies, over the states that play can reach."""
    states = [game.part("start")(rules)]
    for state in states:
        for action in game.part("legal")(rules, state):
            for _, after, _ in game.outcomes(rules, state, action):
                if not game.part("over")(rules, after) and after not in states:
                    states.append(after)
    legal = [list(game.part("legal")(rules, state)) for state in states]
    for chosen in product(*legal):
        yield dict(zip(states, chosen, strict=True))


def endings(game: Game, rules: Any, state: Any) -> list[list[Ending]]:
    """Return the value to the player to move, for each policy of theirs and each of the other's."""
    pure = list(policies(game, rules))
    others = pure if game.players(rules) == 2 else pure[:1]
    return [
        [
            follow(game, rules, state, 0, lambda here, own, a=mine, b=theirs: (b if own else a)[here])
            for theirs in others
        ]
        for mine in pure
    ]


def countings(game: Game, rules: Any, table: list[list[Ending]]) -> tuple[Fraction, Fraction]:
    """Compute the value if an endless game counts as 0, and as 1."""
    pick = min if game.aim(rules) == "least" else max
    low = pick(min(each.gained for each in row) for row in table)
    high = pick(min(each.gained + 1 - each.ends for each in row) for row in table)
    return low, high


def follow(
    game: Game, rules: Any, state: Any, seat: int, action_of: Callable[[Any, int], int], rewarded: bool = False
) -> Ending:
    """Compute the results of a seat, counted from the player to move, if all play pure policies.

    Args:
        game, rules, state: where play begins.
        seat: the seat.
        action_of: the action in a state with the seat so far from the mover.
        rewarded: whether rewards on the way count.
    """
    seats = game.players(rules)
    nodes = [(state, seat)]
    steps: list[tuple[dict[int, Fraction], Fraction, Fraction]] = []  # moves, gained, the chance to end
    for here, own in nodes:
        moves: dict[int, Fraction] = {}
        gained = ends = Fraction(0)
        action = action_of(here, own)
        for chance, after, passes in outcomes(game, rules, here, action):
            if rewarded:
                gained += chance * Fraction(game.part("reward")(rules, here, action, after))
            then = (own - passes) % seats
            if game.part("over")(rules, after):
                gained += chance * Fraction(game.payoffs(rules, after)[then])
                ends += chance
                continue
            if (after, then) not in nodes:
                nodes.append((after, then))
            node = nodes.index((after, then))
            moves[node] = moves.get(node, Fraction(0)) + chance
        steps.append((moves, gained, ends))
    reach = [_reachable(steps, node) for node in range(len(nodes))]
    endless = [node for node in range(len(nodes)) if not any(steps[other][2] for other in reach[node])]
    classes = {frozenset(reach[node]) for node in endless if all(node in reach[other] for other in reach[node])}
    return Ending(
        _expected(steps, endless, 1), _expected(steps, endless, 2), [_round(steps, sorted(each)) for each in classes]
    )


def _reachable(steps: Any, node: int) -> set[int]:
    found, waiting = {node}, [node]
    while waiting:
        for after in steps[waiting.pop()][0]:
            if after not in found:
                found.add(after)
                waiting.append(after)
    return found


def _expected(steps: Any, endless: list[int], which: int) -> Fraction:
    """Compute the expected sum of rewards, or of the chances to end, from the first node on."""
    if 0 in endless:
        return Fraction(0)
    nodes = [node for node in range(len(steps)) if node not in endless]
    equations = []
    for node in nodes:
        row = [Fraction(int(node == other)) - steps[node][0].get(other, Fraction(0)) for other in nodes]
        equations.append([*row, steps[node][which]])
    return exact.eliminated(equations)[0]


def _round(steps: Any, nodes: list[int]) -> Fraction:
    """Compute the mean reward of a step where play stays in some nodes."""
    equations = [
        [Fraction(int(node == other)) - steps[other][0].get(node, Fraction(0)) for other in nodes] + [Fraction(0)]
        for node in nodes
    ]
    equations[-1] = [Fraction(1)] * (len(nodes) + 1)
    shares = exact.eliminated(equations)
    return sum((share * steps[node][1] for share, node in zip(shares, nodes, strict=True)), Fraction(0))
