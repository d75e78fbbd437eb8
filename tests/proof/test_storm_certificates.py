"""Storm, an independent model checker, confirms what certificates prove, with the policy of either seat fixed."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import komi

stormpy = pytest.importorskip("stormpy", reason="pip install stormpy")
pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]

GAMES: list[tuple[str, dict[str, Any]]] = [
    ("pig", {"goal": 20}),
    ("fowl-play", {"goal": 8, "wolves": 3, "chickens": 9}),
    ("red-light", {"goal": 6}),
]
FIXED = ((1, "Pmin"), (2, "Pmax"))  # with this seat's policy fixed, what the other can do at most


@pytest.mark.parametrize(("game", "rules"), GAMES)
def test_storm_confirms_the_interval_of_a_certificate(game: str, rules: dict[str, Any], tmp_path: Path) -> None:
    komi.prove(game, tmp_path / "game.cert", **rules)
    verified = komi.verify(tmp_path / "game.cert")
    assert verified.lower is not None
    assert verified.upper is not None
    for seat, operator in FIXED:
        komi.export_model(game, tmp_path / "model.umb", fix={seat: "optimal"}, **rules)
        model = stormpy.build_model_from_umb(tmp_path / "model.umb")
        [formula] = stormpy.parse_properties(f'{operator}=? [F "first_wins"]')
        found = Fraction(str(stormpy.model_checking(model, formula).get_value(model.initial_states[0])))
        assert verified.lower <= found <= verified.upper
