"""Solutions of games with hidden information: equilibrium policies, with proved bounds on what deviations gain."""

import sys
from collections.abc import Sequence
from typing import Any

from komi.errors import AuditError, SolveError
from komi.game import CHANCE
from komi.proof.audit import WIDTH, ListedPlay
from komi.rounding import format_bound
from komi.rules.kind import Kind
from komi.solvers.hidden.hidden_values import HiddenValues, find_hidden_values
from komi.solvers.mixed_solution import MixedSolution
from komi.solvers.numeric_solution import ROUNDING, Outcomes
from komi.solvers.solution import TOLERANCE, AnyState
from komi.solvers.solver import Solver, general_sum_refusal, rewards_refusal
from komi.typing import State

ACCURACY = 1e-4  # an error bound of shares that is accepted after regret minimization, by default
MAX_HISTORIES = 1e9  # estimated by random play; what is enumerated is fewer, since equal histories are merged


class _ObservedSolution(MixedSolution[HiddenValues]):
    """An equilibrium of a game with hidden information.

    Values and probabilities depend on what the player to move observes: the value is the expected payoff given that
    observation, where what is hidden has its conditional probability under the policies of the others. Where these
    never lead, the others are taken to have made as few errors as possible, each action being equally likely. At chance
    nodes, all of the state is given.
    """

    @property
    def states(self) -> int:
        """The number of reachable states, without terminal ones."""
        return self.data.reached

    @property
    def information_sets(self) -> int:
        """The number of information sets of all players together."""
        return self.data.sets

    @property
    def accepted(self) -> float:
        """The largest error bound of shares that is accepted: a tolerance other than the default one decides."""
        return ACCURACY if self.data.iterations and self.tolerance == TOLERANCE else self.tolerance

    def revealed_value(self, state: AnyState | None = None, seat: int = 0) -> float:
        """Return the expected payoff of a seat, given all of the state, what the player to move cannot see included."""
        read = self.read(state)
        if self._is_over(read):
            return self.expected_value(read, seat)
        self.include([read])
        values = self.data.full_values[self.data.states.index_of(read)]
        return self.kind.payoffs.payoff(float(values[seat % self.kind.seats]))

    def bellman_violation(self, state: State, moves: Sequence[Any]) -> tuple[float, float] | None:
        """Check that a player's policy attains the value, and that no action exceeds it.

        An action can exceed the value where equilibrium play never leads: a policy need not be best there.

        Returns:
            None if this holds within rounding and the exploitability, or chance moves; otherwise the value of the state
            and the value that differs from it.
        """
        if moves[0].action == CHANCE:
            return None
        value = self._value(state)
        index = self.data.states.index_of(state)
        action_values = [self._action_value(state, move.action, move.outcomes) for move in moves]
        attained = sum(
            share * each for share, each in zip(self.data.mixes[index].tolist(), action_values, strict=False)
        )
        if abs(value - attained) > ROUNDING:
            return value, attained
        reach = float(self.data.reach[index])
        is_exceeded = reach > 0.0 and max(action_values) > value + self._value_error / reach + ROUNDING
        return (value, max(action_values)) if is_exceeded else None

    def _ranked(self, state: State, values: dict[str, float], value: float) -> dict[str, float]:  # noqa: ARG002
        """Sort the values of actions, best first."""
        return dict(sorted(values.items(), key=lambda pair: -pair[1]))

    def _action_value(self, state: State, action: int, outcomes: Outcomes) -> float:  # noqa: ARG002
        rank = list(self.game.part("legal")(self.rules, state)).index(action)
        return float(self.data.action_values[self.data.states.index_of(state), rank])

    def _value(self, state: State) -> float:
        if self._is_over(state):
            return float(self.game.shares(self.rules, state)[0])
        self.include([state])
        return float(self.data.values[self.data.states.index_of(state)])


class HiddenSolution(_ObservedSolution):
    """An equilibrium of a two-player zero-sum game with hidden information."""

    @property
    def bounds(self) -> tuple[float, float]:
        """A proved lower and upper bound on the value of the game to the first player."""
        payoffs = self.kind.payoffs
        rounding = payoffs.bound(0.0)
        return payoffs.payoff(self.data.lower) - rounding, payoffs.payoff(self.data.upper) + rounding

    @property
    def exploitability(self) -> float:
        """A proved bound on what best responses to both policies gain together; also known as NashConv."""
        lower, upper = self.bounds
        return upper - lower


