"""Plots of hold values, for any two-player game in which a turn can be held.

The surface: the least turn total at which a policy holds, by own score and rival's score, for one deck or
for several side by side. The cross-section: decisions to go on or hold by turn total and one of the scores, the
other one fixed. The difference: where two policies decide differently.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from komi.errors import InputError
from komi.evaluation.turn_decisions import find_turn_decisions
from komi.files import write_atomically
from komi.plotting import formats
from komi.plotting.hold_values import CrossSection
from komi.policies.named import PolicyLike
from komi.progress import Progress, silent
from komi.solvers.solution import AnyState, Solution

MAX_DECKS = 4  # maximum number of decks side by side


def draw_surface(
    solution: Solution[Any],
    file: str | Path,
    decks: Sequence[AnyState] = ("",),
    policy: PolicyLike = "optimal",
    reachable: bool = False,
    progress: Progress = silent,
) -> Path:
    """Draw the hold values of a policy over both scores.

    Args:
        solution: the solved game.
        file: the image file: png, svg, pdf, or html, an interactive 3-D plot that needs no network.
        decks: states that give the cards out of the deck at the start of the turn; several are drawn side by side.
        policy: the name of the policy, or a Python function.
        reachable: draw only states that the policy reaches in games against itself.
        progress: called during long work; see `komi.progress`.

    Returns:
        The file.

    Raises:
        InputError: for a game without hold values, an unknown policy, suffix or deck, or too many decks.
        StorageError: if the file cannot be written.
    """
    painter = _painter(Path(file))
    if len(decks) > MAX_DECKS:
        raise InputError(f"{MAX_DECKS} decks fit side by side, not {len(decks)}.")
    (turns,) = find_turn_decisions(solution, [policy], decks or [""], progress)
    return _saved(painter, painter.surface(turns, reachable), Path(file))


def draw_section(
    solution: Solution[Any],
    file: str | Path,
    cut: CrossSection,
    deck: AnyState = "",
    policy: PolicyLike = "optimal",
    reachable: bool = False,
    progress: Progress = silent,
) -> Path:
    """Draw where a policy goes on and where it holds with one of the scores fixed; otherwise as `draw_surface`."""
    painter = _painter(Path(file))
    ((turns,),) = find_turn_decisions(solution, [policy], [deck], progress)
    return _saved(painter, painter.section(turns, cut, reachable), Path(file))


def draw_difference(
    solution: Solution[Any],
    file: str | Path,
    policy: PolicyLike,
    against: PolicyLike,
    deck: AnyState = "",
    progress: Progress = silent,
) -> Path:
    """Draw where two policies decide differently, by both scores; otherwise as `draw_surface`."""
    painter = _painter(Path(file))
    ((one,), (other,)) = find_turn_decisions(solution, [policy, against], [deck], progress)
    return _saved(painter, painter.difference(one, other), Path(file))


def _painter(file: Path) -> Any:
    """Return the module that draws this file's format."""
    if formats.format_of(file) in formats.PAGES:
        from komi.plotting import interactive_plots

        return interactive_plots
    from komi.plotting import image_plots

    return image_plots


def _saved(painter: Any, picture: Any, file: Path) -> Path:
    write_atomically(file, lambda draft: painter.save(picture, draft))
    return file
