"""Opponents of three strengths for any game: their list, and how they choose actions.

In press-your-luck races the usual three are one that continues only while the points to gain are more than twice those
at stake, one that maximizes the expected points of each turn, and optimal play. In games without chance they look some
moves ahead, and choose at random among moves that they cannot tell apart. A rule file may define its own opponents.
Which of them is Easy, Medium and Hard depends on their measured strength; see `strengths`.
"""

from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from komi.arrays import I16
from komi.errors import GameError, InputError
from komi.game import Game
from komi.jit.kernels import Notice
from komi.play import ranking
from komi.policies import named
from komi.policies.depth_limited import UNLIMITED, DepthLimitedPolicy, TablebasePolicy
from komi.policies.policy import Policy, UniformPolicy, legal_actions
from komi.policies.single_player import SinglePlayerPolicy
from komi.policies.table import TablePolicy
from komi.policies.tabulate import tabulate
from komi.progress import Progress, silent
from komi.rules.kind import kind_of
from komi.solvers.solution import Solution
from komi.solvers.solve import is_solvable, solve
from komi.teaching import cheat_sheets

BEST = "optimal"  # the strongest policy


@dataclass(frozen=True)
class Opponent:
    """An opponent that a person can play against.

    Attributes:
        name: its identifier.
        title: its name as shown to people.
        summary: how it plays, in one sentence.
        policy: the name of its policy.
    """

    name: str
    title: str
    summary: str
    policy: str


@dataclass(frozen=True)
class Player:
    """Chooses the actions of a seat by a policy, which gets the player's observation."""

    game: Game
    rules: Any
    policy: Policy

    def choose(self, state: Any, luck: float) -> int:
        """Choose an action in a state in which the player is to move; `luck`, from 0 to 1, breaks ties.

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
SHORT_SIGHTED = ("ahead:1", "ahead:2")  # fast enough to search without a solution
LEVELS = (("easy", "Easy"), ("medium", "Medium"), ("hard", "Hard"))
CARD = "card"
NEAR = 0.8  # minimum similarity of a mistyped name, as `difflib` measures it
TITLES = {**dict(LEVELS), CARD: "The card"}


def title_of(name: str) -> str:
    """Return the title of the opponent with this name, for any game."""
    return TITLES.get(name, name)


def offered(game: Game, rules: Any) -> tuple[Opponent, ...]:
    """Return the game's opponents: its levels, and one that plays by the last cheat sheet of `komi.teach`."""
    card = cheat_sheets.kept(game, rules)
    if card is None:
        return levels(game, rules)
    return (*levels(game, rules), Opponent(CARD, title_of(CARD), f"Plays by the card: {card.words}", card.policy))


def levels(game: Game, rules: Any) -> tuple[Opponent, ...]:
    """Return the opponents from the easiest to the hardest, without solving the game.

    Until their strengths are measured, they are in the expected order.
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
    """Return the opponent with this name, or one that plays the policy with this name; the hardest if none is given.

    Raises:
        InputError: if the game has no such opponent.
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
) -> Solution[Any] | None:
    """Return optimal play of the game; None if komi cannot solve games of its kind.

    Raises:
        GameError: if the rules are broken.
        SolveError: if games of its kind can be solved, but this one cannot.
        StorageError: if the cache folder cannot be written to.
    """
    if not is_solvable(game, rules):
        return None
    return solve(game, progress=progress, notice=notice, **rules._asdict())


def played_by(
    game: Game, rules: Any, *, progress: Progress = silent, notice: Notice = lambda message: None
) -> Solution[Any] | None:
    """Return the solution that opponents play by: of the game, or of each player's own game if it defines `alone`.

    Raises:
        KomiError: as `solved` does.
    """
    return solved(game, game.alone(rules), progress=progress, notice=notice)


def unsolved(opponent: Opponent, game: Game, rules: Any) -> Opponent | None:
    """Return the substitute for the opponent in a game that is too large to solve; None if there is none."""
    if opponent.policy == UniformPolicy.name or opponent.policy in named.game_policies(game):
        return opponent
    if not _can_look_ahead(game, rules):
        return None
    if opponent.policy != BEST:
        return opponent
    policy = list(BOARD)[-2]
    return Opponent(opponent.name, opponent.title, BOARD[policy], policy)


