"""The solution of a game with simultaneous moves: winning probabilities and mixed strategies."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from komi.progress import Progress, silent
from komi.solvers import two_player
from komi.solvers.simultaneous.equilibrium import BLIND, OPEN
from komi.solvers.simultaneous.values import MixedValues, find_mixed
from komi.solvers.solution import AnyState, Solution, SolutionArrays
from komi.text import Text, percent

ROUNDING = 1e-12  # rounding error of a backup in Python
PROVED = 1e-6  # an error bound that is accepted whatever the tolerance


class SimultaneousSolution(Solution[MixedValues]):
    """Optimal play of a two-player game with simultaneous moves: winning probabilities and mixed strategies."""

    @property
    def arrays(self) -> SolutionArrays:
        """Optimal play in all states solved so far, as arrays; a choice is the likeliest action."""
        record = self.data
        choices = np.empty(record.states.size, np.int16)
        for index, likeliest in enumerate(record.mixes.argmax(axis=1)):
            state = self.game.module.State(*record.states.fields(index))
            choices[index] = list(self.game.part("legal")(self.rules, state))[int(likeliest)]
        return SolutionArrays(record.states, record.values, choices)

    @property
    def error_bound(self) -> float:
        """The error bound of all values."""
        return self.data.error_bound

    @property
    def scale(self) -> float:
        """The factor by which the tolerance is relaxed: a bound of 1e-6 is always accepted."""
        return max(1.0, PROVED / self.tolerance)

    def value(self, state: AnyState | None = None) -> float:
        """Return the mover's probability of winning, given what the mover observes."""
        return self._value(self.read(state))

    def mixed(self, state: AnyState | None = None) -> dict[str, float]:
        """Return the probability of each legal action in optimal play, in the order of the rules.

        Empty where the game is over.
        """
        read = self.read(state)
        if self._is_over(read):
            return {}
        self.include([read])
        labels = self.game.labels(self.rules, read)
        mix = self.data.mixes[self.data.states.index_of(read)]
        return {label: float(share) for label, share in zip(labels, mix, strict=False)}

    def actions(self, state: AnyState | None = None) -> dict[str, float]:
        """Return the value of each legal action for the mover against optimal play, best first.

        If the other player has already made a hidden choice, the value is the expectation over that choice.
        """
        read = self.read(state)
        if self._is_over(read):
            return {}
        self.include([read])
        worth = {label: self._worth(read, action) for label, action in self.game.labels(self.rules, read).items()}
        return dict(sorted(worth.items(), key=lambda pair: -pair[1]))

    def best(self, state: AnyState | None = None) -> str | None:
        """Return the likeliest action in optimal play; None where the game is over."""
        mixed = self.mixed(state)
        return max(mixed, key=lambda label: mixed[label]) if mixed else None

    def include(self, states: Sequence[Any], progress: Progress = silent) -> None:
        """Solve these non-terminal states and all states that are reachable from them, in one pass."""
        unknown = [state for state in states if self.data.states.index_of(state) < 0]
        if unknown:
            self.data = find_mixed(self.compiled, self.rules, unknown, self.data, progress)
            self.check_bound()

    def bellman_violation(self, state: Any, moves: Sequence[Any]) -> tuple[float, float] | None:
        """Check that the mover's strategy attains the state's value, and that no action exceeds it.

        Returns:
            None if this holds within the error bound, or the state is blind; otherwise the value of the state and the
            value that differs from it.
        """
        self.include([state])
        if self._kind(state) == BLIND:
            return None
        value, worths = self._value(state), [self._worth(state, move.action) for move in moves]
        mix = self.data.mixes[self.data.states.index_of(state)]
        got = sum(share * worth for share, worth in zip(mix, worths, strict=False))
        within = 4 * self.error_bound + ROUNDING
        if abs(value - got) > within:
            return value, got
        return (value, max(worths)) if max(worths) > value + within else None

    def have_equal_values(self, state: Any, other: Any) -> bool:
        """Return whether the values of two states agree within twice the error bound."""
        return abs(self._value(state) - self._value(other)) <= 2 * self.error_bound + ROUNDING

    def facts(self) -> dict[str, Any]:
        """Return the first player's probability of winning and the error bound."""
        return {"value": self.value(), "error_bound": self.error_bound}

    def facts_of(self, state: Any) -> dict[str, Any]:
        """Return the mover's probability of winning, the mixed strategy and the action values."""
        return {
            "value": self.value(state),
            "error_bound": self.error_bound,
            "mixed": self.mixed(state),
            "actions": self.actions(state),
            "best": self.best(state),
        }

    def rows(self) -> Sequence[tuple[str, str]]:
        """List the winning probabilities, the error bound and the number of states."""
        return two_player.rows(self)

    def text(self) -> Text:
        """Describe the winning probabilities under optimal play and the error bound."""
        return two_player.text(self, " Best play is mixed where both choose.")

    def text_of(self, state: Any) -> Text:
        """Describe the mover's probability of winning and mixed strategy in a state."""
        worth, mixed = self.value(state), self.mixed(state)
        title = self.game.write(self.rules, state)
        if not mixed:
            return Text(title, [f"The game is over: the player to move gets {worth:g}."])
        rows = [(label, percent(mixed[label]), percent(each)) for label, each in self.actions(state).items()]
        return Text(
            title,
            [f"The player to move wins {percent(worth)} with best play."],
            ("action", "taken", "wins"),
            rows,
            [f"Proved: no probability is off by more than {self.error_bound:.1e}."],
        )

    def _kind(self, state: Any) -> int:
        """Return the kind of a state: ALONE, OPEN or BLIND."""
        return int(self.data.kinds[self.data.states.index_of(state)])

    def _worth(self, state: Any, action: int) -> float:
        """Compute the value of an action for the mover against optimal play, given what the mover observes."""
        kind = self._kind(state)
        if kind == OPEN:
            [(_, after, _)] = self.game.outcomes(self.rules, state, action)
            return 1.0 - sum(
                share * self._backed_up(self.game.outcomes(self.rules, after, solution))
                for solution, share in self._strategy(after)
            )
        if kind == BLIND:
            before = self.data.before[self.data.states.index_of(state)]
            opened = self.game.module.State(*self.data.states.fields(int(before)))
            return sum(
                share * self._backed_up(self.game.outcomes(self.rules, after, action))
                for choice, share in self._strategy(opened)
                for _, after, _ in self.game.outcomes(self.rules, opened, choice)
            )
        return self._backed_up(self.game.outcomes(self.rules, state, action))

    def _strategy(self, state: Any) -> list[tuple[int, float]]:
        """List the legal actions with their probabilities in optimal play."""
        mix = self.data.mixes[self.data.states.index_of(state)].tolist()
        return list(zip(self.game.part("legal")(self.rules, state), mix, strict=False))

    def _backed_up(self, outcomes: Any) -> float:
        total = 0.0
        for probability, after, passes in outcomes:
            value = self._value(after)
            total += probability * (1.0 - value if passes % 2 else value)
        return total

    def _value(self, state: Any) -> float:
        if self._is_over(state):
            return float(self.game.payoffs(self.rules, state)[0])
        self.include([state])
        return float(self.data.values[self.data.states.index_of(state)])
