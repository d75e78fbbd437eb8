"""What compiled code does in its own way, against the same in Python."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numba
import numpy as np
import pytest
from numba.core.errors import TypingError

import komi
from komi.branchless import either
from komi.jit.intrinsics import NATIVE_REPLACEMENTS
from komi.jit.unsigned_indices import EngineCompiler

import rulefiles


class Pair(NamedTuple):
    left: int
    right: float


def numbers(condition: bool) -> int:
    return either(condition, 3, -4)


def mixed(condition: bool) -> float:
    return either(condition, 3, 0.5)


def pairs(condition: bool) -> Pair:
    return either(condition, Pair(1, 2.5), Pair(-1, 0.5))


@pytest.mark.parametrize("choice", [numbers, mixed, pairs])
@pytest.mark.parametrize("condition", [True, False])
def test_either_is_the_same_without_a_branch(choice: Callable[[bool], Any], condition: bool) -> None:
    numba_either = NATIVE_REPLACEMENTS[either]
    copy = type(choice)(choice.__code__, {"either": numba_either, "Pair": Pair})  # type: ignore[call-arg,misc]
    assert numba.njit(copy)(condition) == choice(condition)


def test_either_refuses_values_that_are_not_numbers() -> None:
    copy = type(pairs)(arrays.__code__, {"either": NATIVE_REPLACEMENTS[either]})  # type: ignore[call-arg,misc]
    with pytest.raises(TypingError, match="'either' chooses between numbers"):
        numba.njit(copy)(True, np.zeros(2))


def arrays(condition: bool, array: Any) -> Any:
    return either(condition, array, array)


def sorted_by_shell(values: Any) -> None:
    gap = len(values) // 2
    while gap > 0:
        for i in range(gap, len(values)):
            value, j = values[i], i
            while j >= gap and values[j - gap] > value:
                values[j] = values[j - gap]
                j -= gap
            values[j] = value
        gap //= 2


def turned(values: Any, into: Any) -> None:
    for i in range(values.shape[0]):
        for j in range(values.shape[1]):
            into[j, i] += 2 * values[i, j]
        into[:, i] -= values[i, :]


def test_engine_code_indexes_from_0_on_as_python_does() -> None:
    compiled = numba.njit(pipeline_class=EngineCompiler)
    values = np.random.default_rng(1).integers(0, 50, 100)
    expected = np.sort(values)
    compiled(sorted_by_shell)(values)
    assert values.tolist() == expected.tolist()
    square = np.arange(12.0).reshape(3, 4)
    into = np.zeros((4, 3))
    compiled(turned)(square, into)
    assert into.tolist() == square.T.tolist()


@pytest.mark.slow
def test_rule_files_may_count_from_the_end(tmp_path: Path) -> None:
    plain = rulefiles.write(tmp_path, name="plain.py")
    backwards = rulefiles.write(
        tmp_path,
        ("def start", "FACES = [3, 2] + [0] * 100 + [3, 2]\n\n\ndef start"),
        ("for face in (2, 3):", "for i in range(2):\n        face = FACES[-1 - i]"),
        name="backwards.py",
    )
    assert komi.solve(str(backwards)).value() == komi.solve(str(plain)).value()
