"""The Markov chain of play between policies: its nodes, its transitions and the values of each node.

A *node* is a state with the role to move (one role if all players use the same policy). A *move* is one application
of `outcomes`, by an action or by chance: an edge of the chain. Values are those of the policies: they are a martingale
along play.

A *side* is a seat, counted from the player to move. A single player whose objective is a chance has chance as an
opponent: side 1, which never moves.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from komi.arrays import F64, I8, I16, I32, I64
from komi.compiling.compiled import CompiledGame
from komi.evaluation.play_search import order_play, policy_outcomes
from komi.evaluation.policy_evaluator import PolicyEvaluator
from komi.graph.expanded_rules import GraphKernels
from komi.graph.lookup import StateIndex, index_of, locate, state_at
from komi.graph.transitions import to_mover
from komi.jit.specialization import always_inline
from komi.measures.bounded import Bounded
from komi.measures.play_values import PlayValues, evaluate_play, optimal_values
from komi.policies.policy import Policy, distinct_names
from komi.progress import Progress, silent
from komi.rules.interface import over, reward, seat_payoff
from komi.rules.kind import Kind, kind_of
from komi.solvers.solution import Solution
from komi.solvers.stochastic.optimal_values import objective_of
from komi.typing import Rules, State

END = -1  # the target of an edge that ends the game


class Edges(NamedTuple):
    """The edges of each node, in topological order except for cycles (compressed sparse rows).

    Attributes:
        ends: int64[nodes], one past the last edge of each node.
        target: int32[edges], the next node; END if the game ends.
        probability: float64[edges].
        after: float64[edges, views], the reward with the value of the next node, or the payoff, to each side of the
            node; see `PlayValues`.
        passes: int8[edges], the number of seats by which the turn passes, at most one round of the table.
    """

    ends: I64
    target: I32
    probability: F64
    after: F64
    passes: I8


class PlayChain(NamedTuple):
    """The chain of play of policies from the start.

    Attributes:
        handles: int64[nodes], the handle of each node's state.
        rows: int64[nodes], the index of each node's state times the number of roles, plus its role.
        component_ends: int64[components], one past the last node of each strongly connected component.
        edges: the edges.
        value: float64[nodes, views], the value to each side; see `PlayValues`.
        roles: the number of roles.
        seats: the number of players.
        sides: the number of sides: the seats, 2 for a single player with a chance as the objective.
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
    seats: int
    sides: int
    bound: float
    max_moves: float
    start: int


class PlayTable(NamedTuple):
    """The policies and values that kernels follow play by.

    Attributes:
        policies: int16[roles, states], the actions of the policies.
        values: float64[states * roles, views], the values; see `PlayValues`.
        seats: the number of players.
        sign: -1.0 if rewards are minimized, else 1.0.
        after: float64[views], a buffer for the values after a move.
    """

    policies: I16
    values: F64
    seats: int
    sign: float
    after: F64


@dataclass(frozen=True, eq=False)
class Play:
    """Play between policies of a game.

    Attributes:
        compiled: the game.
        rules: its rules.
        kind: its kind.
        policies: the names of the policies, the first player's first.
        table: the actions of the policies; one role if all are the same.
        evaluator: the evaluator of the game, with all of its states.
        chain: the chain of play.
        results: the values and lengths of every state and role.
    """

    compiled: CompiledGame
    rules: Rules
    kind: Kind
    policies: tuple[str, ...]
    table: PlayTable
    evaluator: PolicyEvaluator
    chain: PlayChain
    results: PlayValues

    @property
    def first(self) -> Bounded:
        """The value of the game to the first player."""
        return Bounded(float(self.chain.value[self.chain.start, 0]), self.chain.bound)

    @property
    def lengths(self) -> tuple[Bounded, Bounded, Bounded]:
        """The expected numbers of actions, of turns, and of moves at chance nodes."""
        row = self.evaluator.start * len(self.table.policies)
        actions, turns, chance_moves = (float(length) for length in self.results.length[:, row])
        error = float(self.results.length_bound[row])
        return Bounded(actions, error), Bounded(turns + 1.0, error), Bounded(chance_moves, error)


def follow_play(solution: Solution[Any], policies: Sequence[Policy], progress: Progress = silent) -> Play:
    """Build the chain of play between policies of a solved game.

    Args:
        solution: the solved game.
        policies: one for each player; or one for all.
        progress: progress callback, called during long work; see `komi.progress`.

    Raises:
        GameError: if a policy takes an action that is not legal.
        SolveError: if play may never end, or a policy mixes actions.
    """
    evaluator = PolicyEvaluator.of(solution, progress)
    shared = policies[:1] if all(policy is policies[0] for policy in policies) else policies
    tables = np.stack([evaluator.tabulate(policy) for policy in shared])
    results = evaluate_play(evaluator, solution.kind, list(tables))
    distinct = distinct_names(policies)
    names = tuple(distinct[i % len(policies)] for i in range(solution.kind.seats))
    return _follow(solution.compiled, solution.rules, names, tables, evaluator, results)


