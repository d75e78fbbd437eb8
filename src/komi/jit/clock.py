"""A clock for compiled code: the system's `clock_gettime`."""

import time
from collections.abc import Callable, Sequence
from typing import cast

from llvmlite import ir
from numba.core import types
from numba.core.base import BaseContext
from numba.core.typing.context import BaseContext as TypingContext
from numba.core.typing.templates import Signature
from numba.extending import intrinsic

HAS_CLOCK = hasattr(time, "CLOCK_MONOTONIC")
"""True if compiled code can read a clock: on all systems but Windows."""
_CLOCK = getattr(time, "CLOCK_MONOTONIC", 0)
_NANOSECOND = 1e-9


def _now(typing_context: TypingContext) -> tuple[Signature, Callable[..., ir.Value]]:
    """Read a monotonic clock, in seconds; always 0.0 where there is none."""

    def generate(
        context: BaseContext, builder: ir.IRBuilder, signature: Signature, arguments: Sequence[ir.Value]
    ) -> ir.Value:
        double, word = ir.DoubleType(), ir.IntType(64)
        if not HAS_CLOCK:
            return double(0.0)
        moment = builder.alloca(ir.ArrayType(word, 2))  # seconds and nanoseconds
        kind = ir.FunctionType(ir.IntType(32), [ir.IntType(32), moment.type])
        function = builder.module.globals.get("clock_gettime") or ir.Function(builder.module, kind, "clock_gettime")
        builder.call(function, [ir.IntType(32)(_CLOCK), moment])
        seconds, nanoseconds = (builder.extract_value(builder.load(moment), part) for part in range(2))
        fraction = builder.fmul(builder.sitofp(nanoseconds, double), double(_NANOSECOND))
        return builder.fadd(builder.sitofp(seconds, double), fraction)

    return types.float64(), generate


now = cast(Callable[[], float], intrinsic(_now))
