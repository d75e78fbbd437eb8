"""Witness of a kernel that stops early: the state and the action at which it stopped."""

from typing import Any


def note(state: Any, action: int, witness: Any) -> None:
    """Write the fields of the state, then the action, into an array."""
    for i in range(len(state)):
        witness[i] = state[i]
    witness[len(state)] = action
