"""Names for array types: the letter and the bits of the items, as numba writes them.

`docs/architecture.md` lists what bounds the numbers in the arrays of fewer than 64 bits.
"""

from collections.abc import Callable
from typing import Any, TypeAlias, TypeVar, get_args, get_type_hints

import numpy as np
from numpy.typing import NDArray

from komi.errors import SolveError

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

Record = TypeVar("Record", bound=tuple[Any, ...])


MAX_INDEX = (1 << 31) - 1
"""The largest number in an int32 array."""


def read_only(array: NDArray[Any]) -> NDArray[Any]:
    """Return a read-only view, which compiled code cannot tell from memory-mapped data."""
    view = np.asarray(array).view()
    view.flags.writeable = False
    return view


def check_indices(count: int, what: str, limit: int = MAX_INDEX) -> None:
    """Check that 32 bits can number some things.

    Args:
        count: how many there are.
        what: their name.
        limit: the most that there can be.

    Raises:
        SolveError: if there are more.
    """
    if count > limit:
        raise SolveError(f"there are {count:,} {what}, and komi numbers at most {limit:,}: choose smaller rules.")


def allocate(record: type[Record], shape: int | Callable[[str], int | tuple[int, ...]], **given: Any) -> Record:
    """Allocate a named tuple of arrays with the item types of its annotations.

    Args:
        record: the named tuple.
        shape: of all arrays, or a function that returns the shape of the array of a name.
        given: the arrays that are not allocated here.

    Raises:
        SolveError: if an array is so long that 32 bits cannot number its items.
    """
    arrays = {
        name: np.empty(shape if isinstance(shape, int) else shape(name), get_args(get_args(hint)[1])[0])
        for name, hint in get_type_hints(record).items()
        if name not in given
    }
    check_indices(max(map(len, arrays.values())), "entries of a table")
    return record(**arrays, **given)
