"""Policies as fields of certificates: whole-number weights of the legal actions, by what the player to move sees."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from komi.arrays import I64
from komi.errors import SolveError
from komi.evaluation.losses import count_choices
from komi.graph.reachability import find_reachable
from komi.graph.sources import GameTransitions
from komi.graph.state_sets import StateSet
from komi.policies.policy import Policy
from komi.policies.tabulate import action_probabilities
from komi.progress import Progress
from komi.proof.certificate import Fields
from komi.solvers.solution import Solution

MAX_STATES = 3_000_000  # in which a policy is written down
WEIGHT = 1 << 32  # of an action that a policy is sure to take, before common factors are removed


def policy_weights(
    solution: Solution[Any], policies: Sequence[Policy], progress: Progress
) -> tuple[StateSet, list[I64]]:
    """Return all states that play can reach, and what these policies do there: the weights of the legal actions.

    Returns:
        The states, and for each policy int64[states, actions].

    Raises:
        GameError: if a policy takes an action that is not legal.
        SolveError: if there are too many states, or a policy chooses in a way that cannot be written down.
    """
    start = solution.game.part("start")(solution.rules)
    states, counts = find_reachable(GameTransitions(solution.compiled, solution.rules), [start], progress=progress)
    if states.size > MAX_STATES:
        raise SolveError(
            f"{solution.game.name} has {states.size:,} states, and policies are written down for at most "
            f"{MAX_STATES:,}: choose smaller rules."
        )
    compiled, most = solution.compiled, counts.max_actions
    shares = [action_probabilities(each, compiled, solution.rules, states, most) for each in policies]
    weights = [np.rint(each * WEIGHT).astype(np.int64) for each in shares]
    return states, [each // np.gcd.reduce(each, axis=1, keepdims=True) for each in weights]


def policy_fields(solution: Solution[Any], name: str, states: StateSet, weights: I64) -> Fields:
    """Return what a policy does as fields of a certificate: by what the player to move sees, where there is a choice.

    Args:
        solution: the solution of the game.
        name: the name of the policy.
        states: the states.
        weights: int64[states, actions], the weights of the legal actions.
    """
    game, rules = solution.game, solution.rules
    numbers = count_choices(solution.compiled, rules, states)
    choosing = np.flatnonzero(numbers > 1)
    fields = states.all_fields()[choosing]
    rows = zip(fields.tolist(), weights[choosing].tolist(), numbers[choosing].tolist(), strict=True)
    seen = {}
    for row, weight, number in rows:
        state = game.module.State(*row)
        seen[tuple(game.part("view")(rules, state) if game.has("view") else state)] = weight[:number]
    nested = [game.nested(game.module.State(*row)) for row in seen]
    return {"name": name, "states": list(zip(*nested, strict=True)), "shares": list(seen.values())}
