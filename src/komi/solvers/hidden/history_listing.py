"""The enumeration of all histories of a game with hidden information, ply by ply, as a sequence form.

Histories with the same state and the same sequences are merged. They are rows of arrays, on the graph of all states:

    keys = (state, seat of its mover, the sequence of each player),   values = (probability of chance).
"""

import random
from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np

from komi.arrays import F64, I8, I16, I32, I64, allocate, check_indices
from komi.compiling.compiled import CompiledGame
from komi.errors import SolveError
from komi.game import CHANCE
from komi.graph import limits
from komi.jit.intrinsics import hash_key
from komi.jit.kernels import engine_kernels
from komi.progress import Progress
from komi.rules.game import Game
from komi.rules.interpreter import Interpreter
from komi.rules.kind import kind_of
from komi.solvers.hidden.play_graph import PlayArrays, PlayGraph, list_play
from komi.solvers.hidden.recall import different_actions, imperfect_recall
from komi.solvers.hidden.sequence_form import Entries, SequenceForm, SequenceFormPlayer
from komi.typing import Rules, State

MAX_HISTORIES = 100_000_000  # merged
BYTES_PER_HISTORY = 350  # of a solve, as measured in games of ten million histories
MAX_PLIES = 1_000  # of one game
FEW_HISTORIES = 1e6  # as estimated by few random games: not estimated again
PROBES = 1_000  # random games from which the number of histories is estimated
ENOUGH = 1e12  # an estimate of so many is not refined
STATE, SEAT, SEQUENCES = range(3)  # columns of the keys of a level


class Fault(IntEnum):
    """The reasons why a state cannot be in the information set of its observation."""

    NONE = 0
    SEATS = 1  # another player has this observation
    RECALL = 2  # another sequence leads to it
    ACTIONS = 3  # other actions are legal


class Rows(NamedTuple):
    """Keys with numbers.

    Attributes:
        keys: int32[rows, columns].
        values: float64[rows, numbers].
    """

    keys: I32
    values: F64


class SetDrafts(NamedTuple):
    """The information sets during the enumeration, by observation.

    Attributes:
        number: int32[observations], the number of each among those of its player; -1 before play reaches it.
        seat: int8[observations], the player who has it.
        parent: int32[observations], the player's own sequence that leads to it.
        first: int32[observations], the sequence that ends with its first action.
        example: int32[observations], the first state with it.
        counts: int64[seats, 2], the numbers of information sets and of sequences of each player.
        last_ply: int16[states], the last ply in which play reaches each state.
    """

    number: I32
    seat: I8
    parent: I32
    first: I32
    example: I32
    counts: I64
    last_ply: I16

    @classmethod
    def empty(cls, states: int, observed: int, seats: int) -> "SetDrafts":
        """Return the drafts before the enumeration."""
        sizes = {"last_ply": states}
        drafts = allocate(cls, lambda name: sizes.get(name, observed), counts=np.tile([0, 1], (seats, 1)))
        for array in (drafts.number, drafts.seat, drafts.last_ply):
            array[:] = -1
        return drafts


def sequence_form(compiled: CompiledGame, rules: Rules, start: State, progress: Progress) -> SequenceForm:
    """Enumerate the histories of a game from a state in which seat 0 is to move.

    Raises:
        GameError: if the rules are broken, or states with the same view have different legal actions.
        SolveError: if the game is too large or too long, or has imperfect recall.
    """
    game = compiled.game
    _check_size(game, rules, start)

    def check_states(stage: str, done: int, total: int, note: str = "") -> None:
        progress(stage, done, total, note)
        if done > max_histories():
            raise SolveError(_too_many(game, f"more than {max_histories():,} histories"))

    graph = list_play(compiled, rules, start, check_states)
    return _Enumeration(compiled, rules, graph).run(start, progress)


