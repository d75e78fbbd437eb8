"""The exact price of a restriction of one seat, and chains of best responses.

*Restricted play* (A. Jaffe, A. Miller, E. Andersen, Y.-E. Liu, A. Karlin and Z. Popovic, Evaluating Competitive Game
Balance with Restricted Play, AIIDE 2012): one seat is forbidden an action, or bound to a policy, and both players are
optimal otherwise; the price is the chance of winning that the seat loses by it. A forbidden action stays legal where
it is the only one.

*Strategy chains* (W. J. Kavanagh, A. Miller, G. Norman and O. Andrei, Balancing Turn-Based Games with Chained Strategy
Generation, IEEE Transactions on Games 13(2), 2021): the best response to a policy, the best response to that, and so
on, until a policy cannot be beaten, or one returns.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from komi.arrays import I16
from komi.bellman import ActionCode
from komi.errors import InputError
from komi.evaluation.audit import audit_restriction, policy_shares
from komi.evaluation.policy_evaluator import PolicyEvaluator
from komi.evaluation.requirements import check_two_player
from komi.evaluation.strength_evaluator import StrengthEvaluator
from komi.graph.expanded_rules import GraphKernels
from komi.graph.lookup import StateIndex, members, state_at
from komi.measures.bounded import Bounded
from komi.policies.policy import Policy
from komi.progress import Progress, silent
from komi.proof.audit import ListedPlay, Shares
from komi.rules.interface import legal
from komi.solvers.solution import Solution
from komi.typing import Rules

MAX_LINKS = 50  # of a chain: a longer one is given up


@dataclass(frozen=True)
class Restriction:
    """The price of a restriction.

    Attributes:
        name: the restriction: "without roll", or the name of a policy.
        first: the chance of winning that the first player loses by it.
        second: the chance that the second player loses if it alone is restricted.
    """

    name: str
    first: Bounded
    second: Bounded


@dataclass(frozen=True)
class StrategyChain:
    """A chain of best responses.

    Attributes:
        policy: the name of the policy that it begins with.
        win_rates: how often each best response wins against the policy before it, averaged over both seats.
        ending: "optimal" if the last policy cannot be beaten, "cycle" if it has occurred before, or "unfinished".
        error_bound: the error bound of the win rates.
    """

    policy: str
    win_rates: tuple[float, ...]
    ending: str
    error_bound: float


def forbid(solution: Solution[Any], label: str, progress: Progress = silent) -> Restriction:
    """Compute the price of forbidding one player an action.

    Raises:
        InputError: if there is no such action.
        SolveError: if the game is not for two players, or play may never end without the action.
    """
    check_two_player(solution.kind)
    labels = getattr(solution.game.module, "actions", ())
    if label not in labels:
        listed = ", ".join(labels) or "none with a name that is the same in all states"
        raise InputError(f"{solution.game.name} has no action {label!r}: there are {listed}.")
    evaluator = PolicyEvaluator.of(solution, progress)
    actions = evaluator.free()
    GraphKernels(solution.compiled)[exclude](solution.rules, evaluator.states, labels.index(label), actions)
    forbidden = labels.index(label)

    def allowed(play: ListedPlay) -> Shares:
        numbers = np.diff(play.ends, prepend=0)
        is_forbidden = play.actions == forbidden
        others = np.add.reduceat(~is_forbidden, play.ends - numbers)
        mask: Shares = ~is_forbidden | np.repeat(others == 0, numbers)
        return mask

    return _price(solution, evaluator, f"without {label}", actions, allowed)


def bind(solution: Solution[Any], policy: Policy, progress: Progress = silent) -> Restriction:
    """Compute the price of binding one player to a policy that the opponent knows.

    Raises:
        SolveError: if the game is not for two players, or play may never end with the policy.
    """
    check_two_player(solution.kind)
    evaluator = PolicyEvaluator.of(solution, progress)
    shares = partial(policy_shares, solution, policy)
    return _price(solution, evaluator, policy.name, evaluator.tabulate(policy), shares)


def _price(
    solution: Solution[Any],
    evaluator: PolicyEvaluator,
    name: str,
    actions: I16,
    restricted: Callable[[ListedPlay], Shares],
) -> Restriction:
    """Compute the price of a restriction, and audit it.

    Args:
        solution, evaluator: the game.
        name: the restriction.
        actions: int16[states], the restriction of each state.
        restricted: returns the shares or the choices of an audit under the restriction.
    """
    values, bounds, *_ = evaluator.evaluate([actions, evaluator.free()], measures=0)
    row, error = 2 * evaluator.start, float(bounds.max()) + solution.error_bound
    optimal = float(solution.expected_value())
    second = float(values[row + 1])  # what the opponent wins moving first
    audit_restriction(solution, restricted, (float(values[row]), second), float(bounds.max()))
    return Restriction(name, Bounded(optimal - float(values[row]), error), Bounded(second - optimal, error))


def exclude(rules: Rules, states: StateIndex, forbidden: int, actions: I16) -> None:
    """Forbid the player an action where it has another one, in int16[states], which is FREE before."""
    for index, handle in members(states.keys):
        others, is_legal = 0, False
        for action in legal(rules, state_at(states, handle)):
            if action == forbidden:
                is_legal = True
            else:
                others += 1
        if is_legal and others:
            actions[index] = ActionCode.EXCEPT - forbidden


def chain_responses(solution: Solution[Any], policy: Policy, progress: Progress = silent) -> StrategyChain:
    """Follow the chain of best responses from a policy.

    Raises:
        SolveError: if the game is not for two players, or play may never end with a policy of the chain.
    """
    check_two_player(solution.kind)
    evaluator = StrengthEvaluator(solution, progress)
    rates: list[float] = []
    seen: list[I16] = []
    current, bound = policy, 0.0
    for link in range(MAX_LINKS):
        progress("following the chain", link, MAX_LINKS)
        response = evaluator.best_response(current)
        bound = max(bound, response.error_bound)
        if response.exploitability <= response.error_bound:
            return StrategyChain(policy.name, tuple(rates), "optimal", bound)
        rates.append(response.average)
        current = response.policy
        if _occurs(current.actions, seen):
            return StrategyChain(policy.name, tuple(rates), "cycle", bound)
        seen.append(current.actions)
    return StrategyChain(policy.name, tuple(rates), "unfinished", bound)


def _occurs(actions: I16, seen: Sequence[I16]) -> bool:
    return any(np.array_equal(actions, before) for before in seen)
