"""Exact evaluation of a policy with a memory: the Markov chain of states and nodes of its controller.

A node of the chain is a state with the memory of the player before it sees the state. With one action in each,
V(s, m) = sum over s' of P(s' | s, a) (R + V(s', m')), where a and m' belong to the node that what is seen in s leads to
(E. A. Hansen, "Solving POMDPs by Searching in Policy Space", UAI 1998): V = g + P V.

Let x be an approximate solution with |x - g - P x| <= r, and n >= 1 + P n. Then |V - x| <= r + P |V - x|, so that
|V - x| <= r n. Both inequalities are checked in floats: with a unit u that exceeds all rounding of a row's sum,
relative to the sum of absolute terms, r includes u (|x| + |g| + P |x|), and n has a margin of 2 u n. The rules are run
by Python, and no solver of beliefs takes part.
"""

from contextlib import suppress

import numpy as np

from komi.arrays import F64
from komi.errors import AuditError, GameError, SolveError
from komi.evaluation.policy_evaluator import check_tolerance
from komi.evaluation.single_player import SinglePlayerEvaluation
from komi.game import CHANCE
from komi.policies.controller import ControllerPolicy
from komi.proof.audit import ListedPlay, list_play
from komi.solvers.hidden.belief_model import MARGIN
from komi.solvers.hidden.point_based_solver import PointBasedSolution
from komi.solvers.solution import TOLERANCE
from komi.solvers.stochastic.optimal_values import objective_of

MAX_NODES, MAX_OUTCOMES = 200_000, 2_000_000  # of the chain


def evaluate_controller(
    solution: PointBasedSolution, policy: ControllerPolicy, tolerance: float = TOLERANCE
) -> SinglePlayerEvaluation:
    """Compute the exact value of a policy with a memory in a game for one player.

    Args:
        solution: the solved game.
        policy: the policy.
        tolerance: the largest error bound to accept; relative to the value if rewards count.

    Raises:
        SolveError: if play with the policy is too large, or the value cannot be proved to the tolerance.
        GameError: if the policy does not know what the player sees, or takes an action that is not legal.
        AuditError: if the value is better than optimal, or the solution's own policy does not attain its value.
    """
    chain = _chain(solution, policy)
    outcomes = np.diff(chain.outcome_ends, prepend=0)
    payoffs = np.append(chain.payoffs[:, 0], 0.0)
    counted = (
        chain.reward + payoffs[np.where(chain.target < 0, -1 - chain.target, -1)],
        np.repeat(chain.actions != CHANCE, outcomes),
        (chain.passes > 0) & (chain.target >= 0),
    )
    (value, actions, turns), errors = _totals(chain, np.array(counted, np.float64).T)
    optimal, error_bound = float(solution.value()), float(errors[0])
    loss = objective_of(solution.kind).sign * (optimal - value)
    if (abs(loss) if policy.is_of(solution) else -loss) > error_bound + solution.error_bound:
        raise AuditError(
            f"{policy.name} play of {solution.game.name} was found to be worth {optimal:.12g}, but the policy attains "
            f"{value:.12g} by the rules as Python runs them: this is an error in komi."
        )
    check_tolerance(error_bound, tolerance * solution.scale, f"the value of {policy.name}")
    return SinglePlayerEvaluation(
        policy.name,
        solution.objective,
        float(value),
        optimal,
        float(actions),
        float(turns) + 1.0,
        error_bound,
        float(errors[1:].max()),
    )


