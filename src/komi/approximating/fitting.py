"""How a network comes to play well: it learns the decisions that its own games come to, again and again.

A decision counts as much as it costs: the regret of each action, times how often games come there. These are the games
of optimal play at first, and then those of each network that was tried (S. Ross, G. Gordon and D. Bagnell, A Reduction
of Imitation Learning and Structured Prediction to No-Regret Online Learning, AISTATS 2011). Each network is measured
exactly in its own games, and the best one is kept.
"""

import time
from collections.abc import Callable
from math import inf

import numpy as np
from numpy.typing import NDArray

from komi.approximating.inputs import Inputs, measure
from komi.approximating.loss import decided
from komi.approximating.network import Network
from komi.approximating.reshaping import improved
from komi.approximating.settling import settled
from komi.approximating.training import Decisions, minimised
from komi.errors import SolveError
from komi.progress import Progress
from komi.teaching.games import Games
from komi.teaching.sample import drawn

NOISE = 0.1  # of optimal play, so that what it avoids is met too
REST = 1e-4  # of all games that need not be followed to compare networks
STARTS = 8  # networks to begin with; the better half goes on, and then the better half of these, until one is left
CHOOSING = 0.5  # of the time for training
ROUNDS = 16  # of training the last one, and of measuring it
SETTLING = 0.3  # of all the time, if weights are of few bits
FIRST, MOST = 30_000, 3_000_000  # decisions to begin with, and in the end
NEAR = 0.02  # of winning: decisions with more at stake are rarely wrong, and fewer of them are looked at
STEPS_TO_BEST, FIRST_STEPS = 200, 400  # towards the best actions, to begin with, and down what is given away
OF_NEW, OF_OWN = 0.4, 0.75  # of the games learned from are of each network on the way, and of the best in the end
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
        self._choices = np.flatnonzero(games.choices > 1)
        self._seen = measure(inputs, games.solution.values.states, self._choices)
        self._regrets = games.regrets[:, self._choices]
        optimal = np.asarray(games.solution.values.choices)
        self._met = (games.visits(optimal, rest=REST) + games.visits(optimal, NOISE, REST)) / 2

    def best(self, hidden: int, seconds: float, progress: Progress) -> Network:
        """The best network of so many hidden units that is found in so many seconds, or little more."""
        begin = time.perf_counter()
        training = seconds if self._bits is None else (1.0 - SETTLING) * seconds
        least = inf

        def tell() -> float:
            spent = time.perf_counter() - begin
            note = "" if least == inf else f"{100 * least:.3f} % given away"
            progress(STAGE, min(int(spent), int(seconds)), int(seconds), note)
            return spent

        best = network = self._chosen(hidden, begin, CHOOSING * training, tell)
        decisions = self._decisions(self._met, MOST, self._regrets)
        while True:
            loss, actions, visits = self._measured(network)
            if loss < least:
                best, least = network, loss
                self._met = (1.0 - OF_NEW) * self._met + OF_NEW * visits
                games = (1.0 - OF_OWN) * self._met + OF_OWN * visits
                decisions = self._decisions(games, MOST, self._regrets_of(actions))
            if tell() >= training:
                break
            until = min(time.perf_counter() + (1.0 - CHOOSING) * training / ROUNDS, begin + training)
            network = improved(best, decisions, until, self._random)
        if self._bits is None:
            return best.rounded(None)
        until = begin + seconds - time.perf_counter()
        rounded = settled(best, self._bits, decisions, until, self._random)
        return min((each.rounded(self._bits) for each in (best, rounded)), key=lambda each: self._measured(each)[0])

    def _chosen(self, hidden: int, begin: float, seconds: float, tell: Callable[[], float]) -> Network:
        """The best of some, in rounds: each is improved for as long, and the better half goes on."""
        rounds = STARTS.bit_length() - 1
        decisions = self._decisions(self._met, FIRST, self._regrets)
        networks = [self._begun(hidden, decisions, begin + seconds / rounds / 2) for _ in range(STARTS)]
        for ended in range(rounds):
            decisions = self._decisions(self._met, MOST, self._regrets)
            end = begin + seconds * (ended + 1) / rounds
            for place, network in enumerate(networks):
                now = time.perf_counter()
                until = now + (end - now) / (len(networks) - place)
                networks[place] = improved(network, decisions, until, self._random)
                tell()
            networks = sorted(networks, key=decisions.loss)[: len(networks) // 2]
            self._met = (1.0 - OF_NEW) * self._met + OF_NEW * self._measured(networks[0])[2]
        return networks[0]

    def _begun(self, hidden: int, decisions: Decisions, until: float) -> Network:
        """A network that has learned some decisions: first towards the best actions, then what it gives away."""
        bent, direct, actions = self._inputs.bent, self._inputs.direct, len(self._games.regrets)
        network = Network.drawn(bent, direct, hidden, actions, self._random)
        network = minimised(network, decisions, STEPS_TO_BEST, by_cost=False, until=until)
        return minimised(network, decisions, FIRST_STEPS, by_cost=True, until=until)

    def _measured(self, network: Network) -> tuple[float, NDArray[np.int16], NDArray[np.float64]]:
        """What it gives away, its actions, and float64[states], how often its games come to each.

        Of games without end what it gives away is infinite, and they come to the states met before.
        """
        actions = np.zeros(len(self._met), np.int16)  # where there is no choice, anything stands for the legal action
        actions[self._choices] = decided(*network.layers, self._seen)
        try:
            visits = self._games.visits(actions, rest=REST)
        except SolveError:
            return inf, actions, self._met
        return float(visits @ self._games.costs(actions)), actions, visits

    def _regrets_of(self, actions: NDArray[np.int16]) -> NDArray[np.float32]:
        """float32[actions, choices], what each action gives away once, if the network then goes on as it does."""
        values = self._games.values(actions)
        return self._games.drawbacks(values, self._choices).astype(np.float32)

    def _decisions(self, visits: NDArray[np.float64], most: int, regrets: NDArray[np.float32]) -> Decisions:
        """Decisions of games that come to the states so often, where actions give away so much."""
        visits, stakes = visits[self._choices], regrets.max(axis=0)
        indices, counts = drawn(visits * stakes / (1.0 + stakes / NEAR), most, self._random)
        costs = (regrets[:, indices] * (visits[indices] * counts)).T
        return Decisions(self._seen[indices], costs.astype(np.float32))
