"""What was said of Traffic Lights: that a computer found no winning strategy."""

from komi import catalog
from komi.methods.win_draw_loss.tablebase import solve_tablebase
from komi.reproduce.claim import Claim, Finding


def _first_player() -> Finding:
    game = catalog.find("traffic-lights")
    lights = solve_tablebase(game, game.default_rules)
    note = (
        f"{lights.value()} for the first player in {lights.plies()} plies, first move {lights.best()}: take the "
        "centre, then complete a line if possible, else move opposite to the other player; a test plays this out "
        "against all replies"
    )
    outcome = {"win": "first player wins", "loss": "second player wins", "draw": "no winning strategy"}
    return Finding(outcome[lights.value()], note)


CLAIMS = (
    Claim(
        "traffic-lights",
        "TL",
        "Traffic Lights, 3x3: what a computer found",
        "no winning strategy",
        _first_player,
        disputed=True,
    ),
)
