"""The strength of policies in a game of any number of players: `python bench/search/ladder.py GAME DEALS POLICY ...`.

At each table one policy plays against the same rival in all other seats, and takes each seat in turn with the same
deals. Printed are its wins, averaged over the seats, and how much stronger it is, as points of the Elo scale: if it
wins the share r / (r + seats - 1) of its games, 400 log10(r).

    python bench/search/ladder.py red7 800 random thrifty ismcts:1000
    python bench/search/ladder.py red7 800 ismcts:1000 pimc:1000 --rivals random thrifty --set actions=true
"""

import argparse
import sys
from typing import Any

import numpy as np

from komi.arrays import F64, I64
from komi.compiling.compiled import compiled_game
from komi.compiling.steps import advance, pay
from komi.policies.calls import PolicyCalls
from komi.policies.named import find_or_solve
from komi.rules.catalog import find
from komi.rules.interface import call_policy, over, pick, start, view
from komi.streams import STREAM_BITS, draw, key
from komi.typing import PolicyData, Rules

BLOCK = 20  # deals between two reports of progress
ELO = 400.0 / np.log(10.0)


def play_deals(rules: Rules, table: I64, deals: I64, keys: Any, data: PolicyData, wins: F64) -> None:
    """Play the deals numbered deals[0] to deals[1] - 1 at a table of int64[seats], the numbers of the policies.

    `wins`, float64[deals, seats], receives what each seat is paid.
    """
    numbers, seats = np.empty(2), len(table)
    for deal in range(deals[0], deals[1]):
        state, seat, position = start(rules), 0, deal << STREAM_BITS
        while not over(rules, state):
            draw(keys, position, numbers)
            position += 2
            count, action = pick(rules, state, numbers[0])
            if count > 1 and table[seat] > 0:
                action = call_policy(rules, view(rules, state), table[seat], data, numbers[0])
            step = advance(rules, state, seat, seats, action, numbers[1])
            state, seat = step.after, step.seat
        pay(rules, state, seat, wins[deal - deals[0]])


class Tables:
    """The tables at which policies play each other."""

    def __init__(self, game: str, settings: dict[str, str], names: list[str]) -> None:
        """Compile a game and its policies."""
        found = find(game)
        self.rules = found.rules(settings)
        self.seats = found.players(self.rules)
        self.calls = PolicyCalls.of([find_or_solve(name, found, settings) for name in names])
        self.kernel = self.calls.kernels(compiled_game(found))[play_deals]

    def play(self, one: int, rival: int, deals: int) -> F64:
        """Return float64[deals]: what a policy is paid in each deal, averaged over the seats that it takes."""
        shares = np.zeros(deals)
        for first in range(0, deals, BLOCK):
            last = min(first + BLOCK, deals)
            for seat in range(self.seats):
                table, wins = np.full(self.seats, self.calls.numbers[rival]), np.zeros((last - first, self.seats))
                table[seat] = self.calls.numbers[one]
                self.kernel(self.rules, table, np.array([first, last]), key(1, 0), self.calls.data, wins)
                shares[first:last] += wins[:, seat] / self.seats
            done = shares[:last]
            print(f"\r{last} deals: {mean(done)}", end="", file=sys.stderr, flush=True)
        print(file=sys.stderr)
        return shares


def mean(shares: F64) -> str:
    """Format a mean with its standard error, in percent."""
    return f"{100 * shares.mean():.1f} ± {100 * shares.std() / len(shares) ** 0.5:.1f} %"


def strength(shares: F64, seats: int) -> str:
    """Format how much stronger a policy is than its rival, on the Elo scale, with the standard error."""
    share = shares.mean()
    error = ELO * shares.std() / len(shares) ** 0.5 / (share * (1.0 - share))
    return f"{ELO * np.log((seats - 1) * share / (1.0 - share)):.0f} ± {error:.0f}"


def main() -> None:
    """Play all tables, and print the wins and the differences of strength."""
    parser = argparse.ArgumentParser()
    parser.add_argument("game")
    parser.add_argument("deals", type=int)
    parser.add_argument("policies", nargs="+")
    parser.add_argument("--rivals", nargs="+", default=[])
    parser.add_argument("--set", nargs="+", default=[])
    given = parser.parse_args()
    names = list(dict.fromkeys([*given.policies, *given.rivals]))
    tables = Tables(given.game, dict(word.split("=") for word in given.set), names)
    rivals = given.rivals or names
    pairs = [(names.index(one), names.index(other)) for one in given.policies for other in rivals if one != other]
    for one, rival in pairs:
        shares = tables.play(one, rival, given.deals)
        print(f"{names[one]} against {names[rival]}: {mean(shares)}; {strength(shares, tables.seats)}", flush=True)


if __name__ == "__main__":
    main()
