"""What solving a game of several seats says: what each seat gets in an equilibrium, and how much it could gain."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from komi.errors import SolveError
from komi.methods.answer import Answer, AnyState, Table
from komi.methods.several.values import Equilibrium, find_equilibrium
from komi.progress import Progress, silent
from komi.text import Text, percent

ROUNDING = 1e-12  # of a backup done in Python
PROVED = 1e-6  # an epsilon that is small enough, whatever the tolerance


class SeveralSeats(Answer[Equilibrium]):
    """An equilibrium of three or more seats: all play by one policy, which no seat gains by leaving.

    The policy takes one action in almost all states; in a few it may have to mix (see `mixed`).
    Values are the mover's chance of winning, a shared win counting its share; `values_of` has those of all seats.
    """

    @property
    def values(self) -> Table:
        """The equilibrium in all states solved so far, as arrays."""
        return Table(self.record.states, self.record.values[:, 0], self.record.choices)

    @property
    def error_bound(self) -> float:
        """No value is further than this from what the policy gets."""
        return self.record.error_bound

    @property
    def epsilon(self) -> tuple[float, ...]:
        """How much each seat could gain alone, at most, by playing otherwise."""
        return (self.record.epsilon,) * self.kind.seats

    @property
    def unique(self) -> bool | None:
        """False if other equilibria were found; None if not, since there may be some all the same."""
        return False if self.record.others else None

    @property
    def others(self) -> list[list[float]]:
        """What each seat gets in the other equilibria that were found."""
        return self.record.others

    def mixed(self, state: AnyState | None = None) -> dict[str, float]:
        """How often the policy takes each legal action, in the order of the rules; empty where the game is over."""
        read = self.read(state)
        if self._is_over(read):
            return {}
        self.include([read])
        index = self.record.states.index_of(read)
        labels = self.game.labels(self.rules, read)
        place = int(np.searchsorted(self.record.mixed, index))
        if place < len(self.record.mixed) and self.record.mixed[place] == index:
            return {label: float(share) for label, share in zip(labels, self.record.shares[place], strict=False)}
        return {label: float(action == self.record.choices[index]) for label, action in labels.items()}

    def values_of(self, state: AnyState | None = None) -> tuple[float, ...]:
        """What each seat gets from a state on, the player to move first."""
        return self._values(self.read(state))

    def worth(self, state: AnyState | None = None) -> float:
        """The mover's chance of winning."""
        return self.values_of(state)[0]

    def chance_of(self, seat: int, state: AnyState | None = None) -> float:
        """The chance of winning of the player so many seats after the mover."""
        return float(self.values_of(state)[seat % self.kind.seats])

    def actions(self, state: AnyState | None = None) -> dict[str, float]:
        """What each legal action is worth to the mover, if all play on by the policy; best first."""
        read = self.read(state)
        if self._is_over(read):
            return {}
        value = self._values(read)[0]
        worth = {
            label: self._backed_up(self.game.outcomes(self.rules, read, action))
            for label, action in self.game.labels(self.rules, read).items()
        }
        return self._ordered(read, worth, value, self.record.epsilon + ROUNDING)

    def include(self, states: Sequence[Any], progress: Progress = silent) -> None:
        """Solve these states too, and what play can reach from them, all at once; in none the game is over."""
        unknown = [state for state in states if self.record.states.index_of(state) < 0]
        if unknown:
            self.record = find_equilibrium(self.compiled, self.rules, unknown, self.record, progress)
            self.check_bound()

    def check_bound(self) -> None:
        """See that the equilibrium is proved as well as was asked for.

        Raises:
            SolveError: if it is not.
        """
        tolerance = max(self.tolerance, PROVED)
        if not self.record.epsilon <= tolerance:
            raise SolveError(
                f"a seat of {self.game.name} could gain up to {self.record.epsilon:.1e} by playing otherwise, "
                f"as far as is proved, more than the tolerance of {tolerance:.1e}: ask for a larger one."
            )

    def keeps_equation(self, state: Any, moves: Sequence[Any]) -> tuple[float, float] | None:
        """Whether the mover's value is that of its best action."""
        value, best = self._values(state)[0], max(self._backed_up(move.outcomes) for move in moves)
        return None if abs(value - best) <= 2 * self.record.epsilon + ROUNDING else (value, best)

    def are_alike(self, state: Any, other: Any) -> bool:
        """Whether two states are worth the same, as far as is proved."""
        return abs(self._values(state)[0] - self._values(other)[0]) <= 2 * self.record.epsilon + ROUNDING

    def facts(self) -> dict[str, Any]:
        """What each seat gets, how much it could gain alone, and whether other equilibria were found."""
        return {
            "value": self.value(),
            "values": list(self.values_of()),
            "error_bound": self.error_bound,
            "epsilon": list(self.epsilon),
            "unique": self.unique,
            "others": self.others,
            "mixed_states": len(self.record.mixed),
        }

    def facts_of(self, state: Any) -> dict[str, Any]:
        """What each seat gets from a state on, the mover first, and what the mover gets by each action."""
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
        """What each seat gets, the proof, and how many states there are."""
        return [
            *((f"seat {seat} wins", percent(value)) for seat, value in enumerate(self.values_of(), 1)),
            ("proved: no seat can gain by playing otherwise more than", f"{self.record.epsilon:.1e}"),
            ("states in which the policy mixes actions", f"{len(self.record.mixed):,}"),
            ("states that play can reach", f"{self.states:,}"),
        ]

    def text(self) -> Text:
        """What each seat gets, how much it could gain alone, whether others were found, and the first move."""
        start = self.game.part("start")(self.rules)
        wins = ", ".join(f"seat {seat} {percent(value)}" for seat, value in enumerate(self.values_of(), 1))
        first = "" if self.game.is_chance(self.rules, start) else f" First move: {self.best()}."
        lines = [
            self.settings(),
            "",
            f"If all play this equilibrium policy, the seats win: {wins}.",
            f"Proved: no seat can gain more than {self.record.epsilon:.1e} by playing otherwise alone.{first}",
            *self._said_of_mixing(),
            self._said_of_others(),
            f"{self.states:,} state{'s' * (self.states != 1)}, {self.took()}.",
            "",
        ]
        return Text(self.game.summary, lines, next_state=self.game.write(self.rules, start))

    def text_of(self, state: Any) -> Text:
        """What each seat gets from a state on, and what each action gives the mover."""
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
            [f"Proved: no seat can gain more than {self.record.epsilon:.1e} by playing otherwise alone."],
        )

    def _said_of_mixing(self) -> list[str]:
        count = len(self.record.mixed)
        return [f"In {count:,} state{'s' * (count != 1)} the policy mixes actions."] if count else []

    def _said_of_others(self) -> str:
        if not self.record.searched:
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
        vector = self.record.values[self.record.states.index_of(state)]
        return tuple(float(vector[-view % len(vector)]) for view in range(len(vector)))
