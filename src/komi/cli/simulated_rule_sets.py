"""The output of `komi simulate --vary`: a table of rule sets."""

import sys
from collections.abc import Sequence
from pathlib import Path

from komi.cli.interrupt import INTERRUPTED
from komi.cli.output import console, count_rule_sets, plain_table, print_json, warn, warn_of_rule_sets
from komi.cli.sweep import SHOWN
from komi.design.simulated_rule_sets import SimulatedRuleSets, worth_of
from komi.presentation.formatting import BRACKETS, format_estimate, format_share
from komi.presentation.simulation_report import rule_sets_json
from komi.rules.kind import kind_of
from komi.rules.vocabulary import ACTION_COUNT_NOTE
from komi.simulation.result import ShareEstimate, Simulation
from komi.tabular import write_table

DISCOUNTS = (
    "A discount of d per action is a chance of 1 - d to stop after each. Lengths are those of play until it stops."
)


def present(result: SimulatedRuleSets, seed: int, table: Path | None, as_json: bool) -> None:
    """Print the statistics of all rule sets, and write them to a file if one is given.

    Raises:
        StorageError: if it cannot be written.
    """
    warn_of_rule_sets(result.game, result.forbidden, result.unplayed, "played")
    if table and result.simulations:
        write_table(result.records(), table)
    if as_json:
        print_json(rule_sets_json(result, seed))
    elif result.simulations:
        _show(result)
    if result.stopped:
        warn(f"stopped after {count_rule_sets(len(result.simulations))}.")
        sys.exit(INTERRUPTED)


def _show(result: SimulatedRuleSets) -> None:
    units = {simulation.objective or simulation.scale.unit for simulation in result.simulations}
    unit = units.pop() if len(units) == 1 else "value"
    seats = result.seats
    if seats == 1:
        worth = [unit or "wins"]
    else:
        first = f"first player: {unit}" if unit else "first player wins"
        worth = [first, *(f"player {seat}" for seat in range(2, seats + 1) if seats > 2 or unit)]
    rows = plain_table(*result.varied, *worth, "turns", "actions")
    shown = result.simulations[:SHOWN]
    for simulation in shown:
        cells = [_cell(simulation, seat) for seat in range(len(worth))]
        varied = (str(getattr(simulation.rules, name)) for name in result.varied)
        rows.add_row(*varied, *cells, format_estimate(simulation.turns), format_estimate(simulation.actions))
    out = console()
    out.print(rows)
    if len(result.simulations) > SHOWN:
        out.print(f"... and {len(result.simulations) - SHOWN:,} more: --table FILE.csv writes them all.")
    games = sum(simulation.games for simulation in result.simulations)
    seconds = sum(simulation.seconds for simulation in result.simulations)
    same = " with the same random numbers" * (len(result.simulations) > 1)
    out.print(
        f"\n{count_rule_sets(len(result.simulations))}{same}, {games:,} games in all, "
        f"{games / seconds:,.0f} a second; ± is one standard error."
    )
    if any(each.is_rare for simulation in shown for each in list(worth_of(simulation).values())[: len(worth)]):
        out.print(BRACKETS)
    out.print(" ".join(filter(None, (ACTION_COUNT_NOTE, _discount_note(shown)))))


def _discount_note(simulations: Sequence[Simulation]) -> str:
    """Return what the discounts of these rule sets mean; "" without one."""
    notes = {kind_of(simulation.game, simulation.rules).discount_note for simulation in simulations}
    return notes.pop() if len(notes) == 1 else DISCOUNTS


def _cell(simulation: Simulation, seat: int) -> str:
    estimates = list(worth_of(simulation).values())
    if seat >= len(estimates):
        return ""
    estimate = estimates[seat]
    return format_share(estimate) if isinstance(estimate, ShareEstimate) else format_estimate(estimate)
