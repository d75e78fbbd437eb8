"""The solution of a multiplayer game: an equilibrium, its values, and a bound on the gain from deviating."""

import sys

import numpy as np

from komi.errors import SolveError
from komi.proof.audit import ListedPlay, Shares, one_hot, prove, rows
from komi.rounding import format_bound
from komi.rules.kind import Kind
from komi.solvers.columns import Columns
from komi.solvers.multiplayer.nash_equilibrium import Equilibrium, find_equilibrium
from komi.solvers.numeric_solution import NumericSolution
from komi.solvers.solution import AnyState, OptimalPlay
from komi.solvers.solver import Solver, open_game_refusal
from komi.typing import State

PROVED = 1e-6  # an epsilon that is accepted whatever the tolerance


class MultiplayerSolution(NumericSolution[Equilibrium]):
    """A Nash equilibrium of three or more players, or of two in a general-sum game.

    All play one policy, and no seat gains by deviating from it. The policy takes one action in almost all states; in a
    few it may have to mix (see `mixed`). Values are the mover's probability of winning, where a shared win counts its
    share, or its expected payoff; `seat_values` returns those of all seats.
    """

    @property
    def optimal_play(self) -> OptimalPlay:
        """The equilibrium in all states solved so far, as arrays."""
        return OptimalPlay(self.data.states, self.data.values[:, 0], self.data.choices)

    @property
    def is_pure(self) -> bool:
        """True if the policy mixes nowhere."""
        return not len(self.data.mixed)

    def _more_columns(self) -> Columns:
        """Return "value_1", ...: the values of the players after the mover, in turn."""
        values = self.data.values
        payoff = self.kind.payoffs.payoff
        return {f"value_{seat}": payoff(values[:, -seat]) for seat in range(1, self.kind.seats)}

    @property
    def error_bound(self) -> float:
        """The upper bound on the difference between a value and the expected payoff of the policy."""
        return self.kind.payoffs.bound(self.data.error_bound)

    @property
    def epsilon(self) -> tuple[float, ...]:
        """The upper bound on the gain of each seat from deviating alone."""
        return (self.kind.payoffs.bound(self.data.epsilon),) * self.kind.seats

    @property
    def unique(self) -> bool | None:
        """False if other equilibria were found; None if none were found, since some may exist nevertheless."""
        return False if self.data.others else None

    @property
    def others(self) -> list[list[float]]:
        """The values of all seats in the other equilibria that were found."""
        return [[self.kind.payoffs.payoff(share) for share in shares] for shares in self.data.others]

    def mixed(self, state: AnyState | None = None) -> dict[str, float]:
        """Return the probability with which the policy takes each legal action, in the order of the rules.

        Empty where the game is over.
        """
        read = self.read(state)
        if self._is_over(read):
            return {}
        self.include([read])
        index = self.data.states.index_of(read)
        labels = self.game.labels(self.rules, read)
        row = int(np.searchsorted(self.data.mixed, index))
        if row < len(self.data.mixed) and self.data.mixed[row] == index:
            return {label: float(share) for label, share in zip(labels, self.data.shares[row], strict=False)}
        return {label: float(action == self.data.choices[index]) for label, action in labels.items()}

    def seat_values(self, state: AnyState | None = None) -> tuple[float, ...]:
        """Return the values of all seats in a state, the player to move first."""
        read = self.read(state)
        if self._is_over(read):
            return tuple(map(float, self.game.payoffs(self.rules, read)))
        return tuple(map(self.kind.payoffs.payoff, self._shares(read)))

    def expected_value(self, state: AnyState | None = None, seat: int = 0) -> float:
        """Return the expected payoff of the player `seat` seats after the mover."""
        return float(self.seat_values(state)[seat % self.kind.seats])

    def check_bound(self) -> None:
        """Check that the proved epsilon meets the tolerance.

        Raises:
            SolveError: if it does not.
        """
        epsilon, tolerance = self.epsilon[0], max(self.tolerance, PROVED) * self.scale
        if not epsilon <= tolerance:
            raise SolveError(
                f"it is proved only that no seat of {self.game.name} can gain more than {format_bound(epsilon)} by "
                f"deviating alone, not to the tolerance of {tolerance:.1e}: ask for a larger one."
            )

    def audit(self, play: ListedPlay) -> bool:
        """Check the values of all seats, and what each gains by deviating, against the rules as Python runs them."""
        data, seats, name = self.data, self.kind.seats, self.game.name
        index = data.states.indices_of_fields(play.flat_fields(self.game))
        shares = one_hot(play, data.choices[index].astype(np.int64))
        mixed = {int(number): row for number, row in zip(data.mixed, data.shares, strict=True)}
        for state, actions in zip(index.tolist(), rows(play), strict=True):
            if state in mixed:
                shares[actions] = mixed[state][: actions.stop - actions.start]
        is_confirmed = True
        for seat in range(seats):
            values = np.concatenate([data.values[index, mover - seat] for mover in range(seats)])
            everyone: list[Shares] = [shares] * seats
            others: list[Shares] = [None if each == seat else shares for each in range(seats)]
            for each, bound, what in (
                (everyone, data.error_bound, f"the value for seat {seat + 1} of {name}"),
                (others, data.epsilon, f"the best response of seat {seat + 1} of {name}"),
            ):
                found = prove(play.model(1.0, each, seat), values, 0.0, 1.0)
                checked = found is not None and found.check(values, bound, play.states, what)
                is_confirmed = is_confirmed and checked
        return is_confirmed

    @property
    def _value_error(self) -> float:
        return self.data.epsilon

    def _outcome_value(self, state: State, action: int, successor: State, passes: int) -> float:  # noqa: ARG002
        return self._shares(successor)[-passes % self.kind.seats]

    def _value(self, state: State) -> float:
        return self._shares(state)[0]

    def _shares(self, state: State) -> tuple[float, ...]:
        if self._is_over(state):
            return tuple(map(float, self.game.shares(self.rules, state)))
        self.include([state])
        vector = self.data.values[self.data.states.index_of(state)]
        return tuple(float(vector[-view % len(vector)]) for view in range(len(vector)))


def _refusal(kind: Kind) -> str | None:
    """Return a sentence that refuses intermediate rewards, hidden information, or a zero-sum game, else None."""
    if not kind.has_seat_values:
        return f"in {kind.name} one player wins what the other loses."
    return open_game_refusal(kind)


MULTIPLAYER = Solver("multiplayer", Equilibrium, MultiplayerSolution, range(2, sys.maxsize), _refusal, find_equilibrium)
"""Games of three or more players, and general-sum games of two, with perfect information and payoffs at the end."""
