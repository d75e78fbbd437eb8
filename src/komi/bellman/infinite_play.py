"""The exact value of a component whose infinite play pays a stated amount.

Where infinite play pays r, the payoffs less r make a recursive game (H. Everett, "Recursive games", Contributions to
the Theory of Games III, 1957), and each player has an optimal strategy that is positional (T. M. Liggett and
S. A. Lippman, SIAM Review 11(4), 1969). The strategies are guessed: they are those of the game that also stops after
each action with a small probability, and then pays r. Then they are verified in exact arithmetic: against one player's
strategy the other one has a Markov decision process, in which play is infinite only if it stays in an end component
(L. de Alfaro, Formal Verification of Probabilistic Systems, 1997). If each maximal end component is replaced by a
single node, in which it is also an action to stay and be paid r, all policies end, and policy iteration finds the best
response. If both responses agree in all nodes, they are the value.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction

import numpy as np

from komi.arrays import F64, I64
from komi.bellman.rational import RationalValues, error_bound, evaluate, iterate_policies
from komi.bellman.rational_graph import MAXIMIZER, MINIMIZER, ONE, ZERO, Action, Graph

STOPPING = (2.0**-10, 2.0**-20, 2.0**-30)
"""The probabilities of stopping that are tried; a smaller one would be lost in rounding."""
BETTER = 2.0**-40  # a smaller gain of a guessed strategy can be rounding
MAX_GUESSES = 1_000  # the most strategies of a guess
STAY = -(2**31)  # the number of the action to stay in an end component


def solve_infinite_play(graph: Graph, pays: Fraction) -> RationalValues | None:
    """Compute A's share if infinite play pays a share; return None if no guess of optimal strategies was right."""
    for guess in _guesses(graph, pays):
        low, high = (_respond(graph, guess, player, pays) for player in (MINIMIZER, MAXIMIZER))
        if low == high:
            return RationalValues(low, high, guess, error_bound(graph))
    return None


def _respond(graph: Graph, strategies: list[Action], player: int, pays: Fraction) -> list[Fraction]:
    """Compute A's share if one player responds best to the other's strategy."""
    fixed = [
        actions if chooser == player else [action]
        for chooser, actions, action in zip(graph.choosers, graph.actions, strategies, strict=True)
    ]
    ending = ending_graph(graph.restrict(fixed), pays).actions
    taken = [actions[0] for actions in ending]
    return iterate_policies(ending, taken, lambda taken: evaluate(taken, [action.reward for action in taken]), player)


def _guesses(graph: Graph, pays: Fraction) -> Iterator[list[Action]]:
    """Yield guesses of an optimal action in each node, from games that stop with a smaller and smaller probability."""
    rows = [(node, action) for node, actions in enumerate(graph.actions) for action in actions]
    size, first = len(graph.keys), np.cumsum([0, *map(len, graph.actions)])
    chances = np.zeros((len(rows), size))
    for row, (_, action) in enumerate(rows):
        for node, chance in action.successors.items():
            chances[row, node] = float(chance)
    rewards = np.array([float(action.reward) for _, action in rows])
    for stopping in STOPPING:
        going, constant = (1.0 - stopping) * chances, (1.0 - stopping) * rewards + stopping * float(pays)
        taken = first[:-1].copy()
        for _ in range(MAX_GUESSES):
            for _ in range(MAX_GUESSES):
                values = np.linalg.solve(np.eye(size) - going[taken], constant[taken])
                if not _improve(graph, first, constant + going @ values, taken, MINIMIZER):
                    break
            if not _improve(graph, first, constant + going @ values, taken, MAXIMIZER):
                break
        yield [rows[row][1] for row in taken]


def _improve(graph: Graph, first: I64, values: F64, taken: I64, player: int) -> bool:
    """Take a better action in each node of a player that has one; return whether there was any."""
    has_improved = False
    for node, chooser in enumerate(graph.choosers):
        if chooser == player:
            best = first[node] + int(np.argmax(player * values[first[node] : first[node + 1]]))
            if player * (values[best] - values[taken[node]]) > BETTER:
                taken[node], has_improved = best, True
    return has_improved


def ending_graph(graph: Graph, pays: Fraction) -> Graph:
    """Replace each maximal end component by its first node, in which it is also an action to stay and be paid.

    Its other nodes have one action, which leads to the first.
    """
    actions = [list(each) for each in graph.actions]
    home: dict[int, int] = {}
    for component in end_components(graph.actions):
        inside = set(component)
        leaving = [
            action
            for node in component
            for action in graph.actions[node]
            if action.can_leave or not action.successors.keys() <= inside
        ]
        actions[component[0]] = [Action(STAY, {}, pays, pays, True), *leaving]
        for node in component[1:]:
            actions[node] = [Action(STAY, {component[0]: ONE}, ZERO, ZERO, False)]
        home |= dict.fromkeys(component, component[0])
    return graph.restrict([[_moved(action, home) for action in each] for each in actions])


def _moved(action: Action, home: dict[int, int]) -> Action:
    successors: dict[int, Fraction] = {}
    for node, chance in action.successors.items():
        successors[home.get(node, node)] = successors.get(home.get(node, node), ZERO) + chance
    return action._replace(successors=successors)


def end_components(actions: Sequence[Sequence[Action]]) -> list[list[int]]:
    """Return the maximal end components: sets of nodes in which the actions can keep play, each node reaching all."""
    from scipy.sparse import csr_array  # type: ignore[import-untyped]  # slow to import
    from scipy.sparse.csgraph import connected_components  # type: ignore[import-untyped]

    size = len(actions)
    kept = [[action for action in each if not action.can_leave] for each in actions]
    while True:
        edges = [(node, after) for node, each in enumerate(kept) for action in each for after in action.successors]
        rows, columns = zip(*edges, strict=True) if edges else ((), ())
        graph = csr_array((np.ones(len(edges)), (rows, columns)), (size, size))
        _, part = connected_components(graph, connection="strong")
        staying = [
            [action for action in each if all(part[after] == part[node] and kept[after] for after in action.successors)]
            for node, each in enumerate(kept)
        ]
        if staying == kept:
            break
        kept = staying
    components: dict[int, list[int]] = {}
    for node, each in enumerate(kept):
        if each:
            components.setdefault(int(part[node]), []).append(node)
    return list(components.values())
