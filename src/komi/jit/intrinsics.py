"""LLVM intrinsics that numba does not offer: population count, bit scans, atomic OR, prefetch, PDEP and select.

With plain numba, `plain_numba` replaces all but the atomic OR.
"""

from collections.abc import Callable, Sequence
from typing import Any, cast

import numba
import numpy as np
from llvmlite import ir
from llvmlite.binding import get_host_cpu_features, get_host_cpu_name
from numba.core import cgutils, types
from numba.core.base import BaseContext
from numba.core.errors import TypingError
from numba.core.typing.context import BaseContext as TypingContext
from numba.core.typing.templates import Signature
from numba.extending import intrinsic
from numpy.typing import NDArray

from komi import bitset, branchless
from komi.arrays import I32, U64
from komi.game import put
from komi.jit import plain_numba
from komi.jit.plain_numba import PLAIN_NUMBA, compiled
from komi.typing import CompiledFunction, Integer

Generate = Callable[[BaseContext, ir.IRBuilder, Signature, Sequence[ir.Value]], ir.Value]
"""A function that emits LLVM instructions."""
Intrinsic = tuple[Signature, Generate]
"""The result of a function with numba's decorator `intrinsic`: types, and the function that emits the code."""
_Scan = Callable[[Integer], Integer]
_DEFINED_FOR_ZERO = ir.IntType(1)(0)  # bit scans of 0 have a result


def _scan(plain: _Scan, emit: Callable[[ir.IRBuilder, ir.Value], ir.Value]) -> _Scan:
    """Return a function of a 64-bit integer that is one instruction, or with plain numba its portable form."""

    def scan(typing_context: TypingContext, bits: types.Type) -> Intrinsic:
        return types.int64(types.uint64), lambda context, builder, signature, arguments: emit(builder, arguments[0])

    return plain if PLAIN_NUMBA else cast(_Scan, intrinsic(scan))


count_ones = _scan(plain_numba.count_ones, lambda builder, bits: builder.ctpop(bits))
trailing_zeros = _scan(plain_numba.trailing_zeros, lambda builder, bits: builder.cttz(bits, _DEFINED_FOR_ZERO))
leading_zeros = _scan(plain_numba.leading_zeros, lambda builder, bits: builder.ctlz(bits, _DEFINED_FOR_ZERO))


def _prefetch(typing_context: TypingContext, array: types.Type, index: types.Type) -> Intrinsic:
    """Prefetch an array entry that will be read soon; an index out of range is harmless."""
    signature = types.void(array, index)

    def generate(
        context: BaseContext, builder: ir.IRBuilder, signature: Signature, arguments: Sequence[ir.Value]
    ) -> ir.Value:
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        word = ir.IntType(32)
        address = builder.bitcast(builder.gep(data, [arguments[1]]), ir.IntType(8).as_pointer())
        kind = ir.FunctionType(ir.VoidType(), [address.type, word, word, word])
        instruction = builder.module.declare_intrinsic("llvm.prefetch", (address.type,), kind)
        read, keep, data_cache = word(0), word(3), word(1)
        builder.call(instruction, [address, read, keep, data_cache])
        return context.get_dummy_value()

    return signature, generate


prefetch = cast(Callable[[NDArray[Any], Integer], None], plain_numba.prefetch if PLAIN_NUMBA else intrinsic(_prefetch))


def _fetch_or(typing_context: TypingContext, words: types.Type, index: types.Type, bits: types.Type) -> Intrinsic:
    """Set bits of an entry of an array of 64-bit integers atomically, and return its previous value."""
    signature = types.uint64(words, index, types.uint64)

    def generate(
        context: BaseContext, builder: ir.IRBuilder, signature: Signature, arguments: Sequence[ir.Value]
    ) -> ir.Value:
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        return builder.atomic_rmw("or", builder.gep(data, [arguments[1]]), arguments[2], "monotonic")

    return signature, generate


fetch_or = cast(Callable[[U64, Integer, Integer], int], intrinsic(_fetch_or))


@compiled
def rank(bits: U64, ranks: I32, key: Integer) -> int:
    """Count the elements of the set `bits` below `key`; `ranks` holds the number of elements before each block."""
    block = key >> 6
    below = bits[block] & ((numba.uint64(1) << numba.uint64(key & 63)) - numba.uint64(1))
    return ranks[block] + count_ones(below)  # type: ignore[no-any-return]


HALF_BITS = 63
"""The number of bits in the low half of a packed state that is stored as two integers."""
_LOW = (1 << HALF_BITS) - 1


def insert_field(high: int, low: int, field: int, shift: int) -> tuple[int, int]:
    """Insert a field into the two halves of a packed state, which has zeros there."""
    if shift >= HALF_BITS:
        return high | field << (shift - HALF_BITS), low
    return high | field >> (HALF_BITS - shift), low | (field << shift) & _LOW


def extract_field(high: int, low: int, shift: int, mask: int) -> int:
    """Extract a field from the two halves of a packed state."""
    if shift >= HALF_BITS:
        return (high >> (shift - HALF_BITS)) & mask
    return (low >> shift | high << (HALF_BITS - shift)) & mask


