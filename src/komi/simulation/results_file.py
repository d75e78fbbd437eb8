"""The results file of a simulation: saved sums, from which it can be resumed.

One `.npz` archive with the sums of a `Tally`, the parameters of the simulation as JSON, and a checksum of all that. It
is written under another name and renamed, so that an existing file is always complete.
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
from komi.files import check_writable, write_atomically
from komi.quoting import escaped
from komi.simulation.tally import Tally

DIFFERENCES = {
    "version": "another version of komi ({kept})",
    "game": "another game ({kept})",
    "rules": "other rules ({kept})",
    "policies": "other policies ({kept})",
    "seed": "another seed ({kept})",
    "per_deal": "{kept} games per deal",
    "files": "other rule or policy files, or another engine",  # last, because these change with the policies as well
}


def load(path: Path, header: dict[str, Any]) -> tuple[Tally, int, float] | None:
    """Return (the tally, deals per block, elapsed seconds) if the file exists, else None.

    Raises:
        InputError: if it is not a results file, is damaged, or belongs to another simulation than `header` describes.
        StorageError: if no file can be written there.
    """
    if not path.exists():
        check_writable(path)
        return None
    try:
        kept = _read(path)
        of = json.loads(str(kept["header"]))
        tally, block, seconds = Tally.from_arrays(kept), int(kept["block"]), float(kept["seconds"])
    except Exception:  # numpy and zipfile raise errors of many kinds for damaged archives
        raise InputError(
            f"{path} is not a results file of a simulation, or is damaged: "
            "name another file, or remove this one; it was not changed."
        ) from None
    for key, words in DIFFERENCES.items():
        if of.get(key) != header[key]:
            difference = words.format(kept=_written(of.get(key)))
            raise InputError(
                f"{path} belongs to {difference}: name another file, or remove this one; it was not changed."
            )
    return tally, block, seconds


def save(path: Path, header: dict[str, Any], tally: Tally, block: int, seconds: float) -> None:
    """Save the tally.

    Raises:
        StorageError: if it cannot be written; the previous file remains.
    """
    plain = {"header": json.dumps(header), "block": block, "seconds": seconds, **tally.to_arrays()}
    arrays = {name: np.asarray(each) for name, each in plain.items()}

    def write(draft: Path) -> None:
        with draft.open("wb") as file:
            np.savez(file, allow_pickle=False, checksum=_checksum(arrays), **arrays)

    write_atomically(path, write, "the previous file is unchanged")


def version() -> str:
    """Return the version of komi that a results file belongs to."""
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
        return escaped(", ".join(f"{name}={value}" for name, value in kept.items()))
    return escaped(", ".join(map(str, kept)) if isinstance(kept, list) else kept)
