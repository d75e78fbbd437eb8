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
ROUNDS = 24  # of training the last one, and of measuring it
SETTLING = 0.3  # of all the time, if weights are of few bits
FIRST, MOST = 30_000, 3_000_000  # decisions to begin with, and in the end
NEAR = 0.02  # of winning: decisions with more at stake are rarely wrong, and fewer of them are looked at
STEPS_TO_BEST, FIRST_STEPS = 200, 400  # towards the best actions, to begin with, and down what is given away
OF_NEW, OF_OWN = 0.4, 0.75  # of the games learned from are of each network on the way, and of the best in the end
STAGE = "training networks"


class Clock:
    """How much of the time is spent, and what is found by then.

    Args:
        seconds: how many there are.
        progress: who is told.
    """

    def __init__(self, seconds: float, progress: Progress) -> None:
        self._begin, self._seconds, self._progress = time.perf_counter(), seconds, progress
        self.least = inf  # that a network gives away

    def at(self, part: float) -> float:
        """When so much of the time is spent, by the clock `time.perf_counter`."""
        return self._begin + part * self._seconds

    def tell(self) -> float:
        """Tell how things stand; the part of the time that is spent."""
        spent = time.perf_counter() - self._begin
        note = "" if self.least == inf else f"{100 * self.least:.3f} % given away"
        self._progress(STAGE, min(int(spent), int(self._seconds)), int(self._seconds), note)
        return spent / self._seconds


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
        clock = Clock(seconds, progress)
        training = 1.0 if self._bits is None else 1.0 - SETTLING
        chosen = self._chosen(hidden, CHOOSING * training, clock)
        best, decisions = self._followed(chosen, CHOOSING * training, training, clock)
        if self._bits is None:
            return best.rounded(None)
        settling = settled(best, self._bits, decisions, clock.at(1.0), self._random)
        return min((each.rounded(self._bits) for each in (best, settling)), key=lambda each: self._measured(each)[0])

    def _chosen(self, hidden: int, end: float, clock: Clock) -> Network:
        """The best of some, in rounds: each is improved for as long, and the better half goes on."""
        rounds = STARTS.bit_length() - 1
        decisions = self._decisions(self._met, FIRST, self._regrets)
        networks = [self._begun(hidden, decisions, clock.at(end / rounds / 2)) for _ in range(STARTS)]
        for ended in range(rounds):
            decisions = self._decisions(self._met, MOST, self._regrets)
            for place, network in enumerate(networks):
                until = clock.at(end * (ended + (place + 1) / len(networks)) / rounds)
                networks[place] = improved(network, decisions, until, self._random)
                clock.tell()
            networks = sorted(networks, key=decisions.loss)[: len(networks) // 2]
            self._meet(self._measured(networks[0])[2])
        return networks[0]

    def _followed(self, network: Network, begin: float, end: float, clock: Clock) -> tuple[Network, Decisions]:
        """The best of what comes of a network in its own games, and decisions of these.

        Regrets in its own games are right for small changes only. Where they led to nothing better, those against
        optimal play are tried, and the other way round.
        """
        best, visits_of_best, own, by_own = network, self._met, self._regrets, True
        while True:
            loss, actions, visits = self._measured(network)
            self._meet(visits)
            if loss < clock.least:
                best, clock.least, visits_of_best = network, loss, visits
                own = self._regrets_of(actions)
            else:
                by_own = not by_own
            games = (1.0 - OF_OWN) * self._met + OF_OWN * visits_of_best
            decisions = self._decisions(games, MOST, own if by_own else self._regrets)
            spent = clock.tell()
            if spent >= end:
                return best, decisions
            until = clock.at(min(spent + (end - begin) / ROUNDS, end))
            network = improved(best, decisions, until, self._random)

    def _begun(self, hidden: int, decisions: Decisions, until: float) -> Network:
        """A network that has learned some decisions: first towards the best actions, then what it gives away."""
        bent, direct, actions = self._inputs.bent, self._inputs.direct, len(self._games.regrets)
        network = Network.drawn(bent, direct, hidden, actions, self._random)
        network = minimised(network, decisions, STEPS_TO_BEST, by_cost=False, until=until)
        return minimised(network, decisions, FIRST_STEPS, by_cost=True, until=until)

    def _meet(self, visits: NDArray[np.float64]) -> None:
        """Have games come to the states so often, too."""
        self._met = (1.0 - OF_NEW) * self._met + OF_NEW * visits

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
