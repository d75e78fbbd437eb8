"""Rule sets a second on one worker and on two, and what one of the size of Red Light costs.

    python bench/sweep/run.py

Each measurement is a new process, with compiled code in the cache. Wall-clock times mean something on a quiet
machine only; CPU times mean much the same on any.
"""

import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import komi
from komi.compiling.compiled import CompiledGame
from komi.design.openings import solve_openings
from komi.rules import catalog

VARY = {"red": [4], "green": range(20, 28), "goal": [50], "komi": range(5)}  # 8 solutions, 40 rule sets
REPEATS = 5


def peak() -> float:
    """The most memory this process has used, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def measure_red_light() -> dict[str, float]:
    """Red Light with komi 0 to 4, values and expected actions, on one core; the best of some."""
    game = catalog.find("red-light")
    compiled = CompiledGame(game)
    rule_sets = [game.rules({"komi": komi}) for komi in range(5)]
    solve_openings(compiled, [game.rules({"goal": 5})], side_by_side=False)
    before = peak()
    cpu = []
    for _ in range(REPEATS):
        begin = time.process_time()
        solve_openings(compiled, rule_sets, side_by_side=False)
        cpu.append(time.process_time() - begin)
    return {"cpu_seconds": min(cpu), "megabytes": peak(), "megabytes_before": before}


def measure_sweep(workers: int) -> dict[str, float]:
    """The rule sets of VARY, from an empty store."""
    with tempfile.TemporaryDirectory() as folder:
        komi.sweep("red-light", {"goal": [5]}, store=Path(folder) / "first")
        begin, cpu = time.perf_counter(), time.process_time()
        rows = komi.sweep("red-light", VARY, store=Path(folder) / "store", workers=workers).rows
        seconds, cpu_seconds = time.perf_counter() - begin, time.process_time() - cpu
    return {
        "rule_sets": len(rows),
        "seconds": seconds,
        "cpu_seconds": cpu_seconds,
        "rule_sets_per_second": len(rows) / seconds,
        "megabytes": peak(),
    }


def in_a_process(measure: str) -> dict[str, float]:
    command = f"import json, run; print(json.dumps(run.{measure}))"
    ended = subprocess.run(
        [sys.executable, "-c", command], cwd=Path(__file__).parent, check=True, capture_output=True, text=True
    )
    return json.loads(ended.stdout)  # type: ignore[no-any-return]


def main() -> None:
    in_a_process("measure_red_light()")  # compiles
    one = in_a_process("measure_red_light()")
    print("Red Light, komi 0 to 4, values and expected actions:")
    print(f"  {one['cpu_seconds']:.2f} s of one core, {one['megabytes']:.0f} MB in all")
    pairs = [(in_a_process("measure_sweep(1)"), in_a_process("measure_sweep(2)")) for _ in range(3)]
    alone, both = min(pairs, key=lambda pair: pair[0]["seconds"] + pair[1]["seconds"])
    print(f"{alone['rule_sets']} rule sets, {len(VARY['green'])} solutions:")
    for workers, found in enumerate((alone, both), 1):
        print(
            f"  {workers} worker{'s' * (workers > 1)}: {found['rule_sets_per_second']:.1f} rule sets a second, "
            f"{found['seconds']:.2f} s, {found['cpu_seconds']:.2f} s of CPU, {found['megabytes']:.0f} MB"
        )
    print(f"  2 workers are {alone['seconds'] / both['seconds']:.2f} times as fast as 1; from CPU times alone ", end="")
    print(f"they could be {2 * alone['cpu_seconds'] / both['cpu_seconds']:.2f} times as fast")


if __name__ == "__main__":
    main()