class _Enumeration:
    """The enumeration of the histories of a game, ply by ply."""

    def __init__(self, compiled: CompiledGame, rules: Rules, graph: PlayGraph) -> None:
        self._game, self._rules, self._graph = compiled.game, rules, graph
        self._seats = compiled.game.players(rules)
        self._drafts = SetDrafts.empty(graph.states.size, graph.observed.size, self._seats)

    def run(self, start: State, progress: Progress) -> SequenceForm:
        """Enumerate all histories from a state in which seat 0 is to move."""
        graph, kernels = self._graph, engine_kernels()
        keys = np.zeros((1, SEQUENCES + self._seats), np.int32)
        keys[0, STATE] = graph.states.index_of(start)
        level, levels, endings = Rows(keys, np.ones((1, 1))), list[Rows](), list[Rows]()
        histories, transitions, deficit = 1, 0, 0.0
        while len(level.keys):
            progress("listing histories", histories, 0)
            if len(levels) == MAX_PLIES:
                raise SolveError(
                    f"a game of {self._game.name} can take more than {MAX_PLIES:,} actions: with hidden information, "
                    "only games that end sooner are solved."
                )
            going, ending = kernels[count_outcomes](graph.arrays, level.keys)
            histories += going + ending
            if histories > max_histories():
                raise SolveError(_too_many(self._game, f"more than {max_histories():,} histories"))
            after, ended = _empty(going, level.keys.shape[1], 1), _empty(ending, self._seats, self._seats)
            fault, node, largest = kernels[advance](
                graph.arrays, graph.observation, self._drafts, level, len(levels), after, ended
            )
            if fault != Fault.NONE:
                raise self._error(Fault(fault), level.keys[node].tolist())
            deficit, transitions = deficit + largest, transitions + going + ending
            levels.append(level)
            endings.append(_merge(ended))
            level = _merge(after)
            histories += len(level.keys) - going
        deficit *= 1.0 + 2.0**-19  # rounding, and products of deficits: there are at most MAX_PLIES of at most 1e-9
        return self._finish(levels, endings, transitions, deficit)

    def _finish(self, levels: list[Rows], endings: list[Rows], transitions: int, deficit: float) -> SequenceForm:
        """Return the sequence form, given the histories of all plies and those that end the game."""
        drafts, plies = self._drafts, len(levels)
        check_indices(int(drafts.counts.max()), "sequences")
        ends = _merge(_joined(endings))
        shares = ends.values.T.copy()
        choices = _joined(
            [Rows(each.keys[choosing], each.values[choosing]) for each in levels for choosing in [self._choosing(each)]]
        )
        del levels[:], endings[:]
        players = []
        for seat in range(self._seats):
            own = choices.keys[:, SEAT] == seat
            keys = choices.keys[own]
            places = keys[:, SEQUENCES:].copy()
            places[:, seat] = drafts.number[self._graph.observation[keys[:, STATE]]]
            reach = _merge(Rows(places, choices.values[own]))
            players.append(
                self._player(seat, Entries(ends.keys, shares[seat]), Entries(reach.keys, reach.values[:, 0]))
            )
        return SequenceForm(
            tuple(players), self._graph, drafts.seat, drafts.number, drafts.last_ply, plies, transitions, deficit
        )

    def _choosing(self, level: Rows) -> Any:
        return self._graph.observation[level.keys[:, STATE]] >= 0

    def _player(self, seat: int, payoffs: Entries, reach: Entries) -> SequenceFormPlayer:
        """Return the player of a seat."""
        drafts, arrays = self._drafts, self._graph.arrays
        sets, sequences = self._drafts.counts[seat].tolist()
        observed = np.flatnonzero((drafts.seat == seat) & (drafts.number >= 0)).astype(np.int32)
        observed = observed[np.argsort(drafts.number[observed])]
        actions = np.full(sequences, CHANCE, np.int16)
        firsts = np.append(drafts.first[observed], sequences).astype(np.int32)
        number = np.repeat(np.arange(sets), np.diff(firsts))
        states = drafts.example[observed]
        begin = np.where(states > 0, arrays.ends[states - 1], 0)
        actions[1:] = arrays.actions[begin[number] + np.arange(1, sequences) - firsts[number]]
        return SequenceFormPlayer(seat, observed, drafts.parent[observed], firsts, actions, payoffs, reach)

    def _error(self, fault: Fault, key: list[int]) -> Exception:
        """Create the error for a history that does not fit into the information set of its observation."""
        state, seat, *sequences = key
        observation = int(self._graph.observation[state])
        interpreter = Interpreter(self._game, self._rules)
        seen = self._observation(observation)
        if fault == Fault.SEATS:
            return SolveError(
                f"{self._game.name} shows {interpreter.write(seen)} to more than one player: let a field of the state "
                "tell who is to move."
            )
        if fault == Fault.RECALL:
            none = Entries(np.empty((0, self._seats), np.int32), np.empty(0))
            player = self._player(seat, none, none)
            ways = (
                [(self._observation(each), action) for each, action in player.decisions(sequence)]
                for sequence in (int(self._drafts.parent[observation]), sequences[seat])
            )
            return SolveError(imperfect_recall(interpreter, seen, *ways))
        return different_actions(interpreter, seen)

    def _observation(self, index: int) -> State:
        return self._game.module.State(*self._graph.observed.fields(index))


