"""Leaf correlation, bias and disambiguation of small games are those of all histories."""

from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import Any

import komi
from komi.game import CHANCE
from komi.rules.game import Game
from komi.simulation.hidden_information import HiddenInformation, measure_hidden_information

ROOT = Path(__file__).parents[1]


def measured(file: Path, games: int = 500, **settings: object) -> tuple[Game, Any, HiddenInformation]:
    game = komi.find(file)
    rules = game.rules(settings)
    return game, rules, measure_hidden_information(game, rules, games)


def results(game: Game, rules: Any, state: Any, action: int) -> Counter[float]:
    """Compute the distribution of the mover's payoff after an action followed by random play."""
    total: Counter[float] = Counter()
    for probability, after, passes in game.outcomes(rules, state, action):
        if game.part("over")(rules, after):
            total[game.shares(rules, after)[passes % 2]] += probability
            continue
        actions = list(game.part("legal")(rules, after))
        for reply in actions:
            for share, chance in results(game, rules, after, reply).items():
                total[share if passes % 2 == 0 else 1.0 - share] += probability * chance / len(actions)
    return total


def leaf_correlation(game: Game, rules: Any, state: Any) -> float:
    """Return the probability of equal results at the last choice, from all histories."""
    actions = list(game.part("legal")(rules, state))
    correlation = 0.0
    for action in actions:
        for probability, after, _ in game.outcomes(rules, state, action):
            weight = probability / len(actions)
            if not game.part("over")(rules, after):
                correlation += weight * leaf_correlation(game, rules, after)
            elif action != CHANCE:
                pairs = list(combinations([results(game, rules, state, each) for each in actions], 2))
                equal = sum(one[share] * other[share] for one, other in pairs for share in one)
                correlation += weight * equal / len(pairs)
    return correlation


def test_leaf_correlation_of_kuhn_poker_is_that_of_all_histories() -> None:
    game, rules, found = measured(ROOT.parent / "examples" / "kuhn_poker.py", 4000)
    exact = leaf_correlation(game, rules, game.part("start")(rules))
    assert 0.0 < exact < 0.2
    assert found.leaf_correlation is not None
    assert abs(found.leaf_correlation.mean - exact) < 4 * found.leaf_correlation.stderr


def test_a_bet_rules_out_no_card_of_kuhn_poker() -> None:
    _, _, found = measured(ROOT.parent / "examples" / "kuhn_poker.py")
    assert found.disambiguation is not None
    assert found.disambiguation.mean == 0.0


def test_all_bids_of_goofspiel_become_known() -> None:
    _, _, found = measured(ROOT.parent / "examples" / "goofspiel.py", cards=3)
    assert found.disambiguation is not None
    assert found.disambiguation.mean == 1.0


def test_two_wrong_guesses_have_the_same_result() -> None:
    _, _, found = measured(ROOT / "games" / "guess.py", 2000)
    assert found.leaf_correlation is not None
    assert abs(found.leaf_correlation.mean - 0.5) < 4 * found.leaf_correlation.stderr
    assert [each.mean for each in found.bias] == [0.0, 1.0]
    assert found.disambiguation is None
