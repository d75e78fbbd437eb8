"""Training of networks by imitation with costs: each network learns from the decisions that its own games reach.

A decision has the weight of its costs: the regret of each action, times how often games reach the state. At first
these are the games of optimal play, then also those of each network that was tried (S. Ross, G. Gordon and D. Bagnell,
A Reduction of Imitation Learning and Structured Prediction to No-Regret Online Learning, AISTATS 2011). Each network is
evaluated exactly in its own games, and the best one is kept.
"""

import time
from math import inf

import numpy as np

from komi.approximating.grow_and_prune import grow_and_prune
from komi.approximating.network import Network
from komi.approximating.network_inputs import NetworkInputs, compute_inputs
from komi.approximating.network_loss import choose_actions
from komi.approximating.optimizer import TrainingDecisions, minimize_loss
from komi.approximating.quantization import quantize
from komi.arrays import F32, F64, I16
from komi.errors import SolveError
from komi.evaluation.strength import format_loss
from komi.progress import Progress
from komi.rules.kind import Kind
from komi.teaching.decision_sample import sample_by_stakes
from komi.teaching.loss_evaluation import LossEvaluator

TRUNCATION = 1e-4  # share of all games that is cut off when networks are compared
STARTS = 8  # initial networks; the better half of them is kept after each round, until one is left
CANDIDATE_SHARE = 0.5  # share of the training time
ROUNDS = 24  # of training and evaluating the last network
QUANTIZATION_SHARE = 0.3  # share of all the time that quantization takes
FIRST_DECISIONS, MAX_DECISIONS = 30_000, 3_000_000  # sampled for the first training, and for all later ones
STAKES_SCALE = 0.02  # times the scale of losses: decisions with more at stake are rarely wrong, and are sampled less
ENTROPY_STEPS, LOSS_STEPS = 200, 400  # of the first training: on the cross-entropy, then on the loss
LATEST_WEIGHT, OWN_WEIGHT = 0.4, 0.75  # shares of the training games: of each new network, and of the best one
STAGE = "training networks"


class TrainingBudget:
    """The time budget of the training, and the least loss so far, for progress reports.

    Args:
        seconds: the time budget.
        kind: the kind of game, for the unit of losses.
        progress: the callback for progress reports.
    """

    def __init__(self, seconds: float, kind: Kind, progress: Progress) -> None:
        self._begin, self._seconds, self._kind, self._progress = time.perf_counter(), seconds, kind, progress
        self.least_loss = inf

    def time_at(self, share: float) -> float:
        """Return the time at which a share of the budget is spent, by the budget `time.perf_counter`."""
        return self._begin + share * self._seconds

    def report(self) -> float:
        """Report the progress; return the share of the budget that is spent."""
        spent = time.perf_counter() - self._begin
        loss = self._kind.payoffs.difference(self.least_loss)
        note = "" if loss == inf else f"loss {format_loss(self._kind, loss)}"
        self._progress(STAGE, min(int(spent), int(self._seconds)), int(self._seconds), note)
        return spent / self._seconds


