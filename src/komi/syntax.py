"""Thread-safe parsing and compiling of Python source.

In CPython 3.11 creating syntax trees in two threads at once can raise SystemError, because they share a recursion
counter. NumPy parses the header of each array file that it loads.
"""

import ast
from collections.abc import Callable, Iterator
from threading import RLock
from types import CodeType
from typing import TypeVar

Made = TypeVar("Made")
TRIES = 20

ALONE = RLock()
"""Lock held while a tree is created. Hold it to call a library that creates trees."""


def parse(source: str | bytes) -> ast.Module:
    """Parse a source text.

    Raises:
        SyntaxError, ValueError: if it is not valid Python.
    """
    with ALONE:
        return _repeated(lambda: ast.parse(source))


def statements(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield a tree and all statements in it, at any depth, without their expressions."""
    waiting = [tree]
    while waiting:
        yield (part := waiting.pop())
        for field in ("body", "orelse", "finalbody", "handlers", "cases"):
            inner = getattr(part, field, None)
            if isinstance(inner, list):
                waiting += inner


def code_of(tree: ast.Module, path: str) -> CodeType:
    """Compile the tree of a module."""
    with ALONE:
        return _repeated(lambda: compile(tree, path, "exec", dont_inherit=True))


def _repeated(make: Callable[[], Made]) -> Made:
    """Call `make`, and retry if a library in another thread has created a tree at the same time."""
    for _ in range(TRIES):
        try:
            return make()
        except SystemError:
            continue
    return make()
