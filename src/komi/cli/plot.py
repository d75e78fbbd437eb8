"""`komi plot`: draw positions, policies and results."""

from pathlib import Path
from typing import Annotated

import typer

from komi.cli.app import GameArgument, JsonOption, SetOption, chosen
from komi.cli.commands import command
from komi.cli.output import bars, console, print_json, warn
from komi.plotting.plot import plot as plot_game


@command("plot")
def plot(
    game: GameArgument,
    output: Annotated[
        Path, typer.Option("-o", "--output", metavar="FILE", help="The file to write: png, svg, pdf or html.")
    ],
    settings: SetOption = None,
    states: Annotated[
        list[str] | None,
        typer.Option("--state", metavar="STATE", help="A position, or the cards that are out of the deck; repeatable."),
    ] = None,
    policy: Annotated[str, typer.Option("--policy", help="The policy to draw.")] = "optimal",
    against: Annotated[
        str,
        typer.Option("--against", metavar="POLICY", help="Show the states in which this policy decides differently."),
    ] = "",
    section: Annotated[
        str, typer.Option("--slice", metavar="FIELD=N", help="Draw the slice at score=N or rival=N.")
    ] = "",
    x: Annotated[
        str, typer.Option("--x", metavar="FIELD", help="Draw best actions over this field of the state.")
    ] = "",
    y: Annotated[str, typer.Option("--y", metavar="FIELD", help="... and this one; --state fixes the others.")] = "",
    reachable: Annotated[
        bool, typer.Option("--reachable", help="Draw only states that the policy reaches in self-play.")
    ] = False,
    scores: Annotated[
        bool, typer.Option("--scores", help="Draw the distribution of the final score, in games for one player.")
    ] = False,
    dark: Annotated[bool, typer.Option("--dark", help="Draw on a dark background.")] = False,
    size: Annotated[
        str, typer.Option("--size", metavar="WxH", help="The width and the height in inches, such as 7x4.5.")
    ] = "",
    as_json: JsonOption = False,
) -> None:
    """Draw a board with the value of each move, when to hold in a race, or best actions over any two fields."""
    found, rules = chosen(game, settings)
    with bars() as progress:
        plot_game(
            found,
            output,
            states=states or (),
            policy=policy,
            against=against,
            section=section,
            x=x,
            y=y,
            reachable=reachable,
            scores=scores,
            dark=dark,
            size=size,
            progress=progress,
            notice=warn,
            **rules,
        )
    if as_json:
        print_json({"game": found.name, "rules": found.rules(rules)._asdict(), "file": str(output)})
    else:
        console().print(f"Drawn: {output}")
