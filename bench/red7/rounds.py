"""Rounds of a random game of Red7 for points: `python bench/red7/rounds.py GAMES [RULE=VALUE ...]`."""

import sys
from typing import Any

import numpy as np

from komi.arrays import I64
from komi.rules.catalog import find
from komi.rules.compiled import compiled_game
from komi.rules.interface import over, pick, start
from komi.rules.steps import advance
from komi.streams import STREAM_BITS, draw, key
from komi.typing import Rules


def count_rounds(rules: Rules, keys: Any, rounds: I64) -> None:
    """Fill int64[games]: how often cards are dealt in each game."""
    numbers = np.empty(2)
    for game in range(len(rounds)):
        state, seat, position = start(rules), 0, game << STREAM_BITS
        while not over(rules, state):
            rounds[game] += state.undealt == rules.players * (rules.hand + 1)
            draw(keys, position, numbers)
            position += 2
            action = pick(rules, state, numbers[0])[1]
            step = advance(rules, state, seat, rules.players, action, numbers[1])
            state, seat = step.after, step.seat


def main(games: int, settings: dict[str, str]) -> None:
    """Print the mean number of rounds with its standard error."""
    game = find("red7")
    rounds = np.zeros(games, np.int64)
    compiled_game(game).kernels[count_rounds](game.rules({"scoring": "true"} | settings), key(2015, 0), rounds)
    print(f"{rounds.mean():.3f} ± {rounds.std() / games**0.5:.3f} rounds, {rounds.min()} to {rounds.max()}")


if __name__ == "__main__":
    main(int(float(sys.argv[1])), dict(word.split("=") for word in sys.argv[2:]))
