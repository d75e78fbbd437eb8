"""Left, Center, Right, king and rook, and Mastermind have the values of independent computations."""

import itertools
from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import permutations, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import komi

EXAMPLES = Path(__file__).parents[2] / "examples"
Chips = tuple[int, ...]


def solve(name: str, **rules: object) -> Any:
    return komi.solve(EXAMPLES / f"{name}.py", **rules)


def throw(chips: Chips, seat: int) -> Counter[Chips]:
    """Return how often each result of a throw comes, of all faces of the dice."""
    dice = min(chips[seat], 3)
    results: Counter[Chips] = Counter()
    for faces in product("LRC...", repeat=dice):
        after = list(chips)
        for face in faces:
            after[seat] -= face != "."
            after[(seat + 1) % len(chips)] += face == "L"
            after[(seat - 1) % len(chips)] += face == "R"
        results[tuple(after)] += 1
    return results


def chances_of_winning(players: int, each: int) -> np.ndarray:
    """Solve the Markov chain of the chips on the table and the seat to throw, as linear equations."""
    start = ((each,) * players, 0)
    known, waiting = {start: 0}, [start]
    rows, columns, weights, won = [], [], [], []
    while waiting:
        state = waiting.pop()
        chips, seat = state
        if sum(chip > 0 for chip in chips) == 1:
            won.append((known[state], next(player for player in range(players) if chips[player])))
            continue
        results = throw(chips, seat)
        for after, ways in results.items():
            later = (after, (seat + 1) % players)
            if later not in known:
                known[later] = len(known)
                waiting.append(later)
            rows.append(known[state])
            columns.append(known[later])
            weights.append(ways / results.total())
    chain, ends = np.eye(len(known)), np.zeros((len(known), players))
    np.subtract.at(chain, (rows, columns), weights)
    for state_number, winner in won:
        ends[state_number, winner] = 1.0
    return np.linalg.solve(chain, ends)[0]


@pytest.mark.parametrize(("players", "chips"), [(3, 3), (4, 2)])
def test_seats_of_left_center_right_win_as_the_markov_chain_says(players: int, chips: int) -> None:
    solution = solve("lcr", players=players, chips=chips)
    assert solution.seat_values() == pytest.approx(chances_of_winning(players, chips), abs=1e-10)


class Endgame:
    """King and rook against king on a small board, by retrograde analysis of all positions, in sets of squares."""

    def __init__(self, side: int) -> None:
        self.squares = [divmod(number, side) for number in range(side * side)]
        self.near = {square: self.neighbours(square) for square in self.squares}
        positions = product((False, True), self.squares, self.squares, self.squares)
        moves = {each: self.moves(*each) for each in positions if self.is_legal(*each)}
        self.plies: dict[Any, int]  # to the mate, of the positions that White wins
        self.plies = {each: 0 for each, to in moves.items() if each[0] and not to and self.rook(*each[1:], each[3])}
        for ply in itertools.count(1):
            won = {
                each: ply
                for each, to in moves.items()
                if each not in self.plies and to and (all if each[0] else any)(after in self.plies for after in to)
            }
            if not won:
                break
            self.plies |= won
            moves = {each: to for each, to in moves.items() if each not in won}

    def neighbours(self, square: Any) -> set[Any]:
        return {to for to in self.squares if max(abs(to[0] - square[0]), abs(to[1] - square[1])) <= 1}

    def rook(self, king: Any, rook: Any, lone: Any, target: Any) -> bool:
        """Return whether the rook attacks a square; the lone king does not stand in the way."""
        if rook == target or (rook[0] != target[0] and rook[1] != target[1]):
            return False
        low, high = sorted((rook, target))
        return not (low < king < high and (rook[0] == king[0] == target[0] or rook[1] == king[1] == target[1]))

    def is_legal(self, black: bool, king: Any, rook: Any, lone: Any) -> bool:
        apart = len({king, rook, lone}) == 3 and lone not in self.near[king]
        return apart and (black or not self.rook(king, rook, lone, lone))

    def moves(self, black: bool, king: Any, rook: Any, lone: Any) -> list[Any]:
        if black:
            safe = [to for to in self.near[lone] - {lone} - self.near[king] if not self.rook(king, rook, lone, to)]
            return [(False, king, rook, to) if to != rook else "draw" for to in safe]
        steps = [(True, to, rook, lone) for to in self.near[king] - {king, rook} - self.near[lone]]
        lines = [to for to in self.squares if to not in (king, lone) and self.rook(king, rook, lone, to)]
        free = [to for to in lines if not self.is_between(rook, lone, to)]
        return steps + [(True, king, to, lone) for to in free]

    @staticmethod
    def is_between(rook: Any, lone: Any, to: Any) -> bool:
        low, high = sorted((rook, to))
        return low < lone < high and (rook[0] == lone[0] == to[0] or rook[1] == lone[1] == to[1])


@pytest.mark.parametrize("side", [4, pytest.param(8, marks=pytest.mark.slow)])
def test_king_and_rook_win_as_all_positions_analysed_backwards_say(side: int) -> None:
    plies = Endgame(side).plies
    solution = solve("king_and_rook", side=side, king=0, rook=side + 1, lone=2 * side + 2)
    assert solution.counts[0] == sum(not black for black, *_ in plies)
    for black, *pieces in list(plies)[:: side * side]:
        king, rook, lone = (row * side + column for row, column in pieces)
        state = {"black": int(black), "king": king, "rook": rook, "lone": lone}
        assert solution.plies(state) == plies[black, *pieces]
    if side == 8:
        assert max(ply for (black, *_), ply in plies.items() if not black) == solution.plies() == 31


