"""The part of a report about hidden information: how well search on drawn states should do."""

from html import escape
from typing import Any

from komi.errors import SolveError
from komi.rules.game import Game
from komi.rules.kind import kind_of
from komi.simulation.hidden_information import HiddenInformation, measure_hidden_information
from komi.simulation.result import Estimate
from komi.tabular import html_table

PREDICTION = (
    "Searchers guess what is hidden: they draw states that agree with what a player sees. Such search does well where "
    "leaf correlation or disambiguation is near 1 (Long et al., AAAI 2010)."
)


def compute_hidden_play(game: Game, settings: dict[str, Any]) -> HiddenInformation | str | None:
    """Estimate the properties of hidden information.

    Returns:
        None if nothing is hidden; a sentence if it cannot be drawn.
    """
    rules = game.rules(settings)
    if not kind_of(game, rules).hidden:
        return None
    try:
        return measure_hidden_information(game, rules)
    except SolveError as error:
        return str(error)


def format_hidden_play(found: HiddenInformation | str | None) -> str:
    """Format the section of the report; empty if nothing is hidden."""
    heading = "<h2>Hidden information</h2>"
    if found is None:
        return ""
    if isinstance(found, str):
        return f"{heading}<p>{escape(found)}</p>"
    rows = [
        ("leaf correlation", _format(found.leaf_correlation), "the last choice makes no difference to who wins"),
        *(
            (f"bias to seat {seat}", _format(share), "its share of the win where the last choice makes none")
            for seat, share in enumerate(found.bias, 1)
        ),
        ("disambiguation", _format(found.disambiguation), "a wrong guess is ruled out by the player's next move"),
    ]
    return f"{heading}<p>{PREDICTION}</p>" + html_table(("of random play", "probability", ""), rows)


def _format(estimate: Estimate | None) -> str:
    return "none" if estimate is None else f"{estimate.mean:.3f} ± {estimate.stderr:.3f}"
