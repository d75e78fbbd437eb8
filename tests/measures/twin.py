"""The measures in exact fractions, slowly: from all games of a small rule set, one by one, or from all of its states.

It runs the rules interpreted, follows the values of all sides in a list, and counts by the definitions. A side is a
seat, counted from the first player; a single player with a chance as the objective has chance as the second side.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import pairwise
from math import sqrt
from typing import Any, NamedTuple

import numpy as np

from games import reference
from komi.solvers.solution import Solution

Node = tuple[Any, int]  # a state and the seat to move
Values = tuple[Fraction, ...]  # of each side
HALF = Fraction(1, 2)
NEAR = Fraction(1, 100)
SUMS = ("moves", "variance", "lead_changes", "comeback", "decided", "drama")


class Move(NamedTuple):
    """An outcome, with its probability, the reward, and whether the turn passes."""

    chance: Fraction
    gain: Fraction
    passes: int
    after: Node


class Course(NamedTuple):
    """A game: its moves, and the values of all sides at each node, with what was gained before."""

    chance: Fraction
    nodes: list[Node]
    moves: list[Move]
    values: list[Values]


class Twin:
    """A game between policies, one for each seat, each "optimal" or "random"."""

    def __init__(self, solution: Solution[Any], policies: tuple[str, ...]) -> None:
        self.game, self.rules, self.solution = solution.game, solution.rules, solution
        self.seats = solution.kind.seats
        self.is_points = solution.kind.rewards
        self.sign = -1 if solution.kind.aim == "least" else 1
        self.policies = policies
        self.start: Node = (self.game.part("start")(self.rules), 0)
        self.moves = cache(self._moves)
        self.attainable = cache(self._attainable)
        self.nodes = self.reached()
        self.value = self.values()

    def choices(self, node: Node) -> dict[int, Fraction]:
        """Return the probability of each action."""
        state, seat = node
        legal = list(self.game.part("legal")(self.rules, state))
        if self.policies[seat] == "random" or len(legal) == 1:
            return dict.fromkeys(legal, Fraction(1, len(legal)))
        return {self.solution.optimal_action(state): Fraction(1)}

    def outcomes(self, node: Node, action: int) -> list[Move]:
        state, seat = node
        found = []
        for chance, after, passes in reference.outcomes(self.game, self.rules, state, action):
            gain = self.game.part("reward")(self.rules, state, action, after) if self.is_points else 0
            found.append(Move(Fraction(chance), Fraction(gain), passes, (after, (seat + passes) % self.seats)))
        return found

    def _moves(self, node: Node) -> list[Move]:
        return [
            move._replace(chance=share * move.chance)
            for action, share in self.choices(node).items()
            for move in self.outcomes(node, action)
        ]

    def result(self, node: Node) -> Values | None:
        """Return the payoffs of all sides if the game is over."""
        state, seat = node
        if not self.game.part("over")(self.rules, state):
            return None
        shares = [Fraction(each).limit_denominator(10**6) for each in self.game.payoffs(self.rules, state)]
        own = tuple(shares[(side - seat) % self.seats] for side in range(self.seats))
        return own if self.seats > 1 or self.is_points else (own[0], 1 - own[0])

    def reached(self) -> list[Node]:
        found, stack = {self.start: None}, [self.start]
        while stack:
            node = stack.pop()
            if self.result(node) is not None:
                continue
            for action in self.game.part("legal")(self.rules, node[0]):
                for move in self.outcomes(node, action):
                    if move.after not in found:
                        found[move.after] = None
                        stack.append(move.after)
        return list(found)

    def values(self) -> dict[Node, Values]:
        """Compute the values of all sides at each node: linear equations, solved from the last to the first."""
        known = {node: result for node in self.nodes if (result := self.result(node)) is not None}
        unknown = [node for node in self.nodes if node not in known]
        terms = {node: [(move.chance, move.after) for move in self.moves(node)] for node in unknown}
        gains = {node: sum((move.chance * move.gain for move in self.moves(node)), Fraction(0)) for node in unknown}
        sides = [
            solved(terms, gains, {node: result[side] for node, result in known.items()})
            for side in range(len(next(iter(known.values()))))
        ]
        return {**known, **{node: tuple(side[node] for side in sides) for node in unknown}}

    def games(self) -> Iterator[Course]:
        """Yield every game; only without cycles."""
        stack = [Course(Fraction(1), [self.start], [], [self.value[self.start]])]
        while stack:
            course = stack.pop()
            if self.result(course.nodes[-1]) is not None:
                yield course
                continue
            gained = sum((move.gain for move in course.moves), Fraction(0))
            for move in self.moves(course.nodes[-1]):
                values = tuple(gained + move.gain + each for each in self.value[move.after])
                nodes, moves = [*course.nodes, move.after], [*course.moves, move]
                stack.append(Course(course.chance * move.chance, nodes, moves, [*course.values, values]))

    def measures(self, low: Fraction, decided: Fraction) -> dict[str, float]:
        """Compute the measures of tension, from all games."""
        found = dict.fromkeys(SUMS, Fraction(0))
        suspense = surprise = 0.0
        for chance, nodes, moves, values in self.games():
            found["moves"] += chance * len(moves)
            squares = [distance_squared(a, b) for a, b in pairwise(values)]
            found["variance"] += chance * sum(squares)
            surprise += float(chance) * sum(map(sqrt, squares))
            suspense += float(chance) * sum(map(self.deviation, nodes[:-1]))
            if self.is_points:
                continue
            leaders = [leader for each in values if (leader := leader_of(each)) is not None]
            found["lead_changes"] += chance * sum(a != b for a, b in pairwise(leaders))
            for side, payoff in enumerate(values[-1]):
                if payoff > HALF:
                    found["comeback"] += chance * (min(each[side] for each in values) <= low)
            first = next((i for i, each in enumerate(values) if max(each) >= decided), len(moves))
            found["decided"] += chance * (len(moves) - first)
            found["drama"] += chance * sum(map(drama_of, values[:-1]))
        return self._named(found, suspense, surprise)

    def expected(self, low: Fraction, decided: Fraction) -> dict[str, float]:
        """Compute the same with cycles, from the visits of all nodes; a node includes what the definitions remember."""
        found = dict.fromkeys(SUMS, Fraction(0))

        def seen(node: Node, leader: int | None, lows: frozenset[int], is_decided: bool) -> tuple[Any, ...]:
            v = self.value[node]
            now = leader_of(v)
            lows |= {side for side, each in enumerate(v) if each <= low}
            return node, leader if now is None else now, lows, is_decided or max(v) >= decided

        begin = seen(self.start, None, frozenset(), False)
        follow: dict[Any, list[tuple[Move, Any]]] = {}
        stack = [begin]
        while stack:
            place = stack.pop()
            if place not in follow:
                is_over = self.result(place[0]) is not None
                moves = [] if is_over else self.moves(place[0])
                follow[place] = [(move, seen(move.after, *place[1:])) for move in moves]
                stack += [after for _, after in follow[place]]
        reverse: dict[Any, list[tuple[Fraction, Any]]] = {place: [] for place in follow}
        for place, steps in follow.items():
            for move, after in steps:
                reverse[after].append((move.chance, place))
        suspense = surprise = 0.0
        for place, often in solved(reverse, {begin: Fraction(1)}, {}).items():
            (node, leader, lows, is_decided), v = place, self.value[place[0]]
            if not follow[place]:
                found["comeback"] += often * any(v[side] > HALF for side in lows)
                continue
            found["moves"] += often
            if not self.is_points:
                found["decided"] += often * is_decided
                found["drama"] += often * drama_of(v)
            suspense += float(often) * self.deviation(node)
            for move, after in follow[place]:
                square = distance_squared(v, tuple(move.gain + each for each in self.value[after[0]]))
                surprise += float(often * move.chance) * sqrt(square)
                found["variance"] += often * move.chance * square
                found["lead_changes"] += often * move.chance * (leader is not None and leader != after[1])
        return self._named(found, suspense, surprise)

    def _named(self, found: dict[str, Fraction], suspense: float, surprise: float) -> dict[str, float]:
        return {
            **{name: float(each) for name, each in found.items()},
            "suspense": suspense,
            "surprise": surprise,
            "decisive": float(found["decided"] / found["moves"]),
        }

    def deviation(self, node: Node) -> float:
        moves = self.moves(node)
        after = [tuple(move.gain + each for each in self.value[move.after]) for move in moves]
        mean = tuple(
            sum((move.chance * each[side] for move, each in zip(moves, after, strict=True)), Fraction(0))
            for side in range(len(after[0]))
        )
        squares = (move.chance * distance_squared(mean, each) for move, each in zip(moves, after, strict=True))
        return sqrt(sum(squares))

    def choice(self) -> dict[str, float]:
        """Compute the measures of choice, from the expected visits of all states."""
        sums, spread = np.zeros(7), Fraction(0)
        near = NEAR * (abs(self.value[self.start][0]) if self.is_points else 1)
        for node, often in self.visits().items():
            state, seat = node
            legal = list(self.game.part("legal")(self.rules, state))
            if len(legal) < 2:
                continue
            q = [self.action_values(node, action) for action in legal]
            own = [self.sign * each[seat] for each in q]
            best, mean = max(own), Fraction(sum(own)) / len(q)
            close = sum(each >= best - near for each in own)
            narrow = Fraction(sum(each > mean + (best - mean) * Fraction(3, 4) for each in own), len(q))
            is_hopeless = self.seats > 2 and self.attainable(node)[seat] == 0
            others = [each for side, each in enumerate(zip(*q, strict=True)) if side != seat]
            shift = max((max(each) - min(each) for each in others), default=Fraction(0))
            sums += float(often) * np.array(
                [1.0, len(q), close, float(best - mean), float(narrow), is_hopeless, is_hopeless * float(shift)]
            )
            if self.policies[seat] == "random":
                middle = tuple(sum(each, Fraction(0)) / len(q) for each in zip(*q, strict=True))
                spread += often * sum(distance_squared(each, middle) for each in q) / len(q)
        names = ("legal_actions", "near_best", "random_loss", "narrowness")
        found = {"decisions": float(sums[0]), **dict(zip(names, (sums[1:5] / sums[0]).tolist(), strict=True))}
        if self.seats > 2:
            found |= {"kingmaker_decisions": float(sums[5]), "kingmaking": float(sums[6])}
        found["luck"] = 1.0 - float(spread) / self.total_variance()
        return found

    def total_variance(self) -> float:
        return float(
            sum(
                often * move.chance * distance_squared(self.value[node], self.after(move))
                for node, often in self.visits().items()
                for move in self.moves(node)
            )
        )

    def after(self, move: Move) -> Values:
        return tuple(move.gain + each for each in self.value[move.after])

    def action_values(self, node: Node, action: int) -> Values:
        """Return the values of an action to all sides."""
        after = [(move.chance, self.after(move)) for move in self.outcomes(node, action)]
        return tuple(
            sum((chance * each[side] for chance, each in after), Fraction(0)) for side in range(len(after[0][1]))
        )

    def _attainable(self, node: Node) -> Values:
        """Return the best result of each side that any play can bring; only without cycles."""
        result = self.result(node)
        if result is not None:
            return result
        moves = [
            move for action in self.game.part("legal")(self.rules, node[0]) for move in self.outcomes(node, action)
        ]
        results = [tuple(move.gain + each for each in self.attainable(move.after)) for move in moves if move.chance]
        return tuple(max(self.sign * each for each in side) * self.sign for side in zip(*results, strict=True))

    def scores(self) -> dict[Fraction, Fraction]:
        """Compute the probability of each result of a single player; only without cycles."""
        found: dict[Fraction, Fraction] = {}
        for course in self.games():
            result = course.values[-1][0]
            found[result] = found.get(result, Fraction(0)) + course.chance
        return found

    def lost_early(self) -> Fraction:
        """Compute the chance that the expected result is out of reach in the last turn; only without cycles."""
        lost, needed = Fraction(0), self.sign * self.value[self.start][0]
        for chance, nodes, moves, _ in self.games():
            last = max((i + 1 for i, move in enumerate(moves[:-1]) if move.passes), default=0)
            gained = sum((move.gain for move in moves[:last]), Fraction(0))
            best = gained + self.attainable(nodes[last])[0]
            lost += chance * (last > 0 and self.sign * best < needed)
        return lost

    def visits(self) -> dict[Node, Fraction]:
        """Compute the expected visits of each node, from the equations with the moves reversed."""
        unknown = [node for node in self.nodes if self.result(node) is None]
        reverse: dict[Node, list[tuple[Fraction, Node]]] = {node: [] for node in unknown}
        for node in unknown:
            for move in self.moves(node):
                if move.after in reverse:
                    reverse[move.after].append((move.chance, node))
        return solved(reverse, {self.start: Fraction(1)}, {})


def leader_of(values: Values) -> int | None:
    """Return the side with the greatest value, if it is unique."""
    best = max(values)
    return values.index(best) if values.count(best) == 1 else None


def drama_of(values: Values) -> Fraction:
    """Return half of how far the eventual winner is expected to be behind the leader."""
    return sum((each * (max(values) - each) / 2 for each in values), Fraction(0))


def distance_squared(one: Values, other: Values) -> Fraction:
    """Return the squared distance of two values of all sides, in which two sides count as one."""
    squares = [(a - b) ** 2 for a, b in zip(one, other, strict=True)]
    return squares[0] if len(squares) == 1 else Fraction(sum(squares)) / 2


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
