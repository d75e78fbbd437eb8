"""Checkpoints of a long solve, from which it resumes if it is killed.

A checkpoint is a folder in the cache, named by a hash of all that the values depend on. Each of its entries is a folder
that is stored as a solution is (`komi.graph.storage`).
"""

import shutil
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from komi.cache import folder
from komi.compiling.compiled import CompiledGame
from komi.graph import storage
from komi.graph.state_sets import StateSet
from komi.jit.cache_keys import fingerprint
from komi.typing import Rules


class Checkpoint:
    """The checkpoint of one solve.

    Args:
        compiled, rules: the game.
        marks: all else that the values depend on.
    """

    def __init__(self, compiled: CompiledGame, rules: Rules, *marks: Any) -> None:
        self._folder = _folder(compiled, rules) / fingerprint(repr(marks))

    def load_states(self) -> tuple[dict[str, Any], StateSet] | None:
        """Load the counts and the states into memory; return None if they are not stored."""
        found = self._find("states")
        if found is None:
            return None
        facts, states, _ = found
        return facts, states._replace(keys=np.array(states.keys), ranks=np.array(states.ranks))

    def keep_states(self, facts: dict[str, Any], states: StateSet) -> None:
        """Store the states and their counts.

        Raises:
            StorageError: if they cannot be written.
        """
        storage.keep(self._folder / "states", facts, {}, states)

    def load(self, name: str) -> tuple[dict[str, Any], dict[str, NDArray[Any]]] | None:
        """Load the numbers and the arrays of an entry; return None if they are missing or damaged."""
        found = self._find(name)
        return found and (found[0], found[2])

    def keep(self, name: str, facts: dict[str, Any], **arrays: NDArray[Any]) -> None:
        """Store numbers and arrays as an entry, and replace an existing one.

        Raises:
            StorageError: if they cannot be written.
        """
        storage.keep(self._folder / name, facts, arrays)

    def _find(self, name: str) -> tuple[dict[str, Any], Any, dict[str, NDArray[Any]]] | None:
        with suppress(*storage.DAMAGE):
            return storage.find(self._folder / name)
        return None

    def drop(self, name: str) -> None:
        """Remove an entry."""
        shutil.rmtree(self._folder / name, ignore_errors=True)


def clear(compiled: CompiledGame, rules: Rules) -> None:
    """Remove all checkpoints of a game under these rules; finished solutions are kept."""
    shutil.rmtree(_folder(compiled, rules), ignore_errors=True)


def _folder(compiled: CompiledGame, rules: Rules) -> Path:
    cache_key = fingerprint(compiled.fingerprint, repr(tuple(rules)), str(storage.FORMAT))
    return folder("unfinished", f"{compiled.game.name}-{cache_key}")
