"""The policies at a table as one compiled function, and the data that it receives.

Policies are numbered from 1; equal policies share a number. The number 0 denotes the player who picks any legal action
at random, which needs no policy call.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from komi.arrays import I64
from komi.compiling.compiled import CompiledGame
from komi.jit.kernels import Kernels
from komi.policies.policy import Policy, PolicyCode
from komi.search.playouts import PolicyStatus


class Players(NamedTuple):
    """The players of a game, for compiled code.

    Attributes:
        policies: int64[seats], the number of each seat's policy; 0 picks any legal action at random.
        data: the data of each policy, in the order of their numbers, for `rules.interface.call_policy`.
        memory: int64[1], what a policy remembers in a game, which its data contain, too; 0 where a game begins.
    """

    policies: I64
    data: tuple[Any, ...]
    memory: I64


@dataclass(frozen=True, eq=False)
class PolicyCalls:
    """The interface through which compiled code calls the policies at a table.

    Attributes:
        policies: one for each seat, the first to move first.
        numbers: int64[seats], the number of each seat's policy.
        data: the data of each policy, in the order of their numbers, for `rules.interface.call_policy`.
    """

    policies: tuple[Policy, ...]
    numbers: I64
    data: tuple[Any, ...]
    _codes: tuple[PolicyCode, ...]

    @classmethod
    def of(cls, policies: Sequence[Policy], from_start: bool = False) -> "PolicyCalls":
        """Create the interface to the policies of the seats.

        Args:
            policies: one for each seat.
            from_start: True if they play all of each game, so that they can remember what they see.

        Raises:
            SolveError: if compiled code cannot call one of them.
        """
        distinct = sorted(dict.fromkeys(policies), key=lambda policy: policy.name)  # whatever the seats
        found = {policy: policy.code_from_start() if from_start else policy.code() for policy in distinct}
        codes = {policy: code for policy, code in found.items() if code is not None}
        number_of = {policy: number for number, policy in enumerate(codes, 1)}
        numbers = np.array([number_of.get(policy, 0) for policy in policies], np.int64)
        return cls(tuple(policies), numbers, tuple(code.data for code in codes.values()), tuple(codes.values()))

    @property
    def players(self) -> Players:
        """The players, for compiled code, with a memory of their own."""
        memory = np.zeros(1, np.int64)
        pairs = zip(self._codes, self.data, strict=True)
        return Players(self.numbers, tuple((*data, memory) if code.remembers else data for code, data in pairs), memory)

    def is_compiled_as(self, other: "PolicyCalls") -> bool:
        """Return whether kernels that call other policies can call these, with their data."""
        mine, theirs = ([code.call for code in calls._codes] for calls in (self, other))
        return np.array_equal(self.numbers, other.numbers) and mine == theirs

    def has_data_of(self, other: "PolicyCalls") -> bool:
        """Return whether the data are those of other policies."""
        return _are_equal(self.data, other.data)

    def kernels(self, compiled: CompiledGame) -> Kernels:
        """Return kernels that are specialized so that `rules.interface.call_policy` calls these policies."""
        if not self._codes:
            return compiled.kernels
        lines = ["def call_policy(rules, state, policy, data, uniform):"]
        for index in range(len(self._codes)):
            lines += [
                f"    if policy == {index + 1}:",
                f"        return call_policy{index}(rules, state, uniform, data[{index}])",
            ]
        namespace: dict[str, Any] = {f"call_policy{index}": None for index in range(len(self._codes))}
        exec("\n".join([*lines, f"    return {PolicyStatus.UNKNOWN}"]), namespace)
        return compiled.kernels_with_policies([code.call for code in self._codes], namespace["call_policy"])


def _are_equal(one: Any, other: Any) -> bool:
    """Return whether numbers, arrays and tuples of these are equal."""
    if isinstance(one, tuple):
        return isinstance(other, tuple) and len(one) == len(other) and all(map(_are_equal, one, other))
    if isinstance(one, np.ndarray):
        return isinstance(other, np.ndarray) and one.dtype == other.dtype and np.array_equal(one, other)
    return type(one) is type(other) and bool(one == other)
