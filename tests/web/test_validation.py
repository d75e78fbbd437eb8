"""Whatever is wrong with a request, it is said in one plain sentence."""

import unicodedata
from typing import Any

import pytest

from playing import Server


@pytest.mark.parametrize(
    ("body", "sentence"),
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
def test_wrong_field_is_named_with_what_it_takes(server: Server, body: Any, sentence: str) -> None:
    assert server.visitor().request("POST", "/games", json=body) == (422, {"error": sentence})


def test_a_blank_name_is_empty(server: Server) -> None:
    status, answer = server.visitor().request("POST", "/rooms/join", json={"code": "two words", "name": "  "})
    assert (status, answer["error"]) == (422, "The field 'name' is empty.")


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("  Ann   B ", "Ann B"),
        ("Ann\u00a0\u2003B", "Ann B"),
        ("Ame\u0301lie", "Am\u00e9lie"),
        ("Nguye\u0302\u0303n", "Nguy\u1ec5n"),
        ("\u05e9\u05b8\u05c1\u05e8\u05b8\u05d4", "\u05e9\u05b8\u05c1\u05e8\u05b8\u05d4"),
        ("\u0e1b\u0e35\u0e48", "\u0e1b\u0e35\u0e48"),
        ("Ann \U0001f3b2", "Ann \U0001f3b2"),
        ("", ""),
    ],
)
def test_names_are_normalized(server: Server, name: str, kept: str) -> None:
    ann = server.visitor()
    assert ann.request("PUT", "/me", json={"name": name})[0] == 200
    assert (ann.get("/me")["name"] or "") == unicodedata.normalize("NFC", kept)


@pytest.mark.parametrize(
    "name",
    [
        "\u200b",
        "\u200b\u200d\ufeff",
        "Ann\u202enna",
        "Ann\u2066B",
        "A\nB",
        "A\u2028B",
        "\u3164",
        "\u2800",
        "\ue000",
        "\u0301Ann",
        "A" + "\u0338\u031b\u0332\u0316",
        "\U000e0041",
    ],
)
def test_invisible_and_misleading_names_are_refused(server: Server, name: str) -> None:
    ann = server.visitor()
    status, answer = ann.request("PUT", "/me", json={"name": name})
    assert (status, answer["error"].partition(":")[0]) == (422, "The field 'name'")
    status, answer = ann.request("POST", "/games", json=ann.game_request("piglet", None, names=["Ann", name]))
    assert (status, answer["error"].partition(":")[0]) == (422, "The field 'names.1'")
    assert ann.get("/me")["name"] is None


@pytest.mark.parametrize(
    ("place", "sentence"),
    [
        ("/games/zz", "There is no such game: part of the link may be missing."),
        ("/rooms/x/board.csv", "This link is not valid: part of it may be missing."),
        ("/watch/zz", "This link is not valid: part of it may be missing."),
    ],
)
def test_link_that_is_cut_off_is_called_one(server: Server, place: str, sentence: str) -> None:
    assert server.visitor().request("GET", place) == (422, {"error": sentence})
