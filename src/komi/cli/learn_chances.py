"""`komi learn-chances`: the best policy given counts of throws, and its reliability."""

from typing import Annotated

import typer

from komi.cli.app import GameArgument, JsonOption, SetOption, WorkersOption, chosen
from komi.cli.commands import command
from komi.cli.output import bars, console, plain_table, print_json, suggest, warn
from komi.design.learned_chances import LearnedChances
from komi.design.learned_chances import learn_chances as learn
from komi.errors import InputError
from komi.presentation.design_json import learned_chances_json
from komi.presentation.formatting import format_percent


@command("learn-chances")
def learn_chances(
    game: GameArgument,
    counts: Annotated[
        str,
        typer.Option("--counts", metavar="NAME=N,...", help="How often each result came up; 0 for omitted results."),
    ],
    prior: Annotated[
        float,
        typer.Option("--prior", metavar="X", help="Number added to each count; 1 for a uniform prior."),
    ] = 1.0,
    draws: Annotated[int, typer.Option("--draws", metavar="N", help="Number of samples of the chances to solve.")] = 50,
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="Random seed for the samples.")] = 0,
    credible: Annotated[
        float, typer.Option("--credible", metavar="SHARE", help="Probability of the credible intervals.")
    ] = 0.95,
    workers: WorkersOption = None,
    settings: SetOption = None,
    as_json: JsonOption = False,
) -> None:
    """Learn a game's chances from counts of throws: the best policy, and what it loses if the truth differs."""
    found, rules = chosen(game, settings)
    with bars() as progress:
        learned = learn(
            found, _read(counts), prior=prior, draws=draws, seed=seed, credible=credible, workers=workers,
            progress=progress, notice=warn, **rules,
        )  # fmt: skip
    if as_json:
        print_json(learned_chances_json(learned, seed))
    else:
        _show(learned)
        weights = [f"{name}={count + prior:g}" for name, count in learned.counts.items()]
        suggest("value", game, [*(settings or []), *weights], "--state", _start(learned))


def _read(text: str) -> dict[str, int]:
    """Parse counts of results from NAME=N,NAME=N,...

    Raises:
        InputError: if the text has another form.
    """
    counts: dict[str, int] = {}
    for part in text.split(","):
        name, equals, number = (piece.strip() for piece in part.partition("="))
        if not (name and equals):
            raise InputError(f"--counts takes name=number,name=number,..., not {part.strip()!r}.")
        if name in counts:
            raise InputError(f"--counts names {name!r} twice.")
        try:
            counts[name] = int(number)
        except ValueError:
            raise InputError(f"the count of {name!r} must be a whole number, not {number!r}.") from None
    return counts


def _show(learned: LearnedChances) -> None:
    out = console()
    share = f"{100 * learned.credible:g} %"
    table = plain_table("result", "thrown", "chance")
    for name, count in learned.counts.items():
        table.add_row(name, f"{count:,}", format_percent(learned.chances[name]))
    out.print(table)
    low, high = map(format_percent, learned.first)
    loss, greatest_loss = format_percent(learned.loss), format_percent(learned.greatest_loss)
    out.print(f"\nWith these chances the first player wins {format_percent(learned.solution.value())} with best play.")
    out.print(f"In {share} of {len(learned.draws):,} draws of the true chances: {low} to {high}.")
    out.print("A player who relies on the counts loses, against one who knows the true chances,")
    out.print(f"{loss} of the games on average, and at most {greatest_loss} in {share} of draws.")


def _start(learned: LearnedChances) -> str:
    solution = learned.solution
    return solution.game.write(solution.rules, solution.read(None))
