"""`komi approximate`: a compact policy, and exactly what it gives away."""

from pathlib import Path
from typing import Annotated

import typer

from komi.approximating.approximate import Approximation
from komi.approximating.approximate import approximate as approximate_game
from komi.approximating.source import NAME
from komi.cli.app import GameArgument, JsonOption, SetOption, app, chosen
from komi.cli.output import bars, console, print_json, suggest, warn


@app.command()
def approximate(
    game: GameArgument,
    settings: SetOption = None,
    weights: Annotated[
        int | None, typer.Option("--weights", metavar="N", help="How many weights at most; by default 118.")
    ] = None,
    size: Annotated[
        int | None, typer.Option("--bytes", metavar="N", help="How many bytes the weights take at most, one each.")
    ] = None,
    seconds: Annotated[float, typer.Option("--seconds", help="How long to train.")] = 300.0,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Of the training.")] = 1,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="FILE.py", help="Write the policy here; by default GAME_network.py."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Train a small network to play, and say exactly what it gives away."""
    found, rules = chosen(game, settings)
    file = output or Path(f"{found.name.replace('-', '_')}_network.py")
    with bars() as progress:
        made = approximate_game(
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
        print_json(_facts(made))
    else:
        _show(made)
        suggest("match", game, settings, f"{made.file}:{NAME}", "optimal")


def _facts(made: Approximation) -> dict[str, object]:
    return {
        "game": made.game.name,
        "rules": made.rules._asdict(),
        "weights": made.network.weights,
        "bytes": made.size,
        "first": made.match.first.wins,
        "second": made.match.second.wins,
        "average": made.match.average,
        "loss": made.loss,
        "worst_case": made.worst_case,
        "file": str(made.file),
        "policy": f"{made.file}:{NAME}",
    }


def _show(made: Approximation) -> None:
    out = console()
    out.print(f"A network of {made.network.weights:,} weights, {made.size:,} bytes: {made.file}")
    first, second = 100 * made.match.first.wins, 100 * made.match.second.wins
    out.print(
        f"\nAgainst optimal play it wins {first:.3f} % moving first and {second:.3f} % moving second: "
        f"it gives away {100 * made.loss:.3f} % of winning."
    )
    out.print(f"Against the player who knows it and exploits it best it wins {100 * made.worst_case:.3f} %.")
    out.print()
