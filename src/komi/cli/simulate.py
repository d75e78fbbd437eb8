"""`komi simulate`: Monte Carlo statistics of any game."""

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from komi.cli.app import ClusterOption, GameArgument, JsonOption, SetOption, WorkersOption, chosen, whole_number
from komi.cli.commands import command
from komi.cli.interrupt import INTERRUPTED
from komi.cli.output import bars, console, plain_table, print_json, warn
from komi.cli.simulated_rule_sets import present
from komi.cli.sweep import VaryOption, read_vary
from komi.design.simulated_rule_sets import simulate_rule_sets
from komi.errors import InputError
from komi.plotting import formats
from komi.policies.policy import distinct_names
from komi.presentation.formatting import BRACKETS, format_estimate, format_share
from komi.presentation.simulation_report import RATES, simulation_json
from komi.rules.kind import kind_of
from komi.rules.vocabulary import ACTION_COUNT_NOTE, format_rules
from komi.simulation.result import Simulation
from komi.simulation.simulation import Device
from komi.simulation.simulation import simulate as simulate_game
from komi.tabular import check_table, write_table


@command("simulate")
def simulate(
    game: GameArgument,
    games: Annotated[str, typer.Option("--games", metavar="N", help="Number of games, such as 1e8.")] = "",
    policies: Annotated[
        list[str] | None,
        typer.Option(
            "--policy", metavar="NAME", help="One policy for all seats, or one per seat; path.py:NAME for your own."
        ),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", metavar="S", help="Random seed.")] = 0,
    until_stderr: Annotated[
        float | None,
        typer.Option(
            "--until-stderr",
            metavar="E",
            help="Play until every win rate (or mean payoff) has this standard error at most.",
        ),
    ] = None,
    deals: Annotated[str, typer.Option("--deals", metavar="N", help="Play this many deals, each several times.")] = "",
    per_deal: Annotated[str, typer.Option("--per-deal", metavar="N", help="Number of games per deal.")] = "1",
    workers: WorkersOption = None,
    cluster: ClusterOption = None,
    device: Annotated[
        Device, typer.Option("--device", help="Where to play; auto takes a GPU for many games, if there is one.")
    ] = "cpu",
    keep: Annotated[
        Path | None,
        typer.Option(
            "--keep", metavar="FILE", help="Save the results to a file (with --vary a folder), and continue from it."
        ),
    ] = None,
    table: Annotated[
        Path | None, typer.Option("--table", metavar="FILE", help="Write all results to a .csv or .parquet file.")
    ] = None,
    picture: Annotated[
        Path | None, typer.Option("--plot", metavar="FILE", help="Draw the results: png, svg, pdf or html.")
    ] = None,
    vary: VaryOption = None,
    changed: SetOption = None,
    as_json_object: JsonOption = False,
) -> None:
    """Play many games, and estimate win rates, lengths and numbers of choices, perhaps under many rule sets."""
    found, rules = chosen(game, changed)
    values = read_vary(found, vary or [])
    if table:
        check_table(table)
    if picture and vary:
        raise InputError("--plot draws the results of one rule set: leave out --vary, or write a --table.")
    if picture:
        formats.format_of(picture)
    amount = whole_number("--games", games)
    if amount is None and not deals and until_stderr is None:
        amount = 1_000_000
    settings: dict[str, Any] = {
        "policies": (policies or ["random"])[0] if len(policies or []) < 2 else policies or [],
        "seed": seed,
        "until_stderr": until_stderr,
        "deals": whole_number("--deals", deals),
        "per_deal": whole_number("--per-deal", per_deal) or 0,
        "workers": workers,
        "cluster": cluster,
        "device": device,
        "keep": keep,
        "notice": warn,
        **rules,
    }
    if values:
        with bars() as progress:
            result = simulate_rule_sets(found, values, amount, progress=progress, **settings)
        present(result, seed, table, as_json_object)
        return
    with bars() as progress:
        simulation = simulate_game(found, amount, progress=progress, **settings)
    if not simulation.games:
        warn("stopped before a block of games was complete.")
        sys.exit(INTERRUPTED)
    if table:
        write_table(simulation.records(), table)
    if picture:
        from komi.plotting import simulation_plot  # needs matplotlib

        simulation_plot.save(simulation, picture)
    if as_json_object:
        print_json(simulation_json(simulation))
    else:
        _show(simulation)
    if simulation.stopped:
        warn(f"stopped after {simulation.games:,} games" + (f"; {keep} has them." if keep else "."))
        sys.exit(INTERRUPTED)


def _show(simulation: Simulation) -> None:
    out = console()
    out.print(simulation.game.summary, style="bold")
    out.print(f"Rules: {format_rules(simulation.rules) or 'none to set'}.")
    games = f"{simulation.games:,} game{'s' * (simulation.games != 1)}"
    out.print(f"{games}, {simulation.games_per_second:,.0f} a second; ± is one standard error.")
    is_opposed = simulation.scale.is_opposed
    if any(share.is_rare for share in (*(simulation.wins if is_opposed else ()), *simulation.never_acted)):
        out.print(BRACKETS)
    out.print()
    alone = simulation.objective if simulation.scale.is_chance else None
    paid = [format_estimate(payoff) for payoff in simulation.payoffs] if not simulation.scale.is_chance else []
    headings = [simulation.scale.unit] * bool(paid) + [alone or "wins"] * is_opposed
    table = plain_table("seat", "policy", *headings, "never acted")
    for seat, name in enumerate(distinct_names(simulation.policies)):
        never = simulation.never_acted[seat]
        wins = _value(simulation) if alone else format_share(simulation.wins[seat])
        table.add_row(str(seat + 1), name, *paid[seat : seat + 1], *[wins] * is_opposed, format_share(never))
    out.print(table)
    draws = 1.0 - sum(seat.mean for seat in simulation.wins)
    if paid and is_opposed and draws > 0.0:
        out.print(f"{100 * draws:.3f} % of the games are draws.")
    out.print(
        f"\nTurns: {format_estimate(simulation.turns)} on average, "
        f"{simulation.fewest_turns} to {simulation.most_turns}. Actions: {format_estimate(simulation.actions)} a game."
    )
    note = kind_of(simulation.game, simulation.rules).discount_note
    out.print(" ".join(filter(None, (ACTION_COUNT_NOTE, note))))
    shares = simulation.moves_at_least
    if shares:
        some = ", ".join(
            f"{least} in {100 * shares[least].mean:.2f} %" for least in (2, 5, 10, 20) if least < len(shares)
        )
        out.print(
            f"Legal moves at each: {simulation.mean_moves:.2f} on average, at most {simulation.most_moves}; "
            f"at least {some}."
        )
    if simulation.lead_changes:
        out.print(f"The lead changes {format_estimate(simulation.lead_changes)} times a game.")
    for seat, score in enumerate(() if alone else simulation.scores or (), 1):
        out.print(f"Seat {seat} scores {format_estimate(score)}.")
    if len(simulation.deal_rates) and not paid:
        _show_deals(simulation)


def _show_deals(simulation: Simulation) -> None:
    out = console()
    worst = ", ".join(f"under {rate:.0%} in {format_share(simulation.worst_seat_below(rate))}" for rate in RATES)
    out.print(f"\n{len(simulation.deal_rates):,} deals: the worst seat of a deal wins {worst} of them.")
    if simulation.explained is None:
        return
    explained = ", ".join(f"{100 * part.share:.1f} ± {100 * part.stderr:.1f} %" for part in simulation.explained)
    out.print(
        f"Of the variance of a seat's results, chance before and between choices explains {explained}; play the rest."
    )


def _value(simulation: Simulation) -> str:
    """Format the result of a single-player game: a percentage if the objective is a probability, else a number."""
    chance = str(simulation.objective).startswith("chance")
    return format_share(simulation.value) if chance else format_estimate(simulation.value)
