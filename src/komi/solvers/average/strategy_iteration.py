"""Strategy iteration in stochastic games for two with the average reward as payoff, and its proof.

Gillette (1957): player 1 maximizes the average reward per action in the long run, player 2 minimizes it. Both have optimal
policies of one action in each state (T. Liggett and S. Lippman, Stochastic games with perfect information and time
average payoff, SIAM Review 11, 1969). A policy of player 1 leaves a decision process to player 2; its optimal gain and bias (g, h) show
where the policy can be improved: by a greater P_a g, or among equal ones by a greater r_a + P_a h (A. Hoffman and
R. Karp 1966; S. Rao, R. Chandrasekaran and K. Nair 1973; for several recurrent classes J. Cochet-Terrasson and
S. Gaubert 2006).

komi's states are those of the player to move. A node is a state and the seat to move there: number seat * states + state. The
game looks the same to both, so the value of node (1, s) is minus that of (0, s), and one policy serves both players.
What is proved does not depend on the iteration: if player 1 follows the policy, no response leaves it less than g, if

    g <= P_a g,  g + h <= r_a + P_a h    for the actions a of the policy in nodes of seat 0, and all in those of seat 1,

so the value of state s is from g(0, s) to -g(1, s): these are the functions `lower` and `upper`, by states.
"""

from typing import NamedTuple

import numpy as np

from komi.arrays import F64, I64
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
    """Find the best response of player 2 to a policy of player 1: int64[states], the pair taken in each state."""
    kept = process.owner >= len(policy)
    kept[policy] = True
    left, pairs = process.limit(kept, -1.0), np.flatnonzero(kept)
    taken, attained = iterate_policies(left, progress)
    return Response(pairs[taken], left, attained)


def iterate_strategies(process: DecisionProcess, progress: Progress) -> I64:
    """Find a policy of player 1 that no response harms more than needed, as far as the equations show it.

    Args:
        process: the process of nodes, with the rewards of player 1; those of seat 0 are the first half.
        progress: progress callback; see `komi.progress`.

    Returns:
        int64[states], the pair taken in each state.
    """
    states = len(process.takes) // 2
    policy, seen = best_pairs(process, process.reward)[:states], set[bytes]()
    for _ in range(MAX_ITERATIONS):
        seen.add(policy.tobytes())
        response = respond(process, policy, progress)
        kept = process.owner < states
        kept[response.policy] = True
        pairs = np.flatnonzero(kept)
        taken = np.searchsorted(pairs, response.policy)
        gain, bias = response.attained
        improved = pairs[improve(process.limit(kept), taken, Evaluation(-gain, -bias))][:states]
        if improved.tobytes() in seen:
            break
        policy = improved
    return policy


def find_best_strategies(process: DecisionProcess, depth: F64, progress: Progress) -> BestPlay | None:
    """Find a policy for both players, and prove what it guarantees.

    Args:
        process: as above.
        depth: the `chance_depth` of the nodes.
        progress: progress callback.

    Returns:
        play of the policy against itself, in the states with player 1 to move; None if no proof is found.
    """
    policy = iterate_strategies(process, progress)
    states, pairs = len(policy), len(process.owner) // 2
    response = respond(process, policy, progress)
    loss = bound_above(response.process, response.attained, depth)
    if loss is None:
        return None
    attained = evaluate_policy(process.follow(policy_shares(process, np.concatenate([policy, policy + pairs]))))
    lost = np.stack(loss)
    return BestPlay(
        policy, Evaluation(attained.gain[:states], attained.bias[:states]), lost[:, states:], -lost[:, :states]
    )
