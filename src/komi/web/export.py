"""All that is kept of a person, to take along."""

import csv
import io
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from komi.play.fairness import Commitment
from komi.web.records import LogEntry, Person, PlayedGame

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
FORMULA = ("=", "+", "-", "@", "\t", "\r")  # how a cell begins that a spreadsheet would work out


def everything(session: Session, person: str) -> dict[str, Any]:
    """What is kept: the person, and all games with all that happened in them; the seeds of those that are over."""
    record = session.get(Person, person)
    games = session.scalars(select(PlayedGame).where(PlayedGame.person == person).order_by(PlayedGame.started)).all()
    logs: dict[str, list[dict[str, Any]]] = {game.id: [] for game in games}
    entries = select(LogEntry).join(PlayedGame).where(PlayedGame.person == person)
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
        "since": record.since.isoformat() if record else None,
        "games": [_game(game) | {"log": logs[game.id]} for game in games],
    }


def as_csv(exported: dict[str, Any]) -> str:
    """The games as a table, the log of each as one cell."""
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS)
    writer.writeheader()
    for game in exported["games"]:
        rules = " ".join(f"{name}={value}" for name, value in game["rules"].items())
        log = " / ".join(f"{entry['by']}: {entry['label']}" for entry in game["log"])
        row = {"rules": rules, "log": log}
        writer.writerow({name: _harmless(row.get(name, game[name])) for name in COLUMNS})
    return text.getvalue()


def _game(game: PlayedGame) -> dict[str, Any]:
    return {
        "id": game.id,
        "game": game.game,
        "rules": game.rules,
        "opponent": game.opponent,
        "seat": game.seat,
        "lot": game.lot,
        "mode": game.mode,
        "started": game.started.isoformat(),
        "over": game.over.isoformat() if game.over else None,
        "payoff": game.payoffs[game.seat] if game.payoffs else None,
        "mistakes": game.mistakes,
        "decisions": game.decisions,
        "luck": game.luck,
        "skill": game.skill,
        "hash": Commitment(game.seed).hash,
        "seed": game.seed.hex() if game.over else None,
        "number": game.number,
    }


def _harmless(cell: Any) -> Any:
    """A text that no spreadsheet takes for a formula."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(FORMULA) else cell
