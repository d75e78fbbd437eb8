"""The games in examples/: their values are those of independent computations in plain Python."""

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.optimize import linprog  # type: ignore[import-untyped]

import komi

EXAMPLES = Path(__file__).parents[2] / "examples"
CHUTES = {16: 6, 47: 26, 49: 11, 56: 53, 62: 19, 64: 60, 87: 24, 93: 73, 95: 75, 98: 78}
LADDERS = {1: 38, 4: 14, 9: 31, 21: 42, 28: 84, 36: 44, 51: 67, 71: 91, 80: 100}


def solve(name: str, **rules: object) -> Any:
    return komi.solve(EXAMPLES / f"{name}.py", **rules)


@pytest.mark.slow
def test_snakes_and_ladders_take_39_spins() -> None:
    transitions = np.zeros((100, 101))
    for square, spin in product(range(100), range(1, 7)):
        after = square + spin if square + spin <= 100 else square
        transitions[square, CHUTES.get(after, LADDERS.get(after, after))] += 1 / 6
    spins = np.linalg.solve(np.eye(100) - transitions[:, :100], np.ones(100))
    solution = solve("snakes_and_ladders")
    assert solution.value() == pytest.approx(spins[0], abs=1e-9)
    assert spins[0] == pytest.approx(39.2, abs=0.05)  # Althoen, King and Schilling (1993)
    assert solution.value("square=97") == pytest.approx(spins[97], abs=1e-9)


@pytest.mark.slow
def test_race_of_snakes_and_ladders_favours_the_first() -> None:
    assert 0.5 < solve("snakes_and_ladders", players=2).value() < 0.52


@pytest.mark.slow
def test_game_without_choices_has_nothing_to_learn_or_teach(tmp_path: Path) -> None:
    game = EXAMPLES / "snakes_and_ladders.py"
    with pytest.raises(komi.InputError, match="ever has a choice: there is no policy to show"):
        komi.table(game)
    with pytest.raises(komi.SolveError, match="no player of snakes-and-ladders takes any"):
        komi.learn(game, "q-learning")
    with pytest.raises(komi.InputError, match="ever has a choice: there is no strategy to find"):
        komi.teach(game, tmp_path / "card.py")


@lru_cache(None)
def line_of_three(mine: frozenset[tuple[int, int]], theirs: frozenset[tuple[int, int]]) -> float:
    """Return the payoff of the player to move on 4 x 4 squares."""
    lines = [
        {(x + step * right, y + step * up) for step in range(3)}
        for x, y in theirs
        for right, up in ((1, 0), (0, 1), (1, 1), (1, -1))
    ]
    if any(line <= theirs for line in lines):
        return 0.0
    heights = [sum(1 for x, _ in mine | theirs if x == column) for column in range(4)]
    values = [1.0 - line_of_three(theirs, mine | {(x, y)}) for x, y in enumerate(heights) if y < 4]
    return max(values, default=0.5)


@pytest.mark.slow
def test_connect_three_is_a_win_of_the_first() -> None:
    solution = solve("connect_four", line=3)
    assert (solution.value(), solution.plies()) == ("win", 9)
    assert line_of_three(frozenset(), frozenset()) == 1.0
    for column in range(4):
        after = line_of_three(frozenset(), frozenset({(column, 0)}))
        assert solution.actions()[str(column + 1)].value == {0.0: "win", 0.5: "draw", 1.0: "loss"}[after]


@pytest.mark.slow
def test_connect_four_is_a_draw_on_small_boards() -> None:
    solution = solve("connect_four")
    counts = solution.counts
    assert solution.value() == "draw"
    assert sum(counts) == 161_029  # J. Tromp, "John's Connect Four Playground": legal positions of 4 x 4 squares


BRAINS, STEPS = {"green": 3, "yellow": 2, "red": 1}, 2


def throws(cup: dict[str, int], steps: tuple[str, ...]) -> Iterator[tuple[float, dict[str, int], tuple[str, ...]]]:
    """Yield (probability, cup, dice) of drawing one by one until there are three dice."""
    if len(steps) == 3:
        yield 1.0, cup, steps
        return
    for colour, count in cup.items():
        if count:
            left = {**cup, colour: count - 1}
            for probability, after, dice in throws(left, (*steps, colour)):
                yield count / sum(cup.values()) * probability, after, dice


