"""The games on offer: the built-in ones, and the rule files given at the start of the server."""

import hashlib
from collections.abc import Iterable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from functools import lru_cache
from pathlib import Path
from typing import Any

from komi.errors import InputError, RuleError
from komi.game import Game
from komi.play import opponents
from komi.play.opponents import Opponent
from komi.rules import catalog, source
from komi.rules.vocabulary import field_label, rule_label, title
from komi.solvers.solve import is_solvable
from komi.web import models
from komi.web.faces import face_of
from komi.web.refusals import RefusalError


class Offered:
    """The games on offer, by name.

    Args:
        files: paths of rule files to offer besides the built-in games.

    Raises:
        InputError: if two games have the same name, or a file is not a rule file.
        GameError: if a file cannot be run.
    """

    def __init__(self, files: Iterable[str] = ()) -> None:
        self._games = {name: catalog.find(name) for name in catalog.names()}
        for file in files:
            if not (file.endswith(".py") or Path(file).is_dir()):
                raise InputError(f"{file} is no rule file: its name must end in .py.")
            game = catalog.find(file)
            if game.name in self._games:
                raise InputError(f"there is a game {game.name!r} already: give {file} another name.")
            self._games[game.name] = game
        worker = ThreadPoolExecutor(1, thread_name_prefix="catalog")
        self._catalog: Future[models.Catalog] = worker.submit(_catalog, list(self._games.values()))
        worker.shutdown(wait=False)

    def find(self, name: str) -> Game:
        """Return the game of this name.

        Raises:
            RefusalError: if it is not offered.
        """
        if name not in self._games:
            raise RefusalError(404, f"There is no game {name!r} here.")
        return self._games[name]

    def hides(self, name: str) -> bool:
        """Return whether a game has hidden information; True for a game that is not on offer."""
        return name not in self._games or self._games[name].has("view")

    def source(self, game: Game) -> str:
        """Return the name or the path by which another process finds the game."""
        return game.name if game.name in catalog.names() else str(game.file)

    @property
    def catalog(self) -> models.Catalog:
        """The catalog for the page, computed in the background from the start on.

        Raises:
            GameError: if the rules of a file are broken.
        """
        return self._catalog.result()


def rules_of(game: Game, settings: Mapping[str, Any]) -> Any:
    """Return the game's rules with these settings.

    Raises:
        RefusalError: if one is not allowed.
    """
    try:
        return game.rules(settings)
    except RuleError as error:
        raise RefusalError(422, error.plain_sentence) from None
    except InputError as error:
        raise RefusalError(422, str(error)) from None


def _catalog(games: list[Game]) -> models.Catalog:
    return models.Catalog(games=[_offered(game) for game in games])


@lru_cache(256)
def _offered(game: Game) -> models.GameOffered:
    rules = game.default_rules
    return models.GameOffered(
        name=game.name,
        title=title(game),
        summary=game.summary,
        face=face_of(game),
        players=game.players(rules),
        seats=game.players(rules),
        hides=game.has("view"),
        solved=is_solvable(game, rules),
        rules=[_rule(game, name, default) for name, default in rules._asdict().items()],
        fields=[models.Named(name=field, means=field_label(game, field)) for field in game.fields(rules)],
        opponents=_told(opponents.available(game, rules)),
        rivals=_told(rivals(game)),
        source=source_hash(game),
    )


@lru_cache(256)
def source_hash(game: Game) -> str:
    """Return the SHA-256 hash of the rule file and the files beside it that it imports, concatenated by path."""
    return hashlib.sha256(b"".join(file.read_bytes() for file in source.files(game.module))).hexdigest()


def opponents_offered(game: Game, rules: Any) -> models.Opponents:
    """Return the opponents of the game under these rules."""
    return models.Opponents(opponents=_told(opponents.available(game, rules)))


def _told(offered: Iterable[Opponent]) -> list[models.OpponentOffered]:
    return [models.OpponentOffered(name=each.name, title=each.title, summary=each.summary) for each in offered]


def rivals(game: Game) -> tuple[Opponent, ...]:
    """Return the two-player opponents of a game that is for one player by default, else an empty tuple."""
    if game.players(game.default_rules) > 1 or "players" not in game.default_rules._fields:
        return ()
    try:
        return opponents.levels(game, game.rules({"players": 2}))
    except InputError:
        return ()


def _rule(game: Game, name: str, default: Any) -> models.Rule:
    limit = getattr(game.limits(game.default_rules), name) if game.has("limits") else None
    is_word = isinstance(default, str)
    least, greatest = (None, None) if limit is None or is_word else limit[:2]
    return models.Rule(
        name=name,
        means=rule_label(game, name),
        default=default,
        least=least,
        greatest=greatest,
        words=list(limit) if is_word and limit is not None else None,
    )
