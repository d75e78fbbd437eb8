"""The report of a study: one self-contained page."""

import math
from collections.abc import Sequence
from html import escape
from pathlib import Path

from komi.reporting import html_page
from komi.reporting.html_page import table
from komi.rules.vocabulary import title
from komi.study.choice_model import ChoiceModel, ParameterEstimate
from komi.study.skill import CostlyPosition, DecisionGroup
from komi.study.strategy_fit import StrategyFit
from komi.study.study_statistics import MIN_OF_ONE, StudyStatistics


def write_page(findings: Sequence[StudyStatistics], file: Path) -> None:
    """Write the page.

    Raises:
        StorageError: if it cannot be written.
    """
    parts = [
        "<p>Finished games of people who agreed to have their decisions studied, judged by optimal play. ± is one "
        "standard error, the choices of one person taken together; intervals are of 95 %.</p>",
        *(_game(each) for each in findings),
    ]
    html_page.write_page("How well do people play?", parts, file)


def _game(found: StudyStatistics) -> str:
    games = found.games
    parts = [
        f"<h2>{escape(title(games.game))}</h2>",
        f"<p>{len(games.results):,} games of {games.people:,} people, {len(games.decisions):,} decisions between two "
        "actions or more.</p>",
    ]
    if found.loss is not None and found.best is not None:
        parts.append(
            f"<p>On average a decision gives away {_points(found, found.loss)}; {100 * found.best:.1f} % of them give "
            "nothing away.</p>"
        )
    if found.experience:
        parts.append("<h3>By experience</h3>" + _experience(found))
    if found.chances:
        parts.append("<h3>By the chance of winning</h3>" + _groups(found, "chance before", found.chances))
    if found.costly:
        parts.append("<h3>Where most is given away</h3>" + _costly(found, found.costly))
    if found.skill is not None:
        parts.append(
            f"<p>Of what moves results away from the value of the start, {100 * found.skill:.1f} % is skill and the "
            "rest luck: var(skill) / (var(skill) + var(luck)).</p>"
        )
    if found.model:
        parts.append("<h3>How people choose</h3>" + _model(found, found.model))
    if found.described:
        parts.append("<h3>Which strategy describes them</h3>" + _described(found.described, found.people))
    parts += [f"<p>Left out: {escape(sentence)}</p>" for sentence in found.untold]
    return "\n".join(parts)


def _experience(found: StudyStatistics) -> str:
    told = _groups(found, "games before", found.experience)
    if found.growth:
        told += (
            f"<p>Each doubling of games played changes the loss of a decision by {_interval(found, found.growth)}.</p>"
        )
    return (_curve(found) if len(found.experience) > 1 else "") + told


def _groups(found: StudyStatistics, name: str, groups: Sequence[DecisionGroup]) -> str:
    head = (name, "decisions", "people", "gives away", "right")
    rows = [
        (
            group.name,
            f"{group.decisions:,}",
            f"{group.people:,}",
            _points(found, group.loss, group.stderr),
            f"{100 * group.best:.1f} %",
        )
        for group in groups
    ]
    return table(head, rows)


def _costly(found: StudyStatistics, costly: Sequence[CostlyPosition]) -> str:
    rows = [
        (each.state, f"{each.times:,}", f"{100 * each.wrong:.0f} %", _points(found, each.loss), each.best, each.usual)
        for each in costly
    ]
    return table(("position", "times", "wrong", "gives away", "best", "wrong choice most often made"), rows)


def _model(found: StudyStatistics, model: ChoiceModel) -> str:
    one = 0.01 if _is_chance(found) else 1.0
    factor = math.exp(model.precision.value * one)
    gain = 1.0 - model.log_likelihood / model.by_lot if model.by_lot else 0.0
    terms = [(model.precision.name, model.precision), *((f"leaning to {term.name}", term) for term in model.leanings)]
    rows = [(name, f"{term.value:.3f}", f"{term.low:.3f} to {term.high:.3f}") for name, term in terms]
    unit = "one percentage point" if _is_chance(found) else "one"
    clustered = (
        "the choices of one person taken together" if model.clustered else "as if all choices were made independently"
    )
    return (
        f"<p>An action that is better by {unit} is taken {factor:.2f} times as often, leanings aside (beside "
        f"{escape(model.usual)}). A logit choice model of {model.decisions:,} decisions of {model.people:,} people, "
        f"intervals {clustered}; it explains {100 * gain:.1f} % of the log-likelihood of choosing by lot.</p>"
        + table(("parameter", "value", "interval"), rows)
    )


def _described(described: Sequence[StrategyFit], people: dict[str, int]) -> str:
    rows = [
        (each.strategy, f"{100 * each.agree:.1f} %", f"{100 * each.slips:.1f} %", f"{each.aic:,.1f}")
        for each in described
    ]
    told = table(("strategy", "choices as it says", "slips", "AIC, less is better"), rows)
    if people:
        counted = ", ".join(f"{escape(strategy)} {count:,}" for strategy, count in people.items())
        told += f"<p>Of people with {MIN_OF_ONE} decisions and more, each strategy describes best: {counted}.</p>"
    return told


def _curve(found: StudyStatistics) -> str:
    from matplotlib.figure import Figure

    from komi.plotting import image_plots

    scale = 100.0 if _is_chance(found) else 1.0
    groups = found.experience
    figure = Figure(figsize=(7.0, 3.2), layout="constrained")
    axes = figure.add_subplot()
    errors = [0.0 if math.isnan(group.stderr) else scale * group.stderr for group in groups]
    places = range(len(groups))
    axes.errorbar(places, [scale * group.loss for group in groups], yerr=errors, marker="o", capsize=3)
    axes.set_xticks(list(places), [group.name for group in groups])
    axes.set_xlabel("games finished before")
    axes.set_ylabel("points given away" if _is_chance(found) else "given away")
    axes.set_ylim(bottom=0.0)
    axes.spines[["top", "right"]].set_visible(False)
    return image_plots.drawing(figure)


def _is_chance(found: StudyStatistics) -> bool:
    """Return whether losses are probabilities of winning, to be printed in percentage points."""
    rules = found.games.results[0].kept.rules
    game = found.games.game
    return game.players(rules) > 1 or game.objective(rules).startswith("chance")


def _points(found: StudyStatistics, loss: float, stderr: float = math.nan) -> str:
    scale, unit = (100.0, " points") if _is_chance(found) else (1.0, "")
    error = "" if math.isnan(stderr) else f" ± {scale * stderr:.3f}"
    return f"{scale * loss:.3f}{error}{unit}"


def _interval(found: StudyStatistics, term: ParameterEstimate) -> str:
    scale, unit = (100.0, " percentage points") if _is_chance(found) else (1.0, "")
    return f"{scale * term.value:+.3f}{unit} ({scale * term.low:+.3f} to {scale * term.high:+.3f})"
