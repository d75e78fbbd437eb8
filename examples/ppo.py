"""Proximal policy optimization (PPO) in PyTorch by self-play, with the exact loss of the policy while it learns.

    python examples/ppo.py pig goal=50
    python examples/ppo.py examples/leduc_poker.py
    python examples/ppo.py pig --device gpu --games 65536

It learns any rule file for two or more players. One network plays all seats of many games at once. With `--device gpu`
games, observations, masks and rewards stay on the card, and PyTorch reads them without a copy; only measurements go
through the processor. The loss is the exact regret against optimal play: that of the most probable actions, or, where
information is hidden, that of the probabilities.

PPO: Schulman et al., "Proximal Policy Optimization Algorithms", 2017. Advantages: Schulman et al., "High-Dimensional
Continuous Control Using Generalized Advantage Estimation", ICLR 2016, here from one decision of a seat to its next one.
A bonus for entropy that falls slowly is what lets self-play approach an equilibrium: Rudolph et al., "Reevaluating
Policy Gradient Methods for Imperfect-Information Games", 2025.
"""

import argparse
import re
import time
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

import komi
import komi.gymnasium

STEPS = 64  # actions in each game between two updates
EPOCHS, BATCHES = 4, 4  # of each update
CLIP = 0.2  # largest change of a probability in an update, as a ratio
TRACE_DECAY = 0.95  # lambda of generalized advantage estimation
LEARNING_RATE = 2e-3  # falls to 0
ENTROPY = 0.05  # weight of the bonus; falls to 0
NEURONS = 128  # of each of two layers


class Checkpoint(NamedTuple):
    """A point of the learning curve."""

    steps: int
    seconds: float  # CPU time of learning, without that of the measurements
    loss: float  # exact, averaged over the seats, in the objective of the game


class Steps(NamedTuple):
    """What was seen and done, a row for each step and a column for each game."""

    observations: Tensor  # float32[steps, games, inputs]
    masks: Tensor  # int8[steps, games, actions], 1 for each legal action; none where a game begins anew
    actions: Tensor  # int64[steps, games]
    likelihoods: Tensor  # float32[steps, games], the logarithm of the probability of the action
    values: Tensor  # float32[steps, games], estimates for the mover
    seats: Tensor  # int64[steps, games], the mover
    rewards: Tensor  # float32[steps, games, seats]
    over: Tensor  # bool[steps, games], after the step


class ActorCritic(nn.Module):
    """A network that estimates the best probabilities of the actions, and the value of the state."""

    def __init__(self, inputs: int, actions: int) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Linear(inputs, NEURONS), nn.ReLU(), nn.Linear(NEURONS, NEURONS), nn.ReLU())
        self.policy, self.value = nn.Linear(NEURONS, actions), nn.Linear(NEURONS, 1)
        with torch.no_grad():
            self.policy.weight *= 0.01  # all actions are about as probable at first

    def forward(self, observations: Tensor, masks: Tensor) -> tuple[Tensor, Tensor]:
        """Return the logarithms of the probabilities, float32[..., actions], and the values, float32[...]."""
        features = self.body(observations)
        scores = self.policy(features).masked_fill(masks == 0, -1e9)
        return scores.log_softmax(dim=-1), self.value(features)[..., 0]


class PPO:
    """The learner: games in progress, and the network that plays them."""

    def __init__(self, game: str, games: int, seed: int, device: str, rules: dict[str, int]) -> None:
        torch.set_num_threads(1)  # the network is small; sums in one order are the same in every run
        torch.manual_seed(seed)
        self.device = "cuda" if device == "gpu" else "cpu"
        self.envs = komi.gymnasium.VectorEnv(game, games, seat="all", observation="planes", device=device, **rules)
        spaces = self.envs.single_observation_space.spaces
        self.network = ActorCritic(*(spaces[name].shape[0] for name in ("observation", "action_mask")))
        self.network.to(self.device)
        self.optimizer = torch.optim.Adam(self.network.parameters(), lr=LEARNING_RATE)
        self._seen = self._tensors(*self.envs.reset(seed=seed))

    def _tensors(self, observation: dict[str, Any], info: dict[str, Any]) -> tuple[Tensor, Tensor, Tensor]:
        """Return what the movers see, their legal actions, and their seats; without a copy on the same device."""
        arrays = observation["observation"], observation["action_mask"], info["seat"]
        return tuple(torch.as_tensor(array, device=self.device) for array in arrays)

    @torch.no_grad()
    def play(self) -> tuple[Steps, Tensor]:
        """Play a number of steps; return them, and the estimates for the states after them."""
        rows = []
        for _ in range(STEPS):
            observations, masks, seats = (each.clone() for each in self._seen)  # the environment reuses its arrays
            logarithms, values = self.network(observations, masks)
            actions = torch.multinomial(logarithms.exp(), 1)
            likelihoods = logarithms.gather(1, actions)[:, 0]
            observation, _, over, _, info = self.envs.step(actions[:, 0])
            self._seen = self._tensors(observation, info)
            rewards = torch.as_tensor(info["rewards"], device=self.device).float()
            over = torch.as_tensor(over, device=self.device).clone()
            rows.append((observations, masks, actions[:, 0], likelihoods, values, seats, rewards, over))
        return Steps(*map(torch.stack, zip(*rows, strict=True))), self.network(*self._seen[:2])[1]

    def learn(self, progress: float) -> None:
        """Play, and improve the network; `progress` is the part of the training that is done."""
        steps, values_after = self.play()
        advantages, is_known = estimate_advantages(steps, values_after, self._seen[2])
        returns = (advantages + steps.values)[is_known]
        advantages = advantages[is_known]
        advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
        seen, masks, actions, before = (column[is_known] for column in steps[:4])
        for group in self.optimizer.param_groups:
            group["lr"] = LEARNING_RATE * (1.0 - progress)
        for _ in range(EPOCHS):
            for rows in torch.randperm(len(returns), device=self.device).chunk(BATCHES):
                logarithms, values = self.network(seen[rows], masks[rows])
                ratios = (logarithms.gather(1, actions[rows, None])[:, 0] - before[rows]).exp()
                clipped = ratios.clamp(1.0 - CLIP, 1.0 + CLIP)
                gains = torch.minimum(ratios * advantages[rows], clipped * advantages[rows]).mean()
                entropy = -(logarithms.exp() * logarithms).sum(dim=1).mean()
                errors = (values - returns[rows]).square().mean()
                self.optimizer.zero_grad()
                (errors - gains - ENTROPY * (1.0 - progress) * entropy).backward()
                nn.utils.clip_grad_norm_(self.network.parameters(), 0.5)
                self.optimizer.step()

    def probabilities(self, observations: np.ndarray, action_masks: np.ndarray) -> np.ndarray:
        """Return float32[states, actions]; `komi.regret` takes this function as it is."""
        with torch.no_grad():
            seen, masks = (torch.as_tensor(array, device=self.device) for array in (observations, action_masks))
            return self.network(seen, masks)[0].exp().cpu().numpy()

    def greedy(self, observations: np.ndarray, action_masks: np.ndarray) -> np.ndarray:
        """Return the most probable actions, int64[states]."""
        return self.probabilities(observations, action_masks).argmax(axis=1)


