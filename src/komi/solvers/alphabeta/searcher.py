"""The score of a position by null-window searches that share a transposition table.

MTD(f) (A. Plaat, J. Schaeffer, W. Pijls and A. de Bruin, "Best-First Fixed-Depth Minimax Algorithms", Artificial
Intelligence 87, 1996): each search moves one of two proved bounds on the score, until they meet. Win, draw and loss
take two searches.
"""

from typing import Any, NamedTuple, cast

import numpy as np

from komi.compiling.compiled import CompiledGame
from komi.compiling.packing import Layout
from komi.errors import GameError, SolveError, TooLargeError
from komi.graph import limits
from komi.graph.expanded_rules import ExpandedGame, expanded_game, expansion_error
from komi.graph.expansion import HELD_HIGH, HELD_LOW, STATUS
from komi.graph.listed_rules import listing_of
from komi.graph.reachability import check_steps
from komi.graph.reachability_kernel import ExplorationStatus
from komi.jit.addresses import RAISED
from komi.jit.intrinsics import HALF_BITS
from komi.jit.kernels import engine_kernels
from komi.progress import Progress
from komi.rules import enumeration
from komi.rules.interpreter import Interpreter
from komi.rules.symmetry_check import check_symmetries
from komi.solvers.alphabeta.images import find_least_image
from komi.solvers.alphabeta.null_window import MAX_PLIES, Frame, NullWindowStatus, SearchStack, SearchState, search
from komi.solvers.alphabeta.transposition_table import (
    MAX_SCORE,
    NO_MOVE,
    TranspositionTable,
    copy_entries,
    sample_positions,
)
from komi.solvers.solver import OtherKindError
from komi.typing import Rules, State

FIRST_SLOTS = 1 << 16
SEARCHING = "searching positions"
"""The stage of the work, for progress."""
VISITS_AT_ONCE = 1 << 17  # between two checks for interrupts: a fraction of a second
MAX_UNITS = MAX_SCORE // 2  # of the range of payoffs
MAX_SAMPLED = 2000  # positions in which symmetries are verified
SAMPLED_PLAY = 200  # states of random play, whose fields the first layout fits


class NotWholeError(Exception):
    """Raised if a payoff is no multiple of the unit of scores."""


class FoundScore(NamedTuple):
    """The score of a position.

    Attributes:
        share: its value to the mover, mapped to 0 to 1.
        action: an action that attains it.
    """

    share: float
    action: int


