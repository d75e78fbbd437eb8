"""Reference-count elision in functions that create no arrays: in a loop, counting takes most of the time.

Numba counts the variables that refer to an array, to free it when none does. It changes the count whenever a variable
is set or an array is taken out of a tuple, with an atomic instruction that is some twenty times as slow as reading an
entry. A function that creates no arrays, and returns none, only borrows the arrays that its caller keeps alive while it
runs: it needs no counting.
"""

from collections.abc import Callable, Mapping

from numba.core import ir, types
from numba.core.compiler import StateDict
from numba.core.compiler_machinery import FunctionPass, register_pass

BORROWING_OPERATIONS = frozenset(("build_tuple", "cast", "getiter", "iternext", "pair_first", "phi"))
"""Expressions that at most borrow an array from another variable, and never create one."""
OBJECT_STATEMENTS = (ir.DynamicRaise, ir.DynamicTryRaise, ir.Print)
"""Statements that create Python objects."""


@register_pass(mutates_CFG=False, analysis_only=True)
class ReferenceElision(FunctionPass):
    """Compiler pass that disables reference counting in functions that only borrow references from their caller."""

    _name = "komi_reference_elision"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: StateDict) -> bool:
        """Disable reference counting in code generation if this is safe; return False: the IR is not changed."""

        def counted(kind: types.Type) -> bool:
            """Return whether values of a type contain reference-counted memory."""
            return bool(state.targetctx.data_model_manager[kind].contains_nrt_meminfo())

        if _returns_nothing_counted(state, counted) and _borrows_all(state, counted):
            state.targetctx = state.targetctx.subtarget(enable_nrt=False)
            vars(state.targetctx).pop("nrt", None)  # cached by the other context
        return False


def _returns_nothing_counted(state: StateDict, counted: Callable[[types.Type], bool]) -> bool:
    """Return whether the result of a function contains no reference-counted memory."""
    if isinstance(state.return_type, types.Generator):  # it can outlive the references of its caller
        return not any(map(counted, (state.return_type.yield_type, *state.args)))
    return not counted(state.return_type)


def _borrows_all(state: StateDict, counted: Callable[[types.Type], bool]) -> bool:
    """Return whether all reference-counted values in a function are borrowed from its arguments or constant."""
    for block in state.func_ir.blocks.values():
        for statement in block.body:
            if isinstance(statement, OBJECT_STATEMENTS):
                return False
            if isinstance(statement, ir.SetItem | ir.StaticSetItem):
                if counted(state.typemap[statement.value.name]):  # the value can be copied first
                    return False
            elif isinstance(statement, ir.Assign):
                kind = state.typemap[statement.target.name]
                made = counted(kind) and not isinstance(kind, types.Generator)
                is_borrowed = _has_no_owner(kind) or _is_borrowed(state.typemap, statement.value)
                if made and not (_holds_only_arrays(kind, counted) and is_borrowed):
                    return False
    return True


def _holds_only_arrays(kind: types.Type, counted: Callable[[types.Type], bool]) -> bool:
    """Return whether arrays are the only reference-counted parts of a type; a list could drop the elements it owns."""
    if isinstance(kind, types.BaseTuple):
        return all(_holds_only_arrays(part, counted) for part in kind.types if counted(part))  # type: ignore[attr-defined]
    return isinstance(kind, types.Array | types.ArrayIterator)


def _has_no_owner(kind: types.Type) -> bool:
    """Return whether a type is a named tuple of arrays at addresses, which Python code keeps."""
    return getattr(getattr(kind, "instance_class", None), "has_no_owner", False)


def _is_borrowed(typemap: Mapping[str, types.Type], value: object) -> bool:
    """Return whether an assigned value is borrowed from another variable or an argument, or has no owner."""
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
        return value.op == "getattr" and value.attr == "T"  # other attributes can be copies
    return value.op in BORROWING_OPERATIONS


def _is_view(index: types.Type) -> bool:
    """Return whether indexing an array with this type returns a view of the same memory."""
    return not any(isinstance(part, types.Array) for part in getattr(index, "types", (index,)))
