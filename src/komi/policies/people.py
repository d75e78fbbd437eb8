"""Models of human play: better actions are chosen more often than worse ones, with a bias for each action.

The logit choice model that `komi study` fits and stores in a file: an action is taken with probability proportional to
exp(leaning - precision * loss), where `loss` is its regret under optimal play.
"""

import json
from pathlib import Path
from typing import Any

import numpy as np

from komi.errors import InputError
from komi.graph.lookup import members, state_at
from komi.policies.mixture import Mixture
from komi.rules.interface import legal, outcomes, reward
from komi.solvers.solution import Solution
from komi.solvers.successor_value import successor_value

FORM = "komi people 1"


def as_text(game: str, precision: float, leanings: dict[str, float]) -> str:
    """Serialize the fitted model of the people who play a game."""
    return json.dumps({"form": FORM, "game": game, "precision": precision, "leanings": leanings}, indent=2) + "\n"


def like_people(name: str, solution: Solution[Any], file: Path) -> Mixture:
    """Create the policy from the model of human play in a file.

    Raises:
        InputError: if the file cannot be read or is for another game, or the kind of game is not supported.
    """
    kind = solution.kind
    if kind.seats > 2 or kind.simultaneous or kind.hidden or solution.has_plies:
        raise InputError(f"policy {name} is for games of chance for one or two players who see everything.")
    described = _read(file, solution.game.name)
    leanings = described["leanings"]
    labels = getattr(solution.game.module, "actions", ())
    leaning = np.array([float(leanings.get(label, 0.0)) for label in labels] or [0.0])
    table = solution.arrays
    most = solution.compiled.kernels[_most_actions](solution.rules, table.states.layout, table.states.keys)
    shares = np.zeros((table.states.size, most))
    sign = -1.0 if kind.aim == "least" else 1.0
    solution.compiled.kernels[_choose](
        solution.rules,
        table.states.layout,
        table.states.keys,
        table.states.ranks,
        table.values,
        sign * described["precision"],
        leaning,
        shares,
    )
    return Mixture.of(name, solution.game, solution.rules, table.states, shares)


def _read(file: Path, game: str) -> dict[str, Any]:
    try:
        described = json.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"cannot read {file} ({error.strerror or error}): komi study writes such files.") from None
    except ValueError:
        described = None
    if not isinstance(described, dict) or described.get("form") != FORM:
        raise InputError(f"{file} does not describe people: komi study writes such files.")
    if described["game"] != game:
        raise InputError(f"{file} describes people who play {described['game']}, not {game}.")
    return described


def _most_actions(rules: Any, layout: Any, keys: Any) -> int:
    most = 0
    for _, place in members(keys):
        count = 0
        for _ in legal(rules, state_at(layout, keys, place)):
            count += 1
        most = max(most, count)
    return most


def _choose(
    rules: Any,
    layout: Any,
    keys: Any,
    ranks: Any,
    values: Any,
    precision: float,
    leaning: Any,
    shares: Any,
) -> None:
    """Fill in float64[states, actions], the probability of each legal action; 1 for a move of chance."""
    for index, place in members(keys):
        state = state_at(layout, keys, place)
        count = 0
        highest = -np.inf
        for action in legal(rules, state):
            worth = 0.0
            for probability, after, passes in outcomes(rules, state, action):
                gained = reward(rules, state, action, after)
                worth += probability * (gained + successor_value(rules, layout, keys, ranks, values, after, passes))
            utility = precision * worth + (leaning[action] if 0 <= action < len(leaning) else 0.0)
            shares[index, count] = utility
            highest = max(highest, utility)
            count += 1
        total = 0.0
        for choice in range(count):
            shares[index, choice] = np.exp(shares[index, choice] - highest)
            total += shares[index, choice]
        for choice in range(count):
            shares[index, choice] /= total
