"""This version of komi beside an earlier one: `python bench/versions.py COMMIT [TASK ...]`.

The earlier version is checked out beside this one, and both run in this interpreter, with caches of their own. For each
task the two take turns, each time a new process that does it once and then clocks it some times more; the medians are
reported, and the quickest of each, which other work on the machine disturbs least.
"""

import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
RUNS, REPEATS = 5, 5

# What is clocked in each task, once everything has been compiled and loaded.
TASKS = {
    "solve pig": "komi.solve('pig', fresh=True)",
    "solve fowl-play": "komi.solve('fowl-play', fresh=True)",
    "solve red-light": "komi.solve('red-light', fresh=True)",
    "fair red-light, five komi": "komi.fair('red-light', 4)",
    "solve traffic-lights, version 1": "komi.solve('traffic-lights', fresh=True, version=1)",
    "solve traffic-lights, version 2": "komi.solve('traffic-lights', fresh=True, version=2)",
    "solve royal-game-of-ur, 2 pieces": "komi.solve('royal-game-of-ur', fresh=True, pieces=2)",
    "match pig": "komi.match('pig', 'hold-at:20', 'optimal')",
    "measure pig": "komi.measure('pig')",
    "simulate pig": "komi.simulate('pig', 1_000_000, seed=1, workers=1)",
    "simulate red7": "komi.simulate('red7', 1_000_000, seed=1, workers=1)",
}
PROGRAM = """
import statistics, time, komi

def clocked():
    begun = time.perf_counter()
    {task}
    return time.perf_counter() - begun

clocked()
print(statistics.median(clocked() for _ in range({repeats})))
"""


def seconds(source: Path, cache: Path, task: str) -> float:
    """Return the time of one run of a task with the komi in a folder of sources."""
    environment = os.environ | {"PYTHONPATH": str(source), "KOMI_CACHE_DIR": str(cache)}
    command = [sys.executable, "-c", PROGRAM.format(task=TASKS[task], repeats=REPEATS)]
    run = subprocess.run(command, env=environment, check=True, capture_output=True, text=True, cwd=cache)
    return float(run.stdout.split()[-1])


def compared(task: str, sources: tuple[Path, Path], caches: tuple[Path, Path]) -> str:
    """One line: both versions in one task."""
    for source, cache in zip(sources, caches, strict=True):
        seconds(source, cache, task)
    runs = [[seconds(*version, task) for version in zip(sources, caches, strict=True)] for _ in range(RUNS)]
    before, now = (statistics.median(column) for column in zip(*runs, strict=True))
    least_before, least_now = (min(column) for column in zip(*runs, strict=True))
    ratios = f"{now / before:.2f} (quickest {least_now / least_before:.2f})"
    return f"{task:34} before {before:8.4f} s   now {now:8.4f} s   {ratios}"


def main(commit: str, *tasks: str) -> None:
    """Print the comparison."""
    with tempfile.TemporaryDirectory() as folder:
        earlier, caches = Path(folder) / "earlier", (Path(folder) / "then", Path(folder) / "today")
        for cache in caches:
            cache.mkdir()
        subprocess.run(["git", "worktree", "add", "-q", "--detach", earlier, commit], check=True, cwd=HERE)
        try:
            for task in tasks or TASKS:
                print(compared(task, (earlier / "src", HERE.parent / "src"), caches), flush=True)
        finally:
            subprocess.run(["git", "worktree", "remove", "--force", earlier], check=True, cwd=HERE)


if __name__ == "__main__":
    main(*sys.argv[1:])