def _totals(chain: ListedPlay, counted: F64) -> tuple[F64, F64]:
    """Compute expected totals from the first node of a chain on, and bounds on their errors.

    Args:
        chain: the chain.
        counted: float64[outcomes, totals], what each outcome adds to the totals.

    Raises:
        SolveError: if there is no proof.
    """
    from scipy.sparse import csc_array, eye_array  # type: ignore[import-untyped]  # slow to import
    from scipy.sparse.linalg import splu  # type: ignore[import-untyped]

    size, outcomes = len(chain.ends), np.diff(chain.outcome_ends, prepend=0)
    node, inner = np.repeat(np.arange(size), outcomes), chain.target >= 0
    begins, unit = chain.outcome_ends - outcomes, (2 * int(outcomes.max()) + 8) * 2.0**-52
    chance = chain.probability / np.add.reduceat(chain.probability, begins)[node]
    steps = csc_array((chance[inner], (node[inner], chain.target[inner])), (size, size))
    gains = np.column_stack([counted, np.ones(len(node))]) * chance[:, None]
    gained, absolute = (np.add.reduceat(each, begins) for each in (gains, np.abs(gains)))
    with np.errstate(all="ignore"), suppress(RuntimeError):  # of a matrix that is singular up to rounding
        found = splu(eye_array(size, format="csc") - steps).solve(gained)
        lengths = found[:, -1] * (1.0 + MARGIN)
        residual = np.abs(found - gained - steps @ found) + unit * (np.abs(found) + absolute + steps @ np.abs(found))
        if (lengths - (1.0 + steps @ lengths) >= 2 * unit * lengths).all() and (lengths >= 1.0).all():
            return found[0, :-1], residual[:, :-1].max(axis=0) * lengths[0] * (1.0 + MARGIN)
    raise SolveError("what the policy attains is not proved, because play lasts too long.")


def _chain(solution: PointBasedSolution, policy: ControllerPolicy) -> ListedPlay:
    """List the chain as play with one action in each node, the first one first.

    Raises:
        SolveError: if it is too large.
    """
    game, rules = solution.game, solution.rules
    play = list_play(game, rules, MAX_NODES, MAX_OUTCOMES)
    if play is None:
        raise _too_large(f"play of {game.name}")
    begins, first = np.concatenate([[0], play.ends]).tolist(), np.concatenate([[0], play.outcome_ends]).tolist()
    seen = [
        None
        if play.actions[begins[number]] == CHANCE
        else policy.number(game.observed(rules, game.module.State(*flat)))
        for number, flat in enumerate(play.flat_fields(game).tolist())
    ]
    nodes, entries, rows, targets, size = [(0, 0)], dict[tuple[int, int], int](), list[int](), list[int](), 0
    entries[nodes[0]] = 0
    for state, memory in nodes:  # grows
        entry = begins[state]
        if (number := seen[state]) is not None:
            memory = policy.controller.follow(memory, number)
            legal = play.actions[entry : begins[state + 1]].tolist()
            if number < 0 or (action := int(policy.controller.actions[memory])) not in legal:
                raise GameError(f"policy {policy.name} has no legal action in {play.states[state]}.")
            entry += legal.index(action)
        for target in play.target[first[entry] : first[entry + 1]].tolist():
            after = (target, memory)
            if target >= 0 and entries.setdefault(after, len(nodes)) == len(nodes):
                nodes.append(after)
            targets.append(entries[after] if target >= 0 else target)
        rows.append(entry)
        size += first[entry + 1] - first[entry]
        if len(nodes) > MAX_NODES or size > MAX_OUTCOMES:
            raise _too_large(f"play with {policy.name}, which remembers what the player has seen,")
    kept = np.concatenate([np.arange(first[entry], first[entry + 1]) for entry in rows])
    return play._replace(
        states=[play.states[state] for state, _ in nodes],
        ends=np.arange(1, len(nodes) + 1),
        actions=play.actions[rows],
        outcome_ends=np.cumsum([first[entry + 1] - first[entry] for entry in rows]),
        probability=play.probability[kept],
        reward=play.reward[kept],
        target=np.array(targets, np.int64),
        passes=play.passes[kept],
    )


def _too_large(play: str) -> SolveError:
    return SolveError(
        f"{play} has more than {MAX_NODES:,} states or {MAX_OUTCOMES:,} outcomes: 'komi simulate' measures the policy."
    )
