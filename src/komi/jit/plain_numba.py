"""Switch to plain numba, and portable functions in the place of LLVM instructions.

With the environment variable `KOMI_PLAIN_NUMBA=1` kernels are compiled by numba's own compiler: without link-time
optimization, reference-count elision and unsigned indices, and with the functions of this module for bit operations and
SIMD backups. The results are the same to the last bit; compiling and solving take longer. Atomic operations
(`intrinsics.fetch_or`) have no portable form and stay.
"""

import os
from typing import Any

import numba

from komi.arrays import F64, I32, I64

PLAIN_NUMBA = os.environ.get("KOMI_PLAIN_NUMBA", "") not in ("", "0")
"""True if kernels run on numba's own compiler."""


@numba.njit
def count_ones(bits: Any) -> int:
    """Count the set bits of a 64-bit integer, in pairs, groups of four and bytes (Warren, *Hacker's Delight*, 5-1)."""
    bits = numba.uint64(bits)
    bits -= (bits >> numba.uint64(1)) & numba.uint64(0x5555555555555555)
    pairs = numba.uint64(0x3333333333333333)
    bits = (bits & pairs) + ((bits >> numba.uint64(2)) & pairs)
    bits = (bits + (bits >> numba.uint64(4))) & numba.uint64(0x0F0F0F0F0F0F0F0F)
    return numba.int64((bits * numba.uint64(0x0101010101010101)) >> numba.uint64(56))  # type: ignore[no-any-return]


@numba.njit
def trailing_zeros(bits: Any) -> int:
    """Return the position of the lowest set bit of a 64-bit integer; 64 if it is 0."""
    bits = numba.uint64(bits)
    return count_ones(~bits & (bits - numba.uint64(1)))  # type: ignore[no-any-return]


@numba.njit
def leading_zeros(bits: Any) -> int:
    """Count the zeros above the highest set bit of a 64-bit integer; 64 if it is 0."""
    bits = numba.uint64(bits)
    for shift in (1, 2, 4, 8, 16, 32):
        bits |= bits >> numba.uint64(shift)
    return 64 - count_ones(bits)  # type: ignore[no-any-return]


@numba.njit
def prefetch(array: Any, index: Any) -> None:
    """Do nothing: prefetching changes no result."""


@numba.njit
def either(condition: Any, one: Any, other: Any) -> Any:
    """Compute `komi.branchless.either`, with a branch."""
    return one if condition else other


@numba.njit
def back_up_row(
    value: F64,
    row: int,
    largest: F64,
    first: int,
    end: int,
    term: int,
    factor: float,
    gain: F64,
    terms_end: I64,
    weight: F64,
    target: I32,
) -> int:
    """Back up one equation in all lanes, one lane after the other: see `simd`."""
    begin = term
    for lane in range(value.shape[1]):
        best, greatest = value[row, lane], largest[lane]
        term = begin
        for action in range(first, end):
            total = factor * gain[action]
            while term < terms_end[action]:
                total += weight[term] * value[target[term], lane]
                term += 1
            if total > best:
                best = total
            if abs(total) > greatest:
                greatest = abs(total)
        value[row, lane] = best
        largest[lane] = max(greatest, abs(best))
    return term
