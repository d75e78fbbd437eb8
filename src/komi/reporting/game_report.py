"""A report on a game, one self-contained page: rules, fairness, length and choices.

Solvable games have exact results. All games have statistics of random play, and, where chance deals, the share of the
results' variance that the deal explains.
"""

import math
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from inspect import cleandoc
from pathlib import Path
from typing import Any

from komi.design.fair import Fair
from komi.errors import InputError
from komi.evaluation.scores import Scores
from komi.evaluation.turns import Turns
from komi.files import check_writable
from komi.game import Game
from komi.jit.kernels import Notice
from komi.policies import named
from komi.presentation.formatting import format_percent, format_value
from komi.presentation.report_rows import report_rows
from komi.presentation.solution_text import hint_sentences
from komi.progress import Progress, silent
from komi.reporting import optimal_play
from komi.reporting.html_page import check_pictures, table, write_page
from komi.reporting.optimal_play import OptimalPlayResults
from komi.rules.kind import kind_of
from komi.rules.vocabulary import ACTION_COUNT_NOTE, description
from komi.simulation.result import Estimate, Simulation
from komi.simulation.simulation import simulate
from komi.solvers.solution import Solution

GAMES = 200_000
DEALS, PER_DEAL = 1_000, 200


@dataclass(frozen=True)
class SimulatedStrength:
    """The result of a policy in one seat, with random players in the others."""

    policy: str
    seat: int
    wins: Estimate


@dataclass(frozen=True)
class ReportData:
    """The contents of a report.

    Attributes:
        random: simulation of random play.
        dealt: simulation of random play with repeated deals.
        skill: the result of each policy in each seat against random players.
        exact: results of optimal play; None if the game is not solved.
    """

    random: Simulation
    dealt: Simulation
    skill: list[SimulatedStrength]
    exact: OptimalPlayResults | None


