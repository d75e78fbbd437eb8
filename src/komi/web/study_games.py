"""The finished games of people who have agreed to a study of their decisions."""

from collections.abc import Iterator

from sqlalchemy import select

from komi.errors import InputError
from komi.play.table import Table
from komi.rules import catalog
from komi.rules.game import Game
from komi.study.human_decisions import RecordedGame, games_before
from komi.web.database import Database
from komi.web.records import LogEntry, Person, PlayedGame, SeatedPlayer


def consented_games(database: Database, offered: dict[str, str] | None = None) -> tuple[list[RecordedGame], int]:
    """Return these games in the order in which they ended, and the number of games that can no longer be replayed.

    Left out are games in which chance events were entered by hand, games begun before the person agreed, games that a
    player resigned, and games between several people, because not all of them have agreed.

    Args:
        database: the database of the games.
        offered: paths of rule files, by the names of their games.
    """
    offered = offered or {}
    with database.reading() as session:
        agreed = select(PlayedGame).join(Person, Person.id == PlayedGame.person)
        agreed = agreed.where(
            PlayedGame.over.is_not(None),
            PlayedGame.mode == "normal",
            PlayedGame.resigned.is_(None),
            PlayedGame.id.not_in(select(SeatedPlayer.game)),
            Person.consented_at.is_not(None),
            PlayedGame.started >= Person.consented_at,
        )
        records = session.scalars(agreed.order_by(PlayedGame.over, PlayedGame.id)).all()
        people = {person: number for number, person in enumerate(_shuffled({record.person for record in records}))}
        before = games_before((people[record.person], record.game) for record in records)
        games: dict[str, Game] = {}
        kept, unread = [], 0
        for record, count in zip(records, before, strict=True):
            labels = session.scalars(
                select(LogEntry.label).where(LogEntry.game == record.id).order_by(LogEntry.number)
            ).all()
            try:
                game = games.get(record.game) or catalog.find(offered.get(record.game, record.game))
                games[record.game] = game
                rules = game.rules(record.rules)
                table = Table(game, rules, labels)
            except InputError:
                unread += 1
                continue
            if not table.is_over:
                unread += 1
                continue
            kept.append(
                RecordedGame(people[record.person], game, rules, record.opponent, record.seat, tuple(labels), count)
            )
    return kept, unread


def _shuffled(people: set[str]) -> Iterator[str]:
    """Shuffle the ids, so that their order carries no information."""
    import secrets

    drawn = sorted(people)
    secrets.SystemRandom().shuffle(drawn)
    return iter(drawn)