class NetworkTrainer:
    """The training of networks.

    Args:
        evaluator: evaluates networks against optimal play.
        inputs: the inputs of the networks.
        random: the random number generator.
        bits: the bits of each weight; None for single precision.
    """

    def __init__(
        self, evaluator: LossEvaluator, inputs: NetworkInputs, random: np.random.Generator, bits: int | None = None
    ) -> None:
        self._evaluator, self._inputs, self._random, self._bits = evaluator, inputs, random, bits
        self._choices = np.flatnonzero(evaluator.choices > 1)
        self._inputs_of_choices = compute_inputs(inputs, evaluator.solution.optimal_play.states, self._choices)
        self._regrets = evaluator.regrets[:, self._choices]
        self._visits = evaluator.exploratory_visits(TRUNCATION)

    def train(self, hidden: int, seconds: float, progress: Progress) -> Network:
        """Train networks with a given number of hidden units for about `seconds` seconds; return the best one."""
        budget = TrainingBudget(seconds, self._evaluator.solution.kind, progress)
        training = 1.0 if self._bits is None else 1.0 - QUANTIZATION_SHARE
        chosen = self._train_candidates(hidden, CANDIDATE_SHARE * training, budget)
        best, decisions = self._train_in_own_games(chosen, CANDIDATE_SHARE * training, training, budget)
        if self._bits is None:
            return best.quantize(None)
        quantized = quantize(best, self._bits, decisions, budget.time_at(1.0), self._random)
        return min((each.quantize(self._bits) for each in (best, quantized)), key=lambda each: self._evaluate(each)[0])

    def _train_candidates(self, hidden: int, end: float, budget: TrainingBudget) -> Network:
        """Train several networks in rounds of equal time; keep the better half after each round, until one is left."""
        rounds = STARTS.bit_length() - 1
        decisions = self._decisions(self._visits, FIRST_DECISIONS, self._regrets)
        networks = [self._train_new(hidden, decisions, budget.time_at(end / rounds / 2)) for _ in range(STARTS)]
        for ended_rounds in range(rounds):
            decisions = self._decisions(self._visits, MAX_DECISIONS, self._regrets)
            for index, network in enumerate(networks):
                until = budget.time_at(end * (ended_rounds + (index + 1) / len(networks)) / rounds)
                networks[index] = grow_and_prune(network, decisions, until, self._random)
                budget.report()
            networks = sorted(networks, key=decisions.loss)[: len(networks) // 2]
            self._mix_visits(self._evaluate(networks[0])[2])
        return networks[0]

    def _train_in_own_games(
        self, network: Network, begin: float, end: float, budget: TrainingBudget
    ) -> tuple[Network, TrainingDecisions]:
        """Improve a network in its own games; return the best one found, and decisions from its games.

        Regrets in a network's own games are valid for small changes only. After a step without improvement, the
        training switches between these regrets and those of optimal play.
        """
        best, visits_of_best, own_regrets, is_by_own = network, self._visits, self._regrets, True
        while True:
            loss, actions, visits = self._evaluate(network)
            self._mix_visits(visits)
            if loss < budget.least_loss:
                best, budget.least_loss, visits_of_best = network, loss, visits
                own_regrets = self._regrets_of(actions)
            else:
                is_by_own = not is_by_own
            training_visits = (1.0 - OWN_WEIGHT) * self._visits + OWN_WEIGHT * visits_of_best
            decisions = self._decisions(training_visits, MAX_DECISIONS, own_regrets if is_by_own else self._regrets)
            spent = budget.report()
            if spent >= end and budget.least_loss == inf:
                name = self._evaluator.solution.game.name
                raise SolveError(f"no network was found whose games of {name} end: longer training may find one.")
            if spent >= end:
                return best, decisions
            until = budget.time_at(min(spent + (end - begin) / ROUNDS, end))
            network = grow_and_prune(best, decisions, until, self._random)

    def _train_new(self, hidden: int, decisions: TrainingDecisions, until: float) -> Network:
        """Train a new network on some decisions: first on the cross-entropy of the best actions, then on its loss."""
        inputs, actions = self._inputs, len(self._evaluator.regrets)
        network = Network.random(inputs.hidden_inputs, inputs.skip_inputs, hidden, actions, self._random)
        network = minimize_loss(network, decisions, ENTROPY_STEPS, by_cost=False, until=until)
        return minimize_loss(network, decisions, LOSS_STEPS, by_cost=True, until=until)

    def _mix_visits(self, visits: F64) -> None:
        """Mix visit frequencies into those that the training samples decisions from."""
        self._visits = (1.0 - LATEST_WEIGHT) * self._visits + LATEST_WEIGHT * visits

    def _evaluate(self, network: Network) -> tuple[float, I16, F64]:
        """Compute the exact loss of a network, its actions, and float64[states], how often its games visit each state.

        If its games do not end, the loss is infinite, and the visits are those of the games so far.
        """
        actions = np.zeros(len(self._visits), np.int16)  # without a choice, any number denotes the legal action
        actions[self._choices] = choose_actions(*network.layers, self._inputs_of_choices)
        try:
            visits = self._evaluator.visits(actions, truncation=TRUNCATION)
        except SolveError:
            return inf, actions, self._visits
        return float(visits @ self._evaluator.action_regrets(actions)), actions, visits

    def _regrets_of(self, actions: I16) -> F32:
        """Compute float32[actions, choices], the regret of a single deviation from the network's own play."""
        values = self._evaluator.values(actions)
        return self._evaluator.deviation_regrets(values, self._choices).astype(np.float32)

    def _decisions(self, visits: F64, most: int, regrets: F32) -> TrainingDecisions:
        """Sample decisions from visit frequencies and the regrets of the actions."""
        visits, stakes = visits[self._choices], regrets.max(axis=0)
        scale = STAKES_SCALE * self._evaluator.scale
        indices, counts = sample_by_stakes(visits * stakes / (1.0 + stakes / scale), most, self._random)
        costs = (regrets[:, indices] * (visits[indices] * counts)).T
        return TrainingDecisions(self._inputs_of_choices[indices], costs.astype(np.float32))
