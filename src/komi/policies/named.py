"""Built-in policies by name."""

import re
from collections.abc import Collection
from pathlib import Path
from types import FunctionType
from typing import Any

from komi.errors import InputError
from komi.game import Game
from komi.policies import races
from komi.policies.expanded import Expanded
from komi.policies.functions import Rule
from komi.policies.lookahead import look_ahead
from komi.policies.max_score import max_score
from komi.policies.mixture import Mixture
from komi.policies.people import like_people
from komi.policies.policy import Policy
from komi.policies.table import Table
from komi.policies.uniform import Uniform
from komi.rules import catalog, determinism
from komi.solvers.solution import Solution

NAMES = (
    "optimal",
    "max-score",
    "hold-at:N",
    "keep-pace",
    "cautious:N",
    "ahead:N",
    "random",
    "people:FILE",
    "FILE.py:NAME",
)
MAX_AHEAD = 1000
LIKES = ", or takes (rules, state, action) and returns a preference for the action"


def find(text: str, solution: Solution[Any]) -> Policy:
    """Return the policy with this name for a solved game.

    Names: `optimal`; `max-score`, which maximizes the expected points of each turn; `hold-at:N`, which holds with N
    points at risk or at the goal; `keep-pace`, the published rule for Pig; `cautious:N`, which continues only while
    the expected gain is more than N times the expected loss of points; `ahead:N`, which looks N moves ahead;
    `random`; `people:FILE`, the model of human play that `komi study` fits;
    and `FILE.py:NAME`, a function (rules, state) -> action, compiled like the rules.

    Raises:
        InputError: for an unknown name, or one that does not fit the game.
    """
    if ".py:" in text:
        return from_file(text)
    name, _, number = text.partition(":")
    if name == "people" and number:
        return like_people(text, solution, Path(number))
    if name in ("hold-at", "cautious", "ahead"):
        known = re.fullmatch(r"\d{1,6}", number)
        if name == "ahead" and not (known and 1 <= int(number) <= MAX_AHEAD):
            raise InputError(f"ahead needs a whole number from 1 to {MAX_AHEAD}, as in ahead:20, not {number!r}.")
        if not known:
            raise InputError(f"{name} needs a whole number, 0 or more, as in {name}:20, not {number!r}.")
    elif number:
        name = text
    match name:
        case "optimal" if solution.kind.simultaneous:
            record = solution.data
            return Mixture.of(text, solution.game, solution.rules, record.states, record.mixes)
        case "optimal" if not solution.is_fully_stored:
            return Expanded(text, solution)
        case "optimal":
            return Table(text, solution.arrays.states, solution.arrays.choices)
        case "max-score":
            _check_two(text, solution)
            _check_fields(text, solution, "score", "rival")
            return max_score(solution.compiled, solution.rules, solution.arrays.states)
        case "hold-at":
            return _hold_at(text, solution, int(number))
        case "keep-pace" | "cautious":
            return _published(text, _hold(text, solution))
        case "ahead":
            _check_two(text, solution)
            return look_ahead(solution.compiled, solution.rules, solution.arrays.states, int(number))
        case "random":
            return Uniform()
    raise InputError(f"there is no policy {text!r}: there are {', '.join(NAMES)}.")


def unsolved(text: str, game: Game, rules: Any) -> Rule | None:
    """Return the published policy with this name, which needs no solution; None if there is none that fits the game."""
    if not (is_race(game, rules) and re.fullmatch(r"(hold-at|cautious):\d{1,6}|keep-pace", text)):
        return None
    return _published(text, int(game.module.actions.index("hold")))


def _published(text: str, hold: int) -> Rule:
    """Create a published policy for a race, in which `hold` is the number of the action."""
    name, _, number = text.partition(":")
    if name == "keep-pace":
        return Rule(text, races.keep_pace, (hold,))
    return Rule(text, races.hold_at if name == "hold-at" else races.cautious, (hold, int(number)))


def is_race(game: Game, rules: Any) -> bool:
    """Return whether the published policies can play the game: a two-player race with a goal and an action `hold`."""
    fields = {"score", "rival", "turn"} <= set(game.module.State._fields) and game.players(rules) == 2
    return fields and "hold" in getattr(game.module, "actions", ()) and hasattr(rules, "goal")


def _hold_at(name: str, solution: Solution[Any], points: int) -> Policy:
    """Create the policy that holds at a number of points at risk, or at the goal if there is one."""
    _check_fields(name, solution, "turn")
    actions = getattr(solution.game.module, "actions", ())
    if "hold" not in actions:
        raise InputError(f"policy {name} is for games in which one can hold: {solution.game.name} is none.")
    hold = int(actions.index("hold"))
    has_goal = "score" in solution.game.module.State._fields and hasattr(solution.rules, "goal")
    return Rule(name, races.hold_at if has_goal else races.hold_at_total, (hold, points))


def _check_two(name: str, solution: Solution[Any]) -> None:
    kind = solution.kind
    if kind.seats != 2 or kind.hidden:
        raise InputError(f"policy {name} is for games of two players who see everything: {kind.name} is none.")


def _hold(name: str, solution: Solution[Any]) -> int:
    """Return the number of the action `hold` in a race that the published policies can play.

    Raises:
        InputError: if the game is no such race.
    """
    _check_fields(name, solution, "score", "rival", "turn")
    if not is_race(solution.game, solution.rules):
        raise InputError(
            f"policy {name} is for races with a goal, in which one can hold: {solution.game.name} is none."
        )
    return int(solution.game.module.actions.index("hold"))


def _check_fields(name: str, solution: Solution[Any], *fields: str) -> None:
    missing = [field for field in fields if field not in solution.game.module.State._fields]
    if missing:
        raise InputError(f"policy {name} needs states with a {missing[0]!r}: {solution.game.name} has none.")


def from_file(text: str, takes: Collection[int] = (2,)) -> Rule:
    """Load the function that `FILE.py:NAME` names.

    Args:
        text: the name.
        takes: the permitted numbers of arguments.

    Raises:
        InputError: if there is no such function, or it takes another number of arguments.
        GameError: if it is not a pure function of its arguments.
    """
    path, _, name = text.rpartition(":")
    file = Path(path)
    module = catalog.load(file)
    function = getattr(module, name, None)
    if not isinstance(function, FunctionType):
        raise InputError(f"{file.name} has no function {name!r}.")
    code = function.__code__
    if code.co_argcount not in takes:
        given = ", ".join(code.co_varnames[: code.co_argcount])
        raise InputError(
            f"{file.name}, line {code.co_firstlineno}: {name!r} takes ({given}): a policy takes (rules, state) and "
            f"returns an action's number{LIKES * (3 in takes)}."
        )
    determinism.check(module, [name])
    return Rule(text, function)
