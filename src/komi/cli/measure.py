"""`komi measure`: how exciting a game is, how much players can choose, and how long it takes."""

from pathlib import Path
from typing import Annotated

import typer

from komi.cli.app import FreshOption, GameArgument, JsonOption, SetOption, chosen
from komi.cli.commands import command
from komi.cli.output import bars, console, print_json, show, warn
from komi.measures.ladder import TEACHING_SECONDS, climb
from komi.measures.measure import COMEBACK_AT, DECIDED_AT, PACE, follow_policies, measure_solution, solve_measured
from komi.measures.profile import profile_turns
from komi.measures.restriction import bind as bind_to
from komi.measures.restriction import chain_responses
from komi.measures.restriction import forbid as forbid_action
from komi.plotting.formats import IMAGES, check_format
from komi.policies.named import NAMES, find
from komi.presentation.measures_report import measures_json, measures_text, skill_json, skill_text


@command("measure")
def measure(
    game: GameArgument,
    policies: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[POLICY ...]",
            help=f"One for each player, or one for all; by default optimal: {', '.join(NAMES)}.",
        ),
    ] = None,
    settings: SetOption = None,
    comeback_at: Annotated[
        float, typer.Option("--comeback-at", metavar="P", help="The winner was nearly lost at this chance or below.")
    ] = COMEBACK_AT,
    decided_at: Annotated[
        float, typer.Option("--decided-at", metavar="P", help="A game is decided at this chance of winning.")
    ] = DECIDED_AT,
    pace: Annotated[float, typer.Option("--pace", metavar="SECONDS", help="The time for an action.")] = PACE,
    ladder: Annotated[
        bool, typer.Option("--ladder", help="Also play policies from random to optimal each against each.")
    ] = False,
    seconds: Annotated[
        float, typer.Option("--seconds", metavar="S", min=0.0, help="The time to search strategies for the ladder.")
    ] = TEACHING_SECONDS,
    forbid: Annotated[
        list[str] | None,
        typer.Option("--forbid", metavar="ACTION", help="Also compute the price of forbidding one player an action."),
    ] = None,
    bind: Annotated[
        list[str] | None,
        typer.Option("--bind", metavar="POLICY", help="Also compute the price of binding one player to a policy."),
    ] = None,
    chain: Annotated[
        list[str] | None,
        typer.Option("--chain", metavar="POLICY", help="Also follow best responses to best responses from a policy."),
    ] = None,
    plot: Annotated[
        Path | None,
        typer.Option("--plot", metavar="FILE", help="Draw the course of games by turn: .png, .svg or .pdf."),
    ] = None,
    fresh: FreshOption = False,
    as_json: JsonOption = False,
) -> None:
    """Measure suspense, surprise, changes of the lead, drama, comebacks, choices, luck and length, exactly."""
    found, rules = chosen(game, settings)
    if plot:
        check_format(plot, IMAGES)
    with bars() as progress:
        solution = solve_measured(found, rules, fresh=fresh, progress=progress, notice=warn)
        measures = measure_solution(solution, tuple(policies or ()), comeback_at, decided_at, pace, progress)
        if plot:
            from komi.plotting.measures_plot import GAMES, draw_measures

            play, _ = follow_policies(solution, tuple(policies or ("optimal",)), progress=progress)
            profile = profile_turns(play.chain, GAMES)
        climbed = climb(solution, seconds, progress) if ladder else None
        prices = [forbid_action(solution, label, progress) for label in forbid or ()]
        prices += [bind_to(solution, find(name, solution), progress) for name in bind or ()]
        chains = [chain_responses(solution, find(name, solution), progress) for name in chain or ()]
    if as_json:
        print_json({**measures_json(measures), **skill_json(climbed, prices, chains)})
    else:
        show(measures_text(measures))
        for report in skill_text(climbed, prices, chains):
            console().print()
            show(report)
    if plot:
        draw_measures(measures, profile, climbed, plot)
