"""The JSON output of the commands that find strategies: `teach` and `approximate`."""

from dataclasses import asdict

from komi.approximating import network_source
from komi.approximating.approximate import Approximation
from komi.presentation.strength_report import strength_json
from komi.teaching import strategy_rendering
from komi.teaching.simulated import preference_policy
from komi.teaching.simulated.teach_by_simulation import SimulatedTeachingResult
from komi.teaching.teach import TeachingResult


def teaching_json(result: TeachingResult) -> dict[str, object]:
    """Return the result as `komi teach --json` prints it."""
    return {
        "game": result.game.name,
        "rules": result.rules._asdict(),
        "strategy": " ".join(result.strategy),
        "numbers": result.numbers,
        **strength_json(result.strength),
        "costliest": asdict(result.costliest) if result.costliest else None,
        "file": str(result.file),
        "policy": f"{result.file}:{strategy_rendering.NAME}",
        "front": [asdict(point) for point in result.front],
        "examples": [asdict(example) for example in result.examples],
        "seconds": asdict(result.seconds),
    }


def simulated_teaching_json(result: SimulatedTeachingResult) -> dict[str, object]:
    """Return the result as `komi teach --json` prints it: as for solved games, None for values that need a solution."""
    return {
        "game": result.game.name,
        "rules": result.rules._asdict(),
        "strategy": " ".join(result.strategy),
        "numbers": result.numbers,
        "objective": result.scale.unit or "chance of winning",
        "first": result.wins[0].mean,
        "second": result.wins[1].mean,
        "wins": [each.mean for each in result.wins],
        "average": result.average.mean,
        "stderr": result.average.stderr,
        "loss": None,
        "worst_case": None,
        "against": {
            name: {"average": won.mean, "stderr": won.stderr, "in_its_place": other.mean}
            for name, won, other in zip(result.rivals, result.against, result.in_its_place, strict=True)
        },
        "deals": result.deals,
        "file": str(result.file),
        "policy": f"{result.file}:{preference_policy.NAME}",
        "front": [
            {
                "numbers": point.numbers,
                "average": point.average.mean,
                "stderr": point.average.stderr,
                "strategy": point.strategy,
            }
            for point in result.front
        ],
    }


def approximation_json(result: Approximation) -> dict[str, object]:
    """Return the result as `komi approximate --json` prints it."""
    return {
        "game": result.game.name,
        "rules": result.rules._asdict(),
        "weights": result.network.weights,
        "bytes": result.size,
        **strength_json(result.strength),
        "file": str(result.file),
        "policy": f"{result.file}:{network_source.NAME}",
    }
