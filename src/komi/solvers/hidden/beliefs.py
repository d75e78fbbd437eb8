"""The belief process of a player who does not see everything: a Markov decision process whose states are beliefs.

A belief b is the distribution over the states that fit all that the player has seen and done. After an action a chance
moves until the player chooses again, and sees o, the `view` of the state:

    b'(s') = sum over s of b(s) P(s' | s, a) / P(o | b, a)   for the states s' with the view o,

where P(o | b, a) is the sum of b(s) P(s' | s, a) over these s'. What a policy gains depends on all that was seen and
done through the belief alone (K. J. Astrom, "Optimal control of Markov processes with incomplete state information",
Journal of Mathematical Analysis and Applications 10, 1965; L. P. Kaelbling, M. L. Littman and A. R. Cassandra,
"Planning and acting in partially observable stochastic domains", Artificial Intelligence 101, 1998).

Beliefs are compared exactly, with the fractions of `clouds`.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from math import gcd, lcm
from typing import NamedTuple

from komi.errors import TooLargeError
from komi.game import CHANCE
from komi.progress import Progress
from komi.rules.game import Game
from komi.solvers.hidden.clouds import ZERO, Cloud, CloudSteps
from komi.solvers.hidden.recall import imperfect_recall
from komi.typing import Rules, State

OVER = -1


class Belief(NamedTuple):
    """What the player knows where it chooses.

    Attributes:
        observation: what it sees.
        weights: the possible states, sorted, each with its probability as a whole number; these have no common factor.
        actions: the legal actions.
        before: the number of a belief and an action that lead here; (-1, CHANCE) at the start.
    """

    observation: State
    weights: tuple[tuple[State, int], ...]
    actions: tuple[int, ...]
    before: tuple[int, int]


class BeliefOutcome(NamedTuple):
    """What can follow an action.

    Attributes:
        probability: its probability.
        target: the number of the next belief; OVER if the game ends.
        reward: the expected reward on the way.
        payoff: the expected payoff if the game ends.
    """

    probability: Fraction
    target: int
    reward: Fraction
    payoff: Fraction = ZERO


@dataclass(frozen=True)
class BeliefProcess:
    """All beliefs that the player can come to.

    Attributes:
        first: the outcomes of what chance does before the first choice.
        beliefs: the beliefs.
        outcomes: those of each action of each belief.
        number_of: the number of the belief of each observation.
    """

    first: list[BeliefOutcome] = field(default_factory=list)
    beliefs: list[Belief] = field(default_factory=list)
    outcomes: list[list[list[BeliefOutcome]]] = field(default_factory=list)
    number_of: dict[State, int] = field(default_factory=dict)


def list_beliefs(game: Game, rules: Rules, start: State, progress: Progress) -> BeliefProcess:
    """List all beliefs, with interpreted rules.

    Raises:
        GameError: if the rules are broken, or states with the same view have different legal actions.
        SolveError: if there are too many, or the view does not determine the belief.
    """
    return _BeliefListing(game, rules).run(start, progress)


class _BeliefListing:
    """The belief process so far."""

    def __init__(self, game: Game, rules: Rules) -> None:
        self._steps, self._found = CloudSteps(game, rules), BeliefProcess()

    def run(self, start: State, progress: Progress) -> BeliefProcess:
        """List all beliefs that follow from the initial state."""
        found = self._found
        found.first.extend(self._outcomes({start: (Fraction(1), ZERO)}, (-1, CHANCE)))
        for number, belief in enumerate(found.beliefs):  # grows
            progress("listing beliefs", number, 0)
            total = sum(weight for _, weight in belief.weights)
            cloud: Cloud = {state: (Fraction(weight, total), ZERO) for state, weight in belief.weights}
            found.outcomes.append(
                [self._outcomes(self._steps.step(cloud, each), (number, each)) for each in belief.actions]
            )
        return found

    def _outcomes(self, cloud: Cloud, before: tuple[int, int]) -> list[BeliefOutcome]:
        """Return what the player sees next, after all that chance does."""
        seen, ends = self._steps.see(cloud)
        outcomes = []
        for view, group in seen.items():
            probability, reward = _means(group.values())
            outcomes.append(BeliefOutcome(probability, self._number(view, group, before), reward))
        if ends:
            probability, reward, payoff = _means(ends)
            outcomes.append(BeliefOutcome(probability, OVER, reward, payoff))
        return outcomes

    def _number(self, view: State, group: Cloud, before: tuple[int, int]) -> int:
        """Return the number of the belief that the player has when it sees this.

        Raises:
            GameError: if possible states have different legal actions.
            TooLargeError: if another belief has this view, which keeps less than the player needs.
        """
        found, unit = self._found, lcm(*(weight.denominator for weight, _ in group.values()))
        whole = {state: int(weight * unit) for state, (weight, _) in group.items()}
        factor = gcd(*whole.values())
        weights = tuple((state, whole[state] // factor) for state in sorted(whole))
        *_, actions = (self._steps.actions(state, view) for state in whole)
        number = found.number_of.setdefault(view, len(found.beliefs))
        if number == len(found.beliefs):
            found.beliefs.append(Belief(view, weights, actions, before))
        elif found.beliefs[number].weights != weights:
            ways = self._decisions(found.beliefs[number].before), self._decisions(before)
            raise TooLargeError(imperfect_recall(self._steps.interpreter, view, *ways))
        return number

    def _decisions(self, before: tuple[int, int]) -> list[tuple[State, int]]:
        """Return the observations and actions on a way that ends with this belief and action."""
        decisions = []
        while before[0] >= 0:
            belief = self._found.beliefs[before[0]]
            decisions.append((belief.observation, before[1]))
            before = belief.before
        return decisions[::-1]


def _means(rows: Iterable[tuple[Fraction, ...]]) -> tuple[Fraction, ...]:
    """Return the sum of the first numbers, which are weights, and those of the others divided by it."""
    total, *others = (sum(column, ZERO) for column in zip(*rows, strict=True))
    return total, *(each / total for each in others)
