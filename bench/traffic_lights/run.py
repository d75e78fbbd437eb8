"""Traffic Lights: komi beside a plain C++ solver of the same positions; medians of runs in a process each.

    .venv/bin/python bench/traffic_lights/run.py [RUNS]

Prints seconds of CPU (of the whole process, Python's start and keeping the solution included), seconds of
solving alone, as komi tells them, and the most memory held. Both must give the same value, plies and counts.
Compiled code is kept from a first run that is not counted.
"""

import json
import os
import statistics
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
BUILD = HERE.parent / "build"
VERSIONS = (1, 2, 3)


@dataclass(frozen=True)
class Run:
    """One process: its answer, seconds of CPU, seconds on the clock and megabytes at most."""

    solution: str
    processor: float
    solving: float
    megabytes: float


def measured(command: list[str]) -> tuple[str, float, float]:
    """Output, seconds of CPU and most megabytes of a process."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    output = process.stdout.read()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"{command[0]} failed.")
    return output, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def build() -> Path:
    """The C++ solver, built."""
    BUILD.mkdir(exist_ok=True)
    binary = BUILD / "traffic_lights"
    source = HERE / "traffic_lights.cpp"
    subprocess.run(["g++", "-O2", "-march=native", "-std=c++17", "-o", str(binary), str(source)], check=True)
    return binary


def plain(binary: Path, version: int) -> Run:
    """A run of the C++ solver."""
    output, processor, megabytes = measured([str(binary), str(version)])
    return Run(output.strip(), processor, processor, megabytes)


def komi(version: int) -> Run:
    """A run of `komi solve`, nothing but compiled code kept from before."""
    program = str(Path(sys.executable).with_name("komi"))
    command = [program, "solve", "traffic-lights", "--set", f"version={version}", "--fresh", "--json"]
    output, processor, megabytes = measured(command)
    solution = json.loads(output)
    plies = -1 if solution["plies"] is None else solution["plies"]
    counts = " ".join(f"{kind} {number}" for kind, number in solution["counts"].items())
    return Run(f"{solution['value']} {plies} {counts}", processor, solution["seconds"]["solve"], megabytes)


def median(runs: list[Run]) -> str:
    """The middle of each figure, to print."""
    figures = (
        statistics.median(run.processor for run in runs),
        statistics.median(run.solving for run in runs),
        statistics.median(run.megabytes for run in runs),
    )
    return "{:6.2f} s CPU, solving {:6.3f} s, {:5.0f} MB".format(*figures)


if __name__ == "__main__":
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    solver = build()
    for version in VERSIONS:
        komi(version)
        pairs = [(plain(solver, version), komi(version)) for _ in range(count)]
        assert len({run.solution for pair in pairs for run in pair}) == 1, "both find the same"
        print(f"version {version}: {pairs[0][0].solution}")
        print(f"  C++   {median([pair[0] for pair in pairs])}")
        print(f"  komi  {median([pair[1] for pair in pairs])}", flush=True)
