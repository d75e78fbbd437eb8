"""Local variables as Python has them: to read one before it has a value raises UnboundLocalError.

Numba gives some value to a variable that a branch did not assign. The compiler pass here adds a flag to each variable
that may be read too early, and tests it before each such read.
"""

from collections.abc import Iterator, Sequence
from inspect import CO_VARARGS, CO_VARKEYWORDS
from types import CodeType
from typing import Any

from llvmlite import ir
from numba.core import types
from numba.core.analysis import compute_cfg_from_blocks
from numba.core.compiler import StateDict
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.core.errors import UnsupportedError
from numba.core.ir import Assign, Block, Const, Expr, Global, Inst, Stmt, Var
from numba.core.typing.context import BaseContext as TypingContext
from numba.core.typing.templates import Signature
from numba.extending import intrinsic

from komi.jit.intrinsics import Intrinsic

COMPREHENSIONS = ("<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>")
"""Names of the code objects that assign each variable before they read it."""


@register_pass(mutates_CFG=False, analysis_only=False)
class UnboundLocals(FunctionPass):
    """Compiler pass that tests a variable before it is read, wherever it may have no value."""

    _name = "komi_unbound_locals"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: StateDict) -> bool:
        """Add the tests; return whether there are any.

        Raises:
            UnsupportedError: if an inner function assigns variables: it is inlined, and a loop would keep their values.
        """
        for inner in state.func_id.code.co_consts:
            if isinstance(inner, CodeType) and inner.co_name not in COMPREHENSIONS and _assigned(inner):
                raise UnsupportedError(
                    f"{inner.co_name!r} assigns {_assigned(inner)[0]!r} inside another function: write it outside"
                )
        blocks: dict[int, Block] = state.func_ir.blocks
        bound = _bound_before(blocks)
        unsure: set[str] = set()
        for label, block in blocks.items():
            known = set(bound[label])
            for statement in block.body:
                unsure |= _reads(statement) - known
                known |= _writes(statement)
        for label, block in blocks.items():
            block.body = [*_with_tests(block, set(bound[label]), unsure)]
        if unsure:
            first = blocks[min(blocks)]
            first.body = [*(_flag(first, name, False) for name in sorted(unsure)), *first.body]
        return bool(unsure)


def _assigned(code: CodeType) -> tuple[str, ...]:
    """Return the local variables of a function, without its parameters."""
    stars = bool(code.co_flags & CO_VARARGS) + bool(code.co_flags & CO_VARKEYWORDS)
    return code.co_varnames[code.co_argcount + code.co_kwonlyargcount + stars :]


def _reads(statement: Stmt) -> set[str]:
    """Return the variables that a statement reads; numba's own begin with a dollar sign."""
    part = statement.value if isinstance(statement, Assign) else statement
    read = [part] if isinstance(part, Var) else part.list_vars() if isinstance(part, Inst) else []
    return {variable.name for variable in read if variable.name[0] != "$"}


def _writes(statement: Stmt) -> set[str]:
    return {statement.target.name} if isinstance(statement, Assign) else set()


def _bound_before(blocks: dict[int, Block]) -> dict[int, frozenset[str]]:
    """Return the variables that have a value before each block, whatever way leads there."""
    graph = compute_cfg_from_blocks(blocks)
    bound = {min(blocks): frozenset[str]()}
    waiting = [min(blocks)]
    while waiting:
        label = waiting.pop()
        after = bound[label].union(*map(_writes, blocks[label].body))
        for following, _ in graph.successors(label):
            known = bound.get(following, after) & after
            if known != bound.get(following):
                bound[following] = known
                waiting.append(following)
    return {label: bound.get(label, frozenset()) for label in blocks}


def _with_tests(block: Block, known: set[str], unsure: set[str]) -> Iterator[Stmt]:
    """Yield the statements of a block, with the tests before them and the flags of variables after them."""
    for statement in block.body:
        for name in sorted(_reads(statement) & unsure - known):
            yield from _test(block, name)
        yield statement
        known |= _writes(statement)
        for name in _writes(statement) & unsure:
            yield _flag(block, name, True)


def _flag(block: Block, name: str, is_bound: bool) -> Assign:
    return Assign(Const(is_bound, block.loc), _flag_of(block, name), block.loc)


def _flag_of(block: Block, name: str) -> Var:
    return Var(block.scope, f"{name}.is_bound", block.loc)


def _test(block: Block, name: str) -> list[Assign]:
    """Return the statements that test the flag of a variable."""
    test, shown, result = (Var(block.scope, f"${name}.{what}", block.loc) for what in ("test", "name", "tested"))
    call = Expr.call(test, [_flag_of(block, name), shown], (), block.loc)
    values = {
        test: Global("test", _test_flag, block.loc),
        shown: Const(name.partition(".")[0], block.loc),
        result: call,
    }
    return [Assign(value, variable, block.loc) for variable, value in values.items()]


def _test_of(_: TypingContext, is_bound: types.Type, name: types.Type) -> Intrinsic | None:  # noqa: ARG001
    """Raise UnboundLocalError if the flag of a variable is not set."""
    if not isinstance(name, types.StringLiteral):
        return None
    message = f"{name.literal_value!r} is read before it has a value"

    def generate(context: Any, builder: ir.IRBuilder, _: Signature, arguments: Sequence[ir.Value]) -> ir.Value:
        with builder.if_then(builder.not_(arguments[0]), likely=False):
            context.call_conv.return_user_exc(builder, UnboundLocalError, (message,))
        return context.get_dummy_value()

    return types.none(types.boolean, name), generate


_test_flag = intrinsic(prefer_literal=True)(_test_of)
