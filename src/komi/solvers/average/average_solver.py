"""Solutions of games without an end: policies of the best average reward per action, of one player or of two."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from komi.arrays import F64, I16
from komi.compiling.compiled import CompiledGame
from komi.errors import AuditError, InputError, SolveError
from komi.game import CHANCE
from komi.graph.explicit import OVER, ExplicitModel
from komi.graph.reachability import find_reachable
from komi.graph.sources import GameTransitions
from komi.graph.state_sets import StateSet
from komi.progress import Progress, silent
from komi.proof.audit import ListedPlay, one_hot
from komi.proof.average_audit import AverageClaim, audit_average
from komi.rules.kind import Kind, kind_of
from komi.solvers.columns import Columns
from komi.solvers.discrete_dp import DiscreteDPArrays, list_pairs
from komi.solvers.numeric_solution import NumericSolution
from komi.solvers.solution import AnyState, OptimalPlay
from komi.solvers.solver import Solver, hidden_refusal
from komi.typing import Rules, State

MAX_OUTCOMES = 5_000_000  # a gigabyte, and a minute


@dataclass(frozen=True)
class AverageValues:
    """A policy of the best average reward, and the proof.

    Of two players one gains what the other loses, and both follow this policy.

    Attributes:
        states: the states.
        values: float64[states], the gain of the policy: the average reward per action in the long run.
        choices: int16[states], the action of the policy.
        bias: float64[states], its bias: the total by which the rewards from this state on exceed the average.
        upper, lower: float64[2, states], the functions g and h of the inequalities in `bounds`, which prove the gain of
            every policy to be at most g, and that of this one at least g; of negative rewards if the aim is the least.
            With two players, those of `strategy_iteration`.
        error_bound: the largest difference of a value from these bounds.
    """

    states: StateSet
    values: F64
    choices: I16
    bias: F64
    upper: F64
    lower: F64
    error_bound: float


def find_average(
    compiled: CompiledGame,
    rules: Rules,
    roots: Sequence[Any],
    known: AverageValues | None = None,
    progress: Progress = silent,
) -> AverageValues:
    """Find a policy of the best average reward per action in all states reachable from the roots and known states.

    Raises:
        GameError: if the rules are broken.
        SolveError: if play can end, chance can move for ever, the game is too large, or no proof is found.
    """
    from komi.solvers.average.bounds import find_best_play  # scipy is slow to import
    from komi.solvers.average.strategy_iteration import find_best_strategies, nodes_of

    kind = kind_of(compiled.game, rules)
    sign = -1.0 if kind.aim == "least" else 1.0
    transitions = GameTransitions(compiled, rules)
    states, _ = find_reachable(transitions, roots, known.states if known else None, progress)
    model = list_endless(compiled, rules, states)
    process, depth = process_of(compiled, model if kind.seats == 1 else nodes_of(model), sign)
    what = f"the average reward of {compiled.game.name}"
    with refusing_numbers(what):
        play = (find_best_play if kind.seats == 1 else find_best_strategies)(process, depth, progress)
    if play is None:
        raise no_proof(what)
    gain, bias = play.attained
    error = max(float((play.upper[0] - gain).max()), float((gain - play.lower[0]).max()))
    return AverageValues(
        states,
        sign * gain,
        model.actions[play.policy],
        sign * bias,
        play.upper,
        play.lower,
        float(np.nextafter(error + kind.payoffs.bound(0.0) * float(np.abs(gain).max(initial=1.0)), np.inf)),
    )


def no_proof(what: str) -> SolveError:
    """Create the error that there is no proof of an average."""
    return SolveError(f"no proof was found of {what}: choose smaller rules.")


@contextmanager
def refusing_numbers(what: str) -> Iterator[None]:
    """Refuse what float arithmetic cannot solve: equations that are singular up to rounding, or numbers beyond it.

    Raises:
        SolveError: if that happens.
    """
    try:
        with np.errstate(over="raise", invalid="raise", divide="raise"):
            yield
    except (RuntimeError, FloatingPointError):
        raise no_proof(what) from None


def list_endless(compiled: CompiledGame, rules: Rules, states: StateSet) -> ExplicitModel:
    """List the outcomes in a set of states, with all their successors, of a game that never ends.

    Raises:
        SolveError: if play can end, or there are too many outcomes.
    """
    model = ExplicitModel.of(compiled, rules, states, MAX_OUTCOMES)
    for outcome in np.flatnonzero(model.target == OVER)[:1]:
        pair = int(np.searchsorted(model.outcome_ends, outcome, side="right"))
        state = _written(compiled, rules, model, int(np.searchsorted(model.ends, pair, side="right")))
        raise SolveError(
            f"the average per action is that of play that never ends, but {compiled.game.name} can end after {state}: "
            "without 'average' in the rule file, the value is the expected total."
        )
    return model


def process_of(compiled: CompiledGame, model: ExplicitModel, sign: float) -> tuple[Any, F64]:
    """Return the `DecisionProcess` of a model, and the `chance_depth` of its states.

    Raises:
        SolveError: if chance can move for ever.
    """
    from komi.solvers.average.bounds import chance_depth  # scipy is slow to import
    from komi.solvers.average.decision_process import DecisionProcess

    first_pair = np.concatenate([[0], model.ends[:-1]])
    process = DecisionProcess.of(model, (model.actions[first_pair] != CHANCE).astype(np.float64), sign)
    depth = chance_depth(process)
    if depth is None:
        raise SolveError(f"{compiled.game.name} has no average per action: chance can move without end.")
    return process, depth


def _written(compiled: CompiledGame, rules: Rules, model: ExplicitModel, state: int) -> str:
    game = compiled.game
    return game.write(rules, game.module.State(*model.fields[state].tolist()))


class AverageSolution(NumericSolution[AverageValues]):
    """Optimal play of a game without an end: the greatest, or least, average reward per action.

    The value of a state is its gain, the average in the long run. Its `bias` is what the rewards from this state on
    exceed that average by in total, under this policy. Actions of the same gain differ in their `advantage`. Of two
    players one loses what the other gains, and all of this is that of the player to move.

    Example:
        >>> import komi
        >>> robot = komi.solve("examples/recycling_robot.py")
        >>> round(robot.value(), 4), round(robot.bias("low=0") - robot.bias("low=1"), 4)
        (4.1667, 4.1667)
    """

    @property
    def optimal_play(self) -> OptimalPlay:
        """Optimal play in all states solved so far, as arrays."""
        payoffs = self.kind.payoffs
        return OptimalPlay(self.data.states, (self.data.values - payoffs.lowest) / payoffs.width, self.data.choices)

    @property
    def error_bound(self) -> float:
        """A bound on the error of every value."""
        return self._value_error

    def value(self, state: AnyState | None = None) -> float:
        """Return the average of the player to move from a state on; from the initial state if none is given."""
        return self._value(self.read(state))

    @property
    def scale(self) -> float:
        """The scale of the error bound, which is relative to the largest value."""
        return max(1.0, float(abs(self.data.values).max(initial=0.0)))

    def bias(self, state: AnyState | None = None) -> float:
        """Return the bias of a state: the total by which the rewards from there on exceed the average."""
        read = self.read(state)
        self.include([read])
        return float(self.data.bias[self.data.states.index_of(read)])

    def advantages(self, state: AnyState | None = None) -> dict[str, float]:
        """Return what each action gains in total, compared with the policy: its rewards, less the average, and bias.

        It is 0 for the action that the policy takes. An action of a smaller gain loses more: that for ever.
        """
        read = self.read(state)
        own = self.bias(read)
        takes = 0.0 if self.game.is_chance(self.rules, read) else 1.0
        found, optimal = {}, self.optimal_action(read)
        for label, action in self.game.labels(self.rules, read).items():
            total = -takes * self._value(read)
            for probability, after, passes in self.game.outcomes(self.rules, read, action):
                bias = self._to_mover(self.bias(after), passes)
                total += probability * (self._reward(read, action, after) + bias - own)
            found[label] = 0.0 if action == optimal else total
        return found

    def actions(self, state: AnyState | None = None) -> dict[str, float]:
        """Return the average that follows each legal action, best first; among equal ones the greatest advantage.

        Averages that differ from that of the state by less than the error bound are reported with it.
        """
        read = self.read(state)
        if self._is_over(read):
            return {}
        value, sign, advantages = self._value(read), self._sign, self.advantages(read)
        values, optimal = {}, self.optimal_action(read)
        for label, action in self.game.labels(self.rules, read).items():
            found = self._backup(read, action, self.game.outcomes(self.rules, read, action))
            values[label] = value if action == optimal or self._is_near(found, value) else found
        chosen = self.game.label(self.rules, read, optimal)
        ranked = sorted(values, key=lambda each: (-sign * values[each], each != chosen, -sign * advantages[each]))
        return {label: values[label] for label in ranked}

    def discrete_dp(self) -> DiscreteDPArrays:
        """Return the arrays of a `quantecon.markov.DiscreteDP`; state i is that of `all_states`, the last one unused.

        Moves of chance are state-action pairs, too, though the average does not count them as actions.

        Raises:
            InputError: if the game is for two.
            SolveError: if there are too many outcomes.
        """
        if self.kind.seats == 2:
            return super().discrete_dp()
        return list_pairs(self.compiled, self.rules, self.all_states, self._sign)

    def audit(self, play: ListedPlay) -> bool:
        """Check the values, and that the policy attains them, against the rules as Python runs them."""
        data, index = self.data, self.data.states.indices_of_fields(play.flat_fields(self.game))
        if (index < 0).any():
            raise AuditError(f"a state of {self.game.name} was not solved: this is an error in komi.")
        claim = AverageClaim(
            self._sign * data.values[index], data.error_bound, data.upper[:, index], data.lower[:, index]
        )
        policy = one_hot(play, data.choices[index].astype(np.int64))
        return audit_average(play, claim, (None, policy), self._sign, self.game.name)

    def _more_columns(self) -> Columns:
        return {"bias": self.data.bias}

    def _value(self, state: State) -> float:
        if self._is_over(state):
            raise InputError(f"the game is over in {self.game.write(self.rules, state)}: there is no average.")
        self.include([state])
        return float(self.data.values[self.data.states.index_of(state)])

    def _outcome_value(self, state: State, action: int, successor: State, passes: int) -> float:  # noqa: ARG002
        return self._to_mover(self._value(successor), passes)

    def _to_mover(self, gained: float, passes: int) -> float:
        """Return what a player gains who gains this after an action, where the turn has passed."""
        return -gained if self.kind.seats == 2 and passes % 2 else gained

    @cached_property
    def _reward(self) -> Any:
        reward = self.game.part("reward")
        return lambda state, action, after: reward(self.rules, state, action, after)


def average_refusal(kind: Kind) -> str | None:
    """Return a sentence on why this solver does not support a kind of game; None if it does."""
    if not kind.average:
        return f"{kind.name} does not declare 'average': its value is an expected total or a chance."
    return hidden_refusal(kind)


AVERAGE = Solver("average", AverageValues, AverageSolution, range(1, 3), average_refusal, find_average)
"""Markov decision processes with the average reward as criterion (Puterman 1994, chapters 8 and 9), and stochastic
games for two (Gillette 1957)."""