def find(
    game: Game, settings: dict[str, Any], progress: Progress = silent, notice: Notice = lambda message: None
) -> ReportData:
    """Compute the contents of a report; takes seconds if the rules are compiled."""
    told: dict[str, Any] = {"progress": progress, "notice": notice}
    random = simulate(game, GAMES, **told, **settings)
    dealt = simulate(game, deals=DEALS, per_deal=PER_DEAL, **told, **settings)
    players = len(random.wins)
    skill = []
    for policy in named.game_policies(game):
        for seat in range(players):
            table = ["random"] * seat + [policy] + ["random"] * (players - seat - 1)
            played = simulate(game, GAMES // 4, policies=table, **told, **settings)
            skill.append(SimulatedStrength(policy, seat + 1, played.wins[seat]))
    return ReportData(random, dealt, skill, optimal_play.find(game, settings, progress, notice))


def write(findings: ReportData, file: Path) -> None:
    """Write the page.

    Raises:
        InputError: if the file is no html, or matplotlib is missing.
        StorageError: if it cannot be written.
    """
    check(file)
    write_page(findings.random.game.summary, _parts(findings), file)


def check(file: Path) -> None:
    """Check that the page can be written, before any computation."""
    if file.suffix != ".html":
        raise InputError(f"a report is a page: a file that ends in .html, not {file.name!r}.")
    check_writable(file)
    check_pictures("a report")


def _parts(findings: ReportData) -> list[str]:
    seen = findings.random
    parts = [
        "<h2>Rules</h2>" + "".join(f"<p>{escape(text)}</p>" for text in _rule_paragraphs(seen.game)),
        table(("rule", "value", "meaning"), _rule_rows(seen.game, seen.rules)),
    ]
    if findings.exact:
        parts += _optimal(findings.exact)
    parts += [
        f"<h2>Random play</h2><p>{seen.games:,} games, all players at random; ± is one standard error.</p>",
        "" if counts_gains(seen) else table((*_of_seats(seen), "never acted"), _seats(findings)),
        table(("", "on average", ""), _lengths(seen)),
        f"<p>{ACTION_COUNT_NOTE}</p>",
        _picture("of random play", lambda: _sheet(findings.dealt)),
    ]
    told = _skill(findings) + _luck(findings.dealt)
    if told:
        parts.append("<h2>Skill and luck</h2>" + told)
    return parts


def _rule_paragraphs(game: Game) -> list[str]:
    """Return the paragraphs of the rule file's docstring after its first line, each as one line."""
    rest = cleandoc(game.module.__doc__ or "").partition("\n")[2]
    return [" ".join(text.split()) for text in rest.split("\n\n") if text.strip()]


def _rule_rows(game: Game, rules: Any) -> list[tuple[str, str, str]]:
    """Return each rule, its value, and its meaning from the comment beside it."""
    return [(name, str(value), description(game, name, "Rules")) for name, value in rules._asdict().items()]


def _optimal(optimal: OptimalPlayResults) -> list[str]:
    """Format value, length and strategy of optimal play, the fairest komi, and the results of policies."""
    rows = list(report_rows(optimal.solution))
    between = optimal.matches.get(("optimal", "optimal"))
    if between:
        rows += [
            ("actions of both players, on average", f"{between.first.actions:.3f}"),
            ("turns of both players, on average", f"{between.first.turns:.3f}"),
        ]
    parts = ["<h2>Optimal play</h2>" + table(("", "exactly"), rows)]
    if optimal.turns:
        turns = optimal.turns
        parts.append(_picture("of when to hold", lambda: _surface(turns)))
    sentences = (*hint_sentences(optimal.solution), *optimal.left_out)
    parts += [f"<p>{escape(sentence)}</p>" for sentence in sentences]
    if optimal.fair:
        head = ("komi", "first player wins", "actions", "")
        parts.append("<h2>Fairness</h2>" + table(head, _komi(optimal.fair)))
    parts += _alone(optimal) + _seated(optimal)
    if not optimal.matches:
        return parts
    played = [
        (one, other, *(f"{100 * wins:.4f} %" for wins in (found.first.wins, found.second.wins, found.average)))
        for (one, other), found in optimal.matches.items()
    ]
    parts.append("<h2>Strategies</h2>" + _tried(optimal.holds))
    parts.append(table(("", "against", "moving first", "moving second", "on average"), played))
    return parts


def _alone(optimal: OptimalPlayResults) -> list[str]:
    """Format the results of policies and the distribution of final scores of a single-player game."""
    if not optimal.alone:
        return []
    kind, objective = optimal.solution.kind, optimal.solution.objective
    rows = [
        (
            found.policy,
            format_value(kind, found.value),
            format_value(kind, found.loss),
            f"{found.actions:.3f}",
            f"{found.turns:.3f}",
        )
        for found in optimal.alone
    ]
    parts = ["<h2>Strategies</h2>" + _tried(optimal.holds)]
    parts.append(table(("", f"{objective}, exactly", "gives away", "actions", "turns"), rows))
    if optimal.scores:
        scores = optimal.scores
        told = f"{scores.mean:.3f} on average, give or take {scores.deviation:.3f}; half of all games end with "
        told += f"{scores.quantile(0.5)} or less, one in ten with {scores.quantile(0.9)} or more."
        parts.append(f"<h2>Final scores of optimal play</h2><p>{told}</p>")
        parts.append(_picture("of final scores", lambda: _distribution(optimal.solution, scores)))
    return parts


def _distribution(solution: Solution[Any], scores: Scores) -> str:
    from komi.plotting import (
        image_plots,  # needs matplotlib; checked by `check`
        score_plot,
    )

    return image_plots.drawing(score_plot.figure(solution, [scores]))


def _seated(optimal: OptimalPlayResults) -> list[str]:
    """Format what each seat wins in a multiplayer game."""
    rows = [
        (
            ", ".join(seating.policies),
            ", ".join(format_percent(value) for value in seating.values),
            f"{seating.actions:.3f}",
        )
        for found in optimal.seated
        for seating in found.seatings
    ]
    return ["<h2>Strategies</h2>" + table(("policies, first seat first", "win, exactly", "actions"), rows)] * bool(rows)


def _tried(holds: tuple[int, ...]) -> str:
    """Format how the hold value was selected; empty if there was no choice."""
    tried = ", ".join(map(str, holds))
    what = f"hold-at has the number that does best against optimal play, of those tried: {tried}."
    return f"<p>{what}</p>" if len(holds) > 1 else ""


def _komi(fair: Fair) -> list[tuple[str, ...]]:
    """Format the opening of each komi; the note names the range if the fairest is the last one tried."""
    last = fair.rows[-1][0]
    fairest = f"fairest of komi 0 to {last}" if fair.best == last else "fairest"
    return [
        (
            str(komi),
            f"{100 * opening.first:.4f} %",
            "" if math.isnan(opening.expected_actions) else f"{opening.expected_actions:.3f}",
            fairest if komi == fair.best else "",
        )
        for komi, opening in fair.rows
    ]


def counts_gains(seen: Simulation) -> bool:
    """Return whether the game is single-player with rewards, so that no player wins."""
    return len(seen.wins) == 1 and kind_of(seen.game, seen.rules).rewards


def _of_seats(seen: Simulation) -> tuple[str, str]:
    """Return the headings of each seat's results."""
    return ("", seen.game.objective(seen.rules)) if len(seen.wins) == 1 else ("seat", "wins")


def _seats(findings: ReportData) -> list[tuple[str, ...]]:
    """Format how often each seat wins in random play: exactly where that is known."""
    seen = findings.random
    played = findings.exact.matches.get(("random", "random")) if findings.exact else None
    wins = [_percent(seat) for seat in seen.wins]
    if played:
        wins = [f"{100 * share:.4f} %, exactly" for share in (played.first.wins, 1.0 - played.first.wins)]
    return [
        (str(seat), won, _percent(never))
        for seat, (won, never) in enumerate(zip(wins, seen.never_acted, strict=True), 1)
    ]


def _lengths(seen: Simulation) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = [
        ("turns", _number(seen.turns), f"{seen.fewest_turns} to {seen.most_turns}"),
        ("actions", _number(seen.actions), ""),
        ("legal moves at each", f"{seen.mean_moves:.2f}", f"at most {seen.most_moves}"),
    ]
    if seen.lead_changes:
        rows.append(("changes of the lead", _number(seen.lead_changes), ""))
    for seat, points in enumerate(seen.scores or (), 1):
        alone = seen.game.objective(seen.rules) if len(seen.wins) == 1 else f"points of seat {seat}"
        rows.append((alone, _number(points), ""))
    return rows


def _skill(findings: ReportData) -> str:
    """Format the value of good play against random play: exact if the game is solved, else simulated."""
    matches = findings.exact.matches if findings.exact else {}
    rows = [
        (one, f"{100 * found.average:.4f} %")
        for (one, other), found in matches.items()
        if other == "random" and one != other
    ]
    if rows:
        return table(("policy", "wins against random play, exactly; the rest is luck"), rows)
    seen = [(skill.policy, str(skill.seat), _percent(skill.wins)) for skill in findings.skill]
    return table(("policy", "seat", "wins against random players"), seen) if seen else ""


def _luck(dealt: Simulation) -> str:
    """Format the share that the deal explains; empty if it is not visible."""
    if dealt.explained is None:
        return ""
    rows = [
        (str(seat), f"{100 * parts.share:.1f} ± {100 * parts.stderr:.1f} %")
        for seat, parts in enumerate(dealt.explained, 1)
    ]
    what = f"{dealt.tally.deals:,} deals (the same chance in each of its {dealt.tally.per_deal:,} games)"
    explained = table(("seat", "of the variance of results, chance before and between choices explains"), rows)
    return f"<p>{what}, played at random.</p>{explained}"


def _picture(what: str, draw: Callable[[], str]) -> str:
    """Return a picture, or a sentence if it cannot be drawn, so that the page is complete without it."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # matplotlib's warnings concern appearance
            return draw()
    except Exception as error:
        return f"<p>The picture {what} is left out: {escape(str(error) or type(error).__name__)}</p>"


def _surface(turns: Turns) -> str:
    from komi.plotting import image_plots  # needs matplotlib; checked by `check`

    return image_plots.drawing(image_plots.surface([turns], reachable=False))


def _sheet(dealt: Simulation) -> str:
    from komi.plotting import image_plots, simulation_plot  # needs matplotlib; checked by `check`

    return image_plots.drawing(simulation_plot.figure(dealt))


def _percent(estimate: Estimate) -> str:
    return f"{_number(Estimate(100 * estimate.mean, 100 * estimate.stderr), 2)} %"


def _number(estimate: Estimate, digits: int = 3) -> str:
    """Format an estimate; the standard error of a single game is unknown and omitted."""
    error = "" if math.isnan(estimate.stderr) else f" ± {estimate.stderr:.{digits}f}"
    return f"{estimate.mean:.{digits}f}{error}"
