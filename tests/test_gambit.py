"""All equilibria of small games for two, each verified in fractions."""

import random
import sys
from fractions import Fraction
from itertools import combinations, product
from pathlib import Path

import pytest

import komi
import komi.gambit
from games.reference import levelling
from komi.errors import AuditError, InputError
from komi.rules import catalog

EXAMPLES = Path(__file__).parents[1] / "examples"
STAG_HUNT, KUHN = str(EXAMPLES / "stag_hunt.py"), str(EXAMPLES / "kuhn_poker.py")
ONE, ZERO = Fraction(1), Fraction(0)


def form_of(game: str) -> komi.gambit.NormalForm:
    return komi.gambit.NormalForm(catalog.find(game), {})


def test_the_three_equilibria_of_the_stag_hunt_are_verified_and_no_other_profile() -> None:
    form = form_of(STAG_HUNT)
    assert form.rows == [[5, 0], [3, 3]]
    assert form.columns == [[5, 3], [0, 3]]
    mixed = [Fraction(3, 5), Fraction(2, 5)]
    right = [([ONE, ZERO],) * 2, ([ZERO, ONE],) * 2, (mixed, mixed)]
    for x, y in product([[ONE, ZERO], [ZERO, ONE], mixed, [Fraction(1, 2)] * 2], repeat=2):
        if (x, y) in right:
            form.verified(x, y)
        else:
            with pytest.raises(AuditError):
                form.verified(x, y)


def test_strategies_with_the_same_payoffs_are_one() -> None:
    form = form_of(KUHN)
    assert (len(form.rows), len(form.rows[0])) == (27, 64)  # of 64 each: after a bet, later plans do not matter


def test_a_larger_game_is_refused() -> None:
    with pytest.raises(InputError, match="choose smaller rules"):
        form_of(str(EXAMPLES / "leduc_poker.py"))


def test_without_gambit_one_sentence_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pygambit", None)
    with pytest.raises(InputError, match=r"komi\[gambit\]"):
        komi.gambit.equilibria(STAG_HUNT)


def test_gambit_lists_all_equilibria() -> None:
    pytest.importorskip("pygambit")
    found = komi.gambit.equilibria(STAG_HUNT)
    assert [each.payoffs for each in found] == [(5, 5), (3, 3), (3, 3)]
    assert {"stag": Fraction(3, 5), "hare": Fraction(2, 5)} in [each.strategies[0] for each in found]
    with pytest.raises(InputError, match="27 and 64 different strategies"):
        komi.gambit.equilibria(KUHN)


MATRICES = """
from typing import NamedTuple
players, payoff_range, actions = 2, (-99, 100), ("a", "b", "c")
GAMES = {games}
class Rules(NamedTuple):
    number: int = 0
class State(NamedTuple):
    first: int = 0
    second: int = 0
def start(rules):
    return State()
def view(rules, state):
    return state._replace(first=min(state.first, 1))
def legal(rules, state):
    yield 0
    yield 1
    yield 2
def outcomes(rules, state, action):
    if state.first == 0:
        yield 1.0, State(action + 1), 1
    else:
        yield 1.0, State(state.first, action + 1), 1
def over(rules, state):
    return state.second > 0
def payoff(rules, state, seat):
    return GAMES[rules.number][seat][3 * state.first + state.second - 4]
"""


def supported(rows: list[list[Fraction]], columns: list[list[Fraction]]) -> list[tuple[Fraction, ...]] | None:
    """List all equilibria with supports of one size, the rows before the columns; None if there can be others."""
    found = []
    for size in (1, 2, 3):
        for ours, theirs in product(combinations(range(3), size), repeat=2):
            y = levelling([[rows[i][j] for j in theirs] for i in ours])
            x = levelling([[columns[i][j] for i in ours] for j in theirs])
            if x is None or y is None:
                continue
            mix = tuple(dict(zip(ours, x, strict=True)).get(i, ZERO) for i in range(3))
            reply = tuple(dict(zip(theirs, y, strict=True)).get(j, ZERO) for j in range(3))
            gains = [sum(rows[i][j] * reply[j] for j in range(3)) for i in range(3)]
            others = [sum(columns[i][j] * mix[i] for i in range(3)) for j in range(3)]
            if gains[ours[0]] < max(gains) or others[theirs[0]] < max(others):
                continue
            if ZERO in (*x, *y) or gains.count(max(gains)) > size or others.count(max(others)) > size:
                return None
            found.append((*mix, *reply))
    return found


@pytest.mark.slow
def test_gambit_lists_the_equilibria_of_all_supports_of_a_thousand_games(tmp_path: Path) -> None:
    pytest.importorskip("pygambit")
    draw, path, met = random.Random(1), tmp_path / "matrices.py", 0
    games = [[[draw.randint(-99, 99) for _ in range(9)] for _ in range(2)] for _ in range(1_000)]
    path.write_text(MATRICES.format(games=games))
    for number, game in enumerate(games):
        rows, columns = ([list(map(Fraction, each[i : i + 3])) for i in (0, 3, 6)] for each in game)
        expected = supported(rows, columns)
        if expected is None:
            continue
        found = [
            tuple(strategies.get(label, ZERO) for strategies in each.strategies for label in "abc")
            for each in komi.gambit.equilibria(path, number=number)
        ]
        assert sorted(found) == sorted(expected), game
        met += 1
    assert met > 950
