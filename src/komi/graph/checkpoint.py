"""Checkpoints of a long solve, from which it resumes if it is killed.

A checkpoint is a folder in the cache, named by a hash of all that the values depend on. Each of its entries is a folder
of its own, written under a temporary name and renamed when complete: plain numbers with checksums, and arrays.
"""

import json
import shutil
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from komi.cache import remove
from komi.graph import storage
from komi.graph.state_sets import StateSet
from komi.jit.cache_keys import fingerprint, folder
from komi.rules.compiled import CompiledGame
from komi.syntax import PARSER_LOCK
from komi.typing import Rules

FACTS = "facts.json"


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
        try:
            facts, states, _ = storage.find(self._folder / "states")
        except storage.DAMAGE:
            return None
        return facts, states._replace(keys=np.array(states.keys), ranks=np.array(states.ranks))

    def keep_states(self, facts: dict[str, Any], states: StateSet) -> None:
        """Store the states and their counts.

        Raises:
            StorageError: if they cannot be written.
        """
        self._folder.mkdir(parents=True, exist_ok=True)
        storage.keep(self._folder / "states", facts, states, {})

    def load(self, name: str) -> tuple[dict[str, Any], dict[str, NDArray[Any]]] | None:
        """Load the numbers and the arrays of an entry; return None if they are missing or damaged."""
        path = self._folder / name
        try:
            facts = json.loads((path / FACTS).read_text())
            if any(storage.checksum(path / file) != each for file, each in facts["checksums"].items()):
                return None
            with PARSER_LOCK:
                arrays = {Path(file).stem: np.load(path / file, mmap_mode="r") for file in facts["checksums"]}
        except storage.DAMAGE:
            return None
        return facts, arrays

    def keep(self, name: str, facts: dict[str, Any], **arrays: NDArray[Any]) -> None:
        """Store numbers and arrays as an entry, and replace an existing one.

        Raises:
            StorageError: if they cannot be written.
        """
        path = self._folder / name
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            draft = Path(tempfile.mkdtemp(prefix=storage.DRAFT, dir=self._folder))
        except OSError as error:
            raise storage.unwritable(path, error) from None
        try:
            for each, array in arrays.items():
                np.save(draft / f"{each}.npy", array)
            checksums = {f"{each}.npy": storage.checksum(draft / f"{each}.npy") for each in arrays}
            (draft / FACTS).write_text(json.dumps(facts | {"checksums": checksums}))
            remove(path)
            draft.replace(path)
        except OSError as error:
            if not path.exists():  # another process may have stored the same entry just now
                raise storage.unwritable(path, error) from None
        finally:
            shutil.rmtree(draft, ignore_errors=True)

    def drop(self, name: str) -> None:
        """Remove an entry."""
        shutil.rmtree(self._folder / name, ignore_errors=True)


def clear(compiled: CompiledGame, rules: Rules) -> None:
    """Remove all checkpoints of a game under these rules; finished solutions are kept."""
    shutil.rmtree(_folder(compiled, rules), ignore_errors=True)


def _folder(compiled: CompiledGame, rules: Rules) -> Path:
    mark = fingerprint(compiled.fingerprint, repr(tuple(rules)), str(storage.FORMAT))
    return folder("unfinished", f"{compiled.game.name}-{mark}")
