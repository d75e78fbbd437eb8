"""Why actions are worth what they are, as it is told to the page."""

from collections.abc import Mapping, Sequence

from komi.play.reasons import Part
from komi.web import models


def parts_told(reasons: Mapping[str, Sequence[Part]]) -> dict[str, list[models.Part]]:
    """The parts of each action."""
    return {label: [models.Part(**vars(part)) for part in parts] for label, parts in reasons.items()}
