"""What people chose, what they could have chosen, and what each choice was worth in optimal play."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from komi.game import Game
from komi.methods.answer import Answer
from komi.play.review import Review, review
from komi.play.table import Table
from komi.progress import Progress, silent

Solver = Callable[[Game, Any], Answer[Any] | None]


@dataclass(frozen=True)
class KeptGame:
    """A finished game that a person has agreed to have studied.

    Attributes:
        person: a number that stands for who played, and means nothing anywhere else.
        game, rules: what was played.
        opponent: the opponent's name.
        seat: the person's.
        labels: all that happened, as `play.table.Table` takes it.
        games_before: how many games of the same name the person had finished before.
    """

    person: int
    game: Game
    rules: Any
    opponent: str
    seat: int
    labels: tuple[str, ...]
    games_before: int


@dataclass(frozen=True)
class Decision:
    """One choice of a person between at least two actions.

    Attributes:
        kept: the game in which it was made.
        number: its place in the game's log.
        state: where, as the person saw it.
        options: the legal actions, in the order of the rules.
        chosen: the index of the action that was taken.
        worth: what each option is worth to the person if all play on optimally; None if the game is not solved.
        chance: what the state is worth; None if the game is not solved.
        loss: chance of winning, or objective, given away; None if the game is not solved.
    """

    kept: KeptGame
    number: int
    state: Any
    options: tuple[str, ...]
    chosen: int
    worth: tuple[float, ...] | None
    chance: float | None
    loss: float | None


@dataclass(frozen=True)
class Result:
    """How a person's game ended, and how much of that was luck.

    Attributes:
        kept: the game.
        payoff: what the person got, from 0 to 1; of one player the objective.
        start: what the start was worth to the person; None, like those below, if the game is not solved.
        luck: how much chance has added to it.
        skill: how much the difference in play has.
    """

    kept: KeptGame
    payoff: float
    start: float | None
    luck: float | None
    skill: float | None


@dataclass(frozen=True)
class Games:
    """What all games of one name that are studied have in them."""

    game: Game
    decisions: list[Decision]
    results: list[Result]

    @property
    def people(self) -> int:
        """How many have played."""
        return len({result.kept.person for result in self.results})

    @property
    def judged(self) -> list[Decision]:
        """The decisions of which it is known what each option was worth."""
        return [decision for decision in self.decisions if decision.worth is not None]


def read_games(games: Sequence[KeptGame], solved: Solver, progress: Progress = silent) -> list[Games]:
    """The decisions in finished games, by the game's name; the games most played first.

    Args:
        games: what was played.
        solved: optimal play of a game under its rules; None if it has none.
        progress: called with how many games are read.
    """
    found: dict[str, Games] = {}
    for number, kept in enumerate(games, 1):
        own = found.setdefault(kept.game.name, Games(kept.game, [], []))
        table = Table(kept.game, kept.rules, kept.labels)
        solution = solved(kept.game, kept.rules)
        seen = review(solution, table, kept.seat) if solution else None
        own.decisions.extend(_decisions(kept, seen))
        own.results.append(_result(kept, table, seen))
        progress("reading games", number, len(games))
    return sorted(found.values(), key=lambda each: -len(each.results))


def games_before(names: Iterable[tuple[int, str]]) -> list[int]:
    """For each (person, name of the game), in the order of play, how many such came before."""
    seen: Counter[tuple[int, str]] = Counter()
    before = []
    for pair in names:
        before.append(seen[pair])
        seen[pair] += 1
    return before


def _decisions(kept: KeptGame, seen: Review | None) -> Iterable[Decision]:
    """The person's own choices between two actions or more."""
    judged = {decision.number: decision for decision in seen.decisions} if seen else {}
    again = Table(kept.game, kept.rules)
    for label in kept.labels:
        options = tuple(again.actions)
        if again.mover == kept.seat and len(options) > 1:
            decision = judged.get(again.number)
            worth = tuple(decision.worth[option] for option in options) if decision else None
            chance = decision.worth[decision.best] if decision else None
            loss = decision.loss if decision else None
            yield Decision(
                kept, again.number, again.seen(kept.seat), options, options.index(label), worth, chance, loss
            )
        again.enter(label)


def _result(kept: KeptGame, table: Table, seen: Review | None) -> Result:
    assert table.payoffs is not None
    payoff = table.payoffs[kept.seat] + (table.gained[kept.seat] if table.players == 1 else 0.0)
    if seen is None:
        return Result(kept, payoff, None, None, None)
    return Result(kept, payoff, seen.start, seen.luck, seen.skill)
