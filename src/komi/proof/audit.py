"""Audits: what komi proves is checked once more, from the rules as Python runs them.

An audit lists play from the initial state with the interpreted rules, and checks all that they return. It then proves
an interval of the value of every node by theorems 1 and 2 of `docs/certificates.md`, with every node stored: for lower
and upper values with L < Q_L and U > Q_U, rounding included, or at the least and the greatest value. Where these values
come from does not matter, since `_is_proof` checks the inequalities. Neither compiled rules nor solvers take part.
"""

from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np

from komi.arrays import F64, I64, Flags
from komi.errors import AuditError, GameError, SolveError
from komi.game import CHANCE, PROBABILITY_TOLERANCE
from komi.graph.explicit import OVER, ExplicitModel
from komi.jit.kernels import engine_kernels
from komi.progress import silent
from komi.proof.cuts import cut_cycles
from komi.proof.intervals import ValueLimits, converge, find_intervals
from komi.rules import loading
from komi.rules.game import Game
from komi.rules.interpreter import out_of_range
from komi.rules.tuple_fields import author_of, flattening_of
from komi.typing import Rules, State

MAX_STATES, MAX_OUTCOMES = 20_000, 200_000
"""The size of play up to which results are audited without a request: that takes at most half a second."""
MAX_WORK = 20_000_000  # backups of outcomes in the search for a proof, for each of its steps
ROUNDING = 2.0**-52  # of one operation on floats, with a margin of 2
WIDTH = 2.0**-29  # of the intervals of an audit, relative to the largest value: it confirms results only to that

Shares = F64 | Flags | None
"""The choices of a seat: float64[actions], the share of each action of each state under a policy; bool[actions], the
actions that it can choose from; None if it can choose from all."""


class ListedPlay(NamedTuple):
    """All that can happen from the initial state on, by the interpreted rules.

    Attributes:
        states: the states in which the game is not over, the initial one first, as the rule file has them.
        ends: int64[states], one past the last action of each state.
        actions: int64[actions], their numbers; CHANCE at chance nodes.
        outcome_ends: int64[actions], one past the last outcome of each action.
        probability, reward: float64[outcomes].
        target: int64[outcomes], the next state; -1 - row of `payoffs` where the game is over.
        passes: int64[outcomes], by how many seats the turn passes.
        payoffs: float64[.., seats], the shares of all seats where the game is over, the player to move first.
        signs: float64[.., seats], the signs of what they win there: 1 for more than an even payoff, -1 for less.
    """

    states: list[Any]
    ends: I64
    actions: I64
    outcome_ends: I64
    probability: F64
    reward: F64
    target: I64
    passes: I64
    payoffs: F64
    signs: F64

    def model(self, sign: float = 1.0, play: Sequence[Shares] = (None,), seat: int | None = None) -> ExplicitModel:
        """Return the model of play in which some seats follow policies.

        A node is a seat to move and a state: number seat * states + state.

        Args:
            sign: -1 if the one player wants the least, else 1: what the model counts is to be maximized.
            play: what each seat does; with one or two players a single entry if all do the same.
            seat: the seat whose payoffs are counted; None for those of the player to move, with one or two players.
        """
        states, seats = len(self.states), self.payoffs.shape[1]
        parts = [self._follow(shares, mover, sign, len(play), seat) for mover, shares in enumerate(play)]
        actions = accumulate((len(part.outcome_ends) for part in parts), initial=0)
        outcomes = accumulate((len(part.target) for part in parts), initial=0)
        for part, first_action, first_outcome in zip(parts, actions, outcomes, strict=False):
            part.ends[:] += first_action
            part.outcome_ends[:] += first_outcome
        assert states * seats < np.iinfo(np.int32).max  # the width of a target
        return ExplicitModel(*map(np.concatenate, zip(*parts, strict=True)))

    def _follow(self, shares: Shares, mover: int, sign: float, told_apart: int, seat: int | None) -> ExplicitModel:
        """Return the nodes of one seat to move: with one lottery each if it follows a policy."""
        states, seats = len(self.states), self.payoffs.shape[1]
        ends, outcome_ends, probability = self.ends.copy(), self.outcome_ends.copy(), self.probability
        kept: Flags = np.full(len(probability), True)
        if shares is not None:
            probability = probability * np.repeat(shares, np.diff(outcome_ends, prepend=0))
            kept = probability > 0.0
            outcome_ends = np.cumsum(kept, dtype=np.int64)[outcome_ends - 1]
            if shares.dtype == np.bool_:
                outcome_ends, ends = outcome_ends[shares > 0], np.cumsum(shares, dtype=np.int64)[ends - 1]
            else:
                outcome_ends, ends = outcome_ends[ends - 1], np.arange(1, states + 1)
        target, passes, gain = self.target[kept], self.passes[kept], self.reward[kept].copy()
        is_over, is_zero_sum = target < 0, seats == 2 and seat is None
        counted = (0 if seat is None else seat - mover) - passes  # from the player to move at the end
        gain[is_over] += self.payoffs[-1 - target[is_over], counted[is_over] % seats]
        node = np.where(is_over, OVER, target + states * ((mover + passes) % told_apart))
        flips = (passes % 2 == 1) if is_zero_sum else np.full(len(passes), False)
        numbers = np.zeros(len(outcome_ends), np.int16)
        return ExplicitModel(
            np.zeros((states, 0), np.int64),
            *(ends, numbers, outcome_ends, probability[kept], node.astype(np.int32), flips, sign * gain),
        )

    def flat_fields(self, game: Game) -> I64:
        """Return int64[states, fields], the states as komi stores them."""
        flattening = flattening_of(game.module)
        flat = map(flattening.flat, self.states) if flattening else self.states
        return np.array([tuple(state) for state in flat], np.int64).reshape(len(self.states), -1)


