"""Q-learning on Pig to 60: komi beside plain Python and OpenSpiel's tabular learner, if it is installed.

Each learns for the same time with its own step sizes. The loss is that of the greedy policy against optimal play,
averaged over both seats, exactly. OpenSpiel's environment plays its own Pig, in which its two agents have a table each:
that of the first is measured.
"""

import random
import time
from collections import defaultdict
from collections.abc import Callable
from typing import Any

import numpy as np

import komi

GOAL = 60
SECONDS = 20.0
EXPLORATION, STEP_SIZE = 0.1, 0.1
"""Settings of the learner in plain Python."""
ROLL, HOLD = range(2)

State = tuple[int, int, int]
"""A position: the mover's score, the opponent's, and the turn total."""


def main() -> None:
    learned = komi.learn("pig", "q-learning", settings=komi.LearningSettings(games=1 << 30, seconds=SECONDS), goal=GOAL)
    # The exploration falls over the games: as many as there is time for.
    settings = komi.LearningSettings(games=learned.games)
    learned = komi.learn("pig", "q-learning", settings=settings, goal=GOAL)
    assert learned.loss is not None
    report("komi", learned.updates / learned.seconds, learned.loss)
    updates, greedy = learn_in_python()
    report("plain Python", updates / SECONDS, loss(greedy))
    try:
        updates, greedy = learn_with_openspiel()
    except ImportError:
        print("OpenSpiel is not installed (pip install 'komi[bench]')")
    else:
        report("OpenSpiel", updates / SECONDS, loss(greedy))


def report(name: str, speed: float, lost: float) -> None:
    print(f"{name:14} {speed:12,.0f} updates/s, loss {100 * lost:.3f} % after {SECONDS:.0f} s")


def loss(greedy: Callable[[State], int]) -> float:
    """The exact loss of a greedy policy."""

    def policy(observation: Any, action_mask: Any) -> int:
        action = greedy(tuple(observation.tolist()))
        return action if action_mask[action] else int(np.argmax(action_mask))

    return komi.regret("pig", policy, goal=GOAL).average


def learn_in_python() -> tuple[int, Callable[[State], int]]:
    """Learn with a dictionary of action values. Return the number of updates, and the greedy policy."""
    values: dict[tuple[State, int], float] = defaultdict(lambda: 0.5)
    randomness = random.Random(1)
    updates = 0

    def greedy(state: State) -> int:
        return max((ROLL, HOLD), key=lambda action: values[state, action])

    end = time.perf_counter() + SECONDS
    while time.perf_counter() < end:
        score, rival, turn = 0, 0, 0
        is_over = False
        while not is_over:
            state = score, rival, turn
            action = randomness.choice((ROLL, HOLD)) if randomness.random() < EXPLORATION else greedy(state)
            face = randomness.randint(1, 6) if action == ROLL else 0
            if face > 1:
                turn += face
                target = max(values[(score, rival, turn), each] for each in (ROLL, HOLD))
            elif action == HOLD and score + turn >= GOAL:
                is_over, target = True, 1.0
            else:
                score, rival, turn = rival, score + (turn if action == HOLD else 0), 0
                target = 1.0 - max(values[(score, rival, turn), each] for each in (ROLL, HOLD))
            values[state, action] += STEP_SIZE * (target - values[state, action])
            updates += 1
    return updates, greedy


def learn_with_openspiel() -> tuple[int, Callable[[State], int]]:
    """Learn with two tabular agents of OpenSpiel. Return the number of their steps, and the first one's policy."""
    from open_spiel.python import rl_environment
    from open_spiel.python.algorithms import tabular_qlearner

    env = rl_environment.Environment("pig", winscore=GOAL, horizon=1_000_000)
    agents = [
        tabular_qlearner.QLearner(player_id=player, num_actions=env.action_spec()["num_actions"]) for player in (0, 1)
    ]
    steps = 0
    end = time.perf_counter() + SECONDS
    while time.perf_counter() < end:
        step = env.reset()
        acted = set()
        while not step.last():
            player = step.observations["current_player"]
            acted.add(player)
            step = env.step([agents[player].step(step).action])
            steps += 1
        for player in acted:  # one that has not acted would fail in the next game
            agents[player].step(step)

    def greedy(state: State) -> int:
        score, rival, turn = (min(number, GOAL) for number in state)
        one_hot = np.zeros((3, GOAL + 1))
        one_hot[(0, 1, 2), (turn, score, rival)] = 1.0
        values = agents[0]._q_values[str(one_hot.ravel().tolist())]
        return max((ROLL, HOLD), key=lambda action: values[action])

    return steps, greedy


if __name__ == "__main__":
    main()
