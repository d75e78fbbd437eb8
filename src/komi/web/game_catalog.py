"""The games on offer: the built-in ones, and the rule files given at the start of the server."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from functools import lru_cache
from pathlib import Path
from typing import Any

from komi.errors import InputError, RuleError
from komi.play import opponents
from komi.play.opponents import Opponent
from komi.rules import catalog, source
from komi.rules.game import Game
from komi.rules.kind import kind_of
from komi.rules.vocabulary import field_label, rule_label, title
from komi.solvers.solve import is_solvable
from komi.translation.javascript import translate
from komi.typing import Rules
from komi.web import models
from komi.web.responses import ApiError

FACES = {
    "red-light": "bag",
    "pig": "die",
    "progressive-pig": "die",
    "two-dice-pig": "two-dice",
    "big-pig": "two-dice",
    "piglet": "coin",
    "fowl-play": "cards",
    "red7": "hands",
}
"""The face of a game, by its name: how the page presents it. All else is derived from the rules."""
FACE_BY_PART = {"target": "pieces", "faces": "tray", "board": "board", "table": "items"}
"""The face by a part of the rules, for games not in FACES: the first part that a game has decides."""


LENGTHS: dict[str, float] = json.loads(Path(__file__).with_name("lengths.json").read_text(encoding="utf-8"))
"""Mean numbers of actions of a game, as `scripts/game_lengths.py` has measured them."""
SECONDS, OTHER_SECONDS = 3.0, 1.0  # that an own action and another's take in the page, with what follows: estimates


class GameCatalog:
    """The games on offer, by name.

    Args:
        files: paths of rule files to offer besides the built-in games.

    Raises:
        InputError: if two games have the same name, a file is not a rule file, or play of a game never ends.
        GameError: if a file cannot be run.
    """

    def __init__(self, files: Iterable[str] = ()) -> None:
        self._games = {name: catalog.find(name) for name in catalog.names()}
        for file in files:
            if not (file.endswith(".py") or Path(file).is_dir()):
                raise InputError(f"{file} is not a rule file: its name must end in .py.")
            game = catalog.find(file)
            if game.name in self._games:
                raise InputError(f"there is already a game {game.name!r}: rename {file}.")
            if game.has("average"):
                raise InputError(f"{game.name} declares an average of play that never ends: the server offers others.")
            check_opposed(game, game.default_rules)
            self._games[game.name] = game
        executor = ThreadPoolExecutor(1, thread_name_prefix="catalog")
        self._catalog: Future[models.CatalogResponse] = executor.submit(_build_catalog, list(self._games.values()))
        executor.shutdown(wait=False)

    def find(self, name: str) -> Game:
        """Return the game of this name.

        Raises:
            ApiError: if it is not offered.
        """
        if name not in self._games:
            raise ApiError(404, f"There is no game {name!r} here.")
        return self._games[name]

    @property
    def games(self) -> list[Game]:
        """All games on offer."""
        return list(self._games.values())

    def hides(self, name: str) -> bool:
        """Return whether a game has hidden information; True for a game that is not on offer."""
        return name not in self._games or self._games[name].has("view")

    def source(self, game: Game) -> str:
        """Return the name or the path by which another process finds the game."""
        return game.name if game.name in catalog.names() else str(game.file)

    @property
    def catalog(self) -> models.CatalogResponse:
        """The catalog for the page, computed in the background from the start on.

        Raises:
            GameError: if the rules of a file are broken.
        """
        return self._catalog.result()


def check_opposed(game: Game, rules: Rules) -> None:
    """Check that the page can tell who has won a game of this kind.

    Raises:
        InputError: if it cannot.
    """
    if not game.payoff_scale(rules).is_opposed:
        raise InputError(
            f"the page shows who has won: in {game.name} nobody wins, as the interests of the players need not be "
            "opposed ('payoff_range')."
        )


def face_of(game: Game) -> str:
    """Return the name of the game's face."""
    return FACES.get(game.name) or next((face for part, face in FACE_BY_PART.items() if game.has(part)), "table")


