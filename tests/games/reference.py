"""Slow, obviously right solutions of small games of every kind, in exact fractions where the values are rational.

A game as one chooser sees it is a graph: each state with the choices that are open, each choice with its outcomes,
and each end with what it is worth. Everybody else's choices are chance there, as their policies say. Each strongly
connected component is solved by policy iteration, what follows first: for a policy the values are linear in those of a
few states that cut all cycles. It ends when the values keep the equation of optimality exactly.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Any

from komi.game import CHANCE
from komi.rules.game import Game

import exact

Mix = dict[int, Fraction]  # chances of actions
Policy = Callable[[Any], Mix]
Outcome = tuple[Fraction, Any, Fraction]  # probability, what follows, what is gained on the way
MOST = 200_000  # states


@dataclass(frozen=True)
class Decisions:
    """A game as one player's decisions: the outcomes of each choice in each state, and the payoffs."""

    choices: dict[Any, list[list[Outcome]]]
    ends: dict[Any, Fraction]


def solve_one_seat(game: Game, rules: Any, state: Any = None) -> dict[Any, Fraction]:
    """Compute the best expected total of rewards and payoff from every state reachable from this one."""
    found = solve(decisions(game, rules, None, state), game.aim(rules) == "least")
    return {node[0]: value for node, value in found.items()}


def evaluate(game: Game, rules: Any, policy: Policy, state: Any = None) -> dict[Any, tuple[Fraction, ...]]:
    """Compute each seat's expected payoff, counted from the player to move, if all play the policy."""
    seats = game.players(rules)
    first = _first(game, rules, state)
    found: dict[Any, Fraction] = {}
    for seat in range(seats):
        if (first, seat) not in found:
            found |= solve(decisions(game, rules, lambda state, seat: policy(state), first, seat))
    return {
        state: tuple(found[state, other] for other in range(seats))
        for state, seat in found
        if all((state, other) in found for other in range(seats))
    }


def best_response(game: Game, rules: Any, policy: Policy, seat: int, state: Any = None) -> dict[Any, Fraction]:
    """Compute the best payoff of one seat, counted from the player to move, if all others play the policy.

    By state and how far the seat is from the player to move there.
    """
    return solve(decisions(game, rules, lambda state, seat: policy(state) if seat else None, state, seat))


def regrets(game: Game, rules: Any, policy: Policy) -> list[Fraction]:
    """Compute each seat's gain from deviating alone from the start, if all play the policy."""
    start = game.part("start")(rules)
    values = evaluate(game, rules, policy)[start]
    return [best_response(game, rules, policy, seat)[start, seat] - values[seat] for seat in range(game.players(rules))]


def equilibrium(game: Game, rules: Any, sweeps: int = 200) -> dict[Any, int]:
    """Compute actions that no single change improves for its mover, if improving them one by one ends.

    `regrets` shows whether a seat gains by changing several at once.
    """
    start, end = game.part("start")(rules), game.part("over")
    policy: dict[Any, int] = {}
    waiting = [start]
    while waiting:
        state = waiting.pop()
        if state in policy or end(rules, state):
            continue
        actions = list(game.part("legal")(rules, state))
        policy[state] = actions[0]
        waiting += [after for action in actions for _, after, _ in outcomes(game, rules, state, action)]
    seats = game.players(rules)
    for _ in range(sweeps):
        found: dict[Any, tuple[Fraction, ...]] = {}
        for state in policy:
            if state not in found:
                found |= evaluate(game, rules, lambda state: {policy[state]: Fraction(1)}, state)
        changed = False
        for state, action in policy.items():
            worth = {
                other: sum(p * _of(game, rules, found, after, -passes % seats) for p, after, passes
                           in outcomes(game, rules, state, other))
                for other in game.part("legal")(rules, state)
            }  # fmt: skip
            best = max(worth, key=lambda other: worth[other])
            if worth[best] > worth[action]:
                policy[state], changed = best, True
        if not changed:
            return policy
    raise AssertionError("improving does not end")


