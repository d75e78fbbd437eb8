"""Storage of the strategy taught last for each game, so that users can play against it."""

from dataclasses import dataclass
from pathlib import Path

from komi.cache import folder, has_entries, put
from komi.errors import StorageError
from komi.jit.cache_keys import fingerprint
from komi.rules import loading
from komi.rules.game import Game
from komi.teaching.strategy_rendering import NAME
from komi.typing import Rules

_KIND = "cards"
_TEXT = ".txt"


@dataclass(frozen=True)
class CheatSheet:
    """A stored strategy.

    Attributes:
        text: the strategy in sentences.
        policy: its name as `komi match` takes it.
    """

    text: str
    policy: str


def store(game: Game, rules: Rules, text: str, source: str) -> None:
    """Store a strategy; replace the one taught before for these rules.

    Raises:
        StorageError: if the cache folder is not writable.
    """
    file = _file(game, rules)
    put(file, source.encode())
    put(file.with_suffix(_TEXT), text.encode())


def load(game: Game, rules: Rules) -> CheatSheet | None:
    """Return the strategy taught last for these rules, or else for the default rules, or None."""
    if not has_entries(_KIND, _prefix(game)):
        return None
    for taught_rules in (rules, game.default_rules):
        try:
            file = _file(game, taught_rules)
            text = file.with_suffix(_TEXT).read_text(encoding="utf-8")
        except (OSError, StorageError):
            continue
        if file.is_file():
            return CheatSheet(text, f"{file}:{NAME}")
    return None


def _file(game: Game, rules: Rules) -> Path:
    key = fingerprint(loading.digest(game.module), repr(tuple(rules)))
    return folder(_KIND) / f"{_prefix(game)}{key}.py"


def _prefix(game: Game) -> str:
    return f"{game.name.replace('-', '_')}_"
