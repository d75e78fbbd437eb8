"""Names in JavaScript: the words that are reserved, and one name for each function and constant of a program."""

from collections.abc import Collection

_WORDS = """
    arguments await break case catch class const continue debugger default delete do else enum eval export extends false
    finally for function if implements import in instanceof interface let new null package private protected public
    return static super switch this throw true try typeof var void while with yield
"""
JAVASCRIPT_WORDS = frozenset(_WORDS.split())
"""The words that cannot be names in JavaScript."""
_GLOBALS = "Array Boolean Error Infinity Map Math NaN Number Object RangeError Set String undefined RULES hash"
TAKEN = JAVASCRIPT_WORDS | frozenset(_GLOBALS.split())
"""The names that a module of rules must not give to anything else."""


def free_name(name: str, taken: Collection[str] = ()) -> str:
    """Return a name, with underscores behind it if JavaScript or the program has taken it.

    Examples:
        >>> free_name("new"), free_name("score"), free_name("count", {"count", "count_"})
        ('new_', 'score', 'count__')
    """
    while name in TAKEN or name in taken:
        name += "_"
    return name
