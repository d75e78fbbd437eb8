"""The explanation of action values, as the API sends it."""

from collections.abc import Mapping, Sequence

from komi.play.reasons import Reason
from komi.web import models


def parts_told(reasons: Mapping[str, Sequence[Reason]]) -> dict[str, list[models.Part]]:
    """Convert the groups of outcomes of each action to response models."""
    return {label: [models.Part(**vars(part)) for part in parts] for label, parts in reasons.items()}
