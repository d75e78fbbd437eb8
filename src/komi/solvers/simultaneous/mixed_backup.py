"""Backup of values and mixed strategies of one component after the other, with error bounds.

A component is solved by sweeps (`matrix_game_sweeps`). If these find no proof, or only a loose bound, a small component
is solved in exact fractions: one without simultaneous moves by `bellman.rational`, and one in which a seat wins with
every probability below 1 by the strategies of `limit_sure`.

A value is *unattained* if one of the seats has no strategy that guarantees it in play that ends. This also holds in
every state from which play comes to such a state with positive probability whatever the seats choose: two strategies
that guarantee the value of the state choose optimally in it, and what is guaranteed from the later state is missed with
positive probability. Of a seat that chooses alone, only actions that can be optimal count.
"""

from types import FunctionType
from typing import cast

import numpy as np

from komi.arrays import I8, I32, I64, Flags
from komi.bellman import (
    ComponentBackup,
    ComponentStatus,
    RationalSolver,
    StoredValues,
    all_free,
    error_bound,
    round_up,
    rounding_slack,
)
from komi.compiling.compiled import CompiledGame
from komi.errors import SolveError
from komi.graph.components import ALL_SOLVED
from komi.graph.state_sets import StateSet
from komi.graph.transitions import GraphCounts, Transitions, begin
from komi.jit.kernels import Kernels, engine_kernels
from komi.solvers.simultaneous.limit_sure import LimitGame
from komi.solvers.simultaneous.matrix_game import MatrixBuffers
from komi.solvers.simultaneous.matrix_game_sweeps import (
    PROVED,
    ChoiceKind,
    MixedEquations,
    MixedProblem,
    StateStrategies,
    solve_mixed,
    sweep_mixed,
    sweep_mixed_bounds,
)
from komi.typing import Rules


