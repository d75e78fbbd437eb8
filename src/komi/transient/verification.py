"""Survey stored states through their rolls, and verify the hints `roll` and `totals` that let them share roll graphs.

Solvers enumerate the roll of one state of each equivalence class (states that differ in their totals alone) and reuse
its roll graph for the others. Verification enumerates the roll of each state and compares: the same inner actions with
the same probabilities and gains, the same entries, and entries that share an exit of the class lead to one state. If
this holds in all reachable states, the shared graph is the graph of the game, by induction on the moves from the start.
"""

import secrets
from collections.abc import Sequence
from typing import Any

import numpy as np

from komi.arrays import I64
from komi.compiling.compiled import CompiledGame
from komi.errors import GameError
from komi.graph.lookup import StateIndex, members, state_at
from komi.graph.reachability import find_reachable
from komi.graph.reachability_kernel import ExplorationStatus
from komi.graph.state_sets import StateSet
from komi.graph.transitions import GraphCounts
from komi.jit.intrinsics import hash_key
from komi.progress import Progress, silent
from komi.rules.interface import record_witness
from komi.transient.builder import build_roll_graph
from komi.transient.enumerator import RulesContext, enumerate_roll
from komi.transient.hash_consing import RollBuffers, class_slot, compare_roll_graph
from komi.transient.roll_graph import GraphKind
from komi.transient.store import Rolls
from komi.transient.violations import UnsharedError, broken_roll
from komi.typing import Rules, State

MAX_NODES = 1_000_000  # states, including those inside rolls, that are all verified;
SAMPLE_NODES = 250_000  # the approximate size of the sample if there are more
BATCH_NODES = 50_000  # states between two reports of progress


def explore_verified(
    compiled: CompiledGame,
    rules: Rules,
    roots: Sequence[Any],
    known: StateSet | None = None,
    progress: Progress = silent,
    can_stage: bool = False,
) -> tuple[Rolls, StateSet, GraphCounts, int]:
    """Enumerate the stored states, sharing roll graphs where the game gives `roll` and `totals`, which are verified.

    Args:
        compiled, rules: the game.
        roots: the states where play begins.
        known: states that were found before.
        progress: called during the work.
        can_stage: whether the states can be solved stage by stage, where they are many.

    Returns:
        the rolls, the states, their counts, and the number of states in which the hints were verified: 0 if the result
        does not rely on them.

    Raises:
        GameError: if the rules or the hints are broken; `state` is an example.
        SolveError: if the game is too large.
    """
    rolls = Rolls(compiled, rules, can_stage=can_stage)
    try:
        states, counts = find_reachable(rolls, roots, known, progress)
    except GameError as error:
        if not rolls.shared:
            raise
        rolls = Rolls(compiled, rules, shared=False, can_stage=can_stage)
        states, counts = find_reachable(rolls, roots, known, progress)
        if not isinstance(error, UnsharedError):  # the rules are correct, so the hints are wrong
            raise _broken(compiled, rules, error.state) from None
    checked = verify_sharing(compiled, rules, rolls, states, progress) if rolls.shared else 0
    return rolls, states, counts, checked


def verify_sharing(
    compiled: CompiledGame, rules: Rules, rolls: Rolls, states: StateSet, progress: Progress = silent
) -> int:
    """Verify that states have the roll graph that they share; return the number of states verified.

    Raises:
        GameError: if a state has another one.
    """
    graphs = rolls.graphs
    nodes = np.diff(graphs.interior_nodes[: graphs.used[GraphKind.INTERIOR]], prepend=0)
    nodes_per_state = float(nodes[graphs.graph_interior[: graphs.used[GraphKind.GRAPH]]].mean())
    every, seed = 1, np.uint64(secrets.randbits(64))  # a sample that no author of rules can foresee
    if states.size * nodes_per_state > MAX_NODES:
        every = int(np.ceil(states.size * nodes_per_state / SAMPLE_NODES))
    batch = max(1, int(BATCH_NODES / nodes_per_state))
    index = checked = 0
    known = compiled.game.action_limit
    while True:
        how, index, verified = compiled.checked.kernels[verify](
            rules,
            rolls.seats,
            known,
            states,
            index,
            (every, batch, seed),
            rolls.buffers,
            rolls.witness,
        )
        checked += int(verified)
        if how == ExplorationStatus.DONE:
            return checked
        if how == ExplorationStatus.NO_ROOM:
            rolls.grow()
        elif how == ExplorationStatus.PAUSED:
            progress("verifying hints", int(index), states.size)
        elif how == ExplorationStatus.DIFFERENT:
            game = compiled.game
            raise _broken(compiled, rules, game.write(rules, game.module.State(*map(int, rolls.witness[:-1]))))
        else:
            raise broken_roll(compiled, rules, how, rolls.witness)


def _broken(compiled: CompiledGame, rules: Rules, state: State) -> GameError:
    game = compiled.game
    differ = " and ".join(repr(name) for name in game.totals(rules))
    return GameError(
        f"{game.file.name}: 'roll' and 'totals' promise that states that differ only in {differ} have the same roll, "
        f"but that of {state} is another: correct them, or remove them.",
        state,
    )


def verify(
    rules: Rules,
    seats: int,
    action_limit: int,
    states: StateIndex,
    first: int,
    sample: tuple[int, int, np.uint64],
    rolls: RollBuffers,
    witness: I64,
) -> Any:
    """Compare the rolls of states, from index `first` on, with those of their equivalence classes.

    Args:
        rules, seats, action_limit: the fields of a `RulesContext`.
        states: the states.
        first: the index to begin with.
        sample: (verify one state in this number, index 0 always; the number of states after which to pause; the random
            seed of the hash that chooses the states).
        rolls, witness: see `find_roll_graph`.

    Returns:
        (DONE, PAUSED, NO_ROOM, DIFFERENT, or the violation of the rules, as a reachability analysis reports it; the
        index to continue with; the number of states verified)
    """
    context = RulesContext(rules, seats, action_limit)
    every, batch, seed = sample
    verified = 0
    for index, handle in members(states.keys):
        if index < first or (index and hash_key(seed, np.int64(index)) % np.uint64(every)):
            continue
        if verified == batch:
            return ExplorationStatus.PAUSED, index, verified
        state = state_at(states, handle)
        slot = class_slot(context, state, rolls, witness)
        graph = rolls.graphs.class_graph[rolls.graphs.class_table[slot]]
        status = enumerate_roll(context, state, rolls.inside, rolls.roll, witness)
        if status == ExplorationStatus.DONE:
            status = build_roll_graph(seats, rolls.roll, rolls.builder)
        if status == ExplorationStatus.DONE:
            status = compare_roll_graph(rolls, graph)
            if status == ExplorationStatus.DIFFERENT:
                record_witness(state, -1, witness)
        if status != ExplorationStatus.DONE:
            return status, index, verified
        verified += 1
    return ExplorationStatus.DONE, np.int64(0), verified
