"""Many games as a `VecEnv` of stable-baselines3, stepped in one compiled call.

    from komi.stable_baselines import VecEnv
    from sb3_contrib import MaskablePPO

    model = MaskablePPO("MlpPolicy", VecEnv("pig", 256, opponent="hold-at:20"), gamma=1.0)

A game that is over begins anew in the same step, as stable-baselines3 has it: the observation is that of the new game,
and `terminal_observation` in the info of the game is the last of the old one.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from komi.arrays import F32, I64, Flags
from komi.environments.batch import GameBatch, Opponents
from komi.errors import InputError
from komi.typing import GameLike

try:
    from stable_baselines3.common.vec_env import VecEnv as BaseVecEnv

    from komi.gymnasium import action_space, observation_space
except ImportError:
    raise InputError("komi.stable_baselines needs stable-baselines3: pip install 'komi[sb3]'.") from None

Indices = int | Sequence[int] | None


class VecEnv(BaseVecEnv):  # type: ignore[misc]
    """Games for one player, or one seat of games against opponents that are part of the environment.

    `action_masks` has the legal actions, as MaskablePPO of sb3-contrib needs them. The arguments are those of
    `komi.gymnasium.Env`; an observation is one array, of planes by default.

    Args:
        game: the name of a game, its rule file, or a Game; see `komi.find`.
        num_envs: the number of games.
        opponent: the policy of the other seats, or a list with one for each; random by default.
        seat: the seat of the player, 0 to move first; None draws it for each episode.
        illegal: what to do with an action that is not legal, "raise" or "random".
        observation: "planes" for float32 from 0 to 1, or "fields" for the numbers of the rule file, int64.
        rules: the rules to change, by name.

    Attributes:
        fields: the names of the fields that the player sees.
        planes: the names of the planes of an observation; none in the form "fields".
        actions: int64[actions], the action of the rules with each number.

    Raises:
        InputError: for an unknown game, rule, policy, seat or number of games.
        GameError: if the rules are broken.
    """

    def __init__(
        self,
        game: GameLike,
        num_envs: int = 1,
        opponent: Opponents = None,
        seat: int | None = 0,
        illegal: str = "raise",
        observation: str = "planes",
        **rules: object,
    ) -> None:
        self._batch = GameBatch(game, num_envs, opponent, seat, rules, illegal, observation)
        self.fields, self.planes, self.actions = self._batch.fields, self._batch.planes.names, self._batch.actions
        self.render_mode = None
        super().__init__(num_envs, observation_space(self._batch)["observation"], action_space(self._batch))

    def reset(self) -> I64 | F32:
        """Begin new games; the seed that `seed` has set determines all that follow."""
        if not self._batch.has_begun or self._seeds[0] is not None:
            drawn = int(np.random.SeedSequence().generate_state(1)[0])
            self._batch.seed(drawn if self._seeds[0] is None else self._seeds[0])
        self._reset_seeds()
        self._reset_options()
        self._batch.reset()
        return self._batch.observations.copy()

    def step_async(self, actions: I64) -> None:
        """Take one action in each game with the next `step_wait`."""
        self._chosen = actions

    def step_wait(self) -> tuple[I64 | F32, F32, Flags, list[dict[str, Any]]]:
        """Take the actions: return observations, rewards, which games are over, and their infos.

        Raises:
            InputError: before the first `reset`, or if an action is not legal; no game has changed then.
        """
        batch = self._batch
        batch.check_begun()
        batch.step(self._chosen)
        rewards: F32 = batch.actor_rewards.astype(np.float32)
        over = batch.episodes.over.copy()
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        if over.any():
            for row in np.flatnonzero(over):
                infos[row] = {"terminal_observation": batch.observations[row].copy(), "TimeLimit.truncated": False}
            batch.begin()
        return batch.observations.copy(), rewards, over, infos

    def action_masks(self) -> Flags:
        """Return bool[games, actions], the legal actions."""
        masks: Flags = self._batch.action_masks == 1
        return masks

    def close(self) -> None:
        """Do nothing: there is nothing to close."""

    def get_attr(self, attr_name: str, indices: Indices = None) -> list[Any]:
        """Return an attribute for each game: all have the same."""
        return [getattr(self, attr_name) for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Indices = None) -> None:  # noqa: ARG002
        """Set an attribute: all games have the same."""
        setattr(self, attr_name, value)

    def env_method(
        self, method_name: str, *method_args: Any, indices: Indices = None, **method_kwargs: Any
    ) -> list[Any]:
        """Return what a method returns for each game: `action_masks`.

        Raises:
            InputError: for another method.
        """
        if method_name != "action_masks" or method_args or method_kwargs:
            raise InputError(f"the games of a VecEnv have the method action_masks(), not {method_name!r}.")
        masks = self.action_masks()
        return [masks[row] for row in self._get_indices(indices)]

    def env_is_wrapped(self, wrapper_class: type[Any], indices: Indices = None) -> list[bool]:  # noqa: ARG002
        """Return False for each game: they have no wrappers of their own."""
        return [False for _ in self._get_indices(indices)]
