"""Picture of `komi design`: how each targeted measure changes if one rule of the best rule set changes by one step."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from komi.design.find_rules import RuleSearch
from komi.errors import InputError
from komi.files import write_atomically
from komi.measures.measure import NAMES
from komi.plotting import formats
from komi.plotting.formats import PALETTE

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def check_picture(path: Path) -> None:
    """Check that a picture can be drawn into this file, before the computation for it starts.

    Raises:
        InputError: for an unknown suffix, or if matplotlib is not installed.
        StorageError: if the file cannot be written there.
    """
    if formats.format_of(path) not in formats.IMAGES:
        raise InputError(f"designs are drawn as {' or '.join(formats.IMAGES)}: {path.name!r} is neither.")


def draw_design(search: RuleSearch, path: Path) -> None:
    """Draw the changes around the best rule set.

    Raises:
        InputError: for an unknown suffix, or if matplotlib is not installed.
        StorageError: if the file cannot be written.
    """
    check_picture(path)
    drawn = figure(search)
    metadata: dict[str, Any] = {"Date": None} if path.suffix == ".svg" else {}
    write_atomically(path, lambda draft: drawn.savefig(draft, dpi=150, metadata=metadata))


def figure(search: RuleSearch) -> "Figure":
    """Create the figure of `draw_design`: a panel for each measure, a bar for each neighbor."""
    from matplotlib.figure import Figure

    names = list(dict.fromkeys(target.name for target in search.targets))
    best = search.rows[0]
    drawn = Figure(figsize=(4.5 * len(names) + 1.5, 1.5 + 0.4 * len(search.sensitivities)), layout="constrained")
    panels = drawn.subplots(1, len(names), sharey=True, squeeze=False)[0]
    labels = [f"{each.rule} {each.value}" for each in search.sensitivities]
    for axes, name in zip(panels, names, strict=True):
        changes = [each.changes[name] for each in search.sensitivities]
        colors = [PALETTE[0] if change >= 0.0 else PALETTE[1] for change in changes]
        axes.barh(range(len(changes)), changes, color=colors)
        axes.set_yticks(range(len(changes)), labels)
        axes.axvline(0.0, color="black", linewidth=0.8)
        axes.set_title(f"{NAMES[name]}: {best.measures[name]:.5g}", fontsize=10)
        axes.set_xlabel("change")
        axes.grid(axis="x", alpha=0.25, linewidth=0.6)
    panels[0].invert_yaxis()
    rules = ", ".join(f"{name} {getattr(best.rules, name)}" for name in search.varied)
    drawn.suptitle(f"{search.game.name} with {rules}: one rule changed by one step")
    return drawn
