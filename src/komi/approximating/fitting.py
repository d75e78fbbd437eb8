"""How a network comes to play well: it learns the decisions that its own games come to, again and again.

A decision counts as much as it costs: the regret of each action, times how often games come there. These are the games
of optimal play at first, and then those of each network that was tried (S. Ross, G. Gordon and D. Bagnell, A Reduction
of Imitation Learning and Structured Prediction to No-Regret Online Learning, AISTATS 2011). Each network is measured
exactly in its own games, and the best one is kept.
"""

import time
from collections.abc import Sequence
from math import inf

import numpy as np
from numpy.typing import NDArray

from komi.approximating.inputs import Input, measure
from komi.approximating.network import Network
from komi.approximating.training import Decisions, minimised, trained
from komi.errors import SolveError
from komi.progress import Progress
from komi.teaching.games import Games
from komi.teaching.sample import drawn

NOISE = 0.1  # of optimal play, so that what it avoids is met too
REST = 1e-4  # of all games that need not be followed to compare networks
STARTS = 3  # of which the best to first order goes on
FIRST, MOST = 100_000, 150_000  # decisions to begin with, and then
STEPS = 300  # down what is given away, between two looks at it
ROUNDS_TO_BEST, ROUNDS = 12, 25  # over the decisions
RATE_TO_BEST, RATE = 0.02, 0.01
LAST_RATE = 0.001  # where weights are rounded
OF_NEW = 0.4  # of the games learned from are those of the latest network
STAGE = "training networks"


class Fitting:
    """Finds networks that play well.

    Args:
        games: of learners against optimal play.
        inputs: what a network sees.
        random: where chance comes from.
        bits: of each weight; None for single precision.
    """

    def __init__(
        self, games: Games, inputs: Sequence[Input], random: np.random.Generator, bits: int | None = None
    ) -> None:
        self._games, self._inputs, self._random, self._bits = games, inputs, random, bits
        optimal = np.asarray(games.solution.values.choices)
        self._met = (games.visits(optimal, rest=REST) + games.visits(optimal, NOISE, REST)) / 2

    def best(self, hidden: int, seconds: float, progress: Progress) -> Network:
        """The best network of so many hidden units that is found in so many seconds, or little more."""
        begin = time.perf_counter()
        network = self._begun(hidden)
        best, least = network, inf
        while True:
            loss, visits = self._measured(network)
            if loss < least:
                best, least = network, loss
            spent = time.perf_counter() - begin
            progress(STAGE, min(int(spent), int(seconds)), int(seconds), f"{100 * least:.3f} % given away")
            if spent >= seconds:
                return best
            self._met = (1.0 - OF_NEW) * self._met + OF_NEW * visits
            network = self._improved(best, self._decisions((self._met + visits) / 2, MOST))

    def _begun(self, hidden: int) -> Network:
        """The best to first order of some that were trained on the games of optimal play."""
        decisions, actions = self._decisions(self._met, FIRST), len(self._games.regrets)
        starts = []
        for _ in range(STARTS):
            drawn = Network.drawn(len(self._inputs), hidden, actions, self._random)
            begun = trained(drawn, decisions, ROUNDS_TO_BEST, RATE_TO_BEST, self._random, by_cost=False)
            starts.append(trained(begun, decisions, ROUNDS, RATE, self._random, by_cost=True, bits=self._bits))
        return min(starts, key=decisions.loss)

    def _improved(self, network: Network, decisions: Decisions) -> Network:
        """The network after training on these decisions, its weights rounded at last if they have few bits."""
        improved = minimised(network, decisions, STEPS)
        if self._bits is None:
            return improved
        return trained(improved, decisions, ROUNDS, LAST_RATE, self._random, by_cost=True, bits=self._bits)

    def _measured(self, network: Network) -> tuple[float, NDArray[np.float64]]:
        """What it gives away, and float64[states], how often its games come to each; of games without end infinity."""
        actions = network.actions(self._inputs, self._games.solution.values.states)
        try:
            visits = self._games.visits(actions, rest=REST)
        except SolveError:
            return inf, self._met
        return float(visits @ self._games.costs(actions)), visits

    def _decisions(self, visits: NDArray[np.float64], most: int) -> Decisions:
        """Decisions of games that come to the states so often."""
        games = self._games
        stakes = visits * games.regrets.max(axis=0)
        stakes[games.choices < 2] = 0.0
        indices, counts = drawn(stakes, most, self._random)
        costs = (games.regrets[:, indices] * (visits[indices] * counts)).T
        return Decisions(measure(self._inputs, games.solution.values.states, indices), costs.astype(np.float32))
