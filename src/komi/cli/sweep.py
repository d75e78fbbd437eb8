"""`komi sweep`: the fairness and length of a game under many rule sets."""

from collections.abc import Sequence
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from komi.cli.app import ClusterOption, GameArgument, JsonOption, SetOption, WorkersOption, chosen
from komi.cli.commands import command
from komi.cli.output import bars, console, count_rule_sets, plain_table, print_json, warn, warn_of_rule_sets
from komi.design.ranges import read_interval, read_values
from komi.errors import InputError
from komi.plotting.formats import IMAGES, check_format
from komi.presentation.formatting import AN_EQUILIBRIUM, value_cells
from komi.rounding import format_bound
from komi.rules.game import Game
from komi.rules.kind import kind_of
from komi.rules.vocabulary import ACTION_COUNT_NOTE

if TYPE_CHECKING:
    from komi.design.sweep import Sweep, SweepRow

SHOWN = 20  # rows to print

VaryOption = Annotated[
    list[str] | None,
    typer.Option(
        "--vary",
        metavar="NAME=LO..HI[:STEP]",
        help="Vary a rule over a range, or NAME=A,B,C; fractions need a step; repeatable.",
    ),
]
TargetOption = Annotated[
    str | None,
    typer.Option("--target-actions", metavar="LO..HI", help="Desired range of the expected number of actions."),
]
OutputOption = Annotated[
    list[Path] | None, typer.Option("--output", "-o", metavar="FILE", help="Write all rows: .csv or .parquet.")
]
StoreOption = Annotated[Path | None, typer.Option("--store", metavar="FILE", help="A file that stores finished rows.")]
PlotOption = Annotated[
    Path | None, typer.Option("--plot", metavar="FILE", help="Plot fairness against length: .png, .svg or .pdf.")
]


@command("sweep")
def sweep(
    game: GameArgument,
    vary: VaryOption = None,
    settings: SetOption = None,
    target_actions: TargetOption = None,
    output: OutputOption = None,
    store: StoreOption = None,
    workers: WorkersOption = None,
    cluster: ClusterOption = None,
    plot: PlotOption = None,
    reaching: Annotated[
        float | None,
        typer.Option("--reaching", metavar="V", help="Report the first rule set with at least this value."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Solve a game under many rule sets, and list the fairest first (for one player, the best)."""
    from komi.design.sweep import sweep as sweep_rules
    from komi.tabular import check_table, write_table

    found, rules = chosen(game, settings)
    values = read_vary(found, vary or [])
    target = read_interval(target_actions) if target_actions else None
    for path in output or []:
        check_table(path)
    if plot:
        check_format(plot, IMAGES)
    with bars() as progress:
        solution = sweep_rules(
            found,
            values,
            target_actions=target,
            store=store,
            workers=workers,
            cluster=cluster,
            progress=progress,
            notice=warn,
            **rules,
        )
    warn_of_rule_sets(solution.game, solution.forbidden, solution.unsolved, "solved")
    if as_json:
        from komi.presentation.design_json import sweep_json

        print_json(sweep_json(solution, reaching))
    else:
        _show(solution)
        if reaching is not None:
            _show_reaching(solution, reaching)
    for path in output or []:
        write_table(solution.records(), path, "the rows are in the store, so that it can be tried again")
    if plot:
        from komi.plotting.sweep_plot import draw_sweep

        draw_sweep(solution, plot)
    if solution.storage_error:
        raise solution.storage_error


def read_vary(game: Game, options: list[str]) -> dict[str, Sequence[object]]:
    """Parse the values of `--vary`.

    Raises:
        InputError: for an unknown rule, a value of the wrong type, or a rule that is named twice.
    """
    values: dict[str, Sequence[object]] = {}
    for option in options:
        name, equals, text = (part.strip() for part in option.partition("="))
        if not (name and equals and text):
            raise InputError(f"--vary takes name=lo..hi, not {option!r}.")
        if name in values:
            raise InputError(f"--vary names rule {name!r} twice.")
        values[name] = read_values(game, name, text)
    return values


def _row_results(solution: "Sweep", row: "SweepRow") -> tuple[str, ...]:
    """Format the value of a rule set as the cells of a table row."""
    value = row.opening.first
    if solution.objective is None:
        first, *later, off = value_cells(kind_of(solution.game, row.rules), row.opening)
        return first, *later, *[""] * max(0, solution.seats - 1 - len(later)), off
    is_chance = solution.game.objective(row.rules).startswith("chance")
    return (f"{100 * value:.4f} %" if is_chance else f"{value:.6f}",)


def _show_reaching(solution: "Sweep", value: float) -> None:
    row = solution.first_reaching(value)
    what = solution.objective or f"first player's {solution.unit or 'chance'}"
    if row is None:
        console().print(f"No rule set has a {what} of {value:g} or better.")
        return
    rules = ", ".join(f"{name} {getattr(row.rules, name)}" for name in solution.varied)
    console().print(f"The first with a {what} of {value:g} or better: {rules}, with {_row_results(solution, row)[0]}.")


def _show(solution: "Sweep") -> None:
    first = f"first player: {solution.unit}" if solution.unit else "first player wins"
    later = [f"player {seat}" for seat in range(2, solution.seats + 1)]
    worth = (solution.objective,) if solution.objective else (first, *later, "from fair")
    ends = any(isfinite(row.opening.expected_actions) for row in solution.rows)  # else it is an average of endless play
    table = plain_table(*solution.varied, *worth, *["expected actions"] * ends, *_mark(solution, "in target"))
    for row in solution.rows[:SHOWN]:
        rules, opening = row.rules._asdict(), row.opening
        table.add_row(
            *(str(rules[name]) for name in solution.varied),
            *_row_results(solution, row),
            *[f"{opening.expected_actions:.3f}"] * ends,
            *_mark(solution, "yes" if solution.in_target(row) else "no"),
        )
    out = console()
    out.print(table)
    if len(solution.rows) > SHOWN:
        out.print(f"... and {len(solution.rows) - SHOWN:,} more: --output FILE.csv writes them all.")
    if solution.target:
        out.print(f"\n{_describe_target(solution)}")
    proved = max(row.opening.error_bound for row in solution.rows)
    out.print(f"\n{ACTION_COUNT_NOTE}" if ends else "")
    if solution.seats:
        out.print(AN_EQUILIBRIUM)
    out.print(
        f"{count_rule_sets(len(solution.rows))}, {solution.found:,} of them known before. "
        f"Proved: no {'value' if solution.objective or solution.unit else 'probability'} is off by more than "
        f"{format_bound(proved)}."
    )


def _mark(solution: "Sweep", word: str) -> list[str]:
    """Return a cell for the column that marks rows in the target, or an empty list if all rows or none are in it."""
    marks = {solution.in_target(row) for row in solution.rows}
    return [word] if marks == {True, False} else []


def _describe_target(solution: "Sweep") -> str:
    """Describe how many rule sets are in the target, or the length nearest to it if none is."""
    least, most = solution.target or (0.0, 0.0)
    target = f"games of {least:,g} to {most:,g} expected actions"
    inside = sum(bool(solution.in_target(row)) for row in solution.rows)
    if inside:
        return f"{inside:,} of {count_rule_sets(len(solution.rows))} in the target: {target}."
    lengths = [row.opening.expected_actions for row in solution.rows]
    nearest = min(lengths, key=lambda length: max(least - length, length - most))
    return f"No rule set is in the target, {target}: the nearest has {nearest:,.3f}."
