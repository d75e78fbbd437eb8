"""Models in the unified Markov binary format (UMB), which Storm, PRISM, Modest and stormvogel read.

An archive of `index.json` and little-endian arrays: https://github.com/pmc-tools/umb, version 1.0 of the format. Each
probability is a rational number, a signed numerator and an unsigned denominator of equal size.
"""

import io
import json
import tarfile
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from komi import __version__
from komi.arrays import I64, Flags
from komi.exporting.markov_model import REWARD, MarkovModel

UNIT = 64  # bits of a numerator or denominator, or a multiple of it


def umb(model: MarkovModel, name: str, description: str) -> bytes:
    """Write a model as a UMB archive.

    Args:
        model: the model.
        name: the name of the game.
        description: what the file is about.
    """
    rationals, bits = _rationals(model.numbers)
    number = {"type": "rational", "size": bits}
    variables, valuations = encode_valuations(model.variables)
    files: dict[str, NDArray[Any] | bytes] = {
        "state-is-initial.bin": _bitset(np.arange(model.states) == 0),
        "state-to-choices.bin": _csr(model.choice_ends),
        "choice-to-branches.bin": _csr(model.branch_ends),
        "branch-to-target.bin": model.target.astype("<u8"),
        "branch-to-probability.bin": rationals[model.probability],
        "actions/choices/values.bin": model.action.astype("<u4"),
        f"annotations/rewards/{REWARD}/choices/values.bin": rationals[model.reward],
        "valuations/states/valuations.bin": valuations,
    }
    labels = [label.encode() for label in model.actions]
    files["actions/choices/string-mapping.bin"] = _csr(np.cumsum([len(label) for label in labels]))
    files["actions/choices/strings.bin"] = b"".join(labels)
    for label, states in model.labels.items():
        files[f"annotations/aps/{label}/states/values.bin"] = _bitset(states)
    if len(model.seats) > 1:
        files["state-to-player.bin"] = model.player.astype("<u4")
    index = {
        "format-version": 1,
        "format-revision": 0,
        "model-data": {"name": name, "description": description},
        "file-data": {"tool": "komi", "tool-version": __version__},
        "transition-system": {
            "time": "discrete",
            "#players": len(model.seats),
            "#states": model.states,
            "#initial-states": 1,
            "#choices": len(model.branch_ends),
            "#choice-actions": len(labels),
            "#branches": len(model.target),
            "#branch-actions": 0,
            "#observations": 0,
            "branch-probability-type": number,
            **({"player-names": list(model.seats)} if model.seats else {}),
        },
        "annotations": {
            "aps": {
                label: {"alias": label, "applies-to": ["states"], "type": {"type": "bool", "size": 1}}
                for label in model.labels
            },
            "rewards": {REWARD: {"alias": REWARD, "applies-to": ["choices"], "type": number}},
        },
        "valuations": {"states": {"unique": True, "classes": [{"variables": variables}]}},
    }
    return _archive({"index.json": json.dumps(index, indent=2).encode()} | files)


def _rationals(numbers: Sequence[Fraction]) -> tuple[NDArray[np.void], int]:
    """Encode numbers; return an array of their bytes, and the bits of each."""
    longest = max(max(number.numerator.bit_length() + 1, number.denominator.bit_length()) for number in numbers)
    half = -(-longest // UNIT) * UNIT // 8
    encoded = b"".join(
        number.numerator.to_bytes(half, "little", signed=True) + number.denominator.to_bytes(half, "little")
        for number in numbers
    )
    return np.frombuffer(encoded, f"V{2 * half}"), 16 * half


def encode_valuations(variables: dict[str, I64]) -> tuple[list[dict[str, Any]], NDArray[Any]]:
    """Encode the variables of all states as a packed structure; return its description, and the states."""
    types = {
        name: np.min_scalar_type(min(int(values.min()), -int(values.max()) - 1, -1))  # the least signed integer type
        for name, values in variables.items()
    }
    packed = np.empty(
        len(next(iter(variables.values()))), [(name, each.newbyteorder("<")) for name, each in types.items()]
    )
    description = []
    for name, values in variables.items():
        packed[name] = values
        description.append({"name": name, "type": {"type": "int", "size": 8 * types[name].itemsize}})
    return description, packed


def _csr(ends: I64) -> NDArray[Any]:
    return np.concatenate([[0], ends]).astype("<u8")


def _bitset(values: Flags) -> bytes:
    packed = np.packbits(values, bitorder="little").tobytes()
    return packed + bytes(-len(packed) % 8)


def _archive(files: dict[str, Any]) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name, content in files.items():
            data = content if isinstance(content, bytes) else content.tobytes()
            member = tarfile.TarInfo(name)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    return buffer.getvalue()
