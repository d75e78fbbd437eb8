"""Turn decisions in a race to a goal: the decisions of a policy at each turn total, by own score and rival's score.

A turn begins with a turn total of 0 and a deck: the fields of the state besides `score`, `rival` and `turn` (cards
out, chips out; Pig has none). Each action but `hold` that does not end the turn leads to another turn total, and may
take cards or chips out of the deck. The least turn total at which a policy holds is its *hold value* (T. W. Neller et
al., "Optimal, Approximately Optimal, and Fair Play of the Fowl Play Card Game", Computers and Games 2013). Above it a
policy may continue again.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from komi.arrays import F64, I8, I64, Flags
from komi.bellman import ActionCode
from komi.errors import InputError, SolveError
from komi.evaluation.play_search import reached
from komi.graph.expanded_rules import GraphKernels
from komi.graph.lookup import StateIndex, locate, state_at
from komi.graph.state_sets import field_at
from komi.policies import named
from komi.policies.tabulate import tabulate
from komi.progress import Progress, silent
from komi.rules.game import Game
from komi.rules.interface import legal, outcomes, over
from komi.solvers.solution import AnyState, Solution
from komi.typing import Rules

AXES = ("score", "rival", "turn")
UNREACHABLE, CONTINUE, HOLD = -1, 0, 1


@dataclass(frozen=True, eq=False)
class TurnDecisions:
    """The decisions of a policy in all turns that begin with one deck.

    Attributes:
        game: the game.
        rules: its rules.
        policy: the name of the policy.
        deck: the fields of the state besides the scores and the turn total, as the turn begins.
        decisions: int8[score, rival, turn total], CONTINUE or HOLD; UNREACHABLE where the turn total cannot occur.
        reached: bool of the same shape, True where play of the policy against itself from the start gets to.
    """

    game: Game
    rules: Rules
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
    def continues_again(self) -> Flags:
        """bool[score, rival], True if the policy continues at some turn total above its hold value."""
        held = np.logical_or.accumulate(self.decisions == HOLD, axis=2)
        again: Flags = (held & (self.decisions == CONTINUE)).any(axis=2)
        return again


def is_press_your_luck(game: Game) -> bool:
    """Return whether players of the game have turns that they can end by holding."""
    fields = game.module.State._fields
    return all(axis in fields for axis in AXES) and "hold" in getattr(game.module, "actions", ())


def find_turn_decisions(
    solution: Solution[Any],
    policies: Sequence[named.PolicyLike] = ("optimal",),
    decks: Sequence[AnyState] = ("",),
    progress: Progress = silent,
) -> list[list[TurnDecisions]]:
    """Return the turns of each policy from each of the decks.

    Args:
        solution: the solved game.
        policies: their names, as `policies.named` defines them, or Python functions.
        decks: states that define what is out of the deck at the start of a turn; their scores are those of the start.
        progress: progress callback of the solver, called if some turns are not reachable from the start.

    Raises:
        InputError: for an unknown policy, an impossible deck, or a game without holding.
        SolveError: if the turn total does not determine the state within a turn.
    """
    _check_has_hold_values(solution)
    checked = [_check_deck(solution, deck) for deck in decks]
    starts = [_turn_starts(solution, deck) for deck in checked]
    solution.include([state for states in starts for state in states], progress)
    states = solution.optimal_play.states
    handles = [_trace_turns(solution, states_of_deck) for states_of_deck in starts]
    decisions = []
    for policy in named.as_policies(policies, solution):
        actions = tabulate(policy, solution.compiled, solution.rules, states)
        if np.any(actions == ActionCode.UNIFORM):
            raise InputError(f"policy {policy.name} randomizes: it has no hold values.")
        played = reached(solution, actions)
        holds = actions == solution.game.module.actions.index("hold")
        decisions.append(
            [
                _turn_decisions(
                    solution, policy.name, deck, _StatesOfTurns(turn_starts, states.indices_at(turns)), holds, played
                )
                for deck, turn_starts, turns in zip(checked, starts, handles, strict=True)
            ]
        )
    return decisions


def _check_has_hold_values(solution: Solution[Any]) -> None:
    if not is_press_your_luck(solution.game) or not hasattr(solution.rules, "goal"):
        raise InputError(
            f"hold values are for races with a goal in which players can hold: {solution.game.name} is not one."
        )


def _check_deck(solution: Solution[Any], deck: AnyState) -> dict[str, int]:
    """Validate the deck and return its fields."""
    game = solution.game
    start = game.part("start")(solution.rules)
    state = game.read(solution.rules, deck) if deck else start
    for axis in AXES:
        if getattr(state, axis) != getattr(start, axis):
            raise InputError(
                f"{axis!r} is an axis of the plot: give a state that differs from the start only in the deck."
            )
    return {name: int(getattr(state, name)) for name in game.fields(solution.rules) if name not in AXES}


def _turn_starts(solution: Solution[Any], deck: dict[str, int]) -> list[Any]:
    """Return the states in which a turn begins with this deck, for every pair of scores."""
    game, rules = solution.game, solution.rules
    start = game.part("start")(rules)
    pairs = product(range(rules.goal), repeat=2)
    states = [start._replace(score=score, rival=rival, turn=0, **deck) for score, rival in pairs]
    return [state for state in states if not game.part("over")(rules, state) and game.possible(rules, state)]


def _trace_turns(solution: Solution[Any], starts: Sequence[Any]) -> I64:
    """Return int64[starts, turn totals], the handle of each turn's state at each total, -1 if none."""
    states = solution.optimal_play.states
    turn = solution.game.module.State._fields.index("turn")
    totals = states.layout.maxima[turn] + 1
    handles = np.full((len(starts), totals), -1, np.int64)
    roots = np.array([states.handle(state) for state in starts], np.int64)
    hold = solution.game.module.actions.index("hold")
    kernel = GraphKernels(solution.compiled)[trace_turns]
    stack = np.empty(totals, np.int64)
    failed = kernel(solution.rules, states, roots, hold, turn, handles, stack)
    if failed >= 0:
        written = solution.game.write(solution.rules, starts[failed])
        raise SolveError(
            f"the turn that begins in {written} can reach one turn total in two states: it has no hold value."
        )
    return handles


