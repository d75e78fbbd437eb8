"""Kernels: engine code that is compiled on its first call and cached on disk.

Engine code is plain Python. A kernel is one of its functions, compiled together with everything that it
calls. The cache folder and the compiled functions are named by their cache keys, so that stale code is never loaded.
"""

import gc
import hashlib
import time
import warnings
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from threading import Lock
from types import FunctionType, MappingProxyType
from typing import Any, ClassVar, cast

import numba
from filelock import FileLock
from numba.core import types
from numba.core.dispatcher import Dispatcher
from numba.core.errors import NumbaWarning

from komi.cache import put, remove
from komi.errors import KomiError, StorageError
from komi.jit.cache_keys import fingerprint, folder
from komi.jit.specialization import Specializer
from komi.typing import Kernel

Notice = Callable[[str], None]
Explain = Callable[[Exception, tuple[object, ...]], KomiError]

_TIMING_LOCK = Lock()
_CACHE_DIR_LOCK = Lock()  # numba's cache folder is a setting of the whole process


class Kernels:
    """The kernels of one game, or of the engine without a game.

    Args:
        name: the first part of the name of the cache folder.
        cache_key: the cache key of everything that the code depends on.
        specializer: creates the compiled functions.
        explain: converts an error, and the arguments that caused it, into an error for the user.
        translate: converts an argument into one that compiled code accepts.

    Attributes:
        cache_key: the cache key.
        seconds: the time spent on compiling or loading kernels so far.
        notice: called with a sentence before a compilation that takes seconds.
    """

    total_seconds: ClassVar[float] = 0.0
    """The time spent on compiling and loading kernels of all games, in seconds."""
    _compiling: ClassVar[int] = 0  # compilations in progress
    _since: ClassVar[float] = 0.0  # when the first of them began
    _noticed: ClassVar[set[tuple[Notice, str, Path]]] = set()  # who heard of which compilation, and into which folder
    _collects: ClassVar[bool] = True  # whether garbage was collected before: a compilation only adds objects

    def __init__(
        self,
        name: str,
        cache_key: str,
        specializer: Specializer,
        explain: Explain | None = None,
        translate: Callable[[object], object] | None = None,
    ) -> None:
        self.translate = translate
        self.seconds = 0.0
        self.notice: Notice = lambda message: None
        self.cache_key = cache_key
        self._name = name
        self._folder = folder("compiled", f"{name}-{cache_key}")
        self._specializer = specializer
        self._explain = explain
        self._kernels: dict[Callable[..., object], Kernel] = {}

    def __getitem__(self, function: Callable[..., object]) -> Kernel:
        """Return the compiled form of an engine function."""
        with _CACHE_DIR_LOCK:
            if function not in self._kernels:
                self._kernels[function] = _Kernel(self, self._dispatcher(function))
            return self._kernels[function]

    def _dispatcher(self, function: Callable[..., object]) -> Dispatcher:
        before = numba.config.CACHE_DIR  # type: ignore[attr-defined]
        numba.config.CACHE_DIR = str(self._folder)  # type: ignore[attr-defined]
        try:
            return self._specializer.kernel(cast(FunctionType, function))
        finally:
            numba.config.CACHE_DIR = before  # type: ignore[attr-defined]

    def compile(self, dispatcher: Dispatcher, arguments: tuple[object, ...]) -> None:
        """Compile for arguments of these types, or load the result of an earlier run.

        A lock keeps two processes from compiling the same kernel at once. Numba writes each file under another
        name first, so that a killed process leaves no partial files, only drafts that are deleted here. Files with a
        wrong checksum are deleted too: loading damaged code can crash the process.
        """
        self._specializer.check_classes(dispatcher.py_func, arguments)
        signature = tuple(map(numba.typeof, arguments))
        begin = self._start_timing()
        try:
            try:
                self._compile_alone(dispatcher, signature)
            except FileNotFoundError:  # another process has just cleared the cache
                self._compile_alone(dispatcher, signature)
        except OSError as error:
            raise StorageError(
                f"cannot keep compiled code in {self._folder} ({error.strerror or error}): "
                "free some disk space, or set KOMI_CACHE_DIR to another folder."
            ) from None
        except Exception as error:
            raise self.explained(error, arguments) from None
        finally:
            self._stop_timing(begin)

    @classmethod
    def compiling_for(cls) -> float:
        """Return for how many seconds kernels have been compiled or loaded without a pause; 0 if none is now."""
        with _TIMING_LOCK:
            return time.perf_counter() - cls._since if cls._compiling else 0.0

    @staticmethod
    def _start_timing() -> float:
        """Start timing a compilation in this thread, without garbage collection, and return the current time."""
        with _TIMING_LOCK:
            Kernels._compiling += 1
            if Kernels._compiling == 1:
                Kernels._since = time.perf_counter()
                Kernels._collects = gc.isenabled()
                gc.disable()
        return time.perf_counter()

    def _stop_timing(self, begin: float) -> None:
        """Stop timing a compilation; the total counts simultaneous compilations of several threads once."""
        now = time.perf_counter()
        self.seconds += now - begin
        with _TIMING_LOCK:
            Kernels._compiling -= 1
            if Kernels._compiling == 0:
                Kernels.total_seconds += now - Kernels._since
                if Kernels._collects:
                    gc.enable()

    def explained(self, error: Exception, arguments: tuple[object, ...]) -> Exception:
        """Convert an error of the compiler or of compiled code into an error for the user."""
        return self._explain(error, arguments) if self._explain else error

    def _compile_alone(self, dispatcher: Dispatcher, signature: tuple[types.Type, ...]) -> None:
        for path in (self._folder, Path(dispatcher._cache.cache_path)):  # type: ignore[attr-defined]
            path.mkdir(parents=True, exist_ok=True)
        with FileLock(self._folder / "lock"), warnings.catch_warnings():
            warnings.simplefilter("ignore", NumbaWarning)
            self._remove_files("*.tmp.*")
            self._compile(dispatcher, signature)

    def _compile(self, dispatcher: Dispatcher, signature: tuple[types.Type, ...]) -> None:
        files = self._intact_files(dispatcher)
        subject = "the engine" if self._name.startswith("engine") else self._name
        key = (self.notice, subject, self._folder.parent)
        if not files and key not in self._noticed:
            self.notice(f"compiling part of {subject}: this takes a few seconds, once only")
            self._noticed.add(key)
        try:
            dispatcher.compile(signature)
        except OSError:
            raise
        except Exception:
            if not files:
                raise
            self._remove_files(_pattern(dispatcher))  # probably written by another version of a library
            dispatcher.compile(signature)
        for file in self._folder.rglob(_pattern(dispatcher)):
            if file not in files or dispatcher.stats.cache_misses:
                put(_checksum_file(file), checksum(file).encode())

    def _intact_files(self, dispatcher: Dispatcher) -> list[Path]:
        """Return the cached files of a kernel; delete all of them if one has a wrong checksum."""
        files = list(self._folder.rglob(_pattern(dispatcher)))
        with suppress(OSError):
            if all(_checksum_file(file).read_bytes() == checksum(file).encode() for file in files):
                return files
        self._remove_files(_pattern(dispatcher))
        return []

    def _remove_files(self, pattern: str) -> None:
        for path in self._folder.rglob(pattern):
            remove(path)


