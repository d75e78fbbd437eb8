"""Where games are found: the built-in ones by name, anyone's by the path of its file."""

import ast
import importlib
import importlib.util
import pkgutil
import sys
import traceback
from collections.abc import Iterator
from difflib import get_close_matches
from pathlib import Path
from types import ModuleType

import komi.games
from komi.errors import GameError, InputError
from komi.game import Game


def names() -> list[str]:
    """The names of the built-in games."""
    modules = (module.name for module in pkgutil.iter_modules(komi.games.__path__))
    return sorted(name.replace("_", "-") for name in modules if not name.startswith("_"))


def find(name: str) -> Game:
    """The game of that name, or in that file.

    Raises:
        InputError: if there is none.
        GameError: if its file cannot be run.
    """
    if name.endswith(".py"):
        return _from_file(Path(name))
    if name not in names():
        near = get_close_matches(name, names(), n=1)
        hint = f"did you mean {near[0]!r}?" if near else "'komi games' lists them; a file's name ends in .py."
        raise InputError(f"there is no game {name!r}: {hint}")
    return Game(name, importlib.import_module(f"komi.games.{name.replace('-', '_')}"))


def _from_file(path: Path) -> Game:
    if not path.is_file():
        raise InputError(f"there is no file {path}.")
    path = path.resolve()
    folder = str(path.parent)
    specification = importlib.util.spec_from_file_location(path.stem, path)
    assert specification is not None and specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    sys.path.insert(0, folder)
    importlib.invalidate_caches()
    for imported in [*_imported(path, folder)]:
        sys.modules.pop(imported, None)  # another folder's module of the same name, or an older version
    try:
        specification.loader.exec_module(module)
    except SyntaxError as error:
        raise GameError(f"{path.name}, line {error.lineno}: {error.msg}.") from None
    except Exception as error:
        lines = [
            frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(path)
        ]
        where = f"{path.name}, line {lines[-1]}" if lines else path.name
        raise GameError(f"{where}: {type(error).__name__}: {error}.") from None
    finally:
        sys.path.remove(folder)
    return Game(path.stem.replace("_", "-"), module)


def sources(module: ModuleType) -> list[Path]:
    """The module's own file and those it imports from files beside it, however indirectly."""
    file = Path(str(module.__file__))
    found = {file}
    waiting = [file]
    while waiting:
        for name in _imported(waiting.pop(), str(file.parent)):
            path = _beside(name, file.parent)
            if path is not None and path not in found:
                found.add(path)
                waiting.append(path)
    return sorted(found)


def _imported(path: Path, folder: str) -> Iterator[str]:
    """Names of the modules in this folder that the file imports."""
    try:
        tree = ast.parse(path.read_bytes())
    except (SyntaxError, ValueError):
        return
    for statement in ast.walk(tree):
        if isinstance(statement, ast.Import):
            mentioned = [alias.name for alias in statement.names]
        elif isinstance(statement, ast.ImportFrom):
            mentioned = [statement.module or ""]
            mentioned += [f"{statement.module}.{alias.name}" for alias in statement.names]
        else:
            continue
        for name in mentioned:
            if name != path.stem and _beside(name, Path(folder)) is not None:
                yield name


def _beside(name: str, folder: Path) -> Path | None:
    path = folder / (name.removeprefix("komi.games.").replace(".", "/") + ".py")
    return path if name and path.is_file() else None