def _of(game: Game, rules: Any, found: dict[Any, tuple[Fraction, ...]], state: Any, seat: int) -> Fraction:
    if game.part("over")(rules, state):
        return Fraction(game.payoffs(rules, state)[seat])
    return found[state][seat]


def decisions(
    game: Game,
    rules: Any,
    others: Callable[[Any, int], Mix | None] | None,
    state: Any = None,
    seat: int = 0,
) -> Decisions:
    """Return the decisions of one seat from a state on; each node holds the seat's distance from the mover.

    Args:
        game: the game.
        rules: its rules.
        others: the policy in a state with the seat so far from the mover; None where the seat chooses.
        state: where it begins.
        seat: the seat, counted from the player to move there.
    """
    seats = game.players(rules)
    choices: dict[Any, list[list[Outcome]]] = {}
    ends: dict[Any, Fraction] = {}
    waiting = [(_first(game, rules, state), seat)]
    while waiting:
        node = waiting.pop()
        if node in choices or node in ends:
            continue
        here, own = node
        if game.part("over")(rules, here):
            ends[node] = rational(game.payoffs(rules, here)[own])
            continue
        mix = others(here, own) if others else None
        options = [{action: Fraction(1)} for action in game.part("legal")(rules, here)] if mix is None else [mix]
        choices[node] = [
            [
                (weight * chance, (after, (own - passes) % seats), gained(game, rules, here, action, after, own))
                for action, weight in option.items()
                for chance, after, passes in outcomes(game, rules, here, action)
            ]
            for option in options
        ]
        waiting += [after for option in choices[node] for _, after, _ in option]
        assert len(choices) < MOST
    return Decisions(choices, ends)


def _first(game: Game, rules: Any, state: Any) -> Any:
    return game.part("start")(rules) if state is None else state


def gained(game: Game, rules: Any, state: Any, action: int, after: Any, seat: int) -> Fraction:
    if seat or not game.has("reward"):
        return Fraction(0)
    return rational(game.part("reward")(rules, state, action, after))


def outcomes(game: Game, rules: Any, state: Any, action: int) -> list[tuple[Fraction, Any, int]]:
    """Return the outcomes with probabilities that sum to 1 exactly."""
    found = [(rational(p), after, passes) for p, after, passes in game.outcomes(rules, state, action) if p > 0]
    total = sum(p for p, _, _ in found)
    assert abs(total - 1) < Fraction(1, 10**12)
    return [(p / total, after, passes) for p, after, passes in found]


def rational(number: float) -> Fraction:
    """Return the simple fraction that a float was computed from, if there is one near."""
    near = Fraction(number).limit_denominator(10**8)
    return near if abs(float(near) - number) <= 4e-16 * max(abs(number), 1e-9) else Fraction(number)


def solve(problem: Decisions, least: bool = False) -> dict[Any, Fraction]:
    """Compute the value of every state: the maximum, or the minimum, of all rewards and the payoff."""
    found = dict(problem.ends)
    for component in exact.components(problem.choices):  # type: ignore[arg-type]
        _solve_component(component, problem.choices, found, -1 if least else 1)
    return found


def _solve_component(
    component: list[Any], choices: dict[Any, list[list[Outcome]]], found: dict[Any, Fraction], sign: int
) -> None:
    policy = _nearly_best(component, choices, found, sign)
    position = {state: i for i, state in enumerate(component)}
    cut = sorted(
        {after for state in component for option in choices[state] for _, after, _ in option
         if position.get(after, -1) >= position[state]},
        key=position.__getitem__,
    )  # fmt: skip
    while True:
        _evaluate_component(component, cut, {state: choices[state][policy[state]] for state in component}, found)
        better = {
            state: max(range(len(choices[state])), key=lambda i, state=state: sign * worth(choices[state][i], found))
            for state in component
            if len(choices[state]) > 1
        }
        improved = {
            state: i for state, i in better.items() if sign * worth(choices[state][i], found) > sign * found[state]
        }
        if not improved:
            return
        policy.update(improved)


