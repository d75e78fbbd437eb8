"""The output of `komi solve` and `komi value` where the value depends on what an endless game counts."""

from dataclasses import asdict
from typing import Any

from komi.presentation.formatting import TextReport, format_proof, format_value, value_heading
from komi.presentation.solution_text import format_settings
from komi.proof.endless import EndlessValues

HEADING = "an endless game counts"


def endless_solution_json(values: EndlessValues, reason: str) -> dict[str, Any]:
    """Return both values of a game as `komi solve --json` prints them, with the reason why there is no single one."""
    return {
        "game": values.game.name,
        "rules": values.rules._asdict(),
        "states": values.states,
        **_both(values, reason),
        "seconds": asdict(values.seconds),
    }


def endless_state_json(values: EndlessValues, reason: str) -> dict[str, Any]:
    """Return both values of a state and of its actions as `komi value --json` prints them, and the reason."""
    return {
        "game": values.game.name,
        "rules": values.rules._asdict(),
        "state": values.game.shown(values.rules, values.state),
        **_both(values, reason),
        "actions": None,
        "best": None,
    }


def endless_solution_text(values: EndlessValues, reason: str) -> TextReport:
    """Format both values of a game, and the reason why there is no single one, as `komi solve` prints them."""
    lines = [format_settings(values.rules), "", f"{reason[0].upper()}{reason[1:]}", ""]
    size = f"{values.states:,} state{'s' * (values.states != 1)}, solved in {values.seconds.solve:.2f} s."
    report = _table(values, values.game.summary, lines, "the first player")
    return TextReport(report.title, report.lines, report.columns, report.rows, [*report.footer, size])


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
    return TextReport(title, lines, (HEADING, heading, *actions), rows, [format_proof(kind, values.error_bound)])


def _both(values: EndlessValues, reason: str) -> dict[str, Any]:
    return {
        "value": None,
        "error_bound": values.error_bound,
        "endless": [asdict(values.lost), asdict(values.won)],
        "reason": reason,
    }
