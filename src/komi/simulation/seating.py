"""Who sits where: the policies at a table as one compiled function, and what that needs to know.

A seat is given the number of a chooser. Chooser 0 picks at random among the legal actions, which the
simulator does itself; the others are rules and tables. Equal policies share a chooser.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from types import FunctionType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from komi.agents.policy import Policy, Preference, Rule, Table, Uniform
from komi.compile.bits import count_ones, rank
from komi.compile.compiled import CompiledGame
from komi.compile.kernels import Kernels
from komi.compile.packing import Layout
from komi.compile.rulebook import legal, pack
from komi.solver.states import StateSet

NO_ACTION = -2  # of a table in a state that it does not know


class Choosers(NamedTuple):
    """What compiled policies read; a row for each chooser, row 0 unused. Tables share one layout of states."""

    parameters: Any  # int64[choosers, most parameters]
    layout: Any  # Layout of the states of all tables
    bits: Any  # uint64[tables, words / 64], a `StateSet` each
    ranks: Any  # int32[tables, words / 64]
    tables: Any  # int64[choosers], its row in bits and ranks
    first: Any  # int64[choosers], where its actions begin
    actions: Any  # int16[all states of all tables]


@dataclass(frozen=True, eq=False)
class Seating:
    """The policies at a table.

    Attributes:
        policies: one a seat.
        seats: int64[seats], the chooser of each.
    """

    policies: tuple[Policy, ...]
    seats: NDArray[np.int64]
    choosers: Choosers
    _distinct: tuple[Policy, ...]

    @classmethod
    def of(cls, policies: Sequence[Policy]) -> "Seating":
        """Seat the policies, the first to move first."""
        distinct: list[Policy] = []
        seats = np.zeros(len(policies), np.int64)
        for seat, policy in enumerate(policies):
            if not isinstance(policy, Uniform):
                if policy not in distinct:
                    distinct.append(policy)
                seats[seat] = distinct.index(policy) + 1
        return cls(tuple(policies), seats, _choosers(distinct), tuple(distinct))

    @property
    def functions(self) -> dict[str, FunctionType]:
        """The functions of rules and preferences, by the names that `decide` calls them by."""
        return {
            f"policy_{number}": policy.function
            for number, policy in enumerate(self._distinct, 1)
            if isinstance(policy, (Rule, Preference))
        }

    def kernels(self, compiled: CompiledGame) -> Kernels:
        """Engine templates in which `decide` asks these policies."""
        return compiled.kernels_calling(self.functions, self._source()) if self._distinct else compiled.kernels

    def _source(self) -> str:
        """The text of `decide` for this table."""
        lines = ["def decide(rules, state, chooser, choosers, luck):"]
        for number, policy in enumerate(self._distinct, 1):
            if isinstance(policy, Table):
                lines += [f"    if chooser == {number}:", "        return looked_up(choosers, chooser, state)"]
                continue
            given = "".join(f", choosers.parameters[{number}, {i}]" for i in range(len(policy.parameters)))
            lines += [f"    if chooser == {number}:"]
            if isinstance(policy, Rule):
                lines += [f"        return policy_{number}(rules, state{given})"]
            else:
                lines += [
                    "        best = -math.inf",
                    "        ties = 0",
                    "        for action in legal(rules, state):",
                    f"            liking = policy_{number}(rules, state, action{given})",
                    "            if liking > best:",
                    "                best, ties = liking, 0",
                    "            ties += liking == best",
                    "        ties = int(luck * ties)",
                    "        for action in legal(rules, state):",
                    f"            if policy_{number}(rules, state, action{given}) == best:",
                    "                if ties == 0:",
                    "                    return action",
                    "                ties -= 1",
                ]
        return "\n".join([*lines, "    return -2"])
