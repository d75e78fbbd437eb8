"""Small games of two players and chance in exact fractions, and how much it matters to them if they never end."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from komi.rules.game import Game

import exact

SWEEPS = 20_000


@dataclass(frozen=True)
class Countings:
    """The values of a game to the mover in each state: float64[states].

    Attributes:
        states: the states that play can reach, the start first.
        low, high: if an endless game counts as lost by the mover, and as won, by plain value iteration.
        settled: whether the iteration came to an end.
    """

    states: list[Any]
    graph: exact.Graph
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    settled: bool

    @property
    def is_well_defined(self) -> bool:
        """Return whether the value does not depend on what an endless game counts."""
        return bool((self.high - self.low).max() < 1e-9)


def rational(number: float) -> Fraction:
    """Return the exact value of a float, or the simple fraction that it was computed from."""
    simple = exact.rational(number)
    return simple if float(simple) == number else Fraction(number)


def count(game: Game, rules: Any) -> Countings:
    """Compute both countings of a small game."""
    states, graph, ends = [game.part("start")(rules)], {}, {}
    for state in states:
        graph[state] = []
        for action in game.part("legal")(rules, state):
            graph[state].append([])
            for p, after, passes in game.part("outcomes")(rules, state, action):
                graph[state][-1].append((rational(p), after, bool(passes % 2)))
                if game.part("over")(rules, after):
                    ends[after] = rational(game.part("payoff")(rules, after))
                elif after not in states:
                    states.append(after)
    low, high, settled = iterate(states, graph, ends)
    return Countings(states, graph | ends, low, high, settled)


def iterate(states: list[Any], graph: Any, ends: Any) -> tuple[Any, Any, bool]:
    index = {state: i for i, state in enumerate(states)}
    rows = [action for state in states for action in graph[state]]
    first = np.cumsum([0] + [len(graph[state]) for state in states])[:-1]
    constant = np.zeros(len(rows))
    stay, passing = np.zeros((2, len(rows), len(states)))
    for row, action in enumerate(rows):
        for p, after, passes in action:
            if after in ends:
                constant[row] += p * (1 - ends[after] if passes else ends[after])
            elif passes:
                constant[row] += p
                passing[row, index[after]] -= p
            else:
                stay[row, index[after]] += p
    low, high = np.zeros(len(states)), np.ones(len(states))
    for sweep in range(SWEEPS):
        before = low, high
        low, high = (
            np.maximum.reduceat(constant + stay @ mine + passing @ theirs, first)
            for mine, theirs in ((low, high), (high, low))
        )
        if sweep % 50 == 0 and max(np.abs(low - before[0]).max(), np.abs(high - before[1]).max()) < 1e-15:
            return low, high, True
    return low, high, bool((high - low).max() < 1e-9)


def values(countings: Countings) -> dict[Any, Fraction] | None:
    """Compute the exact values of a well-defined game; None if policy iteration does not find them.

    Actions are taken that are best in floats and lead out of the game by the shortest way, then bettered until none
    can be. The values of policies that do so solve Bellman's equation, which has one solution.
    """
    found = {state: value for state, value in countings.graph.items() if isinstance(value, Fraction)}
    graph = {state: actions for state, actions in countings.graph.items() if state not in found}
    middle = {s: (a + b) / 2 for s, a, b in zip(countings.states, countings.low, countings.high, strict=True)}
    policy = leaving(graph, {**middle, **{state: float(value) for state, value in found.items()}}, set(found))
    for _ in range(50):
        if policy is None:
            return None
        try:
            solved = exact.eliminated(equations(countings.states, graph, policy, found))
        except StopIteration:
            return None
        known = {**found, **dict(zip(countings.states, solved, strict=True))}
        worth = {s: [exact.worth(action, known) for action in graph[s]] for s in countings.states}
        better = {s: worth[s].index(max(worth[s])) for s in countings.states if max(worth[s]) > known[s]}
        if not better:
            return known if all(0 <= value <= 1 for value in known.values()) else None
        policy |= better
    return None


def leaving(graph: exact.Graph, known: dict[Any, float], out: set[Any]) -> dict[Any, int] | None:
    """Return those of the best actions, but for rounding, that may leave soonest."""
    good = {}
    for state, actions in graph.items():
        worth = [float(sum(float(p) * (1 - known[t] if q else known[t]) for p, t, q in action)) for action in actions]
        good[state] = [i for i, one in enumerate(worth) if one > max(worth) - 1e-9]
    policy: dict[Any, int] = {}
    while len(policy) < len(graph):
        new = {
            state: action
            for state in graph
            if state not in policy
            for action in good[state]
            if any(t in out or t in policy for p, t, _ in graph[state][action] if p)
        }
        if not new:
            return None
        policy |= new
    return policy


def equations(states: list[Any], graph: exact.Graph, policy: dict[Any, int], found: Any) -> list[list[Fraction]]:
    index = {state: i for i, state in enumerate(states)}
    rows = []
    for state in states:
        row = [Fraction(0)] * (len(states) + 1)
        row[index[state]] += 1
        for p, after, passes in graph[state][policy[state]]:
            if after in found:
                row[-1] += p * (1 - found[after] if passes else found[after])
            else:
                row[index[after]] += p if passes else -p
                row[-1] += p if passes else 0
        rows.append(row)
    return rows
