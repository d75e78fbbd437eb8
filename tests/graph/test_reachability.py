"""Reachability analysis finds exactly the states that play can reach, however the ranges of their fields turn out."""

from pathlib import Path
from typing import Any

import pytest

import komi
from komi.compiling.compiled import CompiledGame
from komi.graph.reachability import find_reachable
from komi.graph.sources import GameTransitions
from komi.rules import enumeration
from komi.rules.interpreter import Interpreter

GAMES = Path(__file__).parents[1] / "games"


@pytest.mark.parametrize("name", ["best_of_turns", "forced_roll", "lingering", "two_dice_kept"])
@pytest.mark.parametrize("side_by_side", [False, True])
def test_states_found_are_those_of_play_one_by_one(name: str, side_by_side: bool) -> None:
    """In the first game a field falls below zero when it has already been as high as its bits allow."""
    game = komi.find(str(GAMES / f"{name}.py"))
    rules = game.default_rules
    over: Any = game.part("over")
    walked, complete = enumeration.explore(Interpreter(game, rules), 100_000)
    states, _ = find_reachable(
        GameTransitions(CompiledGame(game), rules), [game.part("start")(rules)], side_by_side=side_by_side
    )
    assert complete
    found = {game.module.State(*states.fields(index)) for index in range(states.size)}
    assert found == {state for state in walked if not over(rules, state)}
