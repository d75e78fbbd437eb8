"""Policies by name: built-in ones, those of a game's file, and functions in other files."""

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from komi.errors import InputError, SolveError
from komi.policies import published
from komi.policies.controller import ControllerPolicy
from komi.policies.from_files import by_signature, from_file, function_policy, game_policies, is_in_file
from komi.policies.functions import FunctionPolicy
from komi.policies.human_model import human_policy
from komi.policies.learned import load_policy
from komi.policies.lookahead import lookahead_policy, max_score_policy
from komi.policies.mixed import MixedPolicy
from komi.policies.policy import Policy, UniformPolicy
from komi.policies.searchers_by_name import SEARCHERS, find_searcher, is_searcher
from komi.policies.table import ObservationPolicy, OnDemandPolicy, TablePolicy
from komi.policies.tabulate import action_probabilities, most_actions
from komi.rules.declarations import keywords
from komi.rules.game import Game
from komi.solvers.hidden.point_based_solver import PointBasedSolution
from komi.solvers.multiplayer.nash_solver import MultiplayerSolution
from komi.solvers.solution import Solution
from komi.solvers.solve import solve_with_policy
from komi.typing import Rules

NAMES = (
    "optimal",
    "max-score",
    "hold-at:N",
    "keep-pace",
    "cautious:N",
    "ahead:N",
    "random",
    *(kind.form for kind in SEARCHERS.values()),
    "people:FILE",
    "learned:FILE",
    "FILE.py:NAME",
)
PolicyLike = str | Policy | Callable[..., Any]
"""A policy in a form that komi's functions accept: its name, an object, or a Python function; see `komi.match`."""
MAX_AHEAD = 1000  # moves: each takes a sweep over all states
MAX_OPPONENTS = 3  # that a game's file can list


def find(text: str, solution: Solution[Any]) -> Policy:
    """Return the policy with this name for a solved game.

    Names: those of the policies of the game's file; `optimal`; `max-score`, which maximizes the expected points of each
    turn; `hold-at:N`, which holds with N points at risk or at the goal; `keep-pace`, the published rule for Pig;
    `cautious:N`, which continues only while the expected gain is more than N times the expected loss of points;
    `ahead:N`, which looks N moves ahead; `random`; those that search in each state (`searchers`), such as `mcts:N`;
    `people:FILE`, the model of human play that `komi study` fits; `learned:FILE`, the policy that `komi learn` has
    written; and `FILE.py:NAME`, a function (rules, state) -> action, compiled like the rules, or one that the file
    lists as `mixed`: (rules, state, action) -> weight of the action; `FILE.py` if it is the only one.

    Raises:
        InputError: for an unknown name, or one that does not fit the game.
    """
    own = game_policies(solution.game)
    if text in own:
        return own[text]
    if is_searcher(text):
        return find_searcher(text, solution.game, solution.rules, lambda leaf: find(leaf, solution))
    if is_in_file(text):
        return by_signature(from_file(text))
    name, _, number = text.partition(":")
    if name == "people" and number:
        return human_policy(text, solution, Path(number))
    if name == "learned" and number:
        return load_policy(text, Path(number), solution)
    if name in ("hold-at", "cautious", "ahead"):
        known = re.fullmatch(r"\d{1,6}", number)
        if name == "ahead" and not (known and 1 <= int(number) <= MAX_AHEAD):
            raise InputError(f"ahead needs a whole number from 1 to {MAX_AHEAD}, as in ahead:20, not {number!r}.")
        if not known:
            raise InputError(f"{name} needs a whole number, 0 or more, as in {name}:20, not {number!r}.")
    elif number:
        name = text
    match name:
        case "optimal" if isinstance(solution, PointBasedSolution):
            return ControllerPolicy.of(text, solution)
        case "optimal" if solution.kind.hidden and solution.kind.seats == 1:
            return ObservationPolicy.of(text, solution.compiled, solution.rules, solution.optimal_play)
        case "optimal" if solution.kind.hidden:
            record = solution.data
            return MixedPolicy.of(text, solution.compiled, solution.rules, record.states, record.mixes)
        case "optimal" if not solution.is_fully_stored:
            return OnDemandPolicy(text, solution)
        case "optimal":
            return _optimal_play(text, solution)
        case "max-score":
            _check_two_player(text, solution)
            _check_fields(text, solution, "score", "rival")
            return max_score_policy(solution.compiled, solution.rules, solution.optimal_play.states)
        case "hold-at":
            return _hold_at_policy(text, solution, int(number))
        case "keep-pace" | "cautious":
            return _published(text, _hold_action(text, solution))
        case "ahead":
            _check_two_player(text, solution)
            return lookahead_policy(solution.compiled, solution.rules, solution.optimal_play.states, int(number))
        case "random":
            return UniformPolicy()
    raise InputError(f"there is no policy {text!r}: there are {', '.join([*own, *NAMES])}.")


def _optimal_play(name: str, solution: Solution[Any]) -> Policy:
    """Return the stored optimal play, which mixes actions in some states of some games for three and more players."""
    table = TablePolicy(name, solution.optimal_play.states, solution.optimal_play.choices)
    if not isinstance(solution, MultiplayerSolution) or solution.is_pure:
        return table
    compiled, rules, data = solution.compiled, solution.rules, solution.data
    count = most_actions(compiled, rules, table.states)
    probabilities = action_probabilities(table, compiled, rules, table.states, count)
    probabilities[data.mixed, : data.shares.shape[1]] = data.shares
    return MixedPolicy.of(name, compiled, rules, table.states, probabilities)


