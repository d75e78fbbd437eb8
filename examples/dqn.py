"""Deep Q-learning (DQN) in PyTorch on Pig, with the exact loss of the policy while it learns.

    python examples/dqn.py --goal 50 --plot dqn.png

A network estimates q(s, a), the probability that the player to move in s wins after action a. It plays both seats.
After the transition from s to s' with a reward r, 1 for a win:

    q(s, a) = r                            if the game is over
            = max over a' of q(s', a')     if the same player moves in s'
            = 1 - max over a' of q(s', a') if the turn has passed to the rival

The fixed point is optimal play of both players, so the loss against optimal play falls towards 0. With `--opponent` the
rival is part of the environment. The fixed point is then the best response to that opponent, and the loss is the
difference to what the best response wins against it.

Replay buffer and target network: Mnih et al., "Human-level control through deep reinforcement learning", Nature 518,
2015. Double DQN, in which one network chooses a' and the other estimates its value: van Hasselt et al., AAAI 2016.
"""

import argparse
import time
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
import torch
from torch import nn

import komi
import komi.gymnasium

GAMES = 64  # played at the same time
BATCH_SIZE = 256  # transitions in a gradient step; there is one step for each action in all games
CAPACITY = 200_000  # transitions in the replay buffer
WARM_UP = 2_000  # transitions before the first gradient step
SYNC_INTERVAL = 20  # gradient steps between updates of the target network
LEARNING_RATE = 1e-3  # falls to 0
EXPLORATION = 0.2  # probability of a random action; falls from 1 to this in the first half


class Checkpoint(NamedTuple):
    """A point of the learning curve."""

    steps: int
    seconds: float  # CPU time of learning, without that of the measurements
    loss: float  # expected loss of the greedy policy, in probability of winning


class ReplayBuffer:
    """The latest transitions, in a ring."""

    def __init__(self, capacity: int) -> None:
        self.capacity, self.added, self.columns = capacity, 0, []

    def __len__(self) -> int:
        return min(self.added, self.capacity)

    def add(self, *columns: np.ndarray) -> None:
        """Add transitions, one array for each part of them."""
        if not self.columns:
            self.columns = [np.empty((self.capacity, *column.shape[1:]), column.dtype) for column in columns]
        rows = (self.added + np.arange(len(columns[0]))) % self.capacity
        for stored, column in zip(self.columns, columns, strict=True):
            stored[rows] = column
        self.added += len(rows)

    def sample(self, generator: np.random.Generator, count: int) -> list[torch.Tensor]:
        """Sample transitions uniformly, with replacement."""
        rows = generator.integers(len(self), size=count)
        return [torch.as_tensor(stored[rows]) for stored in self.columns]


class DQN:
    """The learner: a network, its target network, and the greedy policy."""

    def __init__(self, goal: int, seed: int) -> None:
        torch.set_num_threads(1)  # the network is small; sums in one order are the same in every run
        torch.manual_seed(seed)
        self.points = torch.arange(1, goal + 1)
        self.network, self.target = self._create_network(), self._create_network()
        self.target.load_state_dict(self.network.state_dict())
        self.optimizer = torch.optim.Adam(self.network.parameters(), lr=LEARNING_RATE)

    def _create_network(self) -> nn.Module:
        inputs = 3 * len(self.points)
        return nn.Sequential(
            nn.Linear(inputs, 128), nn.ReLU(), nn.Linear(128, 64), nn.ReLU(), nn.Linear(64, 2), nn.Sigmoid()
        )

    def encode(self, observations: np.ndarray | torch.Tensor) -> torch.Tensor:
        """Encode int64[states, 3] as float32[states, inputs]: an input for each point, 1 if the player has it.

        The network learns thresholds, such as hold values, faster from these than from score / goal.
        """
        score, rival, turn = torch.as_tensor(observations).T
        counts = (score, rival, score + turn)  # the last is the score after holding
        return torch.cat([(count[:, None] >= self.points).float() for count in counts], dim=1)

    def policy(self, observations: np.ndarray, action_masks: np.ndarray) -> np.ndarray:
        """Return the greedy actions, int64[states]; `komi.regret` takes this function as it is."""
        with torch.no_grad():
            return mask(self.network(self.encode(observations)), action_masks).argmax(dim=1).numpy()

    def learn(self, transitions: list[torch.Tensor]) -> None:
        """Take a gradient step."""
        states, actions, rewards, next_states, next_masks, passes, over = transitions
        with torch.no_grad():
            inputs = self.encode(next_states)
            best = mask(self.network(inputs), next_masks).argmax(dim=1, keepdim=True)
            values = self.target(inputs).gather(1, best)[:, 0]
            targets = torch.where(over, rewards, torch.where(passes, 1.0 - values, values))
        estimates = self.network(self.encode(states)).gather(1, actions[:, None])[:, 0]
        self.optimizer.zero_grad()
        nn.functional.binary_cross_entropy(estimates, targets).backward()  # both are probabilities
        self.optimizer.step()


