"""The transitions of a small game against fixed opponents as a dictionary: an explicit Markov decision process."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from komi.compiling.compiled import compiled_game
from komi.compiling.packing import Layout
from komi.environments.batch import GameBatch
from komi.errors import GameError, InputError
from komi.game import CHANCE
from komi.graph.state_sets import StateSet
from komi.policies.tabulate import action_probabilities
from komi.rules import enumeration
from komi.rules.enumeration import StateMoves
from komi.rules.interpreter import Interpreter
from komi.typing import State

MAX_LISTED = 200_000  # states of the rules: a dictionary of more takes minutes and gigabytes

Row = list[tuple[float, int, float, bool]]


@dataclass(frozen=True)
class ListedTransitions:
    """All transitions from the initial state.

    Attributes:
        states: (seat to move, state from its perspective) by number; 0 is the initial state.
        transitions: for each state and action a list of (probability, next state, reward of the agent, True if the
            game is over). Where chance or an opponent is to move there is one action, 0; where the game is over
            it leads to the same state.
    """

    states: list[tuple[int, Any]]
    transitions: dict[int, dict[int, Row]]


def list_transitions(batch: GameBatch) -> ListedTransitions:
    """List the transitions of a game in which the agent has a fixed seat.

    Raises:
        InputError: if information is hidden, the seat is drawn at random, or the game has too many states.
        GameError: if the rules are broken.
        SolveError: if the policy of an opponent cannot be tabulated.
    """
    game, rules = batch.game, batch.rules
    if game.has("view"):
        raise InputError(f"{game.name} has hidden information: its transitions depend on what the player cannot see.")
    if batch.seat is None:
        raise InputError("choose the seat of the player: the transitions depend on it.")
    interpreter = Interpreter(game, rules)
    moves, is_complete = enumeration.explore(interpreter, MAX_LISTED)
    for problem in interpreter.problems.values():
        raise GameError(str(problem), problem.state)
    if not is_complete:
        raise InputError(f"{game.name} has more than {MAX_LISTED:,} states under these rules: choose smaller ones.")
    listing = _StateListing(batch, moves, batch.seat)
    states = listing.states
    transitions = {}
    for number, (seat, state) in enumerate(states):  # grows meanwhile
        transitions[number] = {action: list(row) for action, row in listing.rows(number, seat, state)}
    return ListedTransitions(states, transitions)


class _StateListing:
    """The numbers of states, in the order in which they are reached."""

    def __init__(self, batch: GameBatch, moves: StateMoves, learner: int) -> None:
        self.batch, self.moves, self.learner = batch, moves, learner
        self.states: list[tuple[int, Any]] = [(0, next(iter(moves)))]
        self._number_of = {self.states[0]: 0}
        self._policies = [_action_probabilities(batch, policy, moves) for policy in batch.policies]

    def rows(
        self, number: int, seat: int, state: State
    ) -> Iterator[tuple[int, Iterator[tuple[float, int, float, bool]]]]:
        moves = self.moves[state]
        if not moves:
            yield 0, iter([(1.0, number, 0.0, True)])
        elif moves[0].action == CHANCE or seat != self.learner:
            if moves[0].action == CHANCE:
                weights = np.ones(1)
            else:
                weights = self._policies[(seat - self.learner - 1) % self.batch.seats][state]
            yield (
                0,
                (
                    (float(weight) * probability, after, reward, is_over)
                    for weight, move in zip(weights, moves, strict=False)
                    if weight > 0.0
                    for probability, after, reward, is_over in self._row(seat, state, move)
                ),
            )
        else:
            for move in moves:
                yield move.action, self._row(seat, state, move)

    def _row(self, seat: int, state: State, move: Any) -> Iterator[tuple[float, int, float, bool]]:
        batch = self.batch
        game, rules = batch.game, batch.rules
        for probability, after, passes in move.outcomes:
            if probability == 0.0:
                continue
            next_seat = (seat + passes) % batch.seats
            is_over = not self.moves[after]
            reward = 0.0
            if game.has("reward") and seat == self.learner:
                reward += game.part("reward")(rules, state, move.action, after)
            if is_over:
                reward += game.shares(rules, after)[(self.learner - next_seat) % batch.seats]
            key = (next_seat, after)
            number = self._number_of.setdefault(key, len(self.states))
            if number == len(self.states):
                self.states.append(key)
            yield probability, number, batch.sign * float(reward), is_over


def _action_probabilities(batch: GameBatch, policy: Any, moves: StateMoves) -> dict[Any, Any]:
    """Return the probability of each legal action in each state, in the order of the rules."""
    open_states = [state for state, options in moves.items() if options]
    fields = np.array(open_states, np.int64)
    states = StateSet.of_fields(Layout.around(fields, batch.game.steps), fields)
    most = max(map(len, moves.values()))
    table = action_probabilities(policy, compiled_game(batch.game), batch.rules, states, most)
    return {state: table[states.index_of(state)] for state in open_states}
