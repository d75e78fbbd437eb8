"""Games in arrays, for your own training loop: `reset` begins them, and `step` takes an action in each."""

from dataclasses import dataclass
from typing import Any, Literal

from komi.environments.batch import EVERY_SEAT, GameBatch, Opponents
from komi.errors import InputError
from komi.typing import GameLike


@dataclass(frozen=True)
class Games:
    """Games in progress, one per row of arrays that `step` changes.

    The arrays are NumPy's, or in GPU memory with `__dlpack__` and `__cuda_array_interface__`. Other libraries read them
    without a copy, as in `torch.from_dlpack(games.over)`: one call before the loop is enough.

    Attributes:
        states: int64[games, all fields], the states from the perspective of the player to move, hidden information
            included.
        observations: int64[games, fields] or float32[games, planes], the observations of the agent; `batch.fields` and
            `batch.planes.names` have the names.
        action_masks: int8[games, actions], 1 for each legal action; `batch.actions` has those of the rules.
        seats: int64[games], the seat to move.
        rewards: float64[games], the reward of the agent in the last step; of the player who acted in self-play.
        all_rewards: float64[games, seats], the rewards of all seats.
        over: bool[games], True if the last step ended the game: the next one begins a new game, and ignores the action.
        batch: the games behind the arrays.
    """

    states: Any
    observations: Any
    action_masks: Any
    seats: Any
    rewards: Any
    all_rewards: Any
    over: Any
    batch: GameBatch


def reset(
    game: GameLike,
    games: int,
    opponent: Opponents = None,
    seat: int | Literal["all"] | None = 0,
    illegal: str = "raise",
    seed: int = 0,
    device: str = "cpu",
    observation: str = "fields",
    **rules: object,
) -> Games:
    """Begin many games.

    Args:
        game: the name of a game, its rule file, or a Game; see `komi.find`.
        games: the number of games.
        opponent: the policy of the other seats, or a list with one for each; random by default.
        seat: the seat of the agent, 0 to move first; None draws it for each game; "all" for self-play.
        illegal: what to do with an action that is not legal: "raise" an error, or take a legal one at "random".
        seed: determines all random numbers.
        device: "cpu", or "gpu" for an NVIDIA GPU; the games are the same.
        observation: the form of an observation, "fields" or "planes".
        rules: the rules to change, by name.

    Raises:
        InputError: for wrong arguments, or a device that cannot play the game.
        GameError: if the rules are broken.

    Examples:
        >>> from komi import environments
        >>> games = environments.reset("pig", 1000, opponent="hold-at:20", seed=1)
        >>> environments.step(games, games.observations[:, 2] >= 20)
        >>> games.batch.fields, games.observations.shape
        (('score', 'rival', 'turn'), (1000, 3))
    """
    batch = new_batch(device, game, games, opponent, seat, rules, illegal, observation)
    batch.seed(seed)
    batch.reset()
    episodes = batch.episodes
    return Games(
        states=batch.shared(episodes.states),
        observations=batch.shared(batch.observations),
        action_masks=batch.shared(batch.action_masks),
        seats=batch.shared(episodes.movers),
        rewards=batch.shared(batch.actor_rewards),
        all_rewards=batch.shared(batch.rewards),
        over=batch.shared(episodes.over),
        batch=batch,
    )


def step(games: Games, actions: Any) -> None:
    """Take one action in each game: the arrays of the games change. A game that is over begins anew.

    On a GPU a later step raises the error, and the steps in between change nothing; `games.batch.check()` waits for the
    GPU, and raises it at once.

    Args:
        games: changed in place.
        actions: int64[games], or int32[games] in GPU memory.

    Raises:
        InputError: if an action is not legal; no game has changed then.
        GameError: if the rules are broken, or an opponent takes an action that is not legal.
    """
    games.batch.step(actions)


def new_batch(
    device: str,
    game: GameLike,
    games: int,
    opponent: Opponents,
    seat: int | Literal["all"] | None,
    rules: dict[str, object],
    illegal: str,
    observation: str,
) -> GameBatch:
    """Create the games on a device; the arguments are those of `reset`.

    Raises:
        InputError: for wrong arguments.
        GameError: if the rules are broken.
    """
    if seat == "all" and opponent is not None:
        raise InputError("the agent plays all seats: there is no opponent.")
    if device not in ("cpu", "gpu"):
        raise InputError(f"the device is 'cpu' or 'gpu', not {device!r}.")
    chosen: type[GameBatch] = GameBatch if device == "cpu" else _device_batch()
    if seat == "all":
        return chosen(game, games, EVERY_SEAT, None, rules, illegal, observation)
    return chosen(game, games, opponent, seat, rules, illegal, observation)


def _device_batch() -> type[GameBatch]:
    from komi.gpu.card import check_card

    check_card()
    from komi.environments.device_batch import DeviceBatch  # needs numba-cuda

    return DeviceBatch
