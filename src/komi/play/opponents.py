"""Opponents of every skill for any game: which there are, and how they choose.

In races in which one can hold, Easy goes on only while the points to be gained are more than twice those at stake,
Medium expects the most points of each turn, and Hard plays optimally. In games without chance Easy and Medium look so
many moves ahead, and draw lots among what they see no difference in. Games that cannot be solved have the policies
written for them.
"""

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from komi import catalog
from komi.compile.kernels import Notice
from komi.errors import GameError, InputError
from komi.game import CHANCE, Game
from komi.kind import kind_of
from komi.methods.answer import Answer
from komi.methods.backup.rows import UNIFORM
from komi.methods.solve import is_solvable, solve
from komi.model.states import StateSet
from komi.policies import named, seated
from komi.policies.policy import Policy, Preference, Rule, Uniform
from komi.policies.tabulate import tabulate
from komi.progress import Progress, silent

SIGHT = 1 << 15  # moves ahead: all there are


@dataclass(frozen=True)
class Opponent:
    """Whom one can play against.

    Attributes:
        name: how to ask for it.
        title: what people call it.
        summary: how it plays, in one sentence.
        policy: the policy that it plays by.
    """

    name: str
    title: str
    summary: str
    policy: str


class Player(Protocol):
    """Chooses actions."""

    def choose(self, state: Any, luck: float) -> int:
        """The action in a state in which the player is to move; luck, from 0 to 1, decides between equal ones."""


RANDOM = "Picks any legal move."
OPTIMAL = "Plays optimally: no one can do better."
RACE = {
    "cautious:2": "Overly cautious: goes on only while there is twice as much to gain as to lose.",
    "max-score": "Expects the most points of each turn, whatever the scores are.",
    "optimal": OPTIMAL,
}
SOLVED = {"random": RANDOM, "ahead:6": "Looks six moves ahead.", "optimal": OPTIMAL}
BOARD = {
    "ahead:1": "Wins at once if it can, else picks any legal move.",
    "ahead:4": "Looks four moves ahead.",
    "optimal": "Plays perfectly: wins as soon, or loses as late, as can be.",
}
BY_GAME = {  # where the usual ones do not fit
    "piglet": {  # the cautious one plays as the one for most points does
        "hold-at:4": "Daring: goes on until four points are at stake.",
        "max-score": RACE["max-score"],
        "optimal": OPTIMAL,
    },
    "red7": {
        "random": RANDOM,
        "versatile": "Plays the card that makes its palette stronger under most of the seven rules.",
        "thrifty": "Keeps its cards: plays one, or discards one, rather than both; the best known here, not proved.",
    },
}
LEVELS = (("easy", "Easy"), ("medium", "Medium"), ("hard", "Hard"))


def offered(game: Game, rules: Any) -> tuple[Opponent, ...]:
    """The opponents that the game has, from the easiest to the hardest; known without solving it."""
    if game.players(rules) == 1:
        return ()
    policies = _policies(game, rules)
    return tuple(
        Opponent(name, title, summary, policy)
        for (name, title), (policy, summary) in zip(LEVELS, policies.items(), strict=False)
    )


def find(name: str, game: Game, rules: Any) -> Opponent:
    """The opponent of that name, or one that plays by the policy of that name.

    Raises:
        InputError: if the game has none.
    """
    levels = offered(game, rules)
    if not levels:
        raise InputError(f"{game.name} is for one player: there is no opponent.")
    for opponent in levels:
        if opponent.name == name:
            return opponent
    if name in [level for level, _ in LEVELS]:
        raise InputError(f"{game.name} has no opponent {name!r}, only {', '.join(level.name for level in levels)}.")
    return Opponent(name, name, f"Plays by the policy {name}.", name)


def solved(
    game: Game, rules: Any, *, progress: Progress = silent, notice: Notice = lambda message: None
) -> Answer[Any] | None:
    """Optimal play of the game; None if it is of a kind that komi does not solve.

    Raises:
        GameError: if the rules are broken.
        SolveError: if it is of a kind that komi solves, and cannot be solved.
        StorageError: if the cache folder cannot be written to.
    """
    if not is_solvable(game, rules):
        return None
    return solve(game, progress=progress, notice=notice, **rules._asdict())


