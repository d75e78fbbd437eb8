"""Strategies found by simulation play the same games on a graphics processor: here in numba's simulator."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import komi
from komi.errors import InputError
from komi.policies.policy import UniformPolicy
from komi.rules import catalog
from komi.teaching.simulated.observed_quantities import ObservedQuantities
from komi.teaching.simulated.orders import Criterion, Preferences
from komi.teaching.simulated.paired_games import PairedGames
from komi.teaching.simulated.preference_policy import RankingPolicy

pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered")
TWO_CARDS = str(Path(__file__).parents[1] / "teaching" / "planted_ranking.py")


@pytest.mark.parametrize(
    ("name", "changed", "deals"), [(TWO_CARDS, {}, (3, 20)), ("red7", {"players": 2, "hand": 4}, (0, 2))]
)
def test_games_are_those_of_the_processor(name: str, changed: dict[str, int], deals: tuple[int, int]) -> None:
    game = catalog.find(name)
    rules = game.rules(changed)
    game, seats = game.under(rules), game.players(rules)
    table = ObservedQuantities.of(game, rules)
    quantity = max(table.results, key=str)
    learners = [RankingPolicy(Preferences((), (Criterion(quantity, sign),)), table, game, seats) for sign in (1, -1)]
    played = [
        [games.play(policy, deals) for policy in (*learners, UniformPolicy())]
        for games in (
            PairedGames(game, rules, learners[0], [UniformPolicy(), learners[1]], 1, print, device)
            for device in ("cpu", "gpu")
        )
    ]
    np.testing.assert_array_equal(*played)


def test_device_is_refused_where_no_games_are_played(tmp_path: Path, run: Any) -> None:
    with pytest.raises(InputError, match="the device is 'cpu' or 'gpu', not 'tpu'"):
        komi.teach_by_simulation(TWO_CARDS, tmp_path / "card.py", device="tpu")
    failed = run("teach", "piglet", "--set", "goal=3", "--device", "gpu", "-o", tmp_path / "card.py")
    assert "piglet is solved, and no games are played: --device gpu is for --against POLICY" in failed.err
