"""Optimal play in exact fractions, slowly: an independent solution to compare with.

Each strongly connected component is solved by policy iteration. For given policies the values are linear in
those of a few states that cut all cycles; the linear equations are solved in fractions. A component is left
only when its values satisfy Bellman's equation exactly.
"""

from fractions import Fraction
from typing import Any

from komi.rules.enumeration import explore
from komi.rules.game import Game
from komi.rules.interpreter import Interpreter

Values = dict[Any, Fraction]
Action = list[tuple[Fraction, Any, bool]]  # probability, next state, whether the turn passes
Graph = dict[Any, list[Action]]


def values(game: Game, rules: Any) -> Values:
    """Compute the mover's probability of winning in every reachable state."""
    walked, complete = explore(Interpreter(game, rules), 100_000)
    assert complete
    found: Values = {}
    graph: Graph = {}
    for state, moves in walked.items():
        if game.part("over")(rules, state):
            found[state] = rational(game.part("payoff")(rules, state))
        else:
            graph[state] = [[(rational(p), after, bool(q % 2)) for p, after, q in move.outcomes] for move in moves]
    for component in components(graph):
        solve_component(component, graph, found)
    return found


def rational(number: float) -> Fraction:
    """Return the simple fraction that a float was computed from."""
    return Fraction(number).limit_denominator(10**6)


def components(graph: Graph) -> list[list[Any]]:
    """Compute the strongly connected components in topological order, each in depth-first post-order (Kosaraju)."""
    order = post_order(list(graph), {s: [t for action in graph[s] for _, t, _ in action if t in graph] for s in graph})
    backwards: dict[Any, list[Any]] = {state: [] for state in graph}
    for state in graph:
        for action in graph[state]:
            for _, after, _ in action:
                if after in graph:
                    backwards[after].append(state)
    rank = {state: i for i, state in enumerate(order)}
    found: list[list[Any]] = []
    seen: set[Any] = set()
    for root in reversed(order):
        if root not in seen:
            reached = post_order([root], backwards, seen)
            found.append(sorted(reached, key=rank.__getitem__))
    return found[::-1]


def post_order(roots: list[Any], follow: dict[Any, list[Any]], seen: set[Any] | None = None) -> list[Any]:
    seen = set() if seen is None else seen
    order = []
    for root in roots:
        if root in seen:
            continue
        seen.add(root)
        path = [(root, iter(follow[root]))]
        while path:
            _, left = path[-1]
            after = next((after for after in left if after not in seen), None)
            if after is None:
                order.append(path.pop()[0])
            else:
                seen.add(after)
                path.append((after, iter(follow[after])))
    return order


def solve_component(component: list[Any], graph: Graph, found: Values) -> None:
    position = {state: i for i, state in enumerate(component)}
    feedback = sorted({t for s in component for a in graph[s] for _, t, _ in a if position.get(t, -1) >= position[s]},
                      key=position.__getitem__)  # fmt: skip
    policy = approximate_best(component, graph, found)
    while True:
        for state, value in zip(feedback, linear_solution(component, feedback, policy, graph, found), strict=True):
            found[state] = value
        for state in component:
            if state not in feedback:
                found[state] = worth(graph[state][policy[state]], found)
        better = {s: max(range(len(graph[s])), key=lambda a, s=s: worth(graph[s][a], found)) for s in component}
        improved = [s for s in component if worth(graph[s][better[s]], found) > found[s]]
        if not improved:
            return
        policy.update({state: better[state] for state in improved})


def worth(action: Action, found: Any) -> Any:
    return sum(p * (1 - found[after] if passes else found[after]) for p, after, passes in action)


def approximate_best(component: list[Any], graph: Graph, found: Values) -> dict[Any, int]:
    """Compute the best actions by plain value iteration in floats: the start of policy iteration."""
    known = {t: float(found[t]) for s in component for a in graph[s] for _, t, _ in a if t in found}
    known |= dict.fromkeys(component, 0.5)
    rows = {s: [[(float(p), t, q) for p, t, q in action] for action in graph[s]] for s in component}
    for _ in range(300 if len(component) > 1 else 1):
        for state in component:
            known[state] = max(worth(action, known) for action in rows[state])
    return {s: max(range(len(rows[s])), key=lambda a, s=s: worth(rows[s][a], known) - 1e-9 * a) for s in component}


def linear_solution(
    component: list[Any], feedback: list[Any], policy: dict[Any, int], graph: Graph, found: Values
) -> list[Fraction]:
    """Compute the values of the feedback states under the policies of both players."""
    unknown = {state: i for i, state in enumerate(feedback)}
    size = len(feedback) + 1  # a form: the factors of the unknowns, and a constant
    forms: dict[Any, list[Fraction]] = {}

    def form(state: Any) -> list[Fraction]:
        if state in unknown:
            return [Fraction(int(i == unknown[state])) for i in range(size)]
        return forms[state] if state in forms else [Fraction(0)] * (size - 1) + [found[state]]

    equations = []
    inside = set(component)
    for state in component:
        total = [Fraction(0)] * size
        for p, after, passes in graph[state][policy[state]]:
            if after not in inside:
                total[-1] += p * (1 - found[after] if passes else found[after])
                continue
            sign = -p if passes else p
            total = [one + sign * factor for one, factor in zip(total, form(after), strict=True)]
            total[-1] += p if passes else 0
        if state in unknown:
            equations.append([Fraction(int(i == unknown[state])) - total[i] for i in range(size - 1)] + [total[-1]])
        else:
            forms[state] = total
    return eliminated(equations)


def eliminated(equations: list[list[Fraction]]) -> list[Fraction]:
    for column in range(len(equations)):
        pivot = next(row for row in range(column, len(equations)) if equations[row][column])
        equations[column], equations[pivot] = equations[pivot], equations[column]
        head = equations[column] = [number / equations[column][column] for number in equations[column]]
        for row in range(len(equations)):
            factor = equations[row][column]
            if row != column and factor:
                equations[row] = [one - factor * other for one, other in zip(equations[row], head, strict=True)]
    return [row[-1] for row in equations]
