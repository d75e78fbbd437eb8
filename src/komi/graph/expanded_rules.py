"""The rules of a game as kernels see them that are compiled once, for all games: through `expand`.

`GraphKernels(compiled)[kernel]` is an engine function that calls the game interface, compiled with the functions of
this module in place of a game's rules. For it a state is a `PackedState`, and the rules are an `ExpandedGame`, which
holds the expansion of the last state that the kernel has looked at.
"""

from collections.abc import Callable, Iterator
from types import FunctionType
from typing import Any, NamedTuple, cast

import numpy as np

from komi.arrays import I64
from komi.compiling.compiled import CompiledGame
from komi.compiling.packing import Layout
from komi.game import CHANCE
from komi.graph.broken_rules import broken_rule
from komi.graph.expansion import (
    ADDRESSES,
    COUNTS,
    FIELDS,
    GAINED,
    HELD_HIGH,
    HELD_LOW,
    HIGH,
    LOW,
    MAX_STATE_OUTCOMES,
    NUMBER,
    OUTCOMES_END,
    OVER,
    PROBABLY,
    ROW,
    ROWS,
    SEATS,
    STATUS,
    TURNS,
    Expansion,
    GameArrays,
    expand,
    expansion_arrays,
    new_expansion,
)
from komi.graph.listed_rules import expand_listed, listing_of
from komi.graph.lookup import AnyIndex, GrowingIndex, StateIndex, locate_packed, members, packed_at
from komi.graph.reachability_kernel import ExplorationStatus
from komi.graph.state_sets import StateSet
from komi.jit.addresses import RAISED, call_at, context_of, floats_at, integers_at
from komi.jit.intrinsics import HALF_BITS
from komi.jit.kernels import Kernels, engine_kernels
from komi.jit.specialization import always_inline, never_inline
from komi.rules.interface import VISITED
from komi.typing import Rules

MAX_STATES = 1 << 20
"""The most states of a game for which kernels are not compiled anew."""


class ExpandedGame(NamedTuple):
    """A game as an argument of kernels.

    Attributes:
        function: the address of `expand`, compiled for the game.
        context: the address of its context, which lists the arrays that it reads and writes.
    """

    function: int
    context: int


NONE: Any = np.int64(-1)


class PackedState(NamedTuple):
    """A state as an argument of the game interface.

    Attributes:
        high, low: the halves of the packed state; -1 if it does not fit into the layout.
        outcome: the place among the outcomes of its parent, if it is a next state; otherwise -1.
        parent_high, parent_low: the halves of the state before.
    """

    high: int
    low: int
    outcome: int
    parent_high: int
    parent_low: int


class ExpansionError(Exception):
    """Raised by compiled code if a state cannot be expanded."""


@always_inline
def expansion_at(context: int) -> Expansion:
    """Return the expansion that a context refers to."""
    at, size = integers_at(context, ADDRESSES), MAX_STATE_OUTCOMES
    counts = integers_at(at[6], COUNTS)
    return Expansion(
        counts,
        integers_at(at[7], counts[FIELDS] + 1),
        integers_at(at[8], (size, counts[FIELDS] + 1)),
        integers_at(at[9], (size, 2)),
        integers_at(at[10], (size, 4)),
        floats_at(at[11], (size, 2)),
        floats_at(at[12], (size, counts[SEATS])),
        floats_at(at[13], 1),
    )


@always_inline
def hold(game: ExpandedGame, high: int, low: int) -> Expansion:
    """Make a packed state the one that is expanded, and return its expansion."""
    counts = integers_at(integers_at(game.context, ADDRESSES)[6], COUNTS)
    if counts[HELD_LOW] != low or counts[HELD_HIGH] != high:
        expand_anew(game, high, low)
    return expansion_at(game.context)


@never_inline
def expand_anew(game: ExpandedGame, high: int, low: int) -> None:
    """Expand a packed state, which takes the place of the one before."""
    status: Any = np.int64(-ExplorationStatus.OUTSIDE)
    if low >= 0:
        status = call_at(game.function, game.context, high, low)
    if status < 0:
        fail(game, high, low, status)


def fail(game: ExpandedGame, high: int, low: int, status: int) -> None:
    """Record why a state cannot be expanded, and raise the error."""
    into = expansion_at(game.context)
    into.counts[STATUS], into.counts[HELD_HIGH], into.counts[HELD_LOW] = status, high, low
    raise ExpansionError


@always_inline
def legal(game: ExpandedGame, state: PackedState) -> Iterator[int]:
    """Yield the legal actions."""
    row = 0
    while row < count_actions(game, state):
        yield action_in(game, row)
        row += 1


@always_inline
def outcomes(game: ExpandedGame, state: PackedState, action: int) -> Iterator[tuple[float, PackedState, int]]:
    """Yield (probability, next state, seats the turn passes on) for each outcome of an action."""
    outcome, end = outcome_range(game, state, action)
    while outcome < end:
        yield outcome_at(game, state, outcome)
        outcome += 1


