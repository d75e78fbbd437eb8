"""Names and descriptions of a game's terms for users, taken from the comments in its rule file."""

import ast
import io
import re
import tokenize
from functools import lru_cache

from komi.rules.game import Game
from komi.syntax import parse, statements
from komi.typing import Rules

MAX_LABEL = 40  # maximum number of characters in a label

ACTION_COUNT_NOTE = "Actions are those of the players, forced ones too; what chance does by itself is not counted."
"""The definition of a number of actions, shown wherever one is reported."""


def title(game: Game) -> str:
    """Return the title of the game, from the first line of its file; its name if there is none."""
    called = game.summary.partition(":")[0]
    return called if 0 < len(called) <= MAX_LABEL else game.name


def format_rules(rules: Rules) -> str:
    """Format all rules and their values on one line; an empty text for a game without rules."""
    return ", ".join(f"{name} {value}" for name, value in rules._asdict().items())


def rules_in_words(game: Game, rules: Rules) -> str:
    """List the rules in words: those that are true as sentences, and not those that are false."""
    held = {name: value for name, value in rules._asdict().items() if value is not False}
    return ", ".join(rule_label(game, name) if value is True else f"{name} {value}" for name, value in held.items())


def field_label(game: Game, field: str, of: str = "State") -> str:
    """Return the short description of a state field or a rule from the comment beside it, or its name."""
    name, bracket, index = field.partition("[")  # an entry of a tuple
    beginning = re.split(r"[:;,.(]", description(game, name, of))[0].strip()
    return f"{beginning} {bracket}{index}".rstrip() if 0 < len(beginning) <= MAX_LABEL else field


def rule_label(game: Game, rule: str) -> str:
    """Return the short description of a rule, or its whole comment if there is no short one."""
    beginning = field_label(game, rule, "Rules")
    return beginning if beginning != rule else description(game, rule, "Rules") or rule


def description(game: Game, field: str, of: str = "State") -> str:
    """Return the whole comment beside a state field or a rule; an empty text without one."""
    return _comments(game, of).get(field, "")


def continue_label(game: Game) -> str:
    """Return the label of the action other than hold."""
    others = [action for action in game.module.actions if action != "hold"]
    return str(others[0]) if len(others) == 1 else "go on"


def _comments(game: Game, of: str) -> dict[str, str]:
    """Return the comment beside each field of the class of that name."""
    with tokenize.open(game.file) as file:
        return _fields(file.read()).get(of, {})


@lru_cache(64)
def _fields(source: str) -> dict[str, dict[str, str]]:
    """Return the comments beside the fields of every class in a source text."""
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


def with_verb(objective: str, whose: str = "") -> str:
    """Return an objective, whose it is, and "is" or "are": "expected points of the first player are"."""
    return f"{f'{objective} {whose}'.strip()} {'are' if objective.endswith('s') else 'is'}"
