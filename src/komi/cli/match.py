"""`komi match` and `komi agree`: the exact strength of policies, and where they differ."""

from dataclasses import asdict
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
from komi.cli.output import bars, console, print_json, suggest, warn
from komi.evaluation.losses import Agreement, agreement
from komi.evaluation.match import Match, best_response
from komi.evaluation.match import match as play_match
from komi.evaluation.visits import count_visits
from komi.methods.answer import TOLERANCE, Answer
from komi.methods.solve import solve as solve_game
from komi.policies.named import NAMES, find

PolicyArgument = Annotated[str, typer.Argument(metavar="POLICY", help=f"One of {', '.join(NAMES)}.")]


@app.command()
def match(
    game: GameArgument,
    a: PolicyArgument,
    b: PolicyArgument,
    settings: SetOption = None,
    as_json: JsonOption = False,
    turns: Annotated[bool, typer.Option("--turns", help="Find how likely each number of turns is, too.")] = False,
    exploit: Annotated[
        bool, typer.Option("--exploit", help="Find what the best player against each policy does to it, too.")
    ] = False,
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
            games = count_visits(solution, one, other, progress)
            answer["turns"] = {count: chance for count, chance in enumerate(games.turns.tolist()) if chance}
    if as_json:
        print_json(answer)
    else:
        _show(answer, result)
        console().print()
        suggest("agree", game, settings, a, b)


@app.command()
def agree(
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
        "expected_turns": result.expected_turns,
        "error_bound": result.error_bound,
        "length_error_bound": result.length_error_bound,
        "seats": {"first": asdict(result.first), "second": asdict(result.second)},
    }


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
    for name, wins in answer.get("worst_case", {}).items():
        out.print(f"Against the player who knows {name} and exploits it best, it wins {100 * wins:.4f} %.")
    if "turns" in answer:
        out.print("\nturns  chance")
        highest = max(answer["turns"].values())
        for count, chance in answer["turns"].items():
            if chance >= 0.0005:
                out.print(f"{count:5}  {100 * chance:6.2f} %  {'█' * round(40 * chance / highest)}")


def _show_agreement(a: str, b: str, result: Agreement) -> None:
    out = console()
    out.print(f"{a} decides as {b} in {100 * result.all_states:.2f} % of all states that play can reach,")
    out.print(f"and in {100 * result.real_states:.2f} % of the decisions it has to make in games against {b}.")
    if not result.mistakes:
        out.print("It gives nothing away.")
        return
    table = Table(
        "where it gives away most", "it does", "best", "loses", "a game has it", box=None, padding=(0, 2, 0, 0)
    )
    for mistake in result.mistakes:
        table.add_row(
            mistake.state, mistake.action, mistake.best, f"{100 * mistake.loss:.3f} %", f"{mistake.visits:.2g} times"
        )
    out.print()
    out.print(table)
