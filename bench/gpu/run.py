"""Random play on a graphics processor beside one core: games a second, without the time to compile."""

import statistics
from pathlib import Path

import komi
from komi.errors import InputError
from komi.gpu.card import check_card, cuda

RUNS = 3
EXAMPLES = Path(__file__).parents[2] / "examples"
GAMES = (
    ("pig", 1_000_000_000, 2_000_000),
    ("red7", 100_000_000, 1_000_000),
    (EXAMPLES / "kuhn_poker.py", 1_000_000_000, 5_000_000),
    (EXAMPLES / "leduc_poker.py", 1_000_000_000, 2_000_000),
)  # each with the numbers of games on the card and on a core


def rate(game: str | Path, games: int, device: str) -> float:
    """Return the median of the games a second, after a first run that compiles."""
    workers = 1 if device == "cpu" else None
    runs = [komi.simulate(game, games, device=device, workers=workers, seed=seed) for seed in range(RUNS + 1)]
    return statistics.median(run.games_per_second for run in runs[1:])


def main() -> None:
    try:
        check_card()
    except InputError as error:
        print(error)
        return
    print(cuda().get_current_device().name)
    for game, many, few in GAMES:
        there, here = rate(game, many, "gpu"), rate(game, few, "cpu")
        name = getattr(game, "stem", game)
        print(
            f"{name}: {there / 1e6:,.1f} million games a second, {there / here:,.0f} times one core ({here / 1e6:.2f})"
        )


main()
