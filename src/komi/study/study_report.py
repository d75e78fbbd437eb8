"""The report of a study: one self-contained page."""

import math
from collections.abc import Sequence
from html import escape
from pathlib import Path

from komi.reporting import html_page
from komi.rules.vocabulary import title
from komi.study.choice_model import ChoiceModel, ParameterEstimate
from komi.study.skill import CostlyPosition, DecisionGroup
from komi.study.strategy_fit import StrategyFit
from komi.study.study_statistics import MIN_PERSON_DECISIONS, StudyStatistics
from komi.tabular import html_table


def write_page(statistics: Sequence[StudyStatistics], file: Path) -> None:
    """Write the page.

    Raises:
        StorageError: if it cannot be written.
    """
    parts = [
        "<p>Finished games of people who agreed to have their decisions studied, compared with optimal play. ± is one "
        "standard error, clustered by person; intervals are 95 % confidence intervals.</p>",
        *(_game(game_statistics) for game_statistics in statistics),
    ]
    html_page.write_page("How well do people play?", parts, file)


def _game(statistics: StudyStatistics) -> str:
    games = statistics.games
    parts = [
        f"<h2>{escape(title(games.game))}</h2>",
        f"<p>{len(games.results):,} games of {games.people:,} people, {len(games.decisions):,} decisions between "
        "at least two actions.</p>",
    ]
    if statistics.loss is not None and statistics.best is not None:
        parts.append(
            f"<p>The mean loss of a decision is {_points(statistics, statistics.loss)}; "
            f"{100 * statistics.best:.1f} % of decisions have no loss.</p>"
        )
    if statistics.experience:
        parts.append("<h3>By experience</h3>" + _experience(statistics))
    if statistics.by_value:
        parts.append(
            "<h3>By probability of winning</h3>" + _groups(statistics, "before the decision", statistics.by_value)
        )
    if statistics.costly_positions:
        parts.append("<h3>Costliest positions</h3>" + _costly(statistics, statistics.costly_positions))
    if statistics.skill is not None:
        parts.append(
            f"<p>Skill explains {100 * statistics.skill:.1f} % of the variance of results around the value of the "
            "start, luck the rest: var(skill) / (var(skill) + var(luck)).</p>"
        )
    if statistics.model:
        parts.append("<h3>How people choose</h3>" + _model(statistics, statistics.model))
    if statistics.strategy_fits:
        parts.append(
            "<h3>Strategies that describe the choices</h3>"
            + _strategy_fits(statistics.strategy_fits, statistics.people)
        )
    parts += [f"<p>Omitted: {escape(sentence)}</p>" for sentence in statistics.omissions]
    return "\n".join(parts)


def _experience(statistics: StudyStatistics) -> str:
    html = _groups(statistics, "games before", statistics.experience)
    if statistics.growth:
        change = _interval(statistics, statistics.growth)
        html += f"<p>Each doubling of games played changes the loss of a decision by {change}.</p>"
    return (_curve(statistics) if len(statistics.experience) > 1 else "") + html


def _groups(statistics: StudyStatistics, name: str, groups: Sequence[DecisionGroup]) -> str:
    head = (name, "decisions", "people", "mean loss", "without loss")
    rows = [
        (
            group.name,
            f"{group.decisions:,}",
            f"{group.people:,}",
            _points(statistics, group.loss, group.stderr),
            f"{100 * group.best:.1f} %",
        )
        for group in groups
    ]
    return html_table(head, rows)


def _costly(statistics: StudyStatistics, costly_positions: Sequence[CostlyPosition]) -> str:
    rows = [
        (
            each.state,
            f"{each.count:,}",
            f"{100 * each.error_rate:.0f} %",
            _points(statistics, each.loss),
            each.best,
            each.usual_error,
        )
        for each in costly_positions
    ]
    return html_table(("position", "decisions", "with a loss", "mean loss", "best", "most frequent error"), rows)


def _model(statistics: StudyStatistics, model: ChoiceModel) -> str:
    step = 0.01 if _is_chance(statistics) else 1.0
    factor = math.exp(model.precision.value * step)
    gain = 1.0 - model.log_likelihood / model.uniform_log_likelihood if model.uniform_log_likelihood else 0.0
    terms = [(model.precision.name, model.precision), *((f"bias towards {term.name}", term) for term in model.biases)]
    rows = [(name, f"{term.value:.3f}", f"{term.low:.3f} to {term.high:.3f}") for name, term in terms]
    unit = "one percentage point" if _is_chance(statistics) else "one"
    intervals = "clustered by person" if model.is_clustered else "for independent choices"
    return (
        f"<p>An action that is better by {unit} is chosen {factor:.2f} times as often, apart from biases (relative to "
        f"{escape(model.base_action)}). Logit choice model of {model.decisions:,} decisions of {model.people:,} "
        f"people, intervals {intervals}; it explains {100 * gain:.1f} % of the log-likelihood of uniformly random "
        "choices.</p>" + html_table(("parameter", "value", "interval"), rows)
    )


def _strategy_fits(strategy_fits: Sequence[StrategyFit], people: dict[str, int]) -> str:
    rows = [
        (each.strategy, f"{100 * each.agree:.1f} %", f"{100 * each.slips:.1f} %", f"{each.aic:,.1f}")
        for each in strategy_fits
    ]
    html = html_table(("strategy", "choices that agree", "slips", "AIC (less is better)"), rows)
    if people:
        counted = ", ".join(f"{escape(strategy)} {count:,}" for strategy, count in people.items())
        people_counted = f"people with at least {MIN_PERSON_DECISIONS} decisions"
        html += f"<p>Number of {people_counted} whom each strategy fits best: {counted}.</p>"
    return html


def _curve(statistics: StudyStatistics) -> str:
    from matplotlib.figure import Figure

    from komi.plotting import image_plots

    scale = 100.0 if _is_chance(statistics) else 1.0
    groups = statistics.experience
    figure = Figure(figsize=(7.0, 3.2), layout="constrained")
    axes = figure.add_subplot()
    errors = [0.0 if math.isnan(group.stderr) else scale * group.stderr for group in groups]
    positions = range(len(groups))
    axes.errorbar(positions, [scale * group.loss for group in groups], yerr=errors, marker="o", capsize=3)
    axes.set_xticks(list(positions), [group.name for group in groups])
    axes.set_xlabel("games finished before")
    axes.set_ylabel("mean loss, percentage points" if _is_chance(statistics) else "mean loss")
    axes.set_ylim(bottom=0.0)
    axes.spines[["top", "right"]].set_visible(False)
    return image_plots.drawing(figure)


def _is_chance(statistics: StudyStatistics) -> bool:
    """Return whether losses are probabilities of winning, to be printed in percentage points."""
    rules = statistics.games.results[0].record.rules
    game = statistics.games.game
    if game.players(rules) == 1:
        return game.objective(rules).startswith("chance")
    return game.payoff_scale(rules).is_chance


def _points(statistics: StudyStatistics, loss: float, stderr: float = math.nan) -> str:
    scale, unit = (100.0, " percentage points") if _is_chance(statistics) else (1.0, "")
    error = "" if math.isnan(stderr) else f" ± {scale * stderr:.3f}"
    return f"{scale * loss:.3f}{error}{unit}"


def _interval(statistics: StudyStatistics, term: ParameterEstimate) -> str:
    scale, unit = (100.0, " percentage points") if _is_chance(statistics) else (1.0, "")
    return f"{scale * term.value:+.3f}{unit} ({scale * term.low:+.3f} to {scale * term.high:+.3f})"
