"""The measures in exact fractions, slowly: from all games of a small rule set, one by one, or from all of its states.

It runs the rules interpreted, follows the first player's chance of winning in a list, and counts by the definitions.
"""

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from math import sqrt
from typing import Any

import numpy as np

from komi.solvers.solution import Solution

Node = tuple[Any, int]  # a state and the seat to move
HALF = Fraction(1, 2)
NEAR = Fraction(1, 100)


class Twin:
    """A game between two policies, each "optimal" or "random"."""

    def __init__(self, solution: Solution[Any], policies: tuple[str, str]) -> None:
        self.game, self.rules, self.solution = solution.game, solution.rules, solution
        self.policies = policies
        self.start: Node = (self.game.part("start")(self.rules), 0)
        self.nodes = self.reached()
        self.value = self.values()

    def choices(self, node: Node) -> dict[int, Fraction]:
        """The probability of each action."""
        state, seat = node
        legal = list(self.game.part("legal")(self.rules, state))
        if self.policies[seat] == "random" or len(legal) == 1:
            return dict.fromkeys(legal, Fraction(1, len(legal)))
        return {self.solution.optimal_action(state): Fraction(1)}

    def outcomes(self, node: Node, action: int) -> list[tuple[Fraction, Node]]:
        state, seat = node
        return [
            (Fraction(chance).limit_denominator(10**6), (after, (seat + passes) % 2))
            for chance, after, passes in self.game.part("outcomes")(self.rules, state, action)
        ]

    def moves(self, node: Node) -> list[tuple[Fraction, Node]]:
        return [
            (share * chance, after)
            for action, share in self.choices(node).items()
            for chance, after in self.outcomes(node, action)
        ]

    def result(self, node: Node) -> Fraction | None:
        """The first player's payoff if the game is over."""
        state, seat = node
        if not self.game.part("over")(self.rules, state):
            return None
        payoff = Fraction(self.game.part("payoff")(self.rules, state))
        return 1 - payoff if seat else payoff

    def reached(self) -> list[Node]:
        found, stack = {self.start: None}, [self.start]
        while stack:
            node = stack.pop()
            if self.result(node) is not None:
                continue
            for action in self.game.part("legal")(self.rules, node[0]):
                for _, after in self.outcomes(node, action):
                    if after not in found:
                        found[after] = None
                        stack.append(after)
        return list(found)

    def values(self) -> dict[Node, Fraction]:
        """The first player's chance of winning at each node: linear equations, solved from the last to the first."""
        known = {node: result for node in self.nodes if (result := self.result(node)) is not None}
        unknown = [node for node in self.nodes if node not in known]
        sums = solved({node: self.moves(node) for node in unknown}, {}, known)
        return {**known, **sums}

    def games(self) -> Iterator[tuple[Fraction, list[Node]]]:
        """Every game with its probability; only without cycles."""
        stack: list[tuple[Fraction, list[Node]]] = [(Fraction(1), [self.start])]
        while stack:
            chance, path = stack.pop()
            if self.result(path[-1]) is not None:
                yield chance, path
                continue
            stack += [(chance * each, [*path, after]) for each, after in self.moves(path[-1])]

    def measures(self, low: Fraction, decided: Fraction) -> dict[str, float]:
        """The measures of tension, from all games."""
        found = dict.fromkeys(
            ("moves", "surprise", "variance", "lead_changes", "comeback", "decided", "drama"), Fraction(0)
        )
        suspense = 0.0
        for chance, path in self.games():
            v = [self.value[node] for node in path]
            moves = len(path) - 1
            found["moves"] += chance * moves
            found["surprise"] += chance * sum(abs(b - a) for a, b in pairwise(v))
            found["variance"] += chance * sum((b - a) ** 2 for a, b in pairwise(v))
            leaders = [each > HALF for each in v if each != HALF]
            found["lead_changes"] += chance * sum(a != b for a, b in pairwise(leaders))
            winners = [each if v[-1] > HALF else 1 - each for each in v]
            if v[-1] != HALF:
                found["comeback"] += chance * (min(winners) <= low)
            first = next((i for i, each in enumerate(v) if max(each, 1 - each) >= decided), moves)
            found["decided"] += chance * (moves - first)
            found["drama"] += chance * sum(
                each * max(HALF - each, 0) + (1 - each) * max(each - HALF, 0) for each in v[:-1]
            )
            suspense += float(chance) * sum(self.deviation(node) for node in path[:-1])
        return {
            **{name: float(each) for name, each in found.items()},
            "suspense": suspense,
            "decisive": float(found["decided"] / found["moves"]),
        }

    def expected(self, low: Fraction, decided: Fraction) -> dict[str, float]:
        """The same with cycles: from the visits of all nodes, with what the definitions remember as part of a node."""
        found = dict.fromkeys(
            ("moves", "surprise", "variance", "lead_changes", "comeback", "decided", "drama"), Fraction(0)
        )

        def seen(node: Node, leader: int | None, lows: frozenset[int], is_decided: bool) -> tuple[Any, ...]:
            v = self.value[node]
            sides = (v, 1 - v)
            now = leader if v == HALF else int(v < HALF)
            return node, now, lows | {i for i in (0, 1) if sides[i] <= low}, is_decided or max(sides) >= decided

        begin = seen(self.start, None, frozenset(), False)
        follow: dict[Any, list[tuple[Fraction, Any]]] = {}
        stack = [begin]
        while stack:
            place = stack.pop()
            if place not in follow:
                is_over = self.result(place[0]) is not None
                moves = [] if is_over else self.moves(place[0])
                follow[place] = [(chance, seen(after, *place[1:])) for chance, after in moves]
                stack += [after for _, after in follow[place]]
        reverse: dict[Any, list[tuple[Fraction, Any]]] = {place: [] for place in follow}
        for place, moves in follow.items():
            for chance, after in moves:
                reverse[after].append((chance, place))
        suspense = 0.0
        for place, often in solved(reverse, {begin: Fraction(1)}, {}).items():
            (node, leader, lows, is_decided), v = place, self.value[place[0]]
            if not follow[place]:
                found["comeback"] += often * (v != HALF and int(v < HALF) in lows)
                continue
            found["moves"] += often
            found["decided"] += often * is_decided
            found["drama"] += often * (v * max(HALF - v, 0) + (1 - v) * max(v - HALF, 0))
            suspense += float(often) * self.deviation(node)
            for chance, after in follow[place]:
                change = self.value[after[0]] - v
                found["surprise"] += often * chance * abs(change)
                found["variance"] += often * chance * change**2
                found["lead_changes"] += often * chance * (leader is not None and leader != after[1])
        return {
            **{name: float(each) for name, each in found.items()},
            "suspense": suspense,
            "decisive": float(found["decided"] / found["moves"]),
        }

    def deviation(self, node: Node) -> float:
        moves = self.moves(node)
        mean = sum(chance * self.value[after] for chance, after in moves)
        return sqrt(sum(chance * (self.value[after] - mean) ** 2 for chance, after in moves))

    def choice(self) -> dict[str, float]:
        """The measures of choice, from the expected visits of all states."""
        visits = self.visits()
        sums = np.zeros(5)
        for node, often in visits.items():
            legal = list(self.game.part("legal")(self.rules, node[0]))
            if len(legal) < 2:
                continue
            first = [sum(chance * self.value[after] for chance, after in self.outcomes(node, a)) for a in legal]
            q = [1 - each for each in first] if node[1] else first
            best, mean = max(q), Fraction(sum(q)) / len(q)
            near = sum(each >= best - NEAR for each in q)
            narrow = Fraction(sum(each > mean + (best - mean) * Fraction(3, 4) for each in q), len(q))
            sums += float(often) * np.array([1.0, len(q), near, float(best - mean), float(narrow)])
        names = ("legal_actions", "near_best", "random_loss", "narrowness")
        return {"decisions": float(sums[0]), **dict(zip(names, sums[1:] / sums[0], strict=True))}

    def visits(self) -> dict[Node, Fraction]:
        """The expected visits of each node: from the equation of each, with the moves reversed."""
        unknown = [node for node in self.nodes if self.result(node) is None]
        reverse: dict[Node, list[tuple[Fraction, Node]]] = {node: [] for node in unknown}
        for node in unknown:
            for chance, after in self.moves(node):
                if after in reverse:
                    reverse[after].append((chance, node))
        return solved(reverse, {self.start: Fraction(1)}, {})


def solved(
    terms: dict[Any, list[tuple[Fraction, Any]]], constant: dict[Any, Fraction], known: dict[Any, Fraction]
) -> dict[Any, Fraction]:
    """Solve x = constant + sum of factor x[other], by Gaussian elimination of one unknown after the other."""
    rows: dict[Any, dict[Any, Fraction]] = {}
    for name, sums in terms.items():
        row = {None: constant.get(name, Fraction(0))}
        for factor, other in sums:
            if other in known:
                row[None] += factor * known[other]
            else:
                row[other] = row.get(other, Fraction(0)) + factor
        rows[name] = row
    names = list(rows)
    for name in reversed(names):
        row = rows[name]
        own = row.pop(name, Fraction(0))
        row = rows[name] = {other: factor / (1 - own) for other, factor in row.items()}
        for other in names:
            factor = rows[other].pop(name, None) if other != name else None
            if factor:
                for each, weight in row.items():
                    rows[other][each] = rows[other].get(each, Fraction(0)) + factor * weight
    return {name: row[None] for name, row in rows.items()}
