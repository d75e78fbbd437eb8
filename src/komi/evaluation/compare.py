"""`komi.compare`: the agreement of two policies, and the loss of one of them in each state against optimal play."""

from typing import Any

import numpy as np

from komi.arrays import F64
from komi.bellman import ActionCode
from komi.errors import InputError
from komi.evaluation.hidden import HiddenEvaluator
from komi.evaluation.losses import Agreement, Mistake, action_losses, count_choices, weighted_mean
from komi.evaluation.requirements import check_perfect_information
from komi.evaluation.visits import count_visits
from komi.graph.observations import observations
from komi.policies.named import PolicyLike, as_policy
from komi.policies.policy import Policy
from komi.policies.tabulate import action_probabilities, tabulate
from komi.progress import Progress, silent
from komi.rules import catalog
from komi.solvers.solution import Solution
from komi.solvers.solve import solve_all_states
from komi.typing import GameLike


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
    solution = solve_all_states(game, progress=progress, **rules)  # type: ignore[arg-type]  # the rules are named by the game
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
    if solution.kind.is_concealed:
        if solution.kind.seats == 1:
            return _compare_alone(solution, a, b, most, progress)
        return HiddenEvaluator(solution, progress).compare(a, b, most)
    check_perfect_information(solution.kind)
    states = solution.optimal_play.states
    actions, others = (tabulate(policy, solution.compiled, solution.rules, states) for policy in (a, b))
    choices = count_choices(solution.compiled, solution.rules, states)
    is_decision = choices > 1
    is_random = (actions == ActionCode.UNIFORM) | (others == ActionCode.UNIFORM)
    agreeing = np.where(is_random, 1.0 / np.maximum(choices, 1), actions == others)
    visits = _visits(solution, a, b, progress)
    loss = solution.kind.payoffs.width * action_losses(solution, actions) * (visits > 0.0) * is_decision
    worst = np.argsort(-loss * visits, kind="stable")[:most]
    return Agreement(
        all_states=weighted_mean(agreeing[is_decision], np.ones(np.count_nonzero(is_decision))),
        real_states=weighted_mean(agreeing[is_decision], visits[is_decision]),
        states=int(np.count_nonzero(is_decision)),
        decisions=float(visits[is_decision].sum()),
        loss=float(loss @ visits),
        mistakes=[_mistake(solution, int(i), int(actions[i]), loss, visits) for i in worst if loss[i] > 0.0],
    )


def _compare_alone(solution: Solution[Any], a: Policy, b: Policy, most: int, progress: Progress) -> Agreement:
    """Compare two policies of one player who does not see everything, in its information sets."""
    compiled, rules, game, data = solution.compiled, solution.rules, solution.game, solution.data
    kind, states = solution.kind, data.states
    choosing = np.flatnonzero(count_choices(compiled, rules, states) > 1)
    ours, theirs = (
        action_probabilities(each, compiled, rules, states, data.mixes.shape[1])[choosing] for each in (a, b)
    )
    seen = observations(compiled, rules, states)[choosing]
    sets, first, number = np.unique(seen, axis=0, return_index=True, return_inverse=True)
    visits = np.bincount(number.ravel(), _visits(solution, a, b, progress)[choosing], len(sets)).astype(np.float64)
    sign = -1.0 if kind.aim == "least" else 1.0
    losses = sign * (data.values[choosing, None] - data.action_values[choosing])[first]
    losses[losses < max(1e-12 * solution.scale, 2 * solution.error_bound)] = 0.0
    agreeing, times = (ours * theirs)[first].sum(axis=1), ours[first] * visits[:, None]
    worst = np.argsort(-(losses * times).ravel(), kind="stable")[:most]
    mistakes = []
    for index, rank in zip(*np.unravel_index(worst, losses.shape), strict=True):
        if losses[index, rank] * times[index, rank] > 0.0:
            state = game.module.State(*sets[index].tolist())
            labels = list(game.labels(rules, game.module.State(*states.fields(int(choosing[first[index]])))))
            best = labels[int(data.mixes[choosing[first[index]]].argmax())]
            lost, count = float(losses[index, rank]), float(times[index, rank])
            mistakes.append(Mistake(game.write(rules, state), labels[rank], best, lost, count))
    return Agreement(
        all_states=weighted_mean(agreeing, np.ones(len(sets))),
        real_states=weighted_mean(agreeing, visits),
        states=len(sets),
        decisions=float(visits.sum()),
        loss=float((losses * times).sum()),
        mistakes=mistakes,
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


def _mistake(solution: Solution[Any], index: int, action: int, loss: F64, visits: F64) -> Mistake:
    game, rules = solution.game, solution.rules
    state = game.module.State(*solution.optimal_play.states.fields(index))
    return Mistake(
        game.write(rules, state),
        "random" if action == ActionCode.UNIFORM else game.label(rules, state, action),
        game.label(rules, state, int(solution.optimal_play.choices[index])),
        float(loss[index]),
        float(visits[index]),
    )
