"""Vectorized Bellman backups: one instruction processes several numbers, eight with AVX-512."""

from collections.abc import Callable
from typing import Any, cast

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from komi.jit import plain_numba

LANES = 8
"""The number of SIMD lanes, and the size of the last dimension of arrays."""
_NUMBER = ir.DoubleType()
_SIDE_BY_SIDE = ir.VectorType(_NUMBER, LANES)
_INDEX = ir.IntType(64)


def _back_up_row(
    typing_context: Any,
    value: Any,
    row: Any,
    largest: Any,
    first: Any,
    end: Any,
    term: Any,
    factor: Any,
    gain: Any,
    terms_end: Any,
    weight: Any,
    target: Any,
) -> Any:
    """Back up one equation in all lanes: set its value to the maximum of itself and the sums of its actions.

    Args:
        value: float64[rows, LANES], modified in place.
        row: the index of the equation.
        largest: float64[LANES], the largest magnitude of a sum or a value so far, updated in place.
        first, end: the range of its actions.
        term: the index of the first term of the first action.
        factor: the sum of an action is `factor` times its gain, plus its terms.
        gain: float64[actions].
        terms_end: int64[actions], one past the last term of each action.
        weight: float64[terms].
        target: int32[terms], indices of equations.

    Returns:
        One past the index of the last term.
    """
    signature = types.int64(
        value,
        types.int64,
        largest,
        types.int64,
        types.int64,
        types.int64,
        types.float64,
        gain,
        terms_end,
        weight,
        target,
    )

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        def data(place: int) -> Any:
            return context.make_array(signature.args[place])(context, builder, arguments[place]).data

        def entry(place: int, index: Any) -> Any:
            return builder.load(builder.gep(data(place), [index]))

        def splat(number: Any) -> Any:
            one = builder.insert_element(ir.Constant(_SIDE_BY_SIDE, ir.Undefined), number, ir.IntType(32)(0))
            mask = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)
            return builder.shuffle_vector(one, ir.Constant(_SIDE_BY_SIDE, ir.Undefined), mask)

        def lanes(place: int, index: Any) -> Any:
            return builder.gep(builder.bitcast(data(place), _SIDE_BY_SIDE.as_pointer()), [index])

        def load(pointer: Any) -> Any:
            return builder.load(pointer, align=8)

        def raise_to(variable: Any, vector: Any) -> None:
            before = builder.load(variable)
            builder.store(builder.select(builder.fcmp_ordered(">", vector, before), vector, before), variable)

        kind = ir.FunctionType(_SIDE_BY_SIDE, [_SIDE_BY_SIDE])
        magnitude = builder.module.declare_intrinsic(f"llvm.fabs.v{LANES}f64", (), kind)
        best, most, total, begun = (
            cgutils.alloca_once(builder, each) for each in (_SIDE_BY_SIDE, _SIDE_BY_SIDE, _SIDE_BY_SIDE, _INDEX)
        )
        own = lanes(0, arguments[1])
        builder.store(load(own), best)
        builder.store(load(lanes(2, _INDEX(0))), most)
        builder.store(arguments[5], begun)
        with cgutils.for_range_slice(builder, arguments[3], arguments[4], _INDEX(1)) as (action, _):
            builder.store(splat(builder.fmul(arguments[6], entry(7, action))), total)
            end_term = entry(8, action)
            with cgutils.for_range_slice(builder, builder.load(begun), end_term, _INDEX(1)) as (term, _):
                after = load(lanes(0, builder.sext(entry(10, term), _INDEX)))
                product = builder.fmul(splat(entry(9, term)), after)
                builder.store(builder.fadd(builder.load(total), product), total)
            builder.store(end_term, begun)
            raise_to(best, builder.load(total))
            raise_to(most, builder.call(magnitude, [builder.load(total)]))
        raise_to(most, builder.call(magnitude, [builder.load(best)]))
        builder.store(builder.load(best), own, align=8)
        builder.store(builder.load(most), lanes(2, _INDEX(0)), align=8)
        return builder.load(begun)

    return signature, generate


back_up_row = cast(Callable[..., int], plain_numba.back_up_row if plain_numba.PLAIN_NUMBA else intrinsic(_back_up_row))
