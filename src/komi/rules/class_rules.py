"""Rule files for games that are defined as a class, in a notebook or in a module.

The body of the class becomes the rule file, in a folder of the cache, so that the game is solved, checked, measured and
played like any other; see `rules.extracted_source` for what it can use from outside of the class.
"""

import ast
import re
import sys
import textwrap
from pathlib import Path
from types import FunctionType

from komi.errors import GameError
from komi.rules import derived
from komi.rules.extracted_source import find_definition, namespace_of, outside


def write_rules(game: type) -> Path:
    """Write the rule file of a class whose body holds the parts of a game, and return its path.

    Raises:
        GameError: if its source is not available, or it uses a value that a rule file cannot contain.
        StorageError: if the file cannot be written.
    """
    functions = [function for value in vars(game).values() if (function := _function(value))]
    body = _body(game, functions[0]) if functions else None
    if body is None:
        raise GameError(
            f"class {game.__name__} is not a game: komi finds no source of a function in it, such as 'start'."
        )
    namespace = dict(vars(sys.modules[game.__module__])) if game.__module__ in sys.modules else {}
    for function in functions:
        namespace |= namespace_of(function)
    used = outside(f"class {game.__name__}", game.__module__, namespace, body)
    text = "\n".join([_docstring(game), *used, body, ""])
    file = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", game.__name__).lower() + ".py"
    return derived.write("class", {Path(file): text.encode()}) / file


def _docstring(game: type) -> str:
    return f"{game.__doc__!r}\n" if game.__doc__ else ""


def _function(value: object) -> FunctionType | None:
    """Return a function of a class, without `staticmethod` around it; None for anything else."""
    function = value.__func__ if isinstance(value, staticmethod) else value
    return function if isinstance(function, FunctionType) else None


def _body(game: type, function: FunctionType) -> str | None:
    """Return the source of the body of a class without its docstring, at the margin; None if it is not available."""
    definition, lines = find_definition(function, ast.ClassDef, game.__name__)
    if definition is None:
        return None
    body = definition.body[1:] if ast.get_docstring(definition) is not None else definition.body
    undecorated = {
        decorator.lineno
        for statement in body
        if isinstance(statement, ast.FunctionDef)
        for decorator in statement.decorator_list
        if isinstance(decorator, ast.Name) and decorator.id == "staticmethod"
    }
    first = min([statement.lineno for statement in body[:1]] + list(undecorated), default=0)
    numbered = range(first, (definition.end_lineno or 0) + 1)
    return textwrap.dedent("".join(lines[number - 1] for number in numbered if number not in undecorated))
