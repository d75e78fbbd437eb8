"""The policy `people:FILE` is the model that `komi study` fits, computed here from the reported action values."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import komi
from komi.policies.human_model import human_policy, serialize_model

STAKES = '''"""Stakes: play safe for one point, or risk to lose three."""

from typing import NamedTuple

players = 2
actions = ("safe", "risky")


class Rules(NamedTuple):
    turns: int = 2


class State(NamedTuple):
    turn: int = 0
    points: int = 0


def payoff_range(rules):
    return -10.0, 10.0


def start(rules):
    return State()


def legal(rules, state):
    yield 0
    yield 1


def outcomes(rules, state, action):
    if action == 0:
        yield 1.0, State(state.turn + 1, -state.points - 1), 1
    else:
        yield 0.5, State(state.turn + 1, -state.points - 3), 1
        yield 0.5, State(state.turn + 1, -state.points + 2), 1


def over(rules, state):
    return state.turn >= rules.turns


def payoff(rules, state):
    return float(state.points)
'''


def check_probabilities(
    game: Any, precision: float, biases: dict[str, float], folder: Path, **rules: object
) -> dict[str, float]:
    """Compare the policy with the formula at the start; return the probability of each action."""
    solution: Any = komi.solve(game, **rules)
    file = folder / "people.json"
    file.write_text(serialize_model(solution.game.name, precision, biases))
    policy = human_policy("people", solution, file)
    start, states = solution.game.part("start")(solution.rules), solution.optimal_play.states
    values = {action.label: action.value for action in solution.action_values(start)}
    utilities = {label: biases.get(label, 0.0) + precision * value for label, value in values.items()}
    weights = np.exp(np.array(list(utilities.values())) - max(utilities.values()))
    played = policy.probabilities_in(solution.compiled, solution.rules, states)[states.index_of(start)]
    labels = list(solution.game.labels(solution.rules, start))
    found = dict(zip(labels, played[: len(labels)].tolist(), strict=True))
    assert found == pytest.approx(dict(zip(utilities, weights / weights.sum(), strict=True)), abs=1e-9)
    return found


def test_precision_is_per_point_in_games_for_points(tmp_path: Path) -> None:
    game = tmp_path / "stakes.py"
    game.write_text(STAKES)
    assert check_probabilities(game, 1.5, {}, tmp_path)["safe"] == pytest.approx(0.679, abs=1e-3)


def test_biases_have_labels_that_depend_on_the_state(tmp_path: Path) -> None:
    found = check_probabilities("hog", 5.0, {"roll 1": 3.0}, tmp_path, goal=6, max_dice=3)
    assert found["roll 1"] > 0.5
