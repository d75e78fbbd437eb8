"""The text output of `komi solve` and `komi value`, by the class of the solution."""

from collections.abc import Sequence
from functools import singledispatch
from itertools import groupby
from typing import Any

from komi.errors import InputError
from komi.presentation.formatting import (
    TextReport,
    format_percent,
    format_proof,
    format_value,
    hint_sentence,
    state_proof,
    value_heading,
)
from komi.rounding import format_bound
from komi.solvers.hidden.hidden_solver import HiddenSolution
from komi.solvers.multiplayer.nash_solver import MultiplayerSolution
from komi.solvers.simultaneous.mixed_solver import SimultaneousSolution
from komi.solvers.solution import Solution
from komi.solvers.stochastic.stochastic_solver import SinglePlayerSolution, StochasticSolution
from komi.solvers.tablebase.tablebase import PositionValue, Tablebase
from komi.typing import Rules, State


@singledispatch
def solution_text(solution: Solution[Any]) -> TextReport:
    """Format the value of the game and its proof, as `komi solve` prints them."""
    raise TypeError(f"no text for {type(solution).__name__}")


@singledispatch
def state_text(solution: Solution[Any], state: State) -> TextReport:  # noqa: ARG001
    """Format the values of a state and its actions, as `komi value` prints them.

    Raises:
        InputError: if the game is over in the state, and its solution is a tablebase.
    """
    raise TypeError(f"no text for {type(solution).__name__}")


def hint_sentences(solution: Solution[Any]) -> list[str]:
    """List the sentence on hints that follows a claim of proof; empty if it relies on none, or names them itself."""
    hints = solution.verified_hints
    return [hint_sentence(hints)] if hints and hints.is_complete else []


def audit_text(solution: Solution[Any]) -> TextReport:
    """Say whether an audit confirmed the solution."""
    if solution.is_audited:
        return TextReport(lines=["Audited: confirmed with the rules as Python runs them, apart from the solver."])
    return TextReport(lines=["Not audited: the audit found nothing wrong, but no proof of its own."])


def check_not_over(solution: Solution[Any], state: State) -> None:
    """Refuse terminal positions.

    Raises:
        InputError: if the game is over in the state; the sentence names the result.
    """
    game, rules = solution.game, solution.rules
    if game.part("over")(rules, state):
        result = {0.0: "the opponent of the player to move has won", 1.0: "the player to move has won"}
        share = game.shares(rules, state)[0]
        raise InputError(f"{game.write(rules, state)} is over: {result.get(share, 'it is a draw')}.")


@solution_text.register
def _(solution: StochasticSolution) -> TextReport:
    return _two_player_text(solution, _first_move(solution))


@solution_text.register
def _(solution: SimultaneousSolution) -> TextReport:
    return _two_player_text(solution, " Best play is mixed where both choose.")


@solution_text.register
def _(solution: HiddenSolution) -> TextReport:
    sets = f"The players choose in {_count(solution.information_sets, 'information set')}."
    return _two_player_text(solution, " Best play is mixed.", _exploitability_proof(solution), sets)


def _two_player_text(solution: Solution[Any], remark: str, *more: str) -> TextReport:
    """Format the winning probabilities or expected payoffs of both players, followed by a remark on how to play."""
    first = solution.value()
    if solution.kind.is_chance:
        values = [
            f"With best play on both sides the first player wins {format_percent(first)} of the games,",
            f"the second {format_percent(1 - first)}: a difference of {format_percent(abs(2 * first - 1))}.",
        ]
    else:
        second = format_value(solution.kind, solution.kind.payoffs.opposite(first))
        values = [
            f"With best play on both sides the {_objective_is(solution, 'of the first player')} "
            f"{format_value(solution.kind, first)}, of the second {second}.",
        ]
    proof = format_proof(solution.kind, solution.error_bound, solution.verified_hints)
    return _overview(solution, *values, f"{proof}{remark}", *more, *hint_sentences(solution))


@solution_text.register
def _(solution: SinglePlayerSolution) -> TextReport:
    play = "With best play" if solution.kind.choices else "Without choices"
    return _overview(
        solution,
        f"{play} the {_objective_is(solution)} {format_value(solution.kind, solution.value())}.",
        f"{_single_player_proof(solution)}{_first_move(solution)}",
        *hint_sentences(solution),
    )


@solution_text.register
def _(solution: MultiplayerSolution) -> TextReport:
    wins = ", ".join(f"seat {seat} {format_percent(value)}" for seat, value in enumerate(solution.seat_values(), 1))
    mixing = len(solution.data.mixed)
    return _overview(
        solution,
        f"If all play this equilibrium policy, the seats win: {wins}.",
        _equilibrium_proof(solution) + _first_move(solution),
        *([f"The policy mixes actions in {_count(mixing, 'state')}."] if mixing else []),
        _other_equilibria(solution),
    )


