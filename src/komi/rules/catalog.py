"""Lookup of games: built-in games by name, shadowed by the path of their rule file.

Games are pickled with their rule files, for machines without these.
"""

import copyreg
import importlib
import pkgutil
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any, Self

import komi.games
from komi.cache import folder, put
from komi.errors import GameError, InputError
from komi.rules import class_rules, discount, loading, openspiel_rules, source, target
from komi.rules.game import Game
from komi.rules.tuple_fields import author_of, flattening_of
from komi.typing import GameLike


def names() -> list[str]:
    """Return the names of the built-in games."""
    modules = (module.name for module in pkgutil.iter_modules(komi.games.__path__))
    return sorted(name.replace("_", "-") for name in modules if not name.startswith("_"))


def find(name: GameLike) -> Game:
    """Find a game.

    Args:
        name: the name of a built-in game, such as "pig"; a rule file, such as "ladder.py" or its `Path`; a folder with
            a file `rules.py`; either with the suffix `:at-least` or `:at-most` for its game of reaching a target; an
            imported module of rules; a class whose body holds the parts of a game, as in a notebook; a small game of
            OpenSpiel (see `openspiel_rules`); or a `Game`, which is returned.

    Raises:
        InputError: if there is no such game.
        GameError: if its file cannot be run, or it supports no target, or komi does not fit the game of OpenSpiel.
        StorageError: if generated rules cannot be written.
    """
    if isinstance(name, Game):
        return name
    if isinstance(name, ModuleType):
        return _game_of_module(name)
    if isinstance(name, type):
        name = class_rules.write_rules(name)
    elif hasattr(name, "new_initial_state"):
        name = openspiel_rules.write_rules(name)
    if isinstance(name, Path):
        name = str(name)
    if not isinstance(name, str):
        raise InputError(
            f"a game is a name, a rule file, a module, a class, a Game or a game of OpenSpiel, not {name!r}."
        )
    of, suffix = target.split(name)
    if suffix:
        base = find(of)
        return _game(base.name + suffix, loading.load(target.write_rules(base, suffix)))
    file = Path(name) if name.endswith(".py") else Path(name) / loading.RULES
    if name.endswith(".py") or (name not in names() and file.is_file()):
        module = load(file)
        return _game(name_of(module), module)
    if name not in names():
        similar = get_close_matches(name, names(), n=1)
        hint = (
            f"did you mean {similar[0]!r}?"
            if similar
            else f"'komi games' lists them; a file's name ends in .py; a folder needs a file {loading.RULES}."
        )
        raise InputError(f"there is no game {name!r}: {hint}")
    module = importlib.import_module(loading.BUILT_IN + name.replace("-", "_"))
    if hasattr(module, "__path__"):
        module = importlib.import_module(f"{module.__name__}.{Path(loading.RULES).stem}")
    return _game(name, module)


def load(file: Path) -> ModuleType:
    """Load a file of rules or policies; in place of the rules of a game with a discount, those of the game that stops.

    Raises:
        InputError: if there is no such file.
        GameError: if it cannot be run, or declares a discount and is not a game.
        StorageError: if generated rules cannot be written.
    """
    module = loading.load(file)
    if not (hasattr(module, "discount") and hasattr(module, "outcomes")):
        return module
    game = _game(name_of(module), module)
    return loading.load(discount.write_rules(game)) if game.has("discount") else module


def _game_of_module(module: ModuleType) -> Game:
    """Return the game of an imported module; its file, or the file `rules.py` in its folder, is loaded."""
    if module.__name__.startswith(loading.BUILT_IN):
        return find(module.__name__.removeprefix(loading.BUILT_IN).partition(".")[0].replace("_", "-"))
    file = Path(getattr(module, "__file__", None) or "")
    if file.suffix != ".py":
        raise InputError(f"module {module.__name__} has no rule file, so it is not a game.")
    return find(file.parent / loading.RULES if file.name == "__init__.py" else file)


def name_of(module: ModuleType) -> str:
    """Return the name of the game of a module: that of its file, or of its folder if the file is `rules.py`."""
    file = Path(str(module.__file__))
    return (file.parent.name if file.name == loading.RULES else file.stem).replace("_", "-")


@lru_cache(256)
def _game(name: str, module: ModuleType) -> Game:
    """Create the game of a module; cached, because checking its rules takes a tenth of a second."""
    return Game(name, module)


def _reduce_game(game: Game) -> tuple[Any, ...]:
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
        if module.__name__.startswith(loading.BUILT_IN):
            return cls(name_of(module), "", ())
        file = Path(str(module.__file__))
        paths = source.files(module)
        files = tuple(sorted((path.relative_to(file.parent).as_posix(), path.read_bytes()) for path in paths))
        if loading.FROM_FILE + loading.digest_of_files(file, paths) != module.__name__:
            raise GameError(f"{file.name} has changed since it was loaded: start again.")
        return cls("/".join(file.parts[-2:]) if file.name == loading.RULES else file.name, module.__name__, files)

    def game(self) -> Game:
        """Load the game on this machine."""
        return find(str(self._unpacked()) if self.digest else self.name)

    def module(self) -> ModuleType:
        """Load the module on this machine."""
        return loading.load(self._unpacked())

    def _unpacked(self) -> Path:
        """Write the files into the cache, and return the path of the main file."""
        main = folder("rules", self.digest) / self.name
        for file, contents in self.files:
            put(main.parent / file, contents)
        return main


copyreg.pickle(Game, _reduce_game)