def at_once(opponent: Opponent, game: Game, rules: Any) -> Player | None:
    """Return the player for the opponent if it needs no solution; None if it does."""
    own = named.game_policies(game)
    if opponent.policy in own:
        return Player(game, rules, own[opponent.policy])
    if opponent.policy == UniformPolicy.name:
        return Player(game, rules, UniformPolicy())
    if opponent.name == CARD:
        return Player(game, rules, named.find_or_solve(opponent.policy, game, rules._asdict()))
    if opponent.policy in SHORT_SIGHTED and _can_look_ahead(game, rules):
        return Player(game, rules, DepthLimitedPolicy(opponent.policy, _horizon(opponent.policy)))
    rule = named.published_policy(opponent.policy, game, rules)
    return None if rule is None else Player(game, rules, rule)


def player(opponent: Opponent, game: Game, rules: Any, solution: Solution[Any] | None) -> Player:
    """Return the player that chooses the opponent's actions. Takes moments, once.

    Args:
        opponent: an opponent returned by `find`.
        game: the game.
        rules: its rules.
        solution: the solution returned by `played_by`.

    Raises:
        InputError: if there is no such policy, or it does not fit the game.
    """
    return Player(game, rules, _policy(opponent.policy, game, rules, solution))


def is_tabulated(opponent: Opponent, solution: Solution[Any] | None) -> bool:
    """Return whether the opponent plays by a table of all states, which can take long to compute."""
    if solution is None or solution.has_plies or solution.kind.simultaneous:
        return False
    if opponent.policy in named.game_policies(solution.game) or (
        opponent.policy == BEST and not solution.is_fully_stored
    ):
        return False
    return opponent.policy != UniformPolicy.name


def tabulated(opponent: Opponent, rules: Any, solution: Solution[Any]) -> I16:
    """Return int16[states], the opponent's action in each state of the solution.

    Raises:
        InputError: if there is no such policy, or it does not fit the game.
        GameError: if it takes an action that is not legal.
    """
    return tabulate(named.find(opponent.policy, solution), solution.compiled, rules, solution.arrays.states)


def listed(game: Game, rules: Any, solution: Solution[Any], actions: I16) -> Player:
    """Return a player that looks up its actions in a table made by `tabulated`."""
    return Player(game, rules, TablePolicy("listed", solution.arrays.states, actions))


def _policy(name: str, game: Game, rules: Any, solution: Solution[Any] | None) -> Policy:
    own = named.game_policies(game)
    if name in own:
        return own[name]
    if name == UniformPolicy.name:
        return UniformPolicy()
    if solution is None and is_solvable(game, rules) and _can_look_ahead(game, rules) and ".py:" not in name:
        return DepthLimitedPolicy(name, _horizon(name))
    if solution is None:
        return named.find_or_solve(name, game, rules._asdict())
    if solution.has_plies:
        return TablebasePolicy(name, _horizon(name), solution)
    if solution.rules != rules:
        return SinglePlayerPolicy(named.find(name, solution), solution.rules)
    return named.find(name, solution)


def _can_look_ahead(game: Game, rules: Any) -> bool:
    """Return whether lookahead search is possible: two players, perfect information and no chance."""
    kind = kind_of(game, rules)
    return kind.seats == 2 and not (kind.chance or kind.hidden)


def _horizon(policy: str) -> int:
    """Return how many moves ahead a policy looks in a game without chance."""
    name, _, number = policy.partition(":")
    if policy == BEST:
        return UNLIMITED
    if name == "ahead" and number.isdecimal() and 0 < int(number) < UNLIMITED:
        return int(number)
    raise InputError(f"games without chance have the policies optimal, ahead:N and random, not {policy!r}.")


def _summaries(game: Game, rules: Any) -> dict[str, str]:
    """Return the policies of the levels in the expected order, each with a summary of how it plays."""
    if game.has("opponents") and (said := _said(game, rules)):
        return said
    if not is_solvable(game, game.alone(rules)):
        return {UniformPolicy.name: RANDOM}
    if game.alone(rules) != rules:
        return {UniformPolicy.name: RANDOM, BEST: OPTIMAL_ALONE}
    if kind_of(game, rules).simultaneous:
        return SIMULTANEOUS
    if game.players(rules) > 2:
        return SEVERAL
    if named.is_race_to_goal(game, rules):
        return RACE
    return SOLVED if kind_of(game, rules).chance else BOARD


def _said(game: Game, rules: Any) -> dict[str, str]:
    """Return the opponents that the game's file defines."""
    try:
        summaries = {str(policy): str(summary) for policy, summary in game.part("opponents")(rules)}
    except (TypeError, ValueError):
        raise GameError(f"{game.file.name}: 'opponents' must yield pairs (name of a policy, how it plays).") from None
    if len(summaries) > named.MAX_OPPONENTS:
        raise GameError(
            f"{game.file.name}: 'opponents' yields {len(summaries)} pairs, more than {named.MAX_OPPONENTS}."
        )
    return summaries
