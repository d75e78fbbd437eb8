"""Names for array types: the letter and the bits of the items, as numba writes them."""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

F64: TypeAlias = NDArray[np.float64]
F32: TypeAlias = NDArray[np.float32]
I64: TypeAlias = NDArray[np.int64]
I32: TypeAlias = NDArray[np.int32]
I16: TypeAlias = NDArray[np.int16]
I8: TypeAlias = NDArray[np.int8]
U64: TypeAlias = NDArray[np.uint64]
U32: TypeAlias = NDArray[np.uint32]
U16: TypeAlias = NDArray[np.uint16]
U8: TypeAlias = NDArray[np.uint8]
Flags: TypeAlias = NDArray[np.bool_]
