"""The enumeration of all histories of a game with hidden information, ply by ply, as a sequence form.

Histories with the same state and the same sequences are merged.
"""

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import fsum
from typing import NamedTuple

import numpy as np

from komi.arrays import F64, I64
from komi.errors import GameError, SolveError
from komi.game import CHANCE
from komi.progress import Progress
from komi.rules.game import Game
from komi.rules.interpreter import Interpreter, Move
from komi.solvers.hidden.sequence_form import Entries, InformationSet, SequenceForm, SequenceFormPlayer
from komi.typing import Rules, State

MAX_NODES = 1_000_000  # merged histories: enumerated in about a minute
MAX_PLIES = 1_000  # of one game
FIRST_NODES = 20_000  # after so many, listed in seconds, the number of all is estimated
PROBES = 1_000  # random games from which it is estimated
ENOUGH = 1e12  # an estimate of so many is not refined


class _Node(NamedTuple):
    state: State
    seat: int
    sequences: tuple[int, ...]


@dataclass
class _PlayerDraft:
    """The data of one player during the enumeration; `reach` by the sequences of all and the information set."""

    sets: list[InformationSet] = field(default_factory=list)
    sequences: int = 1
    reach: dict[tuple[int, ...], float] = field(default_factory=dict)

    def finished(self, seat: int, ends: I64, shares: F64) -> SequenceFormPlayer:
        """Return the player of a seat.

        Args:
            seat: the seat.
            ends: int64[entries, seats], the sequences at the end of the game.
            shares: float64[entries], the sums of probability times the player's share there.
        """
        reached = np.array(list(self.reach), np.int64).reshape(-1, ends.shape[1] + 1).T
        reach = Entries(reached[-1], np.delete(reached[:-1], seat, 0), np.array(list(self.reach.values()), np.float64))
        payoffs = Entries(ends[:, seat].copy(), np.delete(ends.T, seat, 0), shares)
        return SequenceFormPlayer(seat, tuple(self.sets), self.sequences, payoffs, reach)


def sequence_form(game: Game, rules: Rules, start: State, progress: Progress) -> SequenceForm:
    """Enumerate a game, with interpreted rules.

    Raises:
        GameError: if the rules are broken, or states with the same view have different legal actions.
        SolveError: if the game is too large or too long, or has imperfect recall.
    """
    return _Enumeration(game, rules).run(start, progress)


