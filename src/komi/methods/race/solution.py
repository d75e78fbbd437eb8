"""What solving a race says: the probability of winning from every state, and how to play."""

from collections.abc import Sequence
from typing import Any

from komi.kind import Kind
from komi.methods import duels
from komi.methods.answer import AnyState
from komi.methods.backup.answered import FromValues
from komi.methods.backup.values import CHANCE_OF_TWO, Wanted
from komi.text import Text, percent

ROUNDING = 1e-12  # of a backup done in Python


def chance_of_two(kind: Kind) -> Wanted:
    """What is wanted of a race."""
    return CHANCE_OF_TWO._replace(expands=kind.transient)


class Solution(FromValues):
    """Optimal play of a game of two players with chance: probabilities of winning, a shared win counting half.

    Examples:
        >>> import komi
        >>> red_light = komi.solve("red-light")
        >>> round(red_light.value(), 6)
        0.500011
        >>> red_light.best("score=47,rival=49,turn=2,red=3,green=23")
        'draw'
    """

    @property
    def wanted(self) -> Wanted:
        """Probabilities of winning."""
        return chance_of_two(self.kind)

    def worth(self, state: AnyState | None = None) -> float:
        """The mover's probability of winning, a shared win counting half; of the first player at the start."""
        return self._value(self.read(state))

    def actions(self, state: AnyState | None = None) -> dict[str, float]:
        """What each legal action is worth to the mover, if all play on optimally; best first.

        The best is worth what the state is: where the two differ by less than is proved, only by rounding, the
        state's value is given for both. Empty where the game is over.
        """
        read = self.read(state)
        if self._is_over(read):
            return {}
        value = self._value(read)  # solves what follows, too, where that is not known yet
        worth = {
            label: self._backed_up(self.game.outcomes(self.rules, read, action))
            for label, action in self.game.labels(self.rules, read).items()
        }
        return self._ordered(read, worth, value, self.error_bound)

    def keeps_equation(self, state: Any, moves: Sequence[Any]) -> tuple[float, float] | None:
        """Whether v(s) = max over actions of sum of p (v(s') or, if the turn passes, 1 - v(s')).

        True values keep it, so values that are each off by at most E keep it to 2 E.
        """
        value, best = self._value(state), max(self._backed_up(move.outcomes) for move in moves)
        return None if abs(value - best) <= 2 * self.error_bound + ROUNDING else (value, best)

    def are_alike(self, state: Any, other: Any) -> bool:
        """Whether two states are worth the same, as far as is proved."""
        return abs(self._value(state) - self._value(other)) <= 2 * self.error_bound + ROUNDING

    def facts(self) -> dict[str, Any]:
        """The first player's probability of winning, and the bound."""
        return {"value": self.value(), "error_bound": self.error_bound}

    def facts_of(self, state: Any) -> dict[str, Any]:
        """The mover's probability of winning, and by each action."""
        actions = self.actions(state)
        return {
            "value": self.value(state),
            "error_bound": self.error_bound,
            "actions": actions,
            "best": next(iter(actions), None),
        }

    def rows(self) -> Sequence[tuple[str, str]]:
        """Who wins how often, the bound, and how many states there are."""
        return duels.rows(self)

    def text(self) -> Text:
        """Who wins how often with best play, how far off that can be, and the first move."""
        start = self.game.part("start")(self.rules)
        return duels.text(self, "" if self.game.is_chance(self.rules, start) else f" First move: {self.best()}.")

    def text_of(self, state: Any) -> Text:
        """How often the mover wins, and what each action gives away."""
        worth, actions = self.value(state), self.actions(state)
        title = self.game.write(self.rules, state)
        if not actions:
            return Text(title, [f"The game is over: the player to move gets {worth:g}."])
        wins = f"The player to move wins {percent(worth)} with best play."
        proved = f"Proved: no probability is off by more than {self.error_bound:.1e}."
        if self.game.is_chance(self.rules, state):
            return Text(title, [wins, "Nobody chooses: chance moves.", proved, *self.reliance_lines()])
        rows = [
            (label, percent(chance), "" if chance == worth else percent(worth - chance))
            for label, chance in actions.items()
        ]
        return Text(title, [wins], ("action", "wins", "loses by it"), rows, [proved, *self.reliance_lines()])

    def _backed_up(self, outcomes: Any) -> float:
        total = 0.0
        for probability, after, passes in outcomes:
            value = self._value(after)
            total += probability * (1.0 - value if passes % 2 else value)
        return total
