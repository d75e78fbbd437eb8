"""Optimal values of a game for one player with hidden information, as arrays over states and observations.

The belief process (`beliefs`) is a game for one player who sees everything: its states are the numbers of beliefs. It
is solved, with its proof, as all such games are.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from komi.arrays import F64, I16
from komi.bellman import ActionCode, RationalSolver, ValueBackup
from komi.compiling.compiled import CompiledGame
from komi.compiling.packing import Layout
from komi.errors import InputError
from komi.game import CHANCE
from komi.graph.components import solve_components
from komi.graph.listed_rules import list_all
from komi.graph.reachability import find_reachable
from komi.graph.sources import GameTransitions
from komi.graph.state_sets import StateSet
from komi.graph.transitions import GraphCounts
from komi.progress import Progress, silent
from komi.rules.game import Game
from komi.rules.kind import kind_of
from komi.solvers.hidden.beliefs import OVER, BeliefOutcome, BeliefProcess, list_beliefs
from komi.solvers.hidden.hidden_values import HiddenValues
from komi.solvers.stochastic.optimal_values import Values, find_values, objective_of
from komi.typing import Rules, State

MAX_OUTCOMES = 1_000_000  # of the actions of all beliefs


@dataclass(frozen=True)
class BeliefValues(HiddenValues):
    """Optimal play of one player with hidden information, in each of a set of states.

    Attributes:
        choices: int16[states], an optimal action; CHANCE where chance moves.
    """

    choices: NDArray[np.int16]


class NoRules(NamedTuple):
    """The rules of a belief game: its outcomes are fixed."""


class BeliefState(NamedTuple):
    """A state of a belief game.

    Attributes:
        belief: the number of the belief; one more than the last before the first choice, negative if the game is over.
    """

    belief: int


def find_belief_values(
    compiled: CompiledGame,
    rules: Rules,
    roots: Sequence[Any],
    known: BeliefValues | None = None,
    progress: Progress = silent,
) -> BeliefValues:
    """Compute optimal play of the one player, from the initial state.

    Raises:
        GameError: if the rules are broken.
        InputError: if there is a solution already: play never leads to the states that it lacks.
        SolveError: if there are too many beliefs, the view does not determine the belief, or a value is not proved.
    """
    game = compiled.game
    if known is not None:
        written = game.write(rules, roots[0])
        raise InputError(f"play of {game.name} never leads to {written}: with hidden information it has no value.")
    process = list_beliefs(game, rules, roots[0], progress)
    belief_game = CompiledGame(_BeliefRules(game, rules, process).game())
    list_all(belief_game, NoRules(), MAX_OUTCOMES)
    solved = find_values(belief_game, NoRules(), [BeliefState(len(process.beliefs))], None, progress)
    return _tabulate(compiled, rules, roots[0], process, solved, progress)


class _BeliefRules:
    """The rules of a belief game, with the names and the objective of the game that it belongs to."""

    def __init__(self, game: Game, rules: Rules, process: BeliefProcess) -> None:
        self._game, self._rules, self._beliefs = game, rules, process.beliefs
        self._payoffs = list[float]()
        self._rewards: dict[tuple[int, int, int], float] = {}
        self._outcomes: dict[tuple[int, int], list[tuple[float, BeliefState, int]]] = {}
        self._add(len(process.beliefs), CHANCE, process.first)
        for number, (belief, outcomes) in enumerate(zip(process.beliefs, process.outcomes, strict=True)):
            for action, each in zip(belief.actions, outcomes, strict=True):
                self._add(number, action, each)

    def _add(self, number: int, action: int, outcomes: Sequence[BeliefOutcome]) -> None:
        row = self._outcomes[number, action] = []
        for probability, target, reward, payoff in outcomes:
            if target == OVER:
                self._payoffs.append(float(payoff))
                target = -len(self._payoffs)
            self._rewards[number, action, target] = float(reward)
            row.append((float(probability), BeliefState(target), 0))

    def game(self) -> Game:
        """Return the game; its functions refer to this object, not to its tables, which would be hashed."""
        module = ModuleType("beliefs")
        vars(module).update(
            __file__=self._game.module.__file__,
            players=1,
            Rules=NoRules,
            State=BeliefState,
            aim=self._game.aim(self._rules),
            endless=self._game.endless_share(self._rules),
            start=lambda rules: BeliefState(len(self._beliefs)),
            legal=lambda rules, state: iter(self._legal(state)),
            outcomes=lambda rules, state, action: iter(self._outcomes[state.belief, action]),
            over=lambda rules, state: state.belief < 0,
            payoff=lambda rules, state: self._payoffs[-1 - state.belief],
            objective=lambda rules: self._game.objective(self._rules),
            label=lambda rules, state, action: self._game.label(self._rules, self._observed(state), action),
            write=lambda rules, state: self._game.write(self._rules, self._observed(state)),
        )
        if self._game.counts_rewards(self._rules):
            module.reward = lambda rules, state, action, after: self._rewards[state.belief, action, after.belief]  # type: ignore[attr-defined]
        return Game(self._game.name, module)

    def _legal(self, state: BeliefState) -> tuple[int, ...]:
        return self._beliefs[state.belief].actions if state.belief < len(self._beliefs) else (CHANCE,)

    def _observed(self, state: BeliefState) -> State:
        """Return what the player sees; the initial state before its first choice."""
        is_first = state.belief == len(self._beliefs)
        return self._game.part("start")(self._rules) if is_first else self._beliefs[state.belief].observation


def _tabulate(
    compiled: CompiledGame, rules: Rules, start: State, process: BeliefProcess, solved: Values, progress: Progress
) -> BeliefValues:
    """Return the policy and the values of beliefs as arrays over states and observations."""
    game, beliefs = compiled.game, process.beliefs
    order = solved.states.indices_of_fields(np.arange(len(beliefs))[:, None])
    values, choices = solved.values[order], solved.choices[order]
    reached, counts = find_reachable(GameTransitions(compiled, rules), [start], progress=progress)
    rows = [game.module.State(*row) for row in reached.all_fields().tolist()]
    numbers = [_belief_of(game, rules, process, state) for state in rows]
    policy = np.array([choices[each] if each >= 0 else each for each in numbers], np.int16)
    full, bound = _evaluate(compiled, rules, start, (reached, counts), policy, progress)
    unlisted = [number for seen, number in process.number_of.items() if reached.index_of(seen) < 0]
    fields = np.array([*rows, *(beliefs[number].observation for number in unlisted)], np.int64)
    numbers, full = numbers + unlisted, np.append(full, values[unlisted])
    states = StateSet.of_fields(Layout.around(fields, game.steps), fields)
    size, most = states.size, max(len(belief.actions) for belief in beliefs) if beliefs else 1
    bound, root = max(bound, solved.error_bound), float(solved.values[solved.states.index_of((len(beliefs),))])
    mixes, action_values = np.zeros((2, size, most))
    found = BeliefValues(
        states,
        np.empty((size, 1)),
        np.empty((size, 1)),
        mixes,
        action_values,
        np.ones(size),
        len(beliefs),
        len(rows),
        root - bound,
        root + bound,
        [2.0 * bound],
        0,
        np.full(size, CHANCE, np.int16),
    )
    for index, number, value in zip(states.indices_of_fields(fields).tolist(), numbers, full.tolist(), strict=True):
        found.values[index] = found.full_values[index] = value
        mixes[index, 0], action_values[index, 0] = 1.0, value
        if number == ActionCode.UNREACHED:  # play leads there with probability 0 only
            state = game.module.State(*states.fields(index))
            found.choices[index] = next(iter(game.part("legal")(rules, state)))
        if number >= 0:
            actions = beliefs[number].actions
            found.values[index], found.choices[index] = values[number], choices[number]
            mixes[index, : len(actions)] = np.array(actions) == choices[number]
            action_values[index, : len(actions)] = [_value(each, values) for each in process.outcomes[number]]
    return found


def _belief_of(game: Game, rules: Rules, process: BeliefProcess, state: State) -> int:
    """Return the number of the belief in a state; CHANCE where chance moves, UNREACHED if the state is impossible."""
    if game.is_chance(rules, state):
        return CHANCE
    return process.number_of.get(game.part("view")(rules, state), ActionCode.UNREACHED)


def _value(outcomes: Sequence[BeliefOutcome], values: F64) -> float:
    """Return the value of an action, given those of beliefs."""
    return sum(
        float(each.probability)
        * (float(each.reward) + (float(each.payoff) if each.target == OVER else values[each.target]))
        for each in outcomes
    )


def _evaluate(
    compiled: CompiledGame,
    rules: Rules,
    start: State,
    reached: tuple[StateSet, GraphCounts],
    policy: I16,
    progress: Progress,
) -> tuple[F64, float]:
    """Compute the values of a policy, given all of the state, and a bound on their error.

    Args:
        compiled, rules, start: the game.
        reached: the states that play can reach, and their counts.
        policy: int16[states], the action in each.
        progress: called during long work.
    """
    states, counts = reached
    objective = objective_of(kind_of(compiled.game, rules))
    fallback = RationalSolver(compiled, rules, states)
    backup = ValueBackup(states.size, counts, fallback, objective, [policy], progress=progress)
    columns, transitions = objective.gain_columns, GameTransitions(compiled, rules)
    solve_components(transitions, states, counts, [start], backup, gain_columns=columns, progress=progress)
    return objective.sign * backup.results.value, float(backup.results.bound.max(initial=0.0))
