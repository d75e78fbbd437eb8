"""Pictures of when to hold, in any race in which a turn can be held.

The surface: the least turn total at which a policy holds, by own score and rival's score, for one deck or
for several side by side. The cross-section: going on and holding by turn total and one of the scores, the
other one fixed. The difference: where two policies decide differently.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from komi.errors import InputError
from komi.evaluation.turns import Turns, read_turns
from komi.plot import files
from komi.progress import Progress, silent
from komi.solver.solution import AnyState, Solution

MOST_DECKS = 4  # that fit side by side


@dataclass(frozen=True)
class Cut:
    """Where a cross-section is: this field of the state has this value."""

    field: str
    value: int

    @property
    def across(self) -> str:
        """The score that is not fixed."""
        return "rival" if self.field == "score" else "score"


def draw_surface(
    solution: Solution,
    file: str | Path,
    decks: Sequence[AnyState] = ("",),
    policy: str = "optimal",
    reachable: bool = False,
    progress: Progress = silent,
) -> Path:
    """Draw the hold values of a policy over both scores.

    Args:
        solution: the solved game.
        file: the picture: png, svg, or html, a page to turn about in that opens without a network.
        decks: states that say what is out of the deck as the turn begins; several are drawn side by side.
        policy: whose hold values, by name.
        reachable: only where the policy comes to when it plays itself.
        progress: is told how far solving is.

    Returns:
        the file.

    Raises:
        InputError: for a game without hold values, an unknown policy, suffix or deck, or too many decks.
        StorageError: if the file cannot be written.
    """
    kind = files.kind_of(Path(file))
    if len(decks) > MOST_DECKS:
        raise InputError(f"{MOST_DECKS} decks fit side by side, not {len(decks)}.")
    (turns,) = read_turns(solution, [policy], decks or [""], progress)
    return _drawn(kind, Path(file), "surface", turns, reachable)


def draw_section(
    solution: Solution,
    file: str | Path,
    cut: Cut,
    deck: AnyState = "",
    policy: str = "optimal",
    reachable: bool = False,
    progress: Progress = silent,
) -> Path:
    """Draw where a policy goes on and where it holds, one of the scores being fixed; else as `draw_surface`."""
    kind = files.kind_of(Path(file))
    goal = getattr(solution.rules, "goal", 0)
    if cut.field not in ("score", "rival"):
        raise InputError(f"a slice fixes 'score' or 'rival', not {cut.field!r}.")
    ((turns,),) = read_turns(solution, [policy], [deck], progress)
    if not 0 <= cut.value < goal:
        raise InputError(f"{cut.field} must be 0 to {goal - 1} in a slice, not {cut.value}.")
    return _drawn(kind, Path(file), "section", turns, cut, reachable)


def draw_difference(
    solution: Solution,
    file: str | Path,
    policy: str,
    against: str,
    deck: AnyState = "",
    progress: Progress = silent,
) -> Path:
    """Draw where two policies decide differently, by both scores; else as `draw_surface`."""
    kind = files.kind_of(Path(file))
    (one,), (other,) = read_turns(solution, [policy, against], [deck], progress)
    return _drawn(kind, Path(file), "difference", one, other)


def read_cut(text: str) -> Cut:
    """The cross-section that `field=value` means.

    Raises:
        InputError: if it is malformed.
    """
    field, equals, value = (part.strip() for part in text.partition("="))
    if not (equals and value.isdecimal()):
        raise InputError(f"--slice takes score=N or rival=N, not {text!r}.")
    return Cut(field, int(value))