class HiddenMultiplayerSolution(_ObservedSolution):
    """An equilibrium of a game with hidden information in which each seat has a value and a policy of its own.

    These are games of three or more players, and of two whose interests are not opposed.

    No seat gains more than `epsilon` by deviating alone from these policies, which regret minimization has reached from
    uniform play. Other equilibria, with other values, may exist.
    """

    @property
    def epsilon(self) -> tuple[float, ...]:
        """The proved upper bound on the gain of each seat from deviating alone."""
        return tuple(map(self.kind.payoffs.bound, self.data.gains))

    @property
    def unique(self) -> bool | None:
        """None: it is not known whether there are other equilibria."""
        return None

    @property
    def others(self) -> list[list[float]]:
        """Other equilibria: none are searched for."""
        return []

    def seat_values(self, state: AnyState | None = None) -> tuple[float, ...]:
        """Return the expected payoffs of all seats, the player to move first, given what that player observes."""
        read = self.read(state)
        if self._is_over(read):
            return tuple(map(float, self.game.payoffs(self.rules, read)))
        self.include([read])
        values = self.data.seat_values[self.data.states.index_of(read)]
        return tuple(map(float, self.kind.payoffs.payoff(values)))

    def expected_value(self, state: AnyState | None = None, seat: int = 0) -> float:
        """Return the expected payoff of the player `seat` seats after the mover, given what the mover observes."""
        return self.seat_values(state)[seat % self.kind.seats]

    def check_bound(self) -> None:
        """Check that the proved gains meet the tolerance; by default 1e-4.

        Raises:
            SolveError: if they do not.
        """
        if not max(self.data.gains) <= self.accepted:
            raise SolveError(
                f"it is proved only that no seat of {self.game.name} can gain more than "
                f"{format_bound(max(self.epsilon))} by deviating alone, not to the tolerance of "
                f"{self.accepted * self.scale:.1e}: ask for a larger one."
            )

    def audit(self, play: ListedPlay) -> bool:
        """Check the values of all seats, and what each gains by deviating, with the rules as the checker runs them."""
        if not self.kind.is_opposed:  # there are no certificates of general-sum games
            return False
        seats, name, near = self.kind.seats, self.game.name, self.error_bound + self.scale * WIDTH
        plays: list[tuple[int, list[int | None]]] = [(seat, [0] * seats) for seat in range(seats)]
        plays += [(seat, [None if each == seat else 0 for each in range(seats)]) for seat in range(seats)]
        proved = self._proved(play, plays)
        is_confirmed = bool(proved)
        for seat, (value, gain) in enumerate(zip(self.seat_values(), self.epsilon, strict=True) if proved else ()):
            low, high = proved[seat]["lower"], proved[seat]["upper"]
            if not low - near <= value <= high + near:
                raise AuditError(
                    f"the value for seat {seat + 1} of {name} was computed as {value:.12g}, off by at most "
                    f"{self.error_bound:.1e}, but the policies prove that it is from {low:.12g} to {high:.12g}: this "
                    "is an error in komi."
                )
            is_confirmed = is_confirmed and proved[seats + seat]["upper"] <= value + gain + 2 * near
        return is_confirmed

    @property
    def _value_error(self) -> float:
        return float(max(self.data.gains))


def _refusal(kind: Kind) -> str | None:
    """Return a sentence that refuses intermediate rewards, perfect information or too large a game, else None."""
    if rewards_refusal(kind) or not kind.hidden:
        return rewards_refusal(kind) or f"{kind.name} hides nothing from its players."
    if kind.histories <= MAX_HISTORIES:
        return None
    return (
        f"{kind.name} hides something from its players, and is too large to solve: it has about {kind.histories:.0e} "
        f"histories, and {MAX_HISTORIES:.0e} is the limit; `komi simulate` and `komi play` support it."
    )


def _zero_sum_refusal(kind: Kind) -> str | None:
    """Return a sentence that refuses a game as `_refusal` does, or because each seat has a value of its own."""
    return _refusal(kind) or general_sum_refusal(kind)


def _seats_refusal(kind: Kind) -> str | None:
    """Return a sentence that refuses a game as `_refusal` does, or because two players have one value together."""
    refusal = None if kind.has_seat_values else f"what one player of {kind.name} wins, the other loses."
    return refusal or _refusal(kind)


HIDDEN = Solver("hidden", HiddenValues, HiddenSolution, range(2, 3), _zero_sum_refusal, find_hidden_values)
"""Two-player zero-sum games with hidden information and perfect recall."""

HIDDEN_MULTIPLAYER = Solver(
    "hidden-multiplayer",
    HiddenValues,
    HiddenMultiplayerSolution,
    range(2, sys.maxsize),
    _seats_refusal,
    find_hidden_values,
)
"""Games of three or more players, or general-sum games, with hidden information and perfect recall."""
