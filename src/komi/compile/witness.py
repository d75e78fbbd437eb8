"""What a kernel that stops early tells of where it was."""

from typing import Any


def note(state: Any, action: int, witness: Any) -> None:
    """Write the fields of the state, and then the action, into an array."""
    for i in range(len(state)):
        witness[i] = state[i]
    witness[len(state)] = action
