"""The sandbox: any position of a game, played by hand for all seats. Nothing is stored: requests send all entries."""

from komi.errors import InputError
from komi.game import Game
from komi.play import record
from komi.play.record import GameRecord
from komi.rules.vocabulary import title
from komi.web import models
from komi.web.live import Agreed, LiveGame
from komi.web.offered import Offered, rules_of
from komi.web.party import GONE, Party
from komi.web.refusals import RefusalError

NOBODY = "0" * 32  # the id of a game that is not stored


def laid(offered: Offered, asked: models.SandboxAsked) -> LiveGame:
    """Create a game from this position, with all entries since.

    Raises:
        RefusalError: if there is no such game, or it has hidden information.
        InputError: if the position or an entry is not possible.
    """
    game = offered.find(asked.game)
    if game.has("view"):
        raise RefusalError(422, f"{title(game)} hides something from its players: it has no sandbox.")
    rules = rules_of(game, asked.rules)
    players = game.players(rules)
    names = tuple(asked.names) if len(asked.names) == players else tuple(f"Player {n + 1}" for n in range(players))
    agreed = Agreed(
        id=NOBODY,
        person=GONE,
        game=game,
        rules=rules,
        opponent="",
        seat=0,
        is_by_lot=False,
        is_test=True,
        seed=bytes(32),
        number=NOBODY,
        party=Party((GONE,) * players, names) if players > 1 else None,
        beginning=game.read(rules, asked.start) if asked.start else None,
    )
    live = LiveGame(agreed)
    for number, label in enumerate(asked.labels):
        try:
            live.enter(label, "hand" if live.table.waiting == "event" else "you")
        except InputError as error:
            raise InputError(f"step {number}: {error}") from None
    return live


def written(game: Game, live: LiveGame) -> str:
    """Return the text of a game's record."""
    party = live.agreed.party
    return record.format_game(live.table, game.name, party.names if party else (), live.agreed.seat)


def read(offered: Offered, text: str) -> models.RecordRead:
    """Parse a record for the sandbox.

    Raises:
        InputError: if it is not a valid record.
        RefusalError: if its game is not offered here.
    """
    kept = record.parse(text)
    game = offered.find(kept.game)
    rules = rules_of(game, kept.rules)
    return models.RecordRead(
        game=game.name,
        rules={name: value for name, value in rules._asdict().items() if name in kept.rules},
        start=kept.start or None,
        labels=list(kept.labels),
        names=list(kept.players),
        seat=_seat(kept, game.players(rules)),
    )


def _seat(kept: GameRecord, players: int) -> int:
    if kept.seat >= players:
        raise InputError(f"the record is for seat {kept.seat + 1}, but the game has {players} seats.")
    return kept.seat
