"""Rule files that are generated from those of another game, in folders of the cache."""

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from komi import cache
from komi.rules.game import Game
from komi.rules.tuple_fields import tuple_fields
from komi.rules.vocabulary import description


def write(name: str, files: Mapping[Path, bytes]) -> Path:
    """Write files to a folder of the cache, and return its path.

    Args:
        name: the beginning of the folder's name; a digest of the files follows.
        files: paths in this folder, and contents.

    Raises:
        StorageError: if a file cannot be written.
    """
    digest = hashlib.blake2b(digest_size=12)
    for path, contents in sorted(files.items()):
        digest.update(hashlib.blake2b(str(path).encode()).digest() + hashlib.blake2b(contents).digest())
    folder = cache.root() / "derived" / f"{name}-{digest.hexdigest()}"
    for path, contents in files.items():
        cache.put(folder / path, contents)
    return folder


def field_lines(game: Game, of: str, defaults: Mapping[str, Any]) -> str:
    """Generate the lines that declare the fields of `Rules` or `State`, with the comments of the original game.

    Args:
        game: the original game.
        of: "Rules" or "State".
        defaults: the names of the fields, and their defaults; None for a field without one.
    """
    lines = []
    tuples = tuple_fields(game.module)
    for name, default in defaults.items():
        value = "" if default is None else f" = {default!r}"
        kind = ("tuple[int, ...]" if name in tuples else "int") if of == "State" else type(default).__name__
        comment = description(game, name, of)
        lines.append(f"    {name}: {kind}{value}" + (f"  # {comment}" if comment else ""))
    return "\n".join(lines)
