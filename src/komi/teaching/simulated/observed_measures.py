"""The measures that a person reads off a table: a number, or the size, the highest or the lowest member of a set.

Fields that count something are small numbers. A field with larger values is a set, such as the cards of a hand, whose
members are its bits (`komi.bitset`), if moves change only a few of them; otherwise no person can read it.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from komi.arrays import I64
from komi.bitset import count, length
from komi.rules import enumeration
from komi.rules.game import Game
from komi.rules.interpreter import Interpreter, Move
from komi.teaching.field_roles import find_mirrored_fields
from komi.typing import Rules, State

Form = Literal["number", "size", "highest", "lowest"]
FORMS: tuple[Form, ...] = ("number", "size", "highest", "lowest")
NUMBER, SIZE, HIGHEST, LOWEST = range(len(FORMS))
SET_FORMS = FORMS[1:]
MAX_NUMBER = 1 << 14  # bound of fields that count something
MAX_CHANGES = 3  # members that a move adds to a set or removes, on average
ROUNDING = 1e-9  # a smaller difference of means is rounding
SAMPLED_STATES = 400  # states of random play


@dataclass(frozen=True, order=True)
class Measure:
    """A number that is read off a field of the state.

    Attributes:
        field: the name of the field.
        index: the index of the field.
        form: how the number is read.
    """

    field: str
    index: int
    form: Form

    @property
    def text(self) -> str:
        """The name for people."""
        return self.field if self.form in ("number", "size") else f"the {self.form} of {self.field}"

    def code(self, field: str) -> str:
        """Write the measure as an expression of a policy file, given the expression of the field."""
        match self.form:
            case "number":
                return field
            case "size":
                return f"count({field})"
            case "highest":
                return f"length({field})"
        return f"length({field} & -{field})"

    @property
    def encoding(self) -> tuple[int, int]:
        """(form, index), for `measure_field`."""
        return FORMS.index(self.form), self.index

    def evaluate(self, state: State) -> int:
        """Compute the measure in a state."""
        return measure_field(state, *self.encoding)


def measure_field(state: State, form: int, index: int) -> int:
    """Compute a measure in a state."""
    field = state[index]
    if form == NUMBER:
        return field  # type: ignore[no-any-return]
    if form == SIZE:
        return count(field)
    if form == HIGHEST:
        return length(field)
    return length(field & -field)


@dataclass(frozen=True)
class ObservedMeasures:
    """The visible measures that vary in random games.

    Attributes:
        results: the measures that differ between the results of a state's actions: (least, greatest).
        situations: the numbers and sizes that differ between the states in which players choose: all values visited,
            with repetitions, in ascending order.
        uncertain: the measures that differ between the outcomes of one action.
        mirrored: fields that swap roles when the turn passes, if the game does not define `turned`.
    """

    results: Mapping[Measure, tuple[int, int]]
    situations: Mapping[Measure, tuple[int, ...]]
    uncertain: frozenset[Measure]
    mirrored: Mapping[str, str]

    @classmethod
    def of(cls, game: Game, rules: Rules) -> "ObservedMeasures":
        """Infer the measures of a game from some random games."""
        interpreter = Interpreter(game, rules)
        state_moves = enumeration.sample_states(interpreter, SAMPLED_STATES)
        observations = {state: observe(game, rules, state) for state in state_moves}
        mirrored = {} if game.has("turned") else dict(find_mirrored_fields(game, rules))
        moves = {
            observation: state_moves[state] if observation == state else interpreter.moves(observation)
            for state, observation in observations.items()
            if len(state_moves[state]) > 1
        }
        choices = [ObservedChoice.of(game, rules, observation, moves[observation], mirrored) for observation in moves]
        measures = [
            each
            for each in _measures(game, rules, state_moves, choices)
            if _is_visible(each, list(observations.items()))
        ]
        states = [choice.state for choice in choices]
        results = [*states, *(after for choice in choices for afters in choice.results for after in afters)]
        readable = [each for each in measures if each.form in ("number", "size")]
        situations = {each: tuple(sorted(int(each.evaluate(state)) for state in states)) for each in readable}
        return cls(
            {each: _range(each, results) for each in measures if any(choice.distinguishes(each) for choice in choices)},
            {each: values for each, values in situations.items() if len(set(values)) > 1},
            frozenset(each for each in measures if any(choice.is_uncertain(each) for choice in choices)),
            mirrored,
        )

    def swapped_fields(self, game: Game) -> I64:
        """Return int64[fields], the index of the field that each becomes when the turn passes."""
        names = game.module.State._fields
        return np.array([names.index(self.mirrored.get(name, name)) for name in names], np.int64)


@dataclass(frozen=True)
class ObservedChoice:
    """A state in which a player chooses, and the outcomes of each action, both as that player observes them."""

    state: State
    results: list[list[Any]]

    @classmethod
    def of(
        cls, game: Game, rules: Rules, state: State, moves: Sequence[Move], mirrored: Mapping[str, str]
    ) -> "ObservedChoice":
        """Create the choice of a player who observes this state."""
        results = [
            [observe_result(game, rules, after, passes, mirrored) for _, after, passes in move.outcomes]
            for move in moves
        ]
        return cls(state, results)

    def distinguishes(self, measure: Measure) -> bool:
        """Return whether the mean of a measure differs between the actions."""
        means = [sum(map(measure.evaluate, afters)) / len(afters) for afters in self.results]
        return max(means) - min(means) > ROUNDING

    def is_uncertain(self, measure: Measure) -> bool:
        """Return whether a measure differs between the outcomes of an action."""
        return any(len({measure.evaluate(after) for after in afters}) > 1 for afters in self.results)

    def count_flips(self, index: int) -> Iterator[int]:
        """Yield the number of bits of a field that change, for each outcome in which it changes."""
        for afters in self.results:
            for after in afters:
                if after[index] != self.state[index]:
                    yield count(after[index] ^ self.state[index])


def observe(game: Game, rules: Rules, state: State) -> Any:
    """Return the state as the player to move observes it."""
    return game.part("view")(rules, state) if game.has("view") else state


def observe_result(game: Game, rules: Rules, after: State, passes: int, mirrored: Mapping[str, str]) -> Any:
    """Return the next state as the player who took the action observes it."""
    back = -passes % game.players(rules)
    if back and mirrored:
        return after._replace(**{name: getattr(after, other) for name, other in mirrored.items()})
    return game.turned(rules, after, back)


def _measures(game: Game, rules: Rules, states: Iterable[Any], choices: Sequence[ObservedChoice]) -> Iterator[Measure]:
    indices = {name: index for index, name in enumerate(game.module.State._fields)}
    for field in game.fields(rules):
        index = indices[field]
        greatest = max((state[index] for state in states), default=0)
        flips = [flipped for choice in choices for flipped in choice.count_flips(index)]
        if greatest < MAX_NUMBER:
            yield Measure(field, index, "number")
        elif sum(flips) <= MAX_CHANGES * len(flips):
            yield from (Measure(field, index, form) for form in SET_FORMS)


def _is_visible(measure: Measure, observations: Sequence[tuple[Any, Any]]) -> bool:
    """Return whether players can see a measure, such as the number of cards in a deck, but not its highest card."""
    if all(state[measure.index] == observation[measure.index] for state, observation in observations):
        return True
    return measure.form == "size" and all(
        measure.evaluate(state) == measure.evaluate(observation) for state, observation in observations
    )


def _range(measure: Measure, states: Iterable[Any]) -> tuple[int, int]:
    values = [int(measure.evaluate(state)) for state in states]
    return min(values, default=0), max(values, default=0)
