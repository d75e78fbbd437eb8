"""The Royal Game of Ur solved by komi, from the rules alone and proved, beside published programs on 16 cores.

python bench/ur/run.py              # Finkel's rules with 4 pieces
python bench/ur/run.py blitz        # the published games: minutes
python bench/ur/run.py finkel
"""

import json
import resource
import subprocess
import sys

from komi.parallel import cores

PUBLISHED = {"blitz": (41_254_034, 50.4052555093, 31.5), "finkel": (137_892_016, 51.5404732509, 200.5)}
"""States before a throw, the first player's wins in percent, and seconds on 16 cores (RoyalUr, residual 3e-14)."""
ENDED = {"blitz": 10_253, "finkel": 21_919}
"""Of these states so many are those where the game is over, which komi does not count."""
CORES = 16


def solve(*settings: str) -> dict[str, object]:
    command = "from komi.cli import main; main()", "solve", "royal-game-of-ur", "--fresh", "--json"
    given = [word for setting in settings for word in ("--set", setting)]
    return dict(json.loads(subprocess.check_output([sys.executable, "-c", *command, *given], text=True)))


def main() -> None:
    rules = sys.argv[1] if len(sys.argv) > 1 else ""
    solution = solve(f"rules={rules}") if rules else solve("pieces=4")
    seconds = solution["seconds"]["solve"]
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 2**20
    print(f"first player wins  {100 * solution['value']:.10f} %, proved to {solution['error_bound']:.1e}")
    print(f"states             {solution['states']:,}")
    print(f"solving            {seconds:.0f} s, {1e6 * seconds / solution['states']:.1f} microseconds a state")
    print(f"peak memory        {peak:.2f} GB")
    if rules in PUBLISHED:
        states, wins, published = PUBLISHED[rules]
        assert solution["states"] == states - ENDED[rules]
        assert abs(100 * solution["value"] - wins) < 1e-8
        ratio = seconds * cores() / (published * CORES)
        print(f"published          {published} s on {CORES} cores, no bound: {ratio:.1f} times as long here a core")


if __name__ == "__main__":
    main()
