"""Source transformation of plain Python that numba does not support into equivalent code that it does.

Rewritten are `yield from values`, `state._replace(field=value)`, generator expressions that are passed to a reduction,
such as `sum(x for x in values)`, and named tuples that leave fields to their defaults, such as `State(goal)`: compiled
named tuples always have all fields. A function whose source is not found remains as it is.
"""

import ast
from collections.abc import Callable
from copy import deepcopy
from dis import get_instructions
from functools import cache, lru_cache
from types import CodeType, FunctionType, ModuleType
from typing import Any

from numba.core import types
from numba.extending import overload

from komi.rules import source
from komi.syntax import compile_module

REDUCTIONS = frozenset(["sum", "min", "max", "any", "all", "tuple", "list", "sorted"])
"""Functions that accept a list as well as a generator expression."""
REPLACE_PREFIX = "_with_"  # prefix of the functions that replace `_replace`


def rewritten(function: FunctionType) -> tuple[CodeType, dict[str, Any]]:
    """Return the rewritten code of a function, and the new global names that it uses, with their values."""
    code = function.__code__
    if code.co_freevars or not (_needs_rewriting(code) or _has_default_fields(function)):
        return code, {}
    definition = source.definition(function)
    if not isinstance(definition, ast.FunctionDef):
        return code, {}
    rewriter = _Rewriter(function, source.local_names(definition))
    tree = rewriter.visit(deepcopy(definition))
    tree.decorator_list, tree.returns = [], None
    tree.args.defaults, tree.args.kw_defaults = [], [None] * len(tree.args.kwonlyargs)
    for argument in (*tree.args.posonlyargs, *tree.args.args, *tree.args.kwonlyargs):
        argument.annotation = None
    module = ast.fix_missing_locations(ast.Module([tree], []))
    outer = compile_module(module, code.co_filename)
    inner = next(constant for constant in outer.co_consts if isinstance(constant, CodeType))
    return inner, rewriter.defaults | {name: _replacing(fields) for name, fields in rewriter.replaced.items()}


@lru_cache(4096)
def _needs_rewriting(code: CodeType) -> bool:
    return (
        "_replace" in code.co_names
        or any(instruction.opname == "GET_YIELD_FROM_ITER" for instruction in get_instructions(code))
        or any(isinstance(inner, CodeType) and inner.co_name == "<genexpr>" for inner in code.co_consts)
    )


def _has_default_fields(function: FunctionType) -> bool:
    """Return whether a function names a class of named tuples that have default values."""
    names = function.__code__.co_names
    values = [function.__globals__.get(name) for name in names]
    values += [getattr(module, name, None) for module in values if isinstance(module, ModuleType) for name in names]
    return any(isinstance(value, type) and getattr(value, "_field_defaults", None) for value in values)


class _Rewriter(ast.NodeTransformer):
    """AST transformer that rewrites one function.

    Args:
        function: the function.
        local: its local names.

    Attributes:
        replaced: for each function that replaces a call of `_replace`, by name, the fields that it sets.
        defaults: the default values of named tuples, by the names of the globals that hold them.
    """

    def __init__(self, function: FunctionType, local: set[str]) -> None:
        self.replaced: dict[str, tuple[str, ...]] = {}
        self.defaults: dict[str, object] = {}
        self._function, self._local = function, local
        self._yielded = 0

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        """Replace `yield from values` by a loop."""
        self.generic_visit(node)
        if not isinstance(node.value, ast.YieldFrom):
            return node
        self._yielded += 1
        name = f"_yielded_{self._yielded}"
        each = ast.Expr(ast.Yield(ast.Name(name, ast.Load())))
        loop = ast.For(ast.Name(name, ast.Store()), node.value.value, [each], [])
        return ast.copy_location(loop, node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """Replace `state._replace(...)` by a generated function, and generator arguments of reductions by lists.

        Add the default values of named tuples.
        """
        self.generic_visit(node)
        made: Any = source.resolve(node.func, self._function, self._local)
        defaults = getattr(made, "_field_defaults", {}) if isinstance(made, type) else {}
        named = {keyword.arg for keyword in node.keywords}
        if defaults and None not in named and not any(isinstance(value, ast.Starred) for value in node.args):
            for field in made._fields[len(node.args) :]:
                if field in defaults and field not in named:
                    name = f"_default_{made.__name__}_{field}"
                    self.defaults[name] = defaults[field]
                    node.keywords.append(ast.keyword(field, ast.Name(name, ast.Load())))
        if isinstance(node.func, ast.Attribute) and node.func.attr == "_replace" and not node.args:
            fields = tuple(keyword.arg for keyword in node.keywords if keyword.arg)
            if len(fields) == len(node.keywords) > 0:
                name = REPLACE_PREFIX + "_".join(fields)
                self.replaced[name] = fields
                values = [node.func.value, *(keyword.value for keyword in node.keywords)]
                return ast.copy_location(ast.Call(ast.Name(name, ast.Load()), values, []), node)
        if isinstance(node.func, ast.Name) and node.func.id in REDUCTIONS and len(node.args) == 1:
            [argument] = node.args
            if isinstance(argument, ast.GeneratorExp):
                node.args = [ast.copy_location(ast.ListComp(argument.elt, argument.generators), argument)]
        return node


@cache
def _replacing(fields: tuple[str, ...]) -> Callable[..., object]:
    """Generate the function of a state and values that returns the state with these fields replaced."""
    parameters = ", ".join(f"to_{field}" for field in fields)
    namespace: dict[str, Any] = {}
    exec(f"def replacing(state, {parameters}):\n    raise NotImplementedError", namespace)
    replacing: Callable[..., object] = namespace["replacing"]

    def build(state: types.Type) -> FunctionType | None:
        if not isinstance(state, types.NamedTuple | types.NamedUniTuple) or not set(fields) <= set(state.fields):
            return None
        values = [f"to_{field}" if field in fields else f"state.{field}" for field in state.fields]
        inner: dict[str, Any] = {"State": state.instance_class}
        exec(f"def replaced(state, {parameters}):\n    return State({', '.join(values)})", inner)
        replaced: FunctionType = inner["replaced"]
        return replaced

    exec(f"def typed(state, {parameters}):\n    return build(state)", {"build": build}, namespace)
    overload(replacing)(namespace["typed"])
    return replacing
