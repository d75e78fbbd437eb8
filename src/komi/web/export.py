"""Export of all data that is stored about a person."""

import csv
import io
from collections.abc import Callable
from typing import Any

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from komi.play.fairness import Commitment
from komi.web.records import (
    Account,
    Guest,
    Invitation,
    LogEntry,
    Person,
    PlayedGame,
    PuzzleAnswer,
    Room,
    RoomMember,
    SeatedPlayer,
)

COLUMNS = (
    "id",
    "game",
    "rules",
    "opponent",
    "seat",
    "lot",
    "mode",
    "started",
    "over",
    "payoff",
    "mistakes",
    "decisions",
    "luck",
    "skill",
    "hash",
    "seed",
    "number",
    "log",
)
FORMULA = (
    "=",
    "+",
    "-",
    "@",
    "\t",
    "\r",
    "\uff1d",
    "\uff0b",
    "\uff0d",
    "\uff20",
)  # first characters of a cell that a spreadsheet would evaluate


def everything(session: Session, person: str, hides: Callable[[str], bool]) -> dict[str, Any]:
    """Return all data stored about a person: the profile, rooms, tables, answers, and games with their logs.

    Args:
        session: the database session.
        person: the id of the person.
        hides: returns whether the game of this name has hidden information; its log is left out until it is over.
    """
    record = session.get(Person, person)
    seats = {
        chair.game: chair.seat for chair in session.scalars(select(SeatedPlayer).where(SeatedPlayer.person == person))
    }
    mine = or_(PlayedGame.person == person, PlayedGame.id.in_(seats))
    games = session.scalars(select(PlayedGame).where(mine).order_by(PlayedGame.started)).all()
    logs: dict[str, list[dict[str, Any]]] = {game.id: [] for game in games}
    visible = [game.id for game in games if game.over or not hides(game.game)]
    entries = select(LogEntry).where(LogEntry.game.in_(visible))
    for entry in session.scalars(entries.order_by(LogEntry.game, LogEntry.number)):
        logs[entry.game].append(
            {
                "number": entry.number,
                "kind": entry.kind,
                "label": entry.label,
                "by": entry.by,
                "at": entry.at.isoformat(),
            }
        )
    return {
        "name": record.name if record else None,
        "signs_in_as": session.scalar(select(Account.name).where(Account.person == person)),
        "since": record.since.isoformat() if record else None,
        "rooms": [
            {"code": room.code, "name": member.name, "since": member.since.isoformat()}
            for member, room in session.execute(
                select(RoomMember, Room).join(Room, Room.id == RoomMember.room).where(RoomMember.person == person)
            )
        ],
        "taught": [
            {"code": room.code, "game": room.game, "since": room.since.isoformat()}
            for room in session.scalars(select(Room).where(Room.person == person))
        ],
        "puzzles": [
            {"game": each.game, "day": each.day, "label": each.label, "right": each.right}
            for each in session.scalars(select(PuzzleAnswer).where(PuzzleAnswer.person == person))
        ],
        "tables": [
            {"game": table.game, "since": table.since.isoformat()}
            for table in session.scalars(select(Invitation).join(Guest).where(Guest.person == person))
        ],
        "study": record.consented_at.isoformat() if record and record.consented_at else None,
        "games": [_game(game, seats.get(game.id, game.seat)) | {"log": logs[game.id]} for game in games],
    }


def as_csv(exported: dict[str, Any]) -> str:
    """Format the games as a CSV table, with the log of each in one cell."""
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS, quoting=csv.QUOTE_ALL)
    writer.writeheader()
    for game in exported["games"]:
        rules = " ".join(f"{name}={value}" for name, value in game["rules"].items())
        log = " / ".join(f"{entry['by']}: {entry['label']}" for entry in game["log"])
        row = {"rules": rules, "log": log}
        writer.writerow({name: harmless(row.get(name, game[name])) for name in COLUMNS})
    return text.getvalue()


def _game(game: PlayedGame, seat: int) -> dict[str, Any]:
    return {
        "id": game.id,
        "game": game.game,
        "rules": game.rules,
        "opponent": game.opponent,
        "seat": seat,
        "lot": game.lot,
        "mode": game.mode,
        "started": game.started.isoformat(),
        "over": game.over.isoformat() if game.over else None,
        "payoff": game.payoffs[seat] if game.payoffs else None,
        "mistakes": game.mistakes,
        "decisions": game.decisions,
        "luck": game.luck,
        "skill": game.skill,
        "hash": Commitment(game.seed).hash,
        "seed": game.seed.hex() if game.over else None,
        "number": game.number,
        "protocol": game.protocol,
    }


def harmless(cell: Any) -> Any:
    """Escape a text that a spreadsheet would interpret as a formula."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(FORMULA) else cell
