"""The game's own words for what a picture shows: those of the comments in its rule file."""

import ast
import io
import re
import tokenize
from collections.abc import Mapping

from komi.game import Game

LONGEST = 40  # letters of a comment that an axis has room for


def title(game: Game) -> str:
    """What the game is called, as its file begins; its name if the file does not say."""
    called = game.summary.partition(":")[0]
    return called if 0 < len(called) <= LONGEST else game.name


def meaning(game: Game, field: str) -> str:
    """What a field of the state means, as the comment beside it begins; its name if there is no short one."""
    beginning = re.split(r"[:;,.(]", _comments(game).get(field, ""))[0].strip()
    return beginning if 0 < len(beginning) <= LONGEST else field


def describe_rules(rules: Mapping[str, object]) -> str:
    """The rules in one line."""
    return ", ".join(f"{name} {value}" for name, value in rules.items())


def describe_deck(game: Game, deck: Mapping[str, int]) -> str:
    """What is out of the deck in one line; nothing for a game without one."""
    return ", ".join(f"{value} {meaning(game, field)}" for field, value in deck.items())


def _comments(game: Game) -> dict[str, str]:
    """The comment beside each field of the state."""
    source = game.file.read_text()
    beside = {
        token.start[0]: token.string.lstrip("# ")
        for token in tokenize.generate_tokens(io.StringIO(source).readline)
        if token.type == tokenize.COMMENT
    }
    return {
        statement.target.id: beside.get(statement.lineno, "")
        for state in ast.walk(ast.parse(source))
        if isinstance(state, ast.ClassDef) and state.name == "State"
        for statement in state.body
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name)
    }
