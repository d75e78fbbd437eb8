"""`komi match` and `komi compare`: the exact strength of policies, and the states where they differ."""

from collections.abc import Callable, Sequence
from itertools import zip_longest
from typing import Annotated, Any

import typer
from rich.table import Table

from komi.cli.app import (
    FreshOption,
    GameArgument,
    JsonOption,
    SetOption,
    ToleranceOption,
    chosen,
)
from komi.cli.commands import command
from komi.cli.output import bars, console, plain_table, print_json, show, suggest, warn
from komi.errors import InputError
from komi.evaluation.audit import MatchResult
from komi.evaluation.compare import compare_policies
from komi.evaluation.losses import Agreement
from komi.evaluation.match import evaluate_match, policies_by_seat
from komi.evaluation.scores import ScoreDistribution, score_distribution
from komi.evaluation.strength import best_response_average, best_responses_by_seat
from komi.evaluation.visits import count_visits
from komi.policies.named import NAMES, find
from komi.policies.policy import Policy, distinct_names
from komi.presentation.fields import select, to_json
from komi.presentation.formatting import format_percent, format_value
from komi.presentation.match_report import match_json, match_text
from komi.progress import Progress
from komi.rounding import format_bound
from komi.rules.kind import Kind
from komi.rules.vocabulary import ACTION_COUNT_NOTE
from komi.solvers.hidden.point_based_solver import PointBasedSolution
from komi.solvers.solution import TOLERANCE, Solution
from komi.solvers.solve import solve_all_states, solve_with_policy

SHOWN = 0.0005  # the smallest probability that tables show
LEFT_OUT = f"Rarer ones than {100 * SHOWN:g} % are left out."
LAST_DIGIT = 1e-6  # of values in tables
BAR = 40  # width of the longest bar, in characters
TURNS_OF_BOTH = (
    "\nHow many turns a game takes, of both players together, if {first} moves first and if it moves second:"
)

PolicyArgument = Annotated[str, typer.Argument(metavar="POLICY", help=f"One of {', '.join(NAMES)}.")]
SeatsArgument = Annotated[
    list[str],
    typer.Argument(
        metavar="POLICY",
        help=f"One per seat; the last one also takes the remaining seats: {', '.join(NAMES)}.",
    ),
]


@command("match")
def match(
    game: GameArgument,
    policies: SeatsArgument,
    settings: SetOption = None,
    as_json: JsonOption = False,
    turns: Annotated[
        bool, typer.Option("--turns", help="Also compute the distribution of the number of turns.")
    ] = False,
    exploit: Annotated[bool, typer.Option("--exploit", help="Also compute the best response to each policy.")] = False,
    scores: Annotated[
        bool,
        typer.Option("--scores", help="Also compute the distribution of the final score, in games for one player."),
    ] = False,
    fresh: FreshOption = False,
    tolerance: ToleranceOption = TOLERANCE,
) -> None:
    """Evaluate policies exactly: alone, against each other from both seats, or with three or more players."""
    solution = _solved(game, settings, fresh, solve_with_policy, max(tolerance, TOLERANCE))
    seats = policies_by_seat(solution, policies)
    names = distinct_names(seats)
    with bars() as progress:
        result = evaluate_match(solution, seats, tolerance, progress)
        named = {} if solution.kind.payoffs.is_chance else {"objective": solution.objective}
        response = {**select(solution, "game", "rules"), **named, **match_json(result, names)}
        if exploit:
            response |= _exploited(solution, seats, tolerance, progress)
        if turns:
            response |= _turns(solution, seats, progress)
        found = score_distribution(solution, seats[0], progress) if scores else None
    if found:
        response |= {"scores": found.distribution, "scores_error_bound": found.error_bound}
    if as_json:
        print_json(response)
        return
    _show(solution.kind, names, response, result)
    if isinstance(solution, PointBasedSolution) and solution.error_bound > LAST_DIGIT:
        console().print(f"Optimal play, and the loss, are proved only to {format_bound(solution.error_bound)}.")
    if found:
        _show_scores(found)
    can_lose = names != ["optimal"] and not solution.kind.has_seat_values
    is_comparable = solution.kind.is_concealed or not (
        solution.kind.average or solution.kind.simultaneous or any(policy.is_mixed for policy in seats)
    )
    if (
        len(set(names)) == len(seats) <= 2
        and can_lose
        and is_comparable
        and not isinstance(solution, PointBasedSolution)
    ):
        console().print()
        suggest("compare", game, settings, *names)


@command("compare")
def compare(
    game: GameArgument,
    a: PolicyArgument,
    b: PolicyArgument = "optimal",
    settings: SetOption = None,
    as_json: JsonOption = False,
    most: Annotated[int, typer.Option("--most", min=0, help="Number of mistakes to list.")] = 10,
    fresh: FreshOption = False,
) -> None:
    """Compare two policies: how often they agree, and which of A's mistakes cost most."""
    solution = _solved(game, settings, fresh)
    with bars() as progress:
        result = compare_policies(solution, find(a, solution), find(b, solution), most, progress)
    if as_json:
        print_json({**select(solution, "game", "rules"), "a": a, "b": b, **to_json(result)})
    else:
        _show_agreement(solution, a, b, result)


def _solved(
    name: str,
    settings: list[str] | None,
    fresh: bool,
    solve: Callable[..., Solution[Any]] = solve_all_states,
    tolerance: float = TOLERANCE,
) -> Solution[Any]:
    game, rules = chosen(name, settings)
    with bars() as progress:
        return solve(game, tolerance=tolerance, fresh=fresh, progress=progress, notice=warn, **rules)


