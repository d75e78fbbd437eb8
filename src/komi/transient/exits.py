"""Evaluation of the exits of one state: their gains and successors."""

from typing import Any

import numpy as np

from komi.arrays import I64
from komi.graph.reachability_kernel import ExplorationStatus
from komi.graph.transitions import begin
from komi.rules.interface import possible, record_witness, state_from, state_inside
from komi.transient.enumerator import ENDED, TRANSIENT, Outcomes, RulesContext, list_actions, list_outcomes
from komi.transient.hash_consing import RollBuffers
from komi.transient.roll_graph import Exits
from komi.typing import State


def evaluate_exits(context: RulesContext, state: State, graph: int, rolls: RollBuffers, witness: I64) -> int:
    """Fill in the exits of a state; return their number, or -1 less the violation.

    If roll graphs are shared, the rules run once for each exit; otherwise its outcomes are in the enumerated roll.

    Args:
        context, state, rolls, witness: see `find_roll_graph`.
        graph: the state's roll graph, as just returned by `find_roll_graph`.

    The violation is UNSHARED, and the promise of `totals` broken, if an exit of a shared roll leads to a transient
    state with a choice or a chance move.
    """
    graphs, builder, exits = rolls.graphs, rolls.builder, rolls.exits
    shared = len(graphs.class_fields) > 1
    first_exit = begin(graphs.graph_exits, graph) if shared else 0
    count = graphs.graph_exits[graph] - first_exit
    if count >= len(exits.gain):
        return -1 - ExplorationStatus.NO_ROOM
    end: Any = np.int64(0)
    for number in range(count):
        if shared:
            index = first_exit + number
            outcome: Any = np.int64(graphs.exit_outcome[index])
            node = state if graphs.exit_at_root[index] else state_inside(state, graphs.exit_fields, index, rolls.inside)
            action: Any = np.int64(graphs.exit_action[index])
            last = list_outcomes(context, node, action, rolls.listing, 0, 0, witness)
            if last >= 0:
                last = _resolve(context, rolls.listing, rolls.roll.legal, last, outcome, witness)
            if last < 0:
                return last  # type: ignore[no-any-return]
            end = _add_outcomes(exits, number, end, rolls.listing, 0, last, outcome)
        else:
            own = builder.exit_numbered[number]
            outcome = np.int64(builder.exit_outcome[own])
            first, last = builder.exit_begin[own], builder.exit_end[own]
            end = _add_outcomes(exits, number, end, rolls.roll.outcomes, first, last, outcome)
        if end < 0:
            return -1 - ExplorationStatus.NO_ROOM
    return count  # type: ignore[no-any-return]


def _resolve(context: RulesContext, listing: Outcomes, actions: I64, end: int, outcome: int, witness: I64) -> Any:
    """Replace transient successors by the stored states or the end of the game that they lead to.

    Args:
        context, witness: see `evaluate_exits`.
        listing: the outcomes of one action, and buffers behind them.
        actions: a buffer for the legal actions of a state.
        end: the number of outcomes.
        outcome: the index of the only outcome to replace; -1 for all.

    Returns:
        The number of outcomes, or -1 less the violation.
    """
    for k in range(end):
        while listing.target[k] == TRANSIENT and outcome in (-1, k):
            current = state_from(listing.fields, k)
            if not possible(context.rules, current):
                record_witness(current, -1, witness)
                return -1 - ExplorationStatus.IMPOSSIBLE
            choices = list_actions(context, current, actions, witness)
            if choices != 1:
                return choices if choices < 0 else -1 - ExplorationStatus.UNSHARED
            last = list_outcomes(context, current, actions[0], listing, end, listing.passes[k], witness)
            if last != end + 1:
                return last if last < 0 else -1 - ExplorationStatus.UNSHARED
            for i in range(len(current)):
                listing.fields[k, i] = listing.fields[end, i]
            listing.target[k], listing.passes[k] = listing.target[end], listing.passes[end]
            listing.gain[k] += listing.gain[end]
    return end


def _add_outcomes(exits: Exits, number: int, height: int, outcomes: Outcomes, first: int, end: int, only: int) -> Any:
    """Fill in an exit; return one past its last outcome, or -1 if the buffers are too small.

    Args:
        exits: filled in.
        number: the exit.
        height: the index of its first outcome.
        outcomes, first, end: the outcomes of its action.
        only: the index of the action's outcome by which it leaves the roll; -1 for all.
    """
    gain = magnitude = 0.0
    for outcome in range(first, end):
        if only >= 0 and outcome - first != only:
            continue
        if height + 1 >= len(exits.probability):
            return -1
        probability = 1.0 if only >= 0 else outcomes.probability[outcome]
        if outcomes.target[outcome] != ENDED:
            for i in range(outcomes.fields.shape[1]):
                exits.fields[height, i] = outcomes.fields[outcome, i]
            exits.probability[height], exits.passes[height] = probability, outcomes.passes[outcome]
            height += 1
        gain += probability * outcomes.gain[outcome]
        magnitude += probability * abs(outcomes.gain[outcome])
    exits.gain[number], exits.magnitude[number], exits.end[number] = gain, magnitude, height
    return height