def as_policy(
    policy: PolicyLike, solution: Solution[Any], vectorized: bool = False, observation: str = "fields"
) -> Policy:
    """Return the policy with a name, or of a Python function.

    Args:
        policy: the name of a policy, a Policy, or a function; see `function_policy`.
        solution: the solved game.
        vectorized: whether functions take many states at once.
        observation: the form of the observations that they take, "fields" or "planes".

    Raises:
        InputError: for an unknown name, one that does not fit the game, or a function of another form.
    """
    if isinstance(policy, str):
        return find(policy, solution)
    if isinstance(policy, Policy):
        return policy
    return function_policy(policy, vectorized, observation)


def as_policies(
    given: Sequence[PolicyLike], solution: Solution[Any], vectorized: bool = False, observation: str = "fields"
) -> list[Policy]:
    """Return each policy as `as_policy` does; the same object for the same name, and for the same function."""
    policies: dict[str | int, Policy] = {}
    for each in given:
        key = each if isinstance(each, str) else id(each)
        policies[key] = policies.get(key) or as_policy(each, solution, vectorized, observation)
    return [policies[each if isinstance(each, str) else id(each)] for each in given]


def is_optimal_play(policy: Policy, solution: Solution[Any]) -> bool:
    """Return whether a policy is the optimal play that a solution found, whatever its name."""
    if isinstance(policy, OnDemandPolicy):
        return policy.solution is solution
    return (
        solution.is_fully_stored and isinstance(policy, TablePolicy) and policy.actions is solution.optimal_play.choices
    )


def find_or_solve(text: PolicyLike, game: Game, settings: Mapping[str, Any]) -> Policy:
    """Return the policy with this name: `random`, one that the game's file defines, a search, or one of `find`'s.

    Only the last kind solves the game. A Policy is returned, and a function converted; see `function_policy`.

    Raises:
        InputError: for an unknown name, one that needs a solution where there is none, or a function of another form.
    """
    if not isinstance(text, str):
        return text if isinstance(text, Policy) else function_policy(text)
    if text == UniformPolicy.name:
        return UniformPolicy()
    known = game_policies(game)
    if text in known:
        return known[text]
    if is_searcher(text):
        return find_searcher(text, game, game.rules(settings), lambda leaf: find_or_solve(leaf, game, settings))
    if is_in_file(text):
        return by_signature(from_file(text, takes=(2, 3)))
    published = published_policy(text, game, game.rules(settings))
    if published:
        return published
    if text.partition(":")[0] not in {name.partition(":")[0] for name in NAMES}:
        raise InputError(f"{game.name} has no policy {text!r}: there are {', '.join([*known, *NAMES])}.")
    try:
        solution = solve_with_policy(game, **keywords(settings))
    except SolveError as error:
        raise InputError(f"policy {text} needs the game solved: {error}") from None
    return find(text, solution)


def published_policy(text: str, game: Game, rules: Rules) -> FunctionPolicy | None:
    """Return the published policy with this name, which needs no solution; None if none fits the game."""
    if not (is_race_to_goal(game, rules) and re.fullmatch(r"(hold-at|cautious):\d{1,6}|keep-pace", text)):
        return None
    return _published(text, int(game.module.actions.index("hold")))


def _published(text: str, hold: int) -> FunctionPolicy:
    """Create a published policy for a race, in which `hold` is the number of the action."""
    name, _, number = text.partition(":")
    if name == "keep-pace":
        return FunctionPolicy(text, published.keep_pace, (hold,))
    return FunctionPolicy(text, published.hold_at if name == "hold-at" else published.cautious, (hold, int(number)))


def is_race_to_goal(game: Game, rules: Rules) -> bool:
    """Return whether the published policies can play the game: a two-player race with a goal and an action `hold`."""
    fields = {"score", "rival", "turn"} <= set(game.module.State._fields) and game.players(rules) == 2
    return fields and "hold" in getattr(game.module, "actions", ()) and hasattr(rules, "goal")


def _hold_at_policy(name: str, solution: Solution[Any], points: int) -> Policy:
    """Create the policy that holds at a number of points at risk, or at the goal if there is one."""
    _check_fields(name, solution, "turn")
    actions = getattr(solution.game.module, "actions", ())
    if "hold" not in actions:
        raise InputError(f"policy {name} is for games in which one can hold: {solution.game.name} is not one.")
    hold = int(actions.index("hold"))
    has_goal = "score" in solution.game.module.State._fields and hasattr(solution.rules, "goal")
    return FunctionPolicy(name, published.hold_at if has_goal else published.hold_at_total, (hold, points))


def _check_two_player(name: str, solution: Solution[Any]) -> None:
    kind = solution.kind
    if kind.seats != 2 or kind.hidden:
        raise InputError(f"policy {name} is for two players who see everything: {kind.name} is not such a game.")


def _hold_action(name: str, solution: Solution[Any]) -> int:
    """Return the number of the action `hold` in a race that the published policies can play.

    Raises:
        InputError: if the game is no such race.
    """
    _check_fields(name, solution, "score", "rival", "turn")
    if not is_race_to_goal(solution.game, solution.rules):
        raise InputError(
            f"policy {name} is for races with a goal, in which one can hold: {solution.game.name} is not one."
        )
    return int(solution.game.module.actions.index("hold"))


def _check_fields(name: str, solution: Solution[Any], *fields: str) -> None:
    missing = [field for field in fields if field not in solution.game.module.State._fields]
    if missing:
        raise InputError(f"policy {name} needs states with a {missing[0]!r}: {solution.game.name} has none.")
