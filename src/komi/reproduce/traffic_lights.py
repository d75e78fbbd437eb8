"""What was said of Traffic Lights: that a computer found no winning strategy."""

from typing import Any

from komi import catalog
from komi.progress import Progress, silent
from komi.solver.tablebase import solve_tablebase


def claims(progress: Progress = silent) -> list[dict[str, Any]]:
    """The claims as `komi reproduce` prints them: `id`, `source`, `published`, `ours`, `agrees`, `note`."""
    game = catalog.find("traffic-lights")
    lights = solve_tablebase(game, game.default_rules, progress=progress)
    return [
        {
            "id": "traffic-lights",
            "source": "A. Parr, Traffic Lights, NRICH",
            "published": "a computer found no winning strategy on 3x3 squares",
            "ours": f"{lights.value()} for the first player in {lights.plies()} plies, first move {lights.best()}",
            "agrees": lights.value() == "draw",
            "note": "The first player wins: the centre, then complete a line if possible, else move opposite to the "
            "other player; tests/games/test_traffic_lights.py plays this against every reply.",
        }
    ]