def _group_of(game: Game, rules: Rules) -> models.Group:
    """Return the shelf of the first page on which the game stands."""
    kind = kind_of(game, rules)
    belongs: dict[models.Group, bool] = {
        "own": game.name not in catalog.names(),
        "alone": game.players(rules) == 1,
        "board": game.has("board") or not (kind.chance or kind.hidden),
        "simultaneous": kind.simultaneous,
        "cards": kind.hidden,
        "luck": "hold" in getattr(game.module, "actions", ()),
        "dice": True,
    }
    return next(group for group, holds in belongs.items() if holds)


def objective(game: Game, rules: Rules) -> str | None:
    """Return the name of the value of a game; None if it is the chance of winning against others."""
    return game.objective(rules) if game.players(rules) == 1 or not game.payoff_scale(rules).is_chance else None


def rules_of(game: Game, settings: Mapping[str, Any]) -> Any:
    """Return the game's rules with these settings.

    Raises:
        ApiError: if one is not allowed.
    """
    try:
        rules = game.rules(settings)
        check_opposed(game, rules)
    except RuleError as error:
        raise ApiError(422, error.plain_sentence) from None
    except InputError as error:
        raise ApiError(422, str(error)) from None
    return rules


def _build_catalog(games: list[Game]) -> models.CatalogResponse:
    return models.CatalogResponse(games=[describe(game) for game in games])


@lru_cache(256)
def describe(game: Game) -> models.CatalogGameView:
    """Return the entry of a game in the catalog, by its default rules."""
    rules = game.default_rules
    return models.CatalogGameView(
        name=game.name,
        title=title(game),
        summary=game.summary,
        face=face_of(game),
        group=_group_of(game, rules),
        players=game.players(rules),
        seats=game.players(rules),
        hides=game.has("view"),
        solved=is_solvable(game, rules),
        rules=[_rule_view(game, name, default) for name, default in rules._asdict().items()],
        fields=[models.NamedView(name=field, means=field_label(game, field)) for field in game.names(rules)],
        opponents=opponent_views(opponents.available(game, rules)),
        rivals=opponent_views(rivals(game)),
        source=source_hash(game),
        minutes=_minutes(game.name, game.players(rules)),
    )


def _minutes(name: str, players: int) -> int | None:
    if name not in LENGTHS:
        return None
    return max(1, round(LENGTHS[name] * (SECONDS + (players - 1) * OTHER_SECONDS) / players / 60))


@lru_cache(256)
def source_hash(game: Game) -> str:
    """Return the SHA-256 hash of the rule file and the files beside it that it imports, concatenated by path."""
    return hashlib.sha256(b"".join(file.read_bytes() for file in source.files(game.module))).hexdigest()


@lru_cache(256)
def rules_module(game: Game) -> str:
    """Translate the rules of a game to a module of JavaScript, with which the page checks games. It takes all rules.

    Raises:
        TranslationError: if the rule file uses a construct that has no translation.
    """
    return translate(game, game.default_rules, f"{title(game)}, translated by komi from {game.file.name}")


def opponents_response(game: Game, rules: Rules) -> models.OpponentsResponse:
    """Return the opponents of the game under these rules."""
    return models.OpponentsResponse(opponents=opponent_views(opponents.available(game, rules)))


def opponent_views(found: Iterable[Opponent]) -> list[models.OpponentView]:
    """Return opponents as the API lists them."""
    return [models.OpponentView(name=each.name, title=each.title, summary=each.summary) for each in found]


def rivals(game: Game) -> tuple[Opponent, ...]:
    """Return the two-player opponents of a game that is for one player by default, else an empty tuple."""
    if game.players(game.default_rules) > 1 or "players" not in game.default_rules._fields:
        return ()
    try:
        return opponents.levels(game, game.rules({"players": 2}))
    except InputError:
        return ()


def _rule_view(game: Game, name: str, default: Any) -> models.RuleView:
    limit = getattr(game.limits(game.default_rules), name) if game.has("limits") else None
    is_word = isinstance(default, str)
    least, greatest = (None, None) if limit is None or is_word else limit[:2]
    return models.RuleView(
        name=name,
        means=rule_label(game, name),
        default=default,
        least=least,
        greatest=greatest,
        words=list(limit) if is_word and limit is not None else None,
    )
