"""Rule files for small games of OpenSpiel: all their states, listed.

A state is known by its text, which must determine its future, as OpenSpiel's own algorithms on tables assume; this is
checked wherever play reaches a state again. The result is an ordinary rule file, in a folder of the cache, so that the
game is solved, verified, measured and played like any other.
"""

import hashlib
import re
from dataclasses import dataclass, field
from pathlib import Path
from pprint import pformat
from string import Template
from typing import Any

from komi import cache
from komi.errors import GameError
from komi.game import CHANCE

MAX_STATES = 50_000  # the rule file then has a few MB
WIDTH = 120  # characters of a line of the rule file

_RULES = Template('''"""$name of OpenSpiel, all its states listed."""

from typing import NamedTuple

players = $players
actions = $actions

# States: their texts, whether the game is over, the payoff of the mover, and one past the last action.
TEXTS = $texts
OVER = $over
PAYOFF = $payoff
ACTIONS_END = $actions_end

# Actions: their numbers (-1 is chance), and one past the last outcome.
ACTION = $action
OUTCOMES_END = $outcomes_end

# Outcomes.
PROBABILITY = $probability
TARGET = $target
PASSES = $passes


class Rules(NamedTuple):
    pass


class State(NamedTuple):
    number: int  # of the state


def start(rules):
    return State(0)


def possible(rules, state):
    return 0 <= state.number < len(OVER)


def over(rules, state):
    return OVER[state.number]


def payoff(rules, state):
    return $payoff_of_mover


def legal(rules, state):
    for i in range(ACTIONS_END[state.number - 1] if state.number else 0, ACTIONS_END[state.number]):
        yield ACTION[i]


def outcomes(rules, state, action):
    for i in range(ACTIONS_END[state.number - 1] if state.number else 0, ACTIONS_END[state.number]):
        if ACTION[i] == action:
            for j in range(OUTCOMES_END[i - 1] if i else 0, OUTCOMES_END[i]):
                yield PROBABILITY[j], State(TARGET[j]), PASSES[j]


def write(rules, state):
    return TEXTS[state.number]


def read(rules, text):
    return State(TEXTS.index(text))
''')
_REWARD = """

def reward(rules, state, action, after):
    return PAYOFF[after.number] if OVER[after.number] else 0.0
"""


def write_rules(game: Any) -> Path:
    """Write the rule file of a game of OpenSpiel, and return its path.

    For two players the value of the game is the expected utility of the first, scaled to 0 to 1; for one player it is
    the expected utility.

    Args:
        game: a `pyspiel.Game` for one player, or for two with a constant sum of utilities, with perfect information and
            explicit chance.

    Raises:
        GameError: for another kind of game, or one with more than `MAX_STATES` states, or whose texts of states do not
            determine their futures.
        StorageError: if the file cannot be written.
    """
    name = game.get_type().short_name
    _check(game, name)
    search = _Search(game, name)
    is_single = game.num_players() == 1
    text = _RULES.substitute(
        name=name,
        players=game.num_players(),
        actions=search.labels(),
        payoff_of_mover="0.0" if is_single else "PAYOFF[state.number]",
        **{key: pformat(value, width=WIDTH, compact=True) for key, value in vars(search.listing).items()},
    )
    text += _REWARD if is_single else ""
    digest = hashlib.blake2b(text.encode(), digest_size=12).hexdigest()
    path = cache.root() / "derived" / f"openspiel-{digest}" / f"{re.sub(r'[^a-z0-9_]', '_', name.lower())}.py"
    cache.put(path, text.encode())
    return path


def _check(game: Any, name: str) -> None:
    kind, players = game.get_type(), game.num_players()
    is_constant_sum = kind.utility.name in ("ZERO_SUM", "CONSTANT_SUM")
    if players > 2 or (players == 2 and not is_constant_sum):
        raise GameError(f"komi solves games of OpenSpiel for one player, or for two with a constant sum: not {name}.")
    if kind.dynamics.name != "SEQUENTIAL" or kind.information.name != "PERFECT_INFORMATION":
        raise GameError(f"komi solves games of OpenSpiel in which players move in turn and see everything: not {name}.")
    if kind.chance_mode.name == "SAMPLED_STOCHASTIC":
        raise GameError(f"{name} draws its chance moves itself: komi needs explicit chance nodes.")
    if kind.reward_model.name != "TERMINAL":
        raise GameError(f"{name} pays rewards on the way: komi needs a game of OpenSpiel that pays at its end.")


