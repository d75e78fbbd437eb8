"""Pareto fronts of strategies: the loss, or the games won, by the number of numbers to remember."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import matplotlib
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter
from matplotlib.transforms import Bbox

from komi.files import write_atomically
from komi.plotting.formats import DARK, GREY, PALETTE
from komi.plotting.image_plots import STYLE, save
from komi.rules import vocabulary
from komi.rules.game import Game
from komi.rules.kind import Kind, kind_of
from komi.teaching.simulated.teach_by_simulation import SimulatedTeachingResult
from komi.teaching.teach import TeachingResult

MIN_LOSS = 1e-5  # smaller losses are drawn at this value, times the greatest if that is more than 1


class SimulatedUnit(NamedTuple):
    """The unit of a strategy's simulated results: games won in percent, or expected points or money.

    Attributes:
        name: the name of the results.
        factor: of the results as they are drawn.
        digits: the number of decimals.
        sign: the sign of the unit behind a number.
    """

    name: str
    factor: float
    digits: int
    sign: str

    @classmethod
    def of(cls, result: SimulatedTeachingResult) -> "SimulatedUnit":
        """Return the unit of a result."""
        scale = result.scale
        return cls("games won", 100.0, 1, " %") if scale.is_chance else cls(scale.unit, 1.0, 3, "")

    def format(self, payoff: float) -> str:
        """Format a result."""
        return f"{self.factor * payoff:.{self.digits}f}{self.sign}"


def draw_front(result: TeachingResult, file: Path) -> None:
    """Draw the Pareto front of exact losses as png or svg."""
    _save_front(result.game, "loss", lambda axes: show_front(axes, result), file)


def draw_simulated_front(result: SimulatedTeachingResult, file: Path) -> None:
    """Draw the Pareto front of simulated win rates as png or svg."""
    _save_front(result.game, SimulatedUnit.of(result).name, lambda axes: show_simulated_front(axes, result), file)


def show_front(axes: Axes, result: TeachingResult) -> None:
    """Draw the front as a step function, each point labelled with its loss."""
    numbers = [point.numbers for point in result.front]
    kind = kind_of(result.game, result.rules)
    unit, scale = (" %", 100.0) if kind.is_chance else ("", 1.0)
    least = scale * MIN_LOSS * max(1.0, result.front[0].loss)
    losses = [max(scale * point.loss, least) for point in result.front]
    _draw_steps(
        axes, numbers, losses, [f"{loss:.2f} %" if kind.is_chance else f"{loss:.3g}" for loss in losses], (6, 7)
    )
    axes.scatter(numbers, losses, s=46, color=PALETTE[0], zorder=3)
    axes.set_yscale("log")
    axes.set_ylim(min(losses) / 1.6, max(losses) * 1.8)
    axes.yaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}{unit}"))
    axes.yaxis.set_minor_formatter(NullFormatter())
    axes.set_ylabel(loss_label(result.strength.objective, kind))
    _thin_out(axes)


def show_simulated_front(axes: Axes, result: SimulatedTeachingResult) -> None:
    """Draw the front as a step function with standard errors."""
    numbers = [point.numbers for point in result.front]
    unit = SimulatedUnit.of(result)
    wins = [unit.factor * point.average.mean for point in result.front]
    errors = [unit.factor * point.average.stderr for point in result.front]
    _draw_steps(axes, numbers, wins, [unit.format(point.average.mean) for point in result.front], (6, -14))
    axes.errorbar(numbers, wins, errors, fmt="o", ms=6.5, color=PALETTE[0], capsize=3, zorder=3)
    spread = max(wins) - min(wins) or 1.0
    axes.set_ylim(min(wins) - 0.35 * spread, max(wins) + 0.25 * spread)
    if result.scale.is_chance:
        axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g} %" if value >= 0.0 else ""))
    axes.set_ylabel(unit.name)
    _thin_out(axes)


def _thin_out(axes: Axes) -> None:
    """Remove the label of each point that would overlap that of a better one."""
    figure = axes.get_figure(root=True)
    assert figure is not None
    renderer = FigureCanvasAgg(figure).get_renderer()  # type: ignore[no-untyped-call]
    kept: list[Bbox] = []
    for text in reversed(list(axes.texts)):
        box = text.get_window_extent(renderer)
        if any(box.overlaps(other) for other in kept):
            text.remove()
        else:
            kept.append(box)


def loss_label(objective: str, kind: Kind) -> str:
    """Name the quantity that losses are measured in."""
    return "loss in probability of winning" if kind.is_chance and kind.seats > 1 else f"loss in {objective}"


def _save_front(game: Game, what: str, show: Callable[[Any], None], file: Path) -> None:
    """Write a front to a separate file."""
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(8.0, 4.8), layout="constrained")
        axes = figure.add_subplot()
        show(axes)
        axes.set_title(f"{vocabulary.title(game)}: {what} by number of numbers to remember")
    write_atomically(file, lambda draft: save(figure, draft))


def _draw_steps(
    axes: Axes, numbers: Sequence[int], values: Sequence[float], labels: Sequence[str], offset: tuple[int, int]
) -> None:
    """Draw a front as a step function with a label at each point."""
    axes.step([*numbers, numbers[-1] + 0.5], [*values, values[-1]], where="post", color=PALETTE[0], lw=1.6)
    for number, value, label in zip(numbers, values, labels, strict=True):
        axes.annotate(label, (number, value), xytext=offset, textcoords="offset points", color=DARK, fontsize=9)
    axes.set_xlim(numbers[0] - 0.5, numbers[-1] + 0.7)
    axes.set_xticks(range(numbers[0], numbers[-1] + 1))
    axes.grid(axis="y", color=GREY, lw=0.8)
    axes.set_axisbelow(True)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    axes.set_xlabel("numbers to remember")