class _Kernel:
    """A function that is compiled or loaded when first called with arguments of new types."""

    def __init__(self, kernels: Kernels, dispatcher: Dispatcher) -> None:
        self._kernels = kernels
        self._dispatcher = dispatcher
        self._numba_compile = dispatcher._compile_for_args  # type: ignore[attr-defined]
        # numba calls this for new argument types
        dispatcher._compile_for_args = self._compiled  # type: ignore[attr-defined]

    def __call__(self, *arguments: object) -> object:
        translate = self._kernels.translate
        try:
            return self._dispatcher(*(map(translate, arguments) if translate else arguments))
        except KomiError:
            raise
        except Exception as error:
            raise self._kernels.explained(error, arguments) from None

    def uncaught(self, *arguments: object) -> object:
        """Call the function, and do not explain its errors."""
        return self._dispatcher(*arguments)

    def address(self, *arguments: object) -> int:
        """Return the address of the function for arguments of these types."""
        if not self._dispatcher.overloads:
            self._kernels.compile(self._dispatcher, arguments)
        result: Any
        (result,) = self._dispatcher.overloads.values()
        return int(result.library.get_pointer_to_function(result.fndesc.mangled_name))

    def _compiled(self, *arguments: object) -> object:
        self._kernels.compile(self._dispatcher, arguments)
        return self._numba_compile(*arguments)


def _pattern(dispatcher: Dispatcher) -> str:
    """Return the glob pattern of the files in which numba caches a function."""
    code = dispatcher.py_func.__code__
    return f"{Path(code.co_filename).stem}.{dispatcher.py_func.__qualname__}-{code.co_firstlineno}.*.nb[ic]"


def _checksum_file(file: Path) -> Path:
    return file.with_name(f"{file.name}.sum")


def checksum(file: Path) -> str:
    """Compute the checksum of a file's contents."""
    return hashlib.blake2b(file.read_bytes(), digest_size=16).hexdigest()


@cache
def engine_kernels_with(
    name: str, inner: tuple[tuple[str, FunctionType], ...] = (), **functions: FunctionType
) -> Kernels:
    """Return kernels that depend on no game, with names bound to other functions, such as those of a solution method.

    Args:
        name: the name of the method.
        inner: replacements, each by the name that it replaces, which the other ones see, too.
        functions: the replacements, by the names that they replace.
    """
    key = fingerprint(name)
    specializer = _engine_specializer(key)
    replacements = {replaced: specializer.compiled(function) for replaced, function in inner}
    if inner:
        specializer = _engine_specializer(key, replacements)
    replacements |= {replaced: specializer.compiled(function) for replaced, function in functions.items()}
    return Kernels(f"engine-{name}", key, _engine_specializer(key, replacements))


@cache
def engine_kernels() -> Kernels:
    """Return the kernels that depend on no game."""
    return Kernels("engine", fingerprint(), _engine_specializer(fingerprint()))


@cache
def fast_math_kernels() -> Kernels:
    """Return kernels whose sums can be reassociated: for approximations, never for proofs."""
    key = fingerprint("fast")
    return Kernels("engine-fast", key, _engine_specializer(key, fast=True))


def _engine_specializer(
    key: str, replacements: Mapping[str, Dispatcher] = MappingProxyType({}), fast: bool = False
) -> Specializer:
    return Specializer(replacements, lambda module: False, key, unsigned_indices=True, fast=fast)
