"""Listed rules: the transitions of a small game, as its interpreted rules state them.

`expand_listed` does with a list what a compiled `expand` does with the rules, so that a small game is solved without
compiling its rules. A list contains all that play reaches from the states with which it began. If the rules are
broken, or there is too much to list, the rules are compiled, and compiled code says what is wrong.
"""

from collections.abc import Sequence
from enum import IntEnum
from itertools import islice
from math import fsum, inf, isfinite
from threading import Lock
from typing import Any, NamedTuple, cast
from weakref import WeakKeyDictionary

import numpy as np

from komi.arrays import F64, I64
from komi.compiling.compiled import CompiledGame
from komi.compiling.packing import MAX_BITS, Layout, LayoutArrays
from komi.game import CHANCE, MAX_PASSES, PROBABILITY_TOLERANCE
from komi.graph.expansion import (
    ADDRESSES,
    COUNTS,
    FIELDS,
    HELD_HIGH,
    HELD_LOW,
    HIGH,
    IS_OUTSIDE,
    LOW,
    MOST_OUTCOMES,
    OUTCOMES,
    OVER,
    ROW,
    ROWS,
    SEATS,
    expand,
)
from komi.graph.lookup import probe
from komi.graph.reachability_kernel import ExplorationStatus
from komi.graph.state_sets import StateSet, pack_row, unpack_row
from komi.jit.addresses import ITEM_BYTES, integers_at
from komi.jit.kernels import engine_kernels
from komi.rules.game import Game
from komi.rules.tuple_fields import author_of, flattening_of
from komi.time_limit import TimeLimit, TooLongError
from komi.typing import Rules, State

MAX_OUTCOMES = 50_000
"""The most outcomes of a game that a process lists, some 0.5 s of work where compilation takes 2 s."""
MAX_SECONDS = 3.0
"""The longest time for a list: rules that take longer are worth compiling."""


class ListedColumn(IntEnum):
    """The columns of `ListedStates.state`."""

    FIRST_ACTION = 0
    ACTIONS = 1
    FIRST_OUTCOME = 2
    ALL_OUTCOMES = 3
    MOST = 4
    UNFIT = 5


class ListedStates(NamedTuple):
    """A list of states with their actions and outcomes; the order of its fields is that of their addresses.

    Attributes:
        sizes: int64[2], the numbers of rows of `keys` and of slots of the hash table.
        keys: int64[rows, 2], the halves of the packed states, then of those in which the game ends; -1 if they do not
            fit into the layout.
        table: int64[slots], an open-addressing hash table of the states in which it does not.
        fields: int64[rows, fields], the states.
        state: int64[states, 6], the first action of each and their number, the first outcome and their number, the most
            outcomes of one action, and a next state that does not fit into the layout, or -1.
        action: int64[actions, 2], as in an `Expansion`.
        outcome: int64[outcomes, 4], as in an `Expansion`.
        weight, payoff: float64[outcomes, .], as in an `Expansion`.
        deficit: float64[states], as in an `Expansion`.
    """

    sizes: I64
    keys: I64
    table: I64
    fields: I64
    state: I64
    action: I64
    outcome: I64
    weight: F64
    payoff: F64
    deficit: F64


LISTED_ADDRESSES = ADDRESSES + 10  # of a context: those of `expand`, then those of the `ListedStates`


def expand_listed(context: int, high: int, low: int) -> Any:
    """Look up the actions and outcomes of a state, and put their addresses into the context.

    Returns:
        what `expand` does; -UNLISTED for a state that is not listed.
    """
    at, first = integers_at(context, LISTED_ADDRESSES), ADDRESSES
    counts, sizes = integers_at(at[6], COUNTS), integers_at(at[first], 2)
    keys, table = integers_at(at[first + 1], (sizes[0], 2)), integers_at(at[first + 2], sizes[1])
    row = table[probe(keys, table, high, low)]
    if row < 0:
        layout = LayoutArrays(
            integers_at(at[2], 1), integers_at(at[3], 1), integers_at(at[4], 1), integers_at(at[5], 1)
        )
        unpack_row(layout, high, low, integers_at(at[7], counts[FIELDS]))
        return -ExplorationStatus.UNLISTED
    state = integers_at(at[first + 4], (sizes[0], 6))[row]
    at[9] = at[first + 5] + 2 * ITEM_BYTES * state[ListedColumn.FIRST_ACTION]
    at[10] = at[first + 6] + 4 * ITEM_BYTES * state[ListedColumn.FIRST_OUTCOME]
    at[11] = at[first + 7] + 2 * ITEM_BYTES * state[ListedColumn.FIRST_OUTCOME]
    at[12] = at[first + 8] + counts[SEATS] * ITEM_BYTES * state[ListedColumn.FIRST_OUTCOME]
    at[13] = at[first + 9] + ITEM_BYTES * row
    counts[ROWS], counts[OUTCOMES], counts[MOST_OUTCOMES] = (
        state[ListedColumn.ACTIONS],
        state[ListedColumn.ALL_OUTCOMES],
        state[ListedColumn.MOST],
    )
    counts[ROW], counts[HELD_HIGH], counts[HELD_LOW] = 0, high, low
    counts[IS_OUTSIDE] = state[ListedColumn.UNFIT] >= 0
    if counts[IS_OUTSIDE]:
        outside = integers_at(at[8], counts[FIELDS])
        outside[:] = integers_at(at[first + 3], (sizes[0], counts[FIELDS]))[state[ListedColumn.UNFIT]]
    return state[ListedColumn.ACTIONS]


