"""Strategy iteration in games for two with the average reward as payoff, and its proof.

One player gains what the other loses, on average per action in the long run (D. Gillette 1957). Both have optimal
policies of one action in each state (T. Liggett and S. Lippman, Stochastic games with perfect information and time
average payoff, SIAM Review 11, 1969). A policy of player 1 leaves a decision process to player 2. The gain g and the
bias h of the best response to it show where the policy can be improved: by a greater P_a g, or among equal ones by a
greater r_a + P_a h (A. Hoffman and R. Karp 1966; S. Rao, R. Chandrasekaran and K. Nair 1973; for several recurrent
classes J. Cochet-Terrasson and S. Gaubert 2006).

komi's states are those of the player to move. A node is a state and the player to move there: player 1 in the first
half of the nodes, player 2 in the second. The game looks the same to both, so the value of a node in the second half is
minus that of its state in the first, and one policy serves both players.

The proof does not depend on the iteration. If player 1 follows a policy, no response leaves it less than g, if

    g <= P_a g  and  g + h <= r_a + P_a h

for the actions of the policy in nodes of player 1, and for all actions in those of player 2. The value of a state is at
least the g of its first node, and at most minus that of its second: these are the functions `lower` and `upper`.
"""

from typing import NamedTuple

import numpy as np

from komi.arrays import F64, I64, Flags
from komi.graph.explicit import ExplicitModel
from komi.progress import Progress
from komi.solvers.average.bounds import bound_above
from komi.solvers.average.decision_process import DecisionProcess, best_pairs, policy_shares
from komi.solvers.average.policy_iteration import (
    MAX_ITERATIONS,
    BestPlay,
    Evaluation,
    evaluate_policy,
    improve,
    iterate_policies,
)


def nodes_of(model: ExplicitModel) -> ExplicitModel:
    """Return the model of nodes, with the rewards of player 1."""
    states, passes = len(model.ends), model.passes.astype(np.int64)
    return ExplicitModel(
        np.concatenate([model.fields, model.fields]),
        np.concatenate([model.ends, model.ends + len(model.actions)]),
        np.concatenate([model.actions, model.actions]),
        np.concatenate([model.outcome_ends, model.outcome_ends + len(model.target)]),
        np.concatenate([model.probability, model.probability]),
        np.concatenate([model.target + states * passes, model.target + states * (1 - passes)]),
        np.concatenate([model.passes, model.passes]),
        np.concatenate([model.gain, -model.gain]),
    )


class Response(NamedTuple):
    """The best response to a policy of player 1.

    Attributes:
        policy: int64[nodes], the pair taken in each node, by the policy and by the response.
        process: the decision process that the policy leaves to player 2, with losses of player 1 as rewards.
        attained: what the response attains in it.
    """

    policy: I64
    process: DecisionProcess
    attained: Evaluation


def respond(process: DecisionProcess, policy: I64, progress: Progress) -> Response:
    """Find the best response of player 2 to a policy of player 1.

    Args:
        process: the process of nodes, with the rewards of player 1.
        policy: int64[nodes], the pairs of the policy, and those of a response to begin with.
        progress: progress callback; see `komi.progress`.
    """
    states = len(policy) // 2
    left, pairs = _follow(process, policy[:states], np.arange(len(policy)) >= states, -1.0)
    taken, attained = iterate_policies(left, progress, np.searchsorted(pairs, policy))
    return Response(pairs[taken], left, attained)


def _follow(process: DecisionProcess, policy: I64, free: Flags, sign: float) -> tuple[DecisionProcess, I64]:
    """Return the process in which nodes that are not free take the pairs of a policy, and the pairs that are left."""
    shares = free[process.owner].astype(np.float64)
    shares[policy] = 1.0
    return process.follow(shares, sign, free), np.flatnonzero(shares)


def iterate_strategies(process: DecisionProcess, progress: Progress) -> Response:
    """Find a policy of player 1 that no response harms more than needed, as far as the equations show it.

    Args:
        process: the process of nodes, with the rewards of player 1.
        progress: progress callback; see `komi.progress`.

    Returns:
        the best response to it.
    """
    states = len(process.takes) // 2
    is_own = np.arange(2 * states) < states
    response = respond(process, best_pairs(process, process.reward), progress)
    seen = set[bytes]()
    for _ in range(MAX_ITERATIONS):
        seen.add(response.policy[:states].tobytes())
        left, pairs = _follow(process, response.policy[states:], is_own, 1.0)
        gain, bias = response.attained
        better = pairs[improve(left, np.searchsorted(pairs, response.policy), Evaluation(-gain, -bias))]
        if better[:states].tobytes() in seen:
            break
        response = respond(process, better, progress)
    return response


def find_best_strategies(process: DecisionProcess, depth: F64, progress: Progress) -> BestPlay | None:
    """Find a policy for both players, and prove what it guarantees.

    Args:
        process: the process of nodes, with the rewards of player 1.
        depth: the `chance_depth` of the nodes.
        progress: progress callback.

    Returns:
        play of the policy against itself, in the states with player 1 to move; None if no proof is found.
    """
    response = iterate_strategies(process, progress)
    states, pairs = len(process.takes) // 2, len(process.owner) // 2
    policy = response.policy[:states]
    loss = bound_above(response.process, response.attained, depth)
    if loss is None:
        return None
    attained = evaluate_policy(process.follow(policy_shares(process, np.concatenate([policy, policy + pairs]))))
    lost = np.stack(loss)
    return BestPlay(
        policy, Evaluation(attained.gain[:states], attained.bias[:states]), lost[:, states:], -lost[:, :states]
    )
