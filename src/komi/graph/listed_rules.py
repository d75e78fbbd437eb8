"""Listed rules: the transitions of a small game, as its interpreted rules state them.

`expand_listed` does with a list what a compiled `expand` does with the rules, so that nobody waits for a compiler
to see a small game solved. A list contains all that play reaches from the states with which it began. If the rules are
broken, or there is too much to list, the rules are compiled, and compiled code says what is wrong.
"""

from collections.abc import Sequence
from itertools import islice
from math import fsum, isfinite
from threading import Lock
from typing import Any, NamedTuple, cast
from weakref import WeakKeyDictionary

import numpy as np

from komi.arrays import F64, I64
from komi.game import CHANCE, MAX_PASSES, PROBABILITY_TOLERANCE, Game
from komi.graph.expansion import (
    ADDRESSES,
    COUNTS,
    FIELDS,
    HELD_HIGH,
    HELD_LOW,
    HIGH,
    IS_OUTSIDE,
    LOW,
    MAX_STATE_OUTCOMES,
    MOST_OUTCOMES,
    OUTCOMES,
    OUTCOMES_END,
    OVER,
    ROW,
    ROWS,
    SEATS,
    expand,
)
from komi.graph.lookup import probe
from komi.graph.reachability_kernel import UNLISTED
from komi.graph.state_sets import pack_row, unpack_row
from komi.jit.addresses import floats_at, integers_at
from komi.jit.kernels import engine_kernels
from komi.rules.compiled import CompiledGame
from komi.rules.packing import Layout, LayoutArrays
from komi.rules.tuple_fields import author_of, flattening_of
from komi.typing import Rules, State

MAX_OUTCOMES = 50_000
"""The most outcomes of a game that a process lists, some 0.3 s of work where compilation takes 2 s."""


class ListedStates(NamedTuple):
    """A list of states with their actions and outcomes; the order of its fields is that of their addresses.

    Attributes:
        sizes: int64[4], the numbers of states, of slots of the hash table, of actions and of outcomes.
        keys: int64[states, 2], the halves of the packed states, -1 if they do not fit into the layout.
        table: int64[slots], an open-addressing hash table of the states.
        fields: int64[states, fields], the states.
        ends: int64[states], one past the last action of each.
        action: int64[actions, 2], the actions, each with one past its last outcome.
        outcome: int64[outcomes, 4], as in an `Expansion`.
        target: int64[outcomes], the next states; -1 if the game ends.
        weight, payoff: float64[outcomes, .], as in an `Expansion`.
        deficit: float64[states], the largest difference of a sum of probabilities or payoffs from 1 in each.
    """

    sizes: I64
    keys: I64
    table: I64
    fields: I64
    ends: I64
    action: I64
    outcome: I64
    target: I64
    weight: F64
    payoff: F64
    deficit: F64


LISTED_ADDRESSES = ADDRESSES + 11  # of a context: those of `expand`, then those of the `ListedStates`


def expand_listed(context: int, high: int, low: int) -> Any:
    """List the actions and outcomes of a state as `expand` does; return -UNLISTED for one that is not listed."""
    at = integers_at(context, LISTED_ADDRESSES)
    counts, sizes, first = integers_at(at[6], COUNTS), integers_at(at[ADDRESSES], 4), ADDRESSES
    states, slots, seats = sizes[0], sizes[1], counts[SEATS]
    keys, table = integers_at(at[first + 1], (states, 2)), integers_at(at[first + 2], slots)
    fields, ends = integers_at(at[first + 3], (states, counts[FIELDS])), integers_at(at[first + 4], states)
    action, outcome = integers_at(at[first + 5], (sizes[2], 2)), integers_at(at[first + 6], (sizes[3], 4))
    target, weight = integers_at(at[first + 7], sizes[3]), floats_at(at[first + 8], (sizes[3], 2))
    payoff, deficit = floats_at(at[first + 9], (sizes[3], seats)), floats_at(at[first + 10], states)
    outside, rows = integers_at(at[8], (1, counts[FIELDS] + 1)), integers_at(at[9], (MAX_STATE_OUTCOMES, 2))
    listed, weights = integers_at(at[10], (MAX_STATE_OUTCOMES, 4)), floats_at(at[11], (MAX_STATE_OUTCOMES, 2))
    shares = floats_at(at[12], (MAX_STATE_OUTCOMES, seats))
    state = table[probe(keys, table, high, low)]
    if state < 0:
        layout = LayoutArrays(
            integers_at(at[2], 1), integers_at(at[3], 1), integers_at(at[4], 1), integers_at(at[5], 1)
        )
        unpack_row(layout, high, low, integers_at(at[7], counts[FIELDS]))
        return -UNLISTED
    begin = ends[state - 1] if state > 0 else 0
    origin = action[begin - 1, OUTCOMES_END] if begin > 0 else 0
    count, most, last = ends[state] - begin, 0, 0
    for row in range(count):
        for column in range(2):
            rows[row, column] = action[begin + row, column]
        rows[row, OUTCOMES_END] -= origin
        most = max(most, rows[row, OUTCOMES_END] - last)
        last = rows[row, OUTCOMES_END]
    counts[IS_OUTSIDE] = 0
    for index in range(last):
        for column in range(4):
            listed[index, column] = outcome[origin + index, column]
        for column in range(2):
            weights[index, column] = weight[origin + index, column]
        for seat in range(seats):
            shares[index, seat] = payoff[origin + index, seat]
        if listed[index, LOW] < 0 and not listed[index, OVER] and not counts[IS_OUTSIDE]:
            counts[IS_OUTSIDE] = 1
            for field in range(counts[FIELDS]):
                outside[0, field] = fields[target[origin + index], field]
    counts[ROWS], counts[OUTCOMES], counts[MOST_OUTCOMES], counts[ROW] = count, last, most, 0
    counts[HELD_HIGH], counts[HELD_LOW] = high, low
    floats_at(at[13], 1)[0] = deficit[state]
    return count