def list_play(game: Game, rules: Rules, max_states: int, max_outcomes: int) -> ListedPlay | None:
    """List play from the initial state with the interpreted rules, and check all that they return.

    Returns:
        All of play; None if there is more than the limits allow.

    Raises:
        GameError: if the rules are broken: the message names a state.
        AuditError: if the rules declare that the game has no value.
    """
    if game.has("no_value") and (reason := game.part("no_value")(rules)):
        raise AuditError(f"a value of {game.name} was computed, which has none under these rules: {reason}.")
    listing = _PlayListing(game, rules)
    state = None
    try:
        for state in listing.states:
            listing.visit(state)
            if len(listing.states) > max_states or len(listing.probability) > max_outcomes:
                return None
    except GameError:
        raise
    except Exception as error:
        where = loading.error_location(error) or game.file.name
        raise GameError(f"{where}: {type(error).__name__}: {error} in {state}.") from None
    return listing.play()


class _PlayListing:
    """Play so far."""

    def __init__(self, game: Game, rules: Rules) -> None:
        self._game, self._rules, self._module = game, rules, author_of(game.module)
        self._scale, self._seats = game.payoff_scale(rules), game.players(rules)
        self._has_rewards = game.has("reward") and not game.objective(rules).startswith("chance")
        self._flattening = flattening_of(game.module)
        start = self._module.start(rules)
        self.states, self._numbers = [start], {start: 0}
        self._check_state(start)
        self.ends, self.actions, self.outcome_ends = list[int](), list[int](), list[int]()
        self.probability, self.reward = list[float](), list[float]()
        self.target, self.passes = list[int](), list[int]()
        self.payoffs, self.signs = list[tuple[float, ...]](), list[list[float]]()

    def play(self) -> ListedPlay:
        """Return what was listed as arrays."""
        return ListedPlay(
            self.states,
            *(_whole(self.ends), _whole(self.actions), _whole(self.outcome_ends)),
            np.array(self.probability, np.float64),
            np.array(self.reward, np.float64) if self._has_rewards else np.zeros(len(self.probability)),
            *(_whole(self.target), _whole(self.passes)),
            np.array(self.payoffs, np.float64).reshape(-1, self._seats),
            np.array(self.signs, np.float64).reshape(-1, self._seats),
        )

    def visit(self, state: State) -> None:
        """Add the actions of a state, and their outcomes."""
        module, rules, known = self._module, self._rules, self._numbers.get
        outcomes, reward = module.outcomes, module.reward if self._has_rewards else None
        actions = list(module.legal(rules, state))
        if not actions or (CHANCE in actions and len(actions) > 1):
            self._refuse("there is no action, or one beside chance", state)
        for action in actions:
            total = 0.0
            for probability, after, passes in outcomes(rules, state, action):
                if not probability >= 0.0 or not isinstance(passes, int) or passes < 0:
                    self._refuse(f"an outcome has probability {probability!r} and {passes!r} passes", state)
                total += probability
                number = known(after)
                if number is None:
                    number = self._add(after)
                if probability:
                    self.probability.append(probability)
                    self.target.append(number)
                    self.passes.append(passes)
                    if reward:
                        self.reward.append(reward(rules, state, action, after))
            if not abs(total - 1.0) <= PROBABILITY_TOLERANCE:
                self._refuse(f"the probabilities of action {action} sum to {total!r}", state)
            self.actions.append(action)
            self.outcome_ends.append(len(self.probability))
        self.ends.append(len(self.outcome_ends))

    def _add(self, state: Any) -> int:
        """Return the number of a new state; -1 - row of the payoffs if the game is over."""
        self._check_state(state)
        if self._module.over(self._rules, state):
            self.payoffs.append(self._shares(state))
            number = -len(self.payoffs)
        else:
            number = len(self.states)
            self.states.append(state)
        self._numbers[state] = number
        return number

    def _check_state(self, state: Any) -> None:
        if not isinstance(state, self._module.State):
            raise GameError(f"{self._game.file.name}: {state!r} is not a State.")
        flat = self._flattening.flat(state) if self._flattening else state
        if not all(isinstance(value, int) and -(1 << 63) <= value < 1 << 63 for value in flat):
            self._refuse("a field is not a whole number of 64 bits", state)

    def _shares(self, state: State) -> tuple[float, ...]:
        payoff, scale, seats = self._module.payoff, self._scale, self._seats
        if self._game.is_seated:
            payoffs = [payoff(self._rules, state, seat) for seat in range(seats)]
        else:
            mine = payoff(self._rules, state)
            payoffs = [mine, scale.opposite(mine)][:seats]
        shares = tuple(map(scale.share, payoffs))
        if not all(0.0 <= each <= 1.0 for each in shares):
            self._refuse(f"a payoff is {out_of_range(scale, seats)}", state)
        if seats > 1 and scale.is_opposed and not abs(sum(shares) - 1.0) <= PROBABILITY_TOLERANCE:
            self._refuse(f"the payoffs of all seats sum to {sum(shares)!r}, not to 1", state)
        self.signs.append([(each > scale.even) - (each < scale.even) for each in payoffs])
        return shares

    def _refuse(self, problem: str, state: State) -> None:
        raise GameError(f"{self._game.file.name}: {problem} in {state}.", str(state))