def follow_optimal_play(compiled: CompiledGame, rules: Rules) -> Play:
    """Solve a two-player game, on one core and without storing the solution, and build the chain of optimal play.

    Raises:
        GameError: if the rules are broken.
        SolveError: if the game cannot be solved.
    """
    evaluator = PolicyEvaluator(compiled, rules, side_by_side=False)
    results, choices = optimal_values(evaluator)
    return _follow(compiled, rules, ("optimal", "optimal"), choices[None], evaluator, results)


def _follow(
    compiled: CompiledGame,
    rules: Rules,
    names: tuple[str, ...],
    tables: I16,
    evaluator: PolicyEvaluator,
    results: PlayValues,
) -> Play:
    kind = kind_of(compiled.game, rules)
    order = order_play(compiled, rules, evaluator.states, tables)
    roles = len(tables)
    rows = order.indices.astype(np.int64) * roles + order.roles
    position = np.full(evaluator.states.size * roles, END, np.int32)
    position[rows] = np.arange(len(rows), dtype=np.int32)
    sign = objective_of(kind).sign if kind.seats == 1 else 1.0
    views = results.value.shape[1]
    table = PlayTable(tables, results.value, kind.seats, sign, np.empty(views))
    kernel, edges = GraphKernels(compiled)[list_edges], _empty(len(rows), 0, views)
    for _ in range(2):  # the first time the edges are only counted
        count = kernel(rules, evaluator.states, order.handles, rows, table, position, edges)
        edges = edges if count <= len(edges.target) else _empty(len(rows), int(count), views)
    chain = PlayChain(
        handles=order.handles,
        rows=rows,
        component_ends=order.ends,
        edges=edges,
        value=results.value[rows],
        roles=roles,
        seats=kind.seats,
        sides=2 if kind.seats == 1 and kind.is_chance else kind.seats,
        bound=float(results.bound[rows].max()),
        max_moves=float((results.length[0, rows] + results.length[2, rows]).max())
        + 2.0 * float(results.length_bound[rows].max()),
        start=int(position[evaluator.start * roles]),
    )
    return Play(compiled, rules, kind, names, table, evaluator, chain, results)


def _empty(nodes: int, edges: int, views: int) -> Edges:
    return Edges(
        np.empty(nodes, np.int64),
        np.empty(edges, np.int32),
        np.empty(edges),
        np.empty((edges, views)),
        np.empty(edges, np.int8),
    )


def list_edges(
    rules: Rules, states: StateIndex, handles: I64, rows: I64, table: PlayTable, position: I32, edges: Edges
) -> int:
    """Fill in the edges as far as there is capacity; return their number.

    Args:
        rules: the rules.
        states: the set of states.
        handles, rows: int64[nodes], as in `PlayChain`.
        table: the policies and values.
        position: int32[states * roles], the node of each row.
        edges: filled in.
    """
    roles, views, value = len(table.policies), len(table.after), table.after
    count = 0
    for node in range(len(rows)):
        state = state_at(states, handles[node])
        role = rows[node] % roles
        choice = table.policies[role, rows[node] // roles]
        for action, probability, after, passes in policy_outcomes(rules, state, choice):
            if probability <= 0.0:
                continue
            if count < len(edges.target):
                row = fill_after(rules, states, table, role, after, passes)
                value[0] += table.sign * reward(rules, state, action, after)
                edges.target[count] = END if row < 0 else position[row]
                edges.probability[count] = probability
                edges.passes[count] = 1 + (passes - 1) % table.seats if passes else 0
                for view in range(views):
                    edges.after[count, view] = value[view]
            count += 1
        edges.ends[node] = count
    return count


def fill_after(rules: Rules, states: StateIndex, table: PlayTable, role: int, after: State, passes: int) -> int:
    """Fill in the value of the state after a move to each side of the node before it, into `table.after`.

    Args:
        rules: the rules.
        states: the set of states.
        table: the policies and values.
        role: the role to move before.
        after: the state after.
        passes: the number of seats by which the turn passes.

    Returns:
        The row of the state; -1 if the game is over.
    """
    seats, value, roles = table.seats, table.after, len(table.policies)
    if over(rules, after):
        for view in range(len(value)):
            value[view] = table.sign * seat_payoff(rules, after, (view + seats - passes) % seats)
        return -1
    row = index_of(states, locate(states, after)) * roles + (role + passes) % roles
    if len(value) == 1:
        value[0] = to_mover(table.values[row, 0], passes if seats == 2 else 0)
        return row  # type: ignore[no-any-return]
    for view in range(len(value)):
        value[view] = table.values[row, (view + seats - passes) % seats]
    return row  # type: ignore[no-any-return]


@always_inline
def side_value(values: F64, row: int, side: int) -> float:
    """Return the value to a side of a node or an edge, in float64[., views]."""
    if side < values.shape[1]:
        return values[row, side]  # type: ignore[no-any-return]
    return 1.0 - values[row, 0]  # type: ignore[no-any-return]
