"""`komi play` and `komi opponents`: play a game in the terminal, and list the opponents."""

import hashlib
import os
import secrets
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.text import Text

from komi.cli.app import GameArgument, JsonOption, SetOption, chosen
from komi.cli.commands import command
from komi.cli.interrupt import INTERRUPTED
from komi.cli.output import bars, console, plain_table, print_json, suggest, warn
from komi.cli.review_text import show_estimated_review, show_fairness, show_result, show_review
from komi.cli.terminal_player import Leaving, Seat
from komi.errors import InputError, SolveError
from komi.files import check_replaceable, write_atomically
from komi.play import fairness, opponent_players, opponents, record, searching
from komi.play.fairness import Commitment
from komi.play.opponent_players import Player
from komi.play.opponents import Opponent
from komi.play.review import review
from komi.play.strengths import rank, strengths
from komi.play.table import Table
from komi.rules.game import Game
from komi.rules.kind import check_choices
from komi.solvers.hidden.point_based_solver import PointBasedSolution
from komi.solvers.solution import Solution
from komi.typing import Rules

TOO_LARGE = (
    f"{{}} has more than {opponent_players.MAX_STATES:,} states, too many to be solved before a game; `komi solve` "
    "solves it in advance."
)
ORDER = ("first", "second", "third", "fourth")

OpponentOption = Annotated[
    str | None,
    typer.Option(
        "--opponent", metavar="NAME", help="easy, medium, hard, or the name of a policy; by default the strongest."
    ),
]
SeatOption = Annotated[str, typer.Option("--seat", metavar="SEAT", help="first, second, ..., or either (at random).")]
TestOption = Annotated[
    bool, typer.Option("--test-mode", help="Roll real dice or draw real cards, and enter the results.")
]
HintsOption = Annotated[bool, typer.Option("--hints", help="Show a hint before each of your moves.")]
SaveOption = Annotated[
    str | None, typer.Option("--save", metavar="FILE", help="Save a record of the finished game for komi review.")
]
SeedOption = Annotated[
    str | None, typer.Option("--seed", metavar="TEXT", help="A text that determines all chance events.")
]


@command("play")
def play(
    game: GameArgument,
    opponent: OpponentOption = None,
    seat: SeatOption = "either",
    test_mode: TestOption = False,
    hints: HintsOption = False,
    seed: SeedOption = None,
    save: SaveOption = None,
    settings: SetOption = None,
) -> None:
    """Play a game against an opponent of any skill, with hints and a review of your decisions."""
    found, chosen_rules = chosen(game, settings)
    rules = found.rules(chosen_rules)
    own = _own_seat(found, rules, seat)
    if save is not None:
        check_replaceable(Path(save), record.FIRST_LINE, len(record.FIRST_LINE))
    solution, rival, player = _prepared(found, rules, opponent)
    commitment, number = _committed(seed)
    without_chance = solution is not None and solution.has_plies
    dealt = None if test_mode or without_chance else (commitment, number)
    table = Table(found, rules)
    if own is None:
        own = fairness.random_seat(commitment.seed, number, table.players)
    person = Seat(table, own, rival, solution, hints)
    try:
        person.welcome(commitment if dealt else None)
        while not table.is_over:
            _go_on(table, person, player, dealt)
        show_result(table, own, person.names)
        if solution and not (solution.kind.average or isinstance(solution, PointBasedSolution)):
            show_review(review(solution, table, own), table, is_chance=solution.kind.is_chance)
        elif searching.policy_name(found, rules, searching.HARD):
            show_estimated_review(searching.costliest(table, own, searching.REVIEW_PLAYOUTS), table)
        if dealt:
            show_fairness(*dealt)
    except Leaving:
        console().print("\nYou left the game.")
    except KeyboardInterrupt:
        console().print()
        raise SystemExit(INTERRUPTED) from None
    finally:
        if save is not None and table.log:
            _save(Path(save), record.format_game(table, game, tuple(person.names), own))


