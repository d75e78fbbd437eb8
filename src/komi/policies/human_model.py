"""Models of human play: better actions are chosen more often than worse ones, with a bias for each action.

The logit choice model that `komi study` fits and stores in a file: an action is taken with probability proportional to
exp(bias - precision * loss), where `loss` is its regret under optimal play.
"""

import json
from pathlib import Path
from typing import Any

import numpy as np

from komi.arrays import F64
from komi.errors import InputError
from komi.graph.lookup import StateIndex, members, state_at
from komi.graph.transitions import successor_value
from komi.policies.mixed import MixedPolicy
from komi.policies.tabulate import most_actions
from komi.quoting import quoted
from komi.rules.interface import legal, outcomes, reward
from komi.solvers.solution import Solution
from komi.typing import Rules

FORMAT = "komi people 1"


def serialize_model(game: str, precision: float, biases: dict[str, float]) -> str:
    """Serialize the fitted model of the people who play a game."""
    return json.dumps({"form": FORMAT, "game": game, "precision": precision, "leanings": biases}, indent=2) + "\n"


def human_policy(name: str, solution: Solution[Any], file: Path) -> MixedPolicy:
    """Create the policy from the model of human play in a file.

    Raises:
        InputError: if the file cannot be read or is for another game, or the kind of game is not supported.
    """
    kind = solution.kind
    if kind.seats > 2 or kind.simultaneous or kind.hidden or solution.has_plies:
        raise InputError(f"policy {name} is for games of chance for one or two players who see everything.")
    model = _read(file, solution.game.name)
    labels = getattr(solution.game.module, "actions", ())
    biases = np.array([float(model["leanings"].get(label, 0.0)) for label in labels] or [0.0])
    table = solution.optimal_play
    max_actions = most_actions(solution.compiled, solution.rules, table.states)
    probabilities = np.zeros((table.states.size, max_actions))
    sign = -1.0 if kind.aim == "least" else 1.0
    solution.compiled.kernels[_choose](
        solution.rules,
        table.states,
        table.values,
        sign * model["precision"],
        biases,
        probabilities,
    )
    return MixedPolicy.of(name, solution.compiled, solution.rules, table.states, probabilities)


def _read(file: Path, game: str) -> dict[str, Any]:
    try:
        model = json.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"cannot read {file} ({error.strerror or error}): `komi study` writes such files.") from None
    except ValueError:
        model = None
    if not isinstance(model, dict) or model.get("form") != FORMAT:
        raise InputError(f"{file} is not a model of human play: `komi study` writes such files.")
    if model.get("game") != game:
        raise InputError(f"{file} is a model of people who play {quoted(model.get('game'))}, not {game}.")
    return model


def _choose(
    rules: Rules,
    states: StateIndex,
    values: F64,
    precision: float,
    biases: F64,
    probabilities: F64,
) -> None:
    """Fill in float64[states, actions], the probability of each legal action; 1 for a move of chance."""
    for index, position in members(states.keys):
        state = state_at(states, position)
        count = 0
        highest = -np.inf
        for action in legal(rules, state):
            value = 0.0
            for probability, after, passes in outcomes(rules, state, action):
                gain = reward(rules, state, action, after)
                value += probability * (gain + successor_value(rules, states, values, after, passes))
            utility = precision * value + (biases[action] if 0 <= action < len(biases) else 0.0)
            probabilities[index, count] = utility
            highest = max(highest, utility)
            count += 1
        total = 0.0
        for choice in range(count):
            probabilities[index, choice] = np.exp(probabilities[index, choice] - highest)
            total += probabilities[index, choice]
        for choice in range(count):
            probabilities[index, choice] /= total
