"""Yahtzee solved by komi, from the rules alone, beside a solver written by hand in C++."""

import json
import resource
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
BUILD = HERE.parent / "build"


def build() -> Path:
    BUILD.mkdir(exist_ok=True)
    program = BUILD / "yahtzee"
    source = HERE / "yahtzee.cpp"
    subprocess.run(["g++", "-O3", "-march=native", "-o", str(program), str(source)], check=True)
    return program


def komi_run(*command: str) -> dict[str, object]:
    komi = [sys.executable, "-c", "from komi.cli import main; main()", *command, "--fresh", "--json"]
    return dict(json.loads(subprocess.run(komi, check=True, capture_output=True, text=True).stdout))


def main() -> None:
    plain = json.loads(subprocess.run([str(build())], check=True, capture_output=True, text=True).stdout)
    komi_run("solve", "yahtzee")  # compiles
    answer = komi_run("solve", "yahtzee")
    assert abs(answer["value"] - plain["value"]) < 1e-6
    ours = answer["seconds"]["solve"]
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"C++                {plain['seconds']:.1f} s, {plain['value']:.4f} points")
    print(f"komi, proved       {ours:.1f} s, {ours / plain['seconds']:.1f} times as long")
    print(f"komi, bound        {answer['error_bound']:.1e}, {answer['states']:,} states before a roll")
    print(f"peak memory        {peak:.0f} MB")


if __name__ == "__main__":
    main()
