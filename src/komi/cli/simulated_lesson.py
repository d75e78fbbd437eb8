"""Output of `komi teach` for a strategy that was found by simulation."""

from collections.abc import Sequence
from pathlib import Path

from komi.cli.output import console, plain_table, print_json
from komi.presentation.strategy_json import simulated_teaching_json
from komi.rules.payoff_scale import PayoffScale
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
