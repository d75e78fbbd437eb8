"""The Royal Game of Ur: squares, captures, rosettes, and what small games are worth."""

import random

import pytest

from games import reference, twins
from komi.errors import InputError
from komi.games import royal_game_of_ur as ur
from komi.rules import catalog

GAME = catalog.find("royal-game-of-ur")


@pytest.mark.parametrize("rules", ["finkel", "blitz", "masters"])
def test_the_value_with_one_piece_each_agrees_with_the_twin(rules: str) -> None:
    chosen = GAME.rules({"rules": rules, "pieces": 1})
    values, count = twins.ur(rules, 1)
    bounds = reference.bounds(GAME, chosen)
    low, high = bounds[GAME.part("start")(chosen)]
    assert low - 1e-12 <= values[(-1,), (-1,)] <= high + 1e-12
    assert sum(not state.throw and not GAME.part("over")(chosen, state) for state in bounds) == count


def both_sides(rules, state):
    """Return the places of both sides' pieces on their paths, as in the twin."""
    path = ur._path(rules)
    sides = []
    for home, squares in zip(state[:2], ur.write(rules, state._replace(throw=0)).split("/"), strict=True):
        placed = [int(square) - 1 for square in filter(None, squares.partition(":")[2].split("."))]
        waiting = ur._pieces(rules) - home - len(placed)
        sides.append(tuple(sorted([-1] * waiting + placed + [ur.LENGTH[path]] * home)))
    return tuple(sides)


@pytest.mark.parametrize("rules", ["finkel", "blitz", "masters"])
def test_moves_of_random_games_are_the_twins(rules: str) -> None:
    chosen, chance = GAME.rules({"rules": rules}), random.Random(rules)
    for _ in range(15):
        state = GAME.part("start")(chosen)
        while not GAME.part("over")(chosen, state):
            assert GAME.read(chosen, GAME.write(chosen, state)) == state
            if state.throw:
                mine, theirs = both_sides(chosen, state)
                found = []
                for action in ur.legal(chosen, state):
                    [(_, after, passes)] = ur.outcomes(chosen, state, action)
                    sides = both_sides(chosen, after)
                    found.append((*(sides[::-1] if passes else sides), not passes))
                assert sorted(found) == sorted(twins.ur_moves(rules, mine, theirs, state.throw))
            options = [o for action in ur.legal(chosen, state) for o in ur.outcomes(chosen, state, action)]
            _, state, _ = chance.choice(options)


def test_a_piece_on_the_middle_rosette_is_safe_under_finkel_alone() -> None:
    for rules, safe in (("finkel", True), ("blitz", False), ("masters", False)):
        chosen = GAME.rules({"rules": rules})
        state = GAME.read(chosen, "0:6/0:8/2")
        assert ("6 to 8" not in GAME.labels(chosen, state)) is safe


@pytest.mark.parametrize(("rules", "again"), [("finkel", False), ("blitz", True), ("masters", False)])
def test_a_capture_gives_another_throw_under_blitz_alone(rules: str, again: bool) -> None:
    chosen = GAME.rules({"rules": rules})
    state = GAME.read(chosen, "0:5/0:6/1")
    [(_, after, passes)] = GAME.outcomes(chosen, state, 5)
    assert (passes == 0) is again
    assert GAME.write(chosen, after) == ("0:6/0:" if again else "0:/0:6")


def test_outer_squares_are_shared_at_different_places_of_the_long_path() -> None:
    chosen = GAME.rules({"rules": "masters"})
    state = GAME.read(chosen, "0:11/0:16/1")  # the mover's 12th square is the opponent's 16th
    [(_, after, _)] = GAME.outcomes(chosen, state, 11)
    assert GAME.write(chosen, after) == "0:12/0:"
    with pytest.raises(InputError, match="pieces of both players stand on one square"):
        GAME.read(chosen, "0:12/0:16")


@pytest.mark.parametrize(
    ("state", "complaint"),
    [
        ("0:3", "two players' pieces"),
        ("0:3/0:17", "'17' is not a square, only 1 to 14 are"),
        ("0:3.3/0:", "square 3 is named twice"),
        ("0:3/0:/5", "'5' is not a throw"),
        ("x/0:", "is not the number of pieces home"),
        ("7:1/0:", "its rules do not allow"),
    ],
)
def test_a_state_in_wrong_words_is_refused_with_the_reason(state: str, complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        GAME.read(GAME.default_rules, state)


def test_too_many_pieces_are_refused() -> None:
    with pytest.raises(InputError, match="pieces of royal-game-of-ur must be 0 to 7, not 8"):
        GAME.rules({"pieces": 8})


def test_the_board_shows_every_square_once() -> None:
    rules = GAME.default_rules
    squares = list(GAME.part("board")(rules, GAME.read(rules, "1:5.14/2:7/2")))
    assert len(squares) == len({(row, column) for row, column, _, _ in squares}) == 20
    assert sum(tint for *_, tint in squares) == 5
    assert sorted(shows for _, _, shows, _ in squares if shows) == ["black", "white", "white"]
