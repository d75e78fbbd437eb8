"""A compiler pass that makes array indices in engine code unsigned, which makes kernels a quarter faster.

Python counts negative indices from the end, so numba tests the sign of every index of a signed type. Indices in engine
code are never negative: a pass after type inference makes them unsigned in engine kernels. Rule files keep Python's
semantics.
"""

from typing import Any

from numba.core import ir, types
from numba.core.compiler import StateDict
from numba.core.compiler_machinery import FunctionPass, PassManager, register_pass
from numba.core.ir_utils import mk_unique_var
from numba.core.typed_passes import NopythonRewrites

from komi.jit.linking import RulesCompiler


@register_pass(mutates_CFG=False, analysis_only=False)
class UnsignedIndices(FunctionPass):
    """Compiler pass that casts the index of each array read or write to an unsigned integer."""

    _name = "komi_unsigned_indices"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: StateDict) -> bool:
        """Run the pass, and return whether the function has changed."""
        changed = False
        for block in state.func_ir.blocks.values():
            body: list[ir.Stmt] = []
            for statement in block.body:
                cast = self._cast(state, block.scope, statement)
                if cast:
                    body.append(cast)
                    changed = True
                body.append(statement)
            block.body = body
        return changed

    def _cast(self, state: StateDict, scope: ir.Scope, statement: ir.Stmt) -> ir.Assign | None:
        """Create the cast to insert before a statement with a signed index, and make the statement use it.

        Returns:
            The cast; None if the statement has no signed index.
        """
        access: Any = statement.value if isinstance(statement, ir.Assign) else statement
        is_read = isinstance(access, ir.Expr) and access.op == "getitem"
        if not (is_read or isinstance(access, ir.SetItem)):
            return None
        array = access.value if is_read else access.target
        unsigned = _unsigned(state.typemap[access.index.name])
        if unsigned is None or not isinstance(state.typemap[array.name], types.Array):
            return None
        index = ir.Var(scope, mk_unique_var("$unsigned_index"), access.loc)
        state.typemap[index.name] = unsigned
        assignment = ir.Assign(ir.Expr.cast(access.index, access.loc), index, access.loc)
        access.index = index
        signature = state.calltypes.pop(access)
        array_type, _, *rest = signature.args
        state.calltypes[access] = signature.replace(args=(array_type, unsigned, *rest))
        return assignment


def _unsigned(index: types.Type) -> types.Type | None:
    """Return the unsigned type that replaces an index type; None if the type needs no replacement."""
    parts = tuple(getattr(index, "types", (index,)))  # the elements of a tuple, or the index itself
    if not all(isinstance(part, types.Integer) for part in parts) or not any(part.signed for part in parts):
        return None
    return types.uint64 if parts == (index,) else types.UniTuple(types.uint64, len(parts))


class EngineCompiler(RulesCompiler):
    """The compiler of engine code: the compiler of rules, with unsigned indices."""

    def passes(self) -> PassManager:
        """Return the passes for rules, followed by the pass for indices."""
        passes = super().passes()
        passes.add_pass_after(UnsignedIndices, NopythonRewrites)
        return passes
