"""The JSON output of the commands that find strategies: `teach` and `approximate`."""

from komi.approximating import network_source
from komi.approximating.approximate import Approximation
from komi.presentation.fields import select
from komi.presentation.strength_report import strength_json
from komi.teaching import strategy_rendering
from komi.teaching.simulated.teach_by_simulation import SimulatedTeachingResult
from komi.teaching.teach import TeachingResult


def teaching_json(result: TeachingResult) -> dict[str, object]:
    """Return the result as `komi teach --json` prints it."""
    return {
        **select(result, "game", "rules", "numbers", "costliest", "file", "front", "examples", "seconds"),
        **strength_json(result.strength),
        "strategy": " ".join(result.strategy),
        "policy": f"{result.file}:{strategy_rendering.NAME}",
    }


def simulated_teaching_json(result: SimulatedTeachingResult) -> dict[str, object]:
    """Return the result as `komi teach --json` prints it: as for solved games, None for values that need a solution."""
    wins = [each.mean for each in result.wins]
    return {
        **select(result, "game", "rules", "numbers", "deals", "file", average="average.mean", stderr="average.stderr"),
        "strategy": " ".join(result.strategy),
        "objective": result.scale.unit or "chance of winning",
        "first": wins[0],
        "second": wins[1],
        "wins": wins,
        "loss": None,
        "worst_case": None,
        "against": {
            name: {**select(won, "stderr", average="mean"), "in_its_place": other.mean}
            for name, won, other in zip(result.rivals, result.against, result.in_its_place, strict=True)
        },
        "policy": f"{result.file}:{strategy_rendering.NAME}",
        "front": [
            select(point, "numbers", "strategy", average="average.mean", stderr="average.stderr")
            for point in result.front
        ],
    }


def approximation_json(result: Approximation) -> dict[str, object]:
    """Return the result as `komi approximate --json` prints it."""
    return {
        **select(result, "game", "rules", "file", weights="network.weights", bytes="size"),
        **strength_json(result.strength),
        "policy": f"{result.file}:{network_source.NAME}",
    }
