"""`komi.report`: a report on a game, one self-contained page: rules, fairness, length and choices.

Solvable games have exact results. All games have statistics of random play, and, where chance deals, the share of the
results' variance that the deal explains.
"""

import math
from dataclasses import dataclass
from html import escape
from inspect import cleandoc
from pathlib import Path
from typing import Any

from komi.design.fair import Fair
from komi.errors import InputError
from komi.files import check_writable
from komi.jit.kernels import Notice
from komi.measures.measure import Measures
from komi.policies import from_files
from komi.presentation.formatting import (
    format_estimate,
    format_share,
    format_value,
    hint_sentence,
    value_heading,
)
from komi.presentation.measures_report import measures_text
from komi.presentation.solution_report import solution_report
from komi.progress import Progress, silent
from komi.reporting import optimal_play
from komi.reporting.hidden_play import compute_hidden_play, format_hidden_play
from komi.reporting.html_page import check_pictures, write_page
from komi.reporting.optimal_play import OptimalPlayResults
from komi.reporting.report_plots import plot_hold_values, plot_or_note, plot_scores, plot_simulation
from komi.rules import catalog
from komi.rules.game import Game
from komi.rules.kind import Kind, kind_of
from komi.rules.vocabulary import ACTION_COUNT_NOTE, description
from komi.simulation.hidden_information import HiddenInformation
from komi.simulation.result import Estimate, Simulation
from komi.simulation.simulation import simulate
from komi.tabular import html_table
from komi.typing import GameLike, Rules

GAMES = 200_000  # standard error of a share: at most 0.0011
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
        hidden: the properties of hidden information; None if nothing is hidden, a sentence if they are not known.
    """

    random: Simulation
    dealt: Simulation
    skill: list[SimulatedStrength]
    exact: OptimalPlayResults | None
    hidden: HiddenInformation | str | None = None


def report(
    game: GameLike,
    file: str | Path | None = None,
    *,
    progress: Progress = silent,
    notice: Notice = lambda message: None,
    **rules: object,
) -> Path:
    """Write a page about a game: rules, fairness, length, choices, skill and luck, with pictures.

    Args:
        game: the name of a game, its rule file, or a Game; see `komi.find`.
        file: the HTML file; by default named after the game.
        progress: progress callback, called during long work; see `komi.progress`.
        notice: callback that receives a message before work that takes seconds and happens only once.
        rules: values of rules to change, by name.

    Returns:
        The file.

    Raises:
        InputError: for an unknown game or rule, another kind of file, or if matplotlib is missing.
        GameError: if the rules are broken.
        StorageError: if the file cannot be written.
    """
    found = catalog.find(game)
    found = found.under(found.rules(rules))
    path = Path(file or f"{found.name}.html")
    check_output(path)
    write_report(compute_report(found, rules, progress, notice), path)
    return path


def compute_report(
    game: Game, settings: dict[str, Any], progress: Progress = silent, notice: Notice = lambda message: None
) -> ReportData:
    """Compute the contents of a report; takes seconds if the rules are compiled."""
    callbacks: dict[str, Any] = {"progress": progress, "notice": notice}
    random = simulate(game, GAMES, **callbacks, **settings)
    dealt = simulate(game, deals=DEALS, per_deal=PER_DEAL, **callbacks, **settings)
    players = len(random.wins)
    skill = []
    for policy in from_files.game_policies(game):
        for seat in range(players):
            table = ["random"] * seat + [policy] + ["random"] * (players - seat - 1)
            played = simulate(game, GAMES // 4, policies=table, **callbacks, **settings)
            skill.append(SimulatedStrength(policy, seat + 1, played.payoffs[seat]))
    exact = optimal_play.compute_optimal_play(game, settings, progress, notice)
    return ReportData(random, dealt, skill, exact, compute_hidden_play(game, settings))


def write_report(data: ReportData, file: Path) -> None:
    """Write the page.

    Raises:
        InputError: if the file does not end in .html, or matplotlib is missing.
        StorageError: if it cannot be written.
    """
    check_output(file)
    write_page(data.random.game.summary, _parts(data), file)


def check_output(file: Path) -> None:
    """Check that the page can be written, before any computation."""
    if file.suffix != ".html":
        raise InputError(f"a report is an HTML page: its file must end in .html, not {file.name!r}.")
    check_writable(file)
    check_pictures("a report")


def _parts(data: ReportData) -> list[str]:
    random = data.random
    parts = [
        "<h2>Rules</h2>" + "".join(f"<p>{escape(text)}</p>" for text in _rule_paragraphs(random.game)),
        html_table(("rule", "value", "meaning"), _rule_rows(random.game, random.rules)),
    ]
    if data.exact:
        parts += _optimal_play(data.exact)
    parts += [
        f"<h2>Random play</h2><p>{random.games:,} games, all players at random; ± is one standard error, and brackets "
        "are a 95 % confidence interval.</p>",
        "" if counts_rewards(random) else html_table((*_seat_headings(random), "never acted"), _seats(data)),
        html_table(("", "on average", ""), _lengths(random)),
        f"<p>{ACTION_COUNT_NOTE}</p>",
        plot_or_note("of random play", lambda: plot_simulation(data.dealt)),
    ]
    skill_and_luck = _skill(data) + _luck(data.dealt)
    if skill_and_luck:
        parts.append("<h2>Skill and luck</h2>" + skill_and_luck)
    return [*parts, format_hidden_play(data.hidden)]


def _rule_paragraphs(game: Game) -> list[str]:
    """Return the paragraphs of the rule file's docstring after its first line, each as one line."""
    rest = cleandoc(game.module.__doc__ or "").partition("\n")[2]
    return [" ".join(text.split()) for text in rest.split("\n\n") if text.strip()]


