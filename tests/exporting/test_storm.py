"""Storm, an independent model checker, confirms komi's values in exact arithmetic from both seats."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from komi.exporting.export_model import export_model
from komi.solvers.solve import solve

stormpy = pytest.importorskip("stormpy", reason="pip install stormpy")
pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]

GAMES: list[tuple[str, dict[str, Any]]] = [
    ("pig", {"goal": 30}),
    ("fowl-play", {"goal": 12, "wolves": 3, "chickens": 9}),
    ("red-light", {"goal": 10}),
]
FIXED = ((1, "Pmin"), (2, "Pmax"))  # with this seat's policy fixed, what the other can do at most


def check(model: Any, formula: str) -> Fraction:
    found = stormpy.model_checking(model, stormpy.parse_properties(formula)[0])
    return Fraction(str(found.get_value(model.initial_states[0])))


@pytest.mark.parametrize(("game", "rules"), GAMES)
def test_storm_confirms_the_value_from_both_seats(game: str, rules: dict[str, Any], tmp_path: Path) -> None:
    solution = solve(game, **rules)
    for seat, operator in FIXED:
        export_model(game, tmp_path / "model.umb", fix={seat: "optimal"}, **rules)
        model = stormpy.build_model_from_umb(tmp_path / "model.umb")
        value = check(model, f'{operator}=? [F "first_wins"]')
        assert abs(value - Fraction(solution.value())) <= solution.error_bound
        assert check(model, f'R{{"payoff"}}{operator[1:]}=? [C]') == value


def test_storm_reads_all_formats(tmp_path: Path) -> None:
    value = solve("piglet", goal=6).value()
    for suffix in (".umb", ".drn", ".prism"):
        file = tmp_path / f"model{suffix}"
        export_model("piglet", file, fix={1: "optimal"}, goal=6)
        match suffix:
            case ".umb":
                model = stormpy.build_model_from_umb(file)
            case ".drn":
                model = stormpy.build_model_from_drn(file)
            case _:
                model = stormpy.build_model(stormpy.parse_prism_program(file))
        assert float(check(model, 'Pmin=? [F "first_wins"]')) == pytest.approx(value, abs=1e-5)


def test_storm_reads_games_of_two_players(tmp_path: Path) -> None:
    for suffix in (".umb", ".prism"):
        export_model("piglet", tmp_path / f"model{suffix}", goal=4)
    game = stormpy.build_model_from_umb(tmp_path / "model.umb")
    other = stormpy.build_model(stormpy.parse_prism_program(tmp_path / "model.prism"))
    assert "Smg" in type(game).__name__
    assert "Smg" in type(other).__name__
    assert (game.nr_states, game.nr_transitions) == (other.nr_states, other.nr_transitions)
