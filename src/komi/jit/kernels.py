"""Kernels: engine code that is compiled on its first call and cached on disk.

Engine code is plain Python. A kernel is one of its functions, compiled together with everything that it
calls. Cached code and compiled functions are named by digests of all of this, so that stale code is never loaded.
"""

import gc
import hashlib
import operator
import pickle
import time
import warnings
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from threading import Lock
from types import FunctionType, MappingProxyType
from typing import Any, ClassVar, cast

from filelock import FileLock
from numba.core import serialize, types
from numba.core.caching import NullCache
from numba.core.dispatcher import Dispatcher
from numba.core.errors import NumbaWarning

from komi.cache import folder, put
from komi.errors import KomiError, StorageError
from komi.jit import linking
from komi.jit.cache_keys import code_key
from komi.jit.code_digest import of_type
from komi.jit.specialization import Specializer
from komi.typing import Kernel

Notice = Callable[[str], None]
Explain = Callable[[Exception, tuple[object, ...]], KomiError]

CHECKSUM_BYTES = 16

_TIMING_LOCK = Lock()
_CREATION = Lock()


class Kernels:
    """The kernels of one game, or of the engine without a game.

    Args:
        name: the name of the cache folder.
        specializer: creates the compiled functions.
        explain: converts an error, and the arguments that caused it, into an error for the user.
        translate: converts an argument into one that compiled code accepts.

    Attributes:
        seconds: the time spent on compiling or loading kernels so far.
        notice: called with a sentence before a compilation that takes seconds.
    """

    total_seconds: ClassVar[float] = 0.0
    """The time spent on compiling and loading kernels of all games, in seconds."""
    _compiling: ClassVar[int] = 0  # compilations in progress
    _since: ClassVar[float] = 0.0  # when the first of them began
    _noticed: ClassVar[set[tuple[Notice, Path]]] = set()  # who heard of compilation, and into which folder
    _collects: ClassVar[bool] = True  # whether garbage was collected before: a compilation only adds objects

    def __init__(
        self,
        name: str,
        specializer: Specializer,
        explain: Explain | None = None,
        translate: Callable[[object], object] | None = None,
    ) -> None:
        self.translate = translate
        self.seconds = 0.0
        self.notice: Notice = lambda message: None
        self._name = name
        self._folder = folder("compiled", name)
        self._specializer = specializer
        self._explain = explain
        self._kernels: dict[Callable[..., object], _Kernel] = {}

    def __getitem__(self, function: Callable[..., object]) -> Kernel:
        """Return the compiled form of an engine function."""
        with _CREATION:
            if function not in self._kernels:
                self._kernels[function] = _Kernel(self, self._specializer, cast(FunctionType, function))
            return self._kernels[function]

    def digest(self, function: Callable[..., object]) -> str:
        """Return the digest of an engine function with all that is compiled with it."""
        return self._specializer.digest(cast(FunctionType, function))

    def compile(self, kernel: "_Kernel", arguments: tuple[object, ...]) -> None:
        """Compile for arguments of these types, or load the result of an earlier run.

        A lock keeps two processes from compiling the same kernel at once.
        """
        begin = self._start_timing()
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", NumbaWarning)
                kernel.compile(tuple(map(kernel.dispatcher.typeof_pyval, arguments)))
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

    def folder(self) -> Path:
        """Return the folder of the compiled code in the cache, created if missing."""
        self._folder.mkdir(parents=True, exist_ok=True)
        return self._folder

    def give_notice(self) -> None:
        """Announce the first compilation of a command."""
        subject = "the engine" if self._name == "engine" else self._name
        key = (self.notice, self._folder.parent)
        if key not in self._noticed:
            self.notice(f"compiling part of {subject}: this takes a few seconds, once only")
            self._noticed.add(key)


