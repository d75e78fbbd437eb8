"""Measure the actions of a game of each built-in game, for the minutes on the first page: src/komi/web/lengths.json.

    python scripts/game_lengths.py            # every game
    python scripts/game_lengths.py pig red7   # some of them

The middle opponent of the page plays all seats, optimal play a game for one. Yahtzee, whose optimal play has too many
states for a table, and Skunk, which takes minutes to solve, have no figure unless they are named.
"""

import json
import sys
from pathlib import Path

import komi
from komi.play import opponents
from komi.rules import catalog

FILE = Path(__file__).parents[1] / "src" / "komi" / "web" / "lengths.json"
GAMES = 2000
SLOW = {"skunk", "yahtzee"}


def actions_of(name: str) -> float:
    """Return the mean number of actions of all seats together, to a tenth."""
    game = catalog.find(name)
    levels = opponents.levels(game, game.default_rules)
    policy = levels[len(levels) // 2].policy if levels else "optimal"
    return round(komi.simulate(name, GAMES, policies=[policy] * game.players(game.default_rules)).actions.mean, 1)


if __name__ == "__main__":
    lengths = json.loads(FILE.read_text()) if FILE.exists() else {}
    for name in sys.argv[1:] or sorted(set(catalog.names()) - SLOW):
        lengths[name] = actions_of(name)
        print(name, lengths[name], flush=True)
        FILE.write_text(json.dumps(dict(sorted(lengths.items())), indent=2) + "\n")
