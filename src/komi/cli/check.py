"""`komi check`: check that a rule file is sound."""

import typer

from komi.checking.check import Check
from komi.checking.check import check as check_game
from komi.cli.app import GameArgument, JsonOption, SetOption, chosen
from komi.cli.commands import command
from komi.cli.output import bars, console, marked, print_json, warn
from komi.presentation.fields import select

PROBLEMS = 1  # the exit code if problems were found


@command("check")
def check(game: GameArgument, settings: SetOption = None, as_json: JsonOption = False) -> None:
    """Check that a rule file is sound, or report what is wrong and in which state."""
    found, rules = chosen(game, settings)
    with bars() as progress:
        report = check_game(found, progress=progress, notice=warn, **rules)
    if as_json:
        problems = [select(problem, "message", "state") for problem in report.problems]
        names = ("game", "rules", "ok", "holds", "unproved", "unsolved", "uncertified", "untranslated", "ends")
        print_json({**select(report, *names), "problems": problems})
    else:
        _show(report)
    if not report.ok:
        raise typer.Exit(PROBLEMS)


def _show(report: Check) -> None:
    out = console()
    out.print(report.game.summary, style="bold")
    for sentence in report.holds:
        out.print(marked("  [green]holds[/green]     {text}", text=sentence))
    for sentence in report.unproved:
        out.print(marked("  [yellow]unproved[/yellow]  {text}", text=sentence))
    if report.uncertified:
        out.print(marked("  note      cannot be certified: {text}", text=report.uncertified))
    if report.untranslated:
        out.print(marked("  note      not compared in JavaScript: {text}", text=report.untranslated))
    for problem in report.problems:
        out.print(marked("  [red]problem[/red]   {text}", text=problem))
    out.print(_verdict(report))


def _verdict(report: Check) -> str:
    if not report.ok:
        return "These rules are broken."
    if not report.ends:
        return "No problem was found, but it is not proved that states stay in range and that the game can always end."
    if report.unsolved:
        return (
            "No problem was found, but optimal play in all states cannot be computed, for the reason above: commands "
            "that need it refuse them; 'komi simulate' and 'komi play --opponent easy' do not need it."
        )
    return "Sound, as far as it was checked."
