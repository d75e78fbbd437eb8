"""Arrays in GPU memory that PyTorch, JAX and CuPy read without a copy.

Kernels run on the legacy default stream, as those of PyTorch and CuPy do by default. A library with another stream
waits for them when it imports an array by `__dlpack__` or `__cuda_array_interface__`.
"""

from functools import cached_property
from typing import Any

import numpy as np

from komi.gpu.card import is_simulated
from komi.gpu.compiler import cuda

LEGACY_STREAM = 1  # the number of the default stream in both protocols
NO_WAIT = -1


class DeviceArray:
    """An array in GPU memory.

    `numpy.asarray` copies it to the host.

    Attributes:
        array: the array of numba-cuda.
        shape: its shape.
        dtype: the type of its entries.
    """

    def __init__(self, array: Any) -> None:
        self.array = array
        self.shape = tuple(array.shape)
        self.dtype = np.dtype(array.dtype)

    def __len__(self) -> int:
        return int(self.shape[0])

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        return np.asarray(self.array.copy_to_host(), dtype)

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        return {**self.array.__cuda_array_interface__, "stream": LEGACY_STREAM}

    def __dlpack__(
        self,
        *,
        stream: int | None = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> Any:
        if not is_simulated() and stream not in (None, NO_WAIT, LEGACY_STREAM):
            cuda.synchronize()
        if dl_device == self.__dlpack_device__():
            dl_device = None
        return self._view.__dlpack__(max_version=max_version, dl_device=dl_device, copy=copy)

    def __dlpack_device__(self) -> tuple[int, int]:
        device: tuple[int, int] = self._view.__dlpack_device__()
        return device

    @cached_property
    def _view(self) -> Any:
        """The same memory as an object that exports DLPack, which arrays of numba-cuda do not."""
        if is_simulated():
            return self.array._ary
        from cuda.core.utils import StridedMemoryView  # type: ignore[import-untyped]

        return StridedMemoryView.from_cuda_array_interface(self.array, stream_ptr=NO_WAIT)
