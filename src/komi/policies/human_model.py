"""Models of human play: better actions are chosen more often than worse ones, with a bias for each action.

The logit choice model that `komi study` fits and stores in a file: an action is taken with probability proportional to
exp(bias - precision * loss), where `loss` is its regret under optimal play, in the game's unit of payoffs.
"""

import json
from pathlib import Path
from typing import Any

import numpy as np

from komi.arrays import F64, I64
from komi.errors import InputError
from komi.game import CHANCE
from komi.graph.expanded_rules import GraphKernels
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
    if kind.has_seat_values or kind.simultaneous or kind.hidden or solution.has_plies:
        raise InputError(f"policy {name} is for games of chance for one or two players who see everything.")
    model = _read(file, solution.game.name)
    table = solution.optimal_play
    probabilities = _biases(solution, model["leanings"])
    precision = model["precision"] * kind.payoffs.width  # of the values of the table, which are shares
    GraphKernels(solution.compiled)[_choose](
        solution.rules,
        table.states,
        table.values,
        -precision if kind.aim == "least" else precision,
        probabilities,
    )
    return MixedPolicy.of(name, solution.compiled, solution.rules, table.states, probabilities)


def _biases(solution: Solution[Any], biases: dict[str, float]) -> F64:
    """Return float64[states, actions], the bias of each legal action, in the order of the rules."""
    game, rules, states = solution.game, solution.rules, solution.optimal_play.states
    actions = np.full((states.size, most_actions(solution.compiled, rules, states)), CHANCE)
    GraphKernels(solution.compiled)[_list_actions](rules, states, actions)
    if not game.has("label"):
        by_action = np.array([*(float(biases.get(label, 0.0)) for label in game.module.actions), 0.0])  # CHANCE: last
        by_choice: F64 = by_action[actions]
        return by_choice
    listed = np.zeros(actions.shape)
    for index, fields in enumerate(states.all_fields().tolist() if biases else ()):
        state = game.module.State(*fields)
        for choice in np.flatnonzero(actions[index] != CHANCE):
            listed[index, choice] = biases.get(game.label(rules, state, int(actions[index, choice])), 0.0)
    return listed


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


def _list_actions(rules: Rules, states: StateIndex, actions: I64) -> None:
    """Fill in int64[states, actions], the legal actions; the others keep their values."""
    for index, position in members(states.keys):
        for choice, action in enumerate(legal(rules, state_at(states, position))):
            actions[index, choice] = action


def _choose(
    rules: Rules,
    states: StateIndex,
    values: F64,
    precision: float,
    probabilities: F64,
) -> None:
    """Replace float64[states, actions], the bias of each legal action, by its probability; 1 for a move of chance."""
    for index, position in members(states.keys):
        state = state_at(states, position)
        count = 0
        highest = -np.inf
        for action in legal(rules, state):
            value = 0.0
            for probability, after, passes in outcomes(rules, state, action):
                gain = reward(rules, state, action, after)
                value += probability * (gain + successor_value(rules, states, values, after, passes))
            probabilities[index, count] += precision * value
            highest = max(highest, probabilities[index, count])
            count += 1
        total = 0.0
        for choice in range(count):
            probabilities[index, choice] = np.exp(probabilities[index, choice] - highest)
            total += probabilities[index, choice]
        for choice in range(count):
            probabilities[index, choice] /= total
