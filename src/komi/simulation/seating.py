"""Who sits where: the policies at a table as one compiled function, and what that needs to know.

A seat is given the number of a chooser. Chooser 0 picks at random among the legal actions, which the
simulator does itself; the others are rules, preferences and tables. Equal policies share a chooser.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from types import FunctionType
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from komi.compile.compiled import CompiledGame
from komi.compile.kernels import Kernels
from komi.compile.packing import Layout
from komi.compile.places import index_of, is_member, locate
from komi.compile.rulebook import legal
from komi.model.states import StateSet, suits_dense
from komi.policies.policy import Policy, Preference, Rule, Table, Uniform

NO_ACTION = -2  # of a table in a state that it does not know


class Choosers(NamedTuple):
    """What compiled policies read. Tables share one layout of states, and lie one after the other."""

    parameters: Any  # int64[choosers + 1, most parameters], row 0 unused
    layout: Layout  # of the states of all tables
    keys: Any  # of the `StateSet` of each, all dense or all sparse
    ranks: Any  # of the `StateSet` of each
    actions: Any  # int16[states of all tables]
    tables: Any  # int64[choosers + 1, 3, 2], where a table begins and ends in `keys`, `ranks` and `actions`


@dataclass(frozen=True, eq=False)
class Seating:
    """The policies at a table.

    Attributes:
        policies: one a seat, the first to move first.
        seats: int64[seats], the chooser of each.
        choosers: what these read.
    """

    policies: tuple[Policy, ...]
    seats: NDArray[np.int64]
    choosers: Choosers
    _distinct: tuple[Policy, ...]

    @classmethod
    def of(cls, policies: Sequence[Policy]) -> "Seating":
        """Seat the policies."""
        distinct = list(dict.fromkeys(policy for policy in policies if not isinstance(policy, Uniform)))
        seats = [0 if isinstance(policy, Uniform) else distinct.index(policy) + 1 for policy in policies]
        return cls(tuple(policies), np.array(seats, np.int64), _choosers(distinct), tuple(distinct))

    def kernels(self, compiled: CompiledGame) -> Kernels:
        """Engine templates in which `ask` asks these policies."""
        if not self._distinct:
            return compiled.kernels
        functions = {
            f"policy{number}": cast(FunctionType, policy.function)
            for number, policy in enumerate(self._distinct, 1)
            if isinstance(policy, (Rule, Preference))
        }
        namespace: dict[str, Any] = {"math": math, "legal": legal, "looked_up": _looked_up, **functions}
        exec("\n".join(self._ask()), namespace)
        return compiled.kernels_calling(functions, namespace["ask"])

    def _ask(self) -> list[str]:
        """The lines of `ask` for this table: a branch for each chooser."""
        lines = ["def ask(rules, state, chooser, choosers, luck):"]
        for number, policy in enumerate(self._distinct, 1):
            lines.append(f"    if chooser == {number}:")
            if isinstance(policy, Table):
                lines.append("        return looked_up(choosers, chooser, state)")
                continue
            assert isinstance(policy, (Rule, Preference))
            given = "".join(f", choosers.parameters[{number}, {i}]" for i in range(len(policy.parameters)))
            call = f"policy{number}(rules, state{', action' * isinstance(policy, Preference)}{given})"
            lines += [f"        return {call}"] if isinstance(policy, Rule) else _most_liked(call)
        return [*lines, f"    return {NO_ACTION}"]


def _most_liked(call: str) -> list[str]:
    """Of the actions liked most, the one that luck falls on."""
    lines = [
        "best = -math.inf",
        "ties = 0",
        "for action in legal(rules, state):",
        f"    liking = {call}",
        "    if liking > best:",
        "        best, ties = liking, 0",
        "    ties += liking == best",
        "skip = int(luck * ties)",
        "for action in legal(rules, state):",
        f"    if {call} == best:",
        "        if skip == 0:",
        "            return action",
        "        skip -= 1",
    ]
    return ["        " + line for line in lines]


def _choosers(policies: Sequence[Policy]) -> Choosers:
    parameters = [() if isinstance(policy, (Table, Uniform)) else policy.parameters for policy in policies]
    rows = np.zeros((len(policies) + 1, max(map(len, parameters), default=0)), np.int64)
    for row, given in zip(rows[1:], parameters, strict=True):
        row[: len(given)] = given
    tables = {number: policy for number, policy in enumerate(policies, 1) if isinstance(policy, Table)}
    known = _alike([table.states for table in tables.values()])
    lengths = np.zeros((len(policies) + 1, 3), np.int64)
    for number, states in zip(tables, known, strict=True):
        lengths[number] = len(states.keys), len(states.ranks), states.size
    ends = lengths.cumsum(axis=0)
    empty = StateSet.empty(Layout.of([0], [1]))
    return Choosers(
        rows,
        known[0].layout if known else empty.layout,
        _joined([states.keys for states in known], empty.keys),
        _joined([states.ranks for states in known], empty.ranks),
        _joined([table.actions for table in tables.values()], np.zeros(1, np.int16)),
        np.stack((ends - lengths, ends), axis=-1),
    )


def _alike(sets: Sequence[StateSet]) -> list[StateSet]:
    """The same sets in one layout, all dense or all sparse."""
    if len(sets) < 2:
        return list(sets)
    layout = sets[0].layout
    for states in sets[1:]:
        highest = [low + mask for low, mask in zip(states.layout.lows, states.layout.masks, strict=True)]
        layout = layout.widened(states.layout.lows).widened(highest)
    dense = suits_dense(layout, min(states.size for states in sets))
    return [states.relaid(layout, dense) for states in sets]


def _joined(arrays: Sequence[NDArray[Any]], empty: NDArray[Any]) -> NDArray[Any]:
    """One array of all; a single one is not copied, for tables can be large."""
    if len(arrays) > 1:
        return np.concatenate(arrays)
    return np.ascontiguousarray(arrays[0]) if arrays else empty


def _looked_up(choosers: Any, chooser: int, state: Any) -> int:
    tables = choosers.tables
    keys = choosers.keys[tables[chooser, 0, 0] : tables[chooser, 0, 1]]
    ranks = choosers.ranks[tables[chooser, 1, 0] : tables[chooser, 1, 1]]
    place = locate(choosers.layout, keys, ranks, state)
    if not is_member(keys, place):
        return NO_ACTION
    return int(choosers.actions[tables[chooser, 2, 0] + index_of(keys, ranks, place)])
