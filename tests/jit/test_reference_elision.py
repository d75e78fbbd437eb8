"""Where references are not counted: only where there is nothing to count, and nothing is lost or freed too early."""

import gc
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple, cast

import numpy as np
import pytest
from numba.core.runtime import _nrt_python, rtsys

from komi.jit.kernels import engine_kernels
from komi.jit.specialization import always_inline
from komi.transient.program_backup import SweepBuffers, keep_best, sweep_programs
from komi.transient.programs import ProgramSegment


class Pair(NamedTuple):
    """Two arrays."""

    first: Any
    second: Any


def entry(pair: Any, at: int) -> float:
    """Read both arrays, without creating one."""
    return pair.first[at] + pair.second[at]  # type: ignore[no-any-return]


def entries(array: Any) -> Any:
    """Yield the entries of an array that the generator holds."""
    i = 0
    while i < len(array):
        yield array[i]
        i += 1


@always_inline
def row(matrix: Any, at: int) -> Any:
    """Return part of an array."""
    return matrix[at]


def add_up(pair: Any) -> float:
    """Add up arrays passed as arguments."""
    total = 0.0
    for i in range(len(pair.first)):
        total += entry(pair, i)
    return total


def add_up_turned(first: Any, second: Any) -> float:
    """Put the arrays into another tuple, and add them up."""
    return add_up(Pair(second, first))


def add_up_copies(pair: Any, times: int) -> float:
    """Create arrays, and add them up."""
    total = 0.0
    for _ in range(times):
        copy = pair.first * 2.0
        total += entry(Pair(copy, pair.second), 0)
    return total


def add_up_lost(size: int) -> float:
    """Add up an array that only a generator still holds."""
    total = 0.0
    for each in entries(np.ones(size)):
        total += each
        total += np.zeros(size)[0]
    return total


def choose(first: Any, second: Any, times: int) -> float:
    """Assign one array and then another to a variable."""
    total = 0.0
    chosen = first
    for _ in range(times):
        total += chosen[0]
        chosen = second if chosen[0] == first[0] else np.copy(first)
    return total


def add_up_rows(matrix: Any) -> float:
    """Add up parts of an array, returned by a function or taken by an index."""
    total = 0.0
    for i in range(len(matrix)):
        total += row(matrix, i)[0] + matrix[i, 1:][0] + matrix[i][np.array([0])][0]
    return total


def two_arrays(size: int) -> Any:
    """Create two arrays in a generator; drop the first before the second is created."""
    one = np.ones(size)
    yield one
    first = one[0]
    other = np.full(size, 6.0 + first)
    yield other
    other[0] += 1.0


def unpack(size: int) -> float:
    """Read all arrays of a generator at once."""
    one, other = two_arrays(size)
    return one[0] * 10.0 + other[0]


def refuse(number: int) -> int:
    """Raise an error whose text is known only at run time."""
    if number > 3:
        raise ValueError("too many", number)
    return number


def add_up_chosen(array: Any) -> float:
    """Add up entries chosen by an index that is a constant array."""
    return array[CHOSEN][1] + array[CHOSEN].T[0] + array.imag[0]  # type: ignore[no-any-return]


def second(pair: Any) -> Any:
    """Return the second entry of a tuple that holds more than arrays."""
    return pair[1]


CHOSEN = np.array([0, 2])
ONES, TWOS = np.ones(5), np.full(5, 2.0)
CASES: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
    (add_up, (Pair(ONES, TWOS),)),
    (add_up_turned, (ONES, TWOS)),
    (add_up_copies, (Pair(ONES, TWOS), 50)),
    (choose, (ONES, TWOS, 50)),
    (add_up_rows, (np.arange(12.0).reshape(4, 3),)),
    (unpack, (1000,)),
    (add_up_chosen, (ONES,)),
    (second, (("a long piece of text", 5),)),
    (refuse, (2,)),
]


@pytest.fixture
def counting() -> Iterator[None]:
    """Count the memory that compiled code allocates and frees."""
    _nrt_python.memsys_enable_stats()
    yield
    _nrt_python.memsys_disable_stats()


@pytest.mark.usefixtures("counting")
@pytest.mark.parametrize(("function", "arguments"), CASES, ids=lambda each: getattr(each, "__name__", ""))
def test_the_same_as_python_and_nothing_is_lost(function: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
    kernel = engine_kernels()[function]
    assert kernel(*arguments) == function(*arguments)
    gc.collect()
    before, held = rtsys.get_allocation_stats(), [sys.getrefcount(each) for each in arguments]
    for _ in range(20):
        kernel(*arguments)
    after = rtsys.get_allocation_stats()
    assert after.alloc - before.alloc == after.free - before.free
    assert [sys.getrefcount(each) for each in arguments] == held


def test_what_only_a_generator_holds_stays() -> None:
    assert engine_kernels()[add_up_lost](5) == 5.0  # numba itself never frees it


def test_what_is_raised_may_hold_numbers() -> None:
    with pytest.raises(ValueError, match="too many"):
        engine_kernels()[refuse](4)


@pytest.fixture
def _empty_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Compile kernels again: the cache does not keep their LLVM IR."""
    monkeypatch.setenv("KOMI_CACHE_DIR", str(tmp_path))


def language_of(function: Callable[..., Any], *arguments: Any) -> str:
    """Return the LLVM IR of a kernel, after a call."""
    kernel: Any = cast(Any, engine_kernels).__wrapped__()[function]
    kernel(*arguments)
    (text,) = kernel.dispatcher.inspect_llvm().values()
    return str(text)


@pytest.mark.usefixtures("_empty_cache")
def test_a_function_that_makes_nothing_counts_nothing() -> None:
    assert "NRT_incref" not in language_of(add_up, Pair(ONES, TWOS))
    assert "NRT_incref" not in language_of(add_up_turned, ONES, TWOS)


@pytest.mark.usefixtures("_empty_cache")
@pytest.mark.parametrize("sweep", [sweep_programs, keep_best], ids=lambda each: each.__name__)
def test_sweeps_count_nothing(sweep: Callable[..., Any]) -> None:
    buffers, values = SweepBuffers.empty(8), np.zeros(8)
    segment = ProgramSegment(0, 0, np.zeros(8, np.uint32), np.zeros(8))
    arguments = {
        sweep_programs: (segment, True, 0.0, segment.constants, values, buffers, True),
        keep_best: (segment, True, values, buffers, 0.0, np.zeros(8, np.uint32), np.zeros(8, np.int16)),
    }[sweep]
    assert "NRT_incref" not in language_of(sweep, *arguments)