def mask(values: torch.Tensor, action_masks: np.ndarray | torch.Tensor) -> torch.Tensor:
    """Return the values of the actions, less than all others where an action is not legal."""
    return values.masked_fill(torch.as_tensor(action_masks) == 0, -1.0)


def train(
    goal: int = 50, steps: int = 300_000, seed: int = 0, opponent: str | None = None, checkpoints: int = 10
) -> Iterator[Checkpoint]:
    """Train a network, and yield the learning curve. The loss is exact: no game is played to measure it."""
    seat = "all" if opponent is None else None  # all seats in self-play, or one that is drawn for each game
    envs = komi.gymnasium.VectorEnv("pig", GAMES, opponent=opponent, seat=seat, goal=goal)
    learner, replay, generator = DQN(goal, seed), ReplayBuffer(CAPACITY), np.random.default_rng(seed)
    observation, info = envs.reset(seed=seed)
    over = np.zeros(GAMES, np.bool_)
    rounds = max(steps // GAMES, 1)
    measured = {rounds * part // checkpoints for part in range(checkpoints + 1)}
    seconds = 0.0
    for done in range(rounds + 1):
        if done in measured:
            loss = komi.regret("pig", learner.policy, opponent=opponent, vectorized=True, goal=goal).average
            yield Checkpoint(done * GAMES, seconds, loss)
        start = time.process_time()
        states, masks, was_over, seats = observation["observation"], observation["action_mask"], over, info.get("seat")
        random_actions = (generator.random(masks.shape) * masks).argmax(axis=1)
        explores = generator.random(GAMES) < max(EXPLORATION, 1.0 - 2.0 * done / rounds)
        actions = np.where(explores, random_actions, learner.policy(states, masks))
        observation, rewards, over, _, info = envs.step(actions)
        passes = np.zeros(GAMES, np.bool_) if seats is None else info["seat"] != seats
        next_states, next_masks = observation["observation"], observation["action_mask"]
        transitions = (states, actions, rewards.astype(np.float32), next_states, next_masks, passes, over)
        replay.add(*(column[~was_over] for column in transitions))  # a game that was over has begun anew
        if len(replay) >= WARM_UP:
            for group in learner.optimizer.param_groups:
                group["lr"] = LEARNING_RATE * (1.0 - done / (rounds + 1))
            learner.learn(replay.sample(generator, BATCH_SIZE))
            if done % SYNC_INTERVAL == 0:
                learner.target.load_state_dict(learner.network.state_dict())
        seconds += time.process_time() - start


def plot(curve: list[Checkpoint], file: str) -> None:
    """Draw the learning curve."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6.4, 4.0), layout="constrained")
    axes = figure.subplots()
    axes.semilogy([point.steps for point in curve], [100 * point.loss for point in curve], marker="o")
    axes.set(xlabel="actions", ylabel="exact loss, % of games", title="DQN on Pig")
    axes.grid(alpha=0.3)
    figure.savefig(file, dpi=120)


def main(arguments: list[str] | None = None, write: Callable[[str], None] = print) -> list[Checkpoint]:
    """Train as the arguments of the command line say, and print the learning curve."""
    parser = argparse.ArgumentParser(description="Learn Pig by DQN, and print the exact loss.")
    parser.add_argument("--goal", type=int, default=50, help="points that win (50)")
    parser.add_argument("--steps", type=int, default=300_000, help="actions to learn from (300,000)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--opponent", help="a policy, such as hold-at:20, to learn against; self-play without it")
    parser.add_argument("--plot", metavar="FILE", help="draw the learning curve")
    options = parser.parse_args(arguments)
    curve = []
    try:
        for point in train(options.goal, options.steps, options.seed, options.opponent):
            if not curve:
                write(f"{'steps':>9} {'seconds':>8} {'loss':>8}")
            curve.append(point)
            write(f"{point.steps:9,} {point.seconds:8.1f} {point.loss:8.2%}")
    except komi.KomiError as error:
        parser.error(str(error))
    except KeyboardInterrupt:
        parser.exit(130, "stopped.\n")  # with the exit code of komi's commands
    if options.plot:
        plot(curve, options.plot)
    return curve


if __name__ == "__main__":
    main()