@solution_text.register
def _(solution: Tablebase) -> TextReport:
    counts, actions = solution.counts, solution.actions()
    lines = [
        format_settings(solution.rules),
        "",
        f"With best play on both sides {_forced_result(solution.position_value())}. Proved, without error.",
        *_worth(solution, None),
        "",
    ]
    footer = [
        "",
        f"A line of best play: {' '.join(solution.line())}",
        f"{_count(solution.states, 'position')}: "
        f"the player to move wins {counts.win:,}, loses {counts.loss:,} and draws {counts.draw:,};",
        f"the game is over in {counts.terminal:,} more. All {_solve_time(solution)}.",
        "",
    ]
    next_state = solution.game.write(solution.rules, solution.after(None, next(iter(actions))))
    return TextReport(solution.game.summary, lines, ("result", "first move"), _by_result(actions), footer, next_state)


@state_text.register
def _(solution: StochasticSolution, state: State) -> TextReport:
    value, actions, title = solution.value(state), solution.actions(state), _title(solution, state)
    if not actions:
        return _terminal_text(title, value)
    wins = _mover_text(solution, value)
    proof = [
        format_proof(solution.kind, solution.error_bound, solution.verified_hints),
        *hint_sentences(solution),
    ]
    if solution.game.is_chance(solution.rules, state):
        return TextReport(title, [wins, "Chance moves.", *proof])
    rows = [
        (label, format_value(solution.kind, each), "" if each == value else format_value(solution.kind, value - each))
        for label, each in actions.items()
    ]
    return TextReport(title, [wins], ("action", value_heading(solution.kind), "loss"), rows, proof)


@state_text.register
def _(solution: SimultaneousSolution, state: State) -> TextReport:
    mover = _mover_text(solution, solution.value(state))
    return _mixed_text(solution, state, mover, format_proof(solution.kind, solution.error_bound))


@state_text.register
def _(solution: HiddenSolution, state: State) -> TextReport:
    if solution.game.is_chance(solution.rules, state):
        title, wins = _title(solution, state), _mover_text(solution, solution.value(state))
        return TextReport(title, [wins, "Chance moves.", _exploitability_proof(solution)])
    given = _mover_text(solution, solution.value(state)).removesuffix(".") + ", given what it observes."
    return _mixed_text(solution, state, given, _exploitability_proof(solution))


def _mixed_text(solution: SimultaneousSolution | HiddenSolution, state: State, mover: str, proof: str) -> TextReport:
    value, mixed, title = solution.value(state), solution.mixed(state), _title(solution, state)
    if not mixed:
        return _terminal_text(title, value)
    rows = [
        (label, format_percent(mixed[label]), format_value(solution.kind, each))
        for label, each in solution.actions(state).items()
    ]
    return TextReport(
        title,
        [mover],
        ("action", "probability", value_heading(solution.kind)),
        rows,
        [proof],
    )


@state_text.register
def _(solution: SinglePlayerSolution, state: State) -> TextReport:
    value, actions, title = solution.value(state), solution.actions(state), _title(solution, state)
    written = {label: format_value(solution.kind, each) for label, each in actions.items()}
    objective_is = f"From here on the {_objective_is(solution)} {format_value(solution.kind, value)}"
    if not actions:
        return TextReport(title, [f"The game is over. {objective_is}."])
    rows = [
        (label, written[label], "" if each == value else format_value(solution.kind, abs(value - each)))
        for label, each in actions.items()
    ]
    return TextReport(
        title,
        [f"{objective_is} with best play."],
        ("action", solution.objective, "loss"),
        rows,
        [_single_player_proof(solution), *hint_sentences(solution)],
    )


@state_text.register
def _(solution: MultiplayerSolution, state: State) -> TextReport:
    values, actions, title = solution.seat_values(state), solution.actions(state), _title(solution, state)
    wins = ", ".join(map(format_percent, values))
    if not actions:
        return TextReport(title, [f"The game is over: the seats get {wins}, the player to move first."])
    mixed = solution.mixed(state)
    rows = [
        (
            label,
            format_percent(mixed[label]),
            format_percent(each),
            "" if each == values[0] else format_percent(values[0] - each),
        )
        for label, each in actions.items()
    ]
    return TextReport(
        title,
        [f"If all play this equilibrium policy, the seats win {wins}, the player to move first."],
        ("action", "probability", "wins", "loss"),
        rows,
        [_equilibrium_proof(solution)],
    )