def place_states(layout: Layout, fields: I64, keys: I64, table: I64) -> None:
    """Fill in the keys and the hash table of `ListedStates`; the table is -1 before."""
    for row in range(len(fields)):
        keys[row, 0], keys[row, 1] = pack_row(layout, fields, row)
        if keys[row, 1] >= 0:
            table[probe(keys, table, keys[row, 0], keys[row, 1])] = row


class CannotListError(Exception):
    """Raised if the rules are broken, or there is too much to list."""


class Listing:
    """What play reaches from some states under given rules.

    Args:
        game, rules: the game.
    """

    def __init__(self, game: Game, rules: Rules) -> None:
        self._game, self._rules, self._module = game, rules, author_of(game.module)
        self._flattening = flattening_of(game.module)
        self._optional = {
            part: getattr(self._module, part) for part in ("possible", "view", "reward") if game.has(part)
        }
        self._number_of: dict[Any, int] = {}
        self._states, self._fields = list[Any](), list[tuple[int, ...]]()
        self._ends, self._action, self._outcome = list[int](), list[tuple[int, int]](), list[tuple[int, int]]()
        self._target, self._weight, self._deficit = list[int](), list[tuple[float, float]](), list[float]()
        self._payoffs, self._share_deficits = list[tuple[float, ...]](), list[float]()
        self._arrays: tuple[Layout, ListedStates] | None = None

    @property
    def size(self) -> int:
        """The number of outcomes listed."""
        return len(self._weight)

    def include(self, roots: Sequence[State], max_outcomes: int) -> None:
        """List all that play reaches from the initial state and from these.

        Raises:
            CannotListError: if the rules are broken, or there are more outcomes than that.
        """
        self._arrays = None
        try:
            for root in (self._game.part("start")(self._rules), *roots):
                self._number(self._flattening.nest(root) if self._flattening else root)
            while len(self._ends) < len(self._states):
                self._visit(self._states[len(self._ends)], max_outcomes)
        except Exception:  # of rules
            raise CannotListError from None

    def arrays(self, layout: Layout) -> ListedStates:
        """Return what is listed, with states packed in a layout."""
        if self._arrays is None or self._arrays[0] != layout:
            states, seats = len(self._states), self._game.players(self._rules)
            slots = 1 << (2 * states).bit_length()
            fields = np.array(self._fields, np.int64).reshape(states, -1)
            keys, table = np.empty((states, 2), np.int64), np.full(slots, -1)
            engine_kernels()[place_states](layout, fields, keys, table)
            outcome = np.zeros((self.size, 4), np.int64)
            outcome[:, : OVER + 1] = self._outcome
            target = np.array(self._target, np.int64)
            outcome[:, HIGH], outcome[:, LOW] = np.where(target >= 0, keys[target].T, -1)
            payoffs = np.array([(0.0,) * seats, *self._payoffs]).reshape(-1, seats)
            self._arrays = (
                layout,
                ListedStates(
                    np.array([states, slots, len(self._action), self.size]),
                    *(keys, table, fields, np.array(self._ends, np.int64), np.array(self._action, np.int64)),
                    *(outcome, np.maximum(target, -1), np.array(self._weight, np.float64)),
                    payoffs[np.maximum(-1 - target, 0)],
                    np.array(self._deficit),
                ),
            )
        return self._arrays[1]

    def _visit(self, state: State, max_outcomes: int) -> None:
        """List the actions and outcomes of a state, with the checks of `expand`."""
        module, rules, reward = self._module, self._rules, self._optional.get("reward")
        if "possible" in self._optional:
            _require(self._optional["possible"](rules, state))
        if "view" in self._optional:
            self._whole(self._optional["view"](rules, state))
        before, chances, deficit = len(self._action), 0, 0.0
        for action in module.legal(rules, state):
            _require(type(action) is int and CHANCE <= action < self._game.action_limit)
            chances += action == CHANCE
            total = 0.0
            for probability, after, passes in islice(
                module.outcomes(rules, state, action), max_outcomes + 1 - self.size
            ):
                _require(probability >= 0.0 and 0 <= passes < MAX_PASSES)
                gained = float(reward(rules, state, action, after)) if reward else 0.0
                _require(isfinite(gained))
                total += probability
                target = self._number_of.get(after)
                if target is None:
                    target = self._number(after)
                if target < 0:
                    deficit = max(deficit, self._share_deficits[-2 - target])
                self._target.append(target)
                self._outcome.append((int(passes), target < 0))
                self._weight.append((float(probability), gained))
            _require(abs(total - 1.0) <= PROBABILITY_TOLERANCE and self.size <= max_outcomes)
            deficit = max(deficit, abs(total - 1.0))
            self._action.append((action, self.size))
            _require(len(self._action) <= max_outcomes)
        actions = len(self._action) - before
        _require(actions > 0 and not (chances and actions > 1))
        self._ends.append(len(self._action))
        self._deficit.append(deficit)

    def _number(self, state: Any) -> int:
        """Return the number of a state, from 0 on, or from -2 on downwards if the game is over in it."""
        fields = self._whole(state)
        state = self._flattening.nest(self._game.module.State(*fields)) if self._flattening else type(state)(*fields)
        number = self._number_of.get(state)
        if number is None:
            if self._module.over(self._rules, state):
                shares = self._game.shares(self._rules, self._game.module.State(*fields))
                _require(all(0.0 <= share <= 1.0 for share in shares))
                deficit = abs(fsum((*shares, -1.0))) if self._game.is_seated else 0.0
                _require(deficit <= PROBABILITY_TOLERANCE)
                self._payoffs.append(shares)
                self._share_deficits.append(deficit)
                number = -1 - len(self._payoffs)
            else:
                number = len(self._states)
                self._states.append(state)
                self._fields.append(fields)
            self._number_of[state] = number
        return number

    def _whole(self, state: Any) -> tuple[int, ...]:
        """Return the fields of a state as whole numbers of 64 bits."""
        _require(isinstance(state, self._module.State))
        fields = tuple(self._flattening.flat(state) if self._flattening else state)
        _require(all(isinstance(field, int) and -(1 << 63) <= field < 1 << 63 for field in fields))
        return tuple(map(int, fields))


