"""What solving a game of simultaneous choice says: chances of winning, and how often to take each action."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from komi.methods import duels
from komi.methods.answer import Answer, AnyState, Table
from komi.methods.simultaneous.equilibrium import BLIND, OPEN
from komi.methods.simultaneous.values import MixedValues, find_mixed
from komi.progress import Progress, silent
from komi.text import Text, percent

ROUNDING = 1e-12  # of a backup done in Python
PROVED = 1e-6  # a bound that is small enough, whatever the tolerance


class Simultaneous(Answer[MixedValues]):
    """Optimal play of a game of two players who choose at the same time: chances of winning and mixed strategies."""

    @property
    def values(self) -> Table:
        """Optimal play in all states solved so far, as arrays; a choice is the likeliest action."""
        record = self.record
        choices = np.empty(record.states.size, np.int16)
        for index, likeliest in enumerate(record.mixes.argmax(axis=1)):
            state = self.game.module.State(*record.states.fields(index))
            choices[index] = list(self.game.part("legal")(self.rules, state))[int(likeliest)]
        return Table(record.states, record.values, choices)

    @property
    def error_bound(self) -> float:
        """No value is further than this from the truth."""
        return self.record.error_bound

    @property
    def scale(self) -> float:
        """Bounds of 1e-6 will do whatever the tolerance."""
        return max(1.0, PROVED / self.tolerance)

    def worth(self, state: AnyState | None = None) -> float:
        """The mover's chance of winning, before the mover knows what the other has chosen."""
        return self._value(self.read(state))

    def mixed(self, state: AnyState | None = None) -> dict[str, float]:
        """How often optimal play takes each legal action, in the order of the rules; empty where the game is over."""
        read = self.read(state)
        if self._is_over(read):
            return {}
        self.include([read])
        labels = self.game.labels(self.rules, read)
        mix = self.record.mixes[self.record.states.index_of(read)]
        return {label: float(share) for label, share in zip(labels, mix, strict=False)}

    def actions(self, state: AnyState | None = None) -> dict[str, float]:
        """What each legal action is worth to the mover against optimal play, best first.

        Where the other has chosen already, in secret, what an action is worth on average over what that may be.
        """
        read = self.read(state)
        if self._is_over(read):
            return {}
        self.include([read])
        worth = {label: self._worth(read, action) for label, action in self.game.labels(self.rules, read).items()}
        return dict(sorted(worth.items(), key=lambda pair: -pair[1]))

    def best(self, state: AnyState | None = None) -> str | None:
        """The action that optimal play takes most often; None where the game is over."""
        mixed = self.mixed(state)
        return max(mixed, key=lambda label: mixed[label]) if mixed else None

    def include(self, states: Sequence[Any], progress: Progress = silent) -> None:
        """Solve these states too, and what play can reach from them, all at once; in none the game is over."""
        unknown = [state for state in states if self.record.states.index_of(state) < 0]
        if unknown:
            self.record = find_mixed(self.compiled, self.rules, unknown, self.record, progress)
            self.check_bound()

    def keeps_equation(self, state: Any, moves: Sequence[Any]) -> tuple[float, float] | None:
        """Whether the mover's strategy gets the state's value, and no action more."""
        self.include([state])
        if self._kind(state) == BLIND:
            return None
        value, worths = self._value(state), [self._worth(state, move.action) for move in moves]
        mix = self.record.mixes[self.record.states.index_of(state)]
        got = sum(share * worth for share, worth in zip(mix, worths, strict=False))
        within = 4 * self.error_bound + ROUNDING
        if abs(value - got) > within:
            return value, got
        return (value, max(worths)) if max(worths) > value + within else None

    def are_alike(self, state: Any, other: Any) -> bool:
        """Whether two states are worth the same, as far as is proved."""
        return abs(self._value(state) - self._value(other)) <= 2 * self.error_bound + ROUNDING

    def facts(self) -> dict[str, Any]:
        """The first player's chance of winning, and the bound."""
        return {"value": self.value(), "error_bound": self.error_bound}

    def facts_of(self, state: Any) -> dict[str, Any]:
        """The mover's chance of winning, how often to take each action, and what each is worth."""
        return {
            "value": self.value(state),
            "error_bound": self.error_bound,
            "mixed": self.mixed(state),
            "actions": self.actions(state),
            "best": self.best(state),
        }

    def rows(self) -> Sequence[tuple[str, str]]:
        """Who wins how often, the bound, and how many states there are."""
        return duels.rows(self)

    def text(self) -> Text:
        """Who wins how often with best play, and how far off that can be."""
        return duels.text(self, " Best play is mixed where both choose.")

    def text_of(self, state: Any) -> Text:
        """How often the mover wins, and how often to take each action."""
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
        """ALONE, OPEN or BLIND."""
        return int(self.record.kinds[self.record.states.index_of(state)])

    def _worth(self, state: Any, action: int) -> float:
        """What an action is worth to the mover against optimal play, as far as the mover knows the state."""
        kind = self._kind(state)
        if kind == OPEN:
            [(_, after, _)] = self.game.outcomes(self.rules, state, action)
            return 1.0 - sum(
                share * self._backed_up(self.game.outcomes(self.rules, after, answer))
                for answer, share in self._strategy(after)
            )
        if kind == BLIND:
            before = self.record.before[self.record.states.index_of(state)]
            opened = self.game.module.State(*self.record.states.fields(int(before)))
            return sum(
                share * self._backed_up(self.game.outcomes(self.rules, after, action))
                for choice, share in self._strategy(opened)
                for _, after, _ in self.game.outcomes(self.rules, opened, choice)
            )
        return self._backed_up(self.game.outcomes(self.rules, state, action))

    def _strategy(self, state: Any) -> list[tuple[int, float]]:
        """The legal actions and how often optimal play takes each."""
        mix = self.record.mixes[self.record.states.index_of(state)].tolist()
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
        return float(self.record.values[self.record.states.index_of(state)])
