"""Training of networks by imitation with costs: each network learns from the decisions that its own games reach.

A decision has the weight of its costs: the regret of each action, times how often games reach the state. At first
these are the games of optimal play, then also those of each network that was tried (S. Ross, G. Gordon and D. Bagnell,
A Reduction of Imitation Learning and Structured Prediction to No-Regret Online Learning, AISTATS 2011). Each network is
evaluated exactly in its own games, and the best one is kept.
"""

import time
from math import inf

import numpy as np
from numpy.typing import NDArray

from komi.approximating.grow_and_prune import improved
from komi.approximating.network import Network
from komi.approximating.network_inputs import NetworkInputs, measure
from komi.approximating.network_loss import decided
from komi.approximating.optimizer import TrainingDecisions, minimised
from komi.approximating.quantization import settled
from komi.errors import SolveError
from komi.progress import Progress
from komi.teaching.decision_sample import sample_by_stakes
from komi.teaching.loss_evaluation import LossEvaluator

EXPLORATION_RATE = 0.1  # of optimal play, to visit states that it avoids
TRUNCATION = 1e-4  # share of all games that is cut off when networks are compared
STARTS = 8  # initial networks; the better half of them is kept after each round, until one is left
CHOOSING = 0.5  # share of the training time
ROUNDS = 24  # of training and evaluating the last network
SETTLING = 0.3  # share of all the time that quantization takes
FIRST, MOST = 30_000, 3_000_000  # numbers of sampled decisions, at first and at most
NEAR = 0.02  # winning probability: decisions with more at stake are rarely wrong, and are sampled less
STEPS_TO_BEST, FIRST_STEPS = 200, 400  # of the first training: towards the best actions, then on the loss
OF_NEW, OF_OWN = 0.4, 0.75  # shares of the training games: of each new network, and of the best one
STAGE = "training networks"


class TrainingBudget:
    """The time budget of the training, and the least loss so far, for progress reports.

    Args:
        seconds: the time budget.
        progress: the callback for progress reports.
    """

    def __init__(self, seconds: float, progress: Progress) -> None:
        self._begin, self._seconds, self._progress = time.perf_counter(), seconds, progress
        self.least = inf  # the least loss of a network

    def at(self, part: float) -> float:
        """Return the time at which a share of the budget is spent, by the clock `time.perf_counter`."""
        return self._begin + part * self._seconds

    def tell(self) -> float:
        """Report the progress; return the share of the budget that is spent."""
        spent = time.perf_counter() - self._begin
        note = "" if self.least == inf else f"{100 * self.least:.3f} % given away"
        self._progress(STAGE, min(int(spent), int(self._seconds)), int(self._seconds), note)
        return spent / self._seconds


class NetworkTrainer:
    """The training of networks.

    Args:
        games: the games of learners against optimal play.
        inputs: the inputs of the networks.
        random: the random number generator.
        bits: the bits of each weight; None for single precision.
    """

    def __init__(
        self, evaluator: LossEvaluator, inputs: NetworkInputs, random: np.random.Generator, bits: int | None = None
    ) -> None:
        self._evaluator, self._inputs, self._random, self._bits = evaluator, inputs, random, bits
        self._choices = np.flatnonzero(evaluator.choices > 1)
        self._seen = measure(inputs, evaluator.solution.values.states, self._choices)
        self._regrets = evaluator.regrets[:, self._choices]
        optimal = np.asarray(evaluator.solution.values.choices)
        self._met = (
            evaluator.visits(optimal, truncation=TRUNCATION) + evaluator.visits(optimal, EXPLORATION_RATE, TRUNCATION)
        ) / 2

    def best(self, hidden: int, seconds: float, progress: Progress) -> Network:
        """Train networks with a given number of hidden units for about `seconds` seconds; return the best one."""
        clock = TrainingBudget(seconds, progress)
        training = 1.0 if self._bits is None else 1.0 - SETTLING
        chosen = self._chosen(hidden, CHOOSING * training, clock)
        best, decisions = self._followed(chosen, CHOOSING * training, training, clock)
        if self._bits is None:
            return best.rounded(None)
        settling = settled(best, self._bits, decisions, clock.at(1.0), self._random)
        return min((each.rounded(self._bits) for each in (best, settling)), key=lambda each: self._measured(each)[0])

    def _chosen(self, hidden: int, end: float, clock: TrainingBudget) -> Network:
        """Train several networks in rounds of equal time; keep the better half after each round, until one is left."""
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

    def _followed(
        self, network: Network, begin: float, end: float, clock: TrainingBudget
    ) -> tuple[Network, TrainingDecisions]:
        """Improve a network in its own games; return the best one found, and decisions from its games.

        Regrets in a network's own games are valid for small changes only. After a step without improvement, the
        training switches between these regrets and those of optimal play.
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
            evaluator = (1.0 - OF_OWN) * self._met + OF_OWN * visits_of_best
            decisions = self._decisions(evaluator, MOST, own if by_own else self._regrets)
            spent = clock.tell()
            if spent >= end:
                return best, decisions
            until = clock.at(min(spent + (end - begin) / ROUNDS, end))
            network = improved(best, decisions, until, self._random)

    def _begun(self, hidden: int, decisions: TrainingDecisions, until: float) -> Network:
        """Train a new network on some decisions: first towards the best actions, then on its loss."""
        bent, direct, actions = self._inputs.bent, self._inputs.direct, len(self._evaluator.regrets)
        network = Network.random(bent, direct, hidden, actions, self._random)
        network = minimised(network, decisions, STEPS_TO_BEST, by_cost=False, until=until)
        return minimised(network, decisions, FIRST_STEPS, by_cost=True, until=until)

    def _meet(self, visits: NDArray[np.float64]) -> None:
        """Mix visit frequencies into those that the training samples decisions from."""
        self._met = (1.0 - OF_NEW) * self._met + OF_NEW * visits

    def _measured(self, network: Network) -> tuple[float, NDArray[np.int16], NDArray[np.float64]]:
        """Compute the exact loss of a network, its actions, and float64[states], how often its games visit each state.

        If its games do not end, the loss is infinite, and the visits are those of the games so far.
        """
        actions = np.zeros(len(self._met), np.int16)  # without a choice, any number denotes the legal action
        actions[self._choices] = decided(*network.layers, self._seen)
        try:
            visits = self._evaluator.visits(actions, truncation=TRUNCATION)
        except SolveError:
            return inf, actions, self._met
        return float(visits @ self._evaluator.action_regrets(actions)), actions, visits

    def _regrets_of(self, actions: NDArray[np.int16]) -> NDArray[np.float32]:
        """Compute float32[actions, choices], the regret of a single deviation from the network's own play."""
        values = self._evaluator.values(actions)
        return self._evaluator.deviation_regrets(values, self._choices).astype(np.float32)

    def _decisions(self, visits: NDArray[np.float64], most: int, regrets: NDArray[np.float32]) -> TrainingDecisions:
        """Sample decisions from visit frequencies and the regrets of the actions."""
        visits, stakes = visits[self._choices], regrets.max(axis=0)
        indices, counts = sample_by_stakes(visits * stakes / (1.0 + stakes / NEAR), most, self._random)
        costs = (regrets[:, indices] * (visits[indices] * counts)).T
        return TrainingDecisions(self._seen[indices], costs.astype(np.float32))
