"""How a network comes to play well: it learns the decisions that its own games come to, again and again.

A decision counts as much as it costs: the regret of each action, times how often games come there. These are the games
of optimal play at first, and then those of each network that was tried (S. Ross, G. Gordon and D. Bagnell, A Reduction
of Imitation Learning and Structured Prediction to No-Regret Online Learning, AISTATS 2011). Each network is measured
exactly in its own games, and the best one is kept.
"""

import time
from math import inf

import numpy as np
from numpy.typing import NDArray

from komi.approximating.inputs import Inputs, measure
from komi.approximating.network import Network
from komi.approximating.settling import settled
from komi.approximating.training import Decisions, minimised
from komi.errors import SolveError
from komi.progress import Progress
from komi.teaching.games import Games
from komi.teaching.sample import drawn

NOISE = 0.1  # of optimal play, so that what it avoids is met too
REST = 1e-4  # of all games that need not be followed to compare networks
STARTS = 8  # at least; the best of them to first order go on: half of so many, then half of these, until one is left
CHOOSING, DRAWING = 0.4, 0.5  # of the time for training; of that, for new ones
SETTLING = 0.3  # of all the time, if weights are of few bits
FIRST, MOST = 100_000, 800_000  # decisions to begin with, twice as many each time the half goes on, and in the end
NEAR = 0.02  # of winning: decisions with more at stake are rarely wrong, and fewer of them are looked at
STEPS_TO_BEST = 250  # towards the best actions, to begin with
FIRST_STEPS, STEPS = 500, 2000  # down what is given away, in each round, and between two looks at it
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

    def __init__(self, games: Games, inputs: Inputs, random: np.random.Generator, bits: int | None = None) -> None:
        self._games, self._inputs, self._random, self._bits = games, inputs, random, bits
        optimal = np.asarray(games.solution.values.choices)
        self._met = (games.visits(optimal, rest=REST) + games.visits(optimal, NOISE, REST)) / 2

    def best(self, hidden: int, seconds: float, progress: Progress) -> Network:
        """The best network of so many hidden units that is found in so many seconds, or little more."""
        begin = time.perf_counter()
        training = seconds if self._bits is None else (1.0 - SETTLING) * seconds
        network = self._chosen(hidden, CHOOSING * training)
        best, least = network, inf
        while True:
            measured = network.rounded(self._bits)
            loss, visits = self._measured(measured)
            if loss < least:
                best, least = measured, loss
            spent = time.perf_counter() - begin
            progress(STAGE, min(int(spent), int(seconds)), int(seconds), f"{100 * least:.3f} % given away")
            self._met = (1.0 - OF_NEW) * self._met + OF_NEW * visits
            decisions = self._decisions((self._met + visits) / 2, MOST)
            if spent >= training:
                break
            network = minimised(network, decisions, STEPS, by_cost=True, until=begin + training)
        if self._bits is None:
            return best
        rounded = settled(network, self._bits, decisions, begin + seconds - time.perf_counter()).rounded(self._bits)
        return min(best, rounded, key=lambda each: self._measured(each)[0])

    def _chosen(self, hidden: int, seconds: float) -> Network:
        """The best of many that learned the games of optimal play, chosen in rounds."""
        bent, direct, actions = self._inputs.bent, self._inputs.direct, len(self._games.regrets)
        now = time.perf_counter()
        drawing, rounds = DRAWING * seconds, STARTS.bit_length() - 1
        decisions = self._decisions(self._met, FIRST)
        networks: list[Network] = []
        while len(networks) < STARTS or time.perf_counter() < now + drawing:
            network = Network.drawn(bent, direct, hidden, actions, self._random)
            networks.append(self._trained(network, decisions, drawing / STARTS, begins=True))
        kept, most = STARTS // 2, 2 * FIRST
        while True:
            networks = sorted(networks, key=decisions.loss)[:kept]
            decisions = self._decisions(self._met, most)
            share = (seconds - drawing) / rounds / len(networks)
            networks = [self._trained(each, decisions, share, begins=False) for each in networks]
            if len(networks) == 1:
                return networks[0]
            kept, most = kept // 2, 2 * most

    @staticmethod
    def _trained(network: Network, decisions: Decisions, seconds: float, begins: bool) -> Network:
        """It after so many seconds at most, half of them towards the best actions if it only begins."""
        now = time.perf_counter()
        if begins:
            network = minimised(network, decisions, STEPS_TO_BEST, by_cost=False, until=now + seconds / 2)
        return minimised(network, decisions, FIRST_STEPS, by_cost=True, until=now + seconds)

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
        stakes = games.regrets.max(axis=0)
        looks = visits * stakes / (1.0 + stakes / NEAR)
        looks[games.choices < 2] = 0.0
        indices, counts = drawn(looks, most, self._random)
        costs = (games.regrets[:, indices] * (visits[indices] * counts)).T
        return Decisions(measure(self._inputs, games.solution.values.states, indices), costs.astype(np.float32))
