"""A batch of games in progress: the state behind the environments of other libraries."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from komi import streams
from komi.arrays import F32, F64, I8, I64, Flags
from komi.compiling.compiled import compiled_game
from komi.compiling.planes import Planes
from komi.environments import stepping
from komi.environments.rows import ALL_SEATS, ANY_SEAT, Arrangement, Episodes, Observations, whole_numbers
from komi.environments.stepping import NO_OP, NO_ROW
from komi.errors import GameError, InputError
from komi.policies.calls import PolicyCalls
from komi.policies.named import PolicyLike, find_or_solve
from komi.policies.policy import Policy, UniformPolicy
from komi.policies.tabulate import unlisted_action_error
from komi.rules import catalog
from komi.rules.kind import check_choices
from komi.simulation.job import playout_error
from komi.simulation.playout import PlayoutStatus
from komi.simulation.soundness import check_start
from komi.typing import GameLike

STREAM, SEAT_STREAM, ACTION_STREAM = 3, 4, 5  # the purposes of random numbers; a simulation uses those before
EVERY_SEAT: Any = object()  # in place of opponents: the agent plays all seats
MAX_GAMES = 1 << 24  # maximum number of games in a batch

Opponents = PolicyLike | Sequence[PolicyLike] | None


class GameBatch:
    """A batch of games with the same rules, in which an agent plays one seat against opponents, or all seats.

    Args:
        game: the name of a game, its rule file, or a Game; see `komi.find`.
        games: the number of games.
        opponents: the policies of the other seats, or their names, starting with the seat after the agent's; one for
            all if it is not a sequence. EVERY_SEAT if the agent plays all seats.
        seat: the seat of the agent; drawn at random for each game if None.
        settings: the rules to change, by name.
        illegal: what to do with an action that is not legal: "raise" an error, or take a legal one at "random".
        observation: the form of an observation, "fields" or "planes".

    Attributes:
        game: the game.
        rules: its rules.
        seats: the number of seats.
        seat: the seat of the agent; ALL_SEATS, or None if it is drawn for each game.
        actions: int64[actions], the action of the rules with each number.
        fields: the names of the fields of an observation.
        planes: the planes of an observation; empty in the form "fields".
        policies: the opponents, in their order.
        episodes: the games.
        has_begun: True after the first `reset`.
        sign: -1.0 if the player minimizes the sum of rewards, otherwise 1.0.
    """

    def __init__(
        self,
        game: GameLike,
        games: int,
        opponents: Opponents,
        seat: int | None,
        settings: dict[str, object],
        illegal: str = "raise",
        observation: str = "fields",
    ) -> None:
        if illegal not in ("raise", "random"):
            raise InputError(f"illegal must be raise or random, not {illegal!r}.")
        self.game = catalog.find(game)
        self.rules = self.game.rules(settings)
        self.game = self.game.under(self.rules)
        self.seats = self.game.players(self.rules)
        if not isinstance(games, int | np.integer) or not 1 <= games <= MAX_GAMES:
            raise InputError(f"the number of games must be 1 to {MAX_GAMES:,}, not {games!r}.")
        if seat is not None and not (isinstance(seat, int | np.integer) and 0 <= seat < self.seats):
            raise InputError(f"{self.game.name} has the seats 0 to {self.seats - 1}, not {seat!r}.")
        self.actions = np.array(self.game.action_numbers(self.rules), np.int64)
        check_start(self.game, self.rules)
        check_choices(self.game, self.rules, "there is nothing for an agent to learn")
        self.fields = self.game.fields(self.rules)
        self.planes = Planes(self.game, self.rules, observation)
        self.policies = () if opponents is EVERY_SEAT else self._opponents(opponents, settings)
        self._calls = PolicyCalls.of(self.policies)
        self.seat = ALL_SEATS if opponents is EVERY_SEAT else seat
        self.sign = -1.0 if self.game.aim(self.rules) == "least" else 1.0
        names = self.game.module.State._fields
        order = [*self.fields, *(name for name in names if name not in self.fields)]
        self._columns = np.array([order.index(name) for name in names])
        self._numbers = np.full(int(self.actions[-1]) + 1, -1)
        self._numbers[self.actions] = np.arange(len(self.actions))
        self._replaces = illegal == "random"
        self.has_begun = False
        self._build(games)
        self.seed(0)

    def _build(self, games: int) -> None:
        """Compile the step, and create the arrays of the games."""
        compiled, fields = compiled_game(self.game), len(self._columns)
        kernels = self._calls.kernels(compiled)
        self._step, self._begin = kernels[stepping.step], kernels[stepping.begin]
        self._common: Any = (
            compiled.start(self.rules),
            self._calls.players,
            self._columns,
            self.planes.encoding,
            self.actions,
            self._numbers,
        )
        self.episodes = Episodes(
            states=np.zeros((games, fields), np.int64),
            movers=np.zeros(games, np.int64),
            learners=np.zeros(games, np.int64),
            positions=np.zeros(games, np.int64),
            next_games=np.zeros(games, np.int64),
            gains=np.zeros((games, self.seats)),
            is_new=np.zeros(games, np.bool_),
            over=np.ones(games, np.bool_),
            failures=np.zeros((games, 3), np.int64),
        )
        self._observations = Observations(
            fields=np.zeros((games, fields), np.int64),
            planes=np.zeros((games, max(len(self.planes), 1)), np.float32),
            action_masks=np.zeros((games, len(self.actions)), np.int8),
            rewards=np.zeros((games, self.seats)),
            actor_rewards=np.zeros(games),
        )

    def _opponents(self, opponents: Any, settings: dict[str, object]) -> tuple[Policy, ...]:
        others = self.seats - 1
        if others == 0:
            if opponents is not None:
                raise InputError(f"{self.game.name} is for one player: there is no opponent.")
            return ()
        if opponents is None:
            opponents = UniformPolicy()
        listed = (
            list(opponents)
            if isinstance(opponents, Sequence) and not isinstance(opponents, str)
            else [opponents] * others
        )
        if len(listed) != others:
            raise InputError(f"{self.game.name} needs {others} opponents, not {len(listed)}.")
        return tuple(find_or_solve(policy, self.game, settings) for policy in listed)

    def __len__(self) -> int:
        return len(self.episodes.over)

    def seed(self, seed: int) -> None:
        """Restart the random numbers of all games.

        Raises:
            InputError: if the seed is not a whole number.
        """
        start, players, *tables = self._common
        self._arrangement = Arrangement(
            start,
            players,
            ANY_SEAT if self.seat is None else self.seat,
            self.sign,
            self._replaces,
            *tables,
            *(streams.key(seed, purpose) for purpose in (STREAM, SEAT_STREAM, ACTION_STREAM)),
        )
        self._copy(np.arange(len(self)), self.episodes.next_games)

    def reset(self) -> None:
        """Begin new games in all rows.

        A game that is over before the agent's first decision needs one step, whose only legal action is NO_OP.

        Raises:
            GameError: if the rules are broken, or an opponent takes an action that is not legal.
        """
        self.check()
        self._copy(np.ones(len(self), np.bool_), self.episodes.over)
        self.step(np.full(len(self), NO_OP))
        self.check()
        self.has_begun = True

    def step(self, actions: Any) -> None:
        """Take one action, int64[games], in each game; a game that is over begins anew.

        Raises:
            InputError: if an action is not legal; no game has changed then.
            GameError: if the rules are broken, or an opponent takes an action that is not legal.
        """
        actions = whole_numbers(actions, len(self))
        row = self._step(self.rules, self._arrangement, actions, self.episodes, self._observations)
        if row != NO_ROW:
            raise self._error(row)

    def begin(self) -> None:
        """Begin a new game in each row whose game is over, without a step of the others; not on a GPU.

        Raises:
            GameError: if the rules are broken, or an opponent takes an action that is not legal.
        """
        row = self._begin(self.rules, self._arrangement, self.episodes, self._observations)
        if row != NO_ROW:
            raise self._error(row)

    def check_begun(self) -> None:
        """Check that the games have begun.

        Raises:
            InputError: before the first `reset`.
        """
        if not self.has_begun:
            raise InputError("no game has begun: call reset before the first step.")

    def check(self) -> None:
        """Raise the error of an earlier step, if any: only on a GPU a step leaves its error to a later call."""

    def shared(self, array: Any) -> Any:
        """Return an array of the batch without a copy: the next step overwrites it."""
        return array

    def result(self, array: Any) -> Any:
        """Return a copy of an array of the batch; on a GPU the array itself, which the next step overwrites."""
        return array.copy()

    @staticmethod
    def _copy(values: Any, array: Any) -> None:
        array[:] = values

    @property
    def truncated(self) -> Flags:
        """False for each game, bool[games]: no game is truncated."""
        return np.zeros(len(self), np.bool_)

    @property
    def observations(self) -> I64 | F32:
        """The observations, int64[games, fields] or float32[games, planes]; the next step overwrites the array."""
        if len(self.planes):
            return self._observations.planes
        return self._observations.fields[:, : len(self.fields)]

    @property
    def action_masks(self) -> I8:
        """The action masks, int8[games, actions], 1 for each legal action; the next step overwrites the array."""
        return self._observations.action_masks

    @property
    def rewards(self) -> F64:
        """The rewards of all seats in the last step, float64[games, seats], to be maximized; 0 in a new game.

        The next step overwrites the array.
        """
        return self._observations.rewards

    @property
    def actor_rewards(self) -> F64:
        """The reward of the agent, or of the player who acted if the agent plays all seats, float64[games].

        The next step overwrites the array.
        """
        return self._observations.actor_rewards

    def state(self, row: int) -> Any:
        """Return the state of a game from the perspective of the player to move, hidden information included."""
        return self.game.module.State(*_row(self.episodes.states, row))

    def seen(self, row: int) -> Any:
        """Return the observation of a game as a state."""
        return self.game.module.State(*map(int, self._observations.fields[row, self._columns]))

    def observation_of(self, seen: Any) -> I64 | F32:
        """Return the observation of one player, given as a state, in the form of the batch.

        Raises:
            InputError: if a field has a value that is not in its domain.
        """
        fields = np.array([[getattr(seen, name) for name in self.fields]], np.int64)
        observation: I64 | F32 = (self.planes.encoded(fields) if len(self.planes) else fields)[0]
        return observation

    def labels(self, row: int) -> dict[int, str]:
        """Return the labels of the legal actions in a game, by number; an empty dict if it is over."""
        return self._labels(self.state(row)) if self.action_masks[row].any() else {}

    def _labels(self, state: Any) -> dict[int, str]:
        """Return the labels of the actions that the agent can take in a state, by number."""
        if self.game.part("over")(self.rules, state):
            return {NO_OP: "the game is over"}
        actions = map(int, self.game.part("legal")(self.rules, state))
        return {int(self._numbers[action]): self.game.label(self.rules, state, action) for action in actions}

    def _error(self, row: int) -> GameError | InputError:
        reason, action, opponent = _row(self.episodes.failures, row)
        if reason == PlayoutStatus.UNLISTED:
            return unlisted_action_error(self.game, action)
        if reason == PlayoutStatus.OUTSIDE:
            wrong = self.planes.wrong(_row(self._observations.fields, row)[: len(self.fields)])
            return GameError(
                f"{self.game.name}: {wrong} State in 'domains' of {self.game.file.name} which it can have."
            )
        if reason == PlayoutStatus.REFUSED:
            legal = [f"{number} ({label})" for number, label in self._labels(self.state(row)).items()]
            return InputError(f"action {action} is not legal now; legal are {', '.join(legal)}.")
        witness = np.array([*self.state(row), action, opponent])
        return playout_error(reason, self.game, self.rules, self.policies, witness)


def _row(array: Any, row: int) -> list[int]:
    """Return a row of an array, which can be in GPU memory."""
    return [int(array[row, column]) for column in range(array.shape[1])]
