"""Turns of a race: the decisions of a policy at each turn total, by own score and rival's score.

A turn begins with a turn total of 0 and a deck: the fields of the state besides `score`, `rival` and `turn` (cards
out, chips out; Pig has none). Each action but `hold` that does not end the turn leads to another turn total, and may
take cards or chips out of the deck. The least turn total at which a policy holds is its *hold value* (T. W. Neller et
al., "Optimal, Approximately Optimal, and Fair Play of the Fowl Play Card Game", Computers and Games 2013). Above it a
policy may continue again.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from komi.arrays import F64, I8, I64, Flags
from komi.bellman import UNIFORM
from komi.errors import InputError, SolveError
from komi.evaluation.reached import reached
from komi.game import Game
from komi.graph.lookup import StateIndex, locate, state_at
from komi.policies import named
from komi.policies.tabulate import tabulate
from komi.progress import Progress, silent
from komi.rules.interface import legal, outcomes, over
from komi.solvers.solution import AnyState, Solution

AXES = ("score", "rival", "turn")
NOWHERE, GO_ON, HOLD = -1, 0, 1


@dataclass(frozen=True, eq=False)
class Turns:
    """The decisions of a policy in all turns that begin with one deck.

    Attributes:
        game: the game.
        rules: its rules.
        policy: the name of the policy.
        deck: the fields of the state besides the scores and the turn total, as the turn begins.
        decisions: int8[score, rival, turn total], GO_ON or HOLD; NOWHERE where the turn total cannot occur.
        reached: bool of the same shape, True where play of the policy against itself from the start gets to.
    """

    game: Game
    rules: Any
    policy: str
    deck: dict[str, int]
    decisions: I8
    reached: Flags

    @property
    def hold_values(self) -> F64:
        """float64[score, rival], the least turn total at which the policy holds; nan where it never does."""
        holds = self.decisions == HOLD
        return np.where(holds.any(axis=2), holds.argmax(axis=2).astype(np.float64), np.nan)

    @property
    def hold_values_reached(self) -> F64:
        """The hold values of the turns that occur when the policy plays itself; nan elsewhere."""
        return np.where(self.reached[:, :, 0], self.hold_values, np.nan)

    @property
    def goes_on_again(self) -> Flags:
        """bool[score, rival], True if the policy continues at some turn total above its hold value."""
        held = np.logical_or.accumulate(self.decisions == HOLD, axis=2)
        again: Flags = (held & (self.decisions == GO_ON)).any(axis=2)
        return again


def is_press_your_luck(game: Game) -> bool:
    """Return whether players of the game have turns that they can end by holding."""
    fields = game.module.State._fields
    return all(axis in fields for axis in AXES) and "hold" in getattr(game.module, "actions", ())


def read_turns(
    solution: Solution[Any],
    policies: Sequence[str] = ("optimal",),
    decks: Sequence[AnyState] = ("",),
    progress: Progress = silent,
) -> list[list[Turns]]:
    """Return the turns of each policy, by name, from each of the decks.

    Args:
        solution: the solved game.
        policies: their names, as `policies.named` defines them.
        decks: states that define what is out of the deck at the start of a turn; their scores are those of the start.
        progress: progress callback of the solver, called if some turns are not reachable from the start.

    Raises:
        InputError: for an unknown policy, an impossible deck, or a game without holding.
        SolveError: if the turn total does not determine the state within a turn.
    """
    _check_kind(solution)
    rests = [_deck(solution, deck) for deck in decks]
    begins = [_beginnings(solution, rest) for rest in rests]
    solution.include([state for states in begins for state in states], progress)
    states = solution.arrays.states
    lines = [_traced(solution, beginnings) for beginnings in begins]
    read = []
    for name in policies:
        actions = tabulate(named.find(name, solution), solution.compiled, solution.rules, states)
        if np.any(actions == UNIFORM):
            raise InputError(f"policy {name} chooses at random: it has no hold values.")
        marks = reached(solution, actions)
        hold = solution.game.module.actions.index("hold")
        read.append(
            [
                _turns(solution, name, rest, states.indices_at(places), actions == hold, marks, beginnings)
                for rest, places, beginnings in zip(rests, lines, begins, strict=True)
            ]
        )
    return read


def _check_kind(solution: Solution[Any]) -> None:
    if not is_press_your_luck(solution.game) or not hasattr(solution.rules, "goal"):
        raise InputError(
            f"hold values are for races with a goal in which players can hold: {solution.game.name} is none."
        )


def _deck(solution: Solution[Any], deck: AnyState) -> dict[str, int]:
    """Validate the deck and return its fields."""
    game = solution.game
    start = game.part("start")(solution.rules)
    read = game.read(solution.rules, deck) if deck else start
    for axis in AXES:
        if getattr(read, axis) != getattr(start, axis):
            raise InputError(f"{axis!r} is an axis of the picture: a state for it says only what is out of the deck.")
    return {name: value for name, value in game.shown(solution.rules, read).items() if name not in AXES}


def _beginnings(solution: Solution[Any], deck: dict[str, int]) -> list[Any]:
    """Return the states in which a turn begins with this deck, for every pair of scores."""
    game, rules = solution.game, solution.rules
    start = game.part("start")(rules)
    pairs = product(range(rules.goal), repeat=2)
    states = [start._replace(score=score, rival=rival, turn=0, **deck) for score, rival in pairs]
    return [state for state in states if not game.part("over")(rules, state) and game.possible(rules, state)]


def _traced(solution: Solution[Any], beginnings: Sequence[Any]) -> I64:
    """Return int64[beginnings, turn totals], the hash slot of each turn's state at each total, -1 if none."""
    states = solution.arrays.states
    turn = solution.game.module.State._fields.index("turn")
    totals = states.layout.maxima[turn] + 1
    places = np.full((len(beginnings), totals), -1, np.int64)
    roots = np.array([states.handle(state) for state in beginnings], np.int64)
    hold = solution.game.module.actions.index("hold")
    kernel = solution.compiled.kernels[_trace]
    stack = np.empty(totals, np.int64)
    failed = kernel(solution.rules, states, roots, hold, places, stack)
    if failed >= 0:
        written = solution.game.write(solution.rules, beginnings[failed])
        raise SolveError(
            f"the turn that begins in {written} can come to one turn total in two ways: it has no hold value."
        )
    return places


