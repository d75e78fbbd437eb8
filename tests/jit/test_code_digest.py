"""Compiled code is known by a digest of all that it is made of, and of nothing else."""

import math
import sys
from collections.abc import Callable
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, NamedTuple

import numba
import numpy as np
import pytest

from komi.graph.component_search import search_components
from komi.graph.expanded_rules import INTERFACE
from komi.jit.code_digest import CodeHasher, of_type
from komi.jit.kernels import Kernels, engine_kernels
from komi.jit.specialization import Specializer, always_inline

TEMPLATE = """
from enum import IntEnum
from typing import NamedTuple
import math
import sys
import numpy as np
STEP = {step}
TABLE = np.array([1, 2, {entry}])
UNUSED = {unused}
class Pair(NamedTuple):
    one: int
    {field}: int
class Face(IntEnum):
    SEVEN = {member}
def helper(x{default}):
    return {helper}
def even(n):
    return True if n == 0 else odd(n - 1)
def odd(n):
    return False if n == 0 else {odd}
def kernel(x):
    {remark}
    pair = Pair(x, STEP)
    return helper(x) + pair[0] + Face.SEVEN - 7 + TABLE[2] + even(x) + math.floor(0.5)
"""
USUAL = {
    "step": "3",
    "entry": "3",
    "unused": "1",
    "field": "other",
    "member": "7",
    "default": "",
    "helper": "x + 1",
    "odd": "even(n - 1)",
    "remark": "# a remark",
}


def kernel_of(module: str = "written_here", **changed: str) -> FunctionType:
    namespace: dict[str, Any] = {"__name__": module}
    exec(TEMPLATE.format(**(USUAL | changed)), namespace)
    kernel: FunctionType = namespace["kernel"]
    return kernel


def digest(function: Callable[..., Any]) -> str:
    return CodeHasher(lambda name, value: value).of(function).hex()


@pytest.mark.parametrize(
    "changed",
    [
        {"step": "4"},
        {"step": "3.0"},
        {"step": "True"},
        {"entry": "4"},
        {"entry": "3.0"},
        {"field": "another"},
        {"member": "8"},
        {"default": "=1"},
        {"helper": "x + 2"},
        {"helper": "1 + x"},
        {"odd": "even(n - 3)"},
    ],
    ids=str,
)
def test_all_that_is_compiled_counts(changed: dict[str, str]) -> None:
    assert digest(kernel_of(**changed)) != digest(kernel_of())


def test_numbers_of_an_enumeration_of_the_engine_count() -> None:
    module = "komi.written_here"
    assert digest(kernel_of(module, member="8")) != digest(kernel_of(module)) == digest(kernel_of(module, unused="2"))


@pytest.mark.parametrize("changed", [{"unused": "2"}, {"remark": "# another\n    # and more"}, {}], ids=str)
def test_nothing_else_counts(changed: dict[str, str]) -> None:
    assert digest(kernel_of(**changed)) == digest(kernel_of())


def test_functions_that_call_each_other_have_digests_of_their_own() -> None:
    even, odd = (kernel_of().__globals__[name] for name in ("even", "odd"))
    hasher = CodeHasher(lambda name, value: value)
    assert hasher.of(even) != hasher.of(odd)
    assert hasher.of(even).hex() == digest(even)
    assert digest(odd) != digest(kernel_of(odd="even(n - 3)").__globals__["odd"])


def test_lambdas_are_distinguished_and_closures_count() -> None:
    def adding(number: int) -> Callable[[int], int]:
        return lambda x: x + number

    assert digest(lambda x: x + 1) != digest(lambda x: x + 2)
    assert digest(adding(1)) != digest(adding(2))
    assert digest(adding(1)) == digest(adding(1))


def test_what_replaces_a_name_counts() -> None:
    def replaced_by(function: Any) -> str:
        replacement = Specializer({}, lambda module: False).compiled(function)
        return Specializer({"helper": replacement}, lambda module: False).digest(kernel_of())

    first, second = kernel_of().__globals__["helper"], kernel_of(helper="x - 1").__globals__["helper"]
    assert replaced_by(first) == replaced_by(kernel_of().__globals__["helper"])
    assert replaced_by(first) != replaced_by(second)
    assert engine_kernels(INTERFACE).digest(search_components) != engine_kernels().digest(search_components)


def test_how_a_function_is_compiled_counts() -> None:
    def of(**settings: Any) -> str:
        return Specializer({}, lambda module: False, **settings).digest(kernel_of())

    digests = [of(), of(inline=True), of(unsigned_indices=True), of(fast=True), of(checked=True), of(numbers={"a": 1})]
    assert len(set(digests)) == len(digests)
    before, marked = kernel_of(), kernel_of()
    always_inline(marked.__globals__["helper"])
    assert digest(before) != digest(marked)


class Number(NamedTuple):
    value: float


class Other(NamedTuple):
    amount: float


def test_types_of_arguments_name_the_fields() -> None:
    Other.__name__, Other.__qualname__ = Number.__name__, Number.__qualname__
    one, two = numba.typeof((Number(1.0), 2)), numba.typeof((Other(1.0), 2))
    assert str(one) == str(two)
    assert of_type(one) != of_type(two)
    assert of_type(numba.typeof(np.zeros(2))) != of_type(numba.typeof(np.zeros((2, 2))))


def test_a_kernel_is_loaded_where_only_other_functions_have_changed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("KOMI_CACHE_DIR", str(tmp_path))
    monkeypatch.setitem(sys.modules, "written_here", ModuleType("written_here"))
    heard: list[str] = []
    for unused in ("1", "2"):
        kernels = Kernels("kept", Specializer({}, lambda module: False))
        kernels.notice = heard.append
        assert kernels[kernel_of(unused=unused, helper="x + 20")](4) == 24 + 4 + 3 + True + math.floor(0.5)
    assert len(heard) == 1
