"""`komi match` and `komi compare`: the exact strength of policies, and where they differ."""

from collections.abc import Sequence
from dataclasses import asdict, astuple
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
    app,
    chosen,
)
from komi.cli.output import bars, between, console, print_json, suggest, warn
from komi.errors import InputError
from komi.evaluation.alone import Alone
from komi.evaluation.losses import Agreement, agreement
from komi.evaluation.match import Match, best_response
from komi.evaluation.mixed import best_response_mixed
from komi.evaluation.scores import Scores, find_scores
from komi.evaluation.seating import SeatedMatch, best_responses
from komi.evaluation.strength import Measured, measure, seated
from komi.evaluation.visits import count_visits
from komi.kind import Kind
from komi.methods.answer import TOLERANCE, Answer, percent
from komi.methods.solitaire.objective import told_value
from komi.methods.solve import solve as solve_game
from komi.policies.named import NAMES, find
from komi.policies.policy import Policy
from komi.progress import Progress
from komi.vocabulary import COUNTED

SHOWN = 0.0005  # the least chance of a number of turns that people are shown
LEFT_OUT = f"Rarer ones than {100 * SHOWN:g} % are left out."
BAR = 40  # letters of the longest bar
PADDING = (0, 2, 0, 0)  # of tables
TURNS_OF_BOTH = (
    "\nHow many turns a game takes, of both players together, if {first} moves first and if it moves second:"
)

PolicyArgument = Annotated[str, typer.Argument(metavar="POLICY", help=f"One of {', '.join(NAMES)}.")]
SeatsArgument = Annotated[
    list[str],
    typer.Argument(
        metavar="POLICY...",
        help=f"One a seat, the last one for all seats left: {', '.join(NAMES)}.",
    ),
]


@app.command()
def match(
    game: GameArgument,
    policies: SeatsArgument,
    settings: SetOption = None,
    as_json: JsonOption = False,
    turns: Annotated[bool, typer.Option("--turns", help="Also compute how probable each number of turns is.")] = False,
    exploit: Annotated[bool, typer.Option("--exploit", help="Also compute the best response to each policy.")] = False,
    scores: Annotated[
        bool, typer.Option("--scores", help="Also compute how probable each final score is, in games for one.")
    ] = False,
    fresh: FreshOption = False,
    tolerance: ToleranceOption = TOLERANCE,
) -> None:
    """Find what policies come to, exactly: alone, against each other from both seats, at a table of several."""
    solution = _solved(game, settings, fresh)
    seats = seated(solution, policies)
    with bars() as progress:
        result = measure(solution, seats, tolerance, progress)
        answer = {"game": solution.game.name, "rules": solution.rules._asdict(), **_told(seats, result)}
        if exploit:
            answer |= _exploited(solution, seats, tolerance, progress)
        if turns:
            answer |= _turns(solution, seats, progress)
        found = find_scores(solution, seats[0], progress) if scores else None
    if found:
        answer |= {"scores": found.distribution, "scores_error_bound": found.error_bound}
    if as_json:
        print_json(answer)
        return
    _show(solution, answer, result)
    if found:
        _show_scores(found)
    if len({policy.name for policy in seats}) == len(seats) <= 2 and not solution.kind.simultaneous:
        console().print()
        suggest("compare", game, settings, *(policy.name for policy in seats))


@app.command()
def compare(
    game: GameArgument,
    a: PolicyArgument,
    b: PolicyArgument = "optimal",
    settings: SetOption = None,
    as_json: JsonOption = False,
    most: Annotated[int, typer.Option("--most", min=0, help="How many mistakes to list.")] = 10,
    fresh: FreshOption = False,
) -> None:
    """Find how often policy A decides as policy B does, and where A gives away most."""
    solution = _solved(game, settings, fresh)
    with bars() as progress:
        result = agreement(solution, find(a, solution), find(b, solution), most, progress)
    if as_json:
        print_json({"game": solution.game.name, "rules": solution.rules._asdict(), "a": a, "b": b, **asdict(result)})
    else:
        _show_agreement(solution, a, b, result)


app.command("agree", hidden=True)(compare)  # its name before


def _solved(name: str, settings: list[str] | None, fresh: bool) -> Answer[Any]:
    game, rules = chosen(name, settings)
    with bars() as progress:
        return solve_game(game, tolerance=TOLERANCE, fresh=fresh, progress=progress, notice=warn, **rules)


