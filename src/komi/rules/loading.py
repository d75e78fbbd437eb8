"""Loading of rule files and policy files as modules, and digests of what they say."""

import hashlib
import sys
import traceback
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from importlib.abc import MetaPathFinder
from importlib.machinery import FileFinder, ModuleSpec, SourceFileLoader
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from threading import RLock
from types import CodeType, ModuleType

from komi.errors import GameError, InputError
from komi.rules import content, determinism, source, tuple_fields
from komi.time_limit import TimeLimit, TooLongError, rule_seconds

BUILT_IN = source.BUILT_IN
RULES = "rules.py"  # the file with the rules, in the folder of a game of several modules
_IMPORT_LOCK = RLock()  # imports and the redirection of stdout affect all threads
FROM_FILE = "komi_rules_"  # prefix of the names of modules loaded from a path; a digest of the files follows


def load(path: Path) -> ModuleType:
    """Load a file of rules or policies as a module; return the same module as long as its files are unchanged.

    Raises:
        InputError: if there is no such file.
        GameError: if it cannot be run.
    """
    if path.is_dir():
        raise InputError(f"{path} is a folder, not a rule file: name a file in it, such as {path / RULES}.")
    if not path.is_file():
        raise InputError(f"there is no file {path}.")
    path = path.resolve()
    files = source.with_imports(path)
    name = FROM_FILE + digest_of_files(path, files)
    module = sys.modules.get(name)
    if module is None or module.__file__ != str(path):
        module = _load(name, path, files)
    return module


@lru_cache(256)
def digest(module: ModuleType) -> str:
    """Return a digest of what a module of rules or policies says: its functions, and the values of its constants."""
    author = tuple_fields.author_of(module)
    if not author.__name__.startswith((FROM_FILE, BUILT_IN)):
        return digest_of_files(Path(str(author.__file__)), source.files(author))
    flattening = tuple_fields.flattening_of(module)
    return content.digest(author) + (flattening.suffix if flattening else "")


def error_location(error: BaseException) -> str | None:
    """Return the file and line of the rules in which an exception was raised; None if it was raised elsewhere."""
    if isinstance(error, SyntaxError) and error.filename:
        return _file_and_line(error.filename, error.lineno)
    lines = [
        _file_and_line(frame.f_code.co_filename, line)
        for frame, line in traceback.walk_tb(error.__traceback__)
        if _is_rule_code(frame.f_globals)
    ]
    return lines[-1] if lines else None


def _is_rule_code(namespace: dict[str, object]) -> bool:
    loader, name = namespace.get("__loader__"), str(namespace.get("__name__"))
    return isinstance(loader, _SourceLoader) or name.startswith(BUILT_IN)


def _is_helper(module: ModuleType) -> bool:
    """Return whether a module was imported from the folder of a rule file."""
    return isinstance(getattr(module, "__loader__", None), _SourceLoader) and not module.__name__.startswith(FROM_FILE)


def _file_and_line(file: str, line: int | None) -> str:
    return Path(file).name + (f", line {line}" if line else "")


class _SourceLoader(SourceFileLoader):
    """Loads a file without Python's bytecode cache, which misses an edit of the same length within a second."""

    def get_code(self, fullname: str) -> CodeType:
        path = self.get_filename(fullname)
        return self.source_to_code(self.get_data(path), path)


def _load(name: str, path: Path, files: Collection[Path]) -> ModuleType:
    """Run a rule file as the module of that name, and make the values in it constant.

    The name contains a digest of the contents, so that classes in cached compiled code are found by it.
    """
    specification = spec_from_file_location(name, path, loader=_SourceLoader(name, str(path)))
    assert specification is not None
    assert specification.loader is not None
    module = module_from_spec(specification)
    sys.modules[name] = module
    try:
        with _IMPORT_LOCK, _folder_first(path.parent, files), TimeLimit():
            reads = determinism.check(path)
            specification.loader.exec_module(module)
            determinism.freeze([module, *filter(_is_helper, [*sys.modules.values()])], reads)
    except BaseException as error:
        del sys.modules[name]
        if isinstance(error, KeyboardInterrupt | GameError):
            raise
        raise _load_error(error, path) from None
    return module


def _load_error(error: BaseException, path: Path) -> GameError:
    where = error_location(error) or path.name
    if isinstance(error, SyntaxError):
        return GameError(f"{where}: {error.msg}.")
    if isinstance(error, TooLongError):
        return GameError(
            f"{where}: loading the file does not end within {rule_seconds():g} seconds "
            "(set KOMI_RULE_SECONDS if it needs more)."
        )
    return GameError(f"{where}: {type(error).__name__}: {error}.")


@contextmanager
def _folder_first(folder: Path, files: Collection[Path]) -> Iterator[None]:
    """Give the current files of this folder priority in imports.

    Other modules of the same name (one of Python's own, for example) are restored afterwards.
    """
    finder = _Finder(folder)
    own_names = {_module_name(file, folder) for file in files}
    shadowed = {name: module for name, module in sys.modules.items() if name in own_names or _is_helper(module)}
    for name in shadowed:
        del sys.modules[name]
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)
        for name, other in shadowed.items():
            if name not in sys.modules or not _is_helper(other):
                sys.modules[name] = other


class _Finder(MetaPathFinder):
    """Finds modules and packages in one folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        for folder in [str(self._folder)] if path is None else path:
            if Path(folder).is_relative_to(self._folder):
                specification = FileFinder(folder, (_SourceLoader, [".py"])).find_spec(fullname, target)
                if specification is not None and specification.origin is not None:
                    return specification
        return None


def _module_name(file: Path, folder: Path) -> str:
    return ".".join(file.relative_to(folder).with_suffix("").parts).removesuffix(".__init__")


def digest_of_files(main: Path, files: Iterable[Path]) -> str:
    """Compute a digest of the current contents of files, with their paths beside the main one."""
    digest = hashlib.blake2b(digest_size=16)
    for file in files:
        digest.update(hashlib.blake2b(file.relative_to(source.folder_of(main)).as_posix().encode()).digest())
        digest.update(hashlib.blake2b(file.read_bytes()).digest())
    return digest.hexdigest()
