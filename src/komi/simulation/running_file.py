"""The running file: what was played so far, kept so that a simulation can go on where it was stopped.

One `.npz` archive with the sums of a `Tally`, what it is a simulation of as JSON, and a checksum of all that. It is
written under another name and renamed, so that one which is there is whole.
"""

import hashlib
import io
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import komi
from komi.errors import InputError
from komi.files import check_place, write_whole
from komi.simulation.tally import Tally

WORDS = {
    "version": "another version of komi ({kept})",
    "game": "another game ({kept})",
    "rules": "other rules ({kept})",
    "policies": "other policies ({kept})",
    "seed": "another seed ({kept})",
    "per_deal": "{kept} games of each deal",
    "files": "other rule or policy files, or another engine",  # last: these change with the policies too
}


def load(path: Path, header: dict[str, Any]) -> tuple[Tally, int, float] | None:
    """(what was played, deals in a block, seconds it took) if the file is there.

    Raises:
        InputError: if it is no running file, is damaged, or is of something else than `header` says.
        StorageError: if none can be written there.
    """
    if not path.exists():
        check_place(path)
        return None
    try:
        kept = _read(path)
        of = json.loads(str(kept["header"]))
        tally, block, seconds = Tally.of_arrays(kept), int(kept["block"]), float(kept["seconds"])
    except Exception:  # of damaged archives numpy and zipfile raise errors of many kinds
        raise InputError(
            f"{path} is no running file of a simulation, or is damaged: "
            "name another file, or remove it; nothing was written to it."
        ) from None
    for key, words in WORDS.items():
        if of.get(key) != header[key]:
            what = words.format(kept=_written(of.get(key)))
            raise InputError(f"{path} is of {what}: name another file, or remove it; nothing was written to it.")
    return tally, block, seconds


def save(path: Path, header: dict[str, Any], tally: Tally, block: int, seconds: float) -> None:
    """Keep what was played.

    Raises:
        StorageError: if it cannot be written; what was kept before is still there.
    """

    plain = {"header": json.dumps(header), "block": block, "seconds": seconds, **tally.arrays()}
    arrays = {name: np.asarray(each) for name, each in plain.items()}

    def write(draft: Path) -> None:
        with draft.open("wb") as file:
            np.savez(file, allow_pickle=False, checksum=_checksum(arrays), **arrays)

    write_whole(path, write, "what was there before still is")


def version() -> str:
    """The version that a running file belongs to."""
    return komi.__version__


def _read(path: Path) -> dict[str, NDArray[Any]]:
    with np.load(io.BytesIO(path.read_bytes()), allow_pickle=False) as archive:
        arrays = {name: archive[name] for name in archive.files}
    if arrays.pop("checksum") != _checksum(arrays):
        raise ValueError(f"damaged: {path}")
    return arrays


def _checksum(arrays: Mapping[str, NDArray[Any]]) -> str:
    """Return a digest of all arrays, with their names, types and shapes."""
    digest = hashlib.blake2b(digest_size=16)
    for name, array in sorted(arrays.items()):
        digest.update(f"{name} {array.dtype} {array.shape} ".encode())
        digest.update(array.tobytes())
    return digest.hexdigest()


def _written(kept: Any) -> str:
    if isinstance(kept, dict):
        return ", ".join(f"{name}={value}" for name, value in kept.items())
    return ", ".join(kept) if isinstance(kept, list) else str(kept)
