"""Bit counting that numba does not offer: one machine instruction."""

from typing import Any

import numba
from numba.core import types
from numba.extending import intrinsic


@intrinsic
def count_ones(typing_context: Any, word: Any) -> Any:
    """How many bits of a 64-bit word are set."""
    signature = types.int64(types.uint64)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return signature, generate


@intrinsic
def trailing_zeros(typing_context: Any, word: Any) -> Any:
    """The position of the lowest set bit of a 64-bit word; 64 if there is none."""
    signature = types.int64(types.uint64)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], context.get_constant(types.boolean, False))

    return signature, generate


@intrinsic
def leading_zeros(typing_context: Any, word: Any) -> Any:
    """How many bits above the highest set bit of a 64-bit word; 64 if there is none."""
    signature = types.int64(types.uint64)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctlz(arguments[0], context.get_constant(types.boolean, False))

    return signature, generate


@numba.njit
def rank(bits: Any, ranks: Any, word: int) -> int:
    """How many members of the set `bits` are below `word`; `ranks` has the count before each block."""
    block = word >> 6
    below = bits[block] & ((numba.uint64(1) << numba.uint64(word & 63)) - numba.uint64(1))
    return ranks[block] + count_ones(below)  # type: ignore[no-any-return, call-arg]
