"""Output of `komi teach` for a strategy that was found by simulation."""

from collections.abc import Sequence
from pathlib import Path

from komi.cli.output import console, plain_table, print_json
from komi.presentation.strategy_json import simulated_teaching_json
from komi.simulation.result import Estimate
from komi.teaching.simulated.teach_by_simulation import SimulatedTeachingResult


def show_simulated(result: SimulatedTeachingResult, drawn: Sequence[Path], as_json: bool) -> None:
    """Print the strategy as text or as JSON."""
    if as_json:
        print_json(simulated_teaching_json(result))
    else:
        _show(result, drawn)


def _show(result: SimulatedTeachingResult, drawn: Sequence[Path]) -> None:
    out = console()
    for sentence in result.strategy:
        out.print(sentence)
    seats = len(result.wins)
    by_seat = ", ".join(_percent(each) for each in result.wins)
    out.print(
        f"\nIt wins {_with_error(result.average)} of its games, where {100 / seats:.1f} % is a fair share; "
        f"by seats, the first to move first: {by_seat}."
    )
    rivals = plain_table("all other seats", "it wins", "in its place wins", "")
    for name, won, other in zip(result.rivals, result.against, result.in_its_place, strict=True):
        rivals.add_row(name, _with_error(won), name, _with_error(other))
    out.print(rivals)
    front = plain_table("numbers", "wins", "best strategy found")
    for point in result.front:
        front.add_row(str(point.numbers), _with_error(point.average), point.strategy)
    out.print()
    out.print(front)
    out.print(f"\nMeasured in {result.deals:,} new deals, the same for all, each in every seat and with every rival.")
    out.print(f"Written: {result.file}")
    for picture in drawn:
        out.print(f"Drawn: {picture}")
    out.print()


def _percent(estimate: Estimate) -> str:
    return f"{100 * estimate.mean:.2f} %"


def _with_error(estimate: Estimate) -> str:
    return f"{100 * estimate.mean:.2f} ± {100 * estimate.stderr:.2f} %"