def _exploited(
    solution: Solution[Any], seats: Sequence[Policy], tolerance: float, progress: Progress
) -> dict[str, Any]:
    """Compute each policy's result against a best response; beyond two seats, each seat's best response.

    Raises:
        InputError: if the game is for one player.
    """
    if len(seats) == 1:
        raise InputError(f"{solution.game.name} is for one player: its policies have no best response.")
    if solution.kind.has_seat_values:
        return {"best_responses": best_responses_by_seat(solution, seats, tolerance, progress)}
    return {
        "worst_case": {
            name: solution.kind.payoffs.opposite(best_response_average(solution, policy, tolerance, progress))
            for name, policy in dict(zip(distinct_names(seats), seats, strict=True)).items()
        }
    }


def _turns(solution: Solution[Any], seats: Sequence[Policy], progress: Progress) -> dict[str, Any]:
    """Return the distribution of the number of turns; of two policies also by seat, averaged over the seats."""
    one, other = seats[0], seats[-1]
    first = count_visits(solution, one, other, progress).turns.tolist()
    if len(seats) == 1:
        return {"turns": _likely(first)}
    second = first if one is other else count_visits(solution, other, one, progress).turns.tolist()
    average = [(a + b) / 2 for a, b in zip_longest(first, second, fillvalue=0.0)]
    seats_turns = {"first": _likely(first), "second": _likely(second)}
    return {"turns": _likely(average), "turns_by_seat": seats_turns}


def _likely(chances: list[float]) -> dict[int, float]:
    return {count: chance for count, chance in enumerate(chances) if chance}


def _show(kind: Kind, names: Sequence[str], response: dict[str, Any], result: MatchResult) -> None:
    out = console()
    show(match_text(result, names, kind))
    out.print(" ".join(filter(None, (ACTION_COUNT_NOTE, kind.discount_note))))
    for name, wins in response.get("worst_case", {}).items():
        worst = format_percent(wins) if kind.is_chance else f"{wins:.6f} ({kind.payoffs.unit})"
        out.print(f"Against its best response, {name} wins {worst}.")
    for seat, (wins, best) in enumerate(
        zip(response.get("values", ()), response.get("best_responses", ()), strict=False), 1
    ):
        verb, (got, most) = "wins" if kind.is_chance else "gets", (format_value(kind, each) for each in (wins, best))
        out.print(f"Seat {seat} {verb} {got}, and {most} if it alone plays its best response.")
    if "turns" in response:
        out.print(TURNS_OF_BOTH.format(first=names[0]) if kind.seats > 1 else "\nHow many turns a game takes:")
        out.print(_turns_table(response))
        if min(response["turns"].values(), default=1.0) < SHOWN:
            out.print(LEFT_OUT)


def _show_scores(scores: ScoreDistribution) -> None:
    out = console()
    out.print(f"\nFinal score: {scores.mean:.3f} on average, with a standard deviation of {scores.deviation:.3f}.")
    table = plain_table("score", "probability", "at least", "")
    highest = float(scores.probabilities.max())
    for score, chance in scores.distribution.items():
        if chance >= SHOWN:
            bar = "█" * round(BAR * chance / highest)
            table.add_row(f"{score:.10g}", f"{100 * chance:6.2f} %", f"{100 * scores.at_least(score):6.2f} %", bar)
    out.print(table)
    if scores.probabilities[scores.probabilities > 0.0].min() < SHOWN:
        out.print(LEFT_OUT)
    out.print(f"Proved: no sum of these probabilities is off by more than {format_bound(scores.error_bound)}.")


def _turns_table(response: dict[str, Any]) -> Table:
    turns, seats = response["turns"], response.get("turns_by_seat", {})
    table = plain_table("turns", *seats, "on average" if seats else "chance", "")
    highest = max(turns.values(), default=1.0)
    for count, chance in turns.items():
        if chance >= SHOWN:
            chances = (*(seat.get(count, 0.0) for seat in seats.values()), chance)
            table.add_row(
                str(count), *(f"{100 * each:6.2f} %" for each in chances), "█" * round(BAR * chance / highest)
            )
    return table


def _show_agreement(solution: Solution[Any], a: str, b: str, result: Agreement) -> None:
    out = console()
    if not result.states:
        out.print("No state has two legal actions: there is nothing to compare.")
        return
    alone = solution.kind.seats == 1
    game = "a game" if alone else f"a game against {b}, from {'either' if solution.kind.seats == 2 else 'any'} seat"
    states = "information sets" if solution.kind.hidden else "states"
    out.print(f"{a} and {b} agree in {100 * result.all_states:.2f} % of the {result.states:,} {states} with a choice,")
    out.print(f"and in {100 * result.real_states:.2f} % of the {result.decisions:.4g} decisions of {game}.")
    out.print(f"Only {states} and decisions with at least two legal actions are counted.")
    if not result.loss:
        games = "its games" if alone else f"games against {b}"
        out.print(f"In {games}, {a} loses nothing against optimal play.")
    elif alone:
        loss = format_value(solution.kind, result.loss)
        out.print(f"In a game, {a} loses {loss} of the {solution.objective}, compared with optimal play.")
    else:
        cost = f"{format_percent(result.loss)} of winning"
        if not solution.kind.is_chance:
            cost = f"{format_value(solution.kind, result.loss)} ({solution.objective})"
        out.print(f"Per game, the mistakes of {a} cost {cost} in total, compared with optimal play.")
    if result.mistakes:
        out.print()
        out.print(_mistakes(solution.kind, result))


def _mistakes(kind: Kind, result: Agreement) -> Table:
    table = plain_table("where it loses most", "it plays", "best", "loses", "per game")
    for mistake in result.mistakes:
        loss = f"{100 * mistake.loss:.3f} %" if kind.is_chance else f"{mistake.loss:.5f}"
        table.add_row(mistake.state, mistake.action, mistake.best, loss, f"{mistake.visits:.2g} times")
    return table
