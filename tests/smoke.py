"""Use every package that komi depends on once, as a user does: `python smoke.py`, with komi and all extras installed.

It needs nothing else, so that it runs with whatever versions are installed. Each step raises an error if it fails.
"""

import json
import re
import subprocess
import sys
import tempfile
import urllib.request
from http.cookiejar import CookieJar
from importlib.metadata import version
from pathlib import Path
from typing import Any

GAME = ("piglet", "--set", "goal=6")
KOMI = (sys.executable, "-m", "komi")


def komi(*arguments: object) -> Any:
    """Run a command with `--json`, and return its answer."""
    command = [*KOMI, *map(str, arguments), "--json"]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert ended.returncode == 0, f"{command}\n{ended.stdout}\n{ended.stderr}"
    assert "Traceback" not in ended.stderr, ended.stderr
    return json.loads(ended.stdout)


def solve(folder: Path) -> None:
    """numba, llvmlite, numpy, filelock, platformdirs, typer."""
    from komi.rules import catalog

    from exact import values  # the same in fractions

    game = catalog.find("piglet")
    rules = game.rules({"goal": 6})
    exact = values(game, rules)[game.part("start")(rules)]
    found = komi("solve", *GAME)
    assert abs(found["value"] - float(exact)) <= found["error_bound"]
    assert subprocess.run([*KOMI, "solve", *GAME], capture_output=True, check=True).stdout  # rich


def sweep(folder: Path) -> None:
    """sqlalchemy, pyarrow, matplotlib."""
    ways = ("--output", folder / "rows.parquet", "--plot", folder / "front.png", "--store", folder / "store")
    near = komi("sweep", *GAME, "--vary", "komi=0..2", *ways)
    assert len(near["rows"]) == 3


def cluster(folder: Path) -> None:
    """ray."""
    far = komi("sweep", *GAME, "--vary", "komi=0..1", "--store", folder / "far", "--cluster", "auto", "--workers", "1")
    assert len(far["rows"]) == 2


def draw(folder: Path) -> None:
    """matplotlib, plotly."""
    for name in ("map.png", "map.svg", "map.html"):
        komi("plot", *GAME, "--output", folder / name)
    assert (folder / "map.png").read_bytes().startswith(b"\x89PNG")
    assert "plotly" in (folder / "map.html").read_text(encoding="utf-8").lower()
    komi("simulate", *GAME, "--games", "1000", "--table", folder / "games.parquet", "--keep", folder / "kept.npz")


def export(folder: Path) -> None:
    """onnx."""
    komi("approximate", *GAME, "--seconds", "1", "--weights", "20", "--output", folder / "net.py")
    komi("export", *GAME[:1], f"{folder / 'net.py'}:network", *GAME[1:], "--to", folder / "net.onnx")
    import onnx

    onnx.checker.check_model(str(folder / "net.onnx"))


def serve(folder: Path) -> None:
    """fastapi, starlette, pydantic, uvicorn, uvloop, httptools, sqlalchemy, alembic, itsdangerous, babel."""
    database = f"sqlite:///{folder / 'games.db'}"
    command = [*KOMI, "serve", "--no-open", "--no-warm", "--study", "--port", "0", "--database", database]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout
        found = re.search(r"http://\S+/", server.stdout.readline())
        assert found
        address = found[0]
        browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))

        assert "komi" in browser.open(address, timeout=60).read().decode()
        name = json.dumps({"name": "Ada"}).encode()
        renaming = urllib.request.Request(f"{address}api/me", name, {"content-type": "application/json"}, method="PUT")
        browser.open(renaming, timeout=60).close()
        assert json.load(browser.open(f"{address}api/me", timeout=60)) == {"name": "Ada"}
    finally:
        server.terminate()
        server.wait(timeout=60)


def study(folder: Path) -> None:
    """statsmodels, scipy, pandas as statsmodels brings it."""
    sys.path.insert(0, str(Path(__file__).parent / "study"))
    import players

    from komi import solve
    from komi.study.choice_model import fit_choice
    from komi.study.human_decisions import read_games
    from komi.study.study_statistics import compute_statistics

    solution = solve("piglet")
    kept = players.kept_games(solution, [players.logit(solution, folder, 12.0, hold=-0.8)] * 6, 8, seed=1)
    games = read_games(kept, lambda game, rules: solution)[0]
    model = fit_choice(games.evaluated)
    assert model.precision.low < model.precision.value < model.precision.high
    assert compute_statistics(games, lambda game, rules: solution).strategy_fits


def connect(folder: Path) -> None:
    """psycopg, which needs no server to be loaded; cvxpy and open-spiel, with which the benchmarks compare."""
    import cvxpy
    import psycopg
    import pyspiel

    assert psycopg.pq.version()
    assert cvxpy.Problem(cvxpy.Minimize(cvxpy.Variable())).is_dcp()
    assert pyspiel.load_game("pig").num_players() == 2


def main() -> None:
    """Take all steps, or those that are named."""
    with tempfile.TemporaryDirectory() as folder:
        for step in (solve, sweep, draw, export, serve, study, connect, cluster):
            if step.__name__ in sys.argv[1:] or not sys.argv[1:]:
                step(Path(folder))
                print(f"{step.__name__}: done", flush=True)
    print("Python", sys.version.split()[0], "numba", version("numba"))


if __name__ == "__main__":
    main()
