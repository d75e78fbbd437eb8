"""Functions that make no arrays do not count references, which takes most of the time where it is done in a loop.

Numba counts how many variables stand for an array, so that it can be freed when none does, and it does so wherever a
variable is set or an array is taken out of a tuple: an atomic instruction, some twenty times as slow as reading an
entry. A function that makes no arrays, and returns none, has only those that its caller keeps for it as long as it
runs: it can leave the counting to its caller.
"""

from collections.abc import Callable
from typing import Any

from numba.core import ir, types
from numba.core.compiler_machinery import FunctionPass, register_pass

BORROWING = frozenset(("build_tuple", "cast", "getiter", "iternext", "pair_first", "phi"))
"""Expressions that at most take an array from another variable: none of these makes a new one."""
BOXING = (ir.DynamicRaise, ir.DynamicTryRaise, ir.Print)
"""Statements that make Python objects."""


@register_pass(mutates_CFG=False, analysis_only=True)
class BorrowedReferences(FunctionPass):
    """Leave the counting out where all that a function refers to is its caller's."""

    _name = "komi_borrowed_references"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Nothing is changed but how the function will be made into LLVM's language."""

        def counted(kind: Any) -> bool:
            """Whether values of a type hold something that is counted."""
            return bool(state.targetctx.data_model_manager[kind].contains_nrt_meminfo())

        if _returns_nothing_counted(state, counted) and _borrows_all(state, counted):
            state.targetctx = state.targetctx.subtarget(enable_nrt=False)
            vars(state.targetctx).pop("nrt", None)  # which the other context has made for itself
        return False


def _returns_nothing_counted(state: Any, counted: Callable[[Any], bool]) -> bool:
    """Whether what a function leaves behind holds nothing that is counted."""
    if isinstance(state.return_type, types.Generator):  # it may outlive what its caller keeps
        return not any(map(counted, (state.return_type.yield_type, *state.args)))
    return not counted(state.return_type)


def _borrows_all(state: Any, counted: Callable[[Any], bool]) -> bool:
    """Whether everything in a function that is counted belongs to its arguments, or is constant."""
    for block in state.func_ir.blocks.values():
        for statement in block.body:
            if isinstance(statement, BOXING):
                return False
            if isinstance(statement, ir.SetItem | ir.StaticSetItem):
                if counted(state.typemap[statement.value.name]):  # which may be copied first
                    return False
            elif isinstance(statement, ir.Assign):
                kind = state.typemap[statement.target.name]
                made = counted(kind) and not isinstance(kind, types.Generator)
                if made and not (_is_of_arrays(kind, counted) and _is_borrowed(state.typemap, statement.value)):
                    return False
    return True


def _is_of_arrays(kind: Any, counted: Callable[[Any], bool]) -> bool:
    """Whether all that is counted in values of a type are arrays: from a list, one could be taken away."""
    if isinstance(kind, types.BaseTuple):
        return all(_is_of_arrays(part, counted) for part in kind.types if counted(part))  # type: ignore[attr-defined]
    return isinstance(kind, types.Array | types.ArrayIterator)


def _is_borrowed(typemap: Any, value: Any) -> bool:
    """Whether what is assigned belongs to another variable, to an argument or to nobody."""
    if not isinstance(value, ir.Expr):
        return not isinstance(value, ir.Yield)
    if value.op == "call":
        return isinstance(typemap[value.func.name], types.NamedTupleClass)
    if value.op == "getitem":
        return _is_view(typemap[value.index.name])
    if value.op in ("static_getitem", "getattr", "exhaust_iter"):
        if isinstance(typemap[value.value.name], types.BaseTuple):
            return True
        if value.op == "static_getitem":
            return value.index_var is not None and _is_view(typemap[value.index_var.name])
        return value.op == "getattr" and value.attr == "T"  # others may be copies
    return value.op in BORROWING


def _is_view(index: Any) -> bool:
    """Whether an array at such an index is part of the same memory."""
    return not any(isinstance(part, types.Array) for part in getattr(index, "types", (index,)))
