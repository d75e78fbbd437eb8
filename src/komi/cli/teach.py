"""`komi teach`: the best strategy that a person can remember."""

from collections.abc import Callable, Sequence
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from komi.cli.app import GameArgument, JsonOption, SetOption, chosen
from komi.cli.commands import command
from komi.cli.output import bars, console, plain_table, print_json, suggest, warn
from komi.errors import InputError
from komi.evaluation.strength import format_loss
from komi.plotting.formats import PACKAGES, check_format
from komi.presentation.strategy_json import simulated_teaching_json, teaching_json
from komi.presentation.strength_report import strength_text
from komi.rules.declarations import keywords
from komi.rules.game import Game
from komi.rules.kind import kind_of
from komi.rules.payoff_scale import PayoffScale
from komi.simulation.result import Estimate
from komi.solvers.solve import is_solvable, solve_all_states
from komi.teaching.simulated.teach_by_simulation import SimulatedTeachingResult, teach_by_simulation
from komi.teaching.strategy_rendering import NAME
from komi.teaching.teach import TeachingResult
from komi.teaching.teach import teach as teach_game
from komi.typing import Rules

ENGLISH = "en"
Translate = Callable[[str], str]
PAPERS = ("a4", "a5", "a6")


@command("teach")
def teach(
    game: GameArgument,
    settings: SetOption = None,
    numbers: Annotated[int, typer.Option("--numbers", metavar="N", help="Maximum number of numbers to remember.")] = 3,
    seconds: Annotated[float, typer.Option("--seconds", help="Search time in seconds.")] = 60.0,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Random seed for the search.")] = 1,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="FILE.py", help="Write the policy here; by default GAME_card.py."),
    ] = None,
    front: Annotated[
        Path | None,
        typer.Option("--front", metavar="FILE", help="Plot loss against the number of numbers: png or svg."),
    ] = None,
    card: Annotated[
        Path | None, typer.Option("--card", metavar="FILE", help="Write a printable cheat sheet: png, pdf or html.")
    ] = None,
    paper: Annotated[
        str, typer.Option("--paper", metavar="SIZE", help="The size of the cheat sheet: a4, a5 or a6 for the pocket.")
    ] = "a4",
    language: Annotated[
        str, typer.Option("--language", metavar="CODE", help="The language of the cheat sheet: en or de.")
    ] = ENGLISH,
    against: Annotated[
        list[str] | None,
        typer.Option(
            "--against",
            metavar="POLICY",
            help="Search by simulation for what wins most against this policy, or several; by default only for games "
            "that cannot be solved, against the opponents that they offer.",
        ),
    ] = None,
    device: Annotated[
        Literal["cpu", "gpu"], typer.Option("--device", help="Where to play the games of a search by simulation.")
    ] = "cpu",
    as_json: JsonOption = False,
) -> None:
    """Find the best strategy that a person can remember, and exactly what it loses compared with optimal play.

    The search takes a minute unless you set --seconds.

    Where players choose at the same time, it mixes actions, and loses what a best response gains.

    Of games that cannot be solved, or hide something else: the one that wins most against some policies, by simulation.
    """
    found, rules = chosen(game, settings)
    file = output or Path(f"{found.name.replace('-', '_')}_card.py")
    if front:
        check_format(front, ("png", "svg"))
    if card:
        check_format(card, ("png", "pdf", "html"), {**PACKAGES, "html": "matplotlib"})
    spoken = _sheet_language(paper, language)
    drawn = [drawing for drawing in (front, card) if drawing]
    options: dict[str, Any] = {"numbers": numbers, "seconds": seconds, "seed": seed, "notice": warn, **rules}
    checked = found.rules(rules)
    if against or not is_solvable(found, checked) or _is_concealed(found, checked):
        if spoken and card:
            raise InputError("the sheet of a strategy that is measured by simulation is in English, on a4.")
        with bars() as progress:
            simulated = teach_by_simulation(
                found, file, against=against or (), device=device, progress=progress, **options
            )
        _draw_simulated(simulated, front, card)
        _show_simulated(simulated, drawn, as_json)
        if not as_json:
            rivals = ["--policy", simulated.rivals[-1]] * (len(simulated.wins) - 1)
            suggest("simulate", game, settings, "--games", "100000", "--policy", f"{simulated.file}:{NAME}", *rivals)
        return
    if device == "gpu":
        raise InputError(f"{found.name} is solved, and no games are played: --device gpu is for --against POLICY.")
    with bars() as progress:
        result = teach_game(found, file, progress=progress, **options)
    _draw(result, front, card, paper, spoken)
    if as_json:
        print_json(teaching_json(result))
    else:
        _show(result, drawn)
        exploit = ["--exploit"] * result.kind.simultaneous
        others = ["optimal"] * (len(result.strength.values) > 1)
        suggest("match", game, settings, f"{result.file}:{NAME}", *others, *exploit)


def _is_concealed(game: Game, rules: Rules) -> bool:
    """Return whether more is hidden than simultaneous choices, which is known of all states in a solution only."""
    kind = kind_of(game, rules)
    if kind.hidden and not kind.is_concealed:
        with bars() as progress:
            kind = solve_all_states(game, progress=progress, notice=warn, **keywords(rules)).kind
    return kind.is_concealed


