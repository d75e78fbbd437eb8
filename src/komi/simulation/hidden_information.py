"""Properties of games with hidden information that predict whether search on drawn states does well, from random play.

J. R. Long, N. R. Sturtevant, M. Buro, T. Furtak, "Understanding the success of perfect information Monte Carlo
sampling in game tree search", AAAI 2010. Such search does well where leaf correlation is high, bias is far from an
equal share, or disambiguation is not low. They define the properties on trees; for any game they are estimated here
as follows:

- leaf correlation: the probability that two different actions at the last choice of a game have the same result for the
  player who chooses. Play after them is random.
- bias: of the pairs with the same result, the mean share of each seat.
- disambiguation: the probability that a state which the player to move cannot tell from the true one, but is not it, is
  ruled out when the player next moves: what it then observes cannot follow from that state by the same open choices.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import inf, sqrt
from random import Random
from typing import Any, NamedTuple

import numpy as np

from komi.arrays import F64
from komi.game import CHANCE
from komi.rules.game import Game
from komi.rules.information_sets import information_sets
from komi.simulation.result import Estimate
from komi.typing import Rules, State

GAMES = 500
MAX_PLIES = 10_000  # of a game
MAX_WORLDS = 300  # that a drawn state can lead to; otherwise it is left out
TOLERANCE = 1e-9  # of equal results


@dataclass(frozen=True)
class HiddenInformation:
    """Properties of a game with hidden information.

    Attributes:
        leaf_correlation: the probability that two actions at the last choice have the same result; None if no game has
            a choice.
        bias: the mean share of each seat in pairs with the same result; empty if there are none.
        disambiguation: the probability that a state that is not the true one is ruled out by the next move; None if
            no player moves again, or nothing is hidden where one does.
    """

    leaf_correlation: Estimate | None
    bias: tuple[Estimate, ...]
    disambiguation: Estimate | None


class _Ply(NamedTuple):
    state: State
    seat: int
    actions: list[int]  # the legal ones; [CHANCE] where chance moves
    action: int
    passes: int


def measure_hidden_information(game: Game, rules: Rules, games: int = GAMES, seed: int = 0) -> HiddenInformation:
    """Estimate the properties from random games, with interpreted rules.

    Raises:
        SolveError: if what is hidden cannot be drawn.
    """
    sampler = _Sampler(game.under(rules), rules, Random(seed))
    same: list[list[float]] = []
    shares: list[list[float]] = []
    ruled_out: list[list[float]] = []
    for _ in range(games):
        plies = sampler.play(game.part("start")(rules), 0)
        pair = sampler.sibling_results(plies)
        if pair is not None:
            is_same = max(abs(one - other) for one, other in zip(*pair, strict=True)) < TOLERANCE
            same.append([is_same, 1.0])
            shares += [pair[0]] if is_same else []
        drawn = list(sampler.redrawn(plies))
        ruled_out.append([float(sum(drawn)), float(len(drawn))])
    bias = tuple(_ratio(np.array([[share, 1.0] for share in column])) for column in zip(*shares, strict=True))
    return HiddenInformation(
        _ratio(np.array(same)) if same else None,
        tuple(each for each in bias if each is not None),
        _ratio(np.array(ruled_out)),
    )


def _ratio(sums: F64) -> Estimate | None:
    """Estimate the ratio of two sums over games, with its standard error; None if the second is 0."""
    number, (above, below) = len(sums), sums.sum(axis=0)
    if below == 0.0:
        return None
    residuals = sums[:, 0] - above / below * sums[:, 1]
    stderr = sqrt(float(residuals @ residuals) * number / (number - 1)) / below if number > 1 else inf
    return Estimate(float(above / below), float(stderr))


class _Sampler:
    """Random play of one game."""

    def __init__(self, game: Game, rules: Rules, generator: Random) -> None:
        self._game, self._rules, self._random = game, rules, generator
        self._players = game.players(rules)
        self._sets = {} if game.has("deal") else information_sets(game, rules)

    def play(self, state: State, seat: int) -> list[_Ply]:
        """Play at random to the end; the last ply has no actions."""
        plies = []
        for _ in range(MAX_PLIES):
            if self._game.part("over")(self._rules, state):
                break
            actions = [int(action) for action in self._game.part("legal")(self._rules, state)]
            action = self._random.choice(actions)
            after, passes = self._sampled(state, action)
            plies.append(_Ply(state, seat, actions, action, passes))
            state, seat = after, (seat + passes) % self._players
        return [*plies, _Ply(state, seat, [], CHANCE, 0)]

    def sibling_results(self, plies: list[_Ply]) -> tuple[list[float], list[float]] | None:
        """Return the share of each seat after two different actions at the last choice; None without a choice."""
        choices = [ply for ply in plies if len(ply.actions) > 1]
        if not choices or not self._game.part("over")(self._rules, plies[-1].state):
            return None
        one, other = (self._result(choices[-1], action) for action in self._random.sample(choices[-1].actions, 2))
        return one, other

    def redrawn(self, plies: list[_Ply]) -> Iterator[bool]:
        """Yield for each choice, and a state drawn for it, whether it is ruled out when the player moves again."""
        for number, ply in enumerate(plies):
            later = range(number + 1, len(plies))
            again = [at for at in later if plies[at].seat == ply.seat and _is_choice(plies[at])]
            if not _is_choice(ply) or not again:
                continue
            drawn = self._drawn(self._game.part("view")(self._rules, ply.state))
            if drawn != ply.state:
                worlds = self._followed({drawn}, plies[number : again[0]])
                seen = self._game.part("view")(self._rules, plies[again[0]].state)
                if worlds is not None:
                    yield not any(self._is_seen(world, seen) for world in worlds)

    def _is_seen(self, world: State, seen: State) -> bool:
        return not self._game.part("over")(self._rules, world) and self._game.part("view")(self._rules, world) == seen

    def _followed(self, worlds: set[State], plies: list[_Ply]) -> set[State] | None:
        """Return the states to which the same open choices can lead, and any others; None if they are too many."""
        for number, ply in enumerate(plies):
            is_known = number == 0 or ply.actions == [CHANCE] or self._is_open(ply.state, ply.action)
            after = set()
            for world in worlds:
                if self._game.part("over")(self._rules, world):
                    continue
                actions = list(self._game.part("legal")(self._rules, world))
                if (actions == [CHANCE]) != (ply.actions == [CHANCE]):
                    continue
                if is_known:
                    actions = [action for action in actions if action == ply.action]
                else:
                    actions = [action for action in actions if not self._is_open(world, action)]
                for action in actions:
                    after |= {
                        successor
                        for probability, successor, passes in self._game.outcomes(self._rules, world, action)
                        if probability > 0.0 and passes == ply.passes
                    }
            if len(after) > MAX_WORLDS:
                return None
            worlds = after
        return worlds

    def _is_open(self, state: State, action: int) -> bool:
        return self._game.is_open(self._rules, state, action)

    def _result(self, ply: _Ply, action: int) -> list[float]:
        after, passes = self._sampled(ply.state, action)
        last = self.play(after, (ply.seat + passes) % self._players)[-1]
        shares = self._game.shares(self._rules, last.state)
        return [float(shares[(seat - last.seat) % self._players]) for seat in range(self._players)]

    def _sampled(self, state: State, action: int) -> tuple[Any, int]:
        if self._game.has("sample"):
            _, after, passes = self._game.part("sample")(self._rules, state, action, self._random.random())
            return after, int(passes)
        outcomes = list(self._game.outcomes(self._rules, state, action))
        [(_, after, passes)] = self._random.choices(outcomes, [outcome[0] for outcome in outcomes])
        return after, int(passes)

    def _drawn(self, observation: State) -> Any:
        if self._game.has("deal"):
            numbers = [self._random.random() for _ in range(self._game.deal_uniforms)]
            return self._game.part("deal")(self._rules, observation, *numbers)
        states = self._sets[observation]
        return self._random.choices(list(states), list(states.values()))[0]


def _is_choice(ply: _Ply) -> bool:
    return bool(ply.actions) and ply.actions != [CHANCE]
