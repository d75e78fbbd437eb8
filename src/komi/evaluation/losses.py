"""`komi.compare`: the agreement of two policies, and the loss of one of them in each state against optimal play.

A decision is made in a state in which a player can choose between at least two actions. Chance nodes, and states in
which one action is forced, have none.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from komi.arrays import F64, I16, I32
from komi.bellman import UNIFORM
from komi.errors import InputError
from komi.evaluation.play_search import policy_outcomes
from komi.evaluation.requirements import check_perfect_information
from komi.evaluation.visits import count_visits
from komi.game import CHANCE
from komi.graph.lookup import StateIndex, members, state_at
from komi.graph.state_sets import StateSet
from komi.graph.transitions import successor_value
from komi.policies.named import PolicyLike, as_policy
from komi.policies.policy import Policy
from komi.policies.tabulate import tabulate
from komi.progress import Progress, silent
from komi.rules import catalog
from komi.rules.compiled import CompiledGame
from komi.rules.interface import legal, reward
from komi.solvers.solution import Solution
from komi.solvers.solve import solve
from komi.typing import GameLike, Rules


@dataclass(frozen=True)
class Mistake:
    """A state in which a policy has a loss (regret).

    Attributes:
        state: the state, as text.
        action: the policy's action.
        best: the optimal action.
        loss: loss in probability of winning; with a `payoff_range`, and in a single-player game, in the objective.
        visits: expected number of times that the policy decides there in a game, averaged over both seats.
    """

    state: str
    action: str
    best: str
    loss: float
    visits: float


@dataclass(frozen=True)
class Agreement:
    """The agreement of two policies: how often they take the same action.

    Where one of them randomizes, the probability that they do counts.

    Attributes:
        all_states: the share of equal decisions over all reachable states, each counted once; 1 if there are none.
        real_states: the share of equal decisions among those that the first policy makes in games against the second;
            1 if it makes none.
        states: number of reachable states with a decision.
        decisions: expected number of decisions of the first policy in a game against the second, averaged over both
            seats.
        loss: expected loss of the first policy in such a game against optimal play, in probability of winning or in
            the objective.
        mistakes: the states in which it loses most in such games, worst first.
    """

    all_states: float
    real_states: float
    states: int
    decisions: float
    loss: float
    mistakes: list[Mistake]


def compare(
    game: GameLike,
    a: PolicyLike,
    b: PolicyLike = "optimal",
    *,
    most: int = 10,
    progress: Progress = silent,
    **rules: object,
) -> Agreement:
    """Compute how often policy A decides as policy B does, and list the states in which A loses most.

    Args:
        game: the name of a game, its rule file, or a Game; see `komi.find`.
        a, b: the names of policies, or Python functions; as in `komi.match`.
        most: the maximum number of mistakes to list.
        progress: callback that receives the stage, the work done and the total work.
        rules: values of rules to change, by name.

    Raises:
        InputError: for an unknown game, rule or policy.
        GameError: if the rules are broken, or a policy takes an action that is not legal.
        SolveError: if the game cannot be solved.

    Examples:
        >>> import komi
        >>> comparison = komi.compare("piglet", "hold-at:2", most=1)
        >>> comparison.mistakes[0].action, comparison.mistakes[0].best
        ('hold', 'flip')
    """
    if most < 0:
        raise InputError(f"the number of mistakes to list must be 0 or more, not {most}.")
    game = catalog.find(game)
    solution = solve(game, progress=progress, **rules)  # type: ignore[arg-type]  # the rules are named by the game
    return compare_policies(solution, as_policy(a, solution), as_policy(b, solution), most, progress)


def compare_policies(
    solution: Solution[Any], a: Policy, b: Policy, most: int = 10, progress: Progress = silent
) -> Agreement:
    """Compute where policy A decides as policy B does, and its largest losses in games against B, over both seats.

    Args:
        solution: the solved game.
        a, b: the policies.
        most: the maximum number of mistakes to list.
        progress: progress callback, called during long work; see `komi.progress`.

    Raises:
        GameError: if a policy takes an action that is not legal.
        SolveError: if games between them are too long.
    """
    check_perfect_information(solution.kind)
    states = solution.optimal_play.states
    actions, others = (tabulate(policy, solution.compiled, solution.rules, states) for policy in (a, b))
    choices = count_choices(solution.compiled, solution.rules, states)
    is_decision = choices > 1
    is_random = (actions == UNIFORM) | (others == UNIFORM)
    agreeing = np.where(is_random, 1.0 / np.maximum(choices, 1), actions == others)
    visits = _visits(solution, a, b, progress)
    loss = solution.kind.payoffs.width * action_losses(solution, actions) * (visits > 0.0) * is_decision
    worst = np.argsort(-loss * visits, kind="stable")[:most]
    return Agreement(
        all_states=_mean(agreeing[is_decision], np.ones(np.count_nonzero(is_decision))),
        real_states=_mean(agreeing[is_decision], visits[is_decision]),
        states=int(np.count_nonzero(is_decision)),
        decisions=float(visits[is_decision].sum()),
        loss=float(loss @ visits),
        mistakes=[_mistake(solution, int(i), int(actions[i]), loss, visits) for i in worst if loss[i] > 0.0],
    )


def _visits(solution: Solution[Any], a: Policy, b: Policy, progress: Progress) -> F64:
    """Compute float64[states], how often policy A moves in each state.

    In a two-player game A plays B and the visits are averaged over both seats; in a single-player game A plays on its
    own.
    """
    visits: F64
    if solution.kind.seats == 1:
        visits = count_visits(solution, a, a, progress).visits.sum(axis=0)
    else:
        first, second = count_visits(solution, a, b, progress), count_visits(solution, b, a, progress)
        visits = (first.visits[0] + second.visits[1]) / 2
    return visits


def _mean(shares: F64, weights: F64) -> float:
    return 1.0 - float((1.0 - shares) @ weights / weights.sum()) if weights.any() else 1.0


def count_choices(compiled: CompiledGame, rules: Rules, states: StateSet) -> I32:
    """Return int32[states], the number of actions that the player to move can choose from; 0 at chance nodes."""
    counts = np.empty(states.size, np.int32)
    compiled.kernels[_count_choices](rules, states, counts)
    return counts


def action_losses(solution: Solution[Any], actions: I16) -> F64:
    """Return float64[states], the mover's loss by the given actions; losses within rounding error are 0.

    With a `payoff_range` they are mapped to 0 to 1, as the values of `optimal_play` are.
    """
    states, values = solution.optimal_play.states, solution.optimal_play.values
    loss = np.empty(states.size)
    solution.compiled.kernels[fill_losses](solution.rules, solution.kind.seats, states, values, actions, loss)
    if solution.kind.aim == "least":
        np.negative(loss, out=loss)
    loss[loss < max(1e-12 * solution.scale, 2 * solution.error_bound) / solution.kind.payoffs.width] = 0.0
    return loss


def _mistake(solution: Solution[Any], index: int, action: int, loss: F64, visits: F64) -> Mistake:
    game, rules = solution.game, solution.rules
    state = game.module.State(*solution.optimal_play.states.fields(index))
    return Mistake(
        game.write(rules, state),
        "random" if action == UNIFORM else game.label(rules, state, action),
        game.label(rules, state, int(solution.optimal_play.choices[index])),
        float(loss[index]),
        float(visits[index]),
    )


def _count_choices(rules: Rules, states: StateIndex, counts: I32) -> None:
    """Count the actions that a player can choose in every state."""
    for index, handle in members(states.keys):
        count = 0
        for action in legal(rules, state_at(states, handle)):
            if action != CHANCE:
                count += 1
        counts[index] = count


def fill_losses(rules: Rules, seats: int, states: StateIndex, values: F64, actions: I16, loss: F64) -> None:
    """Fill in the loss of each state's action: the state's value less the action's expected value.

    In a single-player game the immediate reward is part of the action's value.
    """
    for index, handle in members(states.keys):
        state = state_at(states, handle)
        value = 0.0
        for action, probability, after, passes in policy_outcomes(rules, state, actions[index]):
            gain = reward(rules, state, action, after)
            value += probability * (gain + successor_value(rules, states, values, after, passes if seats == 2 else 0))
        loss[index] = values[index] - value
