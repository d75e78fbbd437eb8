"""Errors of the compiler and of compiled rules, explained in one sentence that names the line of the rule file."""

import re
import traceback
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import FunctionType
from typing import Any

import numba
import numpy as np
from numba.core.errors import NumbaError

from komi.errors import GameError
from komi.game import CHANCE
from komi.jit.specialization import Specializer
from komi.rules import enumeration, loading
from komi.rules.game import Game
from komi.rules.interface import VISITED, legal, outcomes, over, possible, reward, seat_payoff, stated_seats, view
from komi.rules.interpreter import Interpreter
from komi.typing import Rules, State

MAX_STATES = 2000  # states to visit with interpreted rules in search of the error
MAX_OUTCOMES = 50_000  # approximate limit on the outcomes of these states
FUNCTIONS = ("over", "payoff", "possible", "view", "transient", "legal", "outcomes")

RUNTIME_ERRORS = (ArithmeticError, AssertionError, LookupError, UnboundLocalError, ValueError)
"""Exceptions that compiled rules can raise in states too far from the start for interpreted play to reach."""

SUPPORTED = "'if', 'for', 'while', 'range', 'min', 'max', 'abs', 'sum', tuples, functions of the file, and 'math'"
SUPPORTED_CONSTANTS = "whole numbers, floats, tuples, and lists and dicts of numbers that are set up once"
TYPE_NAMES = (  # the compiler's name of a type, and its plain description
    (r"(?:Literal\[int\]\(.*\)|u?int\d+)", "a whole number"),
    (r"float\d+", "a float"),
    (r"(?:Literal\[bool\]\(.*\)|bool(?:ean)?)", "true or false"),
    (r"none", "nothing"),
    (r"(?:Uni)?Tuple\(.*\)", "a tuple"),
    (r"(?:Literal\[str\]\(.*\)|unicode_type)", "a text"),
    (r"(?:reflected )?list\(.*", "a list"),
    (r"(\w+)\((?:\w+ x \d+|.*, .*)\)", r"a \1"),
    (r"OptionalType\((.*)\) i.e. .*", r"nothing, or \1,"),
)
REASONS = (  # the compiler's message, and advice on how to fix the rules
    (
        r"Unknown attribute '(\w+)' of type Module\(<module '([\w.]+)'",
        "rules cannot use '{1}.{0}': write it out as a function of the file",
    ),
    (
        r"Unknown attribute '(\w+)' of type (\w+)\(",
        "rules know the fields of a {1}, and no '{0}' of it: write a function of the file that takes a {1}",
    ),
    (r"Unknown attribute '(\w+)' of type ([^\n]*)", "rules cannot use '{0}' of {1}: write it out with " + SUPPORTED),
    (
        r"(GET_YIELD_FROM_ITER)",
        "'yield from' can only stand error_alone, in a function of the file: write 'for thing in things: yield thing'",
    ),
    (r"UNPACK_EX", "'a, *others = ...' is not for rules: name each part, as in 'a, b, c = ...'"),
    (
        r"yield in a closure",
        "a function inside a function cannot yield, and a generator expression can only be gathered by 'sum', 'min', "
        "'max', 'any' or 'all': put the function beside the rules, or write a 'for' loop",
    ),
    (r"(NameError: [^\n]*)", "{0}"),
    (
        r"Untyped global name '(\w+)'[^\n]*<class 'type'>",
        "rules cannot make a '{0}': they use no classes but Rules, State and other NamedTuples",
    ),
    (
        r"Untyped global name '(\w+)'[^\n]*<class 'builtin_function_or_method'>",
        "rules cannot use '{0}': write it out with " + SUPPORTED,
    ),
    (
        r"Untyped global name '(\w+)'[^\n]*<class '([\w.]+)'>",
        "rules cannot use '{0}', a {1}: they use " + SUPPORTED_CONSTANTS,
    ),
    (
        r"[Vv]ariable '(\w+)' in globals[^\n]*reflected (list|set)",
        "rules cannot use '{0}': a {1} that is set up once holds numbers; if they are more than 1,000, all are whole "
        "or all are floats, and the rows of a table have equally many",
    ),
    (
        r"[Vv]ariable '([\w.]+)', have imprecise type: (?:list|set|dict)\(undefined",
        "nothing is ever put into '{0}': leave it out, or let it begin with what it shall hold",
    ),
    (
        r"[Cc]an(?:no|')t unify return type from the following types: ((?:[^,(]|\([^)]*\))+), ([^\n]+)",
        "a function returns {0} in one place and {1} in another: let it return one kind of thing",
    ),
    (
        r"[Cc]an(?:no|')t unify yield type[^\n]*State\(int64 x (\d+)\)[^\n]*State\(int64 x (?!\1\))(\d+)\)",
        "'State' is given {0} fields in one place and {1} in another: beside an argument with '*', list all of them",
    ),
    (
        r"[Cc]an(?:no|')t unify (.+) and (.+) for '(\w+?)(?:\.\d+)?'",
        "'{2}' is {0} in one place and {1} in another: use two names, or one kind of thing",
    ),
    (
        r"exception_match",
        "rules cannot catch an error by its name: test with 'if' before what may go wrong",
    ),
    (
        r"[Ii]nvalid use of getiter with parameters \((?:none|undefined)",
        "a function that yields cannot go through what it yields itself: write it as a loop",
    ),
    (
        r">>> (?:mul\((?:Uni)?Tuple\(|getitem\((?:Uni)?Tuple\(.*, slice|tuple\()",
        "only 'start' can compute the length of a tuple: elsewhere begin with a tuple of the state, and change its "
        "entries with 'put'",
    ),
    (
        r"No implementation of function Function\(<(?:[a-z-]+ )+'?([\w.]+).*",
        "'{0}' cannot take what it is given: rules use " + SUPPORTED,
    ),
    (
        r"FORMAT_WITH_SPEC",
        "this is Python that rules cannot use (a format spec): they use " + SUPPORTED,
    ),  # from 3.13 on
    (r"[Uu]se of unsupported opcode \((\w+)\)", "this is Python that rules cannot use ({0}): they use " + SUPPORTED),
    (r"([Cc]an(?:no|')t unify [^\n]*)", "{0}"),
    (r"([Vv]ariable '\w+' [^\n]*)", "{0}"),
    (r"(Use of unsupported [^\n]*)", "{0}"),
)


