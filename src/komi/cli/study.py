"""`komi study`: analyze how well the players of a server play."""

from functools import cache
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from komi.cli.app import DatabaseOption, JsonOption
from komi.cli.commands import command
from komi.cli.output import bars, console, print_json, warn
from komi.errors import InputError, KomiError
from komi.files import write_atomically
from komi.policies.human_model import serialize_model
from komi.presentation.fields import select
from komi.progress import Progress
from komi.reporting.html_page import check_pictures
from komi.rules import catalog
from komi.rules.declarations import keywords
from komi.rules.game import Game
from komi.solvers.solution import Solution
from komi.solvers.solve import solve_all_states
from komi.study.choice_model import ChoiceModel, check_statistics
from komi.study.dataset import check_parquet, write_dataset
from komi.study.human_decisions import Solver, read_games
from komi.study.study_report import write_page
from komi.study.study_statistics import StudyStatistics, compute_statistics
from komi.typing import Rules

FILE = "sqlite:///"


@command("study")
def study(
    files: Annotated[
        list[str] | None, typer.Argument(metavar="FILE.py", help="Rule files that the server offers.")
    ] = None,
    database: DatabaseOption = "",
    folder: Annotated[
        Path, typer.Option("--out", metavar="FOLDER", help="The folder for the data set and the report.")
    ] = Path("study"),
    as_json: JsonOption = False,
) -> None:
    """Analyze how well people play: a data set without names, a report, and opponents that play like them."""
    check_statistics()
    check_parquet()
    check_pictures("a study")
    records, unread = _kept(database, files or [])
    if not records:
        raise InputError(
            "there are no games to study: no player who agreed has finished one ('komi serve --study' asks)."
        )
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot create the folder {folder} ({error.strerror or error}).") from None
    with bars() as progress:
        solved = _solver(progress)
        games = read_games(records, solved, progress)
        results = [compute_statistics(each, solved) for each in games]
    written = write_dataset(games, folder)
    report = folder / "report.html"
    write_page(results, report)
    written.append(report)
    for each in results:
        if each.model:
            written.append(_write_people(each.games.game.name, each.model, folder))
    if unread:
        warn(f"{unread:,} games are left out: their rules have changed since they were played.")
    if as_json:
        print_json({"games": [_as_json(each) for each in results], "files": written})
    else:
        _show(results)
        console().print("\nWritten: " + ", ".join(str(file) for file in written))


def _kept(database: str, files: list[str]) -> tuple[list[Any], int]:
    try:
        from komi.web.database import Database, default_url
        from komi.web.study_games import consented_games
    except ImportError as error:
        raise InputError(f"komi study needs {error.name}: pip install 'komi[serve]'.") from None
    address = database or default_url()
    file = address.removeprefix(FILE).partition("?")[0]
    if address.startswith(FILE) and file and not Path(file).exists():
        raise InputError(f"there is no database {file}: 'komi serve' creates one.")
    try:
        opened = Database(address)
    except InputError:
        raise
    except (TypeError, ValueError) as error:  # from the options after the '?'
        raise InputError(f"--database {database!r} is not a database: {error}.") from None
    try:
        names = [catalog.find(file).name for file in files]
        if twice := next((name for name in names if names.count(name) > 1), None):
            raise InputError(f"two of the rule files define a game named {twice!r}: give one of them.")
        return consented_games(opened, dict(zip(names, files, strict=True)))
    finally:
        opened.close()


def _solver(progress: Progress) -> Solver:
    """Return a cached function that solves a game under given rules, and returns None if that fails."""

    @cache
    def solved(game: Game, rules: Rules) -> Solution[Any] | None:
        try:
            return solve_all_states(game, progress=progress, notice=warn, **keywords(rules))
        except KomiError:
            return None

    return solved


def _write_people(game: str, model: ChoiceModel, folder: Path) -> Path:
    """Write the fitted model as a file for the policy people:FILE, and return its path."""
    text = serialize_model(game, model.precision.value, {term.name: term.value for term in model.biases})
    file = folder / f"{game}-people.json"
    write_atomically(file, lambda draft: draft.write_text(text, encoding="utf-8"))
    return file


def _as_json(found: StudyStatistics) -> dict[str, Any]:
    model = found.model
    return {
        **select(found, game="games.game", people="games.people"),
        "games": len(found.games.results),
        "decisions": len(found.games.decisions),
        **select(found, "loss", right="best"),
        **select(found, "experience", "growth", "skill"),
        "precision": model and model.precision,
        "leanings": model.biases if model else [],
        **select(found, strategies="strategy_fits", people_by_strategy="people"),
    }


def _show(results: list[StudyStatistics]) -> None:
    table = Table("game", "people", "games", "decisions", "loss", "right", "plays most like", box=None)
    for found in results:
        games = found.games
        loss = "" if found.loss is None else f"{found.loss:.5f}"
        right = "" if found.best is None else f"{100 * found.best:.1f} %"
        like = f"{found.strategy_fits[0].strategy}" if found.strategy_fits else ""
        table.add_row(
            games.game.name,
            f"{games.people:,}",
            f"{len(games.results):,}",
            f"{len(games.decisions):,}",
            loss,
            right,
            like,
        )
    console().print(table)
    for found in results:
        for sentence in found.omissions:
            console().print(f"{found.games.game.name}: {sentence}")
