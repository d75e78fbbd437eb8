"""Games as environments of Gymnasium: one player, or one seat of a game against policies that play the others.

    import gymnasium
    import komi.gymnasium

    env = gymnasium.make("komi/Pig-v0", opponent="optimal", goal=50)

The return of an episode is what komi calls the value: the payoff at the end (1 for a win, 0 for a loss), plus the
rewards on the way in games that have them. Where the player minimizes, rewards are negative.
"""

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np

from komi.arrays import F64, I64, Flags
from komi.environments.batch import GameBatch, Opponents
from komi.environments.functions import new_batch
from komi.environments.listing import ListedTransitions, list_transitions
from komi.environments.rendering import RENDER_MODES, check_render_mode, render
from komi.environments.rows import ALL_SEATS
from komi.errors import InputError
from komi.rules import catalog
from komi.typing import GameLike

try:
    import gymnasium
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode
    from gymnasium.vector.utils import batch_space
except ImportError:
    raise InputError("komi.gymnasium needs Gymnasium: pip install 'komi[gymnasium]'.") from None

Observation = dict[str, Any]
ENTRY_POINTS = {"entry_point": "komi.gymnasium:Env", "vector_entry_point": "komi.gymnasium:VectorEnv"}


class Env(gymnasium.Env[Observation, np.int64]):
    """A game for one player, or one seat of a game against opponents that are part of the environment.

    An observation has the fields that the player observes (`observation`, in the order of `fields`) and a mask of legal
    actions (`action_mask`, also in `info`). `unwrapped.P` lists all transitions of a small game.

    Args:
        game: the name of a game, its rule file, or a Game; see `komi.find`.
        opponent: the policy of the other seats, its name, or a function (rules, state) -> action in the language of
            rule files; a list with one for each, starting with the seat after the player's. They play at random by
            default.
        seat: the seat of the player, 0 to move first; None draws it for each episode.
        illegal: what to do with an action that is not legal: "raise" an error, after which the game continues, or take
            a legal one at "random" in its place, for learners that do not use the mask.
        render_mode: "ansi" for text, "rgb_array" for a picture, "human" to print the text after each step.
        observation: "fields" for the numbers of the rule file, int64, or "planes" for networks, float32 from 0 to 1.
        rules: the rules to change, by name.

    Attributes:
        fields: the names of the numbers in an observation.
        planes: the names of its planes; none in the form "fields".
        actions: int64[actions], the action of the rules with each number.

    Raises:
        InputError: for an unknown game, rule, policy, seat or render mode.
        GameError: if the rules are broken.

    Examples:
        >>> env = Env("pig", opponent="hold-at:20", goal=30)
        >>> observation, info = env.reset(seed=1)
        >>> env.fields, observation["observation"].tolist(), info["action_mask"].tolist()
        (('score', 'rival', 'turn'), [0, 0, 0], [1, 1])
    """

    metadata: dict[str, Any] = {"render_modes": [*RENDER_MODES], "render_fps": 2}  # noqa: RUF012

    def __init__(
        self,
        game: GameLike,
        opponent: Opponents = None,
        seat: int | None = 0,
        illegal: str = "raise",
        render_mode: str | None = None,
        observation: str = "fields",
        **rules: object,
    ) -> None:
        check_render_mode(render_mode)
        self._batch = GameBatch(game, 1, opponent, seat, rules, illegal, observation)
        self.render_mode = render_mode
        self.fields, self.planes, self.actions = self._batch.fields, self._batch.planes.names, self._batch.actions
        self.observation_space = observation_space(self._batch)
        self.action_space = action_space(self._batch)
        self._transitions: ListedTransitions | None = None

    def reset(
        self,
        *,
        seed: int | None = None,
        options: dict[str, Any] | None = None,  # noqa: ARG002
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin a new episode; the seed determines all that follow."""
        super().reset(seed=seed)
        if seed is not None or not self._batch.has_begun:
            self._batch.seed(int(self.np_random.integers(1 << 62)))
        self._batch.reset()
        if self.render_mode == "human":
            self.render()
        return self._observe()

    def step(self, action: np.int64 | int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Take an action, and play until the player is to move again or the game is over.

        Raises:
            InputError: before the first `reset`, if the episode is over, or if the action is not legal.
        """
        batch = self._batch
        batch.check_begun()
        if batch.episodes.over[0]:
            raise InputError("the episode is over: call reset.")
        batch.step(np.array([action], np.int64))
        if self.render_mode == "human":
            self.render()
        observation, info = self._observe()
        return observation, float(batch.actor_rewards[0]), bool(batch.episodes.over[0]), False, info

    def action_masks(self) -> Flags:
        """Return the mask of legal actions, bool[actions]; MaskablePPO of sb3-contrib calls this method."""
        masks: Flags = self._batch.action_masks[0] == 1
        return masks

    def render(self) -> Any:
        """Return the game as text or as a picture, uint8[height, width, 3]; print it in the mode "human"."""
        return render(self._batch, self.render_mode)

    @property
    def P(self) -> dict[int, dict[int, list[tuple[float, int, float, bool]]]]:  # noqa: N802  its name in Gymnasium
        """All transitions: for each state and action a list of (probability, next state, reward, terminated).

        State 0 is the initial state; `listed_states` has the others. Where chance or an opponent is to move, action 0
        is the only one.

        Raises:
            InputError: if information is hidden, or the game has too many states.
            SolveError: if the policy of an opponent cannot be tabulated.
        """
        return self._listed.transitions

    @property
    def listed_states(self) -> list[tuple[int, Any]]:
        """(seat to move, state from its perspective) by the number of the state in `P`."""
        return self._listed.states

    @property
    def _listed(self) -> ListedTransitions:
        if self._transitions is None:
            self._transitions = list_transitions(self._batch)
        return self._transitions

    def _observe(self) -> tuple[Observation, dict[str, Any]]:
        mask = self._batch.action_masks[0].copy()
        return {"observation": self._batch.observations[0].copy(), "action_mask": mask}, {"action_mask": mask}


class VectorEnv(gymnasium.vector.VectorEnv[Observation, I64, F64]):
    """A vector of games that all take a step in one compiled call.

    A game that is over begins anew with the next step, whose action for it is ignored (`AutoresetMode.NEXT_STEP`).
    The arguments other than `num_envs` are those of `Env`.

    With `seat="all"` the agent plays all seats, as in self-play: an observation is that of the player to move, whose
    seat is in `info["seat"]`, int64[num_envs]. A reward is that of the player who acted; `info["rewards"]` has those of
    all seats, float64[num_envs, seats].

    On a GPU all arrays stay there, and have `__dlpack__` and `__cuda_array_interface__`; the next step overwrites them.
    A step does not wait for the GPU: a later step, or `close`, raises its error.

    Args:
        game: the name of a game, its rule file, or a Game; see `komi.find`.
        num_envs: the number of games.
        opponent: the policy of the other seats, or a list with one for each, as in `Env`.
        seat: the seat of the player, 0 to move first; None draws it for each episode; "all" for self-play.
        illegal: what to do with an action that is not legal, "raise" or "random".
        device: "cpu", or "gpu" for an NVIDIA GPU, which plays the same games.
        observation: the form of an observation, "fields" or "planes".
        rules: the rules to change, by name.

    Attributes:
        fields: the names of the numbers in an observation.
        planes: the names of its planes; none in the form "fields".
        actions: int64[actions], the action of the rules with each number.

    Raises:
        InputError: for an unknown game, rule, policy, seat or number of games.
        GameError: if the rules are broken.
    """

    metadata: dict[str, Any] = {"autoreset_mode": AutoresetMode.NEXT_STEP}  # noqa: RUF012

    def __init__(
        self,
        game: GameLike,
        num_envs: int = 1,
        opponent: Opponents = None,
        seat: int | Literal["all"] | None = 0,
        illegal: str = "raise",
        device: str = "cpu",
        observation: str = "fields",
        **rules: object,
    ) -> None:
        self._batch = new_batch(device, game, num_envs, opponent, seat, rules, illegal, observation)
        self.num_envs = num_envs
        self.fields, self.planes, self.actions = self._batch.fields, self._batch.planes.names, self._batch.actions
        self.single_observation_space = observation_space(self._batch)
        self.single_action_space = action_space(self._batch)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(
        self,
        *,
        seed: int | None = None,
        options: Mapping[str, Any] | None = None,  # noqa: ARG002
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin new episodes; the seed determines all that follow."""
        super().reset(seed=seed)
        if seed is not None or not self._batch.has_begun:
            self._batch.seed(int(self.np_random.integers(1 << 62)))
        self._batch.reset()
        return self._observe()

    def step(self, actions: Any) -> tuple[Observation, F64, Any, Any, dict[str, Any]]:
        """Take one action in each game, int64[num_envs].

        Raises:
            InputError: before the first `reset`, or if an action is not legal; no game has changed then.
        """
        batch = self._batch
        batch.check_begun()
        batch.step(actions)
        observation, info = self._observe()
        rewards, over, truncated = map(batch.result, (batch.actor_rewards, batch.episodes.over, batch.truncated))
        return observation, rewards, over, truncated, info

    def close_extras(self, **_: Any) -> None:
        """Raise the error of the last step on a GPU, if there is one."""
        self._batch.check()

    def _observe(self) -> tuple[Observation, dict[str, Any]]:
        batch = self._batch
        masks = batch.result(batch.action_masks)
        info: dict[str, Any] = {"action_mask": masks}
        if batch.seat == ALL_SEATS:
            info |= {"seat": batch.result(batch.episodes.movers), "rewards": batch.result(batch.rewards)}
        return {"observation": batch.result(batch.observations), "action_mask": masks}, info


def observation_space(batch: GameBatch) -> spaces.Dict:
    """Return the space of the observations of one game."""
    encoding, planes = batch.planes.encoding, len(batch.planes)
    seen = spaces.Box(0.0, 1.0, (planes,)) if planes else spaces.Box(encoding.lows, encoding.highs, dtype=np.int64)
    return spaces.Dict({"observation": seen, "action_mask": spaces.MultiBinary(len(batch.actions))})


def action_space(batch: GameBatch) -> spaces.Discrete:
    """Return the space of the numbers of actions."""
    return spaces.Discrete(len(batch.actions))


def environment_id(name: str) -> str:
    """Return the id of a built-in game in Gymnasium: `komi/RedLight-v0` for `red-light`."""
    return f"komi/{''.join(part.capitalize() for part in name.split('-'))}-v0"


for _name in catalog.names():
    gymnasium.register(environment_id(_name), kwargs={"game": _name}, **ENTRY_POINTS)  # type: ignore[arg-type]