def explain(
    game: Game,
    sources: list[Path],
    policies: tuple[Callable[..., Any], ...],
    error: Exception,
    arguments: tuple[Any, ...],
    visit: Callable[[Any, int, Any], object],
) -> GameError:
    """Explain an error raised while compiling or calling rules and policies.

    Most errors also occur when the rules are interpreted, where Python's message is the clearest. Otherwise the code is
    valid Python that the compiler does not support: the reason is extracted from the compiler's message.

    Args:
        game: the game.
        sources: the files of its rules.
        policies: the functions that were compiled with them.
        error: the exception that was raised.
        arguments: the arguments of the compiled code.
        visit: calls all compiled rules, given rules, number of seats and a state, and raises what they raise.

    Returns:
        An error whose message names the line or the state.
    """
    rules = next((argument for argument in arguments if isinstance(argument, game.module.Rules)), game.default_rules)
    is_of_rules = isinstance(error, RUNTIME_ERRORS) and not _is_of_compiler(error)
    problem = _error_near(game, rules, _visited(game, arguments), visit) if is_of_rules else None
    problem = problem or _error_when_interpreted(game, rules) or _error_of_policies(game, rules, policies)
    if problem is not None:
        return problem
    if is_of_rules:
        return _error_when_compiled(game, rules, error, visit)
    sources = [*sources, *(Path(policy.__code__.co_filename) for policy in policies)]
    for message in _messages(game, rules, error):
        line = next(reversed(_lines(message, sources)), None)  # the line of the error, not of its callers
        if line:
            return GameError(f"{line}: this cannot be compiled: {_reason(message)}.")
    return GameError(f"{game.file.name}: this cannot be compiled: {_reason(str(error) or type(error).__name__)}.")


