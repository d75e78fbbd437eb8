"""The figures of docs/traffic-lights.md: boards of all sizes, and what two random players see.

.venv/bin/python bench/traffic_lights/figures.py
"""

import numpy as np

from komi.compiling.compiled import CompiledGame
from komi.jit.intrinsics import rank
from komi.rules.catalog import find
from komi.rules.interface import legal, outcomes, over, pack, unpack
from komi.solvers.solve import solve_by
from komi.solvers.tablebase.retrograde import Scores
from komi.solvers.tablebase.tablebase import RetrogradeSolver, Tablebase

GAME = find("traffic-lights")
WINDOW = 256  # words of version 3 that differ in the strip alone
SETTLED = 1e-15


def random_play(rules, states, chances, lengths):
    """Two players who pick among their moves with equal chances: (the mover wins, plies to the end) of each position.

    Windows of words are swept until they settle; only the strip leads back, and only within a window.
    """
    layout, bits, ranks = states
    for window in range((64 * len(bits) + WINDOW - 1) // WINDOW - 1, -1, -1):
        change = 1.0
        while change > SETTLED:
            change = 0.0
            for word in range(min((window + 1) * WINDOW, 64 * len(bits)) - 1, window * WINDOW - 1, -1):
                if not (bits[word >> 6] >> np.uint64(word & 63)) & np.uint64(1):
                    continue
                state = unpack(layout, word)
                moves, chance, length = 0, 0.0, 0.0
                for action in legal(rules, state):
                    for _, after, _ in outcomes(rules, state, action):
                        moves += 1
                        if over(rules, after):
                            chance += 1.0
                        else:
                            index = rank(bits, ranks, pack(layout, after))
                            chance += 1.0 - chances[index]
                            length += lengths[index]
                index = rank(bits, ranks, word)
                change = max(change, abs(chances[index] - chance / moves))
                chances[index] = chance / moves
                lengths[index] = 1.0 + length / moves


def random_result(compiled: CompiledGame, scores: Scores, tablebase: Tablebase) -> tuple[float, float]:
    """Return how often the first of two random players wins, and the mean length of their games in plies."""
    chances, lengths = np.zeros(scores.states.size), np.zeros(scores.states.size)
    states = scores.states
    compiled.kernels[random_play](tablebase.rules, states, chances, lengths)
    index = states.index_of(GAME.part("start")(tablebase.rules))
    return float(chances[index]), float(lengths[index])


def show(settings: dict[str, object], randomly: bool = False) -> None:
    """One line of figures."""
    tablebase = solve_by(RetrogradeSolver(), GAME, GAME.rules(settings))
    scores = tablebase.data
    most = int(np.iinfo(scores.scores.dtype).max)
    at_once = np.count_nonzero(scores.scores == most - 1) / tablebase.states
    line = f"{settings}: {tablebase.value()} {tablebase.plies()}, {tablebase.counts}, wins at once {at_once:.4f}"
    if randomly:
        first, plies = random_result(tablebase.compiled, scores, tablebase)
        line += f", random: first wins {first:.6f}, {plies:.4f} plies"
    longest = most - int(np.abs(scores.scores[scores.scores != 0]).min())
    print(line, f"longest {longest}", flush=True)


if __name__ == "__main__":
    for version in (1, 2, 3):
        show({"version": version}, randomly=True)
    for version in (1, 2, 3):
        show({"version": version, "misere": True})
    for rows in range(1, 5):
        for columns in range(max(rows, 3), 5):
            if rows * columns <= 12:
                show({"rows": rows, "columns": columns}, randomly=True)
