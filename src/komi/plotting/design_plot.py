"""Picture of `komi design`: how each targeted measure changes if one rule of the best rule set changes by one step."""

from pathlib import Path

from matplotlib.figure import Figure

from komi.design.find_rules import RuleSearch
from komi.measures.measure import NAMES
from komi.plotting import image_plots
from komi.plotting.formats import PALETTE


def draw_design(search: RuleSearch, path: Path) -> None:
    """Draw the changes around the best rule set.

    Raises:
        StorageError: if the file cannot be written.
    """
    image_plots.write(figure(search), path)


def figure(search: RuleSearch) -> Figure:
    """Create the figure of `draw_design`: a panel for each measure, a bar for each neighbor."""
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
