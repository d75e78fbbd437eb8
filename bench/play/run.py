"""200 people at once on a real `komi serve`: how long each waits for the answer to a move.

    python bench/play/run.py [SECONDS] [--people 500]

The server is another process, on a new SQLite file; the people are in this one, on the same machine. Each plays
whole games of Red Light against Hard, one after the other, holding at 7, and thinks before each move for a second on
average (exponentially distributed: often less, sometimes several). A move is answered when all of the answer has been
read: the move is written down by then, with chance and the opponent's reply. While they play, one person sets the
solver to work on a new game; the other people should not notice.
"""

import argparse
import asyncio
import json
import os
import random
import secrets
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

THINKING = 1.0  # seconds before a move, on average
ARRIVING = 5.0  # seconds in which all arrive
HOLD_AT = 7
OF_ADDRESS = 100  # people at one address, as in a school; some systems have 127.0.0.1 only
SERVE = [sys.executable, "-c", "from komi.cli import main; main()", "serve", "--no-open"]
TICKS = os.sysconf("SC_CLK_TCK")


class Visitor:
    """A browser with one connection."""

    def __init__(self, port: int, address: str = "127.0.0.1") -> None:
        self.port, self.address, self.cookie = port, address, ""
        self.reader: Any = None
        self.writer: Any = None

    async def request(self, method: str, path: str, content: Any = None) -> tuple[int, Any]:
        if self.writer is None:
            self.reader, self.writer = await asyncio.open_connection(
                "127.0.0.1", self.port, local_addr=(self.address, 0)
            )
        body = b"" if content is None else json.dumps(content).encode()
        head = (
            f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(body)}\r\nCookie: {self.cookie}\r\n\r\n"
        )
        self.writer.write(head.encode() + body)
        status, *lines = (await self.reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        headers = dict(line.split(": ", 1) for line in lines if line)
        self.cookie = headers.get("set-cookie", self.cookie).partition(";")[0]
        return int(status.split()[1]), json.loads(await self.reader.readexactly(int(headers["content-length"])))


async def play(visitor: Visitor, end: float, waits: list[float], errors: list[str]) -> int:
    """Play one person's games until the end; return how many were completed."""
    played = 0
    await asyncio.sleep(random.uniform(0, ARRIVING))
    while time.perf_counter() < end:
        _, commitment = await visitor.request("POST", "/api/commitments", {})
        body = {"game": "red-light", "opponent": "hard", "number": secrets.token_hex(16)}
        status, game = await visitor.request("POST", "/api/games", body | {"commitment": commitment.get("commitment")})
        if status != 201:
            errors.append(str(game))
            continue
        while game["waiting"] and time.perf_counter() < end:
            await asyncio.sleep(random.expovariate(1 / THINKING))
            labels = [action["label"] for action in game["actions"]]
            label = "hold" if "hold" in labels and game["state"]["turn"] >= HOLD_AT else labels[0]
            begin = time.perf_counter()
            status, game = await visitor.request(
                "POST",
                f"/api/games/{game['id']}/moves",
                {"number": game["number"], "move": label, "known": game["number"]},
            )
            waits.append(time.perf_counter() - begin)
            if status != 200:
                errors.append(str(game))
                break
        else:
            played += game["waiting"] is None
    return played


async def prepare(port: int, game: str, rules: dict[str, int]) -> float:
    """Have a game solved; how many seconds that took."""
    visitor, begin = Visitor(port), time.perf_counter()
    while True:
        status, solution = await visitor.request("POST", "/api/preparations", {"game": game, "rules": rules})
        if status != 202:
            assert solution["ready"], solution
            return time.perf_counter() - begin
        await asyncio.sleep(0.5)


async def sit_down(port: int, game: str) -> None:
    """Have a game solved, and begin one, so that the server holds the solution and an opponent."""
    await prepare(port, game, {})
    visitor = Visitor(port)
    _, commitment = await visitor.request("POST", "/api/commitments", {})
    body = {"game": game, "opponent": "medium", "number": secrets.token_hex(16)}
    status, solution = await visitor.request("POST", "/api/games", body | {"commitment": commitment["commitment"]})
    assert status == 201, solution


async def crowd(port: int, people: int, seconds: float) -> dict[str, Any]:
    """Return the results of all people together."""
    waits: list[float] = []
    errors: list[str] = []
    begin = time.perf_counter()
    solving = asyncio.create_task(solve_in_between(port, seconds))
    visitors = [Visitor(port, f"127.0.0.{2 + number // OF_ADDRESS}") for number in range(people)]
    played = await asyncio.gather(*(play(visitor, begin + seconds, waits, errors) for visitor in visitors))
    waits.sort()
    return {
        "people": people,
        "seconds": seconds,
        "moves": len(waits),
        "moves_per_second": len(waits) / seconds,
        "games_played_out": sum(played),
        "errors": len(errors),
        "first_errors": errors[:3],
        **{f"p{part}_ms": 1000 * waits[len(waits) * part // 100] for part in (50, 95, 99)},
        "longest_ms": 1000 * waits[-1],
        "solving_fowl_play_seconds": await solving,
    }


async def solve_in_between(port: int, seconds: float) -> float:
    await asyncio.sleep(seconds / 3)
    return await prepare(port, "fowl-play", {"komi": random.randrange(1, 49)})


def measure(people: int, seconds: float) -> dict[str, Any]:
    """Start a server, and send the crowd."""
    with tempfile.TemporaryDirectory() as folder:
        server = subprocess.Popen(
            [*SERVE, "--port", "0", "--database", f"sqlite:///{Path(folder) / 'games.db'}"],
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            assert server.stdout is not None
            port = int(server.stdout.readline().split()[3].rstrip("/").rpartition(":")[2])
            for game in ("fowl-play", "pig", "red-light"):
                asyncio.run(sit_down(port, game))
            before = cpu_seconds(server.pid)
            measured = asyncio.run(crowd(port, people, seconds))
            used = cpu_seconds(server.pid) - before
            return measured | {
                "server_cpu_share": used / seconds,
                "server_cpu_ms_per_move": 1000 * used / measured["moves"],
                "people_cpu_seconds": time.process_time(),
                "server_megabytes": megabytes(server.pid),
            }
        finally:
            server.terminate()
            server.wait()


def cpu_seconds(process: int) -> float:
    times = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[11:13]
    return sum(map(int, times)) / TICKS


def megabytes(process: int) -> dict[str, float]:
    """Memory of the server: all that is mapped in, and the part that is its own."""
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    of = {line.split(":")[0]: int(line.split()[1]) / 1024 for line in lines if line.startswith(("VmRSS", "RssAnon"))}
    return {"resident": of["VmRSS"], "own": of["RssAnon"]}


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Play on a server with many people at once.")
    parser.add_argument("seconds", nargs="?", type=float, default=90.0)
    parser.add_argument("--people", type=int, default=200)
    arguments = parser.parse_args()
    print(json.dumps(measure(arguments.people, arguments.seconds), indent=1))
