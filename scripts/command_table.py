"""Writes the table of `docs/write-your-own-game.md`: which command supports which kind of game, and why others do not.

    python scripts/command_table.py

The cells come from `komi.presentation.command_support`, whose checks are those with which the commands refuse games.
"""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from komi.presentation.command_support import COMMANDS, refusal
from komi.rules import catalog
from komi.rules.kind import Kind, kind_of

PROJECT = Path(__file__).parents[1]
PAGE = PROJECT / "docs" / "write-your-own-game.md"
TINY = str(PROJECT / "tests" / "docs" / "hop.py")
BEGIN, END = "<!-- commands: written by scripts/command_table.py -->\n", "<!-- commands: end -->\n"
EXAMPLES: Mapping[str, tuple[str, Mapping[str, int]]] = {
    "one player": (TINY, {"players": 1}),
    "two, with chance": (TINY, {}),
    "two, without chance": (TINY, {"chance": 0}),
    "two at the same time": ("skunk", {"goal": 4}),
    "three and more": (TINY, {"players": 3}),
    "hidden information": (TINY, {"hidden": 1}),
}
"""A tiny game of each kind: its name or file, and its rules."""


def example_kind(column: str) -> Kind:
    """Return the kind of game of a column."""
    name, rules = EXAMPLES[column]
    game = catalog.find(name)
    return kind_of(game, game.rules(rules))


def table() -> str:
    """Write the table, and the sentences of the commands that refuse a kind."""
    kinds = {column: replace(example_kind(column), name="the game") for column in EXAMPLES}
    lines = [f"| | {' | '.join(EXAMPLES)} |", "|---" * (1 + len(EXAMPLES)) + "|"]
    refusals: dict[tuple[str, str], list[str]] = {}
    for command in COMMANDS:
        sentences = {column: refusal(command, kind) for column, kind in kinds.items()}
        lines.append(f"| `{command}` | {' | '.join('no' if each else 'yes' for each in sentences.values())} |")
        for column, sentence in sentences.items():
            if sentence:
                refusals.setdefault((column, sentence), []).append(f"`{command}`")
    lines += ["", "What the commands say where they refuse a game:", ""]
    for (column, sentence), commands in sorted(refusals.items(), key=lambda each: list(EXAMPLES).index(each[0][0])):
        lines.append(f"- *{column}*, {', '.join(commands)}: {sentence}")
    return "\n".join(lines) + "\n"


def page() -> str:
    """Return the page with the table as it is now."""
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    return f"{before}{BEGIN}\n{table()}\n{END}{rest.partition(END)[2]}"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
