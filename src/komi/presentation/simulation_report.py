"""The JSON output of `komi simulate`."""

from typing import Any

import numpy as np

from komi.policies.policy import distinct_names
from komi.presentation.fields import select, to_json
from komi.simulation.result import Estimate, Simulation

RATES = (0.05, 0.10)  # thresholds for the win rate of a deal's worst seat


def simulation_json(simulation: Simulation) -> dict[str, Any]:
    """Return all statistics, as `komi simulate --json` prints them; lists by seat start with the first to move."""
    contents: dict[str, Any] = {
        **select(simulation, "game", "rules", "seed", "games", "stopped", "actions", "seconds", "games_per_second"),
        "policies": distinct_names(simulation.policies),
        **(_wins(simulation) if simulation.scale.is_opposed else {}),
        "turns": {
            **to_json(simulation.turns),
            **select(simulation, "still_running", min="fewest_turns", max="most_turns", histogram="turns_histogram"),
        },
        "moves": select(
            simulation, mean="mean_moves", max="most_moves", histogram="moves_histogram", at_least="moves_at_least"
        ),
        "never_acted": select(simulation, any="some_never_acted", seats="never_acted"),
    }
    if not simulation.scale.is_chance:
        contents |= select(simulation, "objective", payoff="payoffs")
        if simulation.scale.is_opposed:
            contents["draw_rate"] = 1.0 - sum(seat.mean for seat in simulation.wins)
    elif simulation.objective:
        contents |= select(simulation, "objective", "value")
    if simulation.lead_changes:
        contents |= select(simulation, "lead_changes")
    if simulation.scores:
        contents |= select(simulation, score="scores")
    if len(simulation.deal_rates) and simulation.scale.is_chance:
        contents["deals"] = _deals(simulation)
    return contents


def _wins(simulation: Simulation) -> dict[str, Any]:
    return {
        "win_rate": [seat.mean for seat in simulation.wins],
        "stderr": [seat.known_stderr for seat in simulation.wins],
        "interval": [seat.interval for seat in simulation.wins],
    }


def _deals(simulation: Simulation) -> dict[str, Any]:
    rates = simulation.deal_rates
    return {
        "deals": len(rates),
        "per_deal": simulation.tally.per_deal,
        "worst_seat_below": {f"{rate:g}": simulation.worst_seat_below(rate) for rate in RATES},
        "histogram": [np.histogram(seat, 50, (0.0, 1.0))[0].tolist() for seat in rates.T],
        "variance": [simulation.variance(seat) for seat in range(simulation.tally.seats)],
    }


@to_json.register
def _(estimate: Estimate) -> Any:
    return to_json(select(estimate, "mean", "interval", stderr="known_stderr"))