def line_in_question(sources: list[Path], error: Exception) -> str | None:
    """Return the line, "pig.py, line 7", that an error of numba-cuda is about: it names callers last."""
    return next(iter(_lines(str(error), sources)), None)


def _error_when_interpreted(game: Game, rules: Rules) -> GameError | None:
    interpreter = Interpreter(game, rules)
    nearest, _ = enumeration.explore(interpreter, MAX_STATES, MAX_OUTCOMES)
    if not interpreter.problems:
        enumeration.sample_states(interpreter, MAX_STATES, max_outcomes=MAX_OUTCOMES, known=nearest)
    for problem in interpreter.problems.values():
        return GameError(str(problem), problem.state)
    return None


def _is_of_compiler(error: Exception) -> bool:
    """Return whether an error was raised by the compiler rather than by compiled code."""
    frames = traceback.walk_tb(error.__traceback__)
    return isinstance(error, NumbaError) or any(
        str(frame.f_globals.get("__name__")).startswith("numba.") for frame, _ in frames
    )


def _visited(game: Game, arguments: tuple[Any, ...]) -> State | None:
    """Return the state in which a kernel ran the rules when they raised an error; None if it has not recorded it."""
    for witness in [argument.witness for argument in arguments if hasattr(argument, "witness")]:
        *fields, action = map(int, witness[: len(game.module.State._fields) + 1])
        if action == VISITED:
            return game.module.State(*fields)
    return None


def _error_near(
    game: Game, rules: Rules, state: State | None, visit: Callable[[Any, int, Any], object]
) -> GameError | None:
    """Find the error that rules raise in a state or in one that follows; None if they do not raise any."""
    if state is None:
        return None
    interpreter = Interpreter(game, rules)
    moves = interpreter.moves(state)
    for problem in interpreter.problems.values():
        return GameError(str(problem), problem.state)
    following = [after for move in moves for _, after, _ in move.outcomes]
    return _first_error(game, rules, [state, *following], visit)


def _error_when_compiled(
    game: Game, rules: Rules, error: Exception, visit: Callable[[Any, int, Any], object]
) -> GameError:
    """Describe an error that only compiled rules raise, with the first state found in which they raise it."""
    interpreter = Interpreter(game, rules)
    nearest, _ = enumeration.explore(interpreter, MAX_STATES, MAX_OUTCOMES)
    sampled = enumeration.sample_states(interpreter, MAX_STATES, max_outcomes=MAX_OUTCOMES, known=nearest)
    return _first_error(game, rules, [*nearest, *sampled], visit) or GameError(
        f"{game.file.name}: {_raised(error)}, in a state that random play has not reached{_limit(error)}."
    )


def _first_error(
    game: Game, rules: Rules, states: Iterable[State], visit: Callable[[Any, int, Any], object]
) -> GameError | None:
    """Describe the error that compiled rules raise in the first of these states in which they raise one."""
    seats = game.players(rules)
    for state in states:
        try:
            visit(rules, seats, state)
        except RUNTIME_ERRORS as raised:
            written = game.write(rules, state)
            return GameError(f"{game.file.name}: {_raised(raised)} in {written}{_limit(raised)}.", written)
    return None


def _raised(error: Exception) -> str:
    """Describe an error that compiled rules raise."""
    if isinstance(error, OverflowError):
        return str(error)
    return f"compiled, the rules raise {type(error).__name__}: {error},"


def _limit(error: Exception) -> str:
    return ": komi computes with 64-bit integers, up to 2**63 - 1" if isinstance(error, OverflowError) else ""


