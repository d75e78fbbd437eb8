"""The games in examples/: their values are those of independent computations in plain Python."""

from collections.abc import Iterator
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
    solution = solve("connect_three")
    assert (solution.value(), solution.plies()) == ("win", 9)
    assert line_of_three(frozenset(), frozenset()) == 1.0
    for column in range(4):
        after = line_of_three(frozenset(), frozenset({(column, 0)}))
        assert solution.actions()[str(column + 1)].value == {0.0: "win", 0.5: "draw", 1.0: "loss"}[after]


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