def hash_key(high: Integer, low: Integer) -> np.uint64:
    """Hash a packed state: every bit of the hash depends on all bits of both halves (D. Stafford, mix 13)."""
    hashed = numba.uint64(low) + numba.uint64(high) * numba.uint64(0x9E3779B97F4A7C15)
    hashed = (hashed ^ (hashed >> numba.uint64(30))) * numba.uint64(0xBF58476D1CE4E5B9)
    hashed = (hashed ^ (hashed >> numba.uint64(27))) * numba.uint64(0x94D049BB133111EB)
    return hashed ^ (hashed >> numba.uint64(31))


def _deposit_bits(typing_context: TypingContext, bits: types.Type, mask: types.Type) -> Intrinsic:
    """Move the lowest bits of an integer to the set bits of the mask (the instruction PDEP)."""
    signature = types.uint64(types.uint64, types.uint64)

    def generate(
        context: BaseContext, builder: ir.IRBuilder, signature: Signature, arguments: Sequence[ir.Value]
    ) -> ir.Value:
        word = arguments[0].type
        instruction = builder.module.declare_intrinsic("llvm.x86.bmi.pdep.64", (), ir.FunctionType(word, [word, word]))
        return builder.call(instruction, arguments)

    return signature, generate


deposit_bits = cast(Callable[[Integer, Integer], int], intrinsic(_deposit_bits))


def _whole(typing_context: TypingContext, number: types.Type) -> Intrinsic:
    """Return an integer; code that passes anything else does not compile, where an array of integers would cut it."""
    if not isinstance(number, types.Integer | types.Boolean):
        raise TypingError(f"a state, an action or a number of seats passed on is {number}, not a whole number")
    return types.int64(types.int64), lambda context, builder, signature, arguments: arguments[0]


whole = cast(Callable[[Integer], int], intrinsic(_whole))


def _has_fast_pdep() -> bool:
    """Return whether PDEP is fast: some processors lack it, and on Zen 1 and Zen 2 it takes hundreds of cycles."""
    return bool(get_host_cpu_features().get("bmi2")) and get_host_cpu_name() not in ("znver1", "znver2")


def _either(typing_context: TypingContext, condition: types.Type, one: types.Type, other: types.Type) -> Intrinsic:
    """Compile `komi.branchless.either` to one `select` instruction for each element of a tuple."""
    kind = typing_context.unify_types(one, other)
    parts = tuple(getattr(kind, "types", (kind,)))  # the elements of a tuple, or the number itself
    if not all(isinstance(part, (types.Number, types.Boolean)) for part in parts):
        raise TypingError(f"'either' chooses between numbers, or tuples of numbers, of one type: not {one} and {other}")
    signature = kind(types.boolean, one, other)

    def generate(
        context: BaseContext, builder: ir.IRBuilder, signature: Signature, arguments: Sequence[ir.Value]
    ) -> ir.Value:
        condition, *options = arguments
        if_true, if_false = (
            context.cast(builder, option, given, signature.return_type)
            for option, given in zip(options, signature.args[1:], strict=True)
        )
        if not isinstance(signature.return_type, types.BaseTuple):
            return builder.select(condition, if_true, if_false)
        parts = zip(cgutils.unpack_tuple(builder, if_true), cgutils.unpack_tuple(builder, if_false), strict=True)
        chosen = [builder.select(condition, part, other_part) for part, other_part in parts]
        return context.make_tuple(builder, signature.return_type, chosen)

    return signature, generate


def length(members: int) -> int:
    """Compute `komi.bitset.length` with one instruction."""
    return 64 - leading_zeros(numba.uint64(members))


def count(members: int) -> Integer:
    """Compute `komi.bitset.count` with one instruction."""
    return count_ones(numba.uint64(members))


def nth(members: int, index: int) -> int:
    """Compute `komi.bitset.nth` by bisection: descend into the half that contains the bit."""
    position = 0
    for width in (32, 16, 8, 4, 2, 1):
        below = count_ones(numba.uint64((members >> position) & ((1 << width) - 1)))
        if index >= below:
            index -= below
            position += width
    return 1 << position & members  # empty if there is no such element


def _nth_with_pdep(members: int, index: int) -> np.int64:
    """Compute `komi.bitset.nth` with one instruction."""
    return numba.int64(deposit_bits(numba.uint64(1) << numba.uint64(index), numba.uint64(members)))


_length, _count = compiled(length), compiled(count)
_nth = compiled(_nth_with_pdep if _has_fast_pdep() and not PLAIN_NUMBA else nth)


@compiled
def _checked_length(members: int) -> int:
    if members < 0:
        raise ValueError("a set is a negative number")
    return _length(members)


@compiled
def _checked_count(members: int) -> Integer:
    if members < 0:
        raise ValueError("a set is a negative number")
    return _count(members)


@compiled
def _checked_nth(members: int, index: int) -> Integer:
    if members < 0 or index < 0 or index > HALF_BITS:
        raise ValueError("a set is a negative number, or has no such element")
    return _nth(members, index)


NATIVE_REPLACEMENTS: dict[Callable[..., object], CompiledFunction] = {
    bitset.count: _count,
    bitset.length: _length,
    bitset.nth: _nth,
    branchless.either: plain_numba.either if PLAIN_NUMBA else intrinsic(_either),
    put: put,
}
"""Compiled replacements for library functions that rule files can call; itself one for which there is an overload."""

CHECKED_REPLACEMENTS: dict[Callable[..., object], CompiledFunction] = {
    bitset.count: _checked_count,
    bitset.length: _checked_length,
    bitset.nth: _checked_nth,
}
"""Replacements in compiled rules with tests: they raise an error where the others would differ from Python."""
