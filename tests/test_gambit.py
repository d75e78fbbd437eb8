"""All equilibria of small games for two, each verified in fractions."""

import sys
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest

import komi
import komi.gambit
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
