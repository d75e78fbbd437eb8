"""The JSON output of `komi simulate`."""

from dataclasses import asdict
from typing import Any

import numpy as np

from komi.policies.policy import distinct_names
from komi.simulation.result import Estimate, Simulation

RATES = (0.05, 0.10)  # thresholds for the win rate of a deal's worst seat


def simulation_json(simulation: Simulation) -> dict[str, Any]:
    """Return all statistics, as `komi simulate --json` prints them; lists by seat start with the first to move."""
    contents: dict[str, Any] = {
        "game": simulation.game.name,
        "rules": simulation.rules._asdict(),
        "policies": distinct_names(simulation.policies),
        "seed": simulation.seed,
        "games": simulation.games,
        "stopped": simulation.stopped,
        "win_rate": [seat.mean for seat in simulation.wins],
        "stderr": [seat.known_stderr for seat in simulation.wins],
        "interval": [seat.interval for seat in simulation.wins],
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
    if not simulation.scale.is_chance:
        contents |= {
            "objective": simulation.objective,
            "payoff": [_estimate(seat) for seat in simulation.payoffs],
            "draw_rate": 1.0 - sum(seat.mean for seat in simulation.wins),
        }
    elif simulation.objective:
        contents |= {"objective": simulation.objective, "value": _estimate(simulation.value)}
    if simulation.lead_changes:
        contents["lead_changes"] = _estimate(simulation.lead_changes)
    if simulation.scores:
        contents["score"] = [_estimate(seat) for seat in simulation.scores]
    if len(simulation.deal_rates) and simulation.scale.is_chance:
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


def _estimate(estimate: Estimate) -> dict[str, Any]:
    return {"mean": estimate.mean, "stderr": estimate.known_stderr, "interval": estimate.interval}
