"""Nash equilibria of multiplayer games in all reachable states."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from komi.bellman import RationalSolver
from komi.compiling.compiled import CompiledGame
from komi.graph.components import solve_components
from komi.graph.reachability import find_reachable
from komi.graph.sources import GameTransitions
from komi.graph.state_sets import StateSet
from komi.graph.transitions import GraphCounts
from komi.progress import Progress, silent
from komi.solvers.multiplayer.equilibrium_solver import VectorBackup
from komi.solvers.stochastic.reward_check import check_chance
from komi.typing import Rules

FEW = 4_000_000  # states, up to which other equilibria are sought


@dataclass(frozen=True)
class Equilibrium:
    """The values of all seats in each of a set of states, and the policy, from which no seat gains by deviating.

    Attributes:
        states: the states, none of them terminal.
        values: float64[states, seats]: entry r is the value for the seat that the turn is r seats after; entry 0 is the
            mover's.
        choices: int16[states], the action that the policy takes in each; the likeliest where it mixes.
        mixed: int64[.], the indices of the states in which it mixes, in ascending order.
        shares: float64[mixed states, actions], the probability of each legal action there, in the order of the rules.
        error_bound: the upper bound on the difference between a value and the expected payoff of the policy.
        epsilon: the upper bound on the gain of a seat from deviating alone.
        others: the values of all seats in the first state in the other equilibria found, the player to move first.
        searched: whether other equilibria were sought.
    """

    states: StateSet
    values: NDArray[np.float64]
    choices: NDArray[np.int16]
    mixed: NDArray[np.int64]
    shares: NDArray[np.float64]
    error_bound: float
    epsilon: float
    others: list[list[float]]
    searched: bool


def find_equilibrium(
    compiled: CompiledGame,
    rules: Rules,
    roots: Sequence[Any],
    known: Equilibrium | None = None,
    progress: Progress = silent,
) -> Equilibrium:
    """Compute an equilibrium in all states that are reachable from the roots, in addition to the known ones.

    Raises:
        GameError: if the rules are broken.
        SolveError: if the game is too large, or the equilibrium cannot be proved.
    """
    seats = compiled.game.players(rules)
    states, counts = find_reachable(GameTransitions(compiled, rules), roots, known.states if known else None, progress)
    check_chance(compiled, rules, states)
    fair = np.full(seats, 1.0 / seats)
    backup = _backed_up(compiled, rules, states, counts, roots, known, fair, progress)
    found = backup.results
    bound = float(found.bound.max(initial=0.0))
    if known is not None:
        bound = max(bound, known.epsilon / 2)
    searched = known is None and counts.states <= FEW
    others: list[list[float]] = known.others if known else []
    if searched:
        row = states.index_of(roots[0])
        for seat in range(seats):
            other = _backed_up(compiled, rules, states, counts, roots, None, np.eye(seats)[seat], progress).results
            vector = _by_seat(other.value[row])
            if all(
                max(abs(a - b) for a, b in zip(vector, one, strict=True)) > 4 * bound + 1e-12
                for one in [_by_seat(found.value[row]), *others]
            ):
                others.append(vector)
    mixed = np.array(sorted(backup.mixes), np.int64)
    shares = np.zeros((len(mixed), max(map(len, backup.mixes.values()), default=0)))
    for row, index in enumerate(mixed):
        shares[row, : len(backup.mixes[index])] = backup.mixes[index]
    was_searched = searched or bool(known and known.searched)
    return Equilibrium(states, found.value, found.choice, mixed, shares, bound, 2 * bound, others, was_searched)


def _by_seat(vector: NDArray[np.float64]) -> list[float]:
    """Rearrange a value vector, indexed by how far the turn is after a seat, by seat, the mover first."""
    return [float(vector[-view % len(vector)]) for view in range(len(vector))]


def _backed_up(
    compiled: CompiledGame,
    rules: Rules,
    states: StateSet,
    counts: GraphCounts,
    roots: Sequence[Any],
    known: Equilibrium | None,
    first_guess: NDArray[np.float64],
    progress: Progress,
) -> VectorBackup:
    seats = compiled.game.players(rules)
    backup = VectorBackup(states.size, counts, RationalSolver(compiled, rules, states), seats, first_guess)
    old = None
    if known is not None:
        old = states.indices_of(known.states)
        backup.results.value[old] = known.values
        backup.results.choice[old] = known.choices
        backup.results.bound[old] = np.nextafter(np.float32(known.epsilon / 2), np.float32(1.0))
        backup.mixes.update((int(old[index]), mix) for index, mix in zip(known.mixed, known.shares, strict=True))
    solve_components(
        GameTransitions(compiled, rules),
        states,
        counts,
        roots,
        backup,
        known=old,
        gain_columns=seats,
        progress=progress,
        bounds=backup.results.bound,
    )
    return backup
