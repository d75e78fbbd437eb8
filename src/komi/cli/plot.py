"""`komi plot`: pictures."""

from pathlib import Path
from typing import Annotated

import typer

from komi.cli.app import GameArgument, JsonOption, SetOption, app, chosen
from komi.cli.output import bars, console, print_json, warn
from komi.errors import InputError
from komi.evaluation.turns import is_press_your_luck
from komi.methods.answer import TOLERANCE
from komi.methods.solve import solve
from komi.plot import files, positions
from komi.plot.policy_map import draw_policy_map
from komi.plot.sections import read_cut
from komi.plot.surfaces import draw_difference, draw_section, draw_surface


@app.command()
def plot(
    game: GameArgument,
    output: Annotated[Path, typer.Option("-o", "--output", metavar="FILE", help="The picture: png, svg or html.")],
    settings: SetOption = None,
    states: Annotated[
        list[str] | None,
        typer.Option("--state", metavar="STATE", help="A position, or what is out of the deck; repeatable."),
    ] = None,
    policy: Annotated[str, typer.Option("--policy", help="Whose play to draw.")] = "optimal",
    against: Annotated[str, typer.Option("--against", metavar="POLICY", help="Draw where this one differs.")] = "",
    section: Annotated[str, typer.Option("--slice", metavar="FIELD=N", help="Cut at score=N or rival=N.")] = "",
    x: Annotated[
        str, typer.Option("--x", metavar="FIELD", help="Draw best actions over this field of the state.")
    ] = "",
    y: Annotated[str, typer.Option("--y", metavar="FIELD", help="... and this one; --state fixes the others.")] = "",
    reachable: Annotated[bool, typer.Option("--reachable", help="Only where this play comes to.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Draw a board with the value of each move, when to hold in a race, or best actions over any two fields."""
    files.kind_of(output)  # before the work
    found, rules = chosen(game, settings)
    with bars() as progress:
        solution = solve(found, tolerance=TOLERANCE, fresh=False, progress=progress, notice=warn, **rules)
        if x or y:
            _check_none("a map", {"--against": against, "--slice": section, "--reachable": reachable})
            draw_policy_map(solution, output, x or y, y if x else "", _only_one("a map", states), progress)
        elif solution.counts_plies and found.has("board"):
            _check_none("a position", {"--against": against, "--slice": section, "--reachable": reachable})
            state = _only_one("a position", states)
            read = found.read(solution.rules, state) if state else found.part("start")(solution.rules)
            positions.save(solution, read, output)
        elif not is_press_your_luck(found):
            fields = ", ".join(found.module.State._fields)
            raise InputError(f"say what to draw {found.name} over: --x FIELD --y FIELD, two of {fields}.")
        elif section:
            _check_none("a slice", {"--against": against})
            cut, deck = read_cut(section), _only_one("a slice", states)
            draw_section(solution, output, cut, deck, policy, reachable, progress)
        elif against:
            _check_none("a difference", {"--reachable": reachable})
            draw_difference(solution, output, policy, against, _only_one("a difference", states), progress)
        else:
            draw_surface(solution, output, states or [""], policy, reachable, progress)
    if as_json:
        print_json({"game": found.name, "rules": solution.rules._asdict(), "file": str(output)})
    else:
        console().print(f"Drawn: {output}")


def _check_none(picture: str, others: dict[str, object]) -> None:
    for name, given in others.items():
        if given:
            raise InputError(f"{picture} has no {name}: ask for one picture at a time.")


def _only_one(picture: str, states: list[str] | None) -> str:
    if states and len(states) > 1:
        raise InputError(f"{picture} shows one state: give --state once.")
    return states[0] if states else ""
