"""Certificates to try the checker on: read, changed and written again."""

import hashlib
import json
import zlib
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

from komi.proof import verify as checker
from komi.proof.verification import CHECKER

CLAIM = {
    "seat": 0,
    "endless": None,
    "step": 0,
    "bits": 10,
    "interval": [0, 1024],
    "seats": [],
    "states": [[]],
    "lower": [],
    "gap": [],
}
SPRINT = {"game": "sprint", "main": "sprint", "rules": {}, "policies": []}


def read(file: Path) -> dict[str, Any]:
    """Read the fields of a certificate."""
    fields: dict[str, Any] = json.loads(zlib.decompress(file.read_bytes().partition(b"\n")[2]))
    return fields


def write(file: Path, fields: dict[str, Any], version: int = 2) -> Path:
    """Write fields as a certificate."""
    return write_packed(file, zlib.compress(json.dumps(fields).encode()), version)


def write_packed(file: Path, body: bytes, version: int = 2) -> Path:
    """Write what may not be a certificate with the first line of one."""
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


def change_claim(file: Path, change_fields: Callable[[dict[str, Any]], None]) -> Path:
    """Write a copy of a certificate with some fields of its first claim changed."""
    return change(file, lambda fields: change_fields(fields["claims"][0]))


def with_rules(file: Path, source: str, **fields: Any) -> Path:
    """Write a certificate of a game with this rule file, with one claim.

    Args:
        file: the certificate.
        source: the rule file.
        fields: what differs in the claim from one about the value without stored states; "rules" and "policies" belong
            to the certificate.
    """
    common = {name: fields.pop(name) for name in ("rules", "policies") if name in fields}
    claim = {**CLAIM, "play": [None, None] if "players = 2" in source else [None], **fields}
    claim["seats"] = fields.get("seats", [0] * len(claim["lower"]))
    return write(file, {**SPRINT, "modules": {"sprint": source}, "claims": [claim], **common})


def mutated(old: str, new: str) -> ModuleType:
    """Return the checker with one change."""
    source, program = CHECKER.read_text(), ModuleType("mutated")
    assert old in source
    exec(compile(source.replace(old, new), "mutated", "exec"), program.__dict__)
    return program