class PositionSearcher:
    """Searches positions of one game; what it proves of positions stays in its table.

    Args:
        compiled, rules: the game.
        max_bytes: the most memory of the table.
        scale: the number of units of the range of payoffs.

    Attributes:
        max_bytes, scale: as above.
    """

    def __init__(self, compiled: CompiledGame, rules: Rules, max_bytes: int, scale: int) -> None:
        self.max_bytes, self.scale = max_bytes, scale
        self._compiled, self._rules, self._game = compiled, rules, compiled.game
        self._interpreter = Interpreter(compiled.game, rules)
        self._sample = enumeration.sample_states(self._interpreter, SAMPLED_PLAY)
        self._begin = 0  # the number of positions visited before the last search
        self._stack = SearchStack.for_actions(compiled.game.action_limit)
        layout = Layout.around(np.array([*self._sample], np.int64), compiled.game.steps)
        self._check_width(layout)
        self._packed = TranspositionTable.of_slots(self._slots(FIRST_SLOTS, layout), layout.halves), layout

    @property
    def _table(self) -> TranspositionTable:
        return self._packed[0]

    @property
    def _layout(self) -> Layout:
        return self._packed[1]

    @property
    def visited(self) -> int:
        """The number of positions visited so far."""
        return int(self._stack.at[SearchState.VISITED])

    @property
    def table_bytes(self) -> int:
        """The memory of the transposition table."""
        return self._table.entries.nbytes

    def find(self, state: State, progress: Progress) -> FoundScore:
        """Compute the score of a position that is not terminal, and an action that attains it.

        Raises:
            NotWholeError: if a payoff is no multiple of the unit.
            OtherKindError: if an action has several outcomes.
            GameError: if the rules are broken.
            SolveError: if play can repeat, or the game is too large.
        """
        self._begin = self.visited
        lower, upper, guess = -self.scale, self.scale, 0
        best = NO_MOVE
        while lower < upper:
            beta = guess + 1 if guess == lower else guess
            guess = self.search(state, beta, progress)
            if guess >= beta:
                lower, best = guess, int(self._stack.at[SearchState.MOVE])
            else:
                upper = guess
        if best == NO_MOVE:  # all actions are as bad
            best = self._interpreter.moves(state)[0].action
        return FoundScore((lower + self.scale) / (2 * self.scale), best)

    def verify_symmetries(self) -> int:
        """Verify `symmetries` in a sample of the positions visited; return its size, 0 without this hint.

        Raises:
            GameError: if they are wrong.
        """
        if not self._game.has("symmetries"):
            return 0
        halves = np.empty((MAX_SAMPLED, 2), np.int64)
        size = engine_kernels()[sample_positions](self._table, halves)
        keys = [int(high) << HALF_BITS | int(low) for high, low in halves[:size]]
        states = [self._game.module.State(*self._layout.unpack(key)) for key in keys]
        sample = {state: self._interpreter.moves(state) for state in states}
        # The search takes the least images of successors, and stores only these: one successor of each is checked, too.
        after = [moves[turn % len(moves)].outcomes[0][1] for turn, moves in enumerate(sample.values()) if moves]
        is_over = self._interpreter.is_over
        sample |= {state: [] if is_over(state) else self._interpreter.moves(state) for state in after}
        check_symmetries(self._interpreter, sample | self._sample)
        for problem in self._interpreter.problems.values():
            raise GameError(str(problem), problem.state)
        return len(states)

    def units(self, share: float) -> int:
        """Return the score of a value that is mapped to 0 to 1."""
        return round(2 * self.scale * share) - self.scale

    def search(self, state: State, beta: int, progress: Progress) -> int:
        """Return a bound on the score of a position: a lower bound if it is at least beta, else an upper bound.

        Raises:
            KomiError: as `find` does.
        """
        while True:
            self._fit(state)
            key = self._layout.pack(state)
            self._stack.begin(key >> HALF_BITS, key & ((1 << HALF_BITS) - 1), beta)
            if self._run(progress):
                return int(self._stack.at[SearchState.RESULT])

    def _run(self, progress: Progress) -> bool:
        """Continue the search to its end; return False if it has to begin again, with a wider layout or a longer list.

        What the table contains stays.
        """
        game, into, *_kept = expanded_game(self._compiled, self._rules, self._layout, self._layout.halves)
        images = 0
        if self._game.has("symmetries"):
            images = cast(Any, self._compiled.checked.kernels[find_least_image]).address(0, 0, 0)
        kernel, status = engine_kernels()[search], NullWindowStatus.PAUSED
        while status == NullWindowStatus.PAUSED:
            self._grow_table()
            status = kernel(game, images, self.scale, self._table, self._stack, VISITS_AT_ONCE)
            progress(SEARCHING, self.visited, 0)
            if self.visited - self._begin > limits.max_visited():
                raise TooLargeError(
                    f"the search of {self._game.name} has visited {self.visited:,} positions without a result: "
                    "KOMI_MAX_VISITED sets another limit."
                )
        if status == NullWindowStatus.DONE:
            return True
        if status in (NullWindowStatus.OUTSIDE, -ExplorationStatus.OUTSIDE):
            self._fit(self._game.module.State(*map(int, into.outside[0, :-1])))
            return False
        if status == -ExplorationStatus.UNLISTED:
            listing_of(self._compiled, self._rules, [self._game.module.State(*map(int, into.witness[:-1]))])
            return False
        raise self._error(status, game, into)

    def _error(self, status: int, game: ExpandedGame, into: Any) -> Exception:
        """Create the error for a search that ended like this."""
        name = self._game.name
        if status == NullWindowStatus.PAYOFF:
            return NotWholeError()
        if status == NullWindowStatus.CHANCE:
            return OtherKindError(f"{name} has chance.")
        if status == NullWindowStatus.CYCLE:
            self.verify_symmetries()  # wrong ones can lead back
            return SolveError(f"a position of {name} can repeat, and the search is for games in which none can.")
        if status == NullWindowStatus.LONG:
            return SolveError(f"{name} can take more than {MAX_PLIES:,} actions, too long for a search.")
        frame = self._stack.frame[self._stack.at[SearchState.DEPTH]]
        into.counts[[STATUS, HELD_HIGH, HELD_LOW]] = status, frame[Frame.HIGH], frame[Frame.LOW]
        if status == RAISED and self._game.has("symmetries"):  # that function can have raised it
            self._interpreter.images(self._game.module.State(*map(int, into.witness[:-1])))
            for problem in self._interpreter.problems.values():
                return GameError(str(problem), problem.state)
        return expansion_error(self._compiled, self._rules, self._layout, game, into)

    def _fit(self, state: State) -> None:
        """Widen the layout to a position."""
        check_steps(self._game, self._rules, state)
        if self._layout.pack(state) >= 0:
            return
        layout = self._layout.widened_to(state)
        self._check_width(layout)
        self._move_table(len(self._table.entries), layout)

    def _grow_table(self) -> None:
        """Enlarge the table if it is half full."""
        slots = len(self._table.entries)
        if 2 * self._table.used[0] > slots:
            self._move_table(self._slots(4 * slots, self._layout), self._layout)

    def _move_table(self, slots: int, layout: Layout) -> None:
        """Move the entries to a table with so many slots, and positions packed in this layout."""
        if slots == len(self._table.entries) and layout == self._layout:
            return
        table = TranspositionTable.of_slots(self._slots(slots, layout), layout.halves)
        row = np.empty((1, len(layout.lows)), np.int64)
        engine_kernels()[copy_entries](self._table, self._layout, table, layout, row)
        self._packed = table, layout  # both or, after an interrupt, neither: entries are read in their layout

    def _slots(self, wanted: int, layout: Layout) -> int:
        """Return the number of slots of a table, a power of two, for which there is memory."""
        most = max(self.max_bytes // (8 * (layout.halves + 1)), 2)
        return min(wanted, 1 << most.bit_length() - 1)

    def _check_width(self, layout: Layout) -> None:
        lowest = [low * step for low, step in zip(layout.lows, layout.steps, strict=True)]
        limits.check_width(self._game, layout, lowest, layout.maxima)
