"""Arithmetic of compiled rules as Python has it: what 64 bits or a float cannot represent raises OverflowError.

Numba's integers wrap at 64 bits. The code that `CheckedCompiler` generates tests every operation on integers: it wraps
nowhere, and differs from Python nowhere. This takes time in inner loops, so rules are compiled both with and without
these tests, and the kernels that visit every state once run them with tests.
"""

import math
import operator
from collections.abc import Callable, Sequence
from typing import Any, cast

from llvmlite import ir
from numba.core import types
from numba.core.base import BaseContext
from numba.core.compiler import DefaultPassBuilder
from numba.core.compiler_machinery import PassManager, register_pass
from numba.core.ir import Assign, Expr, Var
from numba.core.lowering import Lower
from numba.core.typed_passes import BaseNativeLowering, NativeLowering
from numba.core.typing.context import BaseContext as TypingContext
from numba.core.typing.templates import Signature, signature
from numba.core.untyped_passes import IRProcessing
from numba.extending import intrinsic
from numba.misc.special import literal_unroll

from komi.jit.intrinsics import Intrinsic
from komi.jit.linking import RulesCompiler
from komi.jit.plain_numba import PLAIN_NUMBA
from komi.jit.unbound_locals import UnboundLocals

WORD = ir.IntType(64)
MIN_INTEGER = WORD(-(1 << 63))
MAX_EXACT = 1 << 53  # all integers up to this one are floats
MAX_COUNT = 1 << 61  # two such numbers are less than 63 bits apart
OVERFLOWING = {
    operator.add: ir.IRBuilder.sadd_with_overflow,
    operator.sub: ir.IRBuilder.ssub_with_overflow,
    operator.mul: ir.IRBuilder.smul_with_overflow,
}
MAGNITUDES = (abs, math.gcd, math.lcm)
"""Functions of integers that compute absolute values, which the least integer does not have."""
COUNTING = (range, enumerate)
"""Functions whose numbers numba counts with 64 bits."""
WIDE, SHIFTED, INEXACT = "exceeds 64 bits", "is shifted by more than 63 bits", "exceeds 2**53 and becomes a float"


class CheckedLower(Lower):
    """Numba's code generator, with tests of the operations on integers."""

    def lower_assign(self, kind: types.Type, statement: Assign) -> ir.Value:
        """Generate the value of an assignment."""
        if isinstance(statement.value, Var) and isinstance(kind, types.Float):
            self._check_conversion(statement.value)
        return super().lower_assign(kind, statement)  # type: ignore[no-untyped-call]

    def lower_expr(self, kind: types.Type, expr: Expr) -> ir.Value:
        """Generate the value of an expression."""
        operands, function = self._operation(expr)
        kinds = list(map(self._type, operands))
        if function in COUNTING:
            for operand in operands:
                self._check_count(operand)
        if function is sum and isinstance(kind, types.Integer):
            return self._compiled(_adder(kinds), kind, kinds, list(map(self._value, operands)))
        are_integers = bool(kinds) and all(isinstance(each, types.Integer | types.Boolean) for each in kinds)
        if are_integers:
            words = [self._word(operand) for operand in operands]
            for each in kinds:
                if each == types.uint64:  # a constant above the greatest signed integer
                    self.raise_if(ir.IntType(1)(1), WIDE)
            computed = None if isinstance(kind, types.Float) else self._computed(function, words)
            if computed is not None:
                return self.context.cast(self.builder, computed, types.int64, kind)
        are_floats = isinstance(kind, types.Float) or any(isinstance(each, types.Float) for each in kinds)
        if are_floats and (expr.op != "call" or function in (min, max)):
            for operand in operands:
                self._check_conversion(operand)
        if isinstance(kind, types.Integer):
            for operand in operands:
                self._check_range(operand)
        return super().lower_expr(kind, expr)  # type: ignore[no-untyped-call]

    def raise_if(self, is_wrong: ir.Value, what: str) -> None:
        """Generate code that raises OverflowError under a condition."""
        raise_if(self.context, self.builder, is_wrong, f"a number in {self.func_ir.func_id.func.__name__!r} {what}")

    def _operation(self, expr: Expr) -> tuple[list[Var], Any]:
        """Return the operands and the operator, or library function, of an expression; none if it has another kind."""
        match expr.op:
            case "binop":
                return [expr.lhs, expr.rhs], expr.fn
            case "inplace_binop":
                return [expr.lhs, expr.rhs], expr.immutable_fn
            case "unary":
                return [expr.value], expr.fn
            case "call" if not expr.vararg:
                function = getattr(self._type(expr.func), "typing_key", None)
                return ([*expr.args, *(value for _, value in expr.kws)] if function else []), function
        return [], None

    def _computed(self, function: Any, words: list[ir.Value]) -> ir.Value | None:
        """Test an operation on integers; return its value, or None if numba's own code is right after the test."""
        builder = self.builder
        if function in OVERFLOWING:
            return self._exact(function, *words)
        if function is operator.neg:
            return self._exact(operator.sub, WORD(0), *words)
        if function in (operator.pow, pow) and len(words) == 2:
            return self._compiled(power, types.int64, [types.int64] * 2, words)
        if function in (operator.floordiv, operator.mod, divmod):
            dividend, divisor = words
            is_least = builder.icmp_signed("==", dividend, MIN_INTEGER)
            self.raise_if(builder.and_(is_least, builder.icmp_signed("==", divisor, WORD(-1))), WIDE)
        elif function in (operator.lshift, operator.rshift):
            number, count = words
            self.raise_if(builder.icmp_unsigned(">", count, WORD(63)), SHIFTED)
            if function is operator.lshift:
                restored = builder.ashr(builder.shl(number, count), count)
                self.raise_if(builder.icmp_signed("!=", restored, number), WIDE)
        elif function in MAGNITUDES:
            for word in words:
                self.raise_if(builder.icmp_signed("==", word, MIN_INTEGER), WIDE)
        return None

    def _exact(self, function: Any, one: ir.Value, other: ir.Value) -> ir.Value:
        result = OVERFLOWING[function](self.builder, one, other)
        self.raise_if(self.builder.extract_value(result, 1), WIDE)
        return self.builder.extract_value(result, 0)

    def _compiled(
        self, function: Callable[..., Any], kind: types.Type, kinds: list[types.Type], values: list[ir.Value]
    ) -> ir.Value:
        return self.context.compile_internal(self.builder, function, signature(kind, *kinds), values)

    def _word(self, operand: Var) -> ir.Value:
        return self.context.cast(self.builder, self._value(operand), self._type(operand), types.int64)

    def _type(self, operand: Var) -> types.Type:
        return self.typeof(operand.name)  # type: ignore[no-any-return, no-untyped-call]

    def _value(self, operand: Var) -> ir.Value:
        return self.loadvar(operand.name)  # type: ignore[no-untyped-call]

    def _check_conversion(self, operand: Var) -> None:
        """Test that an operand that becomes a float is not an integer which no float represents."""
        if isinstance(self._type(operand), types.Integer):
            distance = self.builder.add(self._word(operand), WORD(MAX_EXACT))
            self.raise_if(self.builder.icmp_unsigned(">", distance, WORD(2 * MAX_EXACT)), INEXACT)

    def _check_count(self, operand: Var) -> None:
        """Test that a number to count from, to or by, if an operand is one, is far from the ends of 64 bits."""
        if isinstance(self._type(operand), types.Integer):
            distance = self.builder.add(self._word(operand), WORD(MAX_COUNT))
            self.raise_if(self.builder.icmp_unsigned(">", distance, WORD(2 * MAX_COUNT)), WIDE)

    def _check_range(self, operand: Var) -> None:
        """Test that an operand that becomes an integer is not a float beyond all integers."""
        kind = self._type(operand)
        if isinstance(kind, types.Float):
            number = self.context.cast(self.builder, self._value(operand), kind, types.float64)
            magnitude = self.builder.call(self.builder.module.declare_intrinsic("llvm.fabs", [number.type]), [number])
            self.raise_if(self.builder.fcmp_unordered(">=", magnitude, number.type(2.0**63)), WIDE)


