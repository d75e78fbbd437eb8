"""Q-learning on Pig to 30: komi beside plain Python and OpenSpiel's tabular learner, if it is installed.

Each learns for `SECONDS`, with its default step sizes; the exact loss is that of the greedy policy against optimal play,
averaged over both seats. OpenSpiel's environment plays komi's game, and its two agents have a table each.
"""

import random
import time
from collections import defaultdict
from collections.abc import Callable

import komi
from komi.policies.functions import FunctionPolicy

GOAL = 30
SECONDS = 20.0
EXPLORATION, STEP_SIZE = 0.1, 0.5
"""Of the learner in plain Python: as those of OpenSpiel's."""
ROLL, HOLD = 1, 0

State = tuple[int, int, int]
"""A position: the mover's score, the opponent's, and the turn total."""


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


def main() -> None:
    pass


if __name__ == "__main__":
    main()