def _rule_rows(game: Game, rules: Rules) -> list[tuple[str, str, str]]:
    """Return each rule, its value, and its meaning from the comment beside it."""
    return [(name, str(value), description(game, name, "Rules")) for name, value in rules._asdict().items()]


def _optimal_play(optimal: OptimalPlayResults) -> list[str]:
    """Format value, length and strategy of optimal play, the fairest komi, and the results of policies."""
    rows, kind = list(solution_report(optimal.solution).figures()), optimal.solution.kind
    between = optimal.matches.get(("optimal", "optimal"))
    if between:
        rows += [
            ("actions of both players, on average", f"{between.first.actions:.3f}"),
            ("turns of both players, on average", f"{between.first.turns:.3f}"),
        ]
    parts = ["<h2>Optimal play</h2>" + html_table(("", "exactly"), rows)]
    if optimal.turns:
        turns = optimal.turns
        parts.append(plot_or_note("of hold values", lambda: plot_hold_values(turns)))
    hints = optimal.solution.verified_hints
    sentences = (*([hint_sentence(hints)] if hints else ()), *optimal.omissions)
    parts += [f"<p>{escape(sentence)}</p>" for sentence in sentences]
    if optimal.fair:
        head = ("komi", value_heading(optimal.solution.kind, "first player"), "actions", "")
        parts.append("<h2>Fairness</h2>" + html_table(head, _komi(optimal.fair, optimal.solution.kind)))
    if optimal.measures:
        parts.append("<h2>Tension of optimal play</h2>" + _tension(optimal.measures))
    parts += _single_player(optimal) + _multiplayer(optimal)
    if not optimal.matches:
        return parts
    played = [
        (one, other, *(format_value(kind, wins) for wins in (found.first.wins, found.second.wins, found.average)))
        for (one, other), found in optimal.matches.items()
    ]
    parts.append("<h2>Strategies</h2>" + _hold_value_note(optimal.holds))
    named = "" if kind.is_chance else kind.payoffs.unit
    parts.append(html_table((named, "against", "moving first", "moving second", "on average"), played))
    return parts


def _tension(measures: Measures) -> str:
    """Format the measures in plain words and as a table."""
    report = measures_text(measures)
    sentences = "".join(f"<p>{escape(line)}</p>" for line in (*report.lines, *report.footer) if line)
    return sentences + html_table(("", "exactly"), report.rows)


def _single_player(optimal: OptimalPlayResults) -> list[str]:
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
    parts = ["<h2>Strategies</h2>" + _hold_value_note(optimal.holds)]
    parts.append(html_table(("", f"{objective}, exactly", "loss", "actions", "turns"), rows))
    if optimal.scores:
        scores = optimal.scores
        summary = (
            f"{scores.mean:.3f} on average, with a standard deviation of {scores.deviation:.3f}; half of all games end "
        )
        summary += f"with {scores.quantile(0.5)} or less, one in ten with {scores.quantile(0.9)} or more."
        parts.append(f"<h2>Final scores of optimal play</h2><p>{summary}</p>")
        parts.append(plot_or_note("of final scores", lambda: plot_scores(optimal.solution, scores)))
    return parts


