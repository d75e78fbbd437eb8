"""The GPU, and the compiler for it: numba-cuda, which is an optional dependency."""

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from threading import Lock
from types import ModuleType
from typing import Any

import numpy as np

from komi.errors import InputError

_PATCHING = Lock()


def cuda() -> Any:
    """Return the module `numba.cuda`.

    Raises:
        InputError: if numba-cuda is not installed.
    """
    try:
        version("numba-cuda")  # numba itself has an old `numba.cuda`
        from numba import cuda as module
    except (ImportError, PackageNotFoundError):
        raise InputError("a GPU needs numba-cuda: pip install 'komi[gpu]'.") from None
    return module


def check_card() -> None:
    """Check that a GPU is available.

    Raises:
        InputError: if there is none, or numba-cuda is not installed.
    """
    module = cuda()
    if module.is_available():
        return
    try:
        found = len(module.gpus)
    except module.CudaSupportError as error:
        raise InputError(f"no GPU can be used here: {' '.join(str(error).split()).rstrip(' .:')}.") from None
    raise InputError(f"no GPU can be used here: the driver finds {found}.")


def has_card() -> bool:
    """Return whether a GPU is available, and numba-cuda is installed."""
    try:
        check_card()
    except InputError:
        return False
    return True


def on_card(value: Any) -> Any:
    """Copy the arrays in nested tuples to GPU memory."""
    if isinstance(value, tuple):
        parts: Sequence[Any] = [on_card(part) for part in value]
        return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)
    return cuda().to_device(value) if isinstance(value, np.ndarray) else value


def is_simulated() -> bool:
    """Return whether kernels run in numba's simulator, as Python, with NUMBA_ENABLE_CUDASIM=1."""
    return bool(cuda().config.ENABLE_CUDASIM)


@contextmanager
def enough_memory(remedy: str = "choose the device 'cpu'") -> Iterator[None]:
    """Convert an out-of-memory error of the GPU into a sentence that says what helps.

    Raises:
        InputError: if memory is short.
    """
    from numba.cuda.cudadrv.driver import CudaAPIError

    try:
        yield
    except CudaAPIError as error:
        if "OUT_OF" not in str(error):  # CUDA_ERROR_OUT_OF_MEMORY, and _LAUNCH_OUT_OF_RESOURCES
            raise
        raise InputError(f"the GPU has too little free memory for this game and its policies: {remedy}.") from None


@contextmanager
def compiling() -> Iterator[None]:
    """Compile as for the CPU: with generators, tables of any size, and without fused multiply-add.

    numba-cuda 0.30 generates code for generators, but forgets the calling convention of their `next`. Its compiler
    fuses a product and a sum, which are then rounded only once, so that the last bit differs from that on the CPU. It
    keeps global arrays in the GPU's constant memory, which has 64 KB: those of Yahtzee have 664.
    """
    if is_simulated():
        yield
        return
    from numba.cuda.core.generators import BaseGeneratorLower
    from numba.cuda.cudadrv import nvvm

    def begin(self: Any, lower: Any) -> None:
        before(self, lower)
        self.gendesc.call_conv = self.fndesc.call_conv

    before = BaseGeneratorLower.__init__
    exact = partial(nvvm.compile_ir, fma=False)
    with (
        _PATCHING,
        _replaced(BaseGeneratorLower, "__init__", begin),
        _replaced(nvvm, "compile_ir", exact),
        _replaced(nvvm, "ADDRSPACE_CONSTANT", nvvm.ADDRSPACE_GLOBAL),
        warnings.catch_warnings(),
    ):
        warnings.filterwarnings("ignore", "Grid size")  # of the last blocks
        yield


@contextmanager
def _replaced(owner: type | ModuleType, name: str, value: object) -> Iterator[None]:
    """Set an attribute for a while."""
    before = getattr(owner, name)
    setattr(owner, name, value)
    try:
        yield
    finally:
        setattr(owner, name, before)
