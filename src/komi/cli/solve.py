"""`komi solve` and `komi value`: exact optimal play."""

from dataclasses import asdict
from typing import Any

from komi.cli.app import (
    FreshOption,
    GameArgument,
    JsonOption,
    SetOption,
    StateOption,
    ToleranceOption,
    app,
    chosen,
)
from komi.cli.output import bars, print_json, show, suggest, warn
from komi.methods.answer import TOLERANCE, Answer
from komi.methods.solve import solve as solve_game


@app.command(short_help="Compute optimal play exactly, with a proved error bound.")
def solve(
    game: GameArgument,
    settings: SetOption = None,
    as_json: JsonOption = False,
    fresh: FreshOption = False,
    tolerance: ToleranceOption = TOLERANCE,
) -> None:
    """Compute optimal play exactly, with a proved bound on the error."""
    answer = _solved(game, settings, fresh, tolerance)
    if as_json:
        seconds = answer.seconds
        print_json(
            {
                "game": answer.game.name,
                "rules": answer.rules._asdict(),
                "states": answer.states,
                **answer.facts(),
                "relies_on": answer.reliance and asdict(answer.reliance),
                "seconds": {"compile": seconds.compile, "solve": seconds.solve, "total": seconds.total},
            }
        )
    else:
        text = answer.text()
        show(text)
        if text.next_state is not None:
            suggest("value", game, settings, "--state", text.next_state)
    if answer.unkept:
        raise answer.unkept


@app.command(short_help="Show what a state, and each action in it, is worth.")
def value(
    game: GameArgument,
    state: StateOption = "",
    settings: SetOption = None,
    as_json: JsonOption = False,
    fresh: FreshOption = False,
    tolerance: ToleranceOption = TOLERANCE,
) -> None:
    """Show what a state, and each action in it, is worth to the player to move."""
    answer = _solved(game, settings, fresh, tolerance)
    read = answer.read(state)
    if as_json:
        print_json(
            {
                "game": answer.game.name,
                "rules": answer.rules._asdict(),
                "state": answer.game.shown(answer.rules, read),
                **answer.facts_of(read),
                "relies_on": answer.reliance and asdict(answer.reliance),
            }
        )
    else:
        show(answer.text_of(read))
    if answer.unkept:
        raise answer.unkept


def _solved(name: str, settings: list[str] | None, fresh: bool, tolerance: float) -> Answer[Any]:
    game, rules = chosen(name, settings)
    with bars() as progress:
        return solve_game(game, tolerance=tolerance, fresh=fresh, progress=progress, notice=warn, **rules)