class _Kernel:
    """A function that is compiled or loaded when first called with arguments of new types.

    Attributes:
        dispatcher: its copy for numba, which keeps the compiled code for each combination of argument types.
    """

    def __init__(self, kernels: Kernels, specializer: Specializer, function: FunctionType) -> None:
        self._kernels, self._specializer, self._function = kernels, specializer, function
        self.dispatcher: Any = specializer.kernel(function)
        self.dispatcher._cache = _KernelCache(self)
        self._address: int | None = None
        self._numba_compile = self.dispatcher._compile_for_args
        self.dispatcher._compile_for_args = self._compiled  # numba calls this for new argument types

    def __call__(self, *arguments: object) -> object:
        translate = self._kernels.translate
        try:
            return self.dispatcher(*(map(translate, arguments) if translate else arguments))
        except KomiError:
            raise
        except Exception as error:
            raise self._kernels.explained(error, arguments) from None

    def uncaught(self, *arguments: object) -> object:
        """Call the function, and do not explain its errors."""
        return self.dispatcher(*arguments)

    def is_compiled(self, *arguments: object) -> bool:
        """Return whether the function was compiled before, by this process or another, for arguments of these types."""
        signature = tuple(map(self.dispatcher.typeof_pyval, arguments))
        return bool(self.dispatcher.overloads) or self.file(signature).exists()

    def address(self, *arguments: object) -> int:
        """Return the address of the function for arguments of these types."""
        if self._address is None:
            self._kernels.compile(self, arguments)
            (result,) = self.dispatcher.overloads.values()
            self._address = int(result.library.get_pointer_to_function(result.fndesc.mangled_name))
        return self._address

    def _compiled(self, *arguments: object) -> object:
        self._kernels.compile(self, arguments)
        return self._numba_compile(*arguments)

    def compile(self, signature: tuple[types.Type, ...]) -> None:
        """Compile for arguments of these types, or load the result of an earlier run."""
        with FileLock(f"{self.file(signature)}.lock"):
            self.dispatcher.compile(signature)

    def file(self, signature: tuple[types.Type, ...]) -> Path:
        """Return the file of the compiled code for arguments of these types; its folder exists."""
        processor = self.dispatcher.targetctx.codegen().magic_tuple()
        key = code_key(self._specializer.digest(self._function), *map(of_type, signature), repr(processor))
        return self._kernels.folder() / f"{self._function.__name__}-{key}"

    def prepare(self) -> None:
        """Prepare to compile, and announce it."""
        self._specializer.link(self._function, self.dispatcher)
        self._kernels.give_notice()


class _KernelCache(NullCache):
    """The compiled code of a kernel on disk, one file for each combination of argument types."""

    def __init__(self, kernel: _Kernel) -> None:
        self._kernel = kernel

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Load the code for arguments of these types; return None if there is none that is intact."""
        with suppress(OSError, pickle.UnpicklingError, AttributeError, ImportError):
            content = self._kernel.file(sig).read_bytes()
            if checksum(content[CHECKSUM_BYTES:]) == content[:CHECKSUM_BYTES]:
                loaded = linking.load(target_context, pickle.loads(content[CHECKSUM_BYTES:]))
                if loaded:
                    return loaded
        self._kernel.prepare()
        return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Write the code for arguments of these types."""
        if not data.library.has_dynamic_globals:
            content = serialize.dumps(data._reduce())
            put(self._kernel.file(sig), checksum(content) + content)


def checksum(content: bytes) -> bytes:
    """Compute the checksum of compiled code: to run damaged code can crash the process."""
    return hashlib.blake2b(content, digest_size=CHECKSUM_BYTES).digest()


@cache
def engine_kernels(inner: tuple[tuple[str, FunctionType], ...] = (), **functions: FunctionType) -> Kernels:
    """Return the kernels that depend on no game; names can be bound to other functions, as those of a solution method.

    Args:
        inner: replacements, each by the name that it replaces, which the other ones see, too.
        functions: the replacements, by the names that they replace.
    """
    specializer = _engine_specializer()
    replacements = {replaced: specializer.compiled(function) for replaced, function in inner}
    specializer = _engine_specializer(replacements)
    replacements |= {replaced: specializer.compiled(function) for replaced, function in functions.items()}
    return Kernels("engine", _engine_specializer(replacements), translate=_for_all_games)


@cache
def fast_math_kernels() -> Kernels:
    """Return kernels whose sums can be reassociated: for approximations, never for proofs."""
    return Kernels("engine", _engine_specializer(fast=True), translate=_for_all_games)


def _for_all_games(argument: Any) -> Any:
    """Convert an argument into one whose type is the same for all games, such as a layout into arrays."""
    if not isinstance(argument, tuple):
        return argument
    if hasattr(argument, "for_all_games"):
        return argument.for_all_games
    parts = tuple(map(_for_all_games, argument))
    if all(map(operator.is_, parts, argument)):
        return argument
    return type(argument)(*parts) if hasattr(argument, "_fields") else parts


def _engine_specializer(
    replacements: Mapping[str, Dispatcher] = MappingProxyType({}), fast: bool = False
) -> Specializer:
    return Specializer(replacements, lambda module: False, unsigned_indices=True, fast=fast)
