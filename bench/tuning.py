"""The constants of `komi.tuning` at half and at twice their value: `python bench/tuning.py [NAME ...]`.

Each variant is a copy of the package with its own cache, so that it is compiled again. For each constant the three
copies take turns, each time in a new process; the medians of the task's seconds are reported.
"""

import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent / "src" / "komi"
RUNS = 5
SOLVE = "komi.solve({}, fresh=True)"

# The task on which each constant matters most, of those that take seconds.
TASKS = {
    "DENSE_BITS": SOLVE.format("'pig'"),
    "GROWING_DENSE_BITS": SOLVE.format("'fowl-play'"),
    "MIN_STEPS": SOLVE.format("'red-light'"),
    "MAX_STEPS": SOLVE.format("'fowl-play'"),
    "BATCH_STATES": SOLVE.format("'fowl-play'"),
    "QUEUED_BATCHES": SOLVE.format("'fowl-play'"),
    "MIXED_SWEEPS": SOLVE.format("'pig'"),
    "PATIENT_SWEEPS": SOLVE.format("'pig'"),
    "FIRST_SWEEPS": SOLVE.format("'pig', goal=50, players=3"),
    "FIRST_EXTRAPOLATION": SOLVE.format("'pig'"),
    "POLICIES_IMPROVED_TOGETHER": SOLVE.format("'pig'"),
    "STORED_SWEEPS": SOLVE.format("'royal-game-of-ur', pieces=3"),
    "STALLED_SWEEPS": SOLVE.format("'royal-game-of-ur', pieces=3"),
    "EXTRAPOLATION_PERIOD": SOLVE.format("'royal-game-of-ur', pieces=3") + ".plies()",
    "UNORDERED_NODES": SOLVE.format("'pig', goal=50, players=3"),
    "MINIMUM_DEGREE_NODES": SOLVE.format("'pig', goal=50, players=3"),
    "GROUP_POSITIONS": SOLVE.format("'traffic-lights'"),
    "KEYS_AT_ONCE": SOLVE.format("'traffic-lights'"),
    "LONG_SUM": SOLVE.format("'farkle', goal=2000"),
    "ROLL_CAPACITY_RATIO": SOLVE.format("'farkle', goal=2000"),
    "HASH_CHAINS": SOLVE.format("'farkle', goal=2000"),
    "NEAR_LISTS": SOLVE.format("'farkle', goal=2000"),
    "LEARNING_VISITS": SOLVE.format("'farkle', goal=2000"),
    "CACHED_CHOICES": SOLVE.format("'farkle', goal=2000"),
    "SEGMENT_STATES": SOLVE.format("'royal-game-of-ur', pieces=3"),
    "PREFETCHED_WORDS": SOLVE.format("'royal-game-of-ur', pieces=3"),
    "DRAWN_AHEAD": "komi.simulate('pig', 300_000, seed=1, workers=1)",
}
PROGRAM = """
import statistics, time, komi

def timed():
    begin = time.perf_counter()
    {task}
    return time.perf_counter() - begin

timed()
print(statistics.median(timed() for _ in range(3)))
"""


def variant(folder: Path, name: str, factor: float) -> Path:
    """A copy of the package in which a constant is multiplied; powers of two and whole numbers remain such."""
    copy = folder / f"{name}-{factor}"
    shutil.copytree(PACKAGE, copy / "komi", ignore=shutil.ignore_patterns("__pycache__"))
    file = copy / "komi" / "tuning.py"
    source, changes = re.subn(
        rf"^{name} = ([^#\n]+?)(?=\s*(#|$))",
        lambda match: f"{name} = type({match[1]})(({match[1]}) * {factor})",
        file.read_text(),
        flags=re.MULTILINE,
    )
    assert changes == 1, name
    file.write_text(source)
    return copy


def seconds(package: Path, task: str) -> float:
    environment = {**os.environ, "PYTHONPATH": str(package), "KOMI_CACHE_DIR": str(package / "cache")}
    program = [sys.executable, "-c", PROGRAM.format(task=task)]
    return float(subprocess.run(program, env=environment, capture_output=True, text=True, check=True).stdout)


def main() -> None:
    print(f"{'constant':28}{'half':>9}{'kept':>9}{'double':>9}  seconds")
    for name in sys.argv[1:] or TASKS:
        with tempfile.TemporaryDirectory() as folder:
            packages = [variant(Path(folder), name, factor) for factor in (0.5, 1, 2)]
            for package in packages:
                seconds(package, TASKS[name])  # compiles
            rounds = [[seconds(package, TASKS[name]) for package in packages] for _ in range(RUNS)]
        medians = [statistics.median(times) for times in zip(*rounds, strict=True)]
        print(f"{name:28}" + "".join(f"{median:9.3f}" for median in medians) + f"  {TASKS[name]}", flush=True)


if __name__ == "__main__":
    main()
