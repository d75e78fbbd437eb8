"""`komi approximate`: a compact policy, and its exact loss."""

from pathlib import Path
from typing import Annotated

import typer

from komi.approximating.approximate import Approximation
from komi.approximating.approximate import approximate as approximate_game
from komi.approximating.network_source import NAME
from komi.cli.app import GameArgument, JsonOption, SetOption, chosen
from komi.cli.commands import command
from komi.cli.output import bars, console, plain_table, print_json, suggest, warn
from komi.errors import InputError
from komi.evaluation.strength import format_loss
from komi.exporting.size_curve import SizeCurve
from komi.exporting.size_curve import curve as curve_of
from komi.plotting.formats import check_format
from komi.presentation.fields import select
from komi.presentation.strategy_json import approximation_json
from komi.presentation.strength_report import strength_text
from komi.rules.kind import kind_of


@command("approximate")
def approximate(
    game: GameArgument,
    settings: SetOption = None,
    weights: Annotated[
        int | None, typer.Option("--weights", metavar="N", help="Maximum number of weights; by default 118.")
    ] = None,
    size: Annotated[
        int | None, typer.Option("--bytes", metavar="N", help="Maximum size of the weights in bytes.")
    ] = None,
    seconds: Annotated[float, typer.Option("--seconds", help="Training time in seconds.")] = 300.0,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Random seed for the training.")] = 1,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="FILE.py", help="Write the policy here; by default GAME_network.py."),
    ] = None,
    curve: Annotated[
        Path | None,
        typer.Option("--curve", metavar="FILE.html", help="Plot loss against size for policies of all sizes."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Train a small network to play, and compute its exact loss against optimal play.

    Training takes five minutes unless you set --seconds.
    """
    found, rules = chosen(game, settings)
    if curve:
        if not (weights is None and size is None and output is None):
            raise InputError("--curve cannot be combined with --weights, --bytes or --output.")
        check_format(curve, ("html",))
        with bars() as progress:
            made = curve_of(found, seconds=seconds, seed=seed, progress=progress, notice=warn, **rules)
        from komi.plotting.size_curve_plot import draw_curve

        draw_curve(made, curve)
        _tell_curve(made, curve, as_json)
        return
    file = output or Path(f"{found.name.replace('-', '_')}_network.py")
    with bars() as progress:
        network = approximate_game(
            found,
            file,
            weights=weights,
            size=size,
            seconds=seconds,
            seed=seed,
            progress=progress,
            notice=warn,
            **rules,
        )
    if as_json:
        print_json(approximation_json(network))
    else:
        _show(network)
        suggest("match", game, settings, f"{network.file}:{NAME}", *["optimal"] * (len(network.strength.values) > 1))


def _tell_curve(made: SizeCurve, file: Path, as_json: bool) -> None:
    if as_json:
        print_json({**select(made, "game", "rules", curve="sizes"), "file": file})
        return
    out = console()
    kind = kind_of(made.game, made.rules)
    worst = ["worst case"] * (kind.seats == 2)
    table = plain_table("bytes", "loss", *worst, "what it is")
    for each in made.sizes:
        worst = [] if each.worst_case is None else [format_loss(kind, each.worst_case)]
        table.add_row(f"{each.bytes:,}", format_loss(kind, each.loss), *worst, each.words)
    out.print(table)
    out.print(f"\nDrawn: {file}\n")


def _show(made: Approximation) -> None:
    out = console()
    out.print(f"A network of {made.network.weights:,} weights, {made.size:,} bytes: {made.file}")
    out.print()
    for sentence in strength_text(made.strength, kind_of(made.game, made.rules)):
        out.print(sentence)
    out.print()
