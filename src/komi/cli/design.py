"""`komi design`: rule sets whose measures meet targets."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from komi.cli.app import GameArgument, JsonOption, SetOption, WorkersOption, chosen
from komi.cli.commands import command
from komi.cli.output import bars, console, plain_table, print_json, warn, warn_of_rule_sets
from komi.cli.sweep import OutputOption, StoreOption, VaryOption, read_vary
from komi.design.find_rules import BUDGET, DesignRow, RuleSearch, find_rules
from komi.measures.measure import NAMES
from komi.plotting.formats import IMAGES, check_format
from komi.presentation.design_json import design_json
from komi.presentation.measures_report import format_measure
from komi.rounding import format_bound
from komi.tabular import check_table, write_table

SHOWN = 10  # rows to print


@command("design")
def design(
    game: GameArgument,
    vary: VaryOption = None,
    target: Annotated[
        list[str] | None,
        typer.Option(
            "--target",
            metavar="NAME=VALUE[~TOLERANCE]",
            help=f"A measure and its value, or max or min; repeatable: {', '.join(NAMES)}.",
        ),
    ] = None,
    settings: SetOption = None,
    budget: Annotated[
        int, typer.Option("--budget", metavar="N", min=1, help="The most rule sets to measure.")
    ] = BUDGET,
    seed: Annotated[int, typer.Option("--seed", help="The seed of the optimizer.")] = 1,
    output: OutputOption = None,
    store: StoreOption = None,
    workers: WorkersOption = None,
    plot: Annotated[
        Path | None,
        typer.Option("--plot", metavar="FILE", help="Draw the changes around the best rule set: .png, .svg or .pdf."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Measure a game under many rule sets exactly, and list those that come nearest to the targets."""
    found, rules = chosen(game, settings)
    values = read_vary(found, vary or [])
    for path in output or []:
        check_table(path)
    if plot:
        check_format(plot, IMAGES)
    with bars() as progress:
        search = find_rules(
            found,
            values,
            target or [],
            budget=budget,
            seed=seed,
            store=store,
            workers=workers,
            progress=progress,
            notice=warn,
            **rules,
        )
    warn_of_rule_sets(search.game, search.forbidden, search.unsolved, "measured")
    if as_json:
        print_json(design_json(search))
    else:
        _show(search)
    for path in output or []:
        write_table(search.records(), path, "the rows are in the store, so that it can be tried again")
    if plot:
        from komi.plotting.design_plot import draw_design

        draw_design(search, plot)


def _show(search: RuleSearch) -> None:
    out = console()
    _show_rows(search, search.rows[:SHOWN])
    if len(search.rows) > SHOWN:
        out.print(f"... and {len(search.rows) - SHOWN:,} more: --output FILE.csv writes them all.")
    best = search.rows[0]
    missed = [target for target in search.targets if target.miss(best.measures) > 0.0]
    for target in missed:
        out.print(
            f"No measured rule set meets all targets: the nearest misses {target} by {target.miss(best.measures):.6g}."
        )
    if len(search.targets) > 1:
        out.print("\nPareto front: no rule set is better in one target without being worse in another.")
        _show_rows(search, search.front[:SHOWN])
    if search.sensitivities:
        names = list(search.sensitivities[0].changes)
        out.print("\nHow the measures change if one rule of the best rule set changes:")
        table = plain_table("rule", "value", *names)
        for each in search.sensitivities:
            table.add_row(each.rule, str(each.value), *(f"{change:+.5f}" for change in each.changes.values()))
        out.print(table)
    what = "all" if search.is_complete else "the best that the search found"
    proved = max(row.measures["error_bound"] for row in search.rows)
    out.print(
        f"\n{len(search.rows):,} rule sets ({what}), {search.found:,} of them known before. Proved: no measure is off "
        f"by more than {format_bound(proved)}."
    )


def _show_rows(search: RuleSearch, rows: Sequence[DesignRow]) -> None:
    names = list(dict.fromkeys(target.name for target in search.targets))
    table = plain_table(*search.varied, *names, "distance")
    for row in rows:
        measures = (format_measure(name, row.measures[name]) for name in names)
        table.add_row(*(str(getattr(row.rules, name)) for name in search.varied), *measures, f"{row.distance:.4g}")
    console().print(table)
