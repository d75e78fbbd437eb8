"""The JSON output of `komi simulate`."""

from typing import Any

import numpy as np

from komi.design.simulated_rule_sets import SimulatedRuleSets
from komi.policies.policy import distinct_names
from komi.presentation.fields import select, to_json
from komi.simulation.result import Estimate, Simulation

RATES = (0.05, 0.10)  # thresholds for the win rate of a deal's worst seat


def simulation_json(simulation: Simulation) -> dict[str, Any]:
    """Return all statistics, as `komi simulate --json` prints them; lists by seat start with the first to move."""
    contents: dict[str, Any] = {
        **select(simulation, "game", "rules", "seed", "games", "stopped", "actions", "seconds", "games_per_second"),
        "policies": distinct_names(simulation.policies),
        "turns": {
            **to_json(simulation.turns),
            **select(simulation, "still_running", min="fewest_turns", max="most_turns", histogram="turns_histogram"),
        },
        "moves": select(
            simulation, mean="mean_moves", max="most_moves", histogram="moves_histogram", at_least="moves_at_least"
        ),
        "never_acted": select(simulation, any="some_never_acted", seats="never_acted"),
        **_worth(simulation),
    }
    if len(simulation.deal_rates) and simulation.scale.is_chance:
        contents["deals"] = _deals(simulation)
    return contents


def rule_sets_json(result: SimulatedRuleSets, seed: int) -> dict[str, Any]:
    """Return the statistics of many rule sets, as `komi simulate --vary --json` prints them."""
    rows = [
        {**select(simulation, "rules", "games", "turns", "actions"), **_worth(simulation)}
        for simulation in result.simulations
    ]
    unplayed = [{"rules": rules, "reason": str(error)} for rules, error in result.unplayed]
    return {**select(result, "game", "forbidden", "stopped"), "seed": seed, "rows": rows, "unplayed": unplayed}


def _worth(simulation: Simulation) -> dict[str, Any]:
    """Return what play is worth to the seats, by every measure that the game has."""
    worth = _wins(simulation) if simulation.scale.is_opposed else {}
    if not simulation.scale.is_chance:
        worth |= select(simulation, "objective", payoff="payoffs")
        if simulation.scale.is_opposed:
            worth["draw_rate"] = 1.0 - sum(seat.mean for seat in simulation.wins)
    elif simulation.objective:
        worth |= select(simulation, "objective", "value")
    if simulation.lead_changes:
        worth |= select(simulation, "lead_changes")
    if simulation.scores:
        worth |= select(simulation, score="scores")
    return worth


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
