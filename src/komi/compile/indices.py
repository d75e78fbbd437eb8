"""Array indices in engine code are never negative, and a compiler that knows is a quarter faster.

Python counts negative indices from the end, so at each index of a signed type numba asks whether it is negative. A
pass after type inference makes them unsigned where engine kernels are compiled; rule files keep Python's meaning.
"""

from typing import Any

from numba.core import ir, types
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.core.ir_utils import mk_unique_var
from numba.core.typed_passes import NopythonRewrites

from komi.compile.linking import RulesCompiler


@register_pass(mutates_CFG=False, analysis_only=False)
class UnsignedIndices(FunctionPass):
    """Cast the index to an unsigned number wherever an entry of an array is read or written."""

    _name = "komi_unsigned_indices"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Whether anything has changed."""
        changed = False
        for block in state.func_ir.blocks.values():
            body: list[Any] = []
            for statement in block.body:
                cast = self._cast(state, block.scope, statement)
                if cast:
                    body.append(cast)
                    changed = True
                body.append(statement)
            block.body = body
        return changed

    def _cast(self, state: Any, scope: Any, statement: Any) -> Any:
        """The cast to go before the statement, if it has an index of a signed type; the statement then uses it."""
        at: Any = statement.value if isinstance(statement, ir.Assign) else statement
        is_read = isinstance(at, ir.Expr) and at.op == "getitem"
        if not (is_read or isinstance(at, ir.SetItem)):
            return None
        array = at.value if is_read else at.target
        unsigned = _unsigned(state.typemap[at.index.name])
        if unsigned is None or not isinstance(state.typemap[array.name], types.Array):
            return None
        index = ir.Var(scope, mk_unique_var("$unsigned_index"), at.loc)
        state.typemap[index.name] = unsigned
        assignment = ir.Assign(ir.Expr.cast(at.index, at.loc), index, at.loc)
        at.index = index
        signature = state.calltypes.pop(at)
        array_type, _, *rest = signature.args
        state.calltypes[at] = signature.replace(args=(array_type, unsigned, *rest))
        return assignment


def _unsigned(index: Any) -> Any:
    """The unsigned type for indices of this type; None if there is none."""
    parts = tuple(getattr(index, "types", (index,)))  # of a tuple, if it is one
    if not all(isinstance(part, types.Integer) for part in parts) or not any(part.signed for part in parts):
        return None
    return types.uint64 if parts == (index,) else types.UniTuple(types.uint64, len(parts))


class EngineCompiler(RulesCompiler):
    """The compiler of rules, with unsigned indices."""

    def passes(self) -> Any:
        """Those for rules, and ours."""
        passes = super().passes()
        passes.add_pass_after(UnsignedIndices, NopythonRewrites)
        return passes