@state_text.register
def _(solution: Tablebase, state: State) -> TextReport:
    check_not_over(solution, state)
    value = solution.position_value(state)
    ending = "can force a draw, no more" if value.plies is None else f"{_verb(value)} in {_plies(value)}"
    return TextReport(
        _title(solution, state),
        [f"The player to move {ending} with best play.", *_worth(solution, state)],
        ("result", "action"),
        _by_result(solution.actions(state)),
        [f"A line of best play: {' '.join(solution.line(state))}"],
    )


def format_settings(rules: Rules) -> str:
    """Format the rules in one line."""
    settings = ", ".join(f"{name} {value}" for name, value in rules._asdict().items())
    return f"Rules: {settings}." if settings else "Rules: none to set."


def _overview(solution: Solution[Any], *lines: str) -> TextReport:
    """Put the rules before sentences on a solution, and its size and solve time after them."""
    start = solution.game.write(solution.rules, solution.read(None))
    count = f"{_count(solution.states, 'state')}, {_solve_time(solution)}."
    return TextReport(solution.game.summary, [format_settings(solution.rules), "", *lines, count, ""], next_state=start)


def _terminal_text(title: str, payoff: float) -> TextReport:
    return TextReport(title, [f"The game is over: the player to move gets {payoff:g}."])


def _title(solution: Solution[Any], state: State) -> str:
    return solution.game.write(solution.rules, state)


def _first_move(solution: Solution[Any]) -> str:
    is_chance = solution.game.is_chance(solution.rules, solution.read(None))
    return "" if is_chance else f" First move: {solution.best()}."


def _solve_time(solution: Solution[Any]) -> str:
    seconds = solution.seconds
    phrase = "found solved before" if solution.is_loaded else f"solved in {seconds.solve:.2f} s"
    return f"{phrase}, after {seconds.compile:.0f} s of compiling, once only" if seconds.compile >= 1 else phrase


def _objective_is(solution: Solution[Any], whose: str = "") -> str:
    words = f"{solution.objective} {whose}".strip()
    return f"{words} {'are' if solution.objective.endswith('s') else 'is'}"


def _mover_text(solution: Solution[Any], value: float) -> str:
    """Format the value of a state to the player to move."""
    if solution.kind.is_chance:
        return f"The player to move wins {format_percent(value)} with best play."
    objective_is = _objective_is(solution, "of the player to move")
    return f"With best play the {objective_is} {format_value(solution.kind, value)}."


def _worth(solution: Tablebase, state: State | None) -> list[str]:
    """Say what the result of a position is worth, in a game with a `payoff_range`."""
    if solution.kind.is_chance:
        return []
    whose = "of the first player" if state is None else "of the player to move"
    return [f"The {_objective_is(solution, whose)} {solution.expected_value(state):g}."]


def _single_player_proof(solution: SinglePlayerSolution) -> str:
    return state_proof(f"off by no more than {format_bound(solution.error_bound)}", solution.verified_hints)


def _equilibrium_proof(solution: MultiplayerSolution) -> str:
    return f"Proved: no seat can gain more than {format_bound(solution.epsilon[0])} by deviating alone."


def _exploitability_proof(solution: HiddenSolution) -> str:
    gained = format_bound(solution.exploitability)
    return f"Proved: best responses to both policies gain no more than {gained} together."


def _other_equilibria(solution: MultiplayerSolution) -> str:
    if not solution.data.searched:
        return "No search for other equilibria was made."
    if not solution.others:
        return "No other equilibrium was found from other starting points; others may exist."
    vectors = "; ".join(", ".join(map(format_percent, vector)) for vector in solution.others)
    return f"It is not the only one: in others that were found the seats win {vectors}."


def _by_result(actions: dict[str, PositionValue]) -> Sequence[tuple[str, str]]:
    """Group the actions by their result, best first."""
    return [
        (value.value if value.plies is None else f"{value.value} in {value.plies}", ", ".join(labels))
        for value, labels in groupby(actions, key=lambda label: actions[label])
    ]


def _forced_result(value: PositionValue) -> str:
    if value.plies is None:
        return "neither player can force a win: it is a draw"
    return f"the {'first' if value.value == 'win' else 'second'} player wins in {_plies(value)}"


def _verb(value: PositionValue) -> str:
    return "wins" if value.value == "win" else "loses"


def _plies(value: PositionValue) -> str:
    return f"{value.plies} {'ply' if value.plies == 1 else 'plies'}"


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'s' * (number != 1)}"