def _empty(rows: int, columns: int, numbers: int) -> Rows:
    return Rows(np.empty((rows, columns), np.int32), np.empty((rows, numbers)))


def _joined(parts: list[Rows]) -> Rows:
    return Rows(*map(np.concatenate, zip(*parts, strict=True)))


def _merge(rows: Rows) -> Rows:
    """Return the rows without equal keys, in the order of the first of each; their numbers are summed."""
    table = np.full(2 << len(rows.keys).bit_length(), -1, np.int32)
    count = engine_kernels()[merge_rows](rows, table)
    return rows if count == len(rows.keys) else Rows(rows.keys[:count].copy(), rows.values[:count].copy())


def merge_rows(rows: Rows, table: I32) -> Any:
    """Merge rows with equal keys in place, by a hash table of row numbers; return how many are left."""
    keys, values = rows
    count, last = 0, np.uint64(len(table) - 1)
    for row in range(len(keys)):
        code = np.uint64(0)
        for column in range(keys.shape[1]):
            code = hash_key(np.int64(code), keys[row, column])
        slot = code & last
        while table[slot] >= 0 and not _are_equal(keys, table[slot], row):
            slot = (slot + np.uint64(1)) & last
        place = np.int64(table[slot])
        if place < 0:
            table[slot] = count
            if count < row:
                for column in range(keys.shape[1]):
                    keys[count, column] = keys[row, column]
                for column in range(values.shape[1]):
                    values[count, column] = values[row, column]
            count += 1
        else:
            for column in range(values.shape[1]):
                values[place, column] += values[row, column]
    return np.int64(count)


def _are_equal(keys: I32, one: int, other: int) -> Any:
    column = 0
    while column < keys.shape[1] and keys[one, column] == keys[other, column]:
        column += 1
    return column == keys.shape[1]


def count_outcomes(arrays: PlayArrays, keys: I32) -> Any:
    """Return how many outcomes of the histories of a level go on, and how many end the game."""
    going, ending = 0, 0
    for node in range(len(keys)):
        first, end = actions_of(arrays, keys[node, STATE])
        begin = arrays.outcome_ends[first - 1] if first > 0 else 0
        for outcome in range(begin, arrays.outcome_ends[end - 1]):
            if arrays.target[outcome] >= 0:
                going += 1
            else:
                ending += 1
    return going, ending


def actions_of(arrays: PlayArrays, state: int) -> Any:
    """Return the first action of a state, and one past its last."""
    return (arrays.ends[state - 1] if state > 0 else 0), arrays.ends[state]


