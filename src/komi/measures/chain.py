"""The Markov chain of play between two policies: its nodes, its transitions and the value of each node.

A *node* is a state with the role to move (one role if both players use the same policy). A *move* is one application
of `outcomes`, by an action or by chance: an edge of the chain. Values are those of the policies, to the player to move:
they are a martingale along play.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from komi.arrays import F64, I16, I32, I64, Flags
from komi.bellman import UNREACHED, RoleValues
from komi.evaluation.play_search import order_play, policy_outcomes
from komi.evaluation.policy_evaluator import PolicyEvaluator
from komi.graph.lookup import StateIndex, index_of, locate, state_at
from komi.graph.transitions import to_mover
from komi.measures.bounded import Bounded
from komi.policies.policy import Policy
from komi.progress import Progress, silent
from komi.rules.compiled import CompiledGame
from komi.rules.interface import over, payoff
from komi.solvers.solution import Solution
from komi.typing import Rules

END = -1  # the target of an edge that ends the game


class Edges(NamedTuple):
    """The edges of each node, in topological order except for cycles (compressed sparse rows).

    Attributes:
        ends: int64[nodes], one past the last edge of each node.
        target: int32[edges], the next node; END if the game ends.
        probability: float64[edges].
        after: float64[edges], the value of the next node, or the payoff, to the player who moves at the node.
        passes: bool[edges], whether the turn passes to the opponent.
    """

    ends: I64
    target: I32
    probability: F64
    after: F64
    passes: Flags


class PlayChain(NamedTuple):
    """The chain of play of two policies from the start.

    Attributes:
        handles: int64[nodes], the handle of each node's state.
        rows: int64[nodes], the index of each node's state times the number of roles, plus its role.
        component_ends: int64[components], one past the last node of each strongly connected component.
        edges: the edges.
        value: float64[nodes], the value to the player to move.
        roles: the number of roles.
        bound: an upper bound on the error of each value.
        max_moves: an upper bound on the expected number of moves from any node to the end.
        start: the node at which play begins.
    """

    handles: I64
    rows: I64
    component_ends: I64
    edges: Edges
    value: F64
    roles: int
    bound: float
    max_moves: float
    start: int


@dataclass(frozen=True, eq=False)
class Play:
    """Play between two policies of a game.

    Attributes:
        compiled: the game.
        rules: its rules.
        policies: the names of the policies, the first player's first.
        tables: int16[roles, states], the actions of the policies; one role if both are the same.
        evaluator: the evaluator of the game, with all of its states.
        chain: the chain of play.
        results: the values and lengths of every state and role.
    """

    compiled: CompiledGame
    rules: Rules
    policies: tuple[str, str]
    tables: I16
    evaluator: PolicyEvaluator
    chain: PlayChain
    results: RoleValues

    @property
    def has_all_values(self) -> bool:
        """True if states that play does not reach have values, too."""
        return not (self.results.choice == UNREACHED).any()

    @property
    def lengths(self) -> tuple[Bounded, Bounded, Bounded]:
        """The expected numbers of actions, of turns, and of moves at chance nodes."""
        row = self.evaluator.start * len(self.tables)
        actions, turns, chance_moves = (float(length) for length in self.results.length[:, row])
        error = float(self.results.length_bound[row])
        return Bounded(actions, error), Bounded(turns + 1.0, error), Bounded(chance_moves, error)


def follow_play(solution: Solution[Any], first: Policy, second: Policy, progress: Progress = silent) -> Play:
    """Build the chain of play between two policies of a solved game.

    Raises:
        GameError: if a policy takes an action that is not legal.
        SolveError: if play may never end.
    """
    evaluator = PolicyEvaluator.of(solution, progress)
    tables = np.stack([evaluator.tabulate(policy) for policy in ([first] if first is second else [first, second])])
    results = evaluator.evaluate(list(tables))
    return _follow(solution.compiled, solution.rules, (first.name, second.name), tables, evaluator, results)


def follow_optimal_play(compiled: CompiledGame, rules: Rules) -> Play:
    """Solve a two-player game, on one core and without storing the solution, and build the chain of optimal play.

    Raises:
        GameError: if the rules are broken.
        SolveError: if the game cannot be solved.
    """
    evaluator = PolicyEvaluator(compiled, rules, side_by_side=False)
    results = evaluator.evaluate()
    return _follow(compiled, rules, ("optimal", "optimal"), results.choice[None], evaluator, results)


def _follow(
    compiled: CompiledGame,
    rules: Rules,
    names: tuple[str, str],
    tables: I16,
    evaluator: PolicyEvaluator,
    results: RoleValues,
) -> Play:
    order = order_play(compiled, rules, evaluator.states, tables)
    roles = len(tables)
    rows = order.indices.astype(np.int64) * roles + order.roles
    position = np.full(evaluator.states.size * roles, END, np.int32)
    position[rows] = np.arange(len(rows), dtype=np.int32)
    kernel, edges = compiled.kernels[list_edges], _empty(len(rows), 0)
    for _ in range(2):  # the first time the edges are only counted
        count = kernel(rules, evaluator.states, order.handles, rows, tables, position, results.value, edges)
        edges = edges if count <= len(edges.target) else _empty(len(rows), int(count))
    chain = PlayChain(
        handles=order.handles,
        rows=rows,
        component_ends=order.ends,
        edges=edges,
        value=results.value[rows],
        roles=roles,
        bound=float(results.bound[rows].max()),
        max_moves=float((results.length[0, rows] + results.length[2, rows]).max())
        + 2.0 * float(results.length_bound[rows].max()),
        start=int(position[evaluator.start * roles]),
    )
    return Play(compiled, rules, names, tables, evaluator, chain, results)


def _empty(nodes: int, edges: int) -> Edges:
    return Edges(
        np.empty(nodes, np.int64),
        np.empty(edges, np.int32),
        np.empty(edges),
        np.empty(edges),
        np.empty(edges, np.bool_),
    )


def list_edges(
    rules: Rules,
    states: StateIndex,
    handles: I64,
    rows: I64,
    policies: I16,
    position: I32,
    values: F64,
    edges: Edges,
) -> int:
    """Fill in the edges as far as there is capacity; return their number.

    Args:
        rules: the rules.
        states: the set of states.
        handles, rows: int64[nodes], as in `PlayChain`.
        policies: int16[roles, states], the policy of each role.
        position: int32[states * roles], the node of each row.
        values: float64[states * roles].
        edges: filled in.
    """
    roles = len(policies)
    count = 0
    for node in range(len(rows)):
        state = state_at(states, handles[node])
        role = rows[node] % roles
        for _, probability, after, passes in policy_outcomes(rules, state, policies[role, rows[node] // roles]):
            if probability <= 0.0:
                continue
            if count < len(edges.target):
                if over(rules, after):
                    edges.target[count] = END
                    value = payoff(rules, after)
                else:
                    row = index_of(states, locate(states, after)) * roles + (role + passes) % roles
                    edges.target[count] = position[row]
                    value = values[row]
                edges.probability[count] = probability
                edges.after[count] = to_mover(value, passes)
                edges.passes[count] = passes & 1 != 0
            count += 1
        edges.ends[node] = count
    return count