def worth(option: list[Outcome], found: Any) -> Any:
    return sum(p * (gain + found[after]) for p, after, gain in option)


def _nearly_best(
    component: list[Any], choices: dict[Any, list[list[Outcome]]], found: dict[Any, Fraction], sign: int
) -> dict[Any, int]:
    """Compute the best choices by plain value iteration in floats: the start of policy iteration."""
    if len(component) == 1 and len(choices[component[0]]) == 1:
        return {component[0]: 0}
    inside = set(component)
    known = {
        after: float(found[after]) for s in component for o in choices[s] for _, after, _ in o if after not in inside
    }
    known |= dict.fromkeys(component, 0.0)
    rows = {s: [[(float(p), after, float(gain)) for p, after, gain in o] for o in choices[s]] for s in component}
    for _ in range(1000):
        before = dict(known)
        for state in component:
            known[state] = sign * max(sign * worth(option, known) for option in rows[state])
        if max(abs(known[state] - before[state]) for state in component) < 1e-12:
            break
    return {
        state: max(range(len(rows[state])), key=lambda i, state=state: sign * worth(rows[state][i], known) - 1e-9 * i)
        for state in component
    }


def _evaluate_component(
    component: list[Any], cut: list[Any], played: dict[Any, list[Outcome]], found: dict[Any, Fraction]
) -> None:
    """Fill in the values of a component, each state with one option, by a linear system in its cut states."""
    unknown = {state: i for i, state in enumerate(cut)}
    inside, size = set(component), len(cut) + 1  # a form: the factors of the unknowns, and a constant
    forms: dict[Any, list[Fraction]] = {}
    equations = []
    for state in component:
        total = [Fraction(0)] * size
        for p, after, gain in played[state]:
            total[-1] += p * gain
            if after not in inside:
                total[-1] += p * found[after]
            elif after in unknown:
                total[unknown[after]] += p
            else:
                total = [one + p * factor for one, factor in zip(total, forms[after], strict=True)]
        if state in unknown:
            equations.append([Fraction(int(i == unknown[state])) - total[i] for i in range(size - 1)] + [total[-1]])
        forms[state] = total
    solution = exact.eliminated(equations)
    for state in component:
        form = forms[state]
        found[state] = form[-1] + sum((f * v for f, v in zip(form, solution, strict=False) if f), Fraction(0))


def mixed(payoffs: list[list[Any]]) -> tuple[Any, list[Any]]:
    """Compute the value of a matrix game for the row player, and an optimal mix of rows, by trying all supports.

    Of some square part the values of all its rows and columns can be made equal, and that is the game's value
    (L. S. Shapley and R. N. Snow, "Basic Solutions of Discrete Games", 1950).
    """
    rows, columns = range(len(payoffs)), range(len(payoffs[0]))
    for size in range(1, min(len(rows), len(columns)) + 1):
        for chosen in combinations(rows, size):
            for against in combinations(columns, size):
                part = [[payoffs[i][j] for j in against] for i in chosen]
                one, other = levelling(list(zip(*part, strict=True))), levelling(part)
                if one is None or other is None:
                    continue
                mix = [dict(zip(chosen, one, strict=True)).get(i, 0) for i in rows]
                reply = [dict(zip(against, other, strict=True)).get(j, 0) for j in columns]
                lowest = min(sum(mix[i] * payoffs[i][j] for i in rows) for j in columns)
                highest = max(sum(reply[j] * payoffs[i][j] for j in columns) for i in rows)
                if highest - lowest <= (0 if isinstance(lowest, Fraction) else 1e-12):
                    return lowest, mix
    raise AssertionError("a matrix game has a value")


