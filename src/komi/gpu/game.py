"""One game's rules as device functions, and engine kernels specialized for them."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from weakref import finalize

from numba.core import errors as errors_of_numba
from numba.cuda.core import errors as errors_of_cuda

from komi.compiling.compiled import CompiledGame
from komi.compiling.explanations import line_in_question
from komi.errors import InputError
from komi.gpu.card import compiling, is_simulated
from komi.gpu.compiler import DeviceSpecializer
from komi.jit.intrinsics import insert_field
from komi.jit.packed_tuples import kind_of_rule
from komi.rules.game import Game

_Known = dict[int, tuple[tuple[Any, ...], list[Any]]]
"""Tuples of arguments by id, kept so that no id is reused, and their form for numba-cuda."""


def packing_functions(state_class: Any, steps: Sequence[int]) -> dict[str, Any]:
    """Return `pack`, `pack_long` and `state_from` of `komi.jit.packed_tuples` as device functions."""
    fields = range(len(steps))
    offsets = [
        [
            f"    quotient = state[{i}] // {step}",
            f"    offset = quotient - layout.lows[{i}]",
            f"    is_outside |= (quotient * {step} != state[{i}]) | (offset < 0) | (offset > layout.masks[{i}])",
        ]
        for i, step in enumerate(steps)
    ]
    lines = ["def pack(layout, state):", "    key, is_outside = 0, False"]
    for i in fields:
        lines += [*offsets[i], f"    key |= offset << layout.shifts[{i}]"]
    lines += ["    return -1 if is_outside else key"]
    lines += ["def pack_long(layout, state):", "    high, low, is_outside = 0, 0, False"]
    for i in fields:
        lines += [*offsets[i], f"    high, low = insert_field(high, low, offset, layout.shifts[{i}])"]
    lines += ["    return (-1, -1) if is_outside else (high, low)"]
    values = ", ".join(f"int(fields[row, {i}])" for i in fields)
    lines += ["def state_from(fields, row):", f"    return State({values})"]
    namespace: dict[str, Any] = {"State": state_class, "insert_field": insert_field}
    exec("\n".join(lines), namespace)
    specializer = DeviceSpecializer({}, lambda module: False)
    return {name: specializer.compiled(namespace[name]) for name in ("pack", "pack_long", "state_from")}


def rules_reader(rules_class: Any) -> Any:
    """Return `rules_from` of `komi.jit.packed_tuples` as a device function."""
    kinds = [kind_of_rule(default) for default in rules_class._field_defaults.values()]
    arrays = ["floats" if kind is float else "integers" for kind in kinds]
    values = [f"{kind.__name__}({array}[{i}])" for i, (kind, array) in enumerate(zip(kinds, arrays, strict=True))]
    namespace: dict[str, Any] = {"Rules": rules_class}
    exec(f"def rules_from(integers, floats):\n    return Rules({', '.join(values)})", namespace)
    return DeviceSpecializer({}, lambda module: False).compiled(namespace["rules_from"])


class DeviceGame(CompiledGame):
    """A game's rules, compiled for the GPU.

    Args:
        game: the game.
        sizes: the lengths of local arrays in kernels, by the names of the constants that they replace.
    """

    specializer = DeviceSpecializer
    packing_functions = staticmethod(packing_functions)
    rules_reader = staticmethod(rules_reader)

    def __init__(self, game: Game, sizes: Mapping[str, int]) -> None:
        self._sizes = sizes
        super().__init__(game)

    def _kernels(
        self,
        name: str,  # noqa: ARG002  no file is kept
        functions: Mapping[str, Any],
        policies: tuple[Callable[..., Any], ...] = (),
    ) -> Any:
        return DeviceKernels(self, DeviceSpecializer({**functions, **self._sizes}, self._is_plain), policies)

    def refusal(self, error: Exception, policies: tuple[Callable[..., Any], ...]) -> InputError:
        """Return the error for rules or policies that cannot be compiled for the GPU."""
        files = [*self._sources, *(Path(policy.__code__.co_filename) for policy in policies)]
        place = line_in_question(files, error) or self.game.file.name
        return InputError(
            f"{place}: a GPU cannot run this: it has no lists, sets or dicts, and no functions that call themselves; "
            "the device 'cpu' can."
        )


class DeviceKernels:
    """The GPU kernels of a game, by the functions of the engine that they are compiled from."""

    def __init__(
        self, game: DeviceGame, specializer: DeviceSpecializer, policies: tuple[Callable[..., Any], ...]
    ) -> None:
        self._game, self._specializer, self._policies = game, specializer, policies

    def __getitem__(self, function: Callable[..., Any]) -> "DeviceKernel":
        """Return the compiled form of a function."""
        return DeviceKernel(self._specializer.kernel(function), self._refusal)

    def _refusal(self, error: Exception) -> InputError:
        return self._game.refusal(error, self._policies)


class DeviceKernel:
    """A kernel of numba-cuda, which is compiled when it is first launched.

    Attributes:
        dispatcher: the dispatcher of numba-cuda.
        refusal: converts an error of the compiler into one for the user.
    """

    def __init__(self, dispatcher: Any, refusal: Callable[[Exception], InputError]) -> None:
        self.dispatcher, self.refusal = dispatcher, refusal

    def launch(self, groups: int, threads: int, *arguments: Any) -> None:
        """Launch the kernel on `groups` blocks of `threads` threads.

        Raises:
            InputError: if it cannot be compiled.
        """
        with self._compiling():
            self.dispatcher[groups, threads](*arguments)

    def prepared(self, groups: int, threads: int, *arguments: Any) -> Callable[..., None]:
        """Compile for arguments of these types; return a function that launches the kernel with such arguments.

        It has less overhead than `launch`, and keeps its argument tuples in memory as long as the kernel is in use.

        Raises:
            InputError: if it cannot be compiled.
        """
        dispatcher = self.dispatcher
        if not is_simulated():
            with self._compiling():
                dispatcher = dispatcher.specialize(*arguments)
            known: _Known = {}
            for kernel in dispatcher.overloads.values():
                _remember_tuples(kernel, known)
            finalize(self, known.clear)  # kernels of numba live on until garbage is collected
        with self._compiling():
            launcher: Callable[..., None] = dispatcher[groups, threads]
        return launcher

    @contextmanager
    def _compiling(self) -> Iterator[None]:
        try:
            with compiling():
                yield
        except (errors_of_cuda.NumbaError, errors_of_numba.NumbaError) as error:
            raise self.refusal(error) from None


def _remember_tuples(kernel: Any, known: _Known) -> None:
    """Convert each tuple of arguments once: numba-cuda takes 7 microseconds for each array whenever it is passed."""
    prepare = kernel._prepare_args

    def prepared(kind: Any, value: Any, stream: Any, after: list[Any], converted: list[Any]) -> None:
        if not isinstance(value, tuple):
            prepare(kind, value, stream, after, converted)
            return
        if id(value) not in known:
            parts: list[Any] = []
            prepare(kind, value, stream, after, parts)
            known[id(value)] = value, parts
        converted.extend(known[id(value)][1])

    kernel._prepare_args = prepared
