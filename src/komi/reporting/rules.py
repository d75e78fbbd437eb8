"""The rules of a game in the words of its rule file."""

from inspect import cleandoc
from typing import Any

from komi.game import Game
from komi.rules import vocabulary


def paragraphs(game: Game) -> list[str]:
    """Return the paragraphs of the rule file's docstring after its first line, each as one line."""
    rest = cleandoc(game.module.__doc__ or "").partition("\n")[2]
    return [" ".join(text.split()) for text in rest.split("\n\n") if text.strip()]


def settings(game: Game, rules: Any) -> list[tuple[str, str, str]]:
    """Return each rule, its value, and its meaning from the comment beside it."""
    return [(name, str(value), vocabulary.description(game, name, "Rules")) for name, value in rules._asdict().items()]