@command("opponents")
def list_opponents(game: GameArgument, settings: SetOption = None, as_json: JsonOption = False) -> None:
    """List the opponents of a game, and how strong they are against each other."""
    found, chosen_rules = chosen(game, settings)
    rules = found.rules(chosen_rules)
    check_choices(found, rules, "there is nothing to play")
    with bars() as progress:
        solution = opponent_players.solve_for_opponents(found, rules, progress=progress, notice=warn)
        rank(found, rules, solution, progress)
        offered = opponents.available(found, rules)
        matches = strengths(found, rules, solution, offered, progress)
    if as_json:
        print_json({"game": found, "rules": rules, "opponents": offered, "strengths": matches})
        return
    out, titles = console(), {opponent.name: opponent.title for opponent in offered}
    if not offered:
        out.print(f"{found.name} is for one player: there are no opponents.")
        return
    columns = plain_table("opponent", "how it plays")
    for opponent in offered:
        columns.add_row(Text(opponent.name, "bold"), opponent.summary)
    out.print(columns)
    for strength in matches:
        unit = found.payoff_scale(rules).unit
        low, high = (f"{value:.3f}" if unit else f"{100 * value:.1f} %" for value in (strength.low, strength.high))
        how = f"{low} to {high}, found in {strength.games} games" if strength.games else "exactly"
        if unit:
            out.print(f"{titles[strength.a]} against {titles[strength.b]}: {unit} {strength.average:.4f} ({how}).")
            continue
        out.print(
            f"{titles[strength.a]} beats {titles[strength.b]} {100 * strength.average:.2f} % of the time ({how})."
        )
    out.print()
    suggest("play", game, settings, "--opponent", offered[0].name)


def _save(file: Path, text: str) -> None:
    write_atomically(file, lambda draft: draft.write_text(text, encoding="utf-8"))
    console().print(f"Saved: {file}")


def _own_seat(game: Game, rules: Rules, seat: str) -> int | None:
    """Return the index of the requested seat, or None for "either"."""
    seats = ORDER[: game.players(rules)]
    if seat == "either":
        return None
    if seat not in seats:
        raise InputError(f"--seat takes {', '.join(seats)} or either, not {seat!r}.")
    return seats.index(seat)


def _rival(game: Game, rules: Rules, name: str | None) -> Opponent | None:
    """Return the requested opponent, or the strongest one. Return None in a single-player game."""
    if name is None and game.players(rules) == 1:
        return None
    return opponents.find(name, game, rules)


def _prepared(
    game: Game, rules: Rules, name: str | None
) -> tuple[Solution[Any] | None, Opponent | None, Player | None]:
    """Return the solution, if there is one, the opponent, and its player.

    If the strength order of the opponents is not known, it is computed the first time that a game is played.
    """
    rival, is_alone = _rival(game, rules, name), game.alone(rules) != rules
    at_once = opponent_players.player_without_solution(rival, game, rules) if rival and is_alone else None
    if at_once is not None:  # no solution is needed; there is none for several players
        return None, rival, at_once
    with bars() as progress:
        try:
            bounded = opponent_players.bounded(progress, TOO_LARGE.format(game.name))
            solution = opponent_players.solve_for_hints(game, rules, progress=bounded, notice=warn)
        except SolveError as error:
            rival = opponent_players.substitute(rival, game, rules) if rival else None
            if rival is None and game.players(rules) > 1:
                raise
            warn(f"hints are estimates of a search: {error}")
            return None, rival, opponent_players.create_player(rival, game, rules, None) if rival else None
        if rival is None:
            return solution, None, None
        if rival in opponents.available(game, rules) and rival.policy != opponents.OPTIMAL:
            rank(game, rules, solution, progress)
            rival = opponents.find(name, game, rules)
        player = opponent_players.create_player(rival, game, rules, solution)
        return None if is_alone else solution, rival, player


def _committed(seed: str | None) -> tuple[Commitment, str]:
    """Return the commitment to the seed of all chance events, and the player's number."""
    if seed is None:
        return Commitment.draw(), fairness.draw_number()
    return Commitment(hashlib.sha256(os.fsencode(seed)).digest()), "0" * 2 * fairness.NUMBER_BYTES


def _go_on(table: Table, person: Seat, player: Player | None, dealt: tuple[Commitment, str] | None) -> None:
    """Play the next action or chance event, drawn or entered."""
    if table.events and dealt:
        commitment, number = dealt
        luck = fairness.random_number(commitment.seed, number, table.number)
        table.enter(fairness.sample_event(table.events, luck).label, luck)
    elif table.events:
        table.enter(person.ask_event())
    elif table.mover == person.seat or player is None:
        table.enter(person.ask_action())
    else:
        action = player.choose(table.state, secrets.SystemRandom().random())
        table.enter(table.game.label(table.rules, table.state, action))
    person.tell()
