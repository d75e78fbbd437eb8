"""Python source as a tree and back to code, one thread at a time.

In CPython 3.11 trees made in two threads at once end in a SystemError: they count their depth in one place. NumPy makes
one of the header of each array file that it loads.
"""

import ast
from collections.abc import Callable, Iterator
from threading import RLock
from types import CodeType
from typing import TypeVar

Made = TypeVar("Made")
TRIES = 20

ALONE = RLock()
"""Held while a tree is made; to be held by whoever calls a library that makes one."""


def parse(source: str | bytes) -> ast.Module:
    """The tree of a source text.

    Raises:
        SyntaxError, ValueError: if it is no Python.
    """
    with ALONE:
        return _repeated(lambda: ast.parse(source))


def statements(tree: ast.AST) -> Iterator[ast.AST]:
    """A tree and all statements in it, however deep; what they are made of, expressions above all, is passed over."""
    waiting = [tree]
    while waiting:
        yield (part := waiting.pop())
        for field in ("body", "orelse", "finalbody", "handlers", "cases"):
            inner = getattr(part, field, None)
            if isinstance(inner, list):
                waiting += inner


def code_of(tree: ast.Module, path: str) -> CodeType:
    """The code of a module's tree."""
    with ALONE:
        return _repeated(lambda: compile(tree, path, "exec", dont_inherit=True))


def _repeated(make: Callable[[], Made]) -> Made:
    """What is made, at the next try if a library in another thread has made a tree at the same time."""
    for _ in range(TRIES):
        try:
            return make()
        except SystemError:
            continue
    return make()
