"""Whatever is wrong with a request, it is said in one plain sentence."""

from typing import Any

import pytest

from playing import Server


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        (
            {"game": "pig", "opponent": "Hold at 20"},
            "Opponent must be an opponent's name, such as hard or hold-at:20, in lower case and without spaces.",
        ),
        ({"game": "Pig!"}, "Game must be the name of a game, such as red-light."),
        ({"game": "pig", "rules": {"goal": []}}, "The rule 'goal' must be a number, a word, or true or false."),
        ({"game": "pig", "seat": "x"}, "The field 'seat' must be 'first', 'second' or 'either'."),
        ({"game": 3}, "The field 'game' must be a text."),
        ({}, "The field 'game' is missing."),
        ({"game": "pig", "zz": 1}, "There is no field 'zz' here."),
        ({"game": "pig", "opponent": ""}, "The field 'opponent' is empty."),
        ([], "The request must be an object."),
    ],
)
def test_wrong_field_is_named_with_what_it_takes(server: Server, asked: Any, sentence: str) -> None:
    assert server.visitor().ask("POST", "/games", json=asked) == (422, {"error": sentence})


@pytest.mark.parametrize(
    ("place", "sentence"),
    [
        ("/games/zz", "There is no such game: part of the link may be missing."),
        ("/watch/zz", "This link is not valid: part of it may be missing."),
    ],
)
def test_link_that_is_cut_off_is_called_one(server: Server, place: str, sentence: str) -> None:
    assert server.visitor().ask("GET", place) == (422, {"error": sentence})
