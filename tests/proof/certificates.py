"""Certificates to try the checker on: read, changed and written again."""

import hashlib
import json
import zlib
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

from komi.proof import verify as checker

SPRINT = {
    "kind": "values",
    "game": "sprint",
    "main": "sprint",
    "rules": {},
    "bits": 10,
    "claim": [0, 1024],
    "states": [[]],
    "lower": [],
    "gap": [],
}


def read(file: Path) -> dict[str, Any]:
    """Read the fields of a certificate."""
    fields: dict[str, Any] = json.loads(zlib.decompress(file.read_bytes().partition(b"\n")[2]))
    return fields


def write(file: Path, fields: dict[str, Any], version: int = 1) -> Path:
    """Write fields as a certificate."""
    body = zlib.compress(json.dumps(fields).encode())
    file.write_bytes(f"komi certificate {version} {hashlib.sha256(body).hexdigest()}\n".encode() + body)
    return file


def change(file: Path, change_fields: Callable[[dict[str, Any]], None]) -> Path:
    """Write a copy of a certificate with some fields changed."""
    fields = read(file)
    change_fields(fields)
    return write(file.with_suffix(".changed"), fields)


def check(file: Path, program: ModuleType = checker, max_states: int = 1_000_000) -> tuple[dict[str, Any], int]:
    """Return the result of the checker, run in this process, and its exit status."""
    result: tuple[dict[str, Any], int] = program.verify(file, max_states)
    return result


def with_rules(file: Path, source: str, **fields: Any) -> Path:
    """Write a certificate without stored states of a game with this rule file."""
    return write(file, {**SPRINT, "modules": {"sprint": source}, **fields})
