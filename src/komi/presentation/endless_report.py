"""The output of `komi solve` and `komi value` where the value depends on what an endless game counts."""

from dataclasses import replace
from typing import Any

from komi.presentation.fields import select
from komi.presentation.formatting import TextReport, format_proof, format_value, value_heading
from komi.presentation.two_player_report import format_settings
from komi.proof.endless import EndlessValues

HEADING = "an endless game counts"
DECLARE = "A rule file can declare what it counts: see 'endless' in the protocol."


def endless_solution_json(values: EndlessValues, reason: str) -> dict[str, Any]:
    """Return both values of a game as `komi solve --json` prints them, with the reason why there is no single one."""
    return {**select(values, "game", "rules", "states", "seconds"), **_both(values, reason)}


def endless_state_json(values: EndlessValues, reason: str) -> dict[str, Any]:
    """Return both values of a state and of its actions as `komi value --json` prints them, and the reason."""
    state = values.game.shown(values.rules, values.state)
    return {**select(values, "game", "rules"), "state": state, **_both(values, reason), "actions": None, "best": None}


def endless_solution_text(values: EndlessValues, reason: str) -> TextReport:
    """Format both values of a game, and the reason why there is no single one, as `komi solve` prints them."""
    lines = [format_settings(values.rules), "", f"{reason[0].upper()}{reason[1:]}", ""]
    size = f"{values.states:,} state{'s' * (values.states != 1)}, solved in {values.seconds.solve:.2f} s."
    report = _table(values, values.game.summary, lines, "the first player")
    return replace(report, footer=[*report.footer, size])


def endless_state_text(values: EndlessValues, reason: str) -> TextReport:
    """Format both values of a state and of its actions, and the reason, as `komi value` prints them."""
    title = values.game.write(values.rules, values.state)
    return _table(values, title, [f"{reason[0].upper()}{reason[1:]}", ""], "the player to move", *values.lost.actions)


def _table(values: EndlessValues, title: str, lines: list[str], whose: str, *actions: str) -> TextReport:
    """Format a row for what an endless game counts if it is lost, and won, with a column for each action."""
    kind, both = values.kind, (values.lost, values.won)
    heading = values.game.objective(values.rules) if kind.seats == 1 else value_heading(kind, whose)
    rows = [
        (
            f"{each.counts:g}",
            format_value(kind, each.value),
            *(format_value(kind, each.actions[label]) for label in actions),
        )
        for each in both
    ]
    footer = [format_proof(kind, values.error_bound), DECLARE]
    return TextReport(title, lines, (HEADING, heading, *actions), rows, footer)


def _both(values: EndlessValues, reason: str) -> dict[str, Any]:
    return {**select(values, "error_bound"), "value": None, "endless": [values.lost, values.won], "reason": reason}
