"""Choice of actions by opponents: the policy, with or without a solution, that plays for an opponent."""

from dataclasses import dataclass
from typing import Any

from komi.arrays import I16
from komi.errors import GameError, InputError, TooLargeError
from komi.jit.kernels import Notice
from komi.play import searching
from komi.play.opponents import CHEAT_SHEET, OPTIMAL, Opponent
from komi.policies import from_files, named
from komi.policies.depth_limited import UNLIMITED, DepthLimitedPolicy, TablebasePolicy
from komi.policies.policy import Policy, UniformPolicy, legal_actions
from komi.policies.searchers_by_name import is_searcher
from komi.policies.single_player import SinglePlayerPolicy
from komi.policies.table import TablePolicy
from komi.policies.tabulate import tabulate
from komi.progress import Progress, silent
from komi.rules.declarations import keywords
from komi.rules.game import Game
from komi.rules.kind import kind_of
from komi.solvers.solution import Solution
from komi.solvers.solve import is_solvable, solve_all_states, solve_with_policy
from komi.typing import Rules, State

MAX_STATES = 40_000_000  # of a game that is solved before it begins: these take a minute and a few GB
SHALLOW_POLICIES = ("ahead:1", "ahead:2")  # fast enough to search without a solution


@dataclass(frozen=True)
class Player:
    """Chooses the actions of a seat by a policy, which gets the player's observation."""

    game: Game
    rules: Rules
    policy: Policy

    def choose(self, state: State, uniform: float) -> int:
        """Choose an action in a state in which the player is to move; a uniform random number in [0, 1) breaks ties.

        Raises:
            GameError: if the policy takes an action that is not legal.
        """
        game, rules = self.game, self.rules
        observation = game.part("view")(rules, state) if game.has("view") else state
        action = self.policy.choose(game, rules, observation, uniform)
        if action not in legal_actions(game, rules, state):
            raise GameError(f"policy {self.policy.name} takes an action that is not legal, {action}.")
        return action


def bounded(progress: Progress, refusal: str) -> Progress:
    """Return a progress callback that ends solving a game with more than MAX_STATES states, by a TooLargeError.

    Args:
        progress: called during solving.
        refusal: the message of the error.
    """

    def check(stage: str, done: int, total: int, note: str = "") -> None:
        if stage == "finding states" and done > MAX_STATES:
            raise TooLargeError(refusal)
        progress(stage, done, total, note)

    return check


def solve_if_solvable(
    game: Game, rules: Rules, *, progress: Progress = silent, notice: Notice = lambda message: None
) -> Solution[Any] | None:
    """Solve the game. Return None if komi cannot solve games of its kind.

    Raises:
        GameError: if the rules are broken.
        SolveError: if games of its kind can be solved, but this one cannot.
        StorageError: if the cache folder cannot be written to.
    """
    if not is_solvable(game, rules):
        return None
    return solve_all_states(game, progress=progress, notice=notice, **keywords(rules))


def solve_for_hints(
    game: Game, rules: Rules, *, progress: Progress = silent, notice: Notice = lambda message: None
) -> Solution[Any] | None:
    """Solve the game as `solve_for_opponents` does, but a game for one player with any policy that can advise.

    Raises:
        KomiError: as `solve_if_solvable` does.
    """
    if game.players(rules) == 1 and is_solvable(game, rules):
        return solve_with_policy(game, progress=progress, notice=notice, **keywords(rules))
    return solve_for_opponents(game, rules, progress=progress, notice=notice)


def solve_for_opponents(
    game: Game, rules: Rules, *, progress: Progress = silent, notice: Notice = lambda message: None
) -> Solution[Any] | None:
    """Solve the game, or each player's own game if it defines `alone`, for the opponents.

    Raises:
        KomiError: as `solve_if_solvable` does.
    """
    return solve_if_solvable(game, game.alone(rules), progress=progress, notice=notice)


def substitute(opponent: Opponent, game: Game, rules: Rules) -> Opponent | None:
    """Return the substitute for the opponent in a game that is too large to solve, or None."""
    if opponent.policy == UniformPolicy.name or opponent.policy in from_files.game_policies(game):
        return opponent
    if is_searcher(opponent.policy) or (opponent.policy != OPTIMAL and _can_look_ahead(game, rules)):
        return opponent
    return searching_opponent(opponent, game, rules)


