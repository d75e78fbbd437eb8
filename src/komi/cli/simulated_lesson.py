"""Output of `komi teach` for a strategy that was found by simulation."""

from collections.abc import Sequence
from pathlib import Path

from komi.cli.output import console, plain_table, print_json
from komi.simulation.result import Estimate
from komi.teaching.simulated.preference_policy import NAME
from komi.teaching.simulated.teach_by_simulation import SimulatedTeachingResult


def show_simulated(lesson: SimulatedTeachingResult, drawn: Sequence[Path], as_json: bool) -> None:
    """Print the strategy as text or as JSON."""
    if as_json:
        print_json(_facts(lesson))
    else:
        _show(lesson, drawn)


def _facts(lesson: SimulatedTeachingResult) -> dict[str, object]:
    """Return the same keys as for solved games; values that need optimal play are None."""
    return {
        "game": lesson.game.name,
        "rules": lesson.rules._asdict(),
        "strategy": " ".join(lesson.strategy),
        "numbers": lesson.numbers,
        "first": lesson.wins[0].mean,
        "second": lesson.wins[1].mean,
        "wins": [each.mean for each in lesson.wins],
        "average": lesson.average.mean,
        "stderr": lesson.average.stderr,
        "loss": None,
        "worst_case": None,
        "against": {
            name: {"average": won.mean, "stderr": won.stderr, "in_its_place": other.mean}
            for name, won, other in zip(lesson.rivals, lesson.against, lesson.in_its_place, strict=True)
        },
        "deals": lesson.deals,
        "file": str(lesson.file),
        "policy": f"{lesson.file}:{NAME}",
        "front": [
            {
                "numbers": point.numbers,
                "average": point.average.mean,
                "stderr": point.average.stderr,
                "strategy": point.strategy,
            }
            for point in lesson.front
        ],
    }


def _show(lesson: SimulatedTeachingResult, drawn: Sequence[Path]) -> None:
    out = console()
    for sentence in lesson.strategy:
        out.print(sentence)
    seats = len(lesson.wins)
    by_seat = ", ".join(_percent(each) for each in lesson.wins)
    out.print(
        f"\nIt wins {_with_error(lesson.average)} of its games, where {100 / seats:.1f} % is a fair share; "
        f"by seats, the first to move first: {by_seat}."
    )
    rivals = plain_table("all other seats", "it wins", "in its place wins", "")
    for name, won, other in zip(lesson.rivals, lesson.against, lesson.in_its_place, strict=True):
        rivals.add_row(name, _with_error(won), name, _with_error(other))
    out.print(rivals)
    front = plain_table("numbers", "wins", "best strategy found")
    for point in lesson.front:
        front.add_row(str(point.numbers), _with_error(point.average), point.strategy)
    out.print()
    out.print(front)
    out.print(f"\nMeasured in {lesson.deals:,} new deals, the same for all, each in every seat and with every rival.")
    out.print(f"Written: {lesson.file}")
    for picture in drawn:
        out.print(f"Drawn: {picture}")
    out.print()


def _percent(estimate: Estimate) -> str:
    return f"{100 * estimate.mean:.2f} %"


def _with_error(estimate: Estimate) -> str:
    return f"{100 * estimate.mean:.2f} ± {100 * estimate.stderr:.2f} %"
