"""The input and the result of a search for strategies to remember, for every kind of game."""

from dataclasses import dataclass
from typing import NamedTuple

from komi.evaluation.losses import Mistake
from komi.teaching.strategy_rendering import StrategyRenderer
from komi.teaching.strategy_search import EvaluatedStrategy


class LessonLimits(NamedTuple):
    """The limits of a search.

    Attributes:
        numbers: the greatest number of numbers to remember.
        seconds: the time limit.
        seed: the seed.
    """

    numbers: int
    seconds: float
    seed: int


@dataclass(frozen=True)
class WorkedExample:
    """A position that occurs in games, and the strategy's decision there.

    Attributes:
        state: the fields that a person sees, by name.
        working: the reason, in numbers.
        action: the strategy's action.
        best: the action of optimal play.
    """

    state: dict[str, int]
    working: str
    action: str
    best: str


@dataclass(frozen=True)
class Lesson:
    """The result of a search.

    Attributes:
        front: the best strategy found for each number of numbers, the best of all last.
        seconds: the time of the search, without compilation.
        renderer: renders these strategies.
        source: the best one as a policy file.
        costliest: the position with its largest regret, weighted by the frequency of the position.
        examples: positions that occur in games.
    """

    front: list[EvaluatedStrategy]
    seconds: float
    renderer: StrategyRenderer
    source: str
    costliest: Mistake | None
    examples: tuple[WorkedExample, ...]