def _sheet_language(paper: str, language: str) -> tuple[Translate, str] | None:
    """Return the translation of phrases on a small sheet, and the decimal mark; None for the large sheet in English.

    Raises:
        InputError: for an unknown paper size or language.
    """
    if paper not in PAPERS:
        raise InputError(f"there is no paper size {paper!r}: choose {', '.join(PAPERS[:-1])} or {PAPERS[-1]}.")
    if language == ENGLISH:
        return None if paper == PAPERS[0] else (str, ".")
    if find_spec("babel") is None:
        raise InputError("cheat sheets in other languages need babel: pip install 'komi[serve]'.")
    from babel.numbers import get_decimal_symbol

    from komi.web import language as languages

    if language not in languages.available():
        raise InputError(f"there is no language {language!r}: choose {' or '.join(languages.available())}.")
    return partial(languages.translate, language), get_decimal_symbol(language)


def _draw(
    result: TeachingResult, front: Path | None, card: Path | None, paper: str, spoken: tuple[Translate, str] | None
) -> None:
    if front:
        from komi.plotting.front_plot import draw_front

        draw_front(result, front)
    if card and spoken:
        from komi.plotting.pocket_sheet import SheetLanguage, draw_pocket_sheet

        draw_pocket_sheet(result, card, paper, SheetLanguage(*spoken))
    elif card:
        from komi.plotting.cheat_sheet_plot import draw_cheat_sheet

        draw_cheat_sheet(result, card)


def _draw_simulated(result: SimulatedTeachingResult, front: Path | None, card: Path | None) -> None:
    if front:
        from komi.plotting.front_plot import draw_simulated_front

        draw_simulated_front(result, front)
    if card:
        from komi.plotting.simulated_sheet_plot import draw_simulated_cheat_sheet

        draw_simulated_cheat_sheet(result, card)


def _show(result: TeachingResult, drawn: Sequence[Path]) -> None:
    out = console()
    for sentence in result.strategy:
        out.print(sentence)
    out.print()
    for sentence in strength_text(result.strength, result.kind):
        out.print(sentence)
    if worst := result.costliest:
        out.print(
            f"It loses most in {worst.state}: it plays {worst.action} where {worst.best} is best "
            f"({format_loss(result.kind, worst.loss)} there)."
        )
    table = plain_table("numbers", "loss", "best strategy found")
    for point in result.front:
        table.add_row(str(point.numbers), format_loss(result.kind, point.loss), point.strategy)
    out.print()
    out.print(table)
    spent = result.seconds
    out.print(
        f"\nSearched for {spent.search:.0f} s, besides {spent.compile:.0f} s of compiling and loading code, and "
        f"{max(spent.total - spent.search - spent.compile, 0.0):.0f} s for the solution and the exact results."
    )
    out.print(f"Written: {result.file}")
    for picture in drawn:
        out.print(f"Drawn: {picture}")
    out.print()


def _show_simulated(result: SimulatedTeachingResult, drawn: Sequence[Path], as_json: bool) -> None:
    """Print the strategy as text or as JSON."""
    if as_json:
        print_json(simulated_teaching_json(result))
    else:
        _print_simulated(result, drawn)


def _print_simulated(result: SimulatedTeachingResult, drawn: Sequence[Path]) -> None:
    out = console()
    for sentence in result.strategy:
        out.print(sentence)
    scale = result.scale
    by_seat = ", ".join(_format(scale, each.mean) for each in result.wins)
    average = _with_error(scale, result.average)
    out.print(
        (f"\nIt wins {average} of its games" if scale.is_chance else f"\nIts {scale.unit}: {average}")
        + f", where {_format(scale, result.fair_share)} is a fair share; by seats, the first to move first: {by_seat}."
    )
    headings = ("it wins", "in its place wins") if scale.is_chance else ("its result", "in its place")
    rivals = plain_table("all other seats", *headings, "")
    for name, won, other in zip(result.rivals, result.against, result.in_its_place, strict=True):
        rivals.add_row(name, _with_error(scale, won), name, _with_error(scale, other))
    out.print(rivals)
    front = plain_table("numbers", "wins" if scale.is_chance else scale.unit, "best strategy found")
    for point in result.front:
        front.add_row(str(point.numbers), _with_error(scale, point.average), point.strategy)
    out.print()
    out.print(front)
    out.print(f"\nMeasured in {result.deals:,} new deals, the same for all, each in every seat and with every rival.")
    out.print(f"Written: {result.file}")
    for picture in drawn:
        out.print(f"Drawn: {picture}")
    out.print()


def _format(scale: PayoffScale, payoff: float) -> str:
    return f"{100 * payoff:.2f} %" if scale.is_chance else f"{payoff:.4f}"


def _with_error(scale: PayoffScale, estimate: Estimate) -> str:
    if scale.is_chance:
        return f"{100 * estimate.mean:.2f} ± {100 * estimate.stderr:.2f} %"
    return f"{estimate.mean:.4f} ± {estimate.stderr:.4f}"
