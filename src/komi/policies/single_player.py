"""A single-player policy for a seat at a multiplayer table."""

from dataclasses import dataclass
from typing import Any

from komi.errors import SolveError
from komi.policies.policy import Policy, PolicyCode
from komi.rules.game import Game
from komi.typing import Rules, State


def single_player_state(game: Game, single_rules: Rules, state: State) -> Any:
    """Return the mover's own single-player state within a multiplayer state.

    Args:
        game: the game.
        single_rules: the rules for a single player.
        state: the state as the player to move observes it.
    """
    own = {name: getattr(state, name) for name in game.fields(single_rules)}
    return game.part("start")(single_rules)._replace(**own)


@dataclass(frozen=True, eq=False)
class SinglePlayerPolicy(Policy):
    """A single-player policy that ignores the other players.

    Attributes:
        policy: the single-player policy.
        rules: the rules for a single player.
    """

    policy: Policy
    rules: Rules

    @property
    def name(self) -> str:  # type: ignore[override]
        """The policy's name."""
        return self.policy.name

    def code(self) -> PolicyCode:
        """Raise an error: the policy cannot be called by compiled code.

        Raises:
            SolveError: always.
        """
        raise SolveError(f"policy {self.name} can only choose move by move here.")

    def choose(self, game: Game, rules: Rules, state: State, uniform: float) -> int:  # noqa: ARG002
        """Return the policy's action in the mover's own single-player state."""
        return self.policy.choose(game, self.rules, single_player_state(game, self.rules, state), uniform)