def _require(condition: object) -> None:
    if not condition:
        raise CannotListError


class _Listings:
    """What this process has listed of a game.

    Attributes:
        by_rules: the listing under each rules; None if these are compiled.
        outcomes: how many outcomes were listed under all rules.
    """

    def __init__(self) -> None:
        self.by_rules: dict[Rules, Listing | None] = {}
        self.outcomes = 0


_LISTINGS: WeakKeyDictionary[CompiledGame, _Listings] = WeakKeyDictionary()
_LOCK = Lock()


def listing_of(compiled: CompiledGame, rules: Rules, roots: Sequence[State] = ()) -> Listing | None:
    """Return what play reaches from the initial state and from these; None if the rules are compiled instead."""
    with _LOCK:
        listings = _LISTINGS.setdefault(compiled, _Listings())
        if rules in listings.by_rules:
            listing = listings.by_rules[rules]
            if listing is None or not roots:
                return listing
        elif cast(Any, compiled.checked.kernels[expand]).is_compiled(0, 0, 0):
            return None
        else:
            listing = Listing(compiled.game, rules)
        before = listing.size
        try:
            listing.include(roots, before + MAX_OUTCOMES - listings.outcomes)
        except CannotListError:
            listings.by_rules[rules] = None
        else:
            listings.by_rules[rules] = listing
        listings.outcomes += listing.size - before
        return listings.by_rules[rules]
