"""People's decisions, their options, and the value of each option under optimal play."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from komi.game import Game
from komi.play.review import Review, review
from komi.play.table import Table
from komi.progress import Progress, silent
from komi.solvers.solution import Solution

Solver = Callable[[Game, Any], Solution[Any] | None]


@dataclass(frozen=True)
class RecordedGame:
    """A finished game that a person has agreed to have studied.

    Attributes:
        person: a number that identifies the player within this data only.
        game, rules: the game and its rules.
        opponent: the opponent's name.
        seat: the person's seat.
        labels: the log, as `play.table.Table` takes it.
        games_before: the number of games of the same name that the person had finished before.
    """

    person: int
    game: Game
    rules: Any
    opponent: str
    seat: int
    labels: tuple[str, ...]
    games_before: int


@dataclass(frozen=True)
class HumanDecision:
    """One choice of a person between at least two actions.

    Attributes:
        kept: the game of the decision.
        number: its index in the game's log.
        state: the state as the person observed it.
        options: the legal actions, in the order of the rules.
        chosen: the index of the chosen action.
        worth: the value of each option to the person under optimal play afterwards; None if the game is not solved.
        chance: the value of the state; None if the game is not solved.
        loss: loss in probability of winning, or in the objective; None if the game is not solved.
    """

    kept: RecordedGame
    number: int
    state: Any
    options: tuple[str, ...]
    chosen: int
    worth: tuple[float, ...] | None
    chance: float | None
    loss: float | None


@dataclass(frozen=True)
class StudyResult:
    """The result of a person's game, and the share of luck in it.

    Attributes:
        kept: the game.
        payoff: the person's payoff, from 0 to 1; in a single-player game the objective.
        start: the person's value at the start; None, like `luck` and `skill`, if the game is not solved.
        luck: the part of payoff - start that is due to chance.
        skill: the part that is due to the difference in play.
    """

    kept: RecordedGame
    payoff: float
    start: float | None
    luck: float | None
    skill: float | None


@dataclass(frozen=True)
class StudyData:
    """The decisions and results of all studied games of one name."""

    game: Game
    decisions: list[HumanDecision]
    results: list[StudyResult]

    @property
    def people(self) -> int:
        """The number of people who played."""
        return len({result.kept.person for result in self.results})

    @property
    def judged(self) -> list[HumanDecision]:
        """The decisions whose options have a known value."""
        return [decision for decision in self.decisions if decision.worth is not None]


def read_games(games: Sequence[RecordedGame], solved: Solver, progress: Progress = silent) -> list[StudyData]:
    """Return the decisions in finished games, grouped by the game's name, the most played game first.

    Args:
        games: the finished games.
        solved: returns optimal play of a game under its rules; None if it has none.
        progress: progress callback that receives the number of games read.
    """
    found: dict[str, StudyData] = {}
    for number, kept in enumerate(games, 1):
        own = found.setdefault(kept.game.name, StudyData(kept.game, [], []))
        table = Table(kept.game, kept.rules, kept.labels)
        solution = solved(kept.game, kept.rules)
        seen = review(solution, table, kept.seat) if solution else None
        own.decisions.extend(_decisions(kept, seen))
        own.results.append(_result(kept, table, seen))
        progress("reading games", number, len(games))
    return sorted(found.values(), key=lambda each: -len(each.results))


def games_before(names: Iterable[tuple[int, str]]) -> list[int]:
    """Return, for each (person, name of the game) in the order of play, the number of earlier equal pairs."""
    seen: Counter[tuple[int, str]] = Counter()
    before = []
    for pair in names:
        before.append(seen[pair])
        seen[pair] += 1
    return before


def _decisions(kept: RecordedGame, seen: Review | None) -> Iterable[HumanDecision]:
    """Yield the person's own choices between two or more actions."""
    judged = {decision.number: decision for decision in seen.decisions} if seen else {}
    again = Table(kept.game, kept.rules)
    for label in kept.labels:
        options = tuple(again.actions)
        if again.mover == kept.seat and len(options) > 1:
            decision = judged.get(again.number)
            worth = tuple(decision.values[option] for option in options) if decision else None
            chance = decision.values[decision.best] if decision else None
            loss = decision.loss if decision else None
            yield HumanDecision(
                kept, again.number, again.observation(kept.seat), options, options.index(label), worth, chance, loss
            )
        again.enter(label)


def _result(kept: RecordedGame, table: Table, seen: Review | None) -> StudyResult:
    assert table.payoffs is not None
    payoff = table.payoffs[kept.seat] + (table.rewards[kept.seat] if table.players == 1 else 0.0)
    if seen is None:
        return StudyResult(kept, payoff, None, None, None)
    return StudyResult(kept, payoff, seen.start, seen.luck, seen.skill)
