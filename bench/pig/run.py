"""Pig at 100 from the shell, warm and cold; Pig at 20 and 30 beside OpenSpiel's value iteration, if installed.

Cold is with nothing compiled: an empty cache folder.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from typing import Any

RUNS = 7
KOMI = [sys.executable, "-c", "from komi.cli import main; main()"]
PEER = """
import time, pyspiel
from open_spiel.python.algorithms import value_iteration
game = pyspiel.load_game("pig", {{"winscore": {goal}, "horizon": 1000000}})
begin = time.perf_counter()
values = value_iteration.value_iteration(game, depth_limit=-1, threshold=1e-9, cyclic_game=True)
print(time.perf_counter() - begin, (values[str(game.new_initial_state())] + 1) / 2)
"""


def seconds(*command: str, cache: str | None = None) -> tuple[float, dict[str, Any]]:
    """Return the time of a command from the shell, and its result."""
    environment = {**os.environ, **({"KOMI_CACHE_DIR": cache} if cache else {})}
    begin = time.perf_counter()
    done = subprocess.run([*KOMI, *command, "--json"], check=True, capture_output=True, text=True, env=environment)
    return time.perf_counter() - begin, json.loads(done.stdout)


def main() -> None:
    with tempfile.TemporaryDirectory() as cache:
        cold, _ = seconds("solve", "pig", cache=cache)
    seconds("solve", "pig", "--fresh")
    runs = [seconds("solve", "pig", "--fresh") for _ in range(RUNS)]
    total = statistics.median(run[0] for run in runs)
    solve = statistics.median(run[1]["seconds"]["solve"] for run in runs)
    print(f"Pig 100, warm, from the shell   {total:.2f} s, of which the solve {solve:.3f} s")
    print(f"Pig 100, cold, from the shell   {cold:.1f} s")
    for goal in (20, 30):
        peer(goal)


def peer(goal: int) -> None:
    solution = seconds("solve", "pig", "--fresh", "--set", f"goal={goal}")[1]
    ours = solution["seconds"]["solve"]
    done = subprocess.run([sys.executable, "-c", PEER.format(goal=goal)], capture_output=True, text=True, check=False)
    if done.returncode:
        print(f"Pig {goal}: komi {ours:.4f} s; OpenSpiel is not installed (pip install 'komi[bench]')")
        return
    theirs, value = map(float, done.stdout.split())
    print(
        f"Pig {goal}: komi {ours:.4f} s, proved to {solution['error_bound']:.0e}; OpenSpiel {theirs:.1f} s, "
        f"{theirs / ours:,.0f} times as long, off by {abs(value - solution['value']):.0e}"
    )


if __name__ == "__main__":
    main()
