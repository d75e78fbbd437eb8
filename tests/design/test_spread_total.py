"""The best way to spread a total over rules is the one that slow enumeration finds."""

from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import komi
from komi.errors import InputError

CHAIN = {"armies": 7, "defenders4": 0, "defenders5": 0}
OVER = ["defenders1", "defenders2", "defenders3"]
LATE = '''"""Players take turns to count to 300, and then one coin decides: the first player hopes for heads."""
from typing import NamedTuple

players = 2
actions = ("count", "toss")


class Rules(NamedTuple):
    heads: int = 1
    tails: int = 1


class State(NamedTuple):
    count: int
    won: int


def limits(rules):
    return Rules(heads=(1, 9), tails=(1, 9))


def start(rules):
    return State(0, 0)


def possible(rules, state):
    return 0 <= state.count <= 301


def legal(rules, state):
    yield 1 if state.count == 300 else 0


def outcomes(rules, state, action):
    if state.count < 300:
        yield 1.0, State(state.count + 1, 0), 1
    else:
        coin = rules.heads + rules.tails
        yield rules.heads / coin, State(301, 0), 1
        yield rules.tails / coin, State(301, 1), 1


def over(rules, state):
    return state.count == 301


def payoff(rules, state):
    return float(state.won)
'''


@cache
def loses(attack: int, defence: int) -> dict[int, Fraction]:
    """Compute the probabilities of the attacker's losses in one throw of so many dice a side."""
    chances = dict.fromkeys(range(min(attack, defence) + 1), Fraction(0))
    for faces in product(range(6), repeat=attack + defence):
        pairs = zip(sorted(faces[:attack], reverse=True), sorted(faces[attack:], reverse=True), strict=False)
        chances[sum(one <= other for one, other in pairs)] += Fraction(1, 6 ** (attack + defence))
    return chances


@cache
def taken(attackers: int, defenders: tuple[int, ...]) -> Fraction:
    """Compute the probability that so many armies able to attack take all these territories."""
    if not defenders:
        return Fraction(1)
    if attackers == 0:
        return Fraction(0)
    first, *rest = defenders
    dice = min(attackers, 3), min(first, 2)
    total = Fraction(0)
    for lost, chance in loses(*dice).items():
        left = first - (min(dice) - lost)
        if left:
            total += chance * taken(attackers - lost, (left, *rest))
        else:
            total += chance * (taken(attackers - lost - 1, tuple(rest)) if rest else 1)
    return total


@pytest.mark.slow
def test_the_defenders_best_spread_is_that_of_slow_enumeration() -> None:
    armies = komi.spread_total("risk-chain", OVER, 6, aim="least", **CHAIN)
    slow = {spread: taken(CHAIN["armies"] - 1, spread) for spread in product(range(1, 5), repeat=3) if sum(spread) == 6}
    assert {way.numbers for way in armies.splits} == set(slow)
    for way in armies.splits:
        assert abs(way.value - slow[way.numbers]) <= way.error_bound
    assert armies.best[0].numbers == min(slow, key=lambda spread: slow[spread])


@pytest.mark.parametrize(
    ("over", "total", "more", "message"),
    [
        (OVER, 2, {}, "it takes 3 or more"),
        (["defenders1"], 5, {}, "two rules or more"),
        (["defenders1", "objective"], 5, {}, "not a whole number"),
        (["defenders1", "generals"], 5, {}, "has no rule 'generals'"),
        (OVER, 6, {"aim": "best"}, "most or least"),
        (OVER, 6, {"at_least": -1}, "at least -1"),
        (OVER, 900, {}, "the maximum is 100,000"),
        (OVER, 6, {"defenders1": 2}, "do not set it too"),
    ],
)
def test_a_spread_that_makes_no_sense_is_refused_in_one_sentence(
    over: list[str], total: int, more: dict[str, Any], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        komi.spread_total("risk-chain", over, total, **{**CHAIN, **more})


def test_the_command_shows_the_best_first(run: Any) -> None:
    arguments = ["spread-total", "risk-chain", "--over", "defenders1,defenders2", "--total", "4", "--aim", "least"]
    rules = ["armies=6", "defenders3=0", "defenders4=0", "defenders5=0"]
    settings = [word for rule in rules for word in ("--set", rule)]
    rows = run(*arguments, *settings, "--json").solution["rows"]
    assert [row["value"] for row in rows] == sorted(row["value"] for row in rows)
    assert str(rows[0]["rules"]["defenders2"]) in run(*arguments, *settings).out


@pytest.mark.slow
def test_chance_that_comes_late_is_met_as_by_solve(tmp_path: Path) -> None:
    path = tmp_path / "late.py"
    path.write_text(LATE)
    spread = komi.spread_total(str(path), ["heads", "tails"], 4, at_least=1)
    assert [(way.numbers, round(way.value, 12)) for way in spread.best] == [((3, 1), 0.75)]
    assert abs(komi.solve(str(path), heads=3, tails=1).value() - 0.75) <= 1e-9
