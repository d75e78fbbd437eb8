"""Pass the Pigs: what the pigs score, and what rare throws do."""

from fractions import Fraction

import pytest

from games import reference, twins
from komi.errors import InputError
from komi.rules import catalog

GAME = catalog.find("pass-the-pigs")
WONG = (1344, 1294, 767, 365, 137, 32)
KERN = (3607, 4180, 2674, 1057, 363, 73)


def scores(settings):
    rules = GAME.rules(settings)
    state = GAME.module.State(10, 20, 7)
    found = {}
    for p, after, passes in GAME.outcomes(rules, state, 0):
        found[(after.turn - 7) if not passes else after.rival - 10] = p
    return found


@pytest.mark.parametrize(("settings", "counts"), [({}, WONG), ({"throws": "kern"}, KERN)])
def test_throws_score_as_often_as_counting_pairs_says(settings: dict[str, object], counts: tuple[int, ...]) -> None:
    expected = twins.two_pigs(counts)  # type: ignore[arg-type]
    found = scores(settings)
    assert found.keys() == expected.keys()
    for points, chance in expected.items():
        assert found[points] == pytest.approx(float(chance), abs=1e-15)


def test_rare_throws_lose_the_score_and_the_game() -> None:
    found = scores({"oinker": 0.01, "piggyback": 0.02})
    assert found[-10] == 0.01
    assert found[-11] == 0.02
    assert sum(found.values()) == pytest.approx(1)
    rules = GAME.rules({"piggyback": 0.02})
    out = GAME.module.State(20, -1, 0)
    assert GAME.part("over")(rules, out)
    assert GAME.payoffs(rules, out) == (1, 0)


def test_own_counts_that_are_all_nothing_are_refused() -> None:
    nothing = dict.fromkeys(("right", "left", "razorback", "trotter", "snouter", "jowler"), 0)
    with pytest.raises(InputError, match=r"right of pass-the-pigs must be 1\.0 to .*, not 0\.0"):
        GAME.rules(nothing)
    with pytest.raises(InputError, match="snouter of pass-the-pigs must be"):
        GAME.rules({"snouter": -1})


def test_a_sure_score_decides_at_once() -> None:
    """Pigs that always lie on one side score a point a throw: the first player throws to the goal."""
    counts = dict.fromkeys(("left", "razorback", "trotter", "snouter", "jowler"), 0)
    rules = GAME.rules({**counts, "goal": 3})
    policy = reference.equilibrium(GAME, rules)
    values = reference.evaluate(GAME, rules, lambda state: {policy[state]: Fraction(1)})
    assert values[GAME.part("start")(rules)] == (1, 0)
