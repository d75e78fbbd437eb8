"""`komi spread-total`: find the best split to spread a total over several rules."""

from typing import Annotated

import typer

from komi.cli.app import GameArgument, JsonOption, SetOption, WorkersOption, chosen
from komi.cli.commands import command
from komi.cli.output import bars, console, plain_table, print_json, warn
from komi.design.spread_total import Spread
from komi.design.spread_total import spread_total as spread_over
from komi.presentation.design_json import spread_json
from komi.presentation.formatting import state_proof, weakest_hints
from komi.rounding import format_bound

SHOWN = 10  # ways to print


@command("spread-total")
def spread_total(
    game: GameArgument,
    over: Annotated[
        str, typer.Option("--over", metavar="NAME,NAME,...", help="The rules whose values add up to the total.")
    ],
    total: Annotated[int, typer.Option("--total", metavar="N", help="The total.")],
    aim: Annotated[
        str, typer.Option("--aim", metavar="AIM", help="Maximize ('most') or minimize ('least') the value.")
    ] = "most",
    at_least: Annotated[int, typer.Option("--at-least", metavar="N", help="The smallest value of each rule.")] = 1,
    workers: WorkersOption = None,
    settings: SetOption = None,
    as_json: JsonOption = False,
) -> None:
    """Solve a game for every split to spread a total over some of its rules, and show the best."""
    found, rules = chosen(game, settings)
    names = [name.strip() for name in over.split(",")]
    with bars() as progress:
        solution = spread_over(
            found, names, total, aim=aim, at_least=at_least, workers=workers, progress=progress, notice=warn, **rules
        )
    if as_json:
        print_json(spread_json(solution, rules))
    else:
        _show(solution)


def _show(solution: Spread) -> None:
    table = plain_table(*solution.over, solution.objective)
    for place, split in enumerate(solution.splits[:SHOWN]):
        style = "bold" if place < len(solution.best) else None
        table.add_row(*map(str, split.numbers), f"{split.value:.9g}", style=style)
    out = console()
    out.print(table)
    last = solution.splits[-1]
    out.print(f"\n{len(solution.splits):,} ways; the worst is {', '.join(map(str, last.numbers))}: {last.value:.9g}.")
    largest = max(split.error_bound for split in solution.splits)
    hints = weakest_hints(split.hints for split in solution.splits)
    out.print(state_proof(f"no value is off by more than {format_bound(largest)}", hints))
