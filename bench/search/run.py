"""The strength of searchers against exact play: what their choices lose, in games that komi has solved.

A searcher plays both seats alternately against optimal play. Each of its choices loses the difference of two exact
values, and against optimal play the expected sum of these is what it wins less than half: so few games measure it well.

    python bench/search/run.py pig 200 mcts:2000 mcts:10000
    python bench/search/run.py traffic-lights 100 mcts:1000 version=3

A game without an end, as a draw in Traffic Lights 3, is left after 100 choices of the searcher.
"""

import sys
import time
from dataclasses import dataclass
from typing import Any

import numpy as np

from komi.arrays import F64, I64
from komi.compiling.steps import advance
from komi.graph.lookup import StateIndex
from komi.graph.transitions import successor_value
from komi.policies.calls import PolicyCalls
from komi.policies.named import find
from komi.policies.policy import Policy
from komi.rules.interface import call_policy, legal, outcomes, over, pick, state_from
from komi.solvers.solve import solve
from komi.streams import draw, key
from komi.typing import PolicyData, Rules

GAME_BITS = 24
MAX_CHOICES = 100


@dataclass(frozen=True)
class Loss:
    """The loss of a searcher in a game: the mean over both seats, its standard error, and the choices of a game."""

    mean: float
    stderr: float
    choices: float


def play_games(
    rules: Rules,
    start: I64,
    states: StateIndex,
    values: F64,
    keys: Any,
    games: I64,
    data: PolicyData,
    losses: F64,
    counts: I64,
) -> None:
    """Play the games numbered games[0] to games[1] - 1, policy 1 in seat 0 of the even ones, policy 2 in the other."""
    numbers = np.empty(2)
    for game in range(games[0], games[1]):
        state, seat, searcher, position = state_from(start, 0), 0, game % 2, game << GAME_BITS
        while not over(rules, state) and counts[game] < MAX_CHOICES:
            draw(keys, position, numbers)
            position += 2
            count, action = pick(rules, state, numbers[0])
            if count > 0:
                action = call_policy(rules, state, 1 if seat == searcher else 2, data, numbers[0])
            if count > 1 and seat == searcher:
                best, own = -1.0, -1.0
                for option in legal(rules, state):
                    value = 0.0
                    for chance, after, passes in outcomes(rules, state, option):
                        value += chance * successor_value(rules, states, values, after, passes)
                    best = max(best, value)
                    own = value if option == action else own
                losses[game] += best - own
                counts[game] += 1
            step = advance(rules, state, seat, 2, action, numbers[1])
            state, seat = step.after, step.seat


def measure(solution: Any, policy: Policy, games: int, seed: int = 1) -> Loss:
    """Measure the loss of a policy."""
    play = solution.optimal_play
    calls = PolicyCalls.of([policy, find("optimal", solution)])
    order = [calls.policies[number].name for number in np.argsort(calls.numbers)]
    assert order[0] == policy.name, order
    losses, counts = np.zeros(games), np.zeros(games, np.int64)
    calls.kernels(solution.compiled)[play_games](
        solution.rules,
        solution.compiled.start(solution.rules),
        play.states,
        play.values,
        key(seed, 0),
        np.array([0, games]),
        calls.data,
        losses,
        counts,
    )
    return Loss(float(losses.mean()), float(losses.std() / games**0.5), float(counts.mean()))


def main(game: str, games: int, *words: str) -> None:
    """Print the loss of each searcher."""
    settings = [word for word in words if ":" not in word]
    solution = solve(game, **dict(word.split("=") for word in settings))
    for name in words:
        if name in settings:
            continue
        policy = find(name, solution)
        measure(solution, policy, 2)
        begin = time.process_time()
        loss = measure(solution, policy, games)
        seconds = time.process_time() - begin
        print(
            f"{name:40} loses {100 * loss.mean:6.3f} ± {100 * loss.stderr:.3f} % of a game; "
            f"{loss.choices:.1f} choices, "
            f"{1000 * seconds / games / max(loss.choices, 1):.2f} ms each",
            flush=True,
        )


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), *sys.argv[3:])
