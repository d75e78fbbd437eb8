"""`komi.report`: writes everything that is known about a game on one page."""

from pathlib import Path

from komi.jit.kernels import Notice
from komi.progress import Progress, silent
from komi.reporting import game_report
from komi.rules import catalog
from komi.typing import GameLike


def report(
    game: GameLike,
    file: str | Path | None = None,
    *,
    progress: Progress = silent,
    notice: Notice = lambda message: None,
    **rules: object,
) -> Path:
    """Write a page about a game: rules, fairness, length, choices, skill and luck, with pictures.

    Args:
        game: the name of a game, its rule file, or a Game; see `komi.find`.
        file: the HTML file; by default named after the game.
        progress: progress callback, called during long work; see `komi.progress`.
        notice: callback that receives a message before work that takes seconds and happens only once.
        rules: values of rules to change, by name.

    Returns:
        The file.

    Raises:
        InputError: for an unknown game or rule, another kind of file, or if matplotlib is missing.
        GameError: if the rules are broken.
        StorageError: if the file cannot be written.
    """
    found = catalog.find(game)
    found = found.under(found.rules(rules))
    path = Path(file or f"{found.name}.html")
    game_report.check_output(path)
    game_report.write_report(game_report.compute_report(found, rules, progress, notice), path)
    return path
