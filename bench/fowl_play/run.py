"""Fowl Play solved by komi, from the rules alone, beside a solver written by hand in C; medians of several runs.

The C solver takes pairs of scores one after the other, and Newton steps on each. Each run is a new process, so
that both start with cold memory. The C solver also tells how long it takes when its tables are warm.
"""

import json
import resource
import statistics
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
BUILD = HERE.parent / "build"
RUNS = 5


def build() -> Path:
    BUILD.mkdir(exist_ok=True)
    program = BUILD / "fowl_play"
    source = HERE / "fowl_play.c"
    subprocess.run(["gcc", "-O3", "-march=native", "-o", str(program), str(source), "-lm"], check=True)
    return program


def c_run(program: Path) -> tuple[float, float, float]:
    """Seconds of a first run and of a second in the same process, and the value."""
    lines = subprocess.run([str(program), "2"], check=True, capture_output=True, text=True).stdout.splitlines()
    first, second = (json.loads(line) for line in lines)
    return first["seconds"], second["seconds"], first["value"]


def komi_run(*command: str) -> dict[str, object]:
    komi = [sys.executable, "-c", "from komi.cli import main; main()", *command, "--fresh", "--json"]
    return dict(json.loads(subprocess.run(komi, check=True, capture_output=True, text=True).stdout))


def main() -> None:
    program = build()
    komi_run("solve", "fowl-play")  # compiles
    rows = []
    for _ in range(RUNS):
        first, warm, value = c_run(program)
        solution = komi_run("solve", "fowl-play")
        assert abs(solution["value"] - value) < 1e-9
        rows.append((first, warm, solution["seconds"]["solve"]))
    first, warm, ours = (statistics.median(column) for column in zip(*rows, strict=True))
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"C, first run            {first:.3f} s")
    print(f"C, tables warm          {warm:.3f} s")
    print(
        f"komi, proved            {ours:.3f} s   {ours / first:.1f} times the first, {ours / warm:.1f} times the warm"
    )
    print(f"komi, bound             {solution['error_bound']:.1e}, {solution['states']:,} states")
    print(f"peak memory of komi     {peak:.0f} MB")


if __name__ == "__main__":
    main()
