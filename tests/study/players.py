"""Simulated people, whose way to choose is known, and the games that they play."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from komi.play.fairness import sample_event
from komi.play.table import Table
from komi.policies.human_model import FORMAT, human_policy, serialize_model
from komi.solvers.solution import Solution
from komi.study.human_decisions import RecordedGame

Chooser = Callable[[Any, Any], int]


def labels_of_a_game(
    solution: Solution[Any], seats: dict[int, Chooser], random: np.random.Generator
) -> tuple[str, ...]:
    """Return the labels of a game in which each seat's chooser gets the state and a random number."""
    table = Table(solution.game, solution.rules)
    while not table.is_over:
        if table.waiting == "event":
            table.enter(sample_event(table.events, float(random.random())).label)
        else:
            action = seats[table.mover](table.state, float(random.random()))
            table.enter(next(label for label, number in table.actions.items() if number == action))
    return tuple(entry.label for entry in table.log)


def logit(solution: Solution[Any], folder: Path, precision: float, **biases: float) -> Any:
    """Return the policy of people with this precision and these preferences."""
    assert json.loads(serialize_model("any", 1.0, {}))["form"] == FORMAT
    file = folder / f"people-{precision}.json"
    file.write_text(serialize_model(solution.game.name, precision, biases))
    return human_policy("people", solution, file)


def kept_games(
    solution: Solution[Any], policies: list[Any], games: int, seed: int, opponent: str = "optimal"
) -> list[RecordedGame]:
    """Store games of people, one a policy, in turn in both seats."""
    random = np.random.default_rng(seed)
    best = solution.optimal_play

    def by_the_book(state: Any, luck: float) -> int:
        return int(best.choices[best.states.index_of(state)])

    record = []
    for person, policy in enumerate(policies):

        def chooser(state: Any, luck: float, policy: Any = policy) -> int:
            return int(policy.choose(solution.game, solution.rules, state, luck))

        for game in range(games):
            seat = game % 2
            labels = labels_of_a_game(solution, {seat: chooser, 1 - seat: by_the_book}, random)
            record.append(RecordedGame(person, solution.game, solution.rules, opponent, seat, labels, game))
    return record
