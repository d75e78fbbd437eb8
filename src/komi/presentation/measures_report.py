"""The text and JSON output of `komi measure`."""

from collections.abc import Sequence
from typing import Any

from komi.measures.ladder import Ladder
from komi.measures.measure import NAMES, OTHER_NAMES, Measures
from komi.measures.restriction import Restriction, StrategyChain
from komi.presentation.fields import select
from komi.presentation.formatting import TextReport, format_percent
from komi.rounding import format_bound

CHOICE = ("decisions", "legal_actions", "near_best", "random_loss", "narrowness")
CHANCES = ("first", "unfairness", "comeback", "decisive", "narrowness", "luck", "lost_early", "kingmaking")
"""Measures that are shown as percentages."""
RESULTS = ("value", "random_loss")
"""Measures that are shown as percentages unless the game is for points."""
SHORTEST = 0.1  # minutes that are written as a number
COUNTS = ("", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
ENDINGS = {
    "optimal": "the last policy cannot be beaten",
    "cycle": "the last policy has occurred before",
    "unfinished": "the chain continues",
}


def measures_json(measures: Measures) -> dict[str, Any]:
    """Return the measures as `komi measure --json` prints them."""
    values: dict[str, Any] = {name: number.value for name, number in measures.numbers.items()}
    choice = {name: values.pop(name, None) for name in CHOICE}
    if measures.seats:
        values["values"] = [seat.value for seat in measures.seats]
    if measures.objective:
        values["objective"] = measures.objective
    return {
        **select(measures, "game", "rules", "policies", "comeback_at", "decided_at", "pace", "error_bound"),
        "measures": {**values, "luck": values.get("luck"), "choice": choice},
        "error_bounds": {name: number.error for name, number in measures.numbers.items()},
    }


def measures_text(measures: Measures) -> TextReport:
    """Format the measures as `komi measure` prints them."""
    names = {**NAMES, **OTHER_NAMES}
    is_chance = "lead_changes" in measures.numbers
    rows = [
        (f"chance of player {seat} to win", format_percent(each.value)) for seat, each in enumerate(measures.seats, 1)
    ]
    rows += [
        (measures.objective if name == "value" else names[name], format_measure(name, number.value, is_chance))
        for name, number in measures.numbers.items()
        if not (measures.seats and name == "first")
    ]
    footer = f"an action takes {measures.pace:g} seconds."
    if is_chance:
        footer = (
            f"A comeback is from {100 * measures.comeback_at:g} % or less; a game is decided at "
            f"{100 * measures.decided_at:g} %; {footer}"
        )
    return TextReport(
        lines=[*measure_sentences(measures), ""],
        columns=(" against ".join(measures.policies), ""),
        rows=rows,
        footer=[
            footer[0].upper() + footer[1:],
            f"Proved: no measure is off by more than {format_bound(measures.error_bound)}.",
        ],
    )


def measure_sentences(measures: Measures) -> list[str]:
    """Say in plain words how exciting a game is."""
    numbers = measures.numbers
    is_chance = "lead_changes" in numbers
    sentences = [*(_lead_sentences(measures) if is_chance else _score_sentences(measures))]
    if "lost_early" in numbers:
        out_of_reach = "The target is" if is_chance else "The expected result is"
        sentences.append(f"{out_of_reach} out of reach before the last turn {in_how_many(measures['lost_early'])}.")
    if "random_loss" in numbers and measures["decisions"] > 0.0:
        loss = measures["random_loss"]
        sentences.append(
            f"A decision is between {measures['legal_actions']:.3g} actions, of which {measures['near_best']:.3g} are "
            "about equally good; choosing at random costs "
            + (f"{100 * loss:.2f} % of winning." if is_chance else f"{loss:.3g} of the {measures.objective}.")
        )
    if "kingmaking" in numbers:
        often = measures["kingmaker_decisions"]
        sentences.append(
            f"Players who cannot win any more have {often:.3g} decisions in a game, which move the chances of others "
            f"by {100 * measures['kingmaking']:.2f} % in total."
            if often > 0.0
            else "No player who cannot win any more has a decision: there is no kingmaking."
        )
    return sentences


def _lead_sentences(measures: Measures) -> list[str]:
    """Describe the lead, comebacks and the length of a game that is won or lost."""
    changes, comeback = measures["lead_changes"], measures["comeback"]
    low = f"{100 * measures.comeback_at:g} %"
    decided = (
        f"{_time_sentence(measures)}, and it is decided with {100 * measures['decisive']:.0f} % of the moves to play."
    )
    if measures.objective:
        turned = f"the less likely result, at {low} or below, came about {in_how_many(comeback)}."
        return [f"The likelier of success and failure changes {changes:.1f} times; {turned}", decided]
    return [
        f"The lead changes {changes:.1f} times; the winner was once at {low} or below {in_how_many(comeback)}.",
        decided,
    ]


def _score_sentences(measures: Measures) -> list[str]:
    """Describe the spread of the result and the length of a game for points."""
    value, deviation = measures["value"], measures["deviation"]
    spread = f"{measures.objective}: {value:.2f}, with a standard deviation of {deviation:.2f}"
    if "quantile_5" in measures.numbers:
        low, first, third, high = (measures[f"quantile_{percent}"] for percent in (5, 25, 75, 95))
        spread += f"; half of the games end from {first:g} to {third:g}, nine of ten from {low:g} to {high:g}"
    return [f"{spread[0].upper()}{spread[1:]}.", f"{_time_sentence(measures)}."]


def _time_sentence(measures: Measures) -> str:
    """Return a sentence on the time of a game, without its full stop: chance moves alone are not counted as time."""
    minutes = measures["minutes"]
    if minutes == 0.0:
        return "No player takes an action in a game"
    return (
        f"A game takes {minutes:.1f} minutes" if minutes >= SHORTEST else f"A game takes less than {SHORTEST} minutes"
    )


def in_how_many(chance: float) -> str:
    """Say in words in how many games something happens."""
    if chance <= 0.0:
        return "in no game"
    if chance > 0.4:
        return f"in {100 * chance:.0f} % of the games"
    games = round(1.0 / chance)
    return f"in one game of {COUNTS[games] if games < len(COUNTS) else f'{games:,}'}"


def format_measure(name: str, value: float, is_chance: bool = True) -> str:
    """Format a measure: a percentage if it is a chance or a share."""
    is_percentage = name in CHANCES or (is_chance and name in RESULTS)
    return format_percent(value) if is_percentage else f"{value:.4f}"


def skill_json(ladder: Ladder | None, prices: Sequence[Restriction], chains: Sequence[StrategyChain]) -> dict[str, Any]:
    """Return the requested results on skill as `komi measure --json` prints them."""
    found: dict[str, Any] = {}
    if ladder:
        found["ladder"] = {
            **select(ladder, "names", "first", "win_rates", "skill_depth", "error_bound"),
            **select(ladder, skill_share="skill_share.value", relative_skill="relative_skill.value"),
        }
    if prices:
        found["restricted"] = [
            {
                **select(price, restriction="name", first="first.value", second="second.value"),
                "error_bound": max(price.first.error, price.second.error),
            }
            for price in prices
        ]
    if chains:
        found["chains"] = chains
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