def _told(seats: Sequence[Policy], result: Measured) -> dict[str, Any]:
    """What was measured, as JSON."""
    if isinstance(result, Alone):
        return {
            "policy": result.policy,
            "objective": result.objective,
            "value": result.value,
            "optimal": result.optimal,
            "loss": result.loss,
            "expected_actions": result.actions,
            "expected_turns": result.turns,
            "error_bound": result.error_bound,
            "length_error_bound": result.length_error_bound,
        }
    if isinstance(result, SeatedMatch):
        return {
            "policies": [policy.name for policy in seats],
            "values": result.values,
            "average": result.average,
            "seatings": [asdict(seating) for seating in result.seatings],
            "expected_actions": result.seatings[0].actions,
            "expected_turns": result.seatings[0].turns,
            "error_bound": result.error_bound,
            "length_error_bound": result.length_error_bound,
        }
    return {
        "a": seats[0].name,
        "b": seats[1].name,
        "first": result.first.wins,
        "second": result.second.wins,
        "average": result.average,
        "expected_actions": result.expected_actions,
        "expected_actions_range": result.expected_actions_range,
        "expected_turns": result.expected_turns,
        "expected_chance_moves": result.expected_chance_moves,
        "error_bound": result.error_bound,
        "length_error_bound": result.length_error_bound,
        "seats": {"first": asdict(result.first), "second": asdict(result.second)},
    }


def _exploited(solution: Answer[Any], seats: Sequence[Policy], tolerance: float, progress: Progress) -> dict[str, Any]:
    """What the best response to the policies wins; alone there is nobody to exploit one."""
    if len(seats) == 1:
        raise InputError(f"nobody can exploit a policy of {solution.game.name}, which is for one player.")
    if len(seats) > 2:
        return {"best_responses": best_responses(solution, seats, tolerance, progress)}
    respond = best_response_mixed if solution.kind.simultaneous else best_response
    return {
        "worst_case": {
            policy.name: 1.0 - respond(solution, policy, tolerance, progress).average for policy in dict.fromkeys(seats)
        }
    }


def _turns(solution: Answer[Any], seats: Sequence[Policy], progress: Progress) -> dict[str, Any]:
    """How likely each number of turns is; of two, if the seat is drawn by lot, and with A in either seat."""
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


def _show(solution: Answer[Any], answer: dict[str, Any], result: Measured) -> None:
    out = console()
    if isinstance(result, Alone):
        _show_alone(solution, result)
    elif isinstance(result, SeatedMatch):
        _show_seats(answer, result)
    else:
        _show_two(answer, result)
    out.print(COUNTED)
    for name, wins in answer.get("worst_case", {}).items():
        out.print(f"Against the player who knows {name} and exploits it best, it wins {percent(wins)}.")
    for seat, (wins, best) in enumerate(
        zip(answer.get("values", ()), answer.get("best_responses", ()), strict=False), 1
    ):
        out.print(f"Seat {seat} wins {percent(wins)}, and {percent(best)} if it alone plays its best response.")
    if "turns" in answer:
        alone = isinstance(result, Alone)
        out.print("\nHow many turns a game takes:" if alone else TURNS_OF_BOTH.format(first=answer["a"]))
        out.print(_turns_table(answer))
        if min(answer["turns"].values(), default=1.0) < SHOWN:
            out.print(LEFT_OUT)


def _show_alone(solution: Answer[Any], result: Alone) -> None:
    out = console()
    value, optimal, loss = (told_value(solution.kind, each) for each in (result.value, result.optimal, result.loss))
    table = Table("policy", result.objective, "optimal", "gives away", "actions", "turns", box=None, padding=PADDING)
    table.add_row(result.policy, value, optimal, loss, f"{result.actions:.3f}", f"{result.turns:.3f}")
    out.print(table)
    out.print(f"Proved: the error of the {result.objective} is at most {result.error_bound:.1e}.")


def _show_seats(answer: dict[str, Any], result: SeatedMatch) -> None:
    """The order asked for, and what each policy wins if all orders are equally likely."""
    out = console()
    first = result.seatings[0]
    table = Table("seat", "policy", "wins", box=None, padding=PADDING)
    for seat, (name, value) in enumerate(zip(first.policies, first.values, strict=True), 1):
        table.add_row(str(seat), name, percent(value))
    out.print(table)
    if len(result.seatings) > 1:
        shares = ", ".join(f"{name} {percent(value)}" for name, value in answer["average"].items())
        out.print(f"Seats drawn by lot, each player of a policy wins: {shares}.")
    out.print(f"{first.actions:.3f} actions and {first.turns:.3f} turns of all seats together.")
    out.print(f"Proved: no probability is off by more than {result.error_bound:.1e}.")


