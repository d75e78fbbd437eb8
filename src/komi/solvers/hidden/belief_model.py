"""The states of a game for one player who does not see everything, as arrays: a partially observable decision process.

States are listed, not beliefs. The states in which the player chooses have numbers; after an action chance moves until
the player chooses again, and the game ends where the rows of transitions T_a lack weight.

n(s), a bound on the expected number of actions from state s under any policy, is any n >= 0 with

    n(s) >= 1 + sum over s' of T_a(s, s') n(s')    for all actions a:

by induction the expected number of the first k actions is at most n(s), for all k. What a policy gains is then at most
n(s) max |R|. The least n is the value of a decision process with a reward of 1 for each action. Policy iteration finds
it (M. Puterman, Markov Decision Processes, 1994, section 7.2), and a margin of 2^-20 exceeds all rounding.
"""

from contextlib import suppress
from fractions import Fraction
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from komi.arrays import F64
from komi.errors import SolveError
from komi.progress import Progress
from komi.rules.game import Game
from komi.solvers.hidden.clouds import ZERO, Cloud, CloudSteps, Ends
from komi.typing import Rules, State

ROUNDING = 2.0**-53
MAX_ENTRIES = 16_000_000  # of the transitions: actions times states times states
MAX_REWARD = 1e100  # of an action
MAX_IMPROVEMENTS = 1_000  # of the policy that plays as long as possible
MARGIN = 2.0**-20


class BeliefModel(NamedTuple):
    """A decision process whose state the player does not see.

    Attributes:
        rewards: float64[actions, states], the expected reward, with what is paid if the game ends.
        steps: float64[actions, states, states], the probability of each next state; 0 for an action that is not legal.
        groups: the states with each observation; they are disjoint.
        observations: the observations.
        legal: the actions that are legal with each observation.
        first: the observation and the weights of the states that have it, of each belief before the first choice.
        gained: the expected reward before the first choice, with what is paid if the game ends there.
        lengths: float64[states], a bound on the expected number of actions under any policy.
    """

    rewards: F64
    steps: F64
    groups: list[NDArray[np.int64]]
    observations: list[State]
    legal: list[list[int]]
    first: list[tuple[int, F64]]
    gained: float
    lengths: F64


class _Row(NamedTuple):
    """What follows an action in a state: the expected reward, and the probabilities of the next states."""

    state: int
    action: int
    reward: Fraction
    after: dict[int, Fraction]


def list_model(game: Game, rules: Rules, start: State, sign: float, progress: Progress) -> BeliefModel:
    """List the states in which the player chooses, with what follows each action.

    Args:
        game, rules, start: the game, and its initial state.
        sign: 1.0 to maximize, -1.0 to minimize.
        progress: called during long work.

    Raises:
        GameError: if the rules are broken.
        SolveError: if there are too many states, rewards are too large, or play may go on for ever.
    """
    listing = _ModelListing(game, rules)
    first, gained = listing.begin(start)
    listing.run(progress)
    listing.check_end()
    size, members = len(listing.states), dict[State, list[int]]()
    for index, view in enumerate(listing.views):
        members.setdefault(view, []).append(index)
    rewards, steps = np.zeros((listing.actions, size)), np.zeros((listing.actions, size, size))
    for index, action, reward, after in listing.rows:
        rewards[action, index] = sign * float(reward)
        steps[action, index, list(after)] = [float(each) for each in after.values()]
    groups = [np.array(group, np.int64) for group in members.values()]
    legal = [list(listing.legal(group[0])) for group in members.values()]
    weights = np.zeros(size)
    weights[list(first)] = [float(each) for each in first.values()]
    begins = [(each, weights[group]) for each, group in enumerate(groups) if weights[group].any()]
    return BeliefModel(rewards, steps, groups, [*members], legal, begins, sign * float(gained), bound_lengths(steps))


