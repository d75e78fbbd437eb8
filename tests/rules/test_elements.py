"""Sets whose elements have names are read and written by them."""

from pathlib import Path

import pytest

import komi
from komi.game import CHANCE

TILES = Path(__file__).parents[1] / "games" / "tiles.py"


def test_sets_are_read_and_written_by_names() -> None:
    game = komi.find(str(TILES))
    rules = game.default_rules
    state = game.read(rules, "tiles=1 4,throw=1")
    assert state == (0b1001, 1)
    assert game.write(rules, state) == "tiles=1 4,throw=1"
    assert game.shown(rules, state) == {"tiles": "1 4", "throw": 1}
    assert game.read(rules, game.shown(rules, state)) == state
    assert game.read(rules, {"tiles": 9, "throw": 1}) == game.read(rules, "tiles=4 1,throw=1") == state
    assert game.read(rules, "tiles=none").tiles == 0
    assert game.text(rules, "tiles", 0) == "none"


def test_names_of_elements_depend_on_the_rules() -> None:
    game = komi.find(str(TILES))
    assert game.elements(game.rules({"tiles": 2})) == {"tiles": ("1", "2")}
    assert game.write(game.rules({"tiles": 2}), game.read(game.rules({"tiles": 2}), "tiles=2")) == "tiles=2,throw=0"


def test_a_game_with_a_target_names_the_elements() -> None:
    game = komi.find(f"{TILES}:at-least")
    assert game.write(game.default_rules, game.part("start")(game.default_rules)).startswith("tiles=1 2 3 4,")


def test_an_unknown_element_is_refused() -> None:
    game = komi.find(str(TILES))
    sentence = "field 'tiles' of a state of tiles must be a set of 1, 2, 3, 4, such as '1 2', not '1 7'"
    with pytest.raises(komi.InputError, match=sentence):
        game.read(game.default_rules, "tiles=1 7")


def test_events_name_the_elements(tmp_path: Path) -> None:
    path = tmp_path / "tiles.py"
    path.write_text(TILES.read_text().replace("State(state.tiles, face), 0", "State(state.tiles & ~face, face), 0"))
    game = komi.find(str(path))
    events = game.events(game.default_rules, game.part("start")(game.default_rules), CHANCE)
    assert [event.label for event in events][2] == "tiles 3 4 and throw 3"


@pytest.mark.parametrize(
    ("new", "sentence"),
    [
        ('{"tile": "1234"}', "'elements' names 'tile', which is not a field of State"),
        ('{"tiles": "1231"}', "each must be one word, without ',', '/' and '=', not 'none', and given once"),
        ('{"tiles": ("1 2",)}', "each must be one word"),
    ],
)
def test_wrong_names_are_refused(tmp_path: Path, new: str, sentence: str) -> None:
    path = tmp_path / "tiles.py"
    old = '{"tiles": [str(tile + 1) for tile in range(rules.tiles)]}'
    assert old in TILES.read_text()
    path.write_text(TILES.read_text().replace(old, new))
    game = komi.find(str(path))
    with pytest.raises(komi.GameError, match=sentence):
        game.elements(game.default_rules)


def test_elements_must_be_a_dict(tmp_path: Path) -> None:
    path = tmp_path / "tiles.py"
    path.write_text(TILES.read_text().replace("def elements(rules):", "elements = 1\n\n\ndef _names(rules):"))
    with pytest.raises(komi.GameError, match="'elements' must be a dict of names for the bits of fields"):
        komi.find(str(path))


@pytest.mark.slow
def test_an_element_without_a_name_is_a_problem(tmp_path: Path) -> None:
    path = tmp_path / "tiles.py"
    path.write_text(TILES.read_text().replace("for tile in range(rules.tiles)]", "for tile in range(3)]"))
    [problem] = komi.check(str(path)).problems
    assert str(problem) == "tiles.py: 'elements' names 3 elements of 'tiles', which is 15 in tiles=15,throw=0."


@pytest.mark.slow
def test_tables_name_the_elements() -> None:
    table = komi.table(str(TILES), y="tiles", x="throw")
    assert [row[0] for row in table.rows] == ["4", "1 4", "2 4", "1 2 4", "3 4", "1 3 4", "2 3 4", "1 2 3 4"]
