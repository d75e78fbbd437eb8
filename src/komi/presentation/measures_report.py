"""The text and JSON output of `komi measure`."""

from typing import Any

from komi.measures.measure import NAMES, Measures
from komi.presentation.formatting import TextReport, format_percent

CHOICE = ("decisions", "legal_actions", "near_best", "random_loss", "narrowness")
CHANCES = ("first", "unfairness", "comeback", "decisive", "random_loss", "narrowness", "luck")
"""Measures that are shown as percentages."""


def measures_json(measures: Measures) -> dict[str, Any]:
    """Return the measures as `komi measure --json` prints them."""
    values = {name: number.value for name, number in measures.numbers.items()}
    choice = {name: values.pop(name, None) for name in CHOICE}
    return {
        "game": measures.game.name,
        "rules": measures.rules._asdict(),
        "policies": list(measures.policies),
        "comeback_at": measures.comeback_at,
        "decided_at": measures.decided_at,
        "pace": measures.pace,
        "error_bound": measures.error_bound,
        "measures": {**values, "luck": values.get("luck"), "choice": choice},
        "error_bounds": {name: number.error for name, number in measures.numbers.items()},
    }


def measures_text(measures: Measures) -> TextReport:
    """Format the measures as `komi measure` prints them."""
    rows = [(NAMES[name], format_measure(name, number.value)) for name, number in measures.numbers.items()]
    return TextReport(
        lines=[*measure_sentences(measures), ""],
        columns=(f"{measures.policies[0]} against {measures.policies[1]}", ""),
        rows=rows,
        footer=[
            f"A comeback is from {100 * measures.comeback_at:g} % or less; a game is decided at "
            f"{100 * measures.decided_at:g} %; an action takes {measures.pace:g} seconds.",
            f"Proved: no measure is off by more than {measures.error_bound:.1e}.",
        ],
    )


def measure_sentences(measures: Measures) -> list[str]:
    """Say in plain words how exciting a game is."""
    changes, comeback, left = measures["lead_changes"], measures["comeback"], measures["decisive"]
    low = f"{100 * measures.comeback_at:g} %"
    never = f"the winner never had {low} or less"
    sentences = [
        f"The lead changes {changes:.1f} times; "
        + (f"the winner once had {low} or less in one game of {1 / comeback:.3g}." if comeback > 0.0 else f"{never}."),
        f"A game takes {measures['minutes']:.1f} minutes, and is decided with {100 * left:.0f} % of the moves to play.",
    ]
    if "random_loss" in measures.numbers and measures["decisions"] > 0.0:
        loss = 100 * measures["random_loss"]
        sentences.append(
            f"A decision is between {measures['legal_actions']:.3g} actions, of which {measures['near_best']:.3g} are "
            f"about equally good; choosing at random costs {loss:.2f} % of winning."
        )
    return sentences


def format_measure(name: str, value: float) -> str:
    """Format a measure: a percentage if it is a chance or a share."""
    return format_percent(value) if name in CHANCES else f"{value:.4f}"
