"""What a person reads off a table: a number, how many a set has, its highest and its lowest.

Fields that count something are small numbers. A field with a number that nobody could read off a table is a set, such
as the cards of a hand, whose members are its bits (`komi.bitset`).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from komi import walk
from komi.bitset import count, length
from komi.game import Game
from komi.interpreted import Interpreter

Form = Literal["number", "size", "highest", "lowest"]
FORMS: tuple[Form, ...] = ("number", "size", "highest", "lowest")
NUMBER, SIZE, HIGHEST, LOWEST = range(len(FORMS))
OF_SETS = FORMS[1:]
SET = 1 << 16  # numbers that nobody counts with
ROUNDING = 1e-9
LOOKED_AT = 400  # states of random play


@dataclass(frozen=True, order=True)
class Measure:
    """What is read off a field of the state, by its place."""

    field: str
    place: int
    form: Form

    @property
    def words(self) -> str:
        """What it is called."""
        return self.field if self.form in ("number", "size") else f"the {self.form} of {self.field}"

    def code(self, state: str) -> str:
        """It as an expression of a policy."""
        field = f"{state}.{self.field}"
        match self.form:
            case "number":
                return field
            case "size":
                return f"count({field})"
            case "highest":
                return f"length({field})"
        return f"length({field} & -{field})"

    @property
    def row(self) -> tuple[int, int]:
        """(form, place), for `measured`."""
        return FORMS.index(self.form), self.place

    def of(self, state: Any) -> int:
        """It in a state."""
        return measured(state, *self.row)


def measured(state: Any, form: int, place: int) -> int:
    """What is read off a state."""
    field = state[place]
    if form == NUMBER:
        return field  # type: ignore[no-any-return]
    if form == SIZE:
        return count(field)
    if form == HIGHEST:
        return length(field)
    return length(field & -field)


@dataclass(frozen=True)
class Table:
    """What differs, and is read off the table, in games played at random.

    Attributes:
        results: the measures that differ between what the actions of a state lead to: (least, greatest).
        situations: numbers and sizes that differ between the states in which players choose: (least, greatest).
    """

    results: Mapping[Measure, tuple[int, int]]
    situations: Mapping[Measure, tuple[int, int]]

    @classmethod
    def of(cls, game: Game, rules: Any) -> "Table":
        """The table of a game, from some games played at random."""
        walked = walk.play(Interpreter(game, rules), LOOKED_AT)
        looks = [(state, seen(game, rules, state)) for state in walked]
        moves = [walked[state] for state in walked if len(walked[state]) > 1]
        chosen = [look for state, look in looks if len(walked[state]) > 1]
        led = [
            [[seen_again(game, rules, after, passes) for _, after, passes in move.outcomes] for move in each]
            for each in moves
        ]
        everything = [*chosen, *(after for each in led for afters in each for after in afters)]
        measures = [each for each in _measures(game, rules, everything) if _shows(each, looks)]
        differing = {each for each in measures if any(_differs(each, afters) for afters in led)}
        situations = {each: _range(each, chosen) for each in measures if each.form in ("number", "size")}
        return cls(
            {each: _range(each, everything) for each in measures if each in differing},
            {each: ends for each, ends in situations.items() if ends[0] < ends[1]},
        )


def seen(game: Game, rules: Any, state: Any) -> Any:
    """A state as the player to move sees it."""
    return game.part("view")(rules, state) if game.has("view") else state


def seen_again(game: Game, rules: Any, after: Any, passes: int) -> Any:
    """What an action has led to, as the player sees it who took the action."""
    seats = game.players(rules)
    if game.has("turned"):
        for _ in range(-passes % seats):
            after = game.part("turned")(rules, after)
    return after


def _measures(game: Game, rules: Any, states: Sequence[Any]) -> Iterator[Measure]:
    places = {name: place for place, name in enumerate(game.module.State._fields)}
    for field in game.fields(rules):
        place = places[field]
        is_set = any(state[place] >= SET for state in states)
        yield from (Measure(field, place, form) for form in (OF_SETS if is_set else FORMS[:1]))


def _shows(measure: Measure, looks: Sequence[tuple[Any, Any]]) -> bool:
    """Whether players see it: the number of cards in a deck, say, but not its highest card."""
    if all(state[measure.place] == look[measure.place] for state, look in looks):
        return True
    return measure.form == "size" and all(measure.of(state) == measure.of(look) for state, look in looks)


def _differs(measure: Measure, moves: list[list[Any]]) -> bool:
    means = {sum(map(measure.of, afters)) / len(afters) for afters in moves}
    return max(means) - min(means) > ROUNDING


def _range(measure: Measure, states: Iterable[Any]) -> tuple[int, int]:
    values = [int(measure.of(state)) for state in states]
    return min(values, default=0), max(values, default=0)
