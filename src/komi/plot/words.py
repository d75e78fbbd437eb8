"""The game's own words for what a picture shows: those of the comments in its rule file."""

import ast
import io
import re
import tokenize

from komi.evaluation.turns import Turns
from komi.game import Game

LONGEST = 40  # letters of a comment that an axis has room for


def title(game: Game) -> str:
    """What the game is called, as its file begins; its name if the file does not say."""
    called = game.summary.partition(":")[0]
    return called if 0 < len(called) <= LONGEST else game.name


def meaning(game: Game, field: str, of: str = "State") -> str:
    """What a field of the state, or the rules, means, as the comment beside it begins; its name without a short one."""
    beginning = re.split(r"[:;,.(]", explanation(game, field, of))[0].strip()
    return beginning if 0 < len(beginning) <= LONGEST else field


def explanation(game: Game, field: str, of: str = "State") -> str:
    """The whole comment beside a field of the state, or the rules; nothing without one."""
    return _comments(game, of).get(field, "")


def going_on(game: Game) -> str:
    """What it is called not to hold."""
    others = [action for action in game.module.actions if action != "hold"]
    return str(others[0]) if len(others) == 1 else "go on"


def whose(turns: Turns) -> str:
    """What is drawn, and whose play."""
    return f"when to hold, {turns.policy} play"


def describe(turns: Turns, decks: int = 1) -> str:
    """The rules in one line, and what is out of the deck if there is only one."""
    rules = ", ".join(f"{name} {value}" for name, value in turns.rules._asdict().items())
    deck = describe_deck(turns)
    return f"{rules};  {deck}" if deck and decks == 1 else rules


def describe_deck(turns: Turns, between: str = ", ") -> str:
    """What is out of the deck as the turns begin; nothing for a game without one."""
    return between.join(f"{value} {meaning(turns.game, field)}" for field, value in turns.deck.items())


def _comments(game: Game, of: str) -> dict[str, str]:
    """The comment beside each field of the class of that name."""
    source = game.file.read_text()
    beside = {
        token.start[0]: token.string.lstrip("# ")
        for token in tokenize.generate_tokens(io.StringIO(source).readline)
        if token.type == tokenize.COMMENT
    }
    return {
        statement.target.id: beside.get(statement.lineno, "")
        for fields in ast.walk(ast.parse(source))
        if isinstance(fields, ast.ClassDef) and fields.name == of
        for statement in fields.body
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name)
    }
