"""Certificates as files: a line with a checksum, and packed JSON.

The fields are described in `docs/certificates.md`; `verify.py` reads them.
"""

import hashlib
import json
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from komi.errors import InputError
from komi.files import check_replaceable, write_atomically
from komi.proof import verify
from komi.rules import loading, source
from komi.rules.game import Game
from komi.typing import Rules

checker: Any = verify  # untyped, for a referee to read

VERSION = 2
SIGNATURE = "komi certificate"

Fields = dict[str, Any]
"""Fields of a certificate, or of a part of it."""


def check_file(file: Path) -> None:
    """Check that a certificate can be written to this file.

    Raises:
        InputError: if the file exists and is not a certificate.
        StorageError: if the file cannot be written.
    """
    check_replaceable(file, SIGNATURE, len(SIGNATURE))


def write_certificate(
    file: Path, game: Game, rules: Rules, policies: Sequence[Fields], claims: Sequence[Fields]
) -> int:
    """Write a certificate; return its size in bytes.

    Args:
        file: the file.
        game: the game, whose rule files are copied.
        rules: its rules.
        policies: the policies that claims are about.
        claims: what is proved, each with its proof.

    Raises:
        InputError: if the game has no rule file.
        StorageError: if the file cannot be written.
    """
    fields = {**rule_fields(game, rules), "policies": policies, "claims": claims}
    packed = zlib.compress(json.dumps(fields, separators=(",", ":")).encode(), 9)
    head = f"{SIGNATURE} {VERSION} {hashlib.sha256(packed).hexdigest()}\n".encode()
    write_atomically(file, lambda draft: draft.write_bytes(head + packed))
    return len(head) + len(packed)


def as_read(fields: Fields) -> Fields:
    """Return fields as the checker reads them: with fractions in place of floats."""
    read: Fields = json.loads(json.dumps(fields), parse_float=checker.decimal)
    return read


def rule_fields(game: Game, rules: Rules) -> Fields:
    """Return the fields of a certificate that define the game: its rules, and the source of their modules by name.

    Raises:
        InputError: if the game has no rule file.
    """
    path = Path(str(getattr(game.module, "__file__", None) or ""))
    if not path.is_file():
        raise InputError(f"{game.name} has no rule file, which a certificate contains.")
    is_built_in = game.module.__name__.startswith(loading.BUILT_IN)
    folder, prefix = (source.GAMES, loading.BUILT_IN) if is_built_in else (path.parent, "")
    names = {each: prefix + _module_name(each.relative_to(folder)) for each in source.with_imports(path)}
    modules = {name: each.read_text(encoding="utf-8") for each, name in names.items()}
    return {"game": game.name, "main": names[path], "modules": modules, "rules": rules._asdict()}


def _module_name(path: Path) -> str:
    parts = path.with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
