"""People's decisions, their options, and the value of each option under optimal play."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from komi.play.review import Review, review
from komi.play.table import Table
from komi.progress import Progress, silent
from komi.rules.game import Game
from komi.solvers.solution import Solution
from komi.typing import Rules, State

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
    rules: Rules
    opponent: str
    seat: int
    labels: tuple[str, ...]
    games_before: int


@dataclass(frozen=True)
class HumanDecision:
    """One choice of a person between at least two actions.

    Attributes:
        record: the game of the decision.
        number: its index in the game's log.
        state: the state as the person observed it.
        options: the legal actions, in the order of the rules.
        chosen: the index of the chosen action.
        option_values: the value of each option to the person under optimal play afterwards; None if the game is not
            solved.
        value: the value of the state; None if the game is not solved.
        loss: loss in probability of winning, or in the objective; None if the game is not solved.
    """

    record: RecordedGame
    number: int
    state: State
    options: tuple[str, ...]
    chosen: int
    option_values: tuple[float, ...] | None
    value: float | None
    loss: float | None


@dataclass(frozen=True)
class StudyResult:
    """The result of a person's game, and the share of luck in it.

    Attributes:
        record: the game.
        payoff: the person's payoff, from 0 to 1; in a single-player game the objective.
        start: the person's value at the start; None, like `luck` and `skill`, if the game is not solved.
        luck: the part of payoff - start that is due to chance.
        skill: the part that is due to the difference in play.
    """

    record: RecordedGame
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
        return len({result.record.person for result in self.results})

    @property
    def evaluated(self) -> list[HumanDecision]:
        """The decisions whose options have a known value."""
        return [decision for decision in self.decisions if decision.option_values is not None]


def read_games(games: Sequence[RecordedGame], solved: Solver, progress: Progress = silent) -> list[StudyData]:
    """Return the decisions in finished games, grouped by the game's name, the most played game first.

    Args:
        games: the finished games.
        solved: returns optimal play of a game under its rules; None if it has none.
        progress: progress callback that receives the number of games read.
    """
    by_name: dict[str, StudyData] = {}
    for number, record in enumerate(games, 1):
        data = by_name.setdefault(record.game.name, StudyData(record.game, [], []))
        table = Table(record.game, record.rules, record.labels)
        solution = solved(record.game, record.rules)
        reviewed = review(solution, table, record.seat) if solution else None
        data.decisions.extend(_decisions(record, reviewed))
        data.results.append(_result(record, table, reviewed))
        progress("reading games", number, len(games))
    return sorted(by_name.values(), key=lambda each: -len(each.results))


def games_before(names: Iterable[tuple[int, str]]) -> list[int]:
    """Return, for each (person, name of the game) in the order of play, the number of earlier equal pairs."""
    counts: Counter[tuple[int, str]] = Counter()
    before = []
    for pair in names:
        before.append(counts[pair])
        counts[pair] += 1
    return before


def _decisions(record: RecordedGame, reviewed: Review | None) -> Iterable[HumanDecision]:
    """Yield the person's own choices between two or more actions."""
    evaluated = {decision.number: decision for decision in reviewed.decisions} if reviewed else {}
    replay = Table(record.game, record.rules)
    for label in record.labels:
        options = tuple(replay.actions)
        if replay.mover == record.seat and len(options) > 1:
            decision = evaluated.get(replay.number)
            option_values = tuple(decision.values[option] for option in options) if decision else None
            value = decision.values[decision.best] if decision else None
            loss = decision.loss if decision else None
            yield HumanDecision(
                record,
                replay.number,
                replay.observation(record.seat),
                options,
                options.index(label),
                option_values,
                value,
                loss,
            )
        replay.enter(label)


def _result(record: RecordedGame, table: Table, reviewed: Review | None) -> StudyResult:
    assert table.payoffs is not None
    payoff = table.payoffs[record.seat] + (table.rewards[record.seat] if table.players == 1 else 0.0)
    if reviewed is None:
        return StudyResult(record, payoff, None, None, None)
    return StudyResult(record, payoff, reviewed.start, reviewed.luck, reviewed.skill)