def advance(
    arrays: PlayArrays, observation: I32, drafts: SetDrafts, level: Rows, ply: int, after: Rows, ended: Rows
) -> Any:
    """List what follows the histories of a level.

    Args:
        arrays, observation: those of the graph.
        drafts: modified in place.
        level, ply: the histories.
        after: filled with those that go on.
        ended: filled with the sequences of those that end the game; values: probability times share of each seat.

    Returns:
        (the fault of a history or NONE, its row, the largest deficit of a state)
    """
    seats, going, ending, largest = ended.keys.shape[1], 0, 0, 0.0
    for node in range(len(level.keys)):
        key, weight = level.keys[node], level.values[node, 0]
        state, seat = key[STATE], key[SEAT]
        drafts.last_ply[state] = ply
        largest = max(largest, arrays.deficit[state])
        first, end = actions_of(arrays, state)
        own = np.int64(-1)
        if observation[state] >= 0:
            fault = _enter_set(arrays, drafts, observation[state], state, seat, key[SEQUENCES + seat])
            if fault != Fault.NONE:
                return fault, node, largest
            own = np.int64(drafts.first[observation[state]])
        for action in range(first, end):
            begin = arrays.outcome_ends[action - 1] if action > 0 else 0
            for outcome in range(begin, arrays.outcome_ends[action]):
                share, target = weight * arrays.probability[outcome], arrays.target[outcome]
                mover = (seat + arrays.passes[outcome]) % seats
                if target >= 0:
                    reached, place = after.keys[going], SEQUENCES
                    reached[STATE], reached[SEAT], after.values[going, 0] = target, mover, share
                    going += 1
                else:
                    reached, place = ended.keys[ending], 0
                    for each in range(seats):
                        ended.values[ending, each] = share * arrays.shares[-1 - target, (each - mover) % seats]
                    ending += 1
                for each in range(seats):
                    reached[place + each] = key[SEQUENCES + each]
                if own >= 0:
                    reached[place + seat] = own + action - first
    return Fault.NONE, np.int64(-1), largest


def _enter_set(arrays: PlayArrays, drafts: SetDrafts, observation: int, state: int, seat: int, own: int) -> Any:
    """Add a state to the information set of its observation; return NONE, or why it cannot be there."""
    first, end = actions_of(arrays, state)
    if drafts.number[observation] < 0:
        drafts.number[observation], drafts.seat[observation] = drafts.counts[seat, 0], seat
        drafts.parent[observation], drafts.first[observation] = own, drafts.counts[seat, 1]
        drafts.example[observation] = state
        drafts.counts[seat, 0] += 1
        drafts.counts[seat, 1] += end - first
        return Fault.NONE
    if drafts.seat[observation] != seat:
        return Fault.SEATS
    if drafts.parent[observation] != own:
        return Fault.RECALL
    known, known_end = actions_of(arrays, drafts.example[observation])
    if known_end - known != end - first:
        return Fault.ACTIONS
    for rank in range(end - first):
        if arrays.actions[known + rank] != arrays.actions[first + rank]:
            return Fault.ACTIONS
    return Fault.NONE


def _check_size(game: Game, rules: Rules, start: State) -> None:
    """Check that there are not far too many histories, from random games.

    Each counts the choices of players only, since histories that differ in them are never merged (D. E. Knuth,
    "Estimating the efficiency of backtrack programs", Mathematics of Computation 29, 1975).

    Raises:
        SolveError: if the estimate is more than twice the limit.
    """
    if kind_of(game, rules).histories <= FEW_HISTORIES:
        return
    interpreter, generator, total = Interpreter(game, rules), random.Random(0), 0.0
    for _ in range(PROBES):
        state, product = start, 1.0
        for _ in range(MAX_PLIES):
            moves = [] if interpreter.is_over(state) else interpreter.moves(state)
            if not moves or interpreter.problems or product > ENOUGH:
                break
            product *= len(moves)
            total += product
            possible = [after for probability, after, _ in generator.choice(moves).outcomes if probability > 0.0]
            state = generator.choice(possible)
    estimate = total / PROBES
    if estimate > 2 * max_histories():
        raise SolveError(_too_many(game, f"about {estimate:.0e} histories, more than {max_histories():,}"))


def max_histories() -> int:
    """Return the maximal number of merged histories: that of `MAX_HISTORIES`, or what fits into memory."""
    return int(min(MAX_HISTORIES, limits.memory_there() / BYTES_PER_HISTORY))


def _too_many(game: Game, histories: str) -> str:
    opponent = "" if game.has("deal") else " against 'easy', or against a search if the rule file has 'deal'"
    return (
        f"{game.name} hides something from its players, and has {histories}: too many to solve. Shorter "
        "games or fewer cards, dice or squares help; `komi simulate` supports it as it is, and `komi play`"
        f"{opponent}."
    )
