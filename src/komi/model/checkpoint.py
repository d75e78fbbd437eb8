"""What a long solve keeps while it is under way, so that it goes on where it was if it is killed.

A checkpoint is a folder in the cache, named for all that the values depend on. Each thing kept in it is a folder
of its own, written under another name and renamed when complete: plain numbers with checksums, and arrays.
"""

import json
import shutil
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from komi.cache import remove
from komi.compile.cache import fingerprint, folder
from komi.compile.compiled import CompiledGame
from komi.model import storage
from komi.model.states import StateSet
from komi.syntax import ALONE

FACTS = "facts.json"


class Checkpoint:
    """The checkpoint of one solve.

    Args:
        compiled, rules: the game.
        marks: what else the values depend on.
    """

    def __init__(self, compiled: CompiledGame, rules: Any, *marks: Any) -> None:
        self._folder = _folder(compiled, rules) / fingerprint(repr(marks))

    def load_states(self) -> tuple[dict[str, Any], StateSet] | None:
        """What was counted of the states, and the states, both in memory, if they are kept."""
        try:
            facts, states, _ = storage.find(self._folder / "states")
        except storage.DAMAGE:
            return None
        return facts, states._replace(keys=np.array(states.keys), ranks=np.array(states.ranks))

    def keep_states(self, facts: dict[str, Any], states: StateSet) -> None:
        """Keep the states.

        Raises:
            StorageError: if they cannot be written.
        """
        self._folder.mkdir(parents=True, exist_ok=True)
        storage.keep(self._folder / "states", facts, states, {})

    def load(self, name: str) -> tuple[dict[str, Any], dict[str, NDArray[Any]]] | None:
        """The numbers and the arrays that are kept under a name; None if there are none, or they are damaged."""
        path = self._folder / name
        try:
            facts = json.loads((path / FACTS).read_text())
            if any(storage.checksum(path / file) != each for file, each in facts["checksums"].items()):
                return None
            with ALONE:
                arrays = {Path(file).stem: np.load(path / file, mmap_mode="r") for file in facts["checksums"]}
        except storage.DAMAGE:
            return None
        return facts, arrays

    def keep(self, name: str, facts: dict[str, Any], **arrays: NDArray[Any]) -> None:
        """Keep numbers and arrays under a name, in place of what was kept there.

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
            if not path.exists():  # another process may have kept the same just now
                raise storage.unwritable(path, error) from None
        finally:
            shutil.rmtree(draft, ignore_errors=True)

    def drop(self, name: str) -> None:
        """Keep nothing under this name any more."""
        shutil.rmtree(self._folder / name, ignore_errors=True)


def clear(compiled: CompiledGame, rules: Any) -> None:
    """Remove all checkpoints of a game under these rules: what they led to is kept."""
    shutil.rmtree(_folder(compiled, rules), ignore_errors=True)


def _folder(compiled: CompiledGame, rules: Any) -> Path:
    mark = fingerprint(compiled.fingerprint, repr(tuple(rules)), str(storage.FORMAT))
    return folder("unfinished", f"{compiled.game.name}-{mark}")
