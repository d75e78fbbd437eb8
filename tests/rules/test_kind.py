"""What kind of game a rule set makes."""

from pathlib import Path

import pytest

import komi
from komi.measures.measure import check_kind
from komi.rules import catalog
from komi.rules.kind import kind_of

LATE = Path(__file__).parents[1] / "games" / "late_secret.py"


@pytest.mark.parametrize(("name", "choices"), [("yahtzee", True), ("pig", True), ("risk-battle", False)])
def test_choices_are_seen_behind_a_roll_of_many_results(name: str, choices: bool) -> None:
    game = catalog.find(name)
    assert kind_of(game, game.default_rules).choices is choices


@pytest.mark.parametrize(
    ("name", "rules", "hides"),
    [
        ("pig", {}, "nothing"),
        ("skunk", {}, "choices"),
        (LATE, {"faces": 10}, "more"),
        (LATE, {"faces": 150}, "unknown"),
    ],
)
def test_first_states_that_hide_nothing_do_not_show_what_later_ones_hide(
    name: str, rules: dict[str, int], hides: str
) -> None:
    game = catalog.find(str(name))
    assert kind_of(game, game.rules(rules)).hides == hides


def test_a_game_that_may_hide_something_is_refused_with_just_that() -> None:
    game = catalog.find(str(LATE))
    with pytest.raises(komi.SolveError, match="in late-secret players may not see everything"):
        check_kind(kind_of(game, game.default_rules))


def test_an_aim_is_that_of_one_player_alone(tmp_path: Path) -> None:
    file = tmp_path / "race.py"
    file.write_text(Path(catalog.find("piglet").file).read_text() + '\naim = "least"\n')
    race = komi.solve(file, goal=5)
    assert (race.kind.aim, race.best()) == ("most", komi.solve("piglet", goal=5).best())
