"""Opponents of every skill for any game: which there are, and how they choose.

In races in which one can hold, the usual three are one that goes on only while the points to be gained are more than
twice those at stake, one that expects the most points of each turn, and optimal play. In games without chance they look
so many moves ahead, and draw lots among what they see no difference in. A game's file may say others. Who of them is
Easy, Medium and Hard is a matter of how strong they are, which `strengths` finds out.
"""

from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

import numpy as np
from numpy.typing import NDArray

from komi.compile.kernels import Notice
from komi.errors import GameError, InputError
from komi.game import Game
from komi.kind import kind_of
from komi.methods.answer import Answer
from komi.methods.solve import is_solvable, solve
from komi.play import ranking
from komi.policies import named, seated
from komi.policies.alone import Alone
from komi.policies.policy import Policy, legal_actions
from komi.policies.sight import ALL, Looking, Sighted
from komi.policies.table import Table
from komi.policies.tabulate import tabulate
from komi.policies.uniform import Uniform
from komi.progress import Progress, silent
from komi.teaching import cards

BEST = "optimal"  # the policy that none is stronger than


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


@dataclass(frozen=True)
class Player:
    """Chooses the actions of a seat by a policy, which sees what the player may see."""

    game: Game
    rules: Any
    policy: Policy

    def choose(self, state: Any, luck: float) -> int:
        """The action in a state in which the player is to move; luck, from 0 to 1, decides between equal ones.

        Raises:
            GameError: if the policy takes an action that is not legal.
        """
        game, rules = self.game, self.rules
        seen = game.part("view")(rules, state) if game.has("view") else state
        action = self.policy.choose(game, rules, seen, luck)
        if action not in legal_actions(game, rules, state):
            raise GameError(f"policy {self.policy.name} takes an action that is not legal, {action}.")
        return action


RANDOM = "Picks any legal move."
OPTIMAL = "Plays optimally: no one can do better."
OPTIMAL_ALONE = "Plays its own game optimally, whatever the others do."
RACE = {
    "cautious:2": "Overly cautious: goes on only while there is twice as much to gain as to lose.",
    "max-score": "Expects the most points of each turn, whatever the scores are.",
    BEST: OPTIMAL,
}
SOLVED = {"random": RANDOM, "ahead:6": "Looks six moves ahead.", BEST: OPTIMAL}
BOARD = {
    "ahead:1": "Wins at once if it can, else picks any legal move.",
    "ahead:4": "Looks four moves ahead.",
    BEST: "Plays perfectly: wins as soon, or loses as late, as can be.",
}
SIMULTANEOUS = {
    "random": RANDOM,
    BEST: "Plays optimally: mixes its choices, so that nobody who knows how it plays can do better.",
}
SEVERAL = {
    "random": RANDOM,
    BEST: "Plays as in the equilibrium that komi finds: no one gains by leaving it alone.",
}
SHORT_SIGHTED = ("ahead:1", "ahead:2")  # tries out all that can happen in moments
LEVELS = (("easy", "Easy"), ("medium", "Medium"), ("hard", "Hard"))
CARD = "card"
NEAR = 0.8  # so much alike are names that were mistyped, as `difflib` measures it
TITLES = {**dict(LEVELS), CARD: "The card"}


def title_of(name: str) -> str:
    """What people call the opponent of that name, whatever the game."""
    return TITLES.get(name, name)


def offered(game: Game, rules: Any) -> tuple[Opponent, ...]:
    """The opponents that the game has: its levels, and one that plays by the strategy that `komi.teach` found last."""
    card = cards.kept(game, rules)
    if card is None:
        return levels(game, rules)
    return (*levels(game, rules), Opponent(CARD, title_of(CARD), f"Plays by the card: {card.words}", card.policy))


def levels(game: Game, rules: Any) -> tuple[Opponent, ...]:
    """The opponents from the easiest to the hardest; known without solving the game.

    Until their strengths are known, they are in the order in which they are expected.
    """
    if game.players(rules) == 1:
        return ()
    summaries = _summaries(game, rules)
    order = ranking.kept(game, rules, tuple(summaries))
    called = LEVELS if len(order) > 2 else LEVELS[::2]
    return tuple(
        Opponent(name, title, summaries[policy], policy) for (name, title), policy in zip(called, order, strict=False)
    )


def find(name: str | None, game: Game, rules: Any) -> Opponent:
    """The opponent of that name, or one that plays by the policy of that name; the hardest if none is named.

    Raises:
        InputError: if the game has none.
    """
    ordered = levels(game, rules)
    if not ordered:
        raise InputError(f"{game.name} is for one player: there is no opponent.")
    if name is None:
        return ordered[-1]
    known = offered(game, rules)
    for opponent in known:
        if opponent.name == name:
            return opponent
    if name == CARD:
        raise InputError(f"{game.name} has no card to play by yet: komi teach {game.name} makes one.")
    if name in [level for level, _ in LEVELS]:
        raise InputError(f"{game.name} has no opponent {name!r}, only {', '.join(each.name for each in known)}.")
    near = get_close_matches(name, [level for level, _ in LEVELS], 1, NEAR)
    if near:
        raise InputError(f"{game.name} has no opponent {name!r}: did you mean {near[0]!r}?")
    return Opponent(name, title_of(name), f"Plays by the policy {name}.", name)


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