class _Enumeration:
    """The enumeration of the histories of a game, ply by ply."""

    def __init__(self, game: Game, rules: Rules) -> None:
        self._game, self._rules = game, rules
        self._interpreter = Interpreter(game, rules)
        self._seats = game.players(rules)
        self._drafts = tuple(_PlayerDraft() for _ in range(self._seats))
        self._payoffs: dict[tuple[int, ...], list[float]] = {}
        self._set_of: dict[State, tuple[int, int]] = {}
        self._moves_of: dict[State, list[Move]] = {}
        self._last_ply: dict[State, int] = {}
        self._transitions = 0
        self._deficits: dict[State, float] = {}

    def run(self, start: State, progress: Progress) -> SequenceForm:
        """Enumerate all histories from a state in which seat 0 is to move."""
        nodes, plies, deficit, is_estimated = 0, 0, 0.0, False
        level = {_Node(start, 0, (0,) * self._seats): 1.0}
        while level:
            nodes += len(level)
            progress("listing histories", nodes, 0)
            if plies > MAX_PLIES:
                raise SolveError(
                    f"a game of {self._game.name} can take more than {MAX_PLIES:,} actions: with hidden information, "
                    "only games that end sooner are solved."
                )
            if nodes > FIRST_NODES and not is_estimated:
                is_estimated = True
                self._check_size(nodes, level)
            after: dict[_Node, float] = {}
            for node, weight in level.items():
                self._visit(node, weight, plies, after)
                if nodes + len(after) > MAX_NODES:
                    raise SolveError(self._too_many(f"more than {MAX_NODES:,} histories"))
            for problem in self._interpreter.problems.values():
                raise GameError(str(problem), problem.state)
            deficit += max(self._deficits[node.state] for node in level)
            level, plies = after, plies + 1
        ordered = sorted(self._last_ply, key=self._last_ply.__getitem__)
        ends = np.array(list(self._payoffs), np.int64).reshape(-1, self._seats)
        shares = np.array(list(self._payoffs.values()), np.float64).reshape(-1, self._seats).T
        players = tuple(draft.finished(seat, ends, shares[seat].copy()) for seat, draft in enumerate(self._drafts))
        moves_of = {state: self._moves_of[state] for state in ordered if self._moves_of[state]}
        deficit *= 1.0 + 2.0**-19  # rounding, and products of deficits: there are at most MAX_PLIES of at most 1e-9
        return SequenceForm(players, self._set_of, moves_of, plies, self._transitions, deficit)

    def _check_size(self, nodes: int, level: Iterable[_Node]) -> None:
        """Check that there are not far too many histories, from random games that begin in the last level.

        Each counts the choices of players only, since histories that differ in them are never merged (D. E. Knuth,
        "Estimating the efficiency of backtrack programs", Mathematics of Computation 29, 1975).

        Raises:
            SolveError: if the estimate is more than twice the limit.
        """
        generator, total = random.Random(0), 0.0
        starts = [node.state for node in level]
        for _ in range(PROBES):
            state, product = generator.choice(starts), 1.0
            for _ in range(MAX_PLIES):
                moves = self._moves(state)
                if not moves or self._interpreter.problems or product > ENOUGH:
                    break
                product *= len(moves)
                total += product
                possible = [after for probability, after, _ in generator.choice(moves).outcomes if probability > 0.0]
                state = generator.choice(possible)
        estimate = nodes + len(starts) * total / PROBES
        if estimate > 2 * MAX_NODES:
            raise SolveError(self._too_many(f"about {estimate:.0e} histories, more than {MAX_NODES:,}"))

    def _too_many(self, histories: str) -> str:
        opponent = "" if self._game.has("deal") else " against 'easy', or against a search if the rule file has 'deal'"
        return (
            f"{self._game.name} hides something from its players, and has {histories}: too many to solve. Shorter "
            "games or fewer cards, dice or squares help; `komi simulate` supports it as it is, and `komi play`"
            f"{opponent}."
        )

    def _visit(self, node: _Node, weight: float, ply: int, after: dict[_Node, float]) -> None:
        """Add a node to the information set, or to the payoffs, and its successors to those of the next ply."""
        state, seat, sequences = node
        self._last_ply[state] = ply
        moves = self._moves(state)
        if not moves:
            self._add_payoffs(node, weight)
            return
        is_choice = moves[0].action != CHANCE
        if is_choice:
            number = self._find_set(node, tuple(move.action for move in moves))
            reach, place = self._drafts[seat].reach, (*sequences, number)
            reach[place] = reach.get(place, 0.0) + weight
            own = self._drafts[seat].sets[number].first
        for rank, move in enumerate(moves):
            reached = sequences
            if is_choice:
                reached = (*sequences[:seat], own + rank, *sequences[seat + 1 :])
            for probability, successor, passes in move.outcomes:
                if probability > 0.0:
                    self._transitions += 1
                    child = _Node(successor, (seat + passes) % self._seats, reached)
                    after[child] = after.get(child, 0.0) + weight * probability

    def _moves(self, state: State) -> list[Move]:
        """Return the moves of a state; none where the game is over."""
        if state not in self._moves_of:
            is_over = self._interpreter.is_over(state)
            self._moves_of[state] = [] if is_over else self._interpreter.moves(state)
            self._deficits[state] = max(map(probability_deficit, self._moves_of[state]), default=0.0)
        return self._moves_of[state]

    def _add_payoffs(self, node: _Node, weight: float) -> None:
        if self._interpreter.problems:
            return
        shares = self._game.shares(self._rules, node.state)
        sums = self._payoffs.setdefault(node.sequences, [0.0] * self._seats)
        for seat in range(self._seats):
            sums[seat] += weight * float(shares[(seat - node.seat) % self._seats])

    def _find_set(self, node: _Node, actions: tuple[int, ...]) -> int:
        """Return the number of the mover's information set in a node.

        Raises:
            GameError: if a state with the same view has other legal actions.
            SolveError: if its player or its own sequence is not determined.
        """
        observation = self._game.part("view")(self._rules, node.state)
        draft, own = self._drafts[node.seat], node.sequences[node.seat]
        if observation not in self._set_of:
            self._check_view(observation)
            self._set_of[observation] = node.seat, len(draft.sets)
            draft.sets.append(InformationSet(observation, actions, own, draft.sequences))
            draft.sequences += len(actions)
        seat, number = self._set_of[observation]
        written = self._interpreter.write(observation)
        if seat != node.seat:
            raise SolveError(
                f"{self._game.name} shows {written} to more than one player: let a field of the state tell who "
                "is to move."
            )
        if draft.sets[number].parent != own:
            ways = (self._decisions(draft, sequence) for sequence in (draft.sets[number].parent, own))
            raise SolveError(imperfect_recall(self._interpreter, observation, *ways))
        if draft.sets[number].actions != actions:
            raise different_actions(self._interpreter, observation)
        return number

    def _check_view(self, observation: State) -> None:
        """Check that an observation is what is seen of it, since policies are looked up by that.

        Raises:
            GameError: if it is not.
        """
        if self._interpreter.call("view", observation) != observation:
            file, written = self._game.file.name, self._interpreter.write(observation)
            raise GameError(f"{file}: 'view' changes a state that is already a view, {written}.", written)

    def _decisions(self, draft: _PlayerDraft, sequence: int) -> list[tuple[State, int]]:
        """Return the observations and actions of a sequence, in the order of play."""
        decisions = []
        while sequence:
            here = next(each for each in draft.sets if sequence in range(each.sequences.start, each.sequences.stop))
            decisions.append((here.observation, here.actions[sequence - here.first]))
            sequence = here.parent
        return decisions[::-1]


