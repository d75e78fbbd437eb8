"""Errors of the compiler, and of compiled rules, as one sentence that names the line of the rule file."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FunctionType
from typing import Any

import numba
import numpy as np
from numba.core.errors import NumbaError

from komi import catalog, walk
from komi.compile.specialise import Specialiser
from komi.errors import GameError
from komi.game import Game
from komi.interpreted import Interpreter

STATES = 2000  # that are looked at, interpreted, in search of a mistake
PARTS = ("over", "payoff", "possible", "view", "transient", "legal", "outcomes")

RAISED = (ArithmeticError, AssertionError, IndexError, ValueError)
"""What compiled rules may raise, too far from the start to be found by playing."""


def explain(
    game: Game,
    sources: list[Path],
    policies: tuple[Callable[..., Any], ...],
    error: Exception,
    arguments: tuple[Any, ...],
) -> GameError:
    """What to tell a person of an error that came from compiling, or from calling, rules and policies with arguments.

    Most mistakes show when the rules are run as they stand, where Python says best what is wrong. Else it
    is something that Python allows and the compiler does not: its own words are searched for the reason.
    """
    rules = next((argument for argument in arguments if isinstance(argument, game.module.Rules)), game.default_rules)
    problem = _shown_interpreted(game, rules) or _shown_by_policies(game, rules, policies)
    if problem is not None:
        return problem
    if isinstance(error, RAISED) and not isinstance(error, NumbaError):
        reason = f"{type(error).__name__}: {error}"
        return GameError(f"{game.file.name}: {reason}, in a state that random play has not reached.")
    sources = [*sources, *(Path(policy.__code__.co_filename) for policy in policies)]
    for message in _messages(game, rules, error):
        line = _line(message, sources)
        if line:
            return GameError(f"{line}: this cannot be compiled: {_reason(message)}.")
    return GameError(f"{game.file.name}: this cannot be compiled: {_reason(str(error) or type(error).__name__)}.")


def _shown_interpreted(game: Game, rules: Any) -> GameError | None:
    interpreter = Interpreter(game, rules)
    walk.explore(interpreter, STATES)
    if not interpreter.problems:
        walk.play(interpreter, STATES)
    for problem in interpreter.problems.values():
        return GameError(str(problem), problem.state)
    return None


def _shown_by_policies(game: Game, rules: Any, policies: tuple[Callable[..., Any], ...]) -> GameError | None:
    """What goes wrong when policies that need to be told nothing more are asked in states of random play."""
    states = [state for state, moves in walk.play(Interpreter(game, rules), STATES).items() if moves]
    view: Callable[..., Any] = game.part("view") if game.has("view") else lambda rules, state: state
    for policy in policies:
        for state in states if policy.__code__.co_argcount == 2 else ():
            wrong = _wrong_with(policy, rules, view(rules, state))
            if wrong:
                written = game.write(rules, state)
                return GameError(f"{wrong} in {written}.", written)
    return None


def _wrong_with(policy: Callable[..., Any], rules: Any, state: Any) -> str | None:
    """What is wrong with what a policy does in a state, and in which line."""
    code, name = policy.__code__, policy.__name__
    try:
        action = policy(rules, state)
    except Exception as error:
        return f"{catalog.place(error) or name}: {type(error).__name__}: {error}"
    if isinstance(action, int | np.integer):
        return None
    where = f"{Path(code.co_filename).name}, line {code.co_firstlineno}"
    return f"{where}: policy {name!r} returns {action!r}, not an action's number,"


def _messages(game: Game, rules: Any, error: Exception) -> Iterator[str]:
    """What the compiler says of each function alone, where it names the line; and what it said first."""
    state = game.part("start")(rules)
    action = next(iter(game.part("legal")(rules, state)), 0)
    specialiser = Specialiser({}, lambda module: False, "alone")
    for name in PARTS:
        function = getattr(game.module, name, None)
        if isinstance(function, FunctionType):
            arguments = (rules, state, action) if name == "outcomes" else (rules, state)
            try:
                specialiser.compiled(function).compile(tuple(map(numba.typeof, arguments)))
            except Exception as alone:
                yield _plain(str(alone))
    yield _plain(str(error))


def _plain(message: str) -> str:
    return re.sub(r"\x1b\[[0-9;]*m", "", message)


def _line(message: str, sources: list[Path]) -> str | None:
    """The last line of the rules that the message names: where the mistake is, not what leads there."""
    names = {path.name for path in sources}
    found = re.findall(r'File "([^"\n]+)", line (\d+)|(/[^\n:()]+) \((\d+)\)', message)
    lines = [(Path(path or other).name, line or number) for path, line, other, number in found]
    return next((f"{name}, line {line}" for name, line in reversed(lines) if name in names), None)


def _reason(message: str) -> str:
    """The most telling line."""
    patterns = (
        r"(Unknown attribute '\w+' of type [^\n]*)",
        r"(NameError: [^\n]*)",
        r"(Untyped global name '\w+'[^\n]*)",
        r"([Cc]an(?:no|')t unify [^\n]*)",
        r"([Vv]ariable '\w+' [^\n]*)",
        r"(No implementation of function [^\n]*)",
        r"(Use of unsupported [^\n]*)",
    )
    for pattern in patterns:
        found = re.search(pattern, message)
        if found:
            return _trimmed(found[1])
    lines = [line.strip() for line in message.splitlines() if line.strip()]
    telling = [line for line in lines if not line.startswith(("Failed in", "During:", "File ", "-", "*"))]
    return _trimmed((telling or lines or ["it does not say why"])[0])


def _trimmed(line: str) -> str:
    line = re.sub(r"Function\(<(?:[a-z-]+ )+([\w.]+).*>\) found for signature", r"'\1' for what it is given", line)
    return re.sub(r"Raised from .*", "", line).strip(" .:")
