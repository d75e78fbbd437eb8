"""`komi match` and `komi compare`: the exact strength of policies, and where they differ."""

from dataclasses import asdict
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
from komi.evaluation.losses import Agreement, agreement
from komi.evaluation.match import Match, best_response
from komi.evaluation.match import match as play_match
from komi.evaluation.visits import count_visits
from komi.methods.answer import TOLERANCE, Answer
from komi.methods.solve import solve as solve_game
from komi.policies.named import NAMES, find
from komi.policies.policy import Policy
from komi.progress import Progress
from komi.vocabulary import COUNTED

SHOWN = 0.0005  # the least chance of a number of turns that people are shown
BAR = 40  # letters of the longest bar

PolicyArgument = Annotated[str, typer.Argument(metavar="POLICY", help=f"One of {', '.join(NAMES)}.")]


@app.command()
def match(
    game: GameArgument,
    a: PolicyArgument,
    b: PolicyArgument,
    settings: SetOption = None,
    as_json: JsonOption = False,
    turns: Annotated[bool, typer.Option("--turns", help="Also compute how probable each number of turns is.")] = False,
    exploit: Annotated[bool, typer.Option("--exploit", help="Also compute the best response to each policy.")] = False,
    fresh: FreshOption = False,
    tolerance: ToleranceOption = TOLERANCE,
) -> None:
    """Find how often policy A wins against policy B, from both seats, exactly."""
    solution = _solved(game, settings, fresh)
    one = find(a, solution)
    other = one if a == b else find(b, solution)
    with bars() as progress:
        result = play_match(solution, one, other, tolerance, progress)
        answer = _summary(solution, a, b, result)
        if exploit:
            answer["worst_case"] = {
                policy.name: 1.0 - best_response(solution, policy, tolerance, progress).average
                for policy in (one, other)
            }
        if turns:
            answer |= _turns(solution, one, other, progress)
    if as_json:
        print_json(answer)
    else:
        _show(answer, result)
        console().print()
        suggest("compare", game, settings, a, b)


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
        _show_agreement(a, b, result)


app.command("agree", hidden=True)(compare)  # its name before


def _solved(name: str, settings: list[str] | None, fresh: bool) -> Answer[Any]:
    game, rules = chosen(name, settings)
    with bars() as progress:
        return solve_game(game, tolerance=TOLERANCE, fresh=fresh, progress=progress, notice=warn, **rules)


def _summary(solution: Answer[Any], a: str, b: str, result: Match) -> dict[str, Any]:
    return {
        "game": solution.game.name,
        "rules": solution.rules._asdict(),
        "a": a,
        "b": b,
        "first": result.first.wins,
        "second": result.second.wins,
        "average": result.average,
        "expected_actions": result.expected_actions,
        "expected_actions_range": result.expected_actions_range,
        "expected_turns": result.expected_turns,
        "error_bound": result.error_bound,
        "length_error_bound": result.length_error_bound,
        "seats": {"first": asdict(result.first), "second": asdict(result.second)},
    }


def _turns(solution: Answer[Any], one: Policy, other: Policy, progress: Progress) -> dict[str, Any]:
    """How likely each number of turns is: if the seat is drawn by lot, and with A in either seat."""
    first = count_visits(solution, one, other, progress).turns.tolist()
    second = first if one is other else count_visits(solution, other, one, progress).turns.tolist()
    average = [(a + b) / 2 for a, b in zip_longest(first, second, fillvalue=0.0)]
    seats = {"first": _likely(first), "second": _likely(second)}
    return {"turns": _likely(average), "turns_by_seat": seats}


def _likely(chances: list[float]) -> dict[int, float]:
    return {count: chance for count, chance in enumerate(chances) if chance}


def _show(answer: dict[str, Any], result: Match) -> None:
    out = console()
    a, b = answer["a"], answer["b"]
    table = Table(f"{a} against {b}", f"{a} wins", "actions", "turns", box=None, padding=(0, 2, 0, 0))
    for name, seat in (("moving first", result.first), ("moving second", result.second)):
        table.add_row(name, f"{100 * seat.wins:.4f} %", f"{seat.actions:.3f}", f"{seat.turns:.3f}")
    table.add_row(
        "on average", f"{100 * result.average:.4f} %", f"{result.expected_actions:.3f}", f"{result.expected_turns:.3f}"
    )
    out.print(table)
    out.print(f"Proved: no probability is off by more than {result.error_bound:.1e}.")
    if result.expected_actions_range is not None:
        lengths = between(*result.expected_actions_range)
        out.print(f"Some actions are worth the same: which are taken decides the length, {lengths} actions.")
    out.print(COUNTED)
    for name, wins in answer.get("worst_case", {}).items():
        out.print(f"Against the player who knows {name} and exploits it best, it wins {100 * wins:.4f} %.")
    if "turns" in answer:
        out.print("\nHow many turns a game takes, of both players together:")
        out.print(_turns_table(answer))


def _turns_table(answer: dict[str, Any]) -> Table:
    a, turns, seats = answer["a"], answer["turns"], answer["turns_by_seat"]
    table = Table("turns", f"{a} moving first", f"{a} moving second", "on average", "", box=None, padding=(0, 2, 0, 0))
    highest = max(turns.values(), default=1.0)
    for count, chance in turns.items():
        if chance >= SHOWN:
            chances = (seats["first"].get(count, 0.0), seats["second"].get(count, 0.0), chance)
            table.add_row(
                str(count), *(f"{100 * each:6.2f} %" for each in chances), "█" * round(BAR * chance / highest)
            )
    return table


def _show_agreement(a: str, b: str, result: Agreement) -> None:
    out = console()
    if not result.states:
        out.print("No player ever has a choice between two actions: there is nothing to compare.")
        return
    out.print(f"{a} decides as {b} in {100 * result.all_states:.2f} % of the {result.states:,} states with a choice,")
    out.print(
        f"and in {100 * result.real_states:.2f} % of the {result.decisions:.4g} decisions of a game against {b}, from "
        "either seat."
    )
    out.print("Counted are states, and decisions, of a player between two actions or more.")
    if result.loss:
        out.print(f"In such a game it gives away {100 * result.loss:.4f} % of winning, measured against optimal play.")
    else:
        out.print(f"In games against {b} it gives nothing away, measured against optimal play.")
    if result.mistakes:
        out.print()
        out.print(_mistakes(result))


def _mistakes(result: Agreement) -> Table:
    table = Table(
        "where it gives away most", "it does", "best", "loses", "a game has it", box=None, padding=(0, 2, 0, 0)
    )
    for mistake in result.mistakes:
        table.add_row(
            mistake.state, mistake.action, mistake.best, f"{100 * mistake.loss:.3f} %", f"{mistake.visits:.2g} times"
        )
    return table