def _multiplayer(optimal: OptimalPlayResults) -> list[str]:
    """Format what each seat wins in a multiplayer game."""
    rows = [
        (
            ", ".join(seating.policies),
            ", ".join(format_value(optimal.solution.kind, value) for value in seating.values),
            f"{seating.actions:.3f}",
        )
        for found in optimal.seated
        for seating in found.seatings
    ]
    head = ("policies, first seat first", f"{optimal.solution.kind.payoffs.unit or 'win'}, exactly", "actions")
    return ["<h2>Strategies</h2>" + html_table(head, rows)] * bool(rows)


def _hold_value_note(holds: tuple[int, ...]) -> str:
    """Format how the hold value was selected; empty if there was no choice."""
    tried = ", ".join(map(str, holds))
    sentence = f"hold-at uses the hold value with the best result, of those tried: {tried}."
    return f"<p>{sentence}</p>" if len(holds) > 1 else ""


def _komi(fair: Fair, kind: Kind) -> list[tuple[str, ...]]:
    """Format the opening of each komi; the note names the range if the fairest is the last one tried."""
    last = fair.rows[-1][0]
    fairest = f"fairest of komi 0 to {last}" if fair.best == last else "fairest"
    return [
        (
            str(komi),
            format_value(kind, opening.first),
            "" if math.isnan(opening.expected_actions) else f"{opening.expected_actions:.3f}",
            fairest if komi == fair.best else "",
        )
        for komi, opening in fair.rows
    ]


def counts_rewards(random: Simulation) -> bool:
    """Return whether the game is single-player with rewards, so that no player wins."""
    return len(random.wins) == 1 and kind_of(random.game, random.rules).rewards


def _seat_headings(random: Simulation) -> tuple[str, str]:
    """Return the headings of each seat's results."""
    if len(random.wins) == 1:
        return "", random.game.objective(random.rules)
    return "seat", random.scale.unit or "wins"


def _seats(data: ReportData) -> list[tuple[str, ...]]:
    """Format what each seat wins in random play: exactly where that is known."""
    random = data.random
    played = data.exact.matches.get(("random", "random")) if data.exact else None
    wins = [_paid(random, seat) for seat in random.payoffs]
    if played:
        kind = kind_of(random.game, random.rules)
        first = played.first.wins
        wins = [f"{format_value(kind, each)}, exactly" for each in (first, random.scale.opposite(first))]
    return [
        (str(seat), won, format_share(never, 2))
        for seat, (won, never) in enumerate(zip(wins, random.never_acted, strict=True), 1)
    ]


def _lengths(random: Simulation) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = [
        ("turns", format_estimate(random.turns), f"{random.fewest_turns} to {random.most_turns}"),
        ("actions", format_estimate(random.actions), ""),
        ("legal moves at each", f"{random.mean_moves:.2f}", f"at most {random.most_moves}"),
    ]
    if random.lead_changes:
        rows.append(("changes of the lead", format_estimate(random.lead_changes), ""))
    for seat, points in enumerate(random.scores or (), 1):
        heading = random.game.objective(random.rules) if len(random.wins) == 1 else f"points of seat {seat}"
        rows.append((heading, format_estimate(points), ""))
    return rows


def _skill(data: ReportData) -> str:
    """Format the value of good play against random play: exact if the game is solved, else simulated."""
    matches = data.exact.matches if data.exact else {}
    kind = kind_of(data.random.game, data.random.rules)
    wins = data.random.scale.unit or "wins"
    rows = [
        (one, format_value(kind, found.average))
        for (one, other), found in matches.items()
        if other == "random" and one != other
    ]
    if rows:
        return html_table(("policy", f"{wins} against random play, exactly"), rows)
    simulated = [(skill.policy, str(skill.seat), _paid(data.random, skill.wins)) for skill in data.skill]
    return html_table(("policy", "seat", f"{wins} against random players"), simulated) if simulated else ""


def _luck(dealt: Simulation) -> str:
    """Format the share that the deal explains; empty if it is not visible."""
    if dealt.explained is None:
        return ""
    rows = [
        (str(seat), f"{100 * parts.share:.1f} ± {100 * parts.stderr:.1f} %")
        for seat, parts in enumerate(dealt.explained, 1)
    ]
    deals, games = dealt.tally.deals, dealt.tally.per_deal
    sentence = f"{deals:,} deals, each played {games:,} times at random with the same chance events."
    explained = html_table(
        ("seat", "share of the variance of results that chance before and between choices explains"), rows
    )
    return f"<p>{sentence}</p>{explained}"


def _paid(random: Simulation, estimate: Estimate) -> str:
    """Format what a seat wins: a percentage, or its mean payoff in a game with a `payoff_range`."""
    return format_share(estimate, 2) if random.scale.is_chance else format_estimate(estimate)