def raise_if(context: Any, builder: ir.IRBuilder, is_wrong: ir.Value, message: str) -> None:
    """Generate code that raises OverflowError with a message under a condition."""
    with builder.if_then(is_wrong, likely=False):
        context.call_conv.return_user_exc(builder, OverflowError, (message,))


def _exact(function: Any, name: str) -> Callable[[int, int], int]:
    """Return a function of compiled code that adds or multiplies integers, or raises OverflowError."""

    def generate(context: BaseContext, builder: ir.IRBuilder, _: Signature, arguments: Sequence[ir.Value]) -> ir.Value:
        result = OVERFLOWING[function](builder, *arguments)
        raise_if(context, builder, builder.extract_value(result, 1), f"{name} {WIDE}")
        return builder.extract_value(result, 0)

    def exact(typing_context: TypingContext, one: types.Type, other: types.Type) -> Intrinsic:  # noqa: ARG001
        return types.int64(types.int64, types.int64), generate

    return cast(Callable[[int, int], int], intrinsic(exact))


add = _exact(operator.add, "a sum")
multiply = _exact(operator.mul, "a power")


def power(base: int, exponent: int) -> int:
    """Compute a power of an integer by repeated squaring."""
    if exponent < 0:
        raise ValueError("a whole number to a negative power")
    result = 1
    while True:
        if exponent & 1:
            result = multiply(result, base)
        exponent >>= 1
        if exponent == 0:
            return result
        base = multiply(base, base)


def _adder(kinds: list[types.Type]) -> Callable[..., int]:
    """Return the function that adds up values of these types: a container, and a number to start with."""
    is_mixed = isinstance(kinds[0], types.Tuple)
    if len(kinds) == 1:
        return _add_mixed if is_mixed else _add_all
    return _add_mixed_to if is_mixed else _add_all_to


def _add_all(values: Any) -> int:
    total = 0
    for value in values:
        total = add(total, value)
    return total


def _add_all_to(values: Any, start: int) -> int:
    total = add(start, 0)
    for value in values:
        total = add(total, value)
    return total


def _add_mixed(values: Any) -> int:
    total = 0
    for value in literal_unroll(values):
        total = add(total, value)
    return total


def _add_mixed_to(values: Any, start: int) -> int:
    total = add(start, 0)
    for value in literal_unroll(values):
        total = add(total, value)
    return total


@register_pass(mutates_CFG=True, analysis_only=False)
class CheckedLowering(BaseNativeLowering):
    """Compiler pass that generates code with `CheckedLower`."""

    _name = "komi_checked_lowering"  # type: ignore[assignment]

    @property
    def lowering_class(self) -> type[Lower]:
        """The code generator."""
        return CheckedLower


class CheckedCompiler(RulesCompiler):
    """The compiler of rules, with tests of the operations on integers."""

    def passes(self) -> PassManager:
        """Return the passes for rules, with another code generator."""
        passes = DefaultPassBuilder.define_nopython_pipeline(self.state) if PLAIN_NUMBA else super().passes()
        passes.add_pass_after(UnboundLocals, IRProcessing)
        passes.passes = [
            (CheckedLowering if each is NativeLowering else each, reason) for each, reason in passes.passes
        ]
        return passes
