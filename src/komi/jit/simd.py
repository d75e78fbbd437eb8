"""Vectorized Bellman backups: one instruction processes several numbers, eight with AVX-512."""

from collections.abc import Callable, Sequence
from typing import NamedTuple, cast

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.base import BaseContext
from numba.core.typing.context import BaseContext as TypingContext
from numba.core.typing.templates import Signature
from numba.extending import intrinsic

from komi.arrays import F64, I32, I64
from komi.jit.intrinsics import Intrinsic
from komi.jit.plain_numba import PLAIN_NUMBA, compiled

LANES = 8
"""The number of SIMD lanes, and the size of the last dimension of arrays."""
_NUMBER = ir.DoubleType()
_VECTOR = ir.VectorType(_NUMBER, LANES)
_INDEX = ir.IntType(64)
_LANE = ir.IntType(32)


class Sums(NamedTuple):
    """The weighted sums whose maxima are the values of equations: one for each action."""

    gain: F64  # float64[actions], added to each sum
    terms_end: I64  # int64[actions], one past the last term of each action
    weight: F64  # float64[terms]
    target: I32  # int32[terms], indices of equations


def back_up_lanes(
    value: F64, row: int, largest: F64, first: int, end: int, term: int, factor: float, sums: Sums
) -> int:
    """Back up one equation in all lanes: set its value to the maximum of itself and the sums of its actions.

    Args:
        value: float64[rows, LANES], modified in place.
        row: the index of the equation.
        largest: float64[LANES], the largest magnitude of a sum or a value so far, updated in place.
        first, end: the range of its actions.
        term: the index of the first term of the first action.
        factor: the sum of an action is `factor` times its gain, plus its terms.
        sums: the sums of all actions.

    Returns:
        One past the index of the last term.
    """
    begin = term
    for lane in range(value.shape[1]):
        best, greatest = value[row, lane], largest[lane]
        term = begin
        for action in range(first, end):
            total = factor * sums.gain[action]
            while term < sums.terms_end[action]:
                total += sums.weight[term] * value[sums.target[term], lane]
                term += 1
            if total > best:
                best = total
            if abs(total) > greatest:
                greatest = abs(total)
        value[row, lane] = best
        largest[lane] = max(greatest, abs(best))
    return term


def _back_up_row(  # as many parameters as `back_up_lanes`, and numba's typing context
    typing_context: TypingContext,
    value: types.Type,
    row: types.Type,
    largest: types.Type,
    first: types.Type,
    end: types.Type,
    term: types.Type,
    factor: types.Type,
    sums: types.Type,
) -> Intrinsic:
    """Back up one equation with one vector instruction for all lanes: see `back_up_lanes`."""
    index = types.int64
    return index(value, index, largest, index, index, index, types.float64, sums), _generate_backup


def _generate_backup(
    context: BaseContext, builder: ir.IRBuilder, signature: Signature, arguments: Sequence[ir.Value]
) -> ir.Value:
    """Generate the instructions of `_back_up_row`."""

    def data(kind: types.Type, array: ir.Value) -> ir.Value:
        return context.make_array(kind)(context, builder, array).data

    def entry(array: ir.Value, index: ir.Value) -> ir.Value:
        return builder.load(builder.gep(array, [index]))

    def vector_at(array: ir.Value, index: ir.Value) -> ir.Value:
        return builder.gep(builder.bitcast(array, _VECTOR.as_pointer()), [index])

    value, row, largest, first, end, begin, factor, sums = arguments
    fields = zip(signature.args[-1].types, cgutils.unpack_tuple(builder, sums), strict=True)
    gain, terms_end, weight, target = (data(kind, array) for kind, array in fields)
    values = data(signature.args[0], value)
    own, own_largest = vector_at(values, row), data(signature.args[2], largest)
    own_largest = vector_at(own_largest, _INDEX(0))
    best, greatest, total = (cgutils.alloca_once(builder, _VECTOR) for _ in range(3))
    begun = cgutils.alloca_once(builder, _INDEX)
    builder.store(_load(builder, own), best)
    builder.store(_load(builder, own_largest), greatest)
    builder.store(begin, begun)
    with cgutils.for_range_slice(builder, first, end, _INDEX(1)) as (action, _):
        builder.store(_splat(builder, builder.fmul(factor, entry(gain, action))), total)
        end_term = entry(terms_end, action)
        with cgutils.for_range_slice(builder, builder.load(begun), end_term, _INDEX(1)) as (term, _):
            after = _load(builder, vector_at(values, builder.sext(entry(target, term), _INDEX)))
            product = builder.fmul(_splat(builder, entry(weight, term)), after)
            builder.store(builder.fadd(builder.load(total), product), total)
        builder.store(end_term, begun)
        _raise_to(builder, best, builder.load(total))
        _raise_to(builder, greatest, _magnitude(builder, builder.load(total)))
    _raise_to(builder, greatest, _magnitude(builder, builder.load(best)))
    builder.store(builder.load(best), own, align=8)
    builder.store(builder.load(greatest), own_largest, align=8)
    return builder.load(begun)


def _load(builder: ir.IRBuilder, pointer: ir.Value) -> ir.Value:
    """Load a vector that is aligned as its numbers are."""
    return builder.load(pointer, align=8)


def _splat(builder: ir.IRBuilder, number: ir.Value) -> ir.Value:
    """Return the vector of this number in all lanes."""
    undefined = ir.Constant(_VECTOR, ir.Undefined)
    mask = ir.Constant(ir.VectorType(_LANE, LANES), [0] * LANES)
    return builder.shuffle_vector(builder.insert_element(undefined, number, _LANE(0)), undefined, mask)


def _magnitude(builder: ir.IRBuilder, vector: ir.Value) -> ir.Value:
    function = builder.module.declare_intrinsic(f"llvm.fabs.v{LANES}f64", (), ir.FunctionType(_VECTOR, [_VECTOR]))
    return builder.call(function, [vector])


def _raise_to(builder: ir.IRBuilder, variable: ir.Value, vector: ir.Value) -> None:
    """Set a variable to the maximum of itself and a vector, in each lane."""
    before = builder.load(variable)
    builder.store(builder.select(builder.fcmp_ordered(">", vector, before), vector, before), variable)


back_up_row = cast(
    Callable[[F64, int, F64, int, int, int, float, Sums], int],
    compiled(back_up_lanes) if PLAIN_NUMBA else intrinsic(_back_up_row),
)
"""`back_up_lanes`, compiled: lane by lane with plain numba, otherwise with vector instructions."""
