"""Compiled functions and arrays by their addresses: how code that is compiled once calls code of one game.

A kernel that is called by its address has the arguments (context, high, low): the address of a *context*, which is an
array of the addresses of all arrays that it reads and writes, and the halves of a key. It returns an integer.
"""

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.core.base import BaseContext
from numba.core.typing.context import BaseContext as TypingContext
from numba.core.typing.templates import Signature
from numba.extending import intrinsic
from numba.np.arrayobj import populate_array
from numpy.typing import NDArray

from komi.arrays import I64
from komi.jit.intrinsics import Intrinsic

RAISED = -(1 << 62)
"""Returned by `call_at` if the called function raises an error."""
ITEM_BYTES = 8


def _array_at(item: types.Type) -> Any:
    """Return a function of an address and a shape that returns the array there."""

    def array_at(typing_context: TypingContext, address: types.Type, shape: types.Type) -> Intrinsic:
        """Return the array of 64-bit items with this shape, an integer or a pair of integers, at an address."""
        kind = types.Array(item, 2 if isinstance(shape, types.BaseTuple) else 1, "C")

        def generate(
            context: BaseContext, builder: ir.IRBuilder, signature: Signature, arguments: Sequence[ir.Value]
        ) -> ir.Value:
            given, shape_given = arguments
            sizes = cgutils.unpack_tuple(builder, shape_given) if kind.ndim == 2 else [shape_given]
            words = [builder.sext(size, WORD) if size.type.width < WORD.width else size for size in sizes]
            strides = [WORD(ITEM_BYTES)]
            if kind.ndim == 2:
                strides.insert(0, builder.mul(words[1], WORD(ITEM_BYTES)))
            array = context.make_array(kind)(context, builder)
            data = builder.inttoptr(given, context.get_data_type(item).as_pointer())
            populate_array(array, data, words, strides, WORD(ITEM_BYTES), None)
            return array._getvalue()

        return kind(types.int64, shape), generate

    return intrinsic(array_at)


WORD = ir.IntType(64)
integers_at = _array_at(types.int64)
floats_at = _array_at(types.float64)


def _call_at(
    typing_context: TypingContext, function: types.Type, context_given: types.Type, high: types.Type, low: types.Type
) -> Intrinsic:
    """Call the kernel at an address; return RAISED if it raises an error, which is lost."""

    def generate(
        context: BaseContext, builder: ir.IRBuilder, signature: Signature, arguments: Sequence[ir.Value]
    ) -> ir.Value:
        kind = cast(Any, context).call_conv.get_function_type(types.int64, (types.int64,) * 3)
        result = cgutils.alloca_once(builder, WORD)
        error = cgutils.alloca_once(builder, kind.args[1].pointee)
        builder.store(WORD(0), result)
        status = builder.call(builder.inttoptr(arguments[0], kind.as_pointer()), [result, error, *arguments[1:]])
        returned = builder.icmp_signed("==", status, status.type(0))
        return builder.select(returned, builder.load(result), WORD(RAISED))

    return types.int64(*(types.int64,) * 4), generate


call_at = cast(Any, intrinsic(_call_at))


def context_of(arrays: Sequence[NDArray[Any]]) -> I64:
    """Return a context: the addresses of contiguous arrays, which the caller must keep as long as it is in use."""
    return np.array([array.__array_interface__["data"][0] for array in arrays], np.int64)
