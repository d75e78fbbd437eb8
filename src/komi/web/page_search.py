"""A page in one file without a table: who plays by search there, and what a search needs to know of the game."""

from typing import Any

from komi.play import opponent_players, opponents
from komi.play.opponents import Opponent
from komi.policies.from_files import game_policies
from komi.policies.policy import UniformPolicy
from komi.policies.searchers import EXPLORATION
from komi.policies.searchers_by_name import is_searcher
from komi.policies.weighted import WeightedPolicy
from komi.rules.game import Game
from komi.rules.information_sets import information_sets
from komi.rules.kind import kind_of
from komi.search.specification import Specification
from komi.typing import Rules

SEARCHES = ("mcts", "ismcts")  # which are one in the page
MAX_SECONDS = 2.0  # of a search with a number of playouts


def opponents_without_solution(game: Game, rules: Rules, policies: tuple[str, ...]) -> list[tuple[Opponent, Any]]:
    """Return the opponents of a game, and how each plays in the page; those that need a solution search instead.

    Args:
        game, rules: the game and its rules, which can be searched.
        policies: the names of the policies of its file that the page has.
    """
    offered = []
    for level in opponents.levels(game, rules):
        opponent, play = level, _play(level.policy, game, policies)
        if play is None:
            other = opponent_players.searching_opponent(level, game, rules)
            assert other is not None, "the game can be searched"
            opponent, play = other, _play(other.policy, game, policies)
        offered.append((opponent, play))
    return offered


def _play(policy: str, game: Game, policies: tuple[str, ...]) -> dict[str, Any] | None:
    """Return how an opponent with this policy plays in the page; None if it cannot."""
    if policy == UniformPolicy.name:
        return {"policy": policy}
    if policy in policies:
        return {"policy": policy, "isMixed": isinstance(game_policies(game)[policy], WeightedPolicy)}
    if not is_searcher(policy):
        return None
    search = Specification.parse(policy, ("exploration", "leaf", "worlds", "depth", "playouts"))
    if search.name not in SEARCHES or set(search.options) - {"exploration"}:
        return None
    playouts, seconds = search.effort()
    limits = {"playouts": playouts, "seconds": seconds or MAX_SECONDS}
    return limits | {"exploration": search.number("exploration", EXPLORATION)}


def search_settings(game: Game, rules: Rules) -> dict[str, Any]:
    """Return what a search needs to know besides the rules.

    Where something is hidden and the file has no `deal`, these are the states with each observation, and their
    probabilities.

    Raises:
        SolveError: if the game is too large for that.
    """
    is_hidden = kind_of(game, rules).hidden
    sets = None
    if is_hidden and not game.has("deal"):
        sets = [
            [(game.nested(state), probability) for state, probability in states.items()]
            for states in information_sets(game, rules).values()
        ]
    return {"hidden": is_hidden, "sign": -1 if game.aim(rules) == "least" else 1, "sets": sets}