def searching_opponent(opponent: Opponent, game: Game, rules: Rules) -> Opponent | None:
    """Return the opponent that searches in place of another, or None if the game cannot be searched."""
    is_best = opponent.policy == OPTIMAL
    policy = searching.policy_name(game, rules, searching.HARD if is_best else searching.MEDIUM)
    summary = searching.SUMMARY_HARD if is_best else searching.SUMMARY_MEDIUM
    return None if policy is None else Opponent(opponent.name, opponent.title, summary, policy)


def player_without_solution(opponent: Opponent, game: Game, rules: Rules) -> Player | None:
    """Return the player for the opponent if it needs no solution; None if it does."""
    own = from_files.game_policies(game)
    if opponent.policy in own:
        return Player(game, rules, own[opponent.policy])
    if opponent.policy == UniformPolicy.name:
        return Player(game, rules, UniformPolicy())
    if is_searcher(opponent.policy):
        return Player(game, rules, named.find_or_solve(opponent.policy, game, rules._asdict()))
    if opponent.name == CHEAT_SHEET:
        return Player(game, rules, named.find_or_solve(opponent.policy, game, rules._asdict()))
    if opponent.policy in SHALLOW_POLICIES and _can_look_ahead(game, rules):
        return Player(game, rules, DepthLimitedPolicy(opponent.policy, horizon(opponent.policy)))
    rule = named.published_policy(opponent.policy, game, rules)
    return None if rule is None else Player(game, rules, rule)


def create_player(opponent: Opponent, game: Game, rules: Rules, solution: Solution[Any] | None) -> Player:
    """Return the player that chooses the opponent's actions.

    Args:
        opponent: an opponent returned by `find`.
        game: the game.
        rules: its rules.
        solution: the solution returned by `solve_for_opponents`.

    Raises:
        InputError: if there is no such policy, or it does not fit the game.
    """
    return Player(game, rules, _policy(opponent.policy, game, rules, solution))


def needs_table(opponent: Opponent, solution: Solution[Any] | None) -> bool:
    """Return whether the opponent plays by a table of all states, which can take long to compute."""
    if solution is None or solution.has_plies or solution.kind.hidden:
        return False
    if opponent.policy in from_files.game_policies(solution.game) or (
        opponent.policy == OPTIMAL and not solution.is_fully_stored
    ):
        return False
    return opponent.policy != UniformPolicy.name and not is_searcher(opponent.policy)


def tabulate_actions(opponent: Opponent, rules: Rules, solution: Solution[Any]) -> I16:
    """Return int16[states], the opponent's action in each state of the solution.

    Raises:
        InputError: if there is no such policy, or it does not fit the game.
        GameError: if it takes an action that is not legal.
    """
    return tabulate(named.find(opponent.policy, solution), solution.compiled, rules, solution.optimal_play.states)


def player_from_table(game: Game, rules: Rules, solution: Solution[Any], actions: I16) -> Player:
    """Return a player that looks up its actions in a table made by `tabulate_actions`."""
    return Player(game, rules, TablePolicy("listed", solution.optimal_play.states, actions))


def _policy(name: str, game: Game, rules: Rules, solution: Solution[Any] | None) -> Policy:
    own = from_files.game_policies(game)
    if name in own:
        return own[name]
    if name == UniformPolicy.name:
        return UniformPolicy()
    if is_searcher(name):
        return named.find_or_solve(name, game, rules._asdict())
    if (
        solution is None
        and is_solvable(game, rules)
        and _can_look_ahead(game, rules)
        and not from_files.is_in_file(name)
    ):
        return DepthLimitedPolicy(name, horizon(name))
    if solution is None:
        return named.find_or_solve(name, game, rules._asdict())
    if solution.has_plies:
        return TablebasePolicy(name, horizon(name), solution)
    if solution.rules != rules:
        return SinglePlayerPolicy(named.find(name, solution), solution.rules)
    return named.find(name, solution)


def _can_look_ahead(game: Game, rules: Rules) -> bool:
    """Return whether lookahead search is possible: two players, perfect information and no chance."""
    kind = kind_of(game, rules)
    return kind.seats == 2 and kind.is_opposed and not (kind.chance or kind.hidden)


def horizon(policy: str) -> int:
    """Return how many moves ahead a policy looks in a game without chance.

    Raises:
        InputError: if there is no such policy.
    """
    name, _, number = policy.partition(":")
    if policy == OPTIMAL:
        return UNLIMITED
    if name == "ahead" and number.isdecimal() and 0 < int(number) < UNLIMITED:
        return int(number)
    raise InputError(f"games without chance have the policies optimal, ahead:N and random, not {policy!r}.")
