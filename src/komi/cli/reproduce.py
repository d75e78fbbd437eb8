"""`komi reproduce`: compare every published number with the computed one."""

from pathlib import Path
from typing import Annotated

import typer

from komi.cli.app import JsonOption
from komi.cli.commands import command
from komi.cli.output import console, marked, print_json
from komi.files import check_writable, write_atomically
from komi.reproduce.claims import Outcome
from komi.reproduce.claims import reproduce as reproduce_claims


@command("reproduce")
def reproduce(
    only: Annotated[
        str | None, typer.Option("--only", metavar="ID", help="Check only the claim with this name.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", metavar="FILE.md", help="Also write the documentation page.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Compute every published number and compare; exit code 1 if any differs.

    All numbers together take several minutes; --only checks one.
    """
    if output:
        check_writable(output)
    outcomes = []
    out = console()
    for outcome in reproduce_claims(only):
        outcomes.append(outcome)
        if not as_json:
            sign = "[green]agrees[/green]" if outcome.agrees else "[red]differs[/red]"
            found = "  {what}: {published} published, [bold]{ours}[/bold] here"
            out.print(marked(sign + found, what=outcome.what, published=outcome.published, ours=outcome.ours))
            if outcome.note:
                out.print(f"         ({outcome.note})")
    if as_json:
        print_json({"claims": outcomes})
    if output:
        write_atomically(output, lambda draft: draft.write_text(_page(outcomes), encoding="utf-8"))
    if any(outcome.fails for outcome in outcomes):
        raise typer.Exit(1)


def _page(outcomes: list[Outcome]) -> str:
    lines = [
        "# Published numbers beside ours",
        "",
        "Made by `komi reproduce --output docs/published-numbers.md`.",
        "",
        "| claim | published | ours | agrees | note | source |",
        "|---|---|---|---|---|---|",
    ]
    for outcome in outcomes:
        agrees = "yes" if outcome.agrees else "no"
        cells = (outcome.what, outcome.published, outcome.ours, agrees, outcome.note, outcome.source)
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(lines) + "\n"
