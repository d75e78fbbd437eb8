"""Certificates as files: a line with a checksum, and packed JSON.

The fields are described in `docs/certificates.md`; `verify.py` reads them.
"""

import hashlib
import json
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from komi.errors import InputError
from komi.files import check_replaceable, write_atomically
from komi.game import Game
from komi.rules import catalog, source
from komi.typing import Rules

VERSION = 1
SIGNATURE = "komi certificate"


def check_file(file: Path) -> None:
    """Check that a certificate can be written to this file.

    Raises:
        InputError: if the file exists and is no certificate.
        StorageError: if the file cannot be written.
    """
    check_replaceable(file, SIGNATURE, len(SIGNATURE))


def write_certificate(file: Path, kind: str, game: Game, rules: Rules, proof: Mapping[str, Any]) -> int:
    """Write a certificate; return its size in bytes.

    Args:
        file: the file.
        kind: the kind of proof, which selects the theorem.
        game: the game, whose rule files are copied.
        rules: its rules.
        proof: the other fields of the file.

    Raises:
        InputError: if the game has no rule file.
        StorageError: if the file cannot be written.
    """
    main, modules = rule_modules(game)
    fields = {
        "kind": kind, "game": game.name, "main": main, "modules": modules, "rules": rules._asdict(), **proof
    }  # fmt: skip
    packed = zlib.compress(json.dumps(fields, separators=(",", ":")).encode(), 9)
    head = f"{SIGNATURE} {VERSION} {hashlib.sha256(packed).hexdigest()}\n".encode()
    write_atomically(file, lambda draft: draft.write_bytes(head + packed))
    return len(head) + len(packed)


def rule_modules(game: Game) -> tuple[str, dict[str, str]]:
    """Return the name of the module of the rules, and the source of all modules that it imports, by name.

    Raises:
        InputError: if the game has no rule file.
    """
    path = Path(str(getattr(game.module, "__file__", None) or ""))
    if not path.is_file():
        raise InputError(f"{game.name} has no rule file, which a certificate contains.")
    is_built_in = game.module.__name__.startswith(catalog.BUILT_IN)
    folder, prefix = (source.GAMES, catalog.BUILT_IN) if is_built_in else (path.parent, "")
    names = {each: prefix + _module_name(each.relative_to(folder)) for each in source.with_imports(path)}
    return names[path], {name: each.read_text() for each, name in names.items()}


def _module_name(path: Path) -> str:
    parts = path.with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