def levelling(part: Iterable[Iterable[Any]]) -> list[Any] | None:
    """Return the probabilities of the columns that give all rows the same value; None if they do not exist."""
    one, zero = Fraction(1), Fraction(0)  # the quotient of two whole numbers is a float
    matrix = [[*row, -one, zero] for row in part]
    size = len(matrix)
    equations = [*matrix, [one] * size + [zero, one]]
    for column in range(size + 1):
        pivot = max(range(column, size + 1), key=lambda row: abs(equations[row][column]))
        if not equations[pivot][column]:
            return None
        equations[column], equations[pivot] = equations[pivot], equations[column]
        head = equations[column] = [number / equations[column][column] for number in equations[column]]
        for row in range(size + 1):
            factor = equations[row][column]
            if row != column and factor:
                equations[row] = [number - factor * other for number, other in zip(equations[row], head, strict=True)]
    chances = [row[-1] for row in equations[:-1]]
    return chances if min(chances) >= 0 else None


def bounds(game: Game, rules: Any, gap: float = 1e-12) -> dict[Any, tuple[float, float]]:
    """Compute lower and upper values for the mover of a two-player game with choices hidden from the next mover.

    Plain value iteration from below (an endless game is lost by the mover) and from above (it is won). A state in
    which the next player's view does not show the choice is a matrix game.
    """
    nodes = _hidden_nodes(game, rules)
    ends = {s: rational(game.payoffs(rules, s)[0]) for s in nodes if nodes[s] is None}
    low: dict[Any, float] = {s: float(ends.get(s, Fraction(0))) for s in nodes}
    high: dict[Any, float] = {s: float(ends.get(s, Fraction(1))) for s in nodes}
    while max(high[s] - low[s] for s in nodes) > gap:
        before = sum(high.values()) - sum(low.values())
        for values, others in ((low, high), (high, low)):
            for state, options in nodes.items():
                if options is not None:
                    values[state] = _matrix_value(options, values, others)
        assert sum(high.values()) - sum(low.values()) < before, "the bounds do not meet"
    return {state: (low[state], high[state]) for state in nodes}


Matrix = list[list[list[tuple[float, Any, int]]]]  # by the mover's action and the other's, outcomes for the mover


def _matrix_value(options: Matrix, values: dict[Any, float], others: dict[Any, float]) -> float:
    """Compute the mover's value, from one bound where the mover continues and from the other where the turn passes."""
    payoffs = [
        [sum(p * (1 - others[after] if passes else values[after]) for p, after, passes in cell) for cell in row]
        for row in options
    ]
    if len(payoffs) == 1:
        return min(payoffs[0])
    if len(payoffs[0]) == 1:
        return max(row[0] for row in payoffs)
    return float(mixed(payoffs)[0])


def _hidden_nodes(game: Game, rules: Any) -> dict[Any, Matrix | None]:
    """Return states with the outcomes of each pair of choices; None where the game is over."""
    nodes: dict[Any, Matrix | None] = {}
    waiting = [game.part("start")(rules)]
    legal = game.part("legal")
    view = game.part("view") if game.has("view") else lambda rules, state: state
    while waiting:
        state = waiting.pop()
        if state in nodes:
            continue
        if game.part("over")(rules, state):
            nodes[state] = None
            continue
        found = {action: list(game.outcomes(rules, state, action)) for action in legal(rules, state)}
        afters = [after for options in found.values() for _, after, _ in options]
        views = {view(rules, after) for after in afters}
        hidden = CHANCE not in found and len(found) == len(afters) == len(set(afters)) > len(views) == 1
        matrix: Matrix = []
        for options in found.values():
            if hidden:
                [(_, after, passes)] = options
                replies = legal(rules, after)
                matrix.append(
                    [[(p, t, (passes + q) % 2) for p, t, q in game.outcomes(rules, after, reply)] for reply in replies]
                )
            else:
                matrix.append([[(p, t, q % 2) for p, t, q in options]])
        nodes[state] = matrix
        waiting += [after for row in matrix for cell in row for _, after, _ in cell]
    return nodes