def bound_lengths(steps: F64) -> F64:
    """Bound the expected number of actions from each state under any policy.

    Args:
        steps: float64[actions, states, states], each within one rounding of a probability.

    Raises:
        SolveError: if there is no bound in floating point.
    """
    size = steps.shape[1]
    states, chosen = np.arange(size), np.zeros(size, np.int64)
    lengths: F64 = np.ones(size)
    with np.errstate(all="ignore"), suppress(np.linalg.LinAlgError):
        for _ in range(MAX_IMPROVEMENTS):
            lengths = np.asarray(np.linalg.solve(np.eye(size) - steps[chosen, states], np.ones(size)), np.float64)
            after = 1.0 + steps @ lengths
            longer = after.max(axis=0) > lengths + MARGIN / 4
            if not longer.any():
                break
            chosen = np.where(longer, after.argmax(axis=0), chosen)
        lengths = lengths * (1.0 + MARGIN)
        is_bound = lengths - (1.0 + steps @ lengths) >= 4 * (size + 4) * ROUNDING * lengths
        if is_bound.all() and (lengths >= 1.0).all():
            return lengths
    raise SolveError("a search of beliefs needs play that ends sooner: a larger chance to end after each action helps")


class _ModelListing:
    """The states so far, each with what the player sees, and what follows each action."""

    def __init__(self, game: Game, rules: Rules) -> None:
        self._game, self._rules = game, rules
        self._steps = CloudSteps(game, rules)
        self._number_of: dict[State, int] = {}
        self.states, self.views = list[State](), list[State]()
        self.rows, self.actions = list[_Row](), 1

    def begin(self, start: State) -> tuple[dict[int, Fraction], Fraction]:
        """Return the states before the first choice, and what is gained until then."""
        return self._follow({start: (Fraction(1), ZERO)})

    def run(self, progress: Progress) -> None:
        """List all states that follow."""
        for index, state in enumerate(self.states):  # grows
            progress("listing states", index, 0)
            legal = self.legal(index)
            self.actions = max(self.actions, max(legal) + 1)
            for action in legal:
                after, reward = self._follow(self._steps.step({state: (Fraction(1), ZERO)}, action))
                self.rows.append(_Row(index, action, reward, after))
            if self.actions * len(self.states) ** 2 > MAX_ENTRIES:
                raise SolveError(
                    f"a search of beliefs supports up to {MAX_ENTRIES:,} actions times states times states, and there "
                    f"are {self.actions:,} actions and more than {len(self.states) - 1:,} states: smaller rules help"
                )

    def legal(self, index: int) -> tuple[int, ...]:
        """Return the legal actions in a state."""
        return self._steps.actions(self.states[index], self.views[index])

    def check_end(self) -> None:
        """Check that play ends with certainty, whatever the player does.

        Raises:
            SolveError: if there are actions with which it never ends.
        """
        rows, going = [row for row in self.rows if sum(row.after.values()) == 1], set(range(len(self.states)))
        while going != (left := {row.state for row in rows}):
            going, rows = left, [row for row in rows if left.issuperset(row.after)]
        for row in rows:
            state = self.states[row.state]
            written = f"{self._game.label(self._rules, state, row.action)!r} in {self._game.write(self._rules, state)}"
            raise SolveError(
                f"a search of beliefs needs play that ends whatever the player does, and with {written} it can go on "
                "for ever: a 'discount' helps, or a limit on the number of actions"
            )

    def _follow(self, cloud: Cloud) -> tuple[dict[int, Fraction], Fraction]:
        """Return the states in which the player chooses next, and the expected reward on the way.

        Raises:
            SolveError: if the reward is too large.
        """
        seen, ends = self._steps.see(cloud)
        reward = _gained(seen, ends)
        if abs(reward) > MAX_REWARD:
            raise SolveError(f"a search of beliefs supports rewards of up to {MAX_REWARD:g}")
        weights = {self._number(state, view): row[0] for view, group in seen.items() for state, row in group.items()}
        return weights, reward

    def _number(self, state: State, view: State) -> int:
        number = self._number_of.setdefault(state, len(self.states))
        if number == len(self.states):
            self.states.append(state)
            self.views.append(view)
        return number


def _gained(seen: dict[State, Cloud], ends: Ends) -> Fraction:
    """Return the expected reward on the way to what the player sees next, with what is paid if the game ends."""
    rewards = (reward for group in seen.values() for _, reward in group.values())
    return sum(chain(rewards, (reward + payoff for _, reward, payoff in ends)), ZERO)
