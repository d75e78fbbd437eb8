"""Games for OpenSpiel: any rule file as a Python game with explicit chance nodes.

    import komi.openspiel

    game = komi.openspiel.load("pig", goal=20)
    state = game.new_initial_state()

Utilities are what komi calls payoffs: 1 for a win, 0 for a loss; or 1 and -1 for algorithms that need a zero-sum game.
An action with several outcomes is followed by a chance node, and its outcomes are numbered in the order of the rules.
"""

from typing import Any

import numpy as np

from komi.environments.decisions import max_decisions
from komi.environments.observers import KomiObserver, MemoryObserver
from komi.errors import InputError
from komi.game import CHANCE
from komi.rules import catalog
from komi.rules.declarations import keywords
from komi.rules.game import Game
from komi.rules.kind import Kind, kind_of
from komi.simulation.soundness import check_start
from komi.typing import GameLike, Rules

try:
    import pyspiel
except ImportError:
    raise InputError("komi.openspiel needs OpenSpiel: pip install 'komi[openspiel]'.") from None

MAX_CHANCE_OUTCOMES = 1 << 12  # maximum number of outcomes of an action
NOMINAL_LENGTH = 100_000  # actions and chance moves of a game without a horizon; OpenSpiel requires a number


def load(game: GameLike, horizon: int | None = None, zero_sum: bool = False, **rules: object) -> Any:
    """Return a game as OpenSpiel plays it, and register it there under the name `komi_NAME`.

    Args:
        game: the name of a game, its rule file, or a Game; see `komi.find`.
        horizon: end the game after this many actions and chance moves, with an equal payoff for all, for algorithms
            that walk the tree of a game in which play can go round in circles; one player gets no payoff then. The text
            of a state contains the number of moves left, so that it still determines the future.
        zero_sum: scale the utilities of two players to -1 to 1, of which both get 0 together.
        rules: the rules to change, by name.

    Returns:
        a `pyspiel.Game`.

    Raises:
        InputError: for an unknown game or rule, a horizon below 1, none for a game that never ends, or `zero_sum` for a
            game that has no constant sum.
        GameError: if the rules are broken.
    """
    found = catalog.find(game)
    settings = found.rules(rules)
    found = found.under(settings)
    if horizon is not None and horizon < 1:
        raise InputError(f"the horizon must be 1 or more, not {horizon}.")
    check_start(found, settings)
    kind = kind_of(found, settings)
    if kind.average and horizon is None:
        raise InputError(f"{found.name} never ends, and games of OpenSpiel end: give a 'horizon'.")
    definition = _DEFINITIONS.get(found.name)
    if definition is None or definition.game.module is not found.module:
        definition = _DEFINITIONS[found.name] = _Definition(found)
        pyspiel.register_game(definition.game_type(settings), definition.creator)
    if zero_sum and not (kind.seats == 2 and _has_constant_sum(kind)):
        raise InputError(
            f"zero_sum is for two players whose payoffs have a constant sum: {found.name} is another game."
        )
    parameters = {name: _parameter(value) for name, value in keywords(settings).items()}
    return pyspiel.load_game(definition.short_name, parameters | {"horizon": horizon or 0, "zero_sum": zero_sum})


