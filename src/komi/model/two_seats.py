"""Two seats of whom one gets one minus what the other gets: what passing the turn makes of values and weights."""

from typing import Any


def to_mover(worth: Any, passes: Any) -> Any:
    """What the player to move gets if the one who moves after so many passes of the turn gets this."""
    return 1.0 - worth if passes & 1 else worth


def as_sum(probability: float, passes: int) -> tuple[float, float]:
    """An outcome as (constant, weight): to the player to move it counts constant + weight * the value of what follows.

    After an odd number of passes that is probability * (1 - value). The seat is then in the sign of the weight, so that
    a backup is one sum of products.
    """
    if passes & 1:
        return probability, -probability
    return 0.0, probability