def trace_turns(rules: Rules, states: StateIndex, roots: I64, hold: int, turn: int, handles: I64, stack: I64) -> int:
    """Follow every turn to its end; return the row of one with two states of the same total, or -1.

    Args:
        rules: the rules.
        states: the set of states.
        roots: int64[turns], the handles of the states in which the turns begin.
        hold: the number of the action that ends a turn.
        turn: the number of the field with the turn total.
        handles: int64[turns, turn totals], -1; filled in with the handles of the states.
        stack: int64[turn totals], a buffer.
    """
    for row in range(len(roots)):
        handles[row, 0] = roots[row]
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
                    handle = locate(states, after)
                    total = field_at(states, handle, turn)
                    if total < 0 or handles[row, total] not in (-1, handle):
                        return row
                    if handles[row, total] < 0:
                        handles[row, total] = handle
                        stack[height] = handle
                        height += 1
    return -1


class _StatesOfTurns(NamedTuple):
    """The states of the turns that begin with one deck.

    Attributes:
        starts: the states in which they begin.
        indices: int64[starts, turn totals], the index of each turn's state at each total, -1 if none.
    """

    starts: Sequence[Any]
    indices: I64


def _turn_decisions(
    solution: Solution[Any], policy: str, deck: dict[str, int], turns: _StatesOfTurns, holds: Flags, played: Flags
) -> TurnDecisions:
    """Arrange the decisions by score, rival and turn total; `holds` and `played` are flags of each state."""
    goal, totals = solution.rules.goal, 1 + int(np.flatnonzero((turns.indices >= 0).any(axis=0))[-1])
    indices = turns.indices[:, :totals]
    scores = [state.score for state in turns.starts]
    rivals = [state.rival for state in turns.starts]
    decisions = np.full((goal, goal, totals), UNREACHABLE, np.int8)
    occurs = np.zeros(decisions.shape, np.bool_)
    decisions[scores, rivals] = np.where(indices < 0, UNREACHABLE, holds[indices])
    occurs[scores, rivals] = (indices >= 0) & played[indices]
    return TurnDecisions(solution.game, solution.rules, policy, deck, decisions, occurs)
