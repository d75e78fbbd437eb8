"""`komi sweep`: the fairness and length of a game under many rule sets."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from komi.cli.app import ClusterOption, GameArgument, JsonOption, SetOption, WorkersOption, app, chosen
from komi.cli.output import bars, console, plain_table, print_json, warn
from komi.design.ranges import read_interval, read_values
from komi.errors import InputError
from komi.game import Game
from komi.vocabulary import COUNTED

if TYPE_CHECKING:
    from komi.design.sweep import Row, Sweep

SHOWN = 20  # rows to print

VaryOption = Annotated[
    list[str] | None,
    typer.Option("--vary", metavar="NAME=LO..HI[:STEP]", help="Vary a rule, or NAME=A,B,C; may be repeated."),
]
TargetOption = Annotated[
    str | None, typer.Option("--target-actions", metavar="LO..HI", help="The expected number of actions wanted.")
]
OutputOption = Annotated[
    list[Path] | None, typer.Option("--output", "-o", metavar="FILE", help="Write all rows: .csv or .parquet.")
]
StoreOption = Annotated[Path | None, typer.Option("--store", metavar="FILE", help="The file that keeps finished rows.")]
PlotOption = Annotated[
    Path | None, typer.Option("--plot", metavar="FILE", help="Draw fairness against length: a .png or .svg.")
]


@app.command(short_help="Solve a game under many rule sets and rank them.")
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
        typer.Option("--reaching", metavar="V", help="Name the first rule set with this value or a better one."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Solve a game under many rule sets, and list the fairest first; of games for one player the best."""
    from komi.design.sweep import sweep as sweep_rules
    from komi.design.table import check_format, write_table

    found, rules = chosen(game, settings)
    values = _read_vary(found, vary or [])
    target = read_interval(target_actions) if target_actions else None
    for path in output or []:
        check_format(path)
    if plot:
        from komi.plotting.sweeps import check_picture, draw_sweep

        check_picture(plot)
    with bars() as progress:
        answer = sweep_rules(
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
    _say_what_is_missing(answer)
    if as_json:
        print_json(_as_json(answer, reaching))
    else:
        _show(answer)
        if reaching is not None:
            _show_reaching(answer, reaching)
    for path in output or []:
        write_table(answer, path)
    if plot:
        draw_sweep(answer, plot)
    if answer.unkept:
        raise answer.unkept


def _read_vary(game: Game, options: list[str]) -> dict[str, Sequence[object]]:
    values: dict[str, Sequence[object]] = {}
    for option in options:
        name, equals, text = (part.strip() for part in option.partition("="))
        if not (name and equals and text):
            raise InputError(f"--vary takes name=lo..hi, not {option!r}.")
        if name in values:
            raise InputError(f"--vary names rule {name!r} twice.")
        values[name] = read_values(game, name, text)
    return values


def _say_what_is_missing(answer: "Sweep") -> None:
    if answer.forbidden:
        warn(f"skipped {_count(answer.forbidden)} that the limits of {answer.game.name} do not allow.")
    if answer.unsolved:
        warn(f"{_count(len(answer.unsolved))} could not be solved; the first: {answer.unsolved[0][1]}")


def _count(rule_sets: int) -> str:
    return f"{rule_sets:,} rule set{'s' * (rule_sets != 1)}"


def _as_json(answer: "Sweep", reaching: float | None) -> dict[str, object]:
    front = {row.rules for row in answer.front()}
    rows = [
        {
            "rules": row.rules._asdict(),
            **_worth(answer, row),
            "expected_actions": row.opening.expected_actions,
            "error_bound": row.opening.error_bound,
            "on_front": row.rules in front,
            "in_target": answer.in_target(row),
        }
        for row in answer.rows
    ]
    unsolved = [{"rules": rules._asdict(), "reason": str(error)} for rules, error in answer.unsolved]
    found: dict[str, object] = {"objective": answer.objective} if answer.objective else {}
    if reaching is not None:
        first = answer.first_reaching(reaching)
        found["reaching"] = {"rules": first.rules._asdict(), **_worth(answer, first)} if first else None
    return {
        "game": answer.game.name,
        **found,
        "target_actions": answer.target,
        "rows": rows,
        "forbidden": answer.forbidden,
        "unsolved": unsolved,
    }


def _worth(answer: "Sweep", row: "Row") -> dict[str, float]:
    """Return the value of a rule set as JSON."""
    if answer.objective:
        return {"value": row.opening.first}
    return {"first": row.opening.first, "unfairness": row.opening.unfairness}


def _told(answer: "Sweep", row: "Row") -> tuple[str, ...]:
    """Format the value of a rule set as the cells of a table row."""
    value = row.opening.first
    if answer.objective is None:
        return f"{100 * value:.4f} %", f"{100 * (value - 0.5):+.4f} %"
    return (f"{100 * value:.4f} %" if answer.objective.startswith("chance") else f"{value:.6f}",)


def _show_reaching(answer: "Sweep", value: float) -> None:
    row = answer.first_reaching(value)
    what = answer.objective or "first player's chance"
    if row is None:
        console().print(f"With none of these rule sets is the {what} {value:g} or better.")
        return
    rules = ", ".join(f"{name} {getattr(row.rules, name)}" for name in answer.varied)
    console().print(f"The first with a {what} of {value:g} or better: {rules}, with {_told(answer, row)[0]}.")


def _show(answer: "Sweep") -> None:
    worth = (answer.objective,) if answer.objective else ("first player wins", "from fair")
    numbers = (*worth, "expected actions")
    table = plain_table(*answer.varied, *numbers, *_mark(answer, "in target"))
    for row in answer.rows[:SHOWN]:
        rules, opening = row.rules._asdict(), row.opening
        table.add_row(
            *(str(rules[name]) for name in answer.varied),
            *_told(answer, row),
            f"{opening.expected_actions:.3f}",
            *_mark(answer, "yes" if answer.in_target(row) else "no"),
        )
    out = console()
    out.print(table)
    if len(answer.rows) > SHOWN:
        out.print(f"... and {len(answer.rows) - SHOWN:,} more: --output FILE.csv writes them all.")
    if answer.target:
        out.print(f"\n{_describe_target(answer)}")
    proved = max(row.opening.error_bound for row in answer.rows)
    out.print(f"\n{COUNTED}")
    out.print(
        f"{_count(len(answer.rows))}, {answer.found:,} of them known before. "
        f"Proved: no {'value' if answer.objective else 'probability'} is off by more than {proved:.1e}."
    )


def _mark(answer: "Sweep", word: str) -> list[str]:
    """Return a cell for the column that marks rows in the target, or an empty list if all rows or none are in it."""
    marks = {answer.in_target(row) for row in answer.rows}
    return [word] if marks == {True, False} else []


def _describe_target(answer: "Sweep") -> str:
    """Describe how many rule sets are in the target, or the length nearest to it if none is."""
    least, most = answer.target or (0.0, 0.0)
    wanted = f"games of {least:,g} to {most:,g} expected actions"
    inside = sum(bool(answer.in_target(row)) for row in answer.rows)
    if inside:
        return f"{inside:,} of {_count(len(answer.rows))} in the target: {wanted}."
    lengths = [row.opening.expected_actions for row in answer.rows]
    nearest = min(lengths, key=lambda length: max(least - length, length - most))
    return f"No rule set is in the target, {wanted}: the nearest has {nearest:,.3f}."