def _trace(rules: Any, states: StateIndex, roots: Any, hold: int, places: Any, stack: Any) -> int:
    """Follow every turn to its end; return the row of one with two states of the same total, or -1."""
    for row in range(len(roots)):
        places[row, 0] = roots[row]
        stack[0] = roots[row]
        height = 1
        while height:
            height -= 1
            state = state_at(states, stack[height])
            for action in legal(rules, state):
                if action == hold:
                    continue
                for probability, after, passes in outcomes(rules, state, action):
                    if passes or probability <= 0.0 or over(rules, after):
                        continue
                    place = locate(states, after)
                    if after.turn < 0 or places[row, after.turn] not in (-1, place):
                        return row
                    if places[row, after.turn] < 0:
                        places[row, after.turn] = place
                        stack[height] = place
                        height += 1
    return -1


def _turns(
    solution: Solution[Any],
    policy: str,
    deck: dict[str, int],
    indices: I64,
    holds: Flags,
    marks: Flags,
    beginnings: Sequence[Any],
) -> Turns:
    goal, totals = solution.rules.goal, 1 + int(np.flatnonzero((indices >= 0).any(axis=0))[-1])
    scores = [state.score for state in beginnings]
    rivals = [state.rival for state in beginnings]
    decisions = np.full((goal, goal, totals), NOWHERE, np.int8)
    met = np.zeros(decisions.shape, np.bool_)
    indices = indices[:, :totals]
    decisions[scores, rivals] = np.where(indices < 0, NOWHERE, holds[indices])
    met[scores, rivals] = (indices >= 0) & marks[indices]
    return Turns(solution.game, solution.rules, policy, deck, decisions, met)
