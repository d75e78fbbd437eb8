"""Random Red7 and Pig: games a second of one core, komi beside a C++ program with the same tricks.

The two take turns, and the best of several is reported: on a shared machine the others only ever slow down.
Time is the processor's, compiling not counted. Results must agree within their errors.
"""

import json
import subprocess
import time
from pathlib import Path

import komi

HERE = Path(__file__).parent
BUILD = HERE.parent / "build"
GAMES, ROUNDS = 2_000_000, 3


def built() -> Path:
    """The C++ program, made by g++."""
    BUILD.mkdir(exist_ok=True)
    program = BUILD / "red7"
    command = ["g++", "-O3", "-march=native", "-std=c++17", str(HERE / "red7.cpp"), "-o", str(program)]
    subprocess.run(command, check=True)
    return program


def cpp(program: Path) -> dict:
    return json.loads(subprocess.run([program, str(GAMES)], check=True, capture_output=True, text=True).stdout)


def ours(game: str, workers: int = 1) -> tuple[float, float, komi.Simulation]:
    """(games a second of processor time, and of the clock, what was seen)."""
    komi.simulate(game, 1)
    cpu, clock = time.process_time(), time.perf_counter()
    simulation = komi.simulate(game, GAMES * workers, seed=1, workers=workers)
    games = simulation.games
    return games / (time.process_time() - cpu), games / (time.perf_counter() - clock), simulation


def main() -> None:
    """Print the comparison."""
    program = built()
    theirs = mine = pig = one = two = 0.0
    for _ in range(ROUNDS):
        seen = cpp(program)
        theirs = max(theirs, seen["games_per_second"])
        speed, clock, simulation = ours("red7")
        mine, one = max(mine, speed), max(one, clock)
        two = max(two, ours("red7", workers=2)[1])
        pig = max(pig, ours("pig")[0])
        for rate, estimate in zip(seen["win_rate"], simulation.wins, strict=True):
            assert abs(rate - estimate.mean) < 5 * 2**0.5 * estimate.stderr, "the two play different games"
    print(f"random Red7, C++    {theirs:12,.0f} games a second of one core")
    print(f"random Red7, komi   {mine:12,.0f} ({mine / theirs:.2f} of C++)")
    print(f"          two cores {two:12,.0f} by the clock, {two / one:.2f} times one core")
    print(f"random Pig, komi    {pig:12,.0f}")


if __name__ == "__main__":
    main()
