"""The explicit model of a game: all outcomes of all actions of all states as arrays."""

from typing import Any, NamedTuple, Self

import numpy as np

from komi.arrays import F64, I16, I32, I64, Flags, allocate
from komi.compiling.compiled import CompiledGame
from komi.errors import SolveError
from komi.graph.expanded_rules import GraphKernels
from komi.graph.lookup import StateIndex, index_of, locate, members, state_at
from komi.graph.state_sets import StateSet
from komi.graph.transitions import to_mover
from komi.rules.interface import legal, outcomes, over, payoff, reward
from komi.typing import Rules

OVER = -1  # the target of an outcome that ends the game


class ExplicitModel(NamedTuple):
    """The outcomes with positive probability of all actions of all states (compressed sparse rows).

    Attributes:
        fields: int64[states, fields], the states, without terminal ones.
        ends: int64[states], one past the last action of each state.
        actions: int16[actions], their numbers; CHANCE at chance nodes.
        outcome_ends: int64[actions], one past the last outcome of each action.
        probability: float64[outcomes].
        target: int32[outcomes], the next state; OVER if the game ends.
        passes: bool[outcomes], whether the turn passes to the opponent.
        gain: float64[outcomes], what the player who acts gains: the reward, and the payoff if the game ends.
    """

    fields: I64
    ends: I64
    actions: I16
    outcome_ends: I64
    probability: F64
    target: I32
    passes: Flags
    gain: F64

    @classmethod
    def of(cls, compiled: CompiledGame, rules: Rules, states: StateSet, max_outcomes: int) -> Self:
        """List the outcomes in a set of states of a game for one or two players, with all their successors.

        Each outcome takes 21 bytes.

        Raises:
            SolveError: if there are more than `max_outcomes`.
        """
        sizes, fields = {"ends": states.size}, states.all_fields()
        is_zero_sum = compiled.game.players(rules) == 2
        model = allocate(cls, lambda name: sizes.get(name, 0), fields=fields)
        actions, outcomes = GraphKernels(compiled)[list_outcomes](rules, states, is_zero_sum, model)
        if outcomes > max_outcomes:
            raise SolveError(
                f"the model of {compiled.game.name} has {outcomes:,} transitions, more than {max_outcomes:,}: "
                "choose smaller rules."
            )
        sizes |= {"actions": actions, "outcome_ends": actions}
        model = allocate(cls, lambda name: sizes.get(name, outcomes), fields=fields)
        GraphKernels(compiled)[list_outcomes](rules, states, is_zero_sum, model)
        return model


def list_outcomes(rules: Rules, states: StateIndex, is_zero_sum: bool, model: ExplicitModel) -> Any:
    """Fill in the model as far as there is capacity; return the numbers of actions and outcomes."""
    entry, count = 0, 0
    for index, handle in members(states.keys):
        state = state_at(states, handle)
        for action in legal(rules, state):
            for probability, after, passes in outcomes(rules, state, action):
                if probability == 0.0:
                    continue
                if count < len(model.target):
                    gain = reward(rules, state, action, after)
                    if over(rules, after):
                        gain += to_mover(payoff(rules, after), passes) if is_zero_sum else payoff(rules, after)
                        model.target[count] = OVER
                    else:
                        model.target[count] = index_of(states, locate(states, after))
                    model.probability[count], model.gain[count] = probability, gain
                    model.passes[count] = is_zero_sum and passes & 1
                count += 1
            if entry < len(model.actions):
                model.actions[entry], model.outcome_ends[entry] = action, count
            entry += 1
        model.ends[index] = entry
    return np.int64(entry), np.int64(count)
