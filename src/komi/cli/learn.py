"""`komi learn`: learning a game by methods of the textbooks, with the exact loss at every checkpoint."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from komi.cli.app import GameArgument, JsonOption, SetOption, chosen, whole_number
from komi.cli.commands import command
from komi.cli.output import bars, console, plain_table, print_json, suggest, warn
from komi.errors import InputError
from komi.learning.learn import Learned, LearningSettings
from komi.learning.learn import learn as learn_game
from komi.learning.methods import METHODS
from komi.plotting.formats import IMAGES, check_format
from komi.presentation.fields import select

DEFAULTS = LearningSettings()


@command("learn")
def learn(
    game: GameArgument,
    method: Annotated[
        list[str],
        typer.Option("--method", metavar="METHOD", help=f"Repeatable: {', '.join(METHODS)}."),
    ],
    settings: SetOption = None,
    games: Annotated[str, typer.Option("--games", metavar="N", help="Games to learn from, such as 3e6.")] = str(
        DEFAULTS.games
    ),
    seconds: Annotated[
        float | None, typer.Option("--seconds", help="Time limit for learning, without measurements.")
    ] = None,
    step_size: Annotated[
        float, typer.Option("--step-size", metavar="A", help="The n-th update of a value has step size A / n^D.")
    ] = DEFAULTS.step_size,
    step_decay: Annotated[
        float, typer.Option("--step-decay", metavar="D", help="See --step-size; 0 for a constant step size.")
    ] = DEFAULTS.step_decay,
    exploration: Annotated[
        float,
        typer.Option("--exploration", metavar="P", help="Probability of a random action at first; it falls to 0."),
    ] = DEFAULTS.exploration,
    trace_decay: Annotated[
        float | None, typer.Option("--lambda", metavar="L", help="0 to 1: from one step ahead to the end of the game.")
    ] = None,
    tilings: Annotated[
        int,
        typer.Option(
            "--tilings", metavar="N", help="Tile coding with N tilings, for large games: 7 for Pig; 1 is a plain table."
        ),
    ] = DEFAULTS.tilings,
    exploring_starts: Annotated[
        bool, typer.Option("--exploring-starts", help="Begin each game in a random state.")
    ] = False,
    tolerance: Annotated[
        float,
        typer.Option("--tolerance", metavar="E", help="Methods that plan stop at this error; 'naive' at this change."),
    ] = DEFAULTS.tolerance,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Random seed.")] = DEFAULTS.seed,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="FILE.npz", help="Write the policy here, for learned:FILE.npz."),
    ] = None,
    plot: Annotated[
        Path | None, typer.Option("--plot", metavar="FILE", help="Draw the learning curves, as .png, .svg or .pdf.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Learn a game by planning or from samples, and compute the exact loss of what is learned at checkpoints.

    Each method learns from a million games unless you set --games or --seconds: ten seconds in Piglet, half a minute in
    Pig.
    """
    found, rules = chosen(game, settings)
    if len(method) > 1 and output:
        raise InputError("--output takes the policy of one method: give --method once.")
    if len(set(method)) < len(method):
        raise InputError("--method names a method twice.")
    if plot:
        check_format(plot, IMAGES)
    learning = LearningSettings(
        whole_number("--games", games) or 0,
        seconds,
        step_size,
        step_decay,
        exploration,
        trace_decay,
        tilings,
        exploring_starts,
        tolerance,
        seed,
    )
    with bars() as progress:
        results = [
            learn_game(found, each, settings=learning, file=output, progress=progress, notice=warn, **rules)
            for each in method
        ]
    if plot:
        from komi.plotting.learning_plot import draw_learning

        draw_learning(results, plot)
    if as_json:
        print_json(_as_json(results))
        return
    _show(results)
    if plot:
        console().print(f"Drawn: {plot}")
    if output:
        suggest("match", game, settings, f"learned:{output}", "optimal")


def _show(results: list[Learned]) -> None:
    out = console()
    if len(results) == 1:
        [learned] = results
        table = plain_table("games", "updates", "seconds", "loss", "mean error", "error where play goes")
        for point in learned.curve:
            table.add_row(
                f"{point.games:,}",
                f"{point.updates:,}",
                f"{point.seconds:.2f}",
                _loss(learned, point.loss),
                f"{point.value_error:.2e}",
                f"{point.visited_error:.2e}",
            )
        out.print(table)
        out.print()
    table = plain_table("method", "games", "updates", "seconds", "loss", "against a best response", "largest error")
    for learned in results:
        table.add_row(
            learned.method,
            f"{learned.games:,}",
            f"{learned.updates:,}",
            f"{learned.seconds:.2f}",
            _loss(learned, learned.loss),
            "" if learned.worst_case is None else _written(learned, learned.worst_case, 3),
            f"{learned.curve[-1].largest_error:.2e}",
        )
    out.print(table)
    out.print()


def _loss(learned: Learned, loss: float | None) -> str:
    """Format a loss: in percentage points of winning, or in the objective of a single player."""
    if loss is None:
        return "not proved"
    return _written(learned, loss, 4)


def _written(learned: Learned, value: float, digits: int) -> str:
    """Format a probability of winning as a percentage, points and the objective of a single player as a number."""
    is_chance = learned.game.players(learned.rules) == 2 and learned.game.payoff_scale(learned.rules).is_chance
    return f"{100 * value:.{digits}f} %" if is_chance else f"{value:.{digits}f}"


def _as_json(results: Sequence[Learned]) -> dict[str, Any]:
    """Return one result, or a list of the results of several methods."""
    about = select(results[0], "game", "rules")
    names = ("method", "games", "updates", "seconds", "loss", "worst_case", "curve", "file")
    methods = [select(each, *names, bytes="size") | {"value_error": each.curve[-1].value_error} for each in results]
    return about | (methods[0] if len(methods) == 1 else {"methods": methods})
