"""A policy for a game that each plays alone, at a table of several."""

from dataclasses import dataclass
from typing import Any

from komi.errors import SolveError
from komi.game import Game
from komi.policies.policy import Policy, Question


def own_part(game: Game, alone: Any, state: Any) -> Any:
    """The mover's own game in a state of several players.

    Args:
        game: the game.
        alone: the rules under which one plays alone.
        state: as the player to move sees it.
    """
    own = {name: getattr(state, name) for name in game.fields(alone)}
    return game.part("start")(alone)._replace(**own)


@dataclass(frozen=True, eq=False)
class Alone(Policy):
    """Plays one's own game as a policy plays it alone, whatever the others do.

    Attributes:
        policy: the policy.
        rules: those under which one plays alone.
    """

    policy: Policy
    rules: Any

    @property
    def name(self) -> str:  # type: ignore[override]
        """The policy's name."""
        return self.policy.name

    def question(self) -> Question:
        """There is none: it looks at one state at a time."""
        raise SolveError(f"policy {self.name} can only be asked move by move here.")

    def choose(self, game: Game, rules: Any, state: Any, luck: float) -> int:  # noqa: ARG002
        """What the policy does in the mover's own game."""
        return self.policy.choose(game, self.rules, own_part(game, self.rules, state), luck)