class _Definition:
    """Creates the games of one rule file, under any rules.

    Attributes:
        creator: what OpenSpiel calls to create a game; it must outlive the interpreter.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.creator = self.create
        self._games: dict[Any, KomiGame] = {}  # OpenSpiel keeps the C++ half of a game alone
        self.short_name = f"komi_{game.name.replace('-', '_')}"

    def game_type(self, rules: Rules, zero_sum: bool = False, has_memory: bool = False) -> Any:
        """Describe the game to OpenSpiel, with the rules as parameters."""
        kind = kind_of(self.game, rules)
        types = pyspiel.GameType
        constant_sum = types.Utility.ZERO_SUM if zero_sum else types.Utility.CONSTANT_SUM
        defaults = {name: _parameter(value) for name, value in keywords(self.game.default_rules).items()}
        return types(
            short_name=self.short_name,
            long_name=self.game.summary,
            dynamics=types.Dynamics.SEQUENTIAL,
            chance_mode=types.ChanceMode.EXPLICIT_STOCHASTIC if kind.chance else types.ChanceMode.DETERMINISTIC,
            information=types.Information.IMPERFECT_INFORMATION
            if kind.hidden
            else types.Information.PERFECT_INFORMATION,
            utility=constant_sum if _has_constant_sum(kind) else types.Utility.GENERAL_SUM,
            reward_model=types.RewardModel.REWARDS if kind.rewards else types.RewardModel.TERMINAL,
            max_num_players=kind.seats,
            min_num_players=kind.seats,
            provides_information_state_string=True,
            provides_information_state_tensor=has_memory,
            provides_observation_string=True,
            provides_observation_tensor=True,
            provides_factored_observation_string=True,
            parameter_specification=defaults | {"horizon": 0, "zero_sum": False},
        )

    def create(self, parameters: dict[str, Any] | None = None) -> "KomiGame":
        """Create the game with these values of rules."""
        settings = dict(parameters or {})
        horizon = int(settings.pop("horizon", 0)) or None
        zero_sum = bool(settings.pop("zero_sum", False))
        key = self.game.rules(settings), horizon, zero_sum
        if key not in self._games:
            self._games[key] = KomiGame(self, *key)
        return self._games[key]


def _has_constant_sum(kind: Kind) -> bool:
    return kind.seats > 1 and kind.is_opposed and not kind.rewards


class KomiGame(pyspiel.Game):  # type: ignore[misc]
    """A rule file as a game of OpenSpiel.

    Attributes:
        game: the game.
        rules: its rules.
        kind: its kind under these rules.
        horizon: the number of actions and chance moves after which it ends; None without one.
        zero_sum: whether utilities are from -1 to 1.
        actions: the action of the rules with each number.
        memory: the most decisions of a player that an information state holds; 0 if information states have no tensor.
    """

    def __init__(self, definition: _Definition, rules: Rules, horizon: int | None, zero_sum: bool) -> None:
        self.game, self.rules, self.horizon, self.zero_sum = definition.game, rules, horizon, zero_sum
        self.kind: Kind = kind_of(self.game, rules)
        self.actions = self.game.action_numbers(rules)
        decisions = max_decisions(self.game.under(rules), rules) if self.kind.hidden else None
        bounds = [bound for bound in (decisions, horizon) if bound is not None] if self.kind.hidden else []
        self.memory = min(bounds, default=0)
        has_rewards = self.kind.rewards
        info = pyspiel.GameInfo(
            num_distinct_actions=len(self.actions),
            max_chance_outcomes=MAX_CHANCE_OUTCOMES if self.kind.chance else 0,
            num_players=self.kind.seats,
            min_utility=-np.inf if has_rewards else -1.0 if zero_sum else 0.0,
            max_utility=np.inf if has_rewards else 1.0,
            utility_sum=(0.0 if zero_sum else 1.0) if _has_constant_sum(self.kind) else None,
            max_game_length=horizon or NOMINAL_LENGTH,
        )
        parameters = {name: _parameter(value) for name, value in keywords(rules).items()}
        parameters |= {"horizon": horizon or 0, "zero_sum": zero_sum}
        super().__init__(definition.game_type(rules, zero_sum, self.memory > 0), info, parameters)

    def new_initial_state(self) -> "KomiState":
        """Return the initial state."""
        return KomiState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "KomiObserver | MemoryObserver":
        """Return the observer that writes what a player sees into a tensor, and as text what it sees or knows.

        Algorithms of OpenSpiel in C++ read information states as the text of an observer with perfect recall.
        """
        if params:
            raise ValueError(f"there are no parameters of observations: {params}")
        is_memory = iig_obs_type is not None and iig_obs_type.perfect_recall
        return MemoryObserver(self) if is_memory and self.memory else KomiObserver(self, is_memory)


class KomiState(pyspiel.State):  # type: ignore[misc]
    """A state in play: the state of the rule file, the seat to move, and the action whose outcome is pending.

    Attributes:
        seen_and_done: for each seat, what it has seen and done at its own decisions, for games with hidden information.
    """

    def __init__(self, game: KomiGame) -> None:
        super().__init__(game)
        self._state = game.game.part("start")(game.rules)
        self._seat, self._moves = 0, 0
        self._pending: int | None = None
        self._returns = [0.0] * game.kind.seats
        self._last_rewards = [0.0] * game.kind.seats
        self.seen_and_done: list[tuple[Any, ...]] = [()] * game.kind.seats
        self._enter()

    @property
    def _komi(self) -> KomiGame:
        """The game: no attribute, because OpenSpiel copies and stores the attributes of a state."""
        game: KomiGame = self.get_game()
        return game

    def _enter(self) -> None:
        """Find what comes next in a new state of the rules."""
        game, rules = self._komi.game, self._komi.rules
        self._is_over = bool(game.part("over")(rules, self._state))
        if self._is_over:
            self._pay(game.shares(rules, self._state))
        elif game.is_chance(rules, self._state):
            self._pending = CHANCE

    def _pay(self, payoffs: tuple[float, ...]) -> None:
        for offset, payoff in enumerate(payoffs):
            utility = 2.0 * payoff - 1.0 if self._komi.zero_sum else float(payoff)
            self._gain((self._seat + offset) % len(payoffs), utility)

    def _gain(self, seat: int, reward: float) -> None:
        self._returns[seat] += reward
        self._last_rewards[seat] += reward

    def current_player(self) -> int:
        """Return the seat to move, or the number that OpenSpiel gives chance or the end."""
        if self._is_over:
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE) if self._pending is not None else self._seat

    def _legal_actions(self, player: int) -> list[int]:  # noqa: ARG002
        legal = self._komi.game.part("legal")(self._komi.rules, self._state)
        return sorted(self._komi.actions.index(action) for action in legal)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the outcomes that are possible now, by number, with their probabilities."""
        outcomes = self._outcomes(self._pending)
        if len(outcomes) > MAX_CHANCE_OUTCOMES:
            raise InputError(f"{self._komi.game.name} has an action with more than {MAX_CHANCE_OUTCOMES:,} outcomes.")
        total = sum(probability for probability, _, _ in outcomes)
        return [(number, probability / total) for number, (probability, _, _) in enumerate(outcomes)]

    def _outcomes(self, action: int | None) -> list[tuple[float, Any, int]]:
        outcomes = self._komi.game.outcomes(self._komi.rules, self._state, CHANCE if action is None else action)
        return [outcome for outcome in outcomes if outcome[0] > 0.0]

    def _apply_action(self, action: int) -> None:
        self._moves += 1
        if self._pending is not None:
            self._go_on(self._pending, self._outcomes(self._pending)[action])
        else:
            action = self._komi.actions[action]
            self._last_rewards = [0.0] * len(self._returns)
            self.seen_and_done[self._seat] += (self.observed(self._seat), action)
            outcomes = self._outcomes(action)
            if len(outcomes) == 1:
                self._go_on(action, outcomes[0])
            else:
                self._pending = action
        horizon = self._komi.horizon
        if horizon is not None and self._moves >= horizon and not self._is_over:
            self._is_over = True
            if len(self._returns) > 1:
                self._pay((1.0 / len(self._returns),) * len(self._returns))

    def _go_on(self, action: int, outcome: tuple[float, Any, int]) -> None:
        game, rules = self._komi.game, self._komi.rules
        _, after, passes = outcome
        if game.has("reward"):
            sign = -1.0 if self._komi.kind.aim == "least" else 1.0
            self._gain(self._seat, sign * float(game.part("reward")(rules, self._state, action, after)))
        self._state, self._seat = after, (self._seat + passes) % len(self._returns)
        self._pending = None
        self._enter()

    def _action_to_string(self, player: int, action: int) -> str:
        game, rules = self._komi.game, self._komi.rules
        if player == pyspiel.PlayerId.CHANCE:
            pending = CHANCE if self._pending is None else self._pending
            _, after, _ = self._outcomes(pending)[action]
            return f"{action}: {game.event(rules, self._state, pending, after)}"
        return game.label(rules, self._state, self._komi.actions[action])

    def is_terminal(self) -> bool:
        """Return whether the game has ended."""
        return self._is_over

    def returns(self) -> list[float]:
        """Return the rewards and payoffs of each seat so far."""
        return list(self._returns)

    def rewards(self) -> list[float]:
        """Return the rewards and payoffs of each seat since the last action, that of chance moves included."""
        return list(self._last_rewards)

    def observed(self, player: int) -> Any:
        """Return the state as a player sees it; None if the rule file does not say what others see of hidden things."""
        game, rules, state = self._komi.game, self._komi.rules, self._state
        if player != self._seat and game.has("turned"):
            state = game.turned(rules, state, (player - self._seat) % len(self._returns))
        elif player != self._seat and self._komi.kind.hidden:
            return None
        return game.part("view")(rules, state) if game.has("view") else state

    def observation_string(self, player: int | None = None) -> str:
        """Write what a player sees: the seat to move, and the state in the notation of the game."""
        player = self.current_player() if player is None else player
        seen = self.observed(player)
        return f"seat {self._seat}: {'?' if seen is None else ','.join(map(str, seen))}"

    def information_state_string(self, player: int | None = None) -> str:
        """Write what a player knows: all that it has seen and done if information is hidden, otherwise the state."""
        player = self.current_player() if player is None else player
        if not self._komi.kind.hidden:
            return str(self)
        return f"{self.seen_and_done[player]} {self.observation_string(player)}"

    def __str__(self) -> str:
        fields = ",".join(map(str, self._state))
        pending = "" if self._pending is None else f" after {self._pending}"
        remaining = "" if self._komi.horizon is None else f", {self._komi.horizon - self._moves} moves left"
        end = " over" if self._is_over else ""
        return f"seat {self._seat}: {fields}{pending}{remaining}{end}"


_DEFINITIONS: dict[str, _Definition] = {}  # by name; OpenSpiel frees nothing that is registered


def _parameter(value: Any) -> Any:
    """Convert the value of a rule into a parameter of OpenSpiel."""
    return value if isinstance(value, str | bool) else float(value) if isinstance(value, float) else int(value)
