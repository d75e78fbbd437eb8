"""How often play visits each state, and how many turns a game takes: forward from the start, turn by turn.

The mass of probability in each state at the beginning of a turn is carried through the turn, state after
state, until all of it has passed on or ended. A turn is a run of actions by one player.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from komi.compile.bits import members, rank
from komi.compile.rulebook import legal, outcomes, over, pack, unpack
from komi.errors import SolveError
from komi.methods.answer import Answer
from komi.methods.backup.rows import UNIFORM
from komi.policies.policy import Policy
from komi.policies.tabulate import tabulate
from komi.progress import Progress, silent

REST = 1e-12  # probability of games that are not followed to their end
MOST_TURNS = 100_000
SWEEPS = 10_000  # of all states, at most, within one turn


@dataclass(frozen=True, eq=False)
class Visits:
    """What happens in games of one policy, moving first, against another.

    Attributes:
        turns: float64[.], the probability that a game takes so many turns; index 0 is 0.
        visits: float64[2, states], how often each state occurs in a game on average, with the first player and
            with the second to move.
        rest: the probability of games longer than that, at most `REST`: no probability is further off.
    """

    turns: NDArray[np.float64]
    visits: NDArray[np.float64]
    rest: float


def count_visits(solution: Answer[Any], first: Policy, second: Policy, progress: Progress = silent) -> Visits:
    """Follow all games of two policies at once, over the states of the solution.

    Raises:
        SolveError: if they go on for too long.
    """
    states = solution.values.states
    policies = [tabulate(policy, solution.compiled, solution.rules, states) for policy in (first, second)]
    kernel = solution.compiled.kernels[carry_turn]
    now, later = np.zeros((2, states.size))
    now[states.index_of(solution.game.part("start")(solution.rules))] = 1.0
    visits = np.zeros((2, states.size))
    turns = [0.0]
    rest = 1.0
    while rest > REST:
        mover = (len(turns) - 1) % 2
        ended = sum(
            kernel(solution.rules, states.layout, states.bits, states.ranks, policies[mover], now, later, visits[mover])
            for _ in _until_empty(now)
        )
        turns.append(float(ended))
        rest = float(later.sum())
        now, later = later, now
        progress("following games", min(len(turns), MOST_TURNS), 0)
        if len(turns) > MOST_TURNS:
            raise SolveError(f"games of {first.name} against {second.name} take more than {MOST_TURNS:,} turns.")
    return Visits(np.array(turns), visits, rest)


def _until_empty(now: NDArray[np.float64]) -> Any:
    """Once more as long as a turn still goes on somewhere."""
    for _ in range(SWEEPS):
        if not now.any():
            return
        yield
    raise SolveError("a turn goes on without end.")


def carry_turn(
    rules: Any, layout: Any, bits: Any, ranks: Any, actions: Any, now: Any, later: Any, visits: Any
) -> float:
    """Carry the mass of every state on by one action, from the first state to the last.

    In most games a turn only leads to later states, so that one sweep carries all of it through.

    Returns:
        the probability of games that end here
    """
    ended = 0.0
    for index, word in members(bits):
        mass = now[index]
        if mass > 0.0:
            now[index] = 0.0
            visits[index] += mass
            state = unpack(layout, word)
            share = mass
            if actions[index] == UNIFORM:
                count = 0
                for _ in legal(rules, state):
                    count += 1
                share = mass / count
            for action in legal(rules, state):
                if actions[index] != UNIFORM and action != actions[index]:
                    continue
                for probability, after, passes in outcomes(rules, state, action):
                    if over(rules, after):
                        ended += share * probability
                    elif passes & 1:
                        later[rank(bits, ranks, pack(layout, after))] += share * probability
                    else:
                        now[rank(bits, ranks, pack(layout, after))] += share * probability
    return ended