@cache
def answer(code: Chips, guess: Chips) -> tuple[int, int]:
    right = sum(one == other for one, other in zip(code, guess, strict=True))
    return right, (Counter(code) & Counter(guess)).total() - right


def expected_guesses(pegs: int, colors: int, repeats: bool = True) -> Fraction:
    """Compute the least expected guesses in exact fractions; guesses after which all codes still fit are left out."""
    everything = tuple(product(range(colors), repeat=pegs) if repeats else permutations(range(colors), pegs))

    @cache
    def total(codes: tuple[Chips, ...]) -> int:
        """Return the least sum of guesses over these codes."""
        if len(codes) == 1:
            return 1
        sums = []
        for guess in everything:
            answers: dict[tuple[int, int], list[Chips]] = {}
            for code in codes:
                answers.setdefault(answer(code, guess), []).append(code)
            if len(answers) > 1:
                rest = [tuple(fitting) for given, fitting in answers.items() if given != (pegs, 0)]
                sums.append(len(codes) + sum(map(total, rest)))
        return min(sums)

    return Fraction(total(everything), len(everything))


@pytest.mark.parametrize(
    ("pegs", "colors", "guesses"),
    [
        (2, 3, Fraction(7, 3)),
        (2, 4, Fraction(45, 16)),
        (3, 2, Fraction(9, 4)),
        pytest.param(3, 3, Fraction(73, 27), marks=pytest.mark.slow),
    ],
)
def test_mastermind_takes_as_many_guesses_as_all_games_of_exact_fractions(
    pegs: int, colors: int, guesses: Fraction
) -> None:
    assert expected_guesses(pegs, colors) == guesses
    assert solve("mastermind", pegs=pegs, colors=colors).value() == pytest.approx(float(guesses), abs=1e-12)


@pytest.mark.parametrize(
    ("pegs", "colors", "guesses"),
    [
        (1, 3, Fraction(2)),
        (2, 4, Fraction(5, 2)),
        (3, 4, Fraction(3)),
        pytest.param(3, 5, Fraction(49, 15), marks=pytest.mark.slow),
    ],
)
def test_bulls_and_cows_takes_as_many_guesses_as_all_games_of_exact_fractions(
    pegs: int, colors: int, guesses: Fraction
) -> None:
    assert expected_guesses(pegs, colors, repeats=False) == guesses
    solution = solve("mastermind", pegs=pegs, colors=colors, repeats=0)
    assert solution.value() == pytest.approx(float(guesses), abs=1e-12)


def winning_squares(rows: int, columns: int) -> set[str]:
    """Return the first squares of Chomp that win, by playing with sets of squares."""

    @cache
    def wins(bar: frozenset[tuple[int, int]]) -> bool:
        return not bar or any(not wins(eaten(bar, square)) for square in bar)

    def eaten(bar: frozenset[tuple[int, int]], square: tuple[int, int]) -> frozenset[tuple[int, int]]:
        return frozenset(each for each in bar if each[0] < square[0] or each[1] < square[1])

    bar = frozenset(product(range(rows), range(columns)))
    return {f"{'abcdefghij'[column]}{row + 1}" for row, column in bar if not wins(eaten(bar, (row, column)))}


@pytest.mark.parametrize(("rows", "columns", "squares"), [(2, 6, {"f2"}), (4, 4, {"b2"}), (3, 7, None)])
def test_chomp_is_won_by_the_squares_that_win_in_play_with_sets(
    rows: int, columns: int, squares: set[str] | None
) -> None:
    winning = winning_squares(rows, columns)
    assert squares in (None, winning)
    values = solve("chomp", rows=rows, columns=columns).actions()
    assert {square for square, value in values.items() if value.value == "win"} == winning


def test_chomp_refuses_rows_that_are_longer_than_the_row_above() -> None:
    for lengths in ("3/4/5/5", "6/4/3/1"):
        with pytest.raises(komi.InputError, match="its rules do not allow"):
            solve("chomp").value(f"lengths={lengths}")
    assert solve("chomp").value("lengths=4/3/0/0") == "loss"  # as in each position of two rows with one square more


def test_chomp_with_eight_rows_of_ten_is_won_by_two_squares() -> None:
    values = solve(
        "chomp", rows=8, columns=10
    ).actions()  # as Ken Thompson found: Gardner, Knotted Doughnuts, chapter 9
    assert [square for square, value in values.items() if value.value == "win"] == ["f5", "i4"]


def most_boxes(rows: int, columns: int) -> int:
    """Return the margin of the first player of Dots and Boxes, from the boxes as sets of their sides."""
    corners = list(product(range(rows), range(columns)))
    boxes = [
        frozenset(
            {(row, column, "across"), (row + 1, column, "across"), (row, column, "down"), (row, column + 1, "down")}
        )
        for row, column in corners
    ]

    @cache
    def margin(free: frozenset[Any]) -> int:
        margins = []
        for line in free:
            left = free - {line}
            won = sum(line in box and not box & left for box in boxes)
            margins.append(won + margin(left) if won else -margin(left))
        return max(margins, default=0)

    return margin(frozenset().union(*boxes))


@pytest.mark.parametrize(("rows", "columns"), [(1, 1), (1, 3), (2, 2), pytest.param(2, 3, marks=pytest.mark.slow)])
def test_dots_and_boxes_has_the_margin_of_sets_of_sides(rows: int, columns: int) -> None:
    assert solve("dots_and_boxes", rows=rows, columns=columns).expected_value() == pytest.approx(
        most_boxes(rows, columns)
    )