@lru_cache(None)
def expected_brains(green: int, yellow: int, red: int, steps: tuple[str, ...], brains: int, blasts: int) -> float:
    """Return the expected brains of a turn of Zombie Dice from this position on."""
    if blasts >= 3:
        return 0.0
    if green + yellow + red + len(steps) < 3:
        return brains
    rolled = again = 0.0
    for probability, cup, dice in throws({"green": green, "yellow": yellow, "red": red}, steps):
        for faces in product("bsx", repeat=3):
            chance, feet = probability, []
            for die, face in zip(dice, faces, strict=True):
                chance *= {"b": BRAINS[die], "s": STEPS, "x": 6 - BRAINS[die] - STEPS}[face] / 6
                feet += [die] * (face == "s")
            after = (*cup.values(), tuple(sorted(feet)), brains + faces.count("b"), blasts + faces.count("x"))
            if after == (green, yellow, red, steps, brains, blasts):
                again += chance  # three footprints once more
            else:
                rolled += chance * expected_brains(*after)
    return max(rolled / (1.0 - again), brains)


@pytest.mark.slow
@pytest.mark.parametrize("dice", [(3, 1, 1), (6, 4, 3)])
def test_zombie_dice_takes_as_many_brains_as_an_enumeration(dice: tuple[int, int, int]) -> None:
    solution = solve("zombie_dice", **dict(zip(("green", "yellow", "red"), dice, strict=True)))
    assert solution.value() == pytest.approx(expected_brains(*dice, (), 0, 0), abs=1e-9)