class MixedBackup(ComponentBackup):
    """Computes values and mixed strategies."""

    def __init__(
        self, compiled: CompiledGame, rules: Rules, states: StateSet, counts: GraphCounts, kinds: I8, before: I32
    ) -> None:
        super().__init__(RationalSolver(compiled, rules, states))
        self._compiled, self._rules, self._states, self._kinds, self._before = compiled, rules, states, kinds, before
        self._most = counts.max_actions
        # the rounding error of a matrix payoff, averaged over both strategies
        self._slack = rounding_slack(counts, mixing=False) + (2 * self._most + 6) * 2.0**-52
        self.results = StateStrategies.empty(states.size, self._most)
        self._unattained = np.zeros(states.size, np.bool_)  # of a blind state: whatever is chosen in it

    @property
    def is_supremum(self) -> Flags:
        """bool[states], whether the value is proved to be unattained."""
        found: Flags = self._unattained & (self._kinds != ChoiceKind.BLIND)
        return found

    def allocate(self, states: int, actions: int, outcomes: int) -> None:
        """Allocate buffers for components with a given number of states, actions and outcomes."""
        self._problem = MixedProblem(
            self._kinds,
            self._slack,
            MixedEquations.empty(states, actions, outcomes, self._most),
            MatrixBuffers.empty(self._most),
            self.results,
            self._stop,
        )

    def solve(self, batch: Transitions, ends: I64) -> int:
        """Solve a batch's components, in order; see `graph.components.ComponentSolver`."""
        index = super().solve(batch, ends)
        if index == ALL_SOLVED and self._unattained.any():
            self._mark_earlier(batch, ends)
        return index

    def _mark_earlier(self, batch: Transitions, ends: I64) -> None:
        """Mark the states of a batch from which play comes to an unattained value, whatever the seats choose."""
        size, value, bound = int(ends[-1]), self.results.value, self.results.bound
        row = np.repeat(np.arange(size), np.diff(batch.actions_end[:size], prepend=0))  # of each action
        outcomes = np.diff(batch.outcomes_end[: len(row)], prepend=0)
        action = np.repeat(np.arange(len(row)), outcomes)  # of each outcome
        target, state, chance = batch.target[: len(action)], batch.state[:size], batch.probability[: len(action)]
        first = np.repeat(np.concatenate([[0], ends[:-1]]), np.diff(ends, prepend=0))[row[action]]
        target = np.where(target < 0, state[first - 1 - np.minimum(target, -1)], target)

        after = np.where(batch.passes[: len(action)] & 1, 1.0 - value[target], value[target])
        worth = batch.gain[: len(row)] + np.bincount(action, chance * after, len(row))
        error = 2.0 * (np.bincount(action, chance * bound[target], len(row)) + self._slack)
        chooser = state[row]
        is_worse = (self._kinds[chooser] == ChoiceKind.ALONE) & (worth + error < value[chooser] - bound[chooser])
        marked = -1
        while marked < (marked := int(np.count_nonzero(self._unattained))):
            reaches = np.bincount(action, self._unattained[target] & (chance > 0.0), len(row)) > 0.0
            self._unattained[state] |= np.bincount(row, ~(reaches | is_worse), size) == 0.0

    def _iterate(self, batch: Transitions, ends: I64, component: int, sweeps: int) -> tuple[int, int]:  # noqa: ARG002
        return _kernels()[solve_mixed](batch, ends, component, self._problem)  # type: ignore[no-any-return]

    def _finish(self, batch: Transitions, ends: I64, component: int, status: int) -> bool:
        """Solve a component in exact fractions: one without simultaneous moves, or one that a seat wins limit-surely.

        Returns:
            True if this succeeded, or there is a loose bound.
        """
        members = batch.state[int(begin(ends, component)) : int(ends[component])]
        if status == ComponentStatus.STOPPED:
            return False
        results = self.results
        stored = StoredValues(1, True, 1.0, True, all_free(1)[None], results.value[:, None], results.bound[:, None])
        if np.any(self._kinds[members] != ChoiceKind.ALONE):
            if self._solve_limit(members, stored) or status == ComponentStatus.WEAK:
                return True
            self._refusal = self._refusal or self._fallback.refusal(members)
            return False
        solved = self._fallback.solve(members, stored)
        if isinstance(solved, SolveError):
            self._refusal = None if status == ComponentStatus.WEAK else solved
            return status == ComponentStatus.WEAK
        for index, _, value, choice in solved.rows:
            state = self._compiled.game.module.State(*self._states.fields(index))
            actions = list(self._compiled.game.part("legal")(self._rules, state))
            results.value[index], results.bound[index] = value, round_up(solved.bound)
            results.mix[index] = 0.0
            results.mix[index, actions.index(choice)], results.actions[index] = 1.0, len(actions)
        return True

    def _solve_limit(self, members: I32, stored: StoredValues) -> bool:
        """Solve a component that one seat wins with every probability below 1. Return whether this succeeded."""
        followers = np.flatnonzero(np.isin(self._before, members))
        graph = self._fallback.graph_of(np.union1d(members, followers), stored)
        if graph is None:
            return False
        index = [int(self._states.index_of(state)) for state, _, _ in graph.keys]
        kinds = [int(self._kinds[each]) for each in index]
        for root in [node for node, each in enumerate(index) if kinds[node] != ChoiceKind.BLIND][:2]:
            game = LimitGame(graph, kinds, root)
            if game.is_limit_sure:
                return self._store_limit(game, index, [side for _, _, side in graph.keys], error_bound(graph))
        return False

    def _store_limit(self, game: LimitGame, index: list[int], wins: list[bool], rounding: float) -> bool:
        """Store the solution of a component that a seat wins limit-surely; return whether floats can hold it.

        Args:
            game: the part of the graph in which the seat wins.
            index: of the state of each node.
            wins: whether the seat is to move in each node.
            rounding: the error bound of probabilities of winning.
        """
        results = self.results
        found = game.strategy(PROVED / 2)
        if found is None:
            self._refusal = SolveError(
                f"strategies come near the value of {self._compiled.game.name}, but those that were found need "
                "probabilities smaller than a float can be: choose smaller rules."
            )
            return False
        bound = round_up(float(found.loss) * (1.0 + 2.0**-50) + rounding)
        for node, mix in found.mixes.items():
            state = index[node]
            results.value[state], results.bound[state], results.actions[state] = wins[node], bound, len(mix)
            results.mix[state] = 0.0
            results.mix[state, : len(mix)] = mix
            is_open = self._kinds[state] != ChoiceKind.BLIND
            self._unattained[state] = is_open and node not in found.attained
        return True


def _kernels() -> Kernels:
    """Specialize the engine for sweeps that solve matrix games."""
    sweep, sweep_bounds = cast(FunctionType, sweep_mixed), cast(FunctionType, sweep_mixed_bounds)
    return engine_kernels(sweep=sweep, sweep_bounds=sweep_bounds)
