"""The states of an information set have the probabilities that a list of all histories gives."""

from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

import komi
from komi.errors import SolveError
from komi.game import CHANCE
from komi.rules import information_sets as module
from komi.rules.game import Game
from komi.rules.information_sets import information_sets

ROOT = Path(__file__).parents[1]
GAMES = {
    "kuhn_poker": (ROOT.parent / "examples" / "kuhn_poker.py", {}),
    "leduc_poker": (ROOT.parent / "examples" / "leduc_poker.py", {"ranks": 2, "raises": 1}),
    "goofspiel": (ROOT.parent / "examples" / "goofspiel.py", {"cards": 3}),
    "high_card": (ROOT / "games" / "high_card.py", {}),
    "hidden_choices": (ROOT / "games" / "hidden_choices.py", {}),
    "little_battleship": (ROOT / "games" / "little_battleship.py", {}),
}


def listed(game: Game, rules: Any) -> dict[Any, dict[Any, float]]:
    """Sum the weights of all histories, one after the other."""
    weights: dict[Any, dict[Any, float]] = defaultdict(lambda: defaultdict(float))

    def follow(state: Any, weight: float) -> None:
        if game.part("over")(rules, state):
            return
        actions = list(game.part("legal")(rules, state))
        if actions != [CHANCE]:
            weights[game.part("view")(rules, state)][state] += weight
        hidden = [action for action in actions if action != CHANCE and not game.is_open(rules, state, action)]
        for action in actions:
            for probability, after, _ in game.outcomes(rules, state, action):
                follow(after, weight * probability / (len(hidden) if action in hidden else 1))

    follow(game.part("start")(rules), 1.0)
    return weights


@pytest.mark.parametrize("name", GAMES)
def test_probabilities_are_those_of_all_histories(name: str) -> None:
    file, settings = GAMES[name]
    game = komi.find(file)
    rules = game.rules(settings)
    game = game.under(rules)
    found, known = information_sets(game, rules), listed(game, rules)
    assert found.keys() == known.keys()
    for view, states in found.items():
        total = sum(known[view].values())
        assert states == pytest.approx({state: weight / total for state, weight in known[view].items()})


def test_an_open_choice_that_only_some_cards_allow_reveals_only_those() -> None:
    game = komi.find(GAMES["high_card"][0])
    rules = game.default_rules
    game = game.under(rules)
    sets = information_sets(game, rules)
    state = game.module.State
    after_bet, after_pass = sets[state(1, 0, 2, 0)], sets[state(1, 0, 1, 0)]
    assert after_bet == pytest.approx({state(1, rival, 2, 0): 1 / 3 for rival in (2, 3, 4)})
    assert after_pass == pytest.approx({state(1, rival, 1, 0): 1 / 2 for rival in (2, 3)})


def test_a_game_with_too_many_states_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_NODES", 100)
    game = komi.find("skunk")
    with pytest.raises(SolveError, match="komi works it out for games of at most 100 states"):
        information_sets(game, game.rules({"goal": 60}))