@always_inline
def count_actions(game: ExpandedGame, state: PackedState) -> Any:
    """Return the number of legal actions."""
    return hold(game, state.high, state.low).counts[ROWS]


@always_inline
def action_in(game: ExpandedGame, row: int) -> Any:
    """Return the action in a row, and remember that it is the one of interest."""
    into = expansion_at(game.context)
    into.counts[ROW] = row
    return into.action[row, NUMBER]


@always_inline
def outcome_range(game: ExpandedGame, state: PackedState, action: int) -> Any:
    """Return the first outcome of an action, and one past its last."""
    rows = count_actions(game, state)
    into = expansion_at(game.context)
    row = into.counts[ROW]
    if row >= rows or into.action[row, NUMBER] != action:
        row = 0
        while row < rows and into.action[row, NUMBER] != action:
            row += 1
        if row == rows:
            return 0, 0
    return (into.action[row - 1, OUTCOMES_END] if row else 0), into.action[row, OUTCOMES_END]


@always_inline
def outcome_at(game: ExpandedGame, state: PackedState, outcome: int) -> tuple[Any, PackedState, Any]:
    """Return an outcome of a state as `outcomes` yields it."""
    into = hold(game, state.high, state.low)
    high, low = into.outcome[outcome, HIGH], into.outcome[outcome, LOW]
    after = PackedState(high, low, outcome, state.high, state.low)
    return into.weight[outcome, PROBABLY], after, into.outcome[outcome, TURNS]


@always_inline
def before(game: ExpandedGame, state: PackedState) -> Expansion:
    """Return the expansion of the state before a next state."""
    return hold(game, state.parent_high, state.parent_low)


@always_inline
def over(game: ExpandedGame, state: PackedState) -> bool:
    """Return whether the game has ended, in the next state of an outcome."""
    return state.outcome >= 0 and before(game, state).outcome[state.outcome, OVER] != 0


@always_inline
def payoff(game: ExpandedGame, state: PackedState) -> Any:
    """Return the payoff of the player to move where the game is over, from 0 to 1."""
    return before(game, state).payoff[state.outcome, 0]


@always_inline
def seat_payoff(game: ExpandedGame, state: PackedState, seat: int) -> Any:
    """Return the payoff of a seat, counted from the player to move, where the game is over."""
    return before(game, state).payoff[state.outcome, seat]


def is_opposed(game: ExpandedGame, seats: int) -> bool:  # noqa: ARG001
    """Return False, so that the sum of the payoffs is not checked again: the expansion has checked it."""
    return False


@always_inline
def reward(game: ExpandedGame, state: PackedState, action: int, after: PackedState) -> Any:  # noqa: ARG001
    """Return the reward of the mover for a transition."""
    return before(game, after).weight[after.outcome, GAINED]


@always_inline
def locate(states: AnyIndex, state: PackedState) -> Any:
    """Return the handle of a state; -1 if it cannot be in the set."""
    return locate_packed(states, state.high, state.low)


@always_inline
def state_at(states: AnyIndex, handle: int) -> PackedState:
    """Return the state with a handle."""
    high, low = packed_at(states, handle)
    return PackedState(high, low, NONE, NONE, NONE)


@always_inline
def pick(game: ExpandedGame, state: PackedState, uniform: float) -> Any:
    """Pick one of the legal actions, all with the same probability, as `komi.rules.interface.pick` does."""
    count, action = count_actions(game, state), action_in(game, 0)
    return (0, CHANCE) if action == CHANCE else (count, action_in(game, int(uniform * count)))


@always_inline
def state_from(halves: Any, row: int) -> PackedState:
    """Return the state in a row of int64[., 2], the halves of packed states."""
    return PackedState(halves[row, 0], halves[row, 1], NONE, NONE, NONE)


@always_inline
def record_witness(state: PackedState, action: int, witness: Any) -> None:
    """Write the halves of a packed state and an action into an array."""
    witness[0], witness[1], witness[2] = state.high, state.low, action


