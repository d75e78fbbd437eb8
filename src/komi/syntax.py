"""Thread-safe parsing and compiling of Python source.

In CPython 3.11 creating syntax trees in two threads at once can raise SystemError, because they share a recursion
counter. NumPy parses the header of each array file that it loads.
"""

import ast
from collections.abc import Callable, Iterator
from threading import RLock
from types import CodeType
from typing import TypeVar

Result = TypeVar("Result")
MAX_ATTEMPTS = 20  # the error comes from a race in Python's parser, and rarely twice in a row

PARSER_LOCK = RLock()
"""Lock held while a tree is created. Hold it to call a library that creates trees."""


def parse(source: str | bytes) -> ast.Module:
    """Parse a source text.

    Raises:
        SyntaxError, ValueError: if it is not valid Python.
    """
    with PARSER_LOCK:
        return _retry(lambda: ast.parse(source))


def statements(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield a tree and all statements in it, at any depth, without their expressions."""
    stack = [tree]
    while stack:
        yield (node := stack.pop())
        for field in ("body", "orelse", "finalbody", "handlers", "cases"):
            children = getattr(node, field, None)
            if isinstance(children, list):
                stack += children


def compile_module(tree: ast.Module, path: str) -> CodeType:
    """Compile the tree of a module."""
    with PARSER_LOCK:
        return _retry(lambda: compile(tree, path, "exec", dont_inherit=True))


def _retry(create: Callable[[], Result]) -> Result:
    """Call `create`, and retry if a library in another thread has created a tree at the same time."""
    for _ in range(MAX_ATTEMPTS):
        try:
            return create()
        except SystemError:
            continue
    return create()