def played_by(
    game: Game, rules: Any, *, progress: Progress = silent, notice: Notice = lambda message: None
) -> Answer[Any] | None:
    """What opponents play by: optimal play of the game, or of each player's own where they play `alone`.

    Raises:
        KomiError: as `solved` does.
    """
    return solved(game, game.alone(rules), progress=progress, notice=notice)


def unsolved(opponent: Opponent, game: Game, rules: Any) -> Opponent | None:
    """Who plays in the opponent's place in a game that is too large to solve; None if nobody can."""
    if opponent.policy == Uniform.name or opponent.policy in seated.own(game):
        return opponent
    if not _can_look_ahead(game, rules):
        return None
    if opponent.policy != BEST:
        return opponent
    policy = list(BOARD)[-2]
    return Opponent(opponent.name, opponent.title, BOARD[policy], policy)


def at_once(opponent: Opponent, game: Game, rules: Any) -> Player | None:
    """What chooses the opponent's actions, if it needs no solution; None if it does."""
    own = seated.own(game)
    if opponent.policy in own:
        return Player(game, rules, own[opponent.policy])
    if opponent.policy == Uniform.name:
        return Player(game, rules, Uniform())
    if opponent.name == CARD:
        return Player(game, rules, seated.find(opponent.policy, game, rules._asdict()))
    if opponent.policy in SHORT_SIGHTED and _can_look_ahead(game, rules):
        return Player(game, rules, Looking(opponent.policy, _sight(opponent.policy)))
    rule = named.unsolved(opponent.policy, game, rules)
    return None if rule is None else Player(game, rules, rule)


def player(opponent: Opponent, game: Game, rules: Any, solution: Answer[Any] | None) -> Player:
    """What chooses the opponent's actions. It takes moments to make, once.

    Args:
        opponent: as `find` finds it.
        game: the game.
        rules: its rules.
        solution: what `played_by` says of it.

    Raises:
        InputError: if there is no such policy, or it does not fit the game.
    """
    return Player(game, rules, _policy(opponent.policy, game, rules, solution))


def is_tabulated(opponent: Opponent, solution: Answer[Any] | None) -> bool:
    """Whether the opponent plays by a table of all states, which can take long to make."""
    if solution is None or solution.counts_plies or solution.kind.simultaneous:
        return False
    if opponent.policy in seated.own(solution.game) or (opponent.policy == BEST and not solution.stores_all):
        return False
    return opponent.policy != Uniform.name


def tabulated(opponent: Opponent, rules: Any, solution: Answer[Any]) -> NDArray[np.int16]:
    """int16[states], what the opponent does in each state of the solution.

    Raises:
        InputError: if there is no such policy, or it does not fit the game.
        GameError: if it takes an action that is not legal.
    """
    return tabulate(named.find(opponent.policy, solution), solution.compiled, rules, solution.values.states)


def listed(game: Game, rules: Any, solution: Answer[Any], actions: NDArray[np.int16]) -> Player:
    """What looks up what to do, in a table as `tabulated` makes it."""
    return Player(game, rules, Table("listed", solution.values.states, actions))


def _policy(name: str, game: Game, rules: Any, solution: Answer[Any] | None) -> Policy:
    own = seated.own(game)
    if name in own:
        return own[name]
    if name == Uniform.name:
        return Uniform()
    if solution is None and is_solvable(game, rules) and _can_look_ahead(game, rules) and ".py:" not in name:
        return Looking(name, _sight(name))
    if solution is None:
        return seated.find(name, game, rules._asdict())
    if solution.counts_plies:
        return Sighted(name, solution, _sight(name))
    if solution.rules != rules:
        return Alone(named.find(name, solution), solution.rules)
    return named.find(name, solution)


def _can_look_ahead(game: Game, rules: Any) -> bool:
    """Whether moves ahead can be tried out one by one: two players who see everything, without chance."""
    kind = kind_of(game, rules)
    return kind.seats == 2 and not (kind.chance or kind.hidden)


def _sight(policy: str) -> int:
    """How many moves ahead a policy sees in a game without chance."""
    name, _, number = policy.partition(":")
    if policy == BEST:
        return ALL
    if name == "ahead" and number.isdecimal() and 0 < int(number) < ALL:
        return int(number)
    raise InputError(f"games without chance have the policies optimal, ahead:N and random, not {policy!r}.")


def _summaries(game: Game, rules: Any) -> dict[str, str]:
    """The policies of the levels as they are expected to be ordered, each with how it plays."""
    if game.has("opponents") and (said := _said(game, rules)):
        return said
    if not is_solvable(game, game.alone(rules)):
        return {Uniform.name: RANDOM}
    if game.alone(rules) != rules:
        return {Uniform.name: RANDOM, BEST: OPTIMAL_ALONE}
    if kind_of(game, rules).simultaneous:
        return SIMULTANEOUS
    if game.players(rules) > 2:
        return SEVERAL
    if named.is_race(game, rules):
        return RACE
    return SOLVED if kind_of(game, rules).chance else BOARD


def _said(game: Game, rules: Any) -> dict[str, str]:
    """What the game's file says of its opponents."""
    try:
        summaries = {str(policy): str(summary) for policy, summary in game.part("opponents")(rules)}
    except (TypeError, ValueError):
        raise GameError(f"{game.file.name}: 'opponents' must yield pairs (name of a policy, how it plays).") from None
    if len(summaries) > seated.MOST_OPPONENTS:
        raise GameError(
            f"{game.file.name}: 'opponents' yields {len(summaries)} pairs, more than {seated.MOST_OPPONENTS}."
        )
    return summaries
