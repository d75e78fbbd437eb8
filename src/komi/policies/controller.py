"""Policies with a memory: what the player sees next leads from one node to another, and each node has an action."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from komi.arrays import I16, I64
from komi.compiling.compiled import CompiledGame
from komi.compiling.packing import Layout
from komi.errors import SolveError
from komi.graph.state_sets import StateSet
from komi.policies.policy import Policy, PolicyCode
from komi.policies.table import find_index
from komi.rules.game import Game
from komi.search.playouts import PolicyStatus
from komi.solvers.hidden.point_based import Controller
from komi.solvers.hidden.point_based_solver import PointBasedSolution
from komi.typing import PolicyData, Rules, State

UNKNOWN = int(PolicyStatus.UNKNOWN)


@dataclass(frozen=True, eq=False)
class ControllerPolicy(Policy):
    """A policy of a player who remembers all that it sees, for games that begin at the start.

    Attributes:
        observations: what the player can see.
        numbers: int64[observations], the number of each in the controller.
        controller: the nodes and edges.
    """

    name: str
    observations: StateSet
    numbers: I64
    controller: Controller

    @classmethod
    def of(cls, name: str, solution: PointBasedSolution) -> Self:
        """Create the policy that attains the value of a solution."""
        fields = np.asarray(solution.data.observations)
        observations = StateSet.of_fields(Layout.around(fields, solution.game.steps), fields)
        return cls(name, observations, np.argsort(observations.indices_of_fields(fields)), solution.controller)

    def is_of(self, solution: PointBasedSolution) -> bool:
        """Return whether this is the policy that attains the value of a solution."""
        own = type(self).of(self.name, solution)
        arrays: list[tuple[Any, ...]]
        arrays = [(each.observations.all_fields(), each.numbers, *each.controller) for each in (self, own)]
        return all(np.array_equal(one, other) for one, other in zip(*arrays, strict=True))

    def number(self, seen: State) -> int:
        """Return the number of an observation in the controller; -1 for an unknown one."""
        index = self.observations.index_of(seen)
        return int(self.numbers[index]) if index >= 0 else -1

    def tabulate(self, compiled: CompiledGame, rules: Rules, states: StateSet) -> I16:  # noqa: ARG002
        """Refuse to make a table.

        Raises:
            SolveError: always.
        """
        raise self._refusal()

    def code(self) -> PolicyCode | None:
        """Refuse callers that begin within a game.

        Raises:
            SolveError: always.
        """
        raise self._refusal()

    def code_from_start(self) -> PolicyCode:
        """Return the code that follows the edges."""
        return PolicyCode(_follow, (self.observations.in_memory(), self.numbers, *self.controller), remembers=True)

    def choose(self, game: Game, rules: Rules, state: State, uniform: float) -> int:  # noqa: ARG002
        """Refuse to choose without what the player has seen before.

        Raises:
            SolveError: always.
        """
        raise self._refusal()

    def _refusal(self) -> SolveError:
        return SolveError(
            f"policy {self.name} remembers all that the player has seen, and is no table: 'komi match' and "
            "'komi simulate' measure it."
        )


def _follow(rules: Rules, state: State, uniform: float, data: PolicyData) -> int:  # noqa: ARG001
    """Follow the edge of what the player sees, and return the action of the node; UNKNOWN if it cannot be seen.

    Args:
        rules: the rules.
        state: what the player sees.
        uniform: a uniform random number in [0, 1).
        data: the fields of `ControllerPolicy`, with those of its controller, and int64[1], the node, which is modified.
    """
    observations, numbers, actions, ends, seen, after, memory = data
    index = find_index(observations, state)
    if index < 0:
        return UNKNOWN
    number, node = numbers[index], memory[0]
    memory[0] = 1 + number
    for edge in range(ends[node], ends[node + 1]):
        if seen[edge] == number:
            memory[0] = after[edge]
    return int(actions[memory[0]])
