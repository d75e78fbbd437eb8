"""Observations: what `view` says of each state, interpreted or compiled, whole or in part."""

from pathlib import Path

import numpy as np
import pytest

import komi
from komi.compiling.compiled import CompiledGame
from komi.graph import observations as module
from komi.graph.observations import observations
from komi.graph.reachability import find_reachable
from komi.graph.sources import GameTransitions

GOOFSPIEL = str(Path(__file__).parents[2] / "examples" / "goofspiel.py")


@pytest.mark.parametrize("is_compiled", [False, True])
@pytest.mark.parametrize(("name", "settings"), [(GOOFSPIEL, {"cards": 3}), ("pig", {"goal": 5})])
def test_observations_are_what_view_says(
    name: str, settings: dict[str, int], is_compiled: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if is_compiled:
        monkeypatch.setattr(module, "listing_of", lambda *_, **__: None)
    game = komi.find(name)
    rules = game.rules(settings)
    compiled = CompiledGame(game.under(rules))
    states, _ = find_reachable(GameTransitions(compiled, rules), [game.part("start")(rules)])
    expected = [game.module.State(*states.fields(index)) for index in range(states.size)]
    if game.has("view"):
        expected = [game.part("view")(rules, state) for state in expected]
        assert any(np.any(states.all_fields() != expected, axis=1))  # some states hide something
    np.testing.assert_array_equal(observations(compiled, rules, states), expected)
    np.testing.assert_array_equal(observations(compiled, rules, states, 2, 5), expected[2:5])
