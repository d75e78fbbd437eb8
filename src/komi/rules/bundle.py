"""Files of rules or policies, serialized with the files that they import, for another machine."""

from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, Self

from komi.cache import folder, put
from komi.errors import GameError
from komi.game import Game
from komi.rules import catalog, source
from komi.rules.tuple_fields import author_of, flattening_of


def reduce_game(game: Game) -> tuple[Any, ...]:
    """Take a game apart to pickle it, with its rule files: it can be loaded where these files do not exist.

    Raises:
        GameError: if a file has changed since it was loaded.
    """
    flattening = flattening_of(game.module)
    return _restore_game, (SerializedModule.of(game.module), tuple(flattening.rules) if flattening else None)


def _restore_game(file: "SerializedModule", rules: tuple[Any, ...] | None) -> Game:
    """Load a game, with the lengths that tuple fields have under these rules."""
    game = file.game()
    return game if rules is None else game.under(game.module.Rules(*rules))


@dataclass(frozen=True)
class SerializedModule:
    """A serialized module: the files that it was loaded from.

    Attributes:
        name: the name of a built-in game, or of the file; with its folder if that names the game.
        digest: the name of the module, which contains a digest of its files; empty for a built-in game.
        files: paths relative to the folder of the file, and contents.
    """

    name: str
    digest: str
    files: tuple[tuple[str, bytes], ...]

    @classmethod
    def of(cls, module: ModuleType) -> Self:
        """Serialize a module that was loaded from a file, or a built-in game.

        Raises:
            GameError: if a file has changed since it was loaded.
        """
        module = author_of(module)
        if module.__name__.startswith(catalog.BUILT_IN):
            return cls(catalog.name_of(module), "", ())
        file = Path(str(module.__file__))
        paths = source.files(module)
        files = tuple(sorted((str(path.relative_to(file.parent)), path.read_bytes()) for path in paths))
        if catalog.FROM_FILE + catalog.digest_of_files(file, paths) != module.__name__:
            raise GameError(f"{file.name} has changed since it was loaded: start again.")
        return cls("/".join(file.parts[-2:]) if file.name == catalog.RULES else file.name, module.__name__, files)

    def game(self) -> Game:
        """Load the game on this machine."""
        return catalog.find(str(self._unpacked()) if self.digest else self.name)

    def module(self) -> ModuleType:
        """Load the module on this machine."""
        return catalog.load(self._unpacked())

    def _unpacked(self) -> Path:
        """Write the files into the cache, and return the path of the main file."""
        main = folder("rules", self.digest) / self.name
        for file, contents in self.files:
            put(main.parent / file, contents)
        return main
