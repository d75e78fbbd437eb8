"""Every built-in game tells how it is played."""

from pathlib import Path

import pytest

from komi.errors import GameError
from komi.rules import catalog

import rulefiles

WORDS_A_MINUTE = 200


@pytest.mark.parametrize("name", catalog.names())
def test_rules_are_reported_with_an_example_in_about_a_minute(name: str) -> None:
    game = catalog.find(name)
    essence, *more = game.how_to_play(game.default_rules)
    assert len(essence.split()) <= 45
    assert [part.startswith("Example: ") for part in more] == [False] * (len(more) - 1) + [True]
    assert 50 <= sum(len(part.split()) for part in (essence, *more)) <= WORDS_A_MINUTE


def test_rules_are_reported_with_the_numbers_that_are_played_with() -> None:
    game = catalog.find("pig")
    assert "First to 25 points wins" in game.how_to_play(game.rules({"goal": 25}))[0]
    lights = catalog.find("traffic-lights")
    assert "strip" not in "".join(lights.how_to_play(lights.default_rules))
    assert "strip" in "".join(lights.how_to_play(lights.rules({"version": 3})))


def test_traffic_lights_says_that_pressing_again_turns_red_to_orange_to_green() -> None:
    game = catalog.find("traffic-lights")
    assert "pressing a square again turns red to orange to green" in game.how_to_play(game.default_rules)[0]


def test_rules_that_are_not_text_are_refused_in_a_sentence(tmp_path: Path) -> None:
    file = rulefiles.write(tmp_path)
    file.write_text(file.read_text() + "\n\ndef how_to_play(rules):\n    return 3\n")
    game = catalog.find(str(file))
    with pytest.raises(GameError, match=r"'how_to_play' returns 3, not a text\.$"):
        game.how_to_play(game.default_rules)
