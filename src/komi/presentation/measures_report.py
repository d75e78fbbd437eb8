"""The text and JSON output of `komi measure`."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from komi.measures.ladder import Ladder
from komi.measures.measure import NAMES, Measures
from komi.measures.restriction import Restriction, StrategyChain
from komi.presentation.formatting import TextReport, format_percent

CHOICE = ("decisions", "legal_actions", "near_best", "random_loss", "narrowness")
CHANCES = ("first", "unfairness", "comeback", "decisive", "random_loss", "narrowness", "luck")
"""Measures that are shown as percentages."""
ENDINGS = {
    "optimal": "the last policy cannot be beaten",
    "cycle": "the last policy has occurred before",
    "unfinished": "the chain goes on",
}


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


def skill_json(ladder: Ladder | None, prices: Sequence[Restriction], chains: Sequence[StrategyChain]) -> dict[str, Any]:
    """Return the requested results on skill as `komi measure --json` prints them."""
    found: dict[str, Any] = {}
    if ladder:
        found["ladder"] = {
            "names": list(ladder.names),
            "first": ladder.first.tolist(),
            "win_rates": ladder.win_rates.tolist(),
            "skill_depth": ladder.skill_depth,
            "skill_share": ladder.skill_share.value,
            "relative_skill": ladder.relative_skill.value,
            "error_bound": ladder.error_bound,
        }
    if prices:
        found["restricted"] = [
            {
                "restriction": price.name,
                "first": price.first.value,
                "second": price.second.value,
                "error_bound": max(price.first.error, price.second.error),
            }
            for price in prices
        ]
    if chains:
        found["chains"] = [{**asdict(chain), "win_rates": list(chain.win_rates)} for chain in chains]
    return found


def skill_text(
    ladder: Ladder | None, prices: Sequence[Restriction], chains: Sequence[StrategyChain]
) -> list[TextReport]:
    """Format the requested results on skill as `komi measure` prints them."""
    reports = []
    if ladder:
        rows = [
            (name, *(f"{100 * rate:.2f} %" for rate in rates))
            for name, rates in zip(ladder.names, ladder.win_rates.tolist(), strict=True)
        ]
        footer = [
            f"Skill depth {ladder.skill_depth}: so many steps of this ladder win 55 % or more.",
            f"Policies drawn from the ladder explain {100 * ladder.skill_share.value:.1f} % of the variance of the "
            f"result; the rest is luck. Relative skill: at least {ladder.relative_skill.value:.3f}.",
        ]
        reports.append(TextReport(columns=("wins against", *ladder.names), rows=rows, footer=footer))
    if prices:
        rows = [(each.name, format_percent(each.first.value), format_percent(each.second.value)) for each in prices]
        reports.append(TextReport(columns=("one player is restricted", "first loses", "second loses"), rows=rows))
    for chain in chains:
        rates = ", ".join(format_percent(rate) for rate in chain.win_rates) or "none"
        ending = ENDINGS[chain.ending]
        line = f"Best responses from {chain.policy} on, each winning against the one before: {rates}; {ending}."
        reports.append(TextReport(lines=[line]))
    return reports
