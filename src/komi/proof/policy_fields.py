"""Policies as fields of certificates: whole-number weights of the legal actions, by what the player to move sees."""

from typing import Any

import numpy as np

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


def policy_fields(solution: Solution[Any], policies: list[Policy], progress: Progress) -> list[Fields]:
    """Return what these policies do in all states that play can reach.

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
    return [_fields(solution, policy, states, counts.max_actions) for policy in policies]


def _fields(solution: Solution[Any], policy: Policy, states: StateSet, max_actions: int) -> Fields:
    game, rules = solution.game, solution.rules
    shares = action_probabilities(policy, solution.compiled, rules, states, max_actions)
    weights = np.rint(shares * WEIGHT).astype(np.int64)
    weights //= np.gcd.reduce(weights, axis=1, keepdims=True)
    numbers = count_choices(solution.compiled, rules, states)
    choosing = np.flatnonzero(numbers > 1)
    fields = states.all_fields()[choosing]
    rows = zip(fields.tolist(), weights[choosing].tolist(), numbers[choosing].tolist(), strict=True)
    seen = {}
    for row, weight, number in rows:
        state = game.module.State(*row)
        seen[tuple(game.part("view")(rules, state) if game.has("view") else state)] = weight[:number]
    nested = [game.nested(game.module.State(*row)) for row in seen]
    return {"name": policy.name, "states": list(zip(*nested, strict=True)), "shares": list(seen.values())}