@dataclass
class _StateArrays:
    """The states of a game as arrays of ranges (compressed sparse rows)."""

    texts: list[str] = field(default_factory=list)
    over: list[bool] = field(default_factory=list)
    payoff: list[float] = field(default_factory=list)
    actions_end: list[int] = field(default_factory=list)
    action: list[int] = field(default_factory=list)
    outcomes_end: list[int] = field(default_factory=list)
    probability: list[float] = field(default_factory=list)
    target: list[int] = field(default_factory=list)
    passes: list[int] = field(default_factory=list)


class _Search:
    """A breadth-first search of all states of a game."""

    def __init__(self, game: Any, name: str) -> None:
        self.listing = _StateArrays()
        self._name = name
        self._numbers: dict[tuple[str, int], int] = {}
        self._queue: list[tuple[Any, int]] = []
        self._successors: list[list[str]] = []
        self._names: dict[int, set[str]] = {}
        least, greatest = game.min_utility(), game.max_utility()
        self._scale = (0.0, 1.0) if game.num_players() == 1 else (least, greatest - least)
        self._number(game.new_initial_state(), 0)
        for state, mover in self._queue:
            self._list(state, mover)

    def labels(self) -> tuple[str, ...]:
        """Return the labels of the actions: OpenSpiel's where each action has one, otherwise numbers."""
        count = max(self._names, default=0) + 1
        labels = [next(iter(self._names.get(action, {str(action)}))) for action in range(count)]
        has_labels = all(len(names) == 1 for names in self._names.values()) and len(set(labels)) == count
        return tuple(labels if has_labels else map(str, range(count)))

    def _number(self, state: Any, mover: int) -> int:
        """Return the number of a state; a new one is queued. Chance and the end belong to the player who moved last."""
        key = str(state), mover
        if key not in self._numbers:
            if len(self._numbers) == MAX_STATES:
                raise GameError(f"{self._name} has more than {MAX_STATES:,} states: komi lists those of smaller games.")
            self._numbers[key] = len(self._numbers)
            self._queue.append((state, mover))
            self._successors.append(_successors(state))
        elif self._successors[self._numbers[key]] != _successors(state):
            raise GameError(f"{self._name} has two states with the text {key[0]!r} and different futures.")
        return self._numbers[key]

    def _list(self, state: Any, mover: int) -> None:
        self.listing.texts.append(f"{len(self.listing.texts)}: {' '.join(str(state).split())}")
        self.listing.over.append(state.is_terminal())
        least, width = self._scale
        self.listing.payoff.append((state.returns()[mover] - least) / width if state.is_terminal() else 0.0)
        if state.is_chance_node():
            self._add(
                CHANCE, [(probability, state.child(outcome)) for outcome, probability in state.chance_outcomes()], mover
            )
        elif not state.is_terminal() and state.current_player() != mover:  # only where the second player begins
            self._add(CHANCE, [(1.0, state)], mover)
        elif not state.is_terminal():
            for action in state.legal_actions():
                self._names.setdefault(action, set()).add(state.action_to_string(mover, action))
                self._add(action, [(1.0, state.child(action))], mover)
        self.listing.actions_end.append(len(self.listing.action))

    def _add(self, action: int, outcomes: list[tuple[float, Any]], mover: int) -> None:
        self.listing.action.append(action)
        for probability, after in outcomes:
            player = after.current_player()
            turn = player if player >= 0 else mover
            self.listing.probability.append(probability)
            self.listing.target.append(self._number(after, turn))
            self.listing.passes.append(int(turn != mover))
        self.listing.outcomes_end.append(len(self.listing.target))


def _successors(state: Any) -> list[str]:
    """Return the texts of the states after a state."""
    return [] if state.is_terminal() else [str(state.child(action)) for action in state.legal_actions()]
