"""Types of the values that game files define, and of compiled functions.

Each game declares its own named tuples `Rules` and `State`, so that these names stand for any of them: mypy checks no
field of theirs, and an annotation says which of the two a value is.
"""

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np

Rules: TypeAlias = Any
"""The `Rules` of a game: a named tuple of all numbers of its rule book, each an int, a float, a bool or a str."""

State: TypeAlias = Any
"""The `State` of a game: a named tuple of integers, as the player to move sees the game. It can be hashed."""

GameLike: TypeAlias = Any
"""A game as komi's functions take it: a name, a path, a `Game`, and whatever else `komi.find` takes."""

Action: TypeAlias = int
"""The index of an action, from 0 on; -1 is `komi.game.CHANCE`."""

Outcome: TypeAlias = tuple[float, State, int]
"""An outcome of an action: its probability, the next state, and the number of seats that the turn passes on."""

Integer: TypeAlias = int | np.integer[Any]
"""An integer in compiled code, where Python's and numpy's are the same."""

RuleFunction: TypeAlias = Callable[..., Any]
"""A function of a game file, as Python interprets it: a part of the rules, or a policy."""

CompiledFunction: TypeAlias = Callable[..., Any]
"""A function that numba has compiled, called from compiled code or from Python (numba's `Dispatcher`)."""

Kernel: TypeAlias = Callable[..., Any]
"""A compiled function of the engine that Python calls, as `Kernels[function]` returns it."""

PolicyData: TypeAlias = tuple[Any, ...]
"""The data of a policy that compiled code reads, such as its table: arrays, numbers, and named tuples of them."""
