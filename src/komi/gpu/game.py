"""One game's rules as device functions, and engine kernels specialized for them."""

from collections.abc import Callable, Mapping, Sequence
from types import FunctionType
from typing import Any, cast

from komi.compiling.compiled import CompiledGame
from komi.gpu.compiler import DeviceSpecializer
from komi.jit.intrinsics import insert_field
from komi.rules.game import Game


class DeviceKernels:
    """The kernels of a game on the card, by the functions of the engine that they are compiled from."""

    def __init__(self, specializer: DeviceSpecializer) -> None:
        self._specializer = specializer
        self._kernels: dict[Callable[..., Any], Any] = {}

    def __getitem__(self, function: Callable[..., Any]) -> Any:
        """Return the kernel of numba-cuda; it is compiled when it is first launched."""
        if function not in self._kernels:
            self._kernels[function] = self._specializer.kernel(cast(FunctionType, function))
        return self._kernels[function]


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


class DeviceGame(CompiledGame):
    """A game's rules, compiled for the card.

    Args:
        game: the game.
        sizes: the lengths of local arrays in kernels, by the names that they replace.
    """

    specializer = DeviceSpecializer
    packing_functions = staticmethod(packing_functions)

    def __init__(self, game: Game, sizes: Mapping[str, int]) -> None:
        self._sizes = sizes
        super().__init__(game)

    def _kernels(
        self, name: str, functions: Mapping[str, Any], policies: tuple[Callable[..., Any], ...] = ()
    ) -> Any:
        return DeviceKernels(DeviceSpecializer({**functions, **self._sizes}, self._is_plain))