def _whole(numbers: list[int]) -> I64:
    return np.array(numbers, np.int64)


class Proved(NamedTuple):
    """Intervals of the values of nodes.

    Attributes:
        nodes: int64[reached], the nodes that play reaches.
        lower, upper: float64[reached], the ends of the interval of each of them.
    """

    nodes: I64
    lower: F64
    upper: F64

    def check(self, results: F64, bound: float, states: Sequence[Any], what: str) -> bool:
        """Compare results with the intervals.

        Args:
            results: float64[nodes], the values as komi computed them; NaN where it did not.
            bound: the bound on their error.
            states: the states of the nodes, over and over for each seat to move.
            what: what the results are, for a message: "the value of pig".

        Returns:
            True if the results are confirmed, to the width of the intervals.

        Raises:
            AuditError: if a result is wrong.
        """
        found, largest = results[self.nodes], max(1.0, float(np.nanmax(np.abs(results), initial=0.0)))
        slack = bound + ROUNDING * largest
        wrong = np.flatnonzero((found < self.lower - slack) | (found > self.upper + slack) | (not bound >= 0.0))
        for first in wrong[-1:]:  # the last node in the order of the search is the initial one
            raise AuditError(
                f"{what} in {states[self.nodes[first] % len(states)]} was computed as {found[first]:.12g}, off by at "
                f"most {bound:.1e}, but is from {self.lower[first]:.12g} to {self.upper[first]:.12g} by the rules as "
                "Python runs them: this is an error in komi."
            )
        return bool((self.upper - self.lower <= bound + WIDTH * largest).all())


