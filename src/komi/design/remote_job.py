"""The solution of openings as work that can travel to another machine: it takes the game's files along."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from komi import catalog, source
from komi.compile.cache import folder
from komi.compile.compiled import CompiledGame
from komi.design.openings import Opening, check_kind, solve_openings
from komi.errors import StorageError
from komi.progress import Progress

RuleSets = tuple[tuple[Any, ...], ...]
"""Rule sets that one solution holds for, their numbers only."""


class RemoteJob:
    """Solves the openings of one game, here or wherever it is sent."""

    def __init__(self, compiled: CompiledGame) -> None:
        self._compiled = compiled

    def __call__(self, rule_sets: RuleSets, progress: Progress) -> list[Opening]:
        """The openings under rule sets that one solution holds for, on one core."""
        game = self._compiled.game
        rules = [game.module.Rules(*numbers) for numbers in rule_sets]
        check_kind(game, rules[0])
        return solve_openings(self._compiled, rules, progress, side_by_side=False)

    def __reduce__(self) -> tuple[Any, ...]:
        game = self._compiled.game
        if game.module.__name__.startswith(catalog.BUILT_IN):
            return _named, (game.name,)
        home = game.file.parent
        files = {str(path.relative_to(home)): path.read_bytes() for path in source.files(game.module)}
        return _arrived, (catalog.digest(game.module), game.file.name, tuple(sorted(files.items())))


@cache
def _named(name: str) -> RemoteJob:
    return RemoteJob(CompiledGame(catalog.find(name)))


@cache
def _arrived(digest: str, name: str, files: tuple[tuple[str, bytes], ...]) -> RemoteJob:
    home = folder("rules") / digest
    _unpack(home, dict(files))
    return RemoteJob(CompiledGame(catalog.find(str(home / name))))


def _unpack(home: Path, files: Mapping[str, bytes]) -> None:
    try:
        for file, contents in files.items():
            path = home / file
            path.parent.mkdir(parents=True, exist_ok=True)
            if not (path.exists() and path.read_bytes() == contents):
                path.write_bytes(contents)
    except OSError as error:
        raise StorageError(f"cannot unpack the rules in {home} ({error.strerror or error}): make room.") from None
