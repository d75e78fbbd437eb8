"""MaskablePPO of sb3-contrib on Pig against a fixed opponent, with the exact loss of the policy while it learns.

    python examples/maskable_ppo.py --opponent hold-at:20 --goal 50 --plot ppo.png

With a fixed opponent, a game for two is a Markov decision process of one player. Its solution is the best response to
that opponent, and this is what the policy approaches: the loss against the best response falls towards 0. A best
response is not optimal play. It wins more against this opponent than optimal play does, and less against an optimal
player, since it relies on mistakes that such a player does not make. The loss against optimal play is therefore not
what is minimized: it can rise while the other falls. With `--opponent optimal` both are the same.

MaskablePPO: Huang and Ontañón, "A Closer Look at Invalid Action Masking in Policy Gradient Algorithms", FLAIRS 2022.
"""

import argparse
import time
from collections.abc import Callable
from typing import NamedTuple

import gymnasium
import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import DummyVecEnv

import komi
import komi.gymnasium

GAMES = 16  # played at the same time
ROLLOUT = 128  # actions in each game between two updates of the policy
LEARNING_RATE = 1e-3  # falls to 0


class Checkpoint(NamedTuple):
    """A point of the learning curve; losses are in probability of winning."""

    steps: int
    seconds: float  # CPU time of learning, without that of the measurements
    wins: float  # against the opponent, averaged over both seats
    response_loss: float  # what the best response to the opponent wins more against it
    optimal_loss: float  # what optimal play wins more against optimal play


def encode(observations: np.ndarray, goal: int) -> np.ndarray:
    """Encode int64[..., 3] as float32[..., inputs]: an input for each point, 1 if the player has it.

    The networks learn thresholds, such as hold values, faster from these than from score / goal.
    """
    score, rival, turn = np.moveaxis(observations, -1, 0)
    counts = (score, rival, score + turn)  # the last is the score after holding
    points = np.arange(1, goal + 1)
    return np.concatenate([count[..., None] >= points for count in counts], axis=-1).astype(np.float32)


def create_environment(opponent: str, goal: int) -> gymnasium.Env:
    """Return an environment with encoded observations; the learner calls its method `action_masks`."""
    env = komi.gymnasium.Env("pig", opponent=opponent, seat=None, goal=goal)  # the seat is drawn for each game
    inputs = gymnasium.spaces.Box(0.0, 1.0, (3 * goal,), np.float32)
    return gymnasium.wrappers.TransformObservation(env, lambda seen: encode(seen["observation"], goal), inputs)


class ExactCurve(BaseCallback):
    """Measures the policy exactly at checkpoints: no game is played for it."""

    def __init__(self, opponent: str, goal: int, interval: int, report: Callable[[Checkpoint], None]) -> None:
        super().__init__()
        self.opponent, self.goal, self.interval, self.report = opponent, goal, interval, report
        self.best = komi.best_response("pig", opponent, goal=goal).average
        self.curve: list[Checkpoint] = []
        self.seconds = 0.0

    def policy(self, observations: np.ndarray, action_masks: np.ndarray) -> np.ndarray:
        """Return the most probable actions, int64[states], as `komi.regret` calls it."""
        inputs = encode(observations, self.goal)
        return self.model.predict(inputs, action_masks=action_masks, deterministic=True)[0]

    def _measure(self) -> None:
        settings = {"vectorized": True, "goal": self.goal}
        response = komi.regret("pig", self.policy, opponent=self.opponent, **settings).average
        optimal = komi.regret("pig", self.policy, **settings).average
        self.curve.append(Checkpoint(self.num_timesteps, self.seconds, self.best - response, response, optimal))
        self.report(self.curve[-1])

    def _on_rollout_start(self) -> None:
        if self.curve:
            self.seconds += time.process_time() - self.start
        if self.num_timesteps >= len(self.curve) * self.interval:
            self._measure()
        self.start = time.process_time()

    def _on_step(self) -> bool:
        return True

    def _on_training_end(self) -> None:
        self.seconds += time.process_time() - self.start
        self._measure()


def train(
    goal: int = 50,
    steps: int = 300_000,
    seed: int = 0,
    opponent: str = "hold-at:20",
    checkpoints: int = 10,
    report: Callable[[Checkpoint], None] = lambda point: None,
) -> list[Checkpoint]:
    """Train a policy, and return the learning curve."""
    torch.set_num_threads(1)  # the networks are small; sums in one order are the same in every run
    model = MaskablePPO(
        "MlpPolicy",
        DummyVecEnv([lambda: create_environment(opponent, goal)] * GAMES),
        learning_rate=lambda remaining: LEARNING_RATE * remaining,
        n_steps=ROLLOUT,
        batch_size=256,
        n_epochs=5,
        gamma=1.0,  # a win counts the same however late
        ent_coef=0.01,
        seed=seed,
        device="cpu",
    )
    measurement = ExactCurve(opponent, goal, -(-steps // checkpoints), report)
    model.learn(steps, callback=measurement)
    return measurement.curve


def plot(curve: list[Checkpoint], file: str) -> None:
    """Draw the learning curve."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6.4, 4.0), layout="constrained")
    axes = figure.subplots()
    steps = [point.steps for point in curve]
    axes.semilogy(steps, [100 * point.response_loss for point in curve], marker="o", label="against the opponent")
    axes.semilogy(steps, [100 * point.optimal_loss for point in curve], marker="s", label="against optimal play")
    axes.set(xlabel="actions", ylabel="exact loss, % of games", title="MaskablePPO on Pig")
    axes.grid(alpha=0.3)
    axes.legend()
    figure.savefig(file, dpi=120)


def main(arguments: list[str] | None = None, write: Callable[[str], None] = print) -> list[Checkpoint]:
    """Train as the arguments of the command line say, and print the learning curve."""
    parser = argparse.ArgumentParser(
        description="Learn Pig against an opponent by MaskablePPO, and print the exact loss."
    )
    parser.add_argument("--goal", type=int, default=50, help="points that win (50)")
    parser.add_argument("--steps", type=int, default=300_000, help="actions to learn from (300,000)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--opponent", default="hold-at:20", help="the policy to learn against (hold-at:20)")
    parser.add_argument("--plot", metavar="FILE", help="draw the learning curve")
    options = parser.parse_args(arguments)

    def report(point: Checkpoint) -> None:
        if point.steps == 0:
            write(f"{'':9} {'':8} {'':8} {'loss against':>14} {'loss against':>15}")
            write(f"{'steps':>9} {'seconds':>8} {'wins':>8} {'best response':>14} {'optimal play':>15}")
        losses = f"{point.response_loss:14.2%} {point.optimal_loss:15.2%}"
        write(f"{point.steps:9,} {point.seconds:8.1f} {point.wins:8.2%} {losses}")

    try:
        curve = train(options.goal, options.steps, options.seed, options.opponent, report=report)
        response = komi.best_response("pig", options.opponent, goal=options.goal)
        loss = komi.regret("pig", response.policy, goal=options.goal).average
        optimal = komi.regret("pig", "optimal", opponent=options.opponent, goal=options.goal).average
    except komi.KomiError as error:
        parser.error(str(error))
    except KeyboardInterrupt:
        parser.exit(130, "stopped.\n")  # with the exit code of komi's commands
    write(
        f"The best response wins {response.average:.2%} against {options.opponent}. It loses {loss:.2%} against optimal"
    )
    write(f"play, which wins {response.average - optimal:.2%} against {options.opponent}.")
    if options.plot:
        plot(curve, options.plot)
    return curve


if __name__ == "__main__":
    main()
