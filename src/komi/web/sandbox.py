"""The sandbox: any position of a game, played by hand for all seats. Nothing is stored: requests send all entries."""

from komi.errors import InputError
from komi.play import record
from komi.play.record import GameRecord
from komi.rules.game import Game
from komi.rules.vocabulary import title
from komi.web import models
from komi.web.game_catalog import GameCatalog, rules_of
from komi.web.game_settings import GameSettings
from komi.web.live_game import LiveGame
from komi.web.participants import DELETED_PERSON, Participants
from komi.web.responses import ApiError

NO_ID = "0" * 32  # the id of a game that is not stored


def create(catalog: GameCatalog, request: models.SandboxRequest) -> LiveGame:
    """Create a game from this position, with all entries since.

    Raises:
        ApiError: if there is no such game, or it has hidden information.
        InputError: if the position or an entry is not possible.
    """
    game = catalog.find(request.game)
    if game.has("view"):
        raise ApiError(422, f"{title(game)} has hidden information: it has no sandbox.")
    rules = rules_of(game, request.rules)
    game = game.under(rules)
    players = game.players(rules)
    names = tuple(request.names) if len(request.names) == players else tuple(f"Player {n + 1}" for n in range(players))
    settings = GameSettings(
        id=NO_ID,
        person=DELETED_PERSON,
        game=game,
        rules=rules,
        opponent="",
        seat=0,
        is_by_lot=False,
        is_test=True,
        seed=bytes(32),
        number=NO_ID,
        participants=Participants((DELETED_PERSON,) * players, names) if players > 1 else None,
        beginning=game.read(rules, request.start) if request.start else None,
    )
    live = LiveGame(settings)
    for number, label in enumerate(request.labels):
        try:
            live.enter(label, "hand" if live.table.waiting == "event" else "you")
        except InputError as error:
            raise InputError(f"step {number}: {error}") from None
    return live


def record_text(game: Game, live: LiveGame) -> str:
    """Return the text of a game's record."""
    participants = live.settings.participants
    return record.format_game(live.table, game.name, participants.names if participants else (), live.settings.seat)


def read(catalog: GameCatalog, text: str) -> models.RecordResponse:
    """Parse a record for the sandbox.

    Raises:
        InputError: if it is not a valid record.
        ApiError: if the catalog does not contain its game.
    """
    parsed = record.parse(text)
    game = catalog.find(parsed.game)
    rules = rules_of(game, parsed.rules)
    return models.RecordResponse(
        game=game.name,
        rules={name: value for name, value in rules._asdict().items() if name in parsed.rules},
        start=parsed.start or None,
        labels=list(parsed.labels),
        names=list(parsed.players),
        seat=_seat(parsed, game.players(rules)),
    )


def _seat(parsed: GameRecord, players: int) -> int:
    if parsed.seat >= players:
        raise InputError(f"the record is for seat {parsed.seat + 1}, but the game has {players} seats.")
    return parsed.seat