def place_states(layout: Layout, fields: I64, states: int, keys: I64, table: I64) -> None:
    """Fill in the keys and the hash table of `ListedStates`, which is -1 before; the game ends after `states` rows."""
    for row in range(len(fields)):
        keys[row, 0], keys[row, 1] = pack_row(layout, fields, row)
        if row < states and keys[row, 1] >= 0:
            table[probe(keys, table, keys[row, 0], keys[row, 1])] = row


class CannotListError(Exception):
    """Raised if the rules are broken, or there is too much to list."""


class Listing:
    """What play reaches under given rules, from the initial state and others; it is immutable once filled.

    Args:
        game, rules: the game.
        roots: the other states.

    Attributes:
        roots: as above.
    """

    def __init__(self, game: Game, rules: Rules, roots: tuple[State, ...] = ()) -> None:
        self.roots = roots
        self._game, self._rules, self._module = game, rules, author_of(game.module)
        self._flattening = flattening_of(game.module)
        self._optional = {
            part: getattr(self._module, part) for part in ("possible", "view", "reward") if game.has(part)
        }
        self._number_of: dict[tuple[int, ...], int] = {}
        self._states, self._fields = list[Any](), list[tuple[int, ...]]()
        self._state, self._action = list[tuple[int, ...]](), list[tuple[int, int]]()
        self._outcome = list[tuple[int, int]]()
        self._target, self._weight, self._deficit = list[int](), list[tuple[float, float]](), list[float]()
        self._endings, self._payoffs = list[tuple[int, ...]](), list[tuple[float, ...]]()
        self._share_deficits = list[float]()
        self._arrays: tuple[Layout, ListedStates] | None = None

    @property
    def size(self) -> int:
        """The number of outcomes listed."""
        return len(self._weight)

    def fill(self, max_outcomes: int, max_seconds: float = MAX_SECONDS) -> None:
        """List all that play reaches; once only.

        Raises:
            CannotListError: if the rules are broken, the game is over in a root, or there are more outcomes than that.
        """
        try:
            with TimeLimit(max_seconds):
                for root in (self._game.part("start")(self._rules), *self.roots):
                    _require(self._number(self._flattening.nest(root) if self._flattening else root) >= 0)
                while len(self._state) < len(self._states):
                    self._visit(self._states[len(self._state)], max_outcomes)
            _require(sum(self._layout().bits) <= MAX_BITS)
        except (Exception, TooLongError):  # of rules
            raise CannotListError from None

    def arrays(self, layout: Layout) -> ListedStates:
        """Return what is listed, with states packed in a layout."""
        kept = self._arrays
        if kept is None or kept[0] != layout:
            states, seats = len(self._states), self._game.players(self._rules)
            slots = 1 << (2 * states).bit_length()
            fields = np.array([*self._fields, *self._endings], np.int64)
            keys, table = np.empty((len(fields), 2), np.int64), np.full(slots, -1)
            engine_kernels()[place_states](layout, fields, states, keys, table)
            target = np.array(self._target, np.int64)
            rows = np.where(target >= 0, target, states - 2 - target)
            outcome = np.zeros((self.size, 4), np.int64)
            outcome[:, : OVER + 1] = self._outcome
            outcome[:, [HIGH, LOW]] = keys[rows]
            state = np.array(self._state, np.int64)
            for is_over in (1, 0):  # a state in which the game ends may not fit: another goes before it
                unfit = np.flatnonzero((outcome[:, OVER] == is_over) & (outcome[:, LOW] < 0))
                state[
                    np.searchsorted(state[:, ListedColumn.FIRST_OUTCOME], unfit, side="right") - 1, ListedColumn.UNFIT
                ] = rows[unfit]
            payoffs = np.array([(0.0,) * seats, *self._payoffs]).reshape(-1, seats)[np.maximum(-1 - target, 0)]
            listed = ListedStates(
                np.array([len(fields), slots]),
                *(keys, table, fields, state, np.array(self._action, np.int64), outcome),
                *(np.array(self._weight), payoffs, np.array(self._deficit)),
            )
            self._arrays = layout, listed
            return listed
        return kept[1]

    def states(self) -> StateSet:
        """Return all states that are listed."""
        return StateSet.of_fields(self._layout(), self._all_fields())

    def _layout(self) -> Layout:
        return Layout.around(self._all_fields(), self._game.steps)

    def _all_fields(self) -> I64:
        return np.array(self._fields, np.int64).reshape(len(self._fields), -1)

    def _visit(self, state: State, max_outcomes: int) -> None:
        """List the actions and outcomes of a state, with the checks of `expand`."""
        module, rules, reward = self._module, self._rules, self._optional.get("reward")
        if "possible" in self._optional:
            _require(self._optional["possible"](rules, state))
        if "view" in self._optional:
            self._whole(self._optional["view"](rules, state))
        first_action, first, chances, most, deficit = len(self._action), self.size, 0, 0, 0.0
        for action in module.legal(rules, state):
            _require(type(action) is int and CHANCE <= action < self._game.action_limit)
            chances += action == CHANCE
            total, begin = 0.0, self.size
            for probability, after, passes in islice(
                module.outcomes(rules, state, action), max_outcomes + 1 - self.size
            ):
                _require(probability >= 0.0 and isinstance(passes, int) and 0 <= passes < MAX_PASSES)
                gained = float(reward(rules, state, action, after)) if reward else 0.0
                _require(isfinite(gained))
                total += probability
                target = self._number(after)
                if target < 0:
                    deficit = max(deficit, self._share_deficits[-2 - target])
                self._target.append(target)
                self._outcome.append((int(passes), target < 0))
                self._weight.append((float(probability), gained))
            _require(abs(total - 1.0) <= PROBABILITY_TOLERANCE and self.size <= max_outcomes)
            deficit, most = max(deficit, abs(total - 1.0)), max(most, self.size - begin)
            self._action.append((action, self.size - first))
            _require(len(self._action) <= max_outcomes)
        actions = len(self._action) - first_action
        _require(actions > 0 and not (chances and actions > 1))
        self._state.append((first_action, actions, first, self.size - first, most, -1))
        self._deficit.append(deficit)

    def _number(self, state: Any) -> int:
        """Return the number of a state, from 0 on, or from -2 on downwards if the game is over in it."""
        fields = self._whole(state)
        number = self._number_of.get(fields)
        if number is None:
            if self._module.over(self._rules, state):
                shares = self._game.shares(self._rules, self._game.module.State(*fields))
                _require(all(0.0 <= share <= 1.0 for share in shares))
                has_sum = self._game.is_seated and self._game.payoff_scale(self._rules).is_opposed
                deficit = abs(fsum((*shares, -1.0))) if has_sum else 0.0
                _require(deficit <= PROBABILITY_TOLERANCE)
                self._endings.append(fields)
                self._payoffs.append(shares)
                self._share_deficits.append(deficit)
                number = -1 - len(self._payoffs)
            else:
                number = len(self._states)
                self._states.append(state)
                self._fields.append(fields)
            self._number_of[fields] = number
        return number

    def _whole(self, state: Any) -> tuple[int, ...]:
        """Return the fields of a state as whole numbers of 64 bits."""
        _require(type(state) is self._module.State)
        fields = tuple(self._flattening.flat(state) if self._flattening else state)
        _require(all(type(field) is int and -(1 << 63) <= field < 1 << 63 for field in fields))
        return fields


