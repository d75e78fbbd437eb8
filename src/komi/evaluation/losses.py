"""What a policy gives away in each state, measured against optimal play."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from komi.compile.bits import members
from komi.compile.rulebook import legal, outcomes, unpack
from komi.evaluation.visits import count_visits
from komi.methods.answer import Answer
from komi.methods.backup.rows import UNIFORM
from komi.methods.race.outcome import worth_of
from komi.policies.policy import Policy
from komi.policies.tabulate import tabulate
from komi.progress import Progress, silent


@dataclass(frozen=True)
class Mistake:
    """A state in which a policy gives something away.

    Attributes:
        state: the state, as text.
        action: what the policy does there.
        best: what it should do.
        loss: probability of winning that it gives away there.
        visits: how often the policy has to decide there, in a game from either seat on average.
    """

    state: str
    action: str
    best: str
    loss: float
    visits: float


@dataclass(frozen=True)
class Agreement:
    """How far two policies decide alike.

    Attributes:
        all_states: share of the states that play can reach.
        real_states: share of the decisions that the first policy has to make in games against the second.
        mistakes: where the first policy gives away most in such games, worst first.
    """

    all_states: float
    real_states: float
    mistakes: list[Mistake]


def agreement(solution: Answer[Any], a: Policy, b: Policy, most: int = 10, progress: Progress = silent) -> Agreement:
    """Where policy A decides as policy B does, and where it gives away most in games against B, from either seat.

    States with only one legal action count as alike.
    """
    states = solution.values.states
    one, other = (tabulate(policy, solution.compiled, solution.rules, states) for policy in (a, b))
    alike = one == other
    visits = (count_visits(solution, a, b, progress).visits[0] + count_visits(solution, b, a, progress).visits[1]) / 2
    given_away = losses(solution, one)
    worst = np.argsort(-given_away * visits, kind="stable")[:most]
    mistakes = [_mistake(solution, int(i), int(one[i]), given_away, visits) for i in worst if given_away[i] > 0.0]
    return Agreement(float(alike.mean()), float(visits[alike].sum() / visits.sum()), mistakes)


def losses(solution: Answer[Any], actions: NDArray[np.int16]) -> NDArray[np.float64]:
    """float64[states], what each action gives away of the probability of winning; rounding counts as nothing."""
    states, values = solution.values.states, solution.values.values
    lost = np.empty(states.size)
    kernel = solution.compiled.kernels[lose]
    kernel(solution.rules, states.layout, states.bits, states.ranks, values, actions, lost)
    lost[lost < max(1e-12, 2 * solution.error_bound)] = 0.0
    return lost


def _mistake(
    solution: Answer[Any], index: int, action: int, given_away: NDArray[np.float64], visits: NDArray[np.float64]
) -> Mistake:
    game, rules = solution.game, solution.rules
    state = game.module.State(*solution.values.states.fields(index))
    return Mistake(
        game.write(rules, state),
        "random" if action == UNIFORM else game.label(rules, state, action),
        game.label(rules, state, int(solution.values.choices[index])),
        float(given_away[index]),
        float(visits[index]),
    )


def lose(rules: Any, layout: Any, bits: Any, ranks: Any, values: Any, actions: Any, lost: Any) -> None:
    """The value of every state, less what the action listed for it is worth."""
    for index, word in members(bits):
        state = unpack(layout, word)
        worth = 0.0
        count = 0
        for action in legal(rules, state):
            if actions[index] != UNIFORM and action != actions[index]:
                continue
            count += 1
            for probability, after, passes in outcomes(rules, state, action):
                worth += probability * worth_of(rules, layout, bits, ranks, values, after, passes)
        lost[index] = values[index] - worth / count
