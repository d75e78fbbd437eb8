"""The policies at a table as one compiled function, and the data that it is given.

Policies are numbered from 1; equal policies share a number. The number 0 denotes the player who picks any legal action
at random, which needs no policy call.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from types import FunctionType
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from komi.jit.kernels import Kernels
from komi.policies.policy import UNKNOWN, Policy, Question
from komi.rules.compiled import CompiledGame


@dataclass(frozen=True, eq=False)
class Asking:
    """The interface through which compiled code calls the policies at a table.

    Attributes:
        policies: one for each seat, the first to move first.
        numbers: int64[seats], the number of each seat's policy.
        carried: the data of each policy, in the order of their numbers, for `rules.interface.call_policy`.
    """

    policies: tuple[Policy, ...]
    numbers: NDArray[np.int64]
    carried: tuple[Any, ...]
    _questions: tuple[Question, ...]

    @classmethod
    def of(cls, policies: Sequence[Policy]) -> "Asking":
        """Create the interface to the policies of the seats.

        Raises:
            SolveError: if compiled code cannot call one of them.
        """
        asked = sorted(set(policies), key=lambda policy: policy.name)  # the generated code does not depend on the seats
        questions = {policy: question for policy in asked if (question := policy.question()) is not None}
        places = {policy: number for number, policy in enumerate(questions, 1)}
        numbers = np.array([places.get(policy, 0) for policy in policies], np.int64)
        return cls(
            tuple(policies), numbers, tuple(each.carried for each in questions.values()), tuple(questions.values())
        )

    def kernels(self, compiled: CompiledGame) -> Kernels:
        """Return kernels that are specialized so that `rules.interface.call_policy` calls these policies."""
        if not self._questions:
            return compiled.kernels
        lines = ["def call_policy(rules, state, policy, carried, luck):"]
        for index in range(len(self._questions)):
            lines += [
                f"    if policy == {index + 1}:",
                f"        return call_policy{index}(rules, state, luck, carried[{index}])",
            ]
        namespace: dict[str, Any] = {f"call_policy{index}": None for index in range(len(self._questions))}
        exec("\n".join([*lines, f"    return {UNKNOWN}"]), namespace)
        templates = [(cast(FunctionType, each.template), each.functions) for each in self._questions]
        return compiled.kernels_with_policies(templates, namespace["call_policy"])
