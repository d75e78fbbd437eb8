"""Games with decisions inside a roll solved by komi, from the rules alone, beside solvers written by hand in C++."""

import json
import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
BUILD = HERE.parent / "build"
GAMES = {"yahtzee": 1e-6, "ten-thousand": 1e-9}
"""How far the values of the two may be apart."""


def build(name: str) -> Path:
    BUILD.mkdir(exist_ok=True)
    program = BUILD / name
    source = HERE / f"{name.replace('-', '_')}.cpp"
    subprocess.run(["g++", "-O3", "-march=native", "-o", str(program), str(source)], check=True)
    return program


def measured(command: list[str]) -> tuple[dict[str, float], float]:
    """Return the output of a command, and its peak memory in MB."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        printed = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(process.returncode)
    return json.loads(printed), usage.ru_maxrss / 1024


def main() -> None:
    komi = [sys.executable, "-c", "from komi.cli import main; main()", "solve"]
    for name, tolerance in GAMES.items():
        plain, _ = measured([str(build(name))])
        subprocess.run([*komi, name], check=True, capture_output=True)  # compiles
        solution, peak = measured([*komi, name, "--fresh", "--json"])
        assert abs(solution["value"] - plain["value"]) < tolerance
        ours = solution["seconds"]["solve"]
        print(
            f"{name}: {solution['value']:.9f}, bound {solution['error_bound']:.1e}, {solution['states']:,} states kept"
        )
        print(f"    C++                {plain['seconds']:.1f} s")
        print(
            f"    komi, proved       {ours:.1f} s, {ours / plain['seconds']:.1f} times as long, {peak:.0f} MB",
            flush=True,
        )


if __name__ == "__main__":
    main()
