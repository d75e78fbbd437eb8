"""Games as environments of PettingZoo: every seat is an agent, and chance is part of the environment.

    import komi.pettingzoo

    env = komi.pettingzoo.env("red-light", komi=1)

Agents are called `player_0`, which moves first, `player_1`, and so on. Their rewards sum up to what komi calls the
value: the payoff at the end (1 for a win, 0 for a loss), plus the rewards on the way in games that have them.
"""

from typing import Any

import numpy as np

from komi.environments.batch import EVERY_SEAT, GameBatch
from komi.environments.rendering import RENDER_MODES, check_render_mode, render
from komi.errors import InputError
from komi.typing import GameLike

try:
    from gymnasium import spaces
    from gymnasium.utils import seeding
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers

    from komi.gymnasium import Observation, action_space, observation_space
except ImportError:
    raise InputError("komi.pettingzoo needs PettingZoo: pip install 'komi[pettingzoo]'.") from None


class RawEnv(AECEnv[str, Observation, np.int64 | None]):  # type: ignore[misc]
    """A game in which each seat is an agent, without the checks of `env`.

    Args:
        game: the name of a game, its rule file, or a Game; see `komi.find`.
        max_cycles: truncate the game when every agent has taken this many actions.
        render_mode: "ansi" for text, "rgb_array" for a picture, "human" to print the text after each step.
        observation: the form of an observation, "fields" or "planes".
        rules: the rules to change, by name.

    Attributes:
        fields: the names of the numbers in an observation.
        planes: the names of its planes; none in the form "fields".
        actions: int64[actions], the action of the rules with each number.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012
        "name": "komi",
        "render_modes": [*RENDER_MODES],
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(
        self,
        game: GameLike,
        max_cycles: int | None = None,
        render_mode: str | None = None,
        observation: str = "fields",
        **rules: object,
    ) -> None:
        super().__init__()
        check_render_mode(render_mode)
        if max_cycles is not None and max_cycles < 1:
            raise InputError(f"max_cycles must be 1 or more, not {max_cycles}.")
        self._batch = GameBatch(game, 1, EVERY_SEAT, None, rules, observation=observation)
        self.metadata = {**self.metadata, "name": self._batch.game.name}
        self.render_mode, self.max_cycles = render_mode, max_cycles
        self.fields, self.planes, self.actions = self._batch.fields, self._batch.planes.names, self._batch.actions
        self.possible_agents = [f"player_{seat}" for seat in range(self._batch.seats)]
        self.agents: list[str] = []
        self.observation_spaces = {agent: observation_space(self._batch) for agent in self.possible_agents}
        self.action_spaces = {agent: action_space(self._batch) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Space[Observation]:
        """Return the space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of an agent's actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002
        """Begin a new game; the seed determines all that follow."""
        if seed is not None or not self._batch.has_begun:
            generator, _ = seeding.np_random(seed)
            self._batch.seed(int(generator.integers(1 << 62)))
        self._batch.reset()
        self.agents = self.possible_agents[:]
        self._actions_taken = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.truncations = dict.fromkeys(self.agents, False)
        self._update()

    def step(self, action: np.int64 | int | None) -> None:
        """Take an action of the agent to move, and sample the chance moves that follow.

        Raises:
            InputError: if the action is not legal; the game has not changed then.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._batch.step(np.array([action], np.int64))
        self._cumulative_rewards[agent] = 0.0
        self._actions_taken[agent] += 1
        if self.max_cycles is not None and min(self._actions_taken.values()) >= self.max_cycles:
            self.truncations = dict.fromkeys(self.agents, not self._batch.episodes.over[0])
        self._update()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: str) -> Observation:
        """Return the observation of an agent, with the legal actions if it is to move.

        If the rule file does not define `turned`, all agents have the observation of the player to move; with hidden
        information, the others observe zeros.
        """
        batch = self._batch
        observation, mask = batch.observations[0].copy(), batch.action_masks[0].copy()
        if agent != self._mover:
            game, rules = batch.game, batch.rules
            mask[:] = 0
            if game.has("turned"):
                seats = (self.possible_agents.index(agent) - int(batch.episodes.movers[0])) % batch.seats
                state = game.turned(rules, batch.state(0), seats)
                observation = batch.observation_of(game.observed(rules, state))
            elif game.has("view"):
                observation[:] = 0
        return {"observation": observation, "action_mask": mask}

    def render(self) -> Any:
        """Return the game as text or as a picture, uint8[height, width, 3]; print it in the mode "human"."""
        return render(self._batch, self.render_mode)

    @property
    def _mover(self) -> str:
        return self.possible_agents[int(self._batch.episodes.movers[0])]

    def _update(self) -> None:
        """Read the state of the game after a reset or a step."""
        batch, agents = self._batch, self.agents
        self.agent_selection = self._mover
        self.rewards = dict(zip(agents, batch.rewards[0].tolist(), strict=True))
        self.terminations = dict.fromkeys(agents, bool(batch.episodes.over[0]))
        self.infos = {agent: {"action_mask": np.zeros(len(batch.actions), np.int8)} for agent in agents}
        if not batch.episodes.over[0]:
            self.infos[self.agent_selection] = {"action_mask": batch.action_masks[0].copy()}


def env(
    game: GameLike,
    max_cycles: int | None = None,
    render_mode: str | None = None,
    observation: str = "fields",
    **rules: object,
) -> AECEnv[str, Observation, np.int64 | None]:
    """Create the environment of a game, with PettingZoo's checks of the order of calls.

    Args:
        game: the name of a game, its rule file, or a Game; see `komi.find`.
        max_cycles: truncate the game when every agent has taken this many actions.
        render_mode: "ansi" for text, "rgb_array" for a picture, "human" to print the text after each step.
        observation: the form of an observation, "fields" or "planes".
        rules: the rules to change, by name.

    Raises:
        InputError: for an unknown game, rule or render mode.
        GameError: if the rules are broken.
    """
    return wrappers.OrderEnforcingWrapper(RawEnv(game, max_cycles, render_mode, observation, **rules))
