"""Bit counting that numba does not offer: one machine instruction."""

from collections.abc import Callable
from typing import Any, cast

import numba
from numba.core import types
from numba.extending import intrinsic


def _count_ones(typing_context: Any, word: Any) -> Any:
    """How many bits of a 64-bit word are set."""
    signature = types.int64(types.uint64)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return signature, generate


def _trailing_zeros(typing_context: Any, word: Any) -> Any:
    """The position of the lowest set bit of a 64-bit word; 64 if there is none."""
    signature = types.int64(types.uint64)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], context.get_constant(types.boolean, False))

    return signature, generate


def _leading_zeros(typing_context: Any, word: Any) -> Any:
    """How many bits of a 64-bit word are above its highest set bit; 64 if there is none."""
    signature = types.int64(types.uint64)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctlz(arguments[0], context.get_constant(types.boolean, False))

    return signature, generate


count_ones = cast(Callable[[Any], int], intrinsic(_count_ones))
trailing_zeros = cast(Callable[[Any], int], intrinsic(_trailing_zeros))
leading_zeros = cast(Callable[[Any], int], intrinsic(_leading_zeros))


@numba.njit
def rank(bits: Any, ranks: Any, word: int) -> int:
    """How many members of the set `bits` are below `word`; `ranks` has the count before each block."""
    block = word >> 6
    below = bits[block] & ((numba.uint64(1) << numba.uint64(word & 63)) - numba.uint64(1))
    return ranks[block] + count_ones(below)  # type: ignore[no-any-return]
