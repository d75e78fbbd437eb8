"""Play games between two policies, move by move as the opponents of `komi play` are, and count who wins.

    python bench/search/play.py yahtzee mcts:1s optimal --set players=2 --games 20

`komi simulate` is much faster, but takes only policies that compiled code can call: not the optimal play of each
player's own game.
"""

import argparse
import random
import time

import numpy as np

from komi.play import opponents
from komi.play.fairness import sample_event
from komi.play.opponent_players import create_player, solve_for_opponents
from komi.play.table import Table
from komi.rules import catalog


def main() -> None:
    """Print the share of the wins of the first policy, with its standard error."""
    parser = argparse.ArgumentParser()
    parser.add_argument("game")
    parser.add_argument("policies", nargs=2)
    parser.add_argument("--set", metavar="NAME=VALUE", action="append", default=[])
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    one, other = arguments.policies
    game = catalog.find(arguments.game)
    rules = game.rules(dict(each.split("=") for each in arguments.set))
    solution = solve_for_opponents(game, rules)
    players = [create_player(opponents.find(name, game, rules), game, rules, solution) for name in (one, other)]
    wins, seconds, decisions = [], [0.0, 0.0], [0, 0]
    for number in range(arguments.games):
        table, chance = Table(game, rules), random.Random(arguments.seed * 1_000_000 + number // 2)
        while table.payoffs is None:
            if table.events:
                table.enter(sample_event(table.events, chance.random()).label)
                continue
            assert table.mover is not None
            who = (table.mover + number) % 2
            begin = time.perf_counter()
            action = players[who].choose(table.state, chance.random())
            seconds[who] += time.perf_counter() - begin
            decisions[who] += 1
            table.enter(game.label(rules, table.state, action))
        wins.append(table.payoffs[number % 2])
    error = np.std(wins, ddof=1) / len(wins) ** 0.5
    per_move = ", ".join(f"{1000 * spent / count:.1f}" for spent, count in zip(seconds, decisions, strict=True))
    print(f"{one} against {other}: {np.mean(wins):.3f} ± {error:.3f} of {len(wins)} games; {per_move} ms a decision")


if __name__ == "__main__":
    main()
