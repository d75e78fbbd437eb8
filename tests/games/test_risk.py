"""Risk: battles and chains of them."""

from fractions import Fraction

import pytest

from games import reference, twins
from komi.errors import InputError
from komi.rules import catalog

BATTLE, CHAIN = catalog.find("risk-battle"), catalog.find("risk-chain")


def value(game, **settings):
    rules = game.rules(settings)
    return reference.solve_one_seat(game, rules)[game.part("start")(rules)]


@pytest.mark.parametrize(
    ("attackers", "defenders", "published"), [(2, 1, 0.754), (5, 5, 0.506), (10, 10, 0.568), (3, 3, 0.470)]
)
def test_attackers_win_as_often_as_published(attackers: int, defenders: int, published: float) -> None:
    won = value(BATTLE, attackers=attackers, defenders=defenders)
    assert round(float(won), 3) == published
    if attackers < 10:
        ends = twins.risk(attackers, defenders)
        assert won == sum(p for (_, left), p in ends.items() if left == 0)


@pytest.mark.parametrize("dice", [(3, 2), (3, 1), (1, 1)])
def test_losses_are_those_of_the_ends(dice: tuple[int, int]) -> None:
    ends = twins.risk(4, 3, dice)
    settings = {"attackers": 4, "defenders": 3, "attack_dice": dice[0], "defence_dice": dice[1]}
    assert value(BATTLE, **settings, objective="attackers") == sum(p * (4 - left) for (left, _), p in ends.items())
    assert value(BATTLE, **settings, objective="defenders") == sum(p * (3 - left) for (_, left), p in ends.items())


def chain(*defenders: int) -> dict[str, int]:
    return {f"defenders{i + 1}": defenders[i] if i < len(defenders) else 0 for i in range(8)}


@pytest.mark.parametrize(("armies", "defenders"), [(2, (1,)), (6, (2, 1)), (9, (1, 2, 1)), (12, (1,) * 8)])
def test_a_chain_is_taken_as_often_as_battle_after_battle_says(armies: int, defenders: tuple[int, ...]) -> None:
    assert value(CHAIN, armies=armies, **chain(*defenders)) == twins.risk_chain(armies, defenders)


def test_a_chain_longer_than_the_armies_cannot_be_taken() -> None:
    assert value(CHAIN, armies=4, **chain(1, 1, 1, 1)) == 0
    assert value(CHAIN, armies=5, **chain(1, 1, 1, 1)) > 0


def test_what_stays_behind_is_not_lost() -> None:
    lost = value(CHAIN, armies=40, objective="defenders", **chain(1, 1, 1))
    assert lost == pytest.approx(3, abs=1e-3)
    assert value(CHAIN, armies=40, objective="attackers", **chain(1, 1, 1)) < Fraction(3)


def test_a_chain_has_no_gap() -> None:
    with pytest.raises(InputError, match="defenders4 of risk-chain must be 0 with defenders3=0, not 3"):
        CHAIN.rules({"defenders3": 0})
