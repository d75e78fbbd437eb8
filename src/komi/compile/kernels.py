"""Kernels: engine code that is compiled when first called, and kept on disk.

Engine code is plain Python. A kernel is one of its functions, compiled together with all that it
calls, in a folder of its own for each fingerprint, so that a stale result is impossible.
"""

import time
import warnings
from collections.abc import Callable
from functools import cache
from pathlib import Path
from threading import Lock
from types import FunctionType
from typing import Any, ClassVar

import numba
from filelock import FileLock
from numba.core.errors import NumbaWarning

from komi.compile.cache import fingerprint, folder
from komi.compile.specialise import Specialiser
from komi.errors import KomiError, StorageError

Notice = Callable[[str], None]
Explain = Callable[[Exception, tuple[Any, ...]], KomiError]

_MAKING = Lock()  # numba asks one setting of the whole process which folder a kernel is kept in


class Kernels:
    """The kernels of one game, or of the engine alone.

    Args:
        name: what to call the folder of the compiled code.
        mark: the fingerprint of all that the code depends on.
        specialiser: makes the compiled functions.
        explain: makes of an error, and the arguments that it came with, one that a person can mend.
        translate: makes of each argument what compiled code takes.

    Attributes:
        mark: the fingerprint.
        seconds: how long compiling, or loading what was compiled before, has taken so far.
        notice: is told when something has to be compiled that takes seconds.
    """

    total_seconds: ClassVar[float] = 0.0
    """What compiling and loading has taken for all games together."""

    def __init__(
        self,
        name: str,
        mark: str,
        specialiser: Specialiser,
        explain: Explain | None = None,
        translate: Callable[[Any], Any] | None = None,
    ) -> None:
        self.translate = translate
        self.seconds = 0.0
        self.notice: Notice = lambda message: None
        self._noticed = False
        self.mark = mark
        self._name = name
        self._folder = folder("compiled", f"{name}-{mark}")
        self._specialiser = specialiser
        self._explain = explain
        self._kernels: dict[Any, Callable[..., Any]] = {}

    def __getitem__(self, template: Any) -> Callable[..., Any]:
        """The compiled form of an engine function."""
        with _MAKING:
            if template not in self._kernels:
                self._kernels[template] = _Kernel(self, self._dispatcher(template))
            return self._kernels[template]

    def _dispatcher(self, template: Any) -> Any:
        before = numba.config.CACHE_DIR  # type: ignore[attr-defined]
        numba.config.CACHE_DIR = str(self._folder)  # type: ignore[attr-defined]
        try:
            return self._specialiser.kernel(template)
        finally:
            numba.config.CACHE_DIR = before  # type: ignore[attr-defined]

    def compile(self, dispatcher: Any, arguments: tuple[Any, ...]) -> None:
        """Compile for arguments of these types, or load what an earlier run has compiled.

        A lock keeps two processes from compiling the same at once. Numba writes each file under another
        name first, so that a killed process leaves none half-written, only drafts to throw away.
        """
        begin = time.perf_counter()
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            with FileLock(self._folder / "lock"), warnings.catch_warnings():
                warnings.simplefilter("ignore", NumbaWarning)
                self._throw_away("*.tmp.*")
                self._compile(dispatcher, tuple(map(numba.typeof, arguments)))
        except OSError as error:
            raise StorageError(
                f"cannot keep compiled code in {self._folder} ({error.strerror or error}): "
                "make room, or set KOMI_CACHE_DIR to another folder."
            ) from None
        except Exception as error:
            raise self.explained(error, arguments) from None
        finally:
            taken = time.perf_counter() - begin
            self.seconds += taken
            Kernels.total_seconds += taken

    def explained(self, error: Exception, arguments: tuple[Any, ...]) -> Exception:
        """An error of the compiler, or of compiled code, as one that a person can mend."""
        return self._explain(error, arguments) if self._explain else error

    def _compile(self, dispatcher: Any, signature: tuple[Any, ...]) -> None:
        kept = self._is_kept(dispatcher)
        if not (kept or self._noticed):
            self.notice(f"compiling {self._name}: seconds, and once only")
            self._noticed = True
        try:
            dispatcher.compile(signature)
        except OSError:
            raise
        except Exception:
            if not kept:
                raise
            self._throw_away("*.nb[ic]")  # what was kept is damaged
            dispatcher.compile(signature)

    def _throw_away(self, pattern: str) -> None:
        for path in self._folder.rglob(pattern):
            path.unlink(missing_ok=True)

    def _is_kept(self, dispatcher: Any) -> bool:
        code = dispatcher.py_func.__code__
        name = f"{Path(code.co_filename).stem}.{dispatcher.py_func.__qualname__}-{code.co_firstlineno}.*.nbi"
        return any(self._folder.rglob(name))


class _Kernel:
    """Compiles, or loads, when first called."""

    def __init__(self, kernels: Kernels, dispatcher: Any) -> None:
        self._kernels = kernels
        self._dispatcher = dispatcher
        self._ready = False

    def __call__(self, *arguments: Any) -> Any:
        taken = tuple(map(self._kernels.translate, arguments)) if self._kernels.translate else arguments
        if not self._ready:
            self._kernels.compile(self._dispatcher, taken)
            self._ready = True
        try:
            return self._dispatcher(*taken)
        except Exception as error:
            raise self._kernels.explained(error, arguments) from None


@cache
def engine_with(name: str, **functions: FunctionType) -> Kernels:
    """The kernels that know of no game, in which some names stand for other functions: what a method brings.

    Args:
        name: of the method.
        functions: by the names that they replace.
    """
    mark = fingerprint(name)
    specialiser = Specialiser({}, lambda module: False, mark, engine=True)
    replacements = {word: specialiser.compiled(function) for word, function in functions.items()}
    return Kernels(f"engine-{name}", mark, Specialiser(replacements, lambda module: False, mark, engine=True))


@cache
def engine() -> Kernels:
    """The kernels that know of no game."""
    return Kernels("engine", fingerprint(), Specialiser({}, lambda module: False, fingerprint(), engine=True))
