"""A simulation as plain values: one object for JSON, one table for CSV and Parquet."""

import csv
import math
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from komi.errors import InputError
from komi.files import check_writable, write_atomically
from komi.simulation.result import Estimate, Simulation

RATES = (0.05, 0.10)  # thresholds for the win rate of a deal's worst seat


class Statistic(NamedTuple):
    """One statistic.

    `at` is the number of turns or moves, or the deal; `seat` is counted from 1. Both are None where they do not apply,
    and `stderr` is None where it is not known.
    """

    quantity: str
    at: float | None
    seat: int | None
    value: float
    stderr: float | None


def simulation_json(simulation: Simulation) -> dict[str, Any]:
    """Return all statistics, as `komi simulate --json` prints them; lists by seat start with the first to move."""
    contents: dict[str, Any] = {
        "game": simulation.game.name,
        "rules": simulation.rules._asdict(),
        "policies": [policy.name for policy in simulation.policies],
        "seed": simulation.seed,
        "games": simulation.games,
        "stopped": simulation.stopped,
        "win_rate": [seat.mean for seat in simulation.wins],
        "stderr": [_known(seat.stderr) for seat in simulation.wins],
        "turns": {
            **_estimate(simulation.turns),
            "min": simulation.fewest_turns,
            "max": simulation.most_turns,
            "histogram": simulation.turns_histogram,
            "still_running": [_estimate(share) for share in simulation.still_running],
        },
        "actions": _estimate(simulation.actions),
        "moves": {
            "mean": simulation.mean_moves,
            "max": simulation.most_moves,
            "histogram": simulation.moves_histogram,
            "at_least": [_estimate(share) for share in simulation.moves_at_least],
        },
        "never_acted": {
            "any": _estimate(simulation.some_never_acted),
            "seats": [_estimate(seat) for seat in simulation.never_acted],
        },
        "seconds": simulation.seconds,
        "games_per_second": simulation.games_per_second,
    }
    if simulation.objective:
        contents |= {"objective": simulation.objective, "value": _estimate(simulation.value)}
    if simulation.lead_changes:
        contents["lead_changes"] = _estimate(simulation.lead_changes)
    if simulation.scores:
        contents["score"] = [_estimate(seat) for seat in simulation.scores]
    if len(simulation.deal_rates):
        contents["deals"] = _deals(simulation)
    return contents


def _deals(simulation: Simulation) -> dict[str, Any]:
    rates = simulation.deal_rates
    return {
        "deals": len(rates),
        "per_deal": simulation.tally.per_deal,
        "worst_seat_below": {f"{rate:g}": _estimate(simulation.worst_seat_below(rate)) for rate in RATES},
        "histogram": [np.histogram(seat, 50, (0.0, 1.0))[0].tolist() for seat in rates.T],
        "variance": [
            asdict(part) if (part := simulation.variance(seat)) else None for seat in range(simulation.tally.seats)
        ],
    }


def simulation_rows(simulation: Simulation) -> Iterator[Statistic]:
    """Yield every statistic as a row."""
    for seat, wins in enumerate(simulation.wins, 1):
        yield Statistic("win_rate", None, seat, *_pair(wins))
    for seat, never in enumerate(simulation.never_acted, 1):
        yield Statistic("never_acted", None, seat, *_pair(never))
    for seat, score in enumerate(simulation.scores or (), 1):
        yield Statistic("score", None, seat, *_pair(score))
    yield Statistic("turns", None, None, *_pair(simulation.turns))
    yield Statistic("actions", None, None, *_pair(simulation.actions))
    if simulation.lead_changes:
        yield Statistic("lead_changes", None, None, *_pair(simulation.lead_changes))
    for turns, share in enumerate(simulation.still_running):
        yield Statistic("still_running", turns, None, *_pair(share))
    for turns, games in simulation.turns_histogram.items():
        yield Statistic("games_of_turns", turns, None, games, None)
    for moves, share in enumerate(simulation.moves_at_least):
        yield Statistic("moves_at_least", moves, None, *_pair(share))
    for deal, rates in enumerate(simulation.deal_rates):
        for seat, rate in enumerate(rates, 1):
            yield Statistic("deal_win_rate", deal, seat, float(rate), None)


def write_table(simulation: Simulation, path: Path) -> None:
    """Write every statistic to a file, `.csv` or `.parquet` (which requires pyarrow).

    Raises:
        InputError: for another kind of file, or if pyarrow is missing.
        StorageError: if it cannot be written.
    """
    check_table(path)
    write = _write_csv if path.suffix == ".csv" else _write_parquet
    write_atomically(path, lambda draft: write(simulation, draft))


def check_table(path: Path) -> None:
    """Check that such a file can be written, before hours are spent on its contents."""
    if path.suffix not in (".csv", ".parquet"):
        raise InputError(f"a table ends in .csv or .parquet, not {path.name!r}.")
    if path.suffix == ".parquet":
        try:
            import pyarrow.parquet  # noqa: F401
        except ImportError:
            raise InputError("Parquet files need pyarrow: pip install 'komi[tables]'.") from None
    check_writable(path)


def _write_csv(simulation: Simulation, path: Path) -> None:
    with path.open("w", newline="") as file:
        table = csv.writer(file)
        table.writerow(Statistic._fields)
        table.writerows(simulation_rows(simulation))


def _write_parquet(simulation: Simulation, path: Path) -> None:
    import pyarrow
    import pyarrow.parquet

    columns = zip(*simulation_rows(simulation), strict=True)
    pyarrow.parquet.write_table(pyarrow.table(dict(zip(Statistic._fields, map(list, columns), strict=True))), path)


def _pair(estimate: Estimate) -> tuple[float, float | None]:
    return estimate.mean, _known(estimate.stderr)


def _estimate(estimate: Estimate) -> dict[str, float | None]:
    return {"mean": estimate.mean, "stderr": _known(estimate.stderr)}


def _known(number: float) -> float | None:
    return None if math.isnan(number) else number
