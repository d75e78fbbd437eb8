"""Rounds of random games of Red7 for points: `python bench/red7/rounds.py GAMES [RULE=VALUE ...]`."""

import sys
from typing import Any

import numpy as np

from komi.arrays import F64, I64
from komi.compiling.compiled import compiled_game
from komi.compiling.steps import advance, pay
from komi.rules.catalog import find
from komi.rules.interface import over, pick, state_from
from komi.streams import STREAM_BITS, draw, key
from komi.typing import Rules


def play_games(rules: Rules, start: I64, keys: Any, wins: F64, turns: I64, rounds: I64) -> None:
    """Fill float64[games, seats], what seats are paid, and int64[games], how often turns pass and cards are dealt."""
    numbers = np.empty(2)
    for game in range(len(rounds)):
        state, seat, position = state_from(start, 0), 0, game << STREAM_BITS
        while not over(rules, state):
            rounds[game] += state.undealt == rules.players * (rules.hand + 1)
            draw(keys, position, numbers)
            position += 2
            action = pick(rules, state, numbers[0])[1]
            step = advance(rules, state, seat, rules.players, action, numbers[1])
            turns[game] += step.passes > 0
            state, seat = step.after, step.seat
        pay(rules, state, seat, wins[game])


def main(games: int, settings: dict[str, str]) -> None:
    """Print the means with their standard errors."""
    game = find("red7")
    rules = game.rules({"scoring": "true"} | settings)
    wins, turns, rounds = np.zeros((games, rules.players)), np.zeros(games, np.int64), np.zeros(games, np.int64)
    compiled = compiled_game(game)
    compiled.kernels[play_games](rules, compiled.start(rules), key(2015, 0), wins, turns, rounds)
    shares = {f"seat {seat + 1}": 100 * wins[:, seat] for seat in range(rules.players)}
    for name, found in {**shares, "turns": turns, "rounds": rounds}.items():
        print(f"{name}: {found.mean():.3f} ± {found.std() / games**0.5:.3f}, {found.min():g} to {found.max():g}")


if __name__ == "__main__":
    main(int(float(sys.argv[1])), dict(word.split("=") for word in sys.argv[2:]))
