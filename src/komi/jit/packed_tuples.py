"""Functions that pack named tuples of integers into keys, and build named tuples, as LLVM instructions.

The number of fields differs from game to game. In Python these functions would have a few lines for each field, and
numba's type inference would take longer over them than over the rules of a small game.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.base import BaseContext
from numba.core.typing.context import BaseContext as TypingContext
from numba.core.typing.templates import Signature
from numba.extending import intrinsic
from numba.np.arrayobj import load_item

from komi.jit.intrinsics import HALF_BITS, Intrinsic

WORD = ir.IntType(64)
LOW_HALF = WORD((1 << HALF_BITS) - 1)
MISFIT = WORD(-1)
TYPES = {bool: types.boolean, int: types.int64, float: types.float64}
LOWS, SHIFTS, MASKS = range(3)  # columns of a layout


def packing_functions(state_class: Any, steps: Sequence[int]) -> dict[str, Any]:
    """Return the functions that pack states of a class and unpack them, for compiled code.

    The steps of layouts are constants, so that compiled code divides by constants.

    Args:
        state_class: the class of states.
        steps: the step of each field.

    Returns:
        By name: `pack(layout, state)` and `unpack(layout, key)`; `pack_long(layout, state)` and
        `unpack_long(layout, high, low)` for keys of up to 126 bits; and for rows of an array of fields
        `state_from(fields, row)` and `state_inside(state, fields, row, inside)`.
    """
    state_type = types.BaseTuple.from_types((types.int64,) * len(steps), state_class)

    def pack(typing_context: TypingContext, layout: types.Type, state: types.Type) -> Intrinsic:
        def generate(
            context: BaseContext, builder: ir.IRBuilder, signature: Signature, arguments: Sequence[ir.Value]
        ) -> ir.Value:
            key, misfit = WORD(0), WORD(0)
            for offset, shift, outside in _offsets(context, builder, signature, arguments, steps):
                key = builder.or_(key, builder.shl(offset, shift))
                misfit = builder.or_(misfit, outside)
            return builder.select(_is_negative(builder, misfit), MISFIT, key)

        return types.int64(layout, state), generate

    def pack_long(typing_context: TypingContext, layout: types.Type, state: types.Type) -> Intrinsic:
        def generate(
            context: BaseContext, builder: ir.IRBuilder, signature: Signature, arguments: Sequence[ir.Value]
        ) -> ir.Value:
            high, low, misfit = WORD(0), WORD(0), WORD(0)
            for offset, shift, outside in _offsets(context, builder, signature, arguments, steps):
                is_high, above, below = _halves(builder, shift)
                added = builder.select(is_high, builder.shl(offset, above), builder.ashr(offset, below))
                high = builder.or_(high, added)
                rest = builder.and_(builder.shl(offset, shift), LOW_HALF)
                low = builder.or_(low, builder.select(is_high, WORD(0), rest))
                misfit = builder.or_(misfit, outside)
            is_outside = _is_negative(builder, misfit)
            halves = [builder.select(is_outside, MISFIT, half) for half in (high, low)]
            return context.make_tuple(builder, signature.return_type, halves)

        return types.UniTuple(types.int64, 2)(layout, state), generate

    def unpack(typing_context: TypingContext, layout: types.Type, key: types.Type) -> Intrinsic:
        def generate(
            context: BaseContext, builder: ir.IRBuilder, signature: Signature, arguments: Sequence[ir.Value]
        ) -> ir.Value:
            fields = []
            for i, step in enumerate(steps):
                low, shift, mask = _column_entries(context, builder, signature.args[0], arguments[0], i)
                fields.append(_field(builder, builder.ashr(arguments[1], shift), mask, low, step))
            return context.make_tuple(builder, state_type, fields)

        return state_type(layout, types.int64), generate

    def unpack_long(typing_context: TypingContext, layout: types.Type, high: types.Type, low: types.Type) -> Intrinsic:
        def generate(
            context: BaseContext, builder: ir.IRBuilder, signature: Signature, arguments: Sequence[ir.Value]
        ) -> ir.Value:
            layout_given, high_given, low_given = arguments
            fields = []
            for i, step in enumerate(steps):
                least, shift, mask = _column_entries(context, builder, signature.args[0], layout_given, i)
                is_high, above, below = _halves(builder, shift)
                across = builder.or_(builder.ashr(low_given, shift), builder.shl(high_given, below))
                offset = builder.select(is_high, builder.ashr(high_given, above), across)
                fields.append(_field(builder, offset, mask, least, step))
            return context.make_tuple(builder, state_type, fields)

        return state_type(layout, types.int64, types.int64), generate

    def state_from(typing_context: TypingContext, fields: types.Type, row: types.Type) -> Intrinsic:
        def generate(
            context: BaseContext, builder: ir.IRBuilder, signature: Signature, arguments: Sequence[ir.Value]
        ) -> ir.Value:
            values = list(_row(context, builder, signature.args[0], arguments[0], arguments[1], len(steps)))
            return context.make_tuple(builder, state_type, values)

        return state_type(fields, types.int64), generate

    def state_inside(
        typing_context: TypingContext, state: types.Type, fields: types.Type, row: types.Type, inside: types.Type
    ) -> Intrinsic:
        def generate(
            context: BaseContext, builder: ir.IRBuilder, signature: Signature, arguments: Sequence[ir.Value]
        ) -> ir.Value:
            state_given, fields_given, row_given, inside_given = arguments
            own = _fields(context, builder, signature.args[0], state_given)
            others = _row(context, builder, signature.args[1], fields_given, row_given, len(steps))
            marks = (_entry(context, builder, signature.args[3], inside_given, i) for i in range(len(steps)))
            values = [
                builder.select(cgutils.is_true(builder, mark), other, field)
                for field, other, mark in zip(own, others, marks, strict=True)
            ]
            return context.make_tuple(builder, state_type, values)

        return state_type(state, fields, types.int64, inside), generate

    functions: tuple[Callable[..., Intrinsic], ...] = (pack, pack_long, unpack, unpack_long, state_from, state_inside)
    return {function.__name__: _generated(function, (state_class, steps)) for function in functions}


def rules_reader(rules_class: Any) -> Any:
    """Return `rules_from(integers, floats)` for compiled code: it builds rules from arrays of the values of all."""
    kinds = [TYPES[kind_of_rule(default)] for default in rules_class._field_defaults.values()]
    rules_type = types.BaseTuple.from_types(kinds, rules_class)

    def rules_from(typing_context: TypingContext, integers: types.Type, floats: types.Type) -> Intrinsic:
        def generate(
            context: BaseContext, builder: ir.IRBuilder, signature: Signature, arguments: Sequence[ir.Value]
        ) -> ir.Value:
            values = []
            for i, kind in enumerate(kinds):
                number = int(kind == types.float64)
                value = _entry(context, builder, signature.args[number], arguments[number], i)
                values.append(context.cast(builder, value, signature.args[number].dtype, kind))
            return context.make_tuple(builder, rules_type, values)

        return rules_type(integers, floats), generate

    return _generated(rules_from, (rules_class, kinds))


def _generated(function: Callable[..., Intrinsic], closure: tuple[Any, Any]) -> Any:
    """Return a function as an intrinsic that is known by the class and the numbers for which it is made."""
    made_for, numbers = closure
    generated: Any = intrinsic(function)
    generated.digest = f"{function.__name__} {made_for.__module__}.{made_for.__qualname__}{made_for._fields} {numbers}"
    return generated


def kind_of_rule(default: object) -> type[bool | float | int]:
    """Return the kind of number that a rule with this default is in compiled code."""
    return bool if isinstance(default, bool) else float if isinstance(default, float) else int


def _offsets(
    context: BaseContext,
    builder: ir.IRBuilder,
    signature: Signature,
    arguments: Sequence[ir.Value],
    steps: Sequence[int],
) -> Iterator[tuple[ir.Value, ir.Value, ir.Value]]:
    """Yield (offset above the least value, shift, a number that is negative if it does not fit) of each field."""
    for i, field in enumerate(_fields(context, builder, signature.args[1], arguments[1])):
        low, shift, mask = _column_entries(context, builder, signature.args[0], arguments[0], i)
        outside, quotient = WORD(0), field
        if steps[i] != 1:
            quotient = builder.sdiv(field, WORD(steps[i]))
            is_exact = builder.icmp_signed("==", builder.mul(quotient, WORD(steps[i])), field)
            outside = builder.select(is_exact, WORD(0), MISFIT)
        offset = builder.sub(quotient, low)
        yield offset, shift, builder.or_(outside, builder.or_(offset, builder.sub(mask, offset)))


def _fields(context: BaseContext, builder: ir.IRBuilder, kind: types.Type, state: ir.Value) -> Iterator[ir.Value]:
    """Yield the fields of a named tuple as 64-bit integers."""
    for i, part in enumerate(kind.types):  # type: ignore[attr-defined]
        yield context.cast(builder, builder.extract_value(state, i), part, types.int64)


def _row(
    context: BaseContext, builder: ir.IRBuilder, kind: types.Type, fields: ir.Value, row: ir.Value, count: int
) -> Iterator[ir.Value]:
    """Yield the first entries of a row of a matrix of integers."""
    array = context.make_array(kind)(context, builder, fields)
    for i in range(count):
        place = cgutils.get_item_pointer(context, builder, kind, array, [row, WORD(i)])
        yield context.cast(builder, load_item(context, builder, kind, place), kind.dtype, types.int64)  # type: ignore[attr-defined]


def _column_entries(
    context: BaseContext, builder: ir.IRBuilder, kind: types.Type, layout: ir.Value, i: int
) -> list[ir.Value]:
    """Return the least value, the shift and the mask of a field, in a layout of tuples or of arrays."""
    columns = (LOWS, SHIFTS, MASKS)
    parts = [(kind.types[column], builder.extract_value(layout, column)) for column in columns]  # type: ignore[attr-defined]
    return [_entry(context, builder, part, value, i) for part, value in parts]


def _entry(context: BaseContext, builder: ir.IRBuilder, kind: types.Type, values: ir.Value, i: int) -> ir.Value:
    """Return an entry of an array or of a tuple of integers."""
    if not isinstance(kind, types.Array):
        return context.cast(builder, builder.extract_value(values, i), kind.types[i], types.int64)  # type: ignore[attr-defined]
    array = context.make_array(kind)(context, builder, values)
    return load_item(context, builder, kind, builder.gep(array.data, [WORD(i)]))


def _field(builder: ir.IRBuilder, offset: ir.Value, mask: ir.Value, low: ir.Value, step: int) -> ir.Value:
    """Return the value of a field, given its offset and higher bits."""
    return builder.mul(builder.add(builder.and_(offset, mask), low), WORD(step))


def _halves(builder: ir.IRBuilder, shift: ir.Value) -> tuple[ir.Value, ir.Value, ir.Value]:
    """Return whether a shift leads to the high half, by how much there, and how many bits are below its end else."""
    half = WORD(HALF_BITS)
    return builder.icmp_signed(">=", shift, half), builder.sub(shift, half), builder.sub(half, shift)


def _is_negative(builder: ir.IRBuilder, number: ir.Value) -> ir.Value:
    return builder.icmp_signed("<", number, WORD(0))
