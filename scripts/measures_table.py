"""Writes the table of `docs/measures.md`: the measures of optimal play in the built-in games for two players.

python scripts/measures_table.py
"""

from collections.abc import Mapping
from pathlib import Path

import komi
from komi.errors import KomiError
from komi.rules import catalog
from komi.rules.kind import kind_of

PAGE = Path(__file__).parents[1] / "docs" / "measures.md"
BEGIN, END = "<!-- measures: written by scripts/measures_table.py -->\n", "<!-- measures: end -->\n"
RULES: Mapping[str, Mapping[str, object]] = {
    "farkle": {"goal": 1000},
    "royal-game-of-ur": {"pieces": 1},
    "ten-thousand": {"goal": 1000},
    "yahtzee": {"players": 2},
}
"""Games that have too many states inside a roll, or are not for two players, under their usual rules."""
COLUMNS: Mapping[str, tuple[str, str]] = {
    "first player": ("first", "%"),
    "minutes": ("minutes", ".1f"),
    "suspense": ("suspense", ".2f"),
    "surprise": ("surprise", ".2f"),
    "suspense a minute": ("suspense_per_minute", ".3f"),
    "lead changes": ("lead_changes", ".2f"),
    "drama": ("drama", ".2f"),
    "drama a move": ("mean_drama", ".4f"),
    "comeback": ("comeback", "%"),
    "decisive": ("decisive", "%"),
    "decisions": ("decisions", ".1f"),
    "actions": ("legal_actions", ".2f"),
    "near best": ("near_best", ".2f"),
    "random loss": ("random_loss", "%"),
    "narrowness": ("narrowness", ".2f"),
}


def table() -> str:
    """Measure all games for two players; list the reasons of those that have no measures."""
    lines = ["| game |" + "".join(f" {head} |" for head in COLUMNS), "|---|" + "---:|" * len(COLUMNS)]
    refusals = []
    for name in sorted(catalog.names()):
        game, settings = catalog.find(name), RULES.get(name, {})
        rules = game.rules(settings)
        if kind_of(game.under(rules), rules).seats != 2:
            continue
        try:
            measures = komi.measure(name, **settings)
        except KomiError as error:
            refusals.append(f"- `{name}`: {error}")
            continue
        cells = [_format(measures[key], form) if key in measures.numbers else "" for key, form in COLUMNS.values()]
        changed = "".join(f", {rule} {value}" for rule, value in settings.items())
        lines.append(f"| `{name}`{changed} | {' | '.join(cells)} |")
    return "\n".join([*lines, "", "Without measures:", "", *refusals]) + "\n"


def _format(value: float, form: str) -> str:
    return f"{100 * value:.2f} %" if form == "%" else f"{value:{form}}"


def main() -> None:
    """Write the table into the page."""
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    PAGE.write_text(f"{before}{BEGIN}\n{table()}\n{END}{rest.partition(END)[2]}", encoding="utf-8")


if __name__ == "__main__":
    main()