def imperfect_recall(
    interpreter: Interpreter, seen: State, one: Sequence[tuple[State, int]], other: Sequence[tuple[State, int]]
) -> str:
    """Refuse a game in which different decisions of a player lead to one observation, and say where they differ first.

    Args:
        interpreter: calls the rules.
        seen: the observation.
        one, other: the decisions, observations and actions in the order of play.
    """

    def label(seen: State, action: int) -> str:
        return repr(interpreter.game.label(interpreter.rules, seen, action))

    def write(decisions: Sequence[tuple[State, int]]) -> str:
        written = ", ".join(f"{label(seen, action)} in {interpreter.write(seen)}" for seen, action in decisions)
        return written or "nothing"

    kept = "how many decisions there were"
    for (first, action), (also_seen, other_action) in zip(one, other, strict=False):
        if first != also_seen:
            fields = zip(first._fields, first, also_seen, strict=True)
            kept = ", ".join(f"{name} (then {a} or {b})" for name, a, b in fields if a != b)
            break
        if action != other_action:
            kept = f"which was chosen, {' or '.join(label(first, each) for each in (action, other_action))}"
            break
    return (
        f"{interpreter.game.name} has imperfect recall: a player who sees {interpreter.write(seen)} can have chosen "
        f"{write(one)} or {write(other)} before: let a field that 'view' shows keep {kept}."
    )


def different_actions(interpreter: Interpreter, seen: State) -> GameError:
    """Create the error for states that look the same to a player who can do different things in them."""
    file, written = interpreter.game.file.name, interpreter.write(seen)
    return GameError(f"{file}: states with the same view, {written}, have different legal actions.", written)


def probability_deficit(move: Move) -> float:
    """Return the difference between the sum of the probabilities of a move and 1; 0 if it is within their rounding."""
    deficit = abs(fsum(probability for probability, _, _ in move.outcomes) - 1.0)
    return deficit if deficit > (len(move.outcomes) + 4) * 2.0**-52 else 0.0
