"""The words in which people are told of a game: its own, from the comments in its rule file, and what we count."""

import ast
import io
import re
import tokenize
from functools import lru_cache
from typing import Any

from komi.game import Game
from komi.syntax import parse, statements

LONGEST = 40  # letters of a comment that an axis has room for

COUNTED = "Actions are those of the players, forced ones too; what chance does by itself is not counted."
"""What a number of actions is, wherever one is told."""


def title(game: Game) -> str:
    """What the game is called, as its file begins; its name if the file does not say."""
    called = game.summary.partition(":")[0]
    return called if 0 < len(called) <= LONGEST else game.name


def settings(rules: Any) -> str:
    """All rules and their values in one line; nothing for a game that has none."""
    return ", ".join(f"{name} {value}" for name, value in rules._asdict().items())


def meaning(game: Game, field: str, of: str = "State") -> str:
    """What a field of the state, or the rules, means, as the comment beside it begins; its name without a short one."""
    beginning = re.split(r"[:;,.(]", explanation(game, field, of))[0].strip()
    return beginning if 0 < len(beginning) <= LONGEST else field


def setting(game: Game, rule: str) -> str:
    """What a rule sets: as its comment begins, or all of that where this is too long for a name."""
    beginning = meaning(game, rule, "Rules")
    return beginning if beginning != rule else explanation(game, rule, "Rules") or rule


def explanation(game: Game, field: str, of: str = "State") -> str:
    """The whole comment beside a field of the state, or the rules; nothing without one."""
    return _comments(game, of).get(field, "")


def going_on(game: Game) -> str:
    """What it is called not to hold."""
    others = [action for action in game.module.actions if action != "hold"]
    return str(others[0]) if len(others) == 1 else "go on"


def _comments(game: Game, of: str) -> dict[str, str]:
    """The comment beside each field of the class of that name."""
    with tokenize.open(game.file) as file:
        return _fields(file.read()).get(of, {})


@lru_cache(64)
def _fields(source: str) -> dict[str, dict[str, str]]:
    """The comments beside the fields of every class in a source text."""
    beside = {
        token.start[0]: token.string.lstrip("# ")
        for token in tokenize.generate_tokens(io.StringIO(source).readline)
        if token.type == tokenize.COMMENT
    }
    return {
        fields.name: {
            statement.target.id: beside.get(statement.lineno, "")
            for statement in fields.body
            if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name)
        }
        for fields in statements(parse(source))
        if isinstance(fields, ast.ClassDef)
    }
