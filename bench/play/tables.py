"""100 tables of two people at once on a real `komi serve`: does each move arrive, and how long does it take?

    python bench/play/tables.py [SECONDS]

As in `run.py`, but people play each other, at tables that they were invited to: half of them Red Light, half Red7,
whose hands are hidden. The mover thinks for a second on average; the other player polls for news every 1.2 seconds,
as the page does. Every response is checked: a confirmed move must be in the log of the other player, too, under its
number; before the end no response may contain a seed, luck, a deal, or the other's hand (it contains the lowest cards
that the player has not seen, as many as the hand has); and strangers must be
turned away.
"""

import asyncio
import json
import random
import secrets
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from run import ARRIVING, HOLD_AT, SERVE, THINKING, Visitor, cpu_seconds, megabytes

TABLES = 100
POLL_INTERVAL = 1.2  # seconds between two requests for news
FEWEST = 4  # cards of a hand that cannot be guessed by accident
GAMES: tuple[tuple[str, dict[str, int]], ...] = (("red-light", {"goal": 20}), ("red7", {"players": 2}))


@dataclass
class Measured:
    """The sums over all tables."""

    moves: list[float] = field(default_factory=list)
    polls: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    lost: int = 0
    seen: int = 0
    let_in: int = 0
    played: int = 0

    async def request(self, visitor: Visitor, waits: list[float], method: str, path: str, content: Any = None) -> Any:
        begin = time.perf_counter()
        status, solution = await visitor.request(method, path, content)
        waits.append(time.perf_counter() - begin)
        if status >= 400:
            self.errors.append(str(solution)[:200])
        return solution


async def table(port: int, place: int, end: float, measured: Measured) -> None:
    """Play games of two people, one after the other, until the end."""
    people, stranger = [Visitor(port), Visitor(port)], Visitor(port)
    name, rules = GAMES[place % len(GAMES)]
    await asyncio.sleep(random.uniform(0, ARRIVING))
    while time.perf_counter() < end:
        _, drawn = await people[0].request("POST", "/api/commitments", {})
        body = {"game": name, "rules": rules, "commitment": drawn["commitment"], "number": secrets.token_hex(16)}
        _, laid = await people[0].request("POST", "/api/invitations", body)
        await people[1].request("POST", f"/api/invitations/{laid['id']}/join", {"number": secrets.token_hex(16)})
        status, _ = await stranger.request("GET", f"/api/games/{laid['id']}")
        measured.let_in += status != 404
        sent = await asyncio.gather(*(sit(one, laid["id"], end, measured) for one in people))
        for one in people:
            _, game = await one.request("GET", f"/api/games/{laid['id']}")
            log = game["log"]
            measured.lost += sum(log[number]["label"] != label for seat in sent for number, label in seat.moves)
        for one, other in (sent, sent[::-1]):
            known = [
                number
                for number, hands in one.hands.items()
                if len(hands) > 1 and number in other.hands and len(other.hands[number][0]) >= FEWEST
            ]
            measured.seen += sum(one.hands[number][1] == other.hands[number][0] for number in known)
        measured.played += 1


@dataclass
class Seat:
    """The moves of one player by number, and both hands before each, the player's own first."""

    moves: list[tuple[int, str]] = field(default_factory=list)
    hands: dict[int, list[set[str]]] = field(default_factory=dict)


async def sit(person: Visitor, game_id: str, end: float, measured: Measured) -> Seat:
    """Play one seat until the game is over."""
    _, game = await person.request("GET", f"/api/games/{game_id}")
    seat = Seat()
    while game["waiting"] and time.perf_counter() < end:
        measured.seen += leaks(game)
        if game["game"] == "red7":
            written = game["written"].partition("hands=")[2].partition(",")[0]
            seat.hands[game["number"]] = [set(hand.split("+")) for hand in written.split("/")]
        if not game["actions"]:
            await asyncio.sleep(POLL_INTERVAL)
            news = await measured.request(person, measured.polls, "GET", f"/api/games/{game_id}/news")
            if news.get("number") != game["number"] or news.get("over"):
                _, game = await person.request("GET", f"/api/games/{game_id}")
            continue
        await asyncio.sleep(random.expovariate(1 / THINKING))
        move = {"number": game["number"], "move": choose(game)}
        game = await measured.request(person, measured.moves, "POST", f"/api/games/{game_id}/moves", move)
        if "waiting" not in game:
            break
        seat.moves.append((int(str(move["number"])), str(move["move"])))
    return seat


def choose(game: Any) -> str:
    """Hold at `HOLD_AT` points; otherwise choose the first or a random action."""
    labels = [action["label"] for action in game["actions"]]
    if "hold" in labels:
        return "hold" if game["state"]["turn"] >= HOLD_AT else labels[0]
    return str(random.choice(labels))


def leaks(game: Any) -> bool:
    """Return whether a response contains what only the end may reveal."""
    if game["result"] is not None:
        return False
    if game["fairness"]["seed"] is not None:
        return True
    is_hidden = game["game"] == "red7"
    return is_hidden and any(entry["luck"] is not None or entry["outcomes"] is not None for entry in game["log"])


async def crowd(port: int, seconds: float) -> Measured:
    """Return the results of all tables together."""
    measured, end = Measured(), time.perf_counter() + seconds
    await asyncio.gather(*(table(port, place, end, measured) for place in range(TABLES)))
    return measured


def measure(seconds: float) -> dict[str, Any]:
    """Start a server and all tables."""
    with tempfile.TemporaryDirectory() as folder:
        command = [*SERVE, "--no-warm", "--port", "0", "--database", f"sqlite:///{Path(folder) / 'games.db'}"]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            assert server.stdout is not None
            port = int(server.stdout.readline().split()[3].rstrip("/").rpartition(":")[2])
            before = cpu_seconds(server.pid)
            measured = asyncio.run(crowd(port, seconds))
            waits = {"move": sorted(measured.moves), "poll": sorted(measured.polls)}
            return {
                "tables": TABLES,
                "seconds": seconds,
                "moves": len(measured.moves),
                "moves_lost": measured.lost,
                "hands_seen": measured.seen,
                "strangers_let_in": measured.let_in,
                "games": measured.played,
                "errors": len(measured.errors),
                "first_errors": measured.errors[:3],
                **{
                    f"{what}_p{part}_ms": 1000 * times[len(times) * part // 100]
                    for what, times in waits.items()
                    for part in (50, 95, 99)
                },
                "server_cpu_share": (cpu_seconds(server.pid) - before) / seconds,
                "server_megabytes": megabytes(server.pid),
            }
        finally:
            server.terminate()
            server.wait()


if __name__ == "__main__":
    print(json.dumps(measure(float(sys.argv[1]) if len(sys.argv) > 1 else 60.0), indent=1))