def prove(model: ExplicitModel, guess: F64, lowest: float, highest: float) -> Proved | None:
    """Prove intervals of the optimal values of all nodes that play reaches; return None if none are found.

    Args:
        model: the nodes, the first of them initial; what it counts is maximized.
        guess: float64[nodes], what the values may be; NaN where nothing is known.
        lowest, highest: the range of values.
    """
    cut, values = cut_cycles(model, 0), np.nan_to_num(guess)
    cut.stored[:] = True
    sweeps = max(1, MAX_WORK // max(1, len(model.target)))
    engine_kernels()[converge](model, cut, values, sweeps)
    try:
        found = find_intervals(model, cut, values, ValueLimits(1.0, lowest, highest), silent, sweeps)
    except SolveError:
        return None
    is_proof = _is_proof(model, found.lower, found.upper, lowest, highest)[cut.order].all()
    return Proved(cut.order, found.lower[cut.order], found.upper[cut.order]) if is_proof else None


def _is_proof(model: ExplicitModel, lower: F64, upper: F64, lowest: float, highest: float) -> Flags:
    """Return bool[nodes]: whether lower and upper values satisfy the inequalities of theorems 1 and 2.

    A sum of n products is off by at most n + 2 rounding errors of the sum, and two of each product, relative to the sum
    of their absolute values. Sums are long doubles, since an action can have many outcomes. The probabilities of an
    action count as if they summed to 1, so that what they lack is added to that.
    """
    first_outcome = np.concatenate([[0], model.outcome_ends[:-1]])
    first_action = np.concatenate([[0], model.ends[:-1]])
    is_over = model.target == OVER
    target = np.where(is_over, 0, model.target)
    rounding = (np.diff(model.outcome_ends, prepend=0) + 2) * np.finfo(np.longdouble).eps + 4 * ROUNDING
    lack = np.abs(_sums(model.probability, first_outcome) - 1.0) + rounding

    def best(own: F64, other: F64, direction: float) -> Any:
        """Return the values of the best actions, rounded in a direction."""
        later = np.where(is_over, 0.0, np.where(model.passes, 1.0 - other[target], own[target]))
        size = np.maximum.reduceat(np.abs(model.gain) + np.abs(later), first_outcome)
        sums = _sums(model.probability * (model.gain + later), first_outcome)
        return np.maximum.reduceat(sums + direction * lack * size, first_action)

    is_lower = (lower <= lowest) | (lower < best(lower, upper, -1.0))
    is_upper = (upper >= highest) | (upper > best(upper, lower, 1.0))
    is_proof: Flags = is_lower & is_upper & (lower <= upper)
    return is_proof


def _sums(numbers: F64, first: I64) -> Any:
    """Return longdouble[groups], the sums of groups of numbers that begin at these indices."""
    return np.add.reduceat(numbers.astype(np.longdouble), first)


def final_scores(play: ListedPlay, most: int) -> I64 | None:
    """Return int64[states], win, draw or loss and plies by theorem 3: `most` - plies of a win, and so on.

    Return None if an action has several outcomes, or a payoff is not 0, 1/2 or 1.
    """
    ends = 2.0 * play.payoffs[:, 0] - 1.0
    is_single = len(play.target) == len(play.actions)
    if play.payoffs.shape[1] != 2 or not is_single or not np.isin(ends, (-1.0, 0.0, 1.0)).all():
        return None
    last = np.append(ends * most, 0.0).astype(np.int64)  # also if no game ends
    is_over, first_action = play.target < 0, np.concatenate([[0], play.ends[:-1]])
    ended, target = np.where(is_over, -1 - play.target, -1), np.where(is_over, 0, play.target)
    side = np.where(play.passes % 2 == 1, -1, 1)
    scores = np.zeros(len(play.states), np.int64)
    for _ in range(len(scores) + 1):
        after = side * np.where(is_over, last[ended], scores[target])
        found = np.maximum.reduceat(after - np.sign(after), first_action)
        if (found == scores).all():
            return scores
        scores = found
    return None


def one_hot(play: ListedPlay, choices: I64) -> F64:
    """Return float64[actions], the shares of a policy that takes one action in each state.

    Args:
        play: the states.
        choices: int64[states], the action; CHANCE at chance nodes.
    """
    shares: F64 = (play.actions == np.repeat(choices, np.diff(play.ends, prepend=0))).astype(np.float64)
    return shares


def rows(play: ListedPlay) -> Iterator[slice]:
    """Yield the actions of each state, as a slice."""
    for first, last in zip([0, *play.ends[:-1]], play.ends, strict=True):
        yield slice(first, last)
