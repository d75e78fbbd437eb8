"""`komi solve` and `komi value`: exact optimal play."""

from rich.table import Table

from komi.cli.app import (
    FreshOption,
    GameArgument,
    JsonOption,
    SetOption,
    StateOption,
    ToleranceOption,
    app,
    chosen,
)
from komi.cli.output import bars, console, print_json, suggest, warn
from komi.cli.tablebase import show_solution, show_value, solve_answer, value_answer
from komi.methods.race.solution import TOLERANCE, Solution
from komi.methods.solve import solve as solve_game
from komi.methods.win_draw_loss.tablebase import Tablebase


@app.command()
def solve(
    game: GameArgument,
    settings: SetOption = None,
    as_json: JsonOption = False,
    fresh: FreshOption = False,
    tolerance: ToleranceOption = TOLERANCE,
) -> None:
    """Find optimal play exactly, and prove how far off the answer can be."""
    solution = _solved(game, settings, fresh, tolerance)
    if isinstance(solution, Tablebase):
        if as_json:
            print_json(solve_answer(solution))
        else:
            show_solution(solution, game, settings)
    elif as_json:
        print_json(
            {
                "game": solution.game.name,
                "rules": solution.rules._asdict(),
                "states": solution.states,
                "value": solution.value(),
                "error_bound": solution.error_bound,
                "seconds": {
                    "compile": solution.seconds.compile,
                    "solve": solution.seconds.solve,
                    "total": solution.seconds.total,
                },
            }
        )
    else:
        _show_solution(solution, game, settings)
    if solution.unkept:
        raise solution.unkept


@app.command()
def value(
    game: GameArgument,
    state: StateOption = "",
    settings: SetOption = None,
    as_json: JsonOption = False,
    fresh: FreshOption = False,
    tolerance: ToleranceOption = TOLERANCE,
) -> None:
    """Tell what a state is worth to the player to move, and what each action is worth there."""
    solution = _solved(game, settings, fresh, tolerance)
    if isinstance(solution, Tablebase):
        if as_json:
            print_json(value_answer(solution, state))
        else:
            show_value(solution, state)
    else:
        _tell_value(solution, state, as_json)
    if solution.unkept:
        raise solution.unkept


def _tell_value(solution: Solution, state: str, as_json: bool) -> None:
    read = solution.game.read(solution.rules, state)
    worth, actions = solution.value(read), solution.actions(read)
    written = solution.game.write(solution.rules, read)
    if as_json:
        print_json(
            {
                "game": solution.game.name,
                "rules": solution.rules._asdict(),
                "state": solution.game.shown(solution.rules, read),
                "value": worth,
                "error_bound": solution.error_bound,
                "actions": actions,
                "best": next(iter(actions), None),
            }
        )
    else:
        out = console()
        out.print(f"[bold]{written}[/bold]")
        if not actions:
            out.print(f"The game is over: the player to move gets {worth:g}.")
            return
        out.print(f"The player to move wins {_percent(worth)} with best play.")
        table = Table("action", "wins", "loses by it", box=None, padding=(0, 2, 0, 0))
        for label, chance in actions.items():
            table.add_row(label, _percent(chance), "" if chance == worth else _percent(worth - chance))
        out.print(table)
        out.print(f"Proved: no probability is off by more than {solution.error_bound:.1e}.")


def _solved(name: str, settings: list[str] | None, fresh: bool, tolerance: float) -> Solution | Tablebase:
    game, rules = chosen(name, settings)
    with bars() as progress:
        return solve_game(game, tolerance=tolerance, fresh=fresh, progress=progress, notice=warn, **rules)


def _show_solution(solution: Solution, named: str, settings: list[str] | None) -> None:
    game, seconds = solution.game, solution.seconds
    rules = ", ".join(f"{name} {value}" for name, value in solution.rules._asdict().items())
    first = solution.value()
    out = console()
    out.print(f"[bold]{game.summary}[/bold]")
    out.print(f"Rules: {rules}.\n")
    out.print(f"With best play on both sides the first player wins [bold]{_percent(first)}[/bold] of the games,")
    out.print(f"the second {_percent(1 - first)}: a difference of {_percent(abs(2 * first - 1))}.")
    out.print(f"Proved: no probability is off by more than {solution.error_bound:.1e}. First move: {solution.best()}.")
    took = "found solved before" if solution.kept else f"solved in {seconds.solve:.2f} s"
    if seconds.compile >= 1:
        took += f", after {seconds.compile:.0f} s of compiling, once only"
    out.print(f"{solution.states:,} state{'s' * (solution.states != 1)}, {took}.\n")
    start = game.write(solution.rules, game.part("start")(solution.rules))
    suggest("value", named, settings, "--state", start)


def _percent(probability: float) -> str:
    return f"{100 * probability:.4f} %"
