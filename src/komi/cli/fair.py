"""`komi fair`: find the komi that makes a game fair."""

from math import isnan
from typing import Annotated

import typer

from komi.cli.app import GameArgument, JsonOption, SetOption, chosen
from komi.cli.commands import command
from komi.cli.output import bars, console, plain_table, print_json, warn
from komi.design.fair import Fair
from komi.design.fair import fair as find_fair
from komi.design.openings import Opening
from komi.presentation.design_json import fair_json
from komi.presentation.formatting import (
    AN_EQUILIBRIUM,
    format_proof,
    format_range,
    value_cells,
    value_heading,
    weakest_hints,
)
from komi.rules.kind import kind_of
from komi.rules.vocabulary import ACTION_COUNT_NOTE


@command("fair")
def fair(
    game: GameArgument,
    max_komi: Annotated[float | None, typer.Option("--max-komi", metavar="N", help="The largest komi to try.")] = None,
    step: Annotated[float | None, typer.Option("--step", metavar="S", help="The step from komi to komi.")] = None,
    settings: SetOption = None,
    as_json: JsonOption = False,
) -> None:
    """Find the komi, points for the second player, that makes a game fair; with more players, the fairest."""
    found, rules = chosen(game, settings)
    with bars() as progress:
        solution = find_fair(found, max_komi, step=step, progress=progress, notice=warn, **rules)
    if as_json:
        print_json(fair_json(solution))
    else:
        _show(solution)


def _show(solution: Fair) -> None:
    kind = kind_of(solution.game, solution.rules)
    later = [f"player {seat}" for seat in range(2, kind.seats + 1)] if kind.seats > 2 else []
    table = plain_table("komi", value_heading(kind, "first player"), *later, "from fair", "expected actions")
    for komi, opening in solution.rows:
        style = "bold" if komi == solution.best else None
        table.add_row(str(komi), *value_cells(kind, opening), _length(opening), style=style)
    out = console()
    out.print(table)
    proved = max(opening.error_bound for opening in solution.table)
    out.print(f"\n{ACTION_COUNT_NOTE}")
    if later:
        out.print(AN_EQUILIBRIUM)
    hints = weakest_hints(opening.hints for opening in solution.table)
    out.print(f"Fairest with komi {solution.best}. {format_proof(kind, proved, hints)}")


def _length(opening: Opening) -> str:
    """Format the expected number of actions, with its range over all optimal policies."""
    if isnan(opening.expected_actions):
        return ""
    length = f"{opening.expected_actions:.3f}"
    if opening.expected_actions_range is None:
        return length
    return f"{length} ({format_range(*opening.expected_actions_range)})"
