"""The policies at a table as one compiled function, and what it is given.

Each policy has a number, from 1 on; equal policies share one. The number 0 is that of a player who picks any legal
action, whom nobody asks.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from types import FunctionType
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from komi.compile.compiled import CompiledGame
from komi.compile.kernels import Kernels
from komi.policies.policy import UNKNOWN, Policy, Question


@dataclass(frozen=True, eq=False)
class Asking:
    """How compiled code asks the policies at a table.

    Attributes:
        policies: one a seat, the first to move first.
        numbers: int64[seats], the number of each.
        carried: what each of the policies is given, in the order of their numbers, for `rulebook.ask`.
    """

    policies: tuple[Policy, ...]
    numbers: NDArray[np.int64]
    carried: tuple[Any, ...]
    _questions: tuple[Question, ...]

    @classmethod
    def of(cls, policies: Sequence[Policy]) -> "Asking":
        """The policies of the seats.

        Raises:
            SolveError: if one of them can only be asked interpreted.
        """
        asked = sorted(set(policies), key=lambda policy: policy.name)  # who sits where makes no other code
        questions = {policy: question for policy in asked if (question := policy.question()) is not None}
        places = {policy: number for number, policy in enumerate(questions, 1)}
        numbers = np.array([places.get(policy, 0) for policy in policies], np.int64)
        return cls(
            tuple(policies), numbers, tuple(each.carried for each in questions.values()), tuple(questions.values())
        )

    def kernels(self, compiled: CompiledGame) -> Kernels:
        """Engine templates in which `rulebook.ask` asks these policies."""
        if not self._questions:
            return compiled.kernels
        lines = ["def ask(rules, state, policy, carried, luck):"]
        for index in range(len(self._questions)):
            lines += [
                f"    if policy == {index + 1}:",
                f"        return ask{index}(rules, state, luck, carried[{index}])",
            ]
        namespace: dict[str, Any] = {f"ask{index}": None for index in range(len(self._questions))}
        exec("\n".join([*lines, f"    return {UNKNOWN}"]), namespace)
        templates = [(cast(FunctionType, each.template), each.functions) for each in self._questions]
        return compiled.kernels_asking(templates, namespace["ask"])