class GraphKernels:
    """Engine functions that call the game interface, for sets of states.

    They are compiled once, for all games, and see a game through its expansions. For a game of many states, they are
    compiled with its rules in them instead: they are faster by a third, and worth the seconds that this takes.

    Their first argument are the rules, and a set of states is among the others.

    Args:
        compiled: the game.
        functions: other engine functions, by the names that they replace.
    """

    def __init__(self, compiled: CompiledGame, **functions: FunctionType) -> None:
        self._compiled, self._functions = compiled, functions

    def __getitem__(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return the compiled form of a function; it takes rules and states as they are."""

        def call(rules: Rules, *arguments: Any) -> Any:
            states, *others = _sets(arguments)
            if any(other.layout != states.layout for other in others):
                raise ValueError("a kernel packs the states of a game in one way")
            if isinstance(states, StateIndex) and StateSet(*states).size > MAX_STATES:
                return self._own_kernels()[function](rules, *arguments)
            if isinstance(states, StateIndex):
                _list_all(self._compiled, rules, states)
            game, into, *_kept = expanded_game(self._compiled, rules, states.layout, states.layout.halves)
            kernels = engine_kernels(INTERFACE, **self._functions)
            kernels.notice = self._compiled.kernels.notice
            try:
                return kernels[function](game, *arguments)
            except ExpansionError:
                raise expansion_error(self._compiled, rules, states.layout, game, into) from None

        return call

    def _own_kernels(self) -> Kernels:
        """Return the kernels with the game's rules in them."""
        compiled = self._compiled
        return compiled.kernels_with(**self._functions) if self._functions else compiled.kernels


def expansion_error(
    compiled: CompiledGame, rules: Rules, layout: Layout, game: ExpandedGame, into: Expansion
) -> Exception:
    """Create the error for the state that could not be expanded."""
    status, high, low = map(int, into.counts[[STATUS, HELD_HIGH, HELD_LOW]])
    if status == -ExplorationStatus.OUTSIDE:
        return ValueError("a kernel expands a state that is in no set")
    if status != RAISED:
        return broken_rule(compiled, rules, -status, into.witness)
    checked = compiled.checked.kernels
    try:
        cast(Any, checked[expand]).uncaught(game.context, high, low)
    except Exception as error:
        into.witness[:] = *layout.unpack(high << HALF_BITS | low), VISITED
        return checked.explained(error, (rules, into))
    raise AssertionError("compiled rules raised an error only once")


def expand_states(compiled: CompiledGame, rules: Rules, states: I64) -> Iterator[Expansion]:
    """Yield the expansion of each state, of states that are not packed; each takes the place of the one before.

    Args:
        compiled, rules: the game.
        states: int64[states, fields + 1], in each row the fields of a state that is not terminal.

    Raises:
        GameError: if the rules are broken in one of them.
    """
    fields = len(compiled.game.module.State._fields)
    _, into, *kept = expanded_game(compiled, rules, Layout.of([0] * fields, [0] * fields), 0)
    checked, context, address = compiled.checked.kernels, kept[-1].ctypes.data, states.ctypes.data
    kernel = cast(Any, checked[expand])
    for row in range(len(states)):
        try:
            status = kernel.uncaught(context, address, row)
        except Exception as error:
            into.witness[-1] = VISITED
            raise checked.explained(error, (rules, into)) from None
        if status < 0:
            raise broken_rule(compiled, rules, -status, into.witness)
        yield into


def expanded_game(compiled: CompiledGame, rules: Rules, layout: Layout, halves: int) -> tuple[Any, ...]:
    """Return the game as an argument, its expansion, and the arrays that these refer to, last the context."""
    seats = compiled.game.players(rules)
    into = new_expansion(len(layout.lows), halves, seats, compiled.game.action_limit)
    game = GameArrays(*compiled.values_of(rules), layout.for_all_games)
    listing = listing_of(compiled, rules) if halves else None
    arrays = [*expansion_arrays(game, into), *(listing.arrays(layout) if listing else ())]
    context = context_of(arrays)
    kernel = engine_kernels()[expand_listed] if listing else compiled.checked.kernels[expand]
    return ExpandedGame(cast(Any, kernel).address(0, 0, 0), context.ctypes.data), into, arrays, context


def _list_all(compiled: CompiledGame, rules: Rules, states: StateIndex) -> None:
    """List all states of a set, if the rules are listed."""
    while listing_of(compiled, rules):
        game, *_kept = expanded_game(compiled, rules, states.layout, states.layout.halves)
        index = engine_kernels()[find_unlisted](game, states)
        if index < 0:
            break
        listing_of(compiled, rules, [compiled.game.module.State(*StateSet(*states).fields(index))])


def find_unlisted(game: ExpandedGame, states: StateIndex) -> int:
    """Return the index of the first unlisted state; -1 if all are listed."""
    for index, handle in members(states.keys):
        high, low = packed_at(states, handle)
        if call_at(game.function, game.context, high, low) < 0:
            return index
    return -1


def _sets(arguments: Any) -> Iterator[StateIndex | GrowingIndex]:
    """Yield the sets of states among arguments and their parts."""
    for argument in arguments:
        if isinstance(argument, StateIndex | GrowingIndex):
            yield argument
        elif isinstance(argument, tuple):
            yield from _sets(argument)


INTERFACE = tuple(
    (function.__name__, cast(FunctionType, function))
    for function in (legal, outcomes, over, payoff, seat_payoff, reward, locate, state_at)
)
"""What kernels see of a game, by the names that are replaced."""
PLAY = (
    *INTERFACE,
    *((function.__name__, cast(FunctionType, function)) for function in (pick, state_from, record_witness, is_opposed)),
)
"""The part of the game interface that kernels that play games use."""
