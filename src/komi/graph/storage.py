"""Solutions stored on disk, with checksums that detect damage.

A solution is a folder whose name is a hash of all that it depends on, including the method. It contains `header.json`,
with its own name, plain numbers, and a checksum of each other file: the set of states (`keys.npy`, and `ranks.npy` if
it is sparse) and the arrays of the solution data. It is written under a temporary name and renamed when complete, so
that a folder with the final name is complete; the checksums detect later damage.
"""

import contextlib
import json
import shutil
import tempfile
import time
import zlib
from dataclasses import fields
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from komi.cache import folder, remove
from komi.compiling.compiled import CompiledGame
from komi.compiling.packing import Layout
from komi.errors import StorageError
from komi.graph.eviction import make_room, mark_used
from komi.graph.state_sets import StateSet
from komi.jit.cache_keys import fingerprint
from komi.syntax import PARSER_LOCK
from komi.typing import Rules

FORMAT = 6  # raise it when the arrays of a solution change: stored ones are then solved again
KIND = "solutions"
Record = TypeVar("Record")
DRAFT = ".draft-"
ABANDONED = 3600  # seconds after which no process writes to a draft any more
READ_AT_ONCE = 1 << 20  # bytes: a whole file in one read would count as memory of this process
DAMAGE = (OSError, ValueError, KeyError, TypeError, EOFError)
"""The errors that reading a missing or damaged solution can raise."""


def path_of(compiled: CompiledGame, rules: Rules, method: str) -> Path:
    """Return the folder of the solution of these rules by a method, whether it exists or not."""
    cache_key = fingerprint(compiled.fingerprint, repr(tuple(rules)), method, str(FORMAT))
    return folder(KIND, f"{compiled.game.name}-{method}-{cache_key}")


def load(path: Path, record: type[Record]) -> Record | None:
    """Load a solution, its arrays mapped into memory, or return None if it is missing or damaged.

    Args:
        path: its folder.
        record: its class, a dataclass of a `StateSet`, arrays with an entry for each state, and plain numbers.
    """
    try:
        names = [each.name for each in fields(record)]  # type: ignore[arg-type]
        facts, states, arrays = find(path)
        mark_used(path)
        contents = {"states": states, **arrays, **facts}
        return record(**{name: contents[name] for name in names})
    except DAMAGE:
        return None


def save(path: Path, record: Any) -> None:
    """Save a solution, and replace an existing one.

    Raises:
        StorageError: if it cannot be written; no partial file is left.
    """
    contents = {each.name: getattr(record, each.name) for each in fields(record)}
    states = contents.pop("states")
    arrays = {name: value for name, value in contents.items() if isinstance(value, np.ndarray)}
    facts = {name: value for name, value in contents.items() if name not in arrays}
    keep(path, facts, arrays, states)
    make_room(path)


def find(path: Path) -> tuple[dict[str, Any], StateSet | None, dict[str, NDArray[Any]]]:
    """Read the numbers, the states, if there are any, and the arrays of a folder, mapped into memory.

    Raises:
        OSError, ValueError, KeyError, TypeError, EOFError: if there are none, or one is damaged, or they belong to
            another solution; see `DAMAGE`.
    """
    header = json.loads((path / "header.json").read_text())
    if header["checksum"] != _header_checksum(header) or header["name"] != path.name:
        raise ValueError(f"damaged: {path}")
    files = {name: path / f"{name}.npy" for name in header["checksums"]}
    if any(_checksum(file) != header["checksums"][name] for name, file in files.items()):
        raise ValueError(f"damaged: {path}")
    with PARSER_LOCK:
        arrays = {name: np.load(file, mmap_mode="r") for name, file in files.items()}
    if "layout" not in header:
        return header["facts"], None, arrays
    layout, keys = Layout(*map(tuple, header["layout"])), arrays.pop("keys")
    if header["dense"]:
        return header["facts"], StateSet.from_bits(layout, keys), arrays
    return header["facts"], StateSet(layout, keys, arrays.pop("ranks")), arrays


def keep(path: Path, facts: dict[str, Any], arrays: dict[str, NDArray[Any]], states: StateSet | None = None) -> None:
    """Store plain numbers, arrays and states in a folder, and replace existing ones.

    Raises:
        StorageError: if they cannot be written; no partial file is left.
    """
    about: dict[str, Any] = {"name": path.name}
    if states is not None:
        arrays = {"keys": states.keys} | ({} if states.is_dense else {"ranks": states.ranks}) | arrays
        about |= {"states": states.size, "layout": states.layout, "dense": states.is_dense}
    _throw_away_drafts(path.parent)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        draft = Path(tempfile.mkdtemp(prefix=DRAFT, dir=path.parent))
    except OSError as error:
        raise _unwritable(path, error) from None
    try:
        for name, array in arrays.items():
            np.save(draft / f"{name}.npy", array)
        checksums = {name: _checksum(draft / f"{name}.npy") for name in arrays}
        header = {"format": FORMAT, "facts": facts, **about, "checksums": checksums}
        (draft / "header.json").write_text(json.dumps(header | {"checksum": _header_checksum(header)}))
        remove(path)
        draft.replace(path)
    except OSError as error:
        if not path.exists():  # another process may have stored the same solution just now
            raise _unwritable(path, error) from None
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def _throw_away_drafts(among: Path) -> None:
    """Remove drafts of processes that were killed while writing; younger ones may still be written to."""
    for draft in among.glob(f"{DRAFT}*"):
        with contextlib.suppress(OSError):
            if time.time() - draft.stat().st_mtime > ABANDONED:
                shutil.rmtree(draft, ignore_errors=True)


def _checksum(path: Path) -> int:
    """Compute the CRC-32 of a whole file, including the header with the array's type and shape."""
    total = 0
    with path.open("rb") as file:
        while part := file.read(READ_AT_ONCE):
            total = zlib.crc32(part, total)
    return total


def _header_checksum(header: dict[str, Any]) -> int:
    rest = {name: entry for name, entry in header.items() if name != "checksum"}
    return zlib.crc32(json.dumps(rest, sort_keys=True).encode())


def _unwritable(path: Path, error: OSError) -> StorageError:
    """Create the error for a solution that cannot be written."""
    return StorageError(
        f"cannot keep the solution in {path.parent} ({error.strerror or error}): "
        "free some disk space, or set KOMI_CACHE_DIR to another folder."
    )
