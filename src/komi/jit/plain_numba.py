"""Switch to plain numba, and portable functions in the place of LLVM instructions.

With the environment variable `KOMI_PLAIN_NUMBA=1` kernels are compiled by numba's own compiler: without link-time
optimization, reference-count elision and unsigned indices, with the functions of this module for bit operations and
`simd.back_up_lanes` for Bellman backups. The results are the same to the last bit; compiling and solving take longer.
Atomic operations (`intrinsics.fetch_or`) have no portable form and stay.
"""

import os
from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba
import numpy as np
from numpy.typing import NDArray

from komi.typing import Integer

PLAIN_NUMBA = os.environ.get("KOMI_PLAIN_NUMBA", "") not in ("", "0")
"""True if kernels run on numba's own compiler."""

Option = TypeVar("Option")
Function = TypeVar("Function", bound=Callable[..., object])

compiled = cast(Callable[[Function], Function], numba.njit)
"""`numba.njit` for a function that compiled code alone calls: a decorator that keeps the type of the function."""


@compiled
def count_ones(bits: Integer) -> np.int64:
    """Count the set bits of a 64-bit integer, in pairs, groups of four and bytes (Warren, *Hacker's Delight*, 5-1)."""
    bits = numba.uint64(bits)
    bits -= (bits >> numba.uint64(1)) & numba.uint64(0x5555555555555555)
    pairs = numba.uint64(0x3333333333333333)
    bits = (bits & pairs) + ((bits >> numba.uint64(2)) & pairs)
    bits = (bits + (bits >> numba.uint64(4))) & numba.uint64(0x0F0F0F0F0F0F0F0F)
    return numba.int64((bits * numba.uint64(0x0101010101010101)) >> numba.uint64(56))


@compiled
def trailing_zeros(bits: Integer) -> np.int64:
    """Return the position of the lowest set bit of a 64-bit integer; 64 if it is 0."""
    bits = numba.uint64(bits)
    return count_ones(~bits & (bits - numba.uint64(1)))


@compiled
def leading_zeros(bits: Integer) -> np.int64:
    """Count the zeros above the highest set bit of a 64-bit integer; 64 if it is 0."""
    bits = numba.uint64(bits)
    for shift in (1, 2, 4, 8, 16, 32):
        bits |= bits >> numba.uint64(shift)
    return 64 - count_ones(bits)


@compiled
def prefetch(array: NDArray[Any], index: Integer) -> None:
    """Do nothing: prefetching changes no result."""


@compiled
def either(condition: bool, one: Option, other: Option) -> Option:
    """Compute `komi.branchless.either`, with a branch."""
    return one if condition else other