def player(opponent: Opponent, game: Game, rules: Any, solution: Answer[Any] | None) -> Player:
    """What chooses the opponent's actions. It takes moments to make, once.

    Args:
        opponent: as `find` finds it.
        game: the game.
        rules: its rules.
        solution: what `solved` says of it.

    Raises:
        InputError: if there is no such policy, or it does not fit the game.
        GameError: if it takes an action that is not legal.
    """
    if opponent.policy == Uniform.name:
        return _Random(game, rules)
    if solution is not None and solution.counts_plies:
        return _Seeing(solution, _sight(opponent.policy))
    if solution is None:
        return _Judging(game, rules, seated.find(opponent.policy, game, rules._asdict()))
    return listed(game, rules, solution, tabulated(opponent, rules, solution))


def is_tabulated(opponent: Opponent, solution: Answer[Any] | None) -> bool:
    """Whether the opponent's player looks its actions up in a table of all states."""
    return solution is not None and not solution.counts_plies and opponent.policy != Uniform.name


def tabulated(opponent: Opponent, rules: Any, solution: Answer[Any]) -> NDArray[np.int16]:
    """int16[states], what the opponent does in each state of the solution.

    Raises:
        InputError: if there is no such policy, or it does not fit the game.
        GameError: if it takes an action that is not legal.
    """
    policy = named.find(opponent.policy, solution)
    return tabulate(policy, solution.compiled, rules, solution.values.states)


def listed(game: Game, rules: Any, solution: Answer[Any], actions: NDArray[np.int16]) -> Player:
    """What looks up what to do, in a table as `tabulated` makes it."""
    return _Listed(game, rules, solution.values.states, actions)


def _policies(game: Game, rules: Any) -> dict[str, str]:
    """The policies of the levels, each with how it plays."""
    built_in = game.module.__name__.removeprefix(catalog.BUILT_IN).replace("_", "-")
    if built_in in BY_GAME:
        return BY_GAME[built_in]
    if not is_solvable(game, rules):
        return {"random": RANDOM}
    if named.is_race(game, rules):
        return RACE
    return SOLVED if kind_of(game, rules).chance else BOARD


def _sight(policy: str) -> int:
    name, _, number = policy.partition(":")
    if policy == "optimal":
        return SIGHT
    if name == "ahead" and number.isdecimal() and 0 < int(number) < SIGHT:
        return int(number)
    raise InputError(f"games without chance have the policies optimal, ahead:N and random, not {policy!r}.")


def _pick(choices: list[int], luck: float) -> int:
    return choices[int(luck * len(choices))]


def _legal(game: Game, rules: Any, state: Any) -> list[int]:
    return [action for action in game.part("legal")(rules, state) if action != CHANCE]


@dataclass(frozen=True)
class _Random:
    game: Game
    rules: Any

    def choose(self, state: Any, luck: float) -> int:
        return _pick(_legal(self.game, self.rules, state), luck)


@dataclass(frozen=True, eq=False)
class _Listed:
    """Looks up what to do."""

    game: Game
    rules: Any
    states: StateSet
    actions: NDArray[np.int16]

    def choose(self, state: Any, luck: float) -> int:
        action = int(self.actions[self.states.index_of(state)])
        return _pick(_legal(self.game, self.rules, state), luck) if action == UNIFORM else action


@dataclass(frozen=True)
class _Judging:
    """Asks a policy, which sees what the player may see."""

    game: Game
    rules: Any
    policy: Policy

    def choose(self, state: Any, luck: float) -> int:
        game, rules = self.game, self.rules
        legal = _legal(game, rules, state)
        seen = game.part("view")(rules, state) if game.has("view") else state
        if isinstance(self.policy, Preference):
            liking = {action: self.policy.function(rules, seen, action, *self.policy.parameters) for action in legal}
            best = max(liking.values())
            return _pick([action for action in legal if liking[action] == best], luck)
        assert isinstance(self.policy, Rule)
        action = self.policy.choose(rules, seen)
        if action not in legal:
            raise GameError(f"policy {self.policy.name} takes an action that is not legal, {action}.")
        return action


@dataclass(frozen=True, eq=False)
class _Seeing:
    """Sees wins and losses so many moves ahead, and nothing beyond."""

    tablebase: Answer[Any]
    sight: int

    def choose(self, state: Any, luck: float) -> int:
        game, rules = self.tablebase.game, self.tablebase.rules
        worths = self.tablebase.actions(state)
        scores = {
            action: worths[label].score if (worths[label].plies or SIGHT) <= self.sight else 0
            for label, action in game.labels(rules, state).items()
        }
        best = max(scores.values())
        return _pick([action for action, score in scores.items() if score == best], luck)