def _require(condition: object) -> None:
    if not condition:
        raise CannotListError


class _Listings:
    """The listings of a game in this process.

    Attributes:
        by_rules: the listing under each rules; None if these are compiled.
        outcomes: how many outcomes were listed under all rules.
        lock: held while one is made.
    """

    def __init__(self) -> None:
        self.by_rules: dict[str, Listing | None] = {}
        self.outcomes = 0
        self.lock = Lock()


_LISTINGS: WeakKeyDictionary[CompiledGame, _Listings] = WeakKeyDictionary()
_LOCK = Lock()


def listing_of(
    compiled: CompiledGame, rules: Rules, roots: Sequence[State] = (), for_play: bool = False
) -> Listing | None:
    """Return what play reaches from the initial state and from these; None if the rules are compiled instead.

    Args:
        compiled, rules: the game.
        roots: the other states.
        for_play: True if the list stands for other functions than `expand`, which may be compiled already.
    """
    with _LOCK:
        listings = _LISTINGS.setdefault(compiled, _Listings())
    key = repr(tuple(rules))  # 0.0 and -0.0 are equal
    with listings.lock:
        before: tuple[State, ...] = ()
        if key in listings.by_rules:
            known = listings.by_rules[key]
            if known is None or set(roots) <= set(known.roots):
                return known
            before = known.roots
        elif not for_play and cast(Any, compiled.checked.kernels[expand]).is_compiled(0, 0, 0):
            return None
        listing = Listing(compiled.game, rules, (*before, *roots))
        try:
            listing.fill(MAX_OUTCOMES - listings.outcomes)
            listings.by_rules[key] = listing
        except CannotListError:
            listings.by_rules[key] = None
        listings.outcomes += listing.size
        return listings.by_rules[key]


def list_all(compiled: CompiledGame, rules: Rules, max_outcomes: int) -> None:
    """List all that play reaches in a game whose rules cannot be compiled.

    Raises:
        CannotListError: if the rules are broken, or there are more outcomes than that.
    """
    listing = Listing(compiled.game, rules)
    listing.fill(max_outcomes, inf)
    with _LOCK:
        _LISTINGS.setdefault(compiled, _Listings()).by_rules[repr(tuple(rules))] = listing
