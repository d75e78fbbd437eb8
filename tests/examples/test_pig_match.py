"""Match play of Pig with a doubling cube, against value iteration in plain Python, game by game."""

from functools import cache
from itertools import product
from pathlib import Path

import pytest

import komi

GAME = Path(__file__).parents[2] / "examples" / "pig_match.py"
MATCH, GOAL, SIDES = 3, 3, 3
NOBODY, RIVAL = 0, 2


@cache
def equity(won: int, lost: int, crawford: int) -> float:
    """Return the chance that the player who begins this game wins the match."""
    cubes = [1] if crawford == 1 else [1, 2, 4]
    value = dict.fromkeys(product(cubes, range(3), range(GOAL), range(GOAL), range(GOAL + 1), (0, 1), (0, 1)), 0.5)
    change = 1.0
    while change > 1e-13:
        change = 0.0
        for cube, owner, score, rival, turn, is_first, may_double in value:
            mine, theirs = (won, lost) if is_first else (lost, won)
            wins = 1.0 - after_loss(theirs, mine + cube, crawford)
            theirs_now = (cube, (0, 2, 1)[owner], rival)  # the cube and the score of the rival, if the turn ends
            hold = wins if score + turn >= GOAL else 1.0 - value[*theirs_now, score + turn, 0, 1 - is_first, 1]
            faces = [value[cube, owner, score, rival, min(turn + face, GOAL - score), is_first, 0] for face in (2, 3)]
            best = (1.0 - value[*theirs_now, score, 0, 1 - is_first, 1] + sum(faces)) / SIDES
            best = max(best, hold) if turn > 0 else best
            if may_double and turn == 0 and owner != RIVAL and crawford != 1 and mine + cube < MATCH:
                best = max(best, min(value[2 * cube, RIVAL, score, rival, 0, is_first, 0], wins))
            change = max(change, abs(best - value[cube, owner, score, rival, turn, is_first, may_double]))
            value[cube, owner, score, rival, turn, is_first, may_double] = best
    return value[1, NOBODY, 0, 0, 0, 1, 1]


def after_loss(won: int, lost: int, crawford: int) -> float:
    """Return the chance to win the match of a player who has lost a game, and begins the next."""
    if lost >= MATCH:
        return 0.0
    return equity(won, lost, min(crawford + 1, 2) if max(won, lost) == MATCH - 1 else 0)


def test_the_match_equity_table_is_that_of_one_game_after_another() -> None:
    solution = komi.solve(GAME, match=MATCH, goal=GOAL, sides=SIDES)
    scores = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 0), (2, 0, 1), (0, 2, 1), (2, 1, 2), (1, 2, 2), (2, 2, 2)]
    for won, lost, crawford in scores:
        start = {"won": won, "lost": lost, "crawford": crawford}
        assert solution.expected_value(start) == pytest.approx(equity(*start.values()), abs=1e-9), start


def test_a_match_of_one_point_is_pig() -> None:
    assert komi.solve(GAME, match=1, goal=20).value() == pytest.approx(komi.solve("pig", goal=20).value(), abs=1e-9)


def test_the_cube_stays_in_the_box_in_the_crawford_game() -> None:
    solution = komi.solve(GAME, match=2, goal=6)
    trailing = {"won": 0, "lost": 1}
    assert list(solution.actions({**trailing, "crawford": 1})) == ["roll"]
    assert solution.best({**trailing, "crawford": 2}) == "double"