def _show_two(answer: dict[str, Any], result: Match) -> None:
    out = console()
    a, b = answer["a"], answer["b"]
    of_chance = ["moves of chance"] if result.expected_chance_moves else []
    table = Table(f"{a} against {b}", f"{a} wins", "actions", "turns", *of_chance, box=None, padding=PADDING)
    for name, wins, *lengths in (
        ("moving first", *astuple(result.first)),
        ("moving second", *astuple(result.second)),
        (
            "on average",
            result.average,
            result.expected_actions,
            result.expected_turns,
            result.expected_chance_moves,
        ),
    ):
        table.add_row(name, percent(wins), *(f"{length:.3f}" for length in lengths[: 2 + len(of_chance)]))
    out.print(table)
    out.print(f"Proved: no probability is off by more than {result.error_bound:.1e}.")
    if result.expected_actions_range is not None:
        spread = between(*result.expected_actions_range)
        out.print(f"Some actions are worth the same: which are taken decides the length, {spread} actions.")


def _show_scores(scores: Scores) -> None:
    out = console()
    out.print(f"\nHow probable each final score is: {scores.mean:.3f} on average, give or take {scores.deviation:.3f}.")
    table = Table("score", "chance", "so much or more", "", box=None, padding=PADDING)
    highest = float(scores.chances.max())
    for score, chance in scores.distribution.items():
        if chance >= SHOWN:
            bar = "█" * round(BAR * chance / highest)
            table.add_row(str(score), f"{100 * chance:6.2f} %", f"{100 * scores.at_least(score):6.2f} %", bar)
    out.print(table)
    if scores.chances[scores.chances > 0.0].min() < SHOWN:
        out.print(LEFT_OUT)
    out.print(f"Proved: no sum of these chances is off by more than {scores.error_bound:.1e}.")


def _turns_table(answer: dict[str, Any]) -> Table:
    turns, seats = answer["turns"], answer.get("turns_by_seat", {})
    table = Table("turns", *seats, "on average" if seats else "chance", "", box=None, padding=PADDING)
    highest = max(turns.values(), default=1.0)
    for count, chance in turns.items():
        if chance >= SHOWN:
            chances = (*(seat.get(count, 0.0) for seat in seats.values()), chance)
            table.add_row(
                str(count), *(f"{100 * each:6.2f} %" for each in chances), "█" * round(BAR * chance / highest)
            )
    return table


def _show_agreement(solution: Answer[Any], a: str, b: str, result: Agreement) -> None:
    out = console()
    if not result.states:
        out.print("No player ever has a choice between two actions: there is nothing to compare.")
        return
    alone = solution.kind.seats == 1
    game = "a game" if alone else f"a game against {b}, from either seat"
    out.print(f"{a} decides as {b} in {100 * result.all_states:.2f} % of the {result.states:,} states with a choice,")
    out.print(f"and in {100 * result.real_states:.2f} % of the {result.decisions:.4g} decisions of {game}.")
    out.print("Counted are states, and decisions, of a player between two actions or more.")
    if not result.loss:
        games = "its games" if alone else f"games against {b}"
        out.print(f"In {games} it gives nothing away, measured against optimal play.")
    elif alone:
        loss = told_value(solution.kind, result.loss)
        out.print(f"In a game it gives away {loss} of the {solution.objective}, measured against optimal play.")
    else:
        out.print(f"In such a game its decisions give away {percent(result.loss)} of winning, added up,")
        out.print("measured against optimal play.")
    if result.mistakes:
        out.print()
        out.print(_mistakes(solution.kind, result))


def _mistakes(kind: Kind, result: Agreement) -> Table:
    table = Table("where it gives away most", "it does", "best", "loses", "a game has it", box=None, padding=PADDING)
    for mistake in result.mistakes:
        loss = f"{mistake.loss:.5f}" if kind.rewards else f"{100 * mistake.loss:.3f} %"
        table.add_row(mistake.state, mistake.action, mistake.best, loss, f"{mistake.visits:.2g} times")
    return table
