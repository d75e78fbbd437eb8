"""A file of rules or policies that can travel to another machine, with the files that it imports."""

from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Self

from komi import catalog, source
from komi.cache import put
from komi.compile.cache import folder
from komi.errors import GameError
from komi.game import Game


@dataclass(frozen=True)
class Portable:
    """What a module was loaded from.

    Attributes:
        name: of a built-in game, or of the file.
        digest: stands for the contents of the files; empty for a built-in game, which is everywhere.
        files: their paths from the folder of the file, and their contents.
    """

    name: str
    digest: str
    files: tuple[tuple[str, bytes], ...]

    @classmethod
    def of(cls, module: ModuleType) -> Self:
        """What to send for a module that was loaded from a file, or for a built-in game.

        Raises:
            GameError: if a file says something else by now.
        """
        if module.__name__.startswith(catalog.BUILT_IN):
            return cls(module.__name__.removeprefix(catalog.BUILT_IN).replace("_", "-"), "", ())
        file = Path(str(module.__file__))
        paths = source.files(module)
        files = tuple(sorted((str(path.relative_to(file.parent)), path.read_bytes()) for path in paths))
        if catalog.FROM_FILE + catalog.digest_of(paths) != module.__name__:
            raise GameError(f"{file.name} has changed since it was loaded: start again.")
        return cls(file.name, module.__name__, files)

    def game(self) -> Game:
        """The game, wherever this has arrived."""
        return catalog.find(str(self._unpacked()) if self.digest else self.name)

    def module(self) -> ModuleType:
        """The module, wherever this has arrived."""
        return catalog.load(self._unpacked())

    def _unpacked(self) -> Path:
        """The file, written with the others beside it."""
        home = folder("rules", self.digest)
        for file, contents in self.files:
            put(home / file, contents)
        return home / self.name