def visit_state(rules: Rules, seats: int, state: State) -> float:
    """Call the rules on a state, and return the sum of the numbers that they return: a use of all of them."""
    total = 0.0
    if over(rules, state):
        for seat in range(stated_seats(seats)):
            total += seat_payoff(rules, state, seat)
        return total
    total += possible(rules, state)
    view(rules, state)
    for action in legal(rules, state):
        for probability, after, _ in outcomes(rules, state, action):
            total += probability + reward(rules, state, action, after)
    return total


def _error_of_policies(game: Game, rules: Rules, policies: tuple[Callable[..., Any], ...]) -> GameError | None:
    """Find an error of the policies without parameters in states of random play, or None."""
    if not policies:
        return None
    moves_of = enumeration.sample_states(Interpreter(game, rules), MAX_STATES, max_outcomes=MAX_OUTCOMES)
    states = [state for state, moves in moves_of.items() if moves and moves[0].action != CHANCE]
    view: Callable[..., Any] = game.part("view") if game.has("view") else lambda rules, state: state
    for policy in policies:
        for state in states if policy.__code__.co_argcount == 2 else ():
            wrong = _policy_error(policy, rules, game.nested(view(rules, state)))
            if wrong:
                written = game.write(rules, state)
                return GameError(f"{wrong} in {written}.", written)
    return None


def _policy_error(policy: Callable[..., Any], rules: Rules, state: State) -> str | None:
    """Describe what a policy does wrong in a state, and in which line; None if its action is an integer."""
    try:
        action = policy(rules, state)
    except Exception as error:
        return f"{loading.error_location(error) or policy.__name__}: {type(error).__name__}: {error}"
    if isinstance(action, int | np.integer):
        return None
    return no_number(policy, action)


def no_number(policy: Callable[..., Any], action: object) -> str:
    """Describe that a policy returns something else than an integer, to be followed by the state."""
    code = policy.__code__
    where = f"{Path(code.co_filename).name}, line {code.co_firstlineno}"
    return f"{where}: policy {policy.__name__!r} returns {action!r}, not an action's number,"


def _messages(game: Game, rules: Rules, error: Exception) -> Iterator[str]:
    """Yield the compiler's message for each function compiled alone, which names the line, then the original one."""
    state = game.part("start")(rules)
    action = next(iter(game.part("legal")(rules, state)), 0)
    specializer = Specializer({}, lambda module: False)
    for name in FUNCTIONS:
        function = getattr(game.module, name, None)
        if isinstance(function, FunctionType):
            arguments = (rules, state, action) if name == "outcomes" else (rules, state)
            try:
                specializer.compiled(function).compile(tuple(map(numba.typeof, arguments)))
            except Exception as error_alone:
                yield _without_colours(str(error_alone))
    yield _without_colours(str(error))


def _without_colours(message: str) -> str:
    return re.sub(r"\x1b\[[0-9;]*m", "", message)


def _lines(message: str, sources: list[Path]) -> list[str]:
    """Return the lines of the rule files that a message of the compiler names."""
    names = {path.name for path in sources}
    found = re.findall(r'File "([^"\n]+)", line (\d+)|(/[^\n:()]+) \((\d+)\)', message)
    lines = [(Path(path or other).name, line or number) for path, line, other, number in found]
    return [f"{name}, line {line}" for name, line in lines if name in names]


def _reason(message: str) -> str:
    """Return the most informative line of the message, in the terms of the guide where they are known."""
    for pattern, sentence in REASONS:
        found = re.search(pattern, message)
        if found:
            return _trim(sentence.format(*(_type_name(part) for part in found.groups())))
    lines = [line.strip() for line in message.splitlines() if line.strip()]
    informative = [line for line in lines if not line.startswith(("Failed in", "During:", "File ", "-", "*"))]
    return _trim((informative or lines or ["it does not say why"])[0])


def _type_name(part: str) -> str:
    """Translate the compiler's name of a type into the term that the guide uses."""
    for pattern, words in TYPE_NAMES:
        if re.fullmatch(pattern, part.strip()):
            return re.sub(pattern, words, part.strip())
    return part.strip()


def _trim(line: str) -> str:
    return re.sub(r"Raised from .*", "", line).strip(" .:")
