"""The solution of a multiplayer game: an equilibrium, its values, and a bound on the gain from deviating."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from komi.errors import SolveError
from komi.progress import Progress, silent
from komi.solvers.multiplayer.values import Equilibrium, find_equilibrium
from komi.solvers.solution import AnyState, Solution, SolutionArrays
from komi.text import Text, percent

ROUNDING = 1e-12  # rounding error of a backup in Python
PROVED = 1e-6  # an epsilon that is accepted whatever the tolerance


class MultiplayerSolution(Solution[Equilibrium]):
    """A Nash equilibrium of three or more players: all play one policy, and no seat gains by deviating from it.

    The policy takes one action in almost all states; in a few it may have to mix (see `mixed`).
    Values are the mover's probability of winning, where a shared win counts its share; `values_of` returns those of all
    seats.
    """

    @property
    def arrays(self) -> SolutionArrays:
        """The equilibrium in all states solved so far, as arrays."""
        return SolutionArrays(self.data.states, self.data.values[:, 0], self.data.choices)

    @property
    def error_bound(self) -> float:
        """The upper bound on the difference between a value and the expected payoff of the policy."""
        return self.data.error_bound

    @property
    def epsilon(self) -> tuple[float, ...]:
        """The upper bound on the gain of each seat from deviating alone."""
        return (self.data.epsilon,) * self.kind.seats

    @property
    def unique(self) -> bool | None:
        """False if other equilibria were found; None if none were found, since some may exist nevertheless."""
        return False if self.data.others else None

    @property
    def others(self) -> list[list[float]]:
        """The values of all seats in the other equilibria that were found."""
        return self.data.others

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
        place = int(np.searchsorted(self.data.mixed, index))
        if place < len(self.data.mixed) and self.data.mixed[place] == index:
            return {label: float(share) for label, share in zip(labels, self.data.shares[place], strict=False)}
        return {label: float(action == self.data.choices[index]) for label, action in labels.items()}

    def values_of(self, state: AnyState | None = None) -> tuple[float, ...]:
        """Return the values of all seats in a state, the player to move first."""
        return self._values(self.read(state))

    def value(self, state: AnyState | None = None) -> float:
        """Return the mover's probability of winning."""
        return self.values_of(state)[0]

    def expected_value(self, state: AnyState | None = None, seat: int = 0) -> float:
        """Return the probability of winning of the player `seat` seats after the mover."""
        return float(self.values_of(state)[seat % self.kind.seats])

    def actions(self, state: AnyState | None = None) -> dict[str, float]:
        """Return the action values of the mover if all follow the policy afterwards, best first."""
        read = self.read(state)
        if self._is_over(read):
            return {}
        value = self._values(read)[0]
        worth = {
            label: self._backed_up(self.game.outcomes(self.rules, read, action))
            for label, action in self.game.labels(self.rules, read).items()
        }
        return self._ordered(read, worth, value, self.data.epsilon + ROUNDING)

    def include(self, states: Sequence[Any], progress: Progress = silent) -> None:
        """Solve these non-terminal states and all states that are reachable from them, in one pass."""
        unknown = [state for state in states if self.data.states.index_of(state) < 0]
        if unknown:
            self.data = find_equilibrium(self.compiled, self.rules, unknown, self.data, progress)
            self.check_bound()

    def check_bound(self) -> None:
        """Check that the proved epsilon meets the tolerance.

        Raises:
            SolveError: if it does not.
        """
        tolerance = max(self.tolerance, PROVED)
        if not self.data.epsilon <= tolerance:
            raise SolveError(
                f"a seat of {self.game.name} could gain up to {self.data.epsilon:.1e} by playing otherwise, "
                f"as far as is proved, more than the tolerance of {tolerance:.1e}: ask for a larger one."
            )

    def bellman_violation(self, state: Any, moves: Sequence[Any]) -> tuple[float, float] | None:
        """Check that the mover's value is that of its best action.

        Returns:
            None if the two agree within the proved epsilon; otherwise both values.
        """
        value, best = self._values(state)[0], max(self._backed_up(move.outcomes) for move in moves)
        return None if abs(value - best) <= 2 * self.data.epsilon + ROUNDING else (value, best)

    def have_equal_values(self, state: Any, other: Any) -> bool:
        """Return whether the mover's values in two states agree within the proved epsilon."""
        return abs(self._values(state)[0] - self._values(other)[0]) <= 2 * self.data.epsilon + ROUNDING

    def facts(self) -> dict[str, Any]:
        """Return the values of all seats, the bounds on their gains and the other equilibria found."""
        return {
            "value": self.value(),
            "values": list(self.values_of()),
            "error_bound": self.error_bound,
            "epsilon": list(self.epsilon),
            "unique": self.unique,
            "others": self.others,
            "mixed_states": len(self.data.mixed),
        }

    def facts_of(self, state: Any) -> dict[str, Any]:
        """Return the values of all seats in a state, the mover first, and the mover's action values."""
        actions = self.actions(state)
        return {
            "value": self.value(state),
            "values": list(self.values_of(state)),
            "error_bound": self.error_bound,
            "epsilon": list(self.epsilon),
            "mixed": self.mixed(state),
            "actions": actions,
            "best": next(iter(actions), None),
        }

    def rows(self) -> Sequence[tuple[str, str]]:
        """List the values of all seats, the proof and the number of states."""
        return [
            *((f"seat {seat} wins", percent(value)) for seat, value in enumerate(self.values_of(), 1)),
            ("proved: no seat can gain by playing otherwise more than", f"{self.data.epsilon:.1e}"),
            ("states in which the policy mixes actions", f"{len(self.data.mixed):,}"),
            ("states that play can reach", f"{self.states:,}"),
        ]

    def text(self) -> Text:
        """Describe the values of all seats, the bound on their gains, other equilibria and the first move."""
        start = self.game.part("start")(self.rules)
        wins = ", ".join(f"seat {seat} {percent(value)}" for seat, value in enumerate(self.values_of(), 1))
        first = "" if self.game.is_chance(self.rules, start) else f" First move: {self.best()}."
        lines = [
            self.settings(),
            "",
            f"If all play this equilibrium policy, the seats win: {wins}.",
            f"Proved: no seat can gain more than {self.data.epsilon:.1e} by playing otherwise alone.{first}",
            *self._said_of_mixing(),
            self._said_of_others(),
            f"{self.states:,} state{'s' * (self.states != 1)}, {self.took()}.",
            "",
        ]
        return Text(self.game.summary, lines, next_state=self.game.write(self.rules, start))

    def text_of(self, state: Any) -> Text:
        """Describe the values of all seats in a state and the mover's action values."""
        values, actions = self._values(state), self.actions(state)
        wins = ", ".join(percent(value) for value in values)
        title = self.game.write(self.rules, state)
        if not actions:
            return Text(title, [f"The game is over: the seats get {wins}, the player to move first."])
        taken = self.mixed(state)
        rows = [
            (label, percent(taken[label]), percent(each), "" if each == values[0] else percent(values[0] - each))
            for label, each in actions.items()
        ]
        return Text(
            title,
            [f"The seats win {wins}, the player to move first, if all play by the policy found."],
            ("action", "taken", "wins", "loses by it"),
            rows,
            [f"Proved: no seat can gain more than {self.data.epsilon:.1e} by playing otherwise alone."],
        )

    def _said_of_mixing(self) -> list[str]:
        count = len(self.data.mixed)
        return [f"In {count:,} state{'s' * (count != 1)} the policy mixes actions."] if count else []

    def _said_of_others(self) -> str:
        if not self.data.searched:
            return "Whether there are other equilibria was not looked into."
        if not self.others:
            return "No other equilibrium was found from other starting points; others may exist."
        vectors = "; ".join(", ".join(percent(value) for value in vector) for vector in self.others)
        return f"It is not the only one: in others that were found the seats win {vectors}."

    def _backed_up(self, outcomes: Any) -> float:
        total = 0.0
        for probability, after, passes in outcomes:
            total += probability * self._values(after)[-passes % self.kind.seats]
        return total

    def _values(self, state: Any) -> tuple[float, ...]:
        if self._is_over(state):
            return tuple(map(float, self.game.payoffs(self.rules, state)))
        self.include([state])
        vector = self.data.values[self.data.states.index_of(state)]
        return tuple(float(vector[-view % len(vector)]) for view in range(len(vector)))
