"""The quantities that a person reads off a table: a number, or the size, the highest or the lowest member of a set.

Fields that count something are small numbers. A field with larger values is a set, such as the cards of a hand, whose
members are its bits (`komi.bitset`), if moves change only a few of them; otherwise no person can read it.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from komi.arrays import I64
from komi.bitset import count
from komi.rules import enumeration
from komi.rules.game import Game
from komi.rules.interpreter import Interpreter, Move
from komi.teaching.features import Feature, Quantity, Reading
from komi.teaching.field_roles import find_mirrored_fields
from komi.typing import Rules, State

SET_READINGS: tuple[Reading, ...] = ("size", "highest", "lowest")
MAX_NUMBER = 1 << 14  # bound of fields that count something
MAX_CHANGES = 3  # members that a move adds to a set or removes, on average
ROUNDING = 1e-9  # a smaller difference of means is rounding
SAMPLED_STATES = 400  # states of random play


@dataclass(frozen=True)
class ObservedQuantities:
    """The visible quantities that vary in random games.

    Attributes:
        results: the quantities that differ between the results of a state's actions: (least, greatest).
        features: the numbers and sizes that differ between the states in which players choose.
        visited: the values of each feature in these states, with repetitions, in ascending order.
        uncertain: the quantities that differ between the outcomes of one action.
        mirrored: fields that swap roles when the turn passes, if the game does not define `turned`.
    """

    results: Mapping[Quantity, tuple[int, int]]
    features: tuple[Feature, ...]
    visited: tuple[tuple[int, ...], ...]
    uncertain: frozenset[Quantity]
    mirrored: Mapping[str, str]

    @classmethod
    def of(cls, game: Game, rules: Rules) -> "ObservedQuantities":
        """Infer the quantities of a game from some random games."""
        interpreter = Interpreter(game, rules)
        state_moves = enumeration.sample_states(interpreter, SAMPLED_STATES)
        observations = {state: game.observed(rules, state) for state in state_moves}
        mirrored = {} if game.has("turned") else dict(find_mirrored_fields(game, rules))
        moves = {
            observation: state_moves[state] if observation == state else interpreter.moves(observation)
            for state, observation in observations.items()
            if len(state_moves[state]) > 1
        }
        choices = [ObservedChoice.of(game, rules, observation, moves[observation], mirrored) for observation in moves]
        quantities = [
            each
            for each in _quantities(game, rules, state_moves, choices)
            if _is_visible(each, list(observations.items()))
        ]
        states = [choice.state for choice in choices]
        results = [*states, *(after for choice in choices for afters in choice.results for after in afters)]
        readable = [each for each in quantities if each.reading in ("number", "size")]
        visited = {each: tuple(sorted(each.evaluate(state) for state in states)) for each in readable}
        varying = {each: values for each, values in visited.items() if len(set(values)) > 1}
        return cls(
            {
                each: _range(each, results)
                for each in quantities
                if any(choice.distinguishes(each) for choice in choices)
            },
            tuple(Feature("identity", each, each) for each in varying),
            tuple(varying.values()),
            frozenset(each for each in quantities if any(choice.is_uncertain(each) for choice in choices)),
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

    def distinguishes(self, quantity: Quantity) -> bool:
        """Return whether the mean of a quantity differs between the actions."""
        means = [sum(map(quantity.evaluate, afters)) / len(afters) for afters in self.results]
        return max(means) - min(means) > ROUNDING

    def is_uncertain(self, quantity: Quantity) -> bool:
        """Return whether a quantity differs between the outcomes of an action."""
        return any(len({quantity.evaluate(after) for after in afters}) > 1 for afters in self.results)

    def count_flips(self, index: int) -> Iterator[int]:
        """Yield the number of bits of a field that change, for each outcome in which it changes."""
        for afters in self.results:
            for after in afters:
                if after[index] != self.state[index]:
                    yield count(after[index] ^ self.state[index])


def observe_result(game: Game, rules: Rules, after: State, passes: int, mirrored: Mapping[str, str]) -> Any:
    """Return the next state as the player who took the action observes it."""
    back = -passes % game.players(rules)
    if back and mirrored:
        return after._replace(**{name: getattr(after, other) for name, other in mirrored.items()})
    return game.turned(rules, after, back)


def _quantities(
    game: Game, rules: Rules, states: Iterable[Any], choices: Sequence[ObservedChoice]
) -> Iterator[Quantity]:
    indices = {name: index for index, name in enumerate(game.module.State._fields)}
    for field in game.fields(rules):
        index = indices[field]
        greatest = max((state[index] for state in states), default=0)
        flips = [flipped for choice in choices for flipped in choice.count_flips(index)]
        if greatest < MAX_NUMBER:
            yield Quantity(field, index)
        elif sum(flips) <= MAX_CHANGES * len(flips):
            yield from (Quantity(field, index, reading) for reading in SET_READINGS)


def _is_visible(quantity: Quantity, observations: Sequence[tuple[Any, Any]]) -> bool:
    """Return whether players can see a quantity, such as the number of cards in a deck, but not its highest card."""
    if all(state[quantity.index] == observation[quantity.index] for state, observation in observations):
        return True
    return quantity.reading == "size" and all(
        quantity.evaluate(state) == quantity.evaluate(observation) for state, observation in observations
    )


def _range(quantity: Quantity, states: Iterable[Any]) -> tuple[int, int]:
    values = [quantity.evaluate(state) for state in states]
    return min(values, default=0), max(values, default=0)
