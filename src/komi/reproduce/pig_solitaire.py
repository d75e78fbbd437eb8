"""The published numbers of single-player Pig."""

from collections import defaultdict
from collections.abc import Mapping

from komi.reproduce.claim import Finding, PublishedClaim
from komi.rules import catalog


def _hold_at_20() -> Finding:
    """Solve T(i) = 1 + sum of p(k) T(i + k) over the scores k of a turn, from the goal down.

    A turn may score 0, which is why the equation is solved for T(i).
    """
    turns: dict[int, float] = {}
    for score in range(99, -1, -1):
        points = _one_turn(score)
        later = sum(chance * turns.get(score + more, 0.0) for more, chance in points.items() if more)
        turns[score] = (1.0 + later) / (1.0 - points[0])
    return Finding(f"{turns[0]:.3f}")


def _one_turn(score: int) -> Mapping[int, float]:
    """Compute the distribution of the score of a turn that holds at 20 or at the goal."""
    game = catalog.find("pig-solitaire")
    rules = game.rules({"objective": "turns"})
    roll, hold = range(2)
    points: dict[int, float] = defaultdict(float)
    going = {game.module.State(score, 0, 0): 1.0}
    while going:
        later: dict[object, float] = defaultdict(float)
        for state, mass in going.items():
            action = hold if state.turn >= 20 or state.score + state.turn >= rules.goal else roll
            for chance, after, passes in game.outcomes(rules, state, action):
                if passes:
                    points[after.score - score] += mass * chance
                else:
                    later[after] += mass * chance
        going = later
    return points


CLAIMS = (
    PublishedClaim("pig-solitaire", "N05", "Pig alone: turns to 100 on average, holding at 20", "12.637", _hold_at_20),
)
