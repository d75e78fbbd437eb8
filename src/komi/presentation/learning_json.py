"""The JSON output of `komi learn`."""

from collections.abc import Sequence
from dataclasses import asdict

from komi.learning.learn import Learned


def learning_json(results: Sequence[Learned]) -> dict[str, object]:
    """Return one result, or a list of results of several methods, as `komi learn --json` prints them."""
    first = results[0]
    about: dict[str, object] = {"game": first.game.name, "rules": first.rules._asdict()}
    if len(results) == 1:
        return about | _method_json(first)
    return about | {"methods": [_method_json(each) for each in results]}


def _method_json(learned: Learned) -> dict[str, object]:
    return {
        "method": learned.method,
        "games": learned.games,
        "updates": learned.updates,
        "seconds": learned.seconds,
        "loss": learned.loss,
        "worst_case": learned.worst_case,
        "value_error": learned.curve[-1].value_error,
        "bytes": learned.size,
        "curve": [asdict(point) for point in learned.curve],
        "file": str(learned.file) if learned.file else None,
    }