@lru_cache(None)
def cave(rounds: int, lead: int, held: int, path: int, treasures: int, hazard: bool, alone: bool) -> float:
    """Return how often you win from the turn of a card on: two treasures, of 1 and 2 gems, and one hazard, twice."""
    if rounds == 0:
        return 1.0 if lead > 0 else 0.5 if lead == 0 else 0.0
    left = [gems for gems in (1, 2) if not treasures & gems]
    cards = len(left) + 2 - hazard
    total = (1 if hazard else 2) / cards
    total *= (
        cave(rounds - 1, lead, 0, 0, 0, False, False)
        if hazard
        else choose(rounds, lead, held, path, treasures, True, alone)
    )
    for gems in left:
        inside = 1 if alone else 2
        total += (
            choose(rounds, lead, held + gems // inside, path + gems % inside, treasures | gems, hazard, alone) / cards
        )
    return total


def choose(rounds: int, lead: int, held: int, path: int, treasures: int, hazard: bool, alone: bool) -> float:
    """Return how often you win before the choice."""
    stay = cave(rounds, lead, held, path, treasures, hazard, alone)
    if alone:
        return max(cave(rounds - 1, lead + held + path, 0, 0, 0, False, False), stay)
    leave = cave(rounds - 1, lead, 0, 0, 0, False, False)
    ours = 1.0 - cave(rounds, -lead - held - path, held, 0, treasures, hazard, True)  # we leave: the opponent goes on
    theirs = cave(rounds, lead - held - path, held, 0, treasures, hazard, True)
    low = max(min(leave, ours), min(theirs, stay))
    high = min(max(leave, theirs), max(ours, stay))
    return low if low >= high else (leave * stay - ours * theirs) / (leave + stay - ours - theirs)


@pytest.mark.slow
def test_incan_gold_has_the_values_of_a_matrix_game_at_each_choice() -> None:
    solution = solve("incan_gold", treasures=2, hazards=1, copies=2)
    for lead in (-2, -1, 0, 1, 2):
        assert solution.value({"lead": lead}) == pytest.approx(cave(2, lead, 0, 0, 0, False, False), abs=1e-9)
        one = solution.value({"rounds": 1, "lead": lead})
        assert one == pytest.approx(cave(1, lead, 0, 0, 0, False, False), abs=1e-9)


@pytest.mark.parametrize(
    ("name", "rules", "value"),
    [("kuhn_poker", {}, -1 / 18), ("leduc_poker", {}, -0.0856064), ("liars_dice", {"sides": 2}, 0.75)],
)
def test_games_of_hidden_cards_have_their_values(name: str, rules: dict[str, int], value: float) -> None:
    solution = solve(name, **rules)
    assert solution.value() == pytest.approx(value, abs=1e-6)
    assert solution.exploitability < 1e-9


def bids(rules: Any, left: int, hand: int, rival: int, lead: int) -> float:
    """Return the value of Goofspiel to either player before a prize is drawn, by linear programming."""
    if left == 0:
        return 0.5 + 0.5 * np.sign(lead)
    order = [prize for prize in range(1, rules + 1) if left >> (prize - 1) & 1]
    return float(np.mean([bid(rules, prize, left & ~(1 << (prize - 1)), hand, rival, lead) for prize in order]))


@lru_cache(None)
def bid(rules: int, prize: int, left: int, hand: int, rival: int, lead: int) -> float:
    mine, theirs = ([card for card in range(rules) if cards >> card & 1] for cards in (hand, rival))
    payoffs = np.array(
        [
            [bids(rules, left, hand & ~(1 << a), rival & ~(1 << b), lead + prize * int(np.sign(a - b))) for b in theirs]
            for a in mine
        ]
    )
    rows, columns = payoffs.shape
    found = linprog(
        [*[0.0] * rows, -1.0],
        np.hstack([-payoffs.T, np.ones((columns, 1))]),
        np.zeros(columns),
        [[*[1.0] * rows, 0.0]],
        [1.0],
        bounds=[(0, None)] * rows + [(None, None)],
    )
    return -float(found.fun)


@pytest.mark.slow
def test_goofspiel_has_the_values_of_a_matrix_game_at_each_bid() -> None:
    solution = solve("goofspiel", cards=3)
    assert solution.value() == pytest.approx(0.5, abs=1e-9)
    for prize in (1, 2, 3):
        left = 7 & ~(1 << (prize - 1))
        for lead in (-1, 0, 2):
            state = {"prize": prize, "left": left, "hand": 7, "rival": 7, "lead": lead}
            assert solution.value(state) == pytest.approx(bid(3, prize, left, 7, 7, lead), abs=1e-9)


def test_gambler_who_is_bold_plays_optimally() -> None:
    """Bold play wins with the chance that its equation states, in exact fractions for dyadic parts of the goal."""
    heads = Fraction(2, 5)

    def bold(capital: int) -> Fraction:
        if capital in (0, 64):
            return Fraction(capital, 64)
        stake = min(capital, 64 - capital)
        return heads * bold(capital + stake) + (1 - heads) * bold(capital - stake)

    solution = solve("gambler", goal=64, capital=32)
    for capital in range(1, 64):
        assert solution.value(f"capital={capital}") == pytest.approx(float(bold(capital)), abs=1e-12)


@pytest.mark.parametrize(("side", "holes", "steps"), [(4, {5, 7, 11, 12}, 100), (4, {5, 7, 11, 12}, 7)])
def test_frozen_lake_is_crossed_as_value_iteration_says(side: int, holes: set[int], steps: int) -> None:
    last = side * side - 1
    values = np.zeros(side * side)
    values[last] = 1.0
    for _ in range(steps):
        before = values.copy()
        for square in set(range(last)) - holes:
            row, column = divmod(square, side)
            ways = [
                before[max(min(row + down, side - 1), 0) * side + max(min(column + right, side - 1), 0)]
                for down, right in ((0, -1), (1, 0), (0, 1), (-1, 0))
            ]
            values[square] = max(ways[k] + ways[k - 1] + ways[(k + 1) % 4] for k in range(4)) / 3
    assert solve("frozen_lake", side=side, steps=steps).value() == pytest.approx(values[0], abs=1e-12)


def test_frozen_lake_without_a_limit_is_crossed_in_14_of_17_cases() -> None:
    assert solve("frozen_lake").value() == pytest.approx(14 / 17, abs=1e-10)
    assert solve("frozen_lake", side=8).value() == pytest.approx(1.0, abs=1e-9)


def test_small_2048_is_won_as_a_memo_of_its_boards_says() -> None:
    def slide(line: tuple[int, int]) -> tuple[int, int]:
        tiles = [tile for tile in line if tile]
        if len(tiles) == 2 and tiles[0] == tiles[1]:
            tiles = [tiles[0] + 1]
        return (*tiles, 0, 0)[:2]  # type: ignore[return-value]

    @lru_cache(None)
    def deal(board: tuple[int, int, int, int], count: int) -> float:
        if max(board) >= 5:
            return 1.0
        if count == 0:
            return move(board)
        empty = [square for square in range(4) if not board[square]]
        return sum(
            share / len(empty) * deal((*board[:square], tile, *board[square + 1 :]), count - 1)
            for square in empty
            for tile, share in ((1, 0.9), (2, 0.1))
        )

    @lru_cache(None)
    def move(board: tuple[int, int, int, int]) -> float:
        a, b, c, d = board
        (ae, be), (ce, de) = slide((a, b)), slide((c, d))
        (bw, aw), (dw, cw) = slide((b, a)), slide((d, c))
        (an, cn), (bn, dn) = slide((a, c)), slide((b, d))
        (cs, as_), (ds, bs) = slide((c, a)), slide((d, b))
        afters = {(ae, be, ce, de), (aw, bw, cw, dw), (an, bn, cn, dn), (as_, bs, cs, ds)} - {board}
        return max((deal(after, 1) for after in afters), default=0.0)

    assert solve("game_2048").value() == pytest.approx(deal((0, 0, 0, 0), 2), abs=1e-12)


def test_policies_of_a_rule_file_are_found_by_their_names() -> None:
    file = EXAMPLES / "gambler.py"
    assert komi.match(file, "bold").value == pytest.approx(0.4)
    assert komi.match(file, "timid").value == pytest.approx(1 / (1 + 1.5**50), rel=1e-6)  # the gambler's ruin
    with pytest.raises(komi.InputError, match="there is no policy 'brave': there are bold, timid, optimal"):
        komi.match(file, "brave")