def estimate_advantages(steps: Steps, values_after: Tensor, seats_after: Tensor) -> tuple[Tensor, Tensor]:
    """Estimate the advantage of each action over the value of its state, from the rewards until its seat moves again.

    Returns:
        (float32[steps, games], bool[steps, games]: False where a game began anew, or what follows is not known yet)
    """
    gained, value, trace = torch.zeros((3, *steps.rewards.shape[1:]), device=values_after.device)
    is_known = torch.zeros(value.shape, dtype=torch.bool, device=value.device)
    value.scatter_(1, seats_after[:, None], values_after[:, None])
    is_known.scatter_(1, seats_after[:, None], True)
    advantages, complete = torch.zeros_like(steps.values), steps.masks.any(dim=2)
    for step in reversed(range(len(steps.values))):
        over, seats = steps.over[step, :, None], steps.seats[step, :, None]
        gained, value, trace = (each.masked_fill(over, 0.0) for each in (gained, value, trace))
        gained, is_known = gained + steps.rewards[step], is_known | over
        estimates = steps.values[step, :, None]
        advantage = (gained + value - estimates + TRACE_DECAY * trace).gather(1, seats)
        advantage *= is_known.gather(1, seats)
        advantages[step] = advantage[:, 0]
        complete[step] &= is_known.gather(1, seats)[:, 0]
        gained = gained.scatter(1, seats, 0.0)
        value, trace = value.scatter(1, seats, estimates), trace.scatter(1, seats, advantage)
        is_known = is_known.scatter(1, seats, True)
    return advantages, complete


def train(
    game: str,
    steps: int = 500_000,
    games: int = 256,
    seed: int = 0,
    device: str = "cpu",
    checkpoints: int = 10,
    **rules: int,
) -> Iterator[Checkpoint]:
    """Train a network, and yield the learning curve. The loss is exact: no game is played to measure it."""
    learner = PPO(game, games, seed, device, rules)
    policy = learner.probabilities if komi.find(game).has("view") else learner.greedy
    rounds = max(steps // (games * STEPS), 1)
    measured = {rounds * part // checkpoints for part in range(checkpoints + 1)}
    seconds = 0.0
    for done in range(rounds + 1):
        if done in measured:
            loss = komi.regret(game, policy, vectorized=True, observation="planes", **rules).average
            yield Checkpoint(done * games * STEPS, seconds, loss)
        start = time.process_time()
        learner.learn(done / (rounds + 1))
        seconds += time.process_time() - start


def main(arguments: list[str] | None = None, write: Callable[[str], None] = print) -> list[Checkpoint]:
    """Train as the arguments of the command line say, and print the learning curve."""
    parser = argparse.ArgumentParser(description="Learn a game by PPO in self-play, and print the exact loss.")
    parser.add_argument("game", help="a game, or a rule file")
    parser.add_argument("rules", nargs="*", metavar="RULE=NUMBER", help="rules to change, such as goal=50")
    parser.add_argument("--steps", type=int, default=500_000, help="actions to learn from (500,000)")
    parser.add_argument("--games", type=int, default=256, help="played at the same time (256)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--device", choices=["cpu", "gpu"], default="cpu")
    options = parser.parse_args(arguments)
    curve = []
    for rule in options.rules:
        if not re.fullmatch(r"\w+=-?\d+", rule):
            parser.error(f"a rule is changed as goal=50, not {rule}.")
    rules = {name: int(number) for name, number in (rule.split("=") for rule in options.rules)}
    try:
        for point in train(options.game, options.steps, options.games, options.seed, options.device, **rules):
            if not curve:
                write(f"{'steps':>12} {'seconds':>8} {'loss':>9}")
            curve.append(point)
            write(f"{point.steps:12,} {point.seconds:8.1f} {point.loss:9.4f}")
    except komi.KomiError as error:
        parser.error(str(error))
    except KeyboardInterrupt:
        parser.exit(130, "stopped.\n")  # with the exit code of komi's commands
    return curve


if __name__ == "__main__":
    main()
