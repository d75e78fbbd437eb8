"""The published numbers of games in `examples`: textbooks, boards, cards and dice."""

from collections.abc import Iterable
from fractions import Fraction
from functools import partial
from math import sqrt
from typing import Any

from komi.evaluation.match import match
from komi.reproduce.claim import EXAMPLES, Finding, PublishedClaim, percent, solved
from komi.solvers.solution import Solution

LCR_WINS = {  # by seat, of 100,000 simulated games for each seat
    3: (91720, 98359, 109921),
    4: (95913, 97396, 101796, 104895),
    5: (96340, 97629, 99926, 103080, 103025),
    6: (96985, 96768, 98607, 101509, 103283, 102848),
}


def _value(solution: Solution[Any], state: str | None = None) -> float:
    value = solution.value(state) if state else solution.value()
    assert isinstance(value, float)
    return value


def _fraction(value: float, fraction: str, error_bound: float) -> str:
    """Format a value as a fraction, if it is this one up to its error bound."""
    return fraction if abs(value - float(Fraction(fraction))) <= error_bound else f"{value:.12f}"


def _monty_hall() -> Finding:
    solution = solved("monty_hall.py")
    staying: Any = match(EXAMPLES / "monty_hall.py", "stay")
    switch = _fraction(_value(solution), "2/3", solution.error_bound)
    return Finding(f"{switch}, {_fraction(staying.value, '1/3', staying.error_bound)}")


def _gambler() -> Finding:
    solution = solved("gambler.py")
    chances = (_value(solution, f"capital={coins}") for coins in (25, 50, 75))
    return Finding(" ".join(f"{chance:.2f}".lstrip("0") for chance in chances), "all stakes compared")


def _frozen_lake() -> Finding:
    chances = [_value(solved("frozen_lake.py", side=side, steps=steps)) for side, steps in ((4, 100), (8, 200))]
    note = " and ".join(percent(chance, 4) for chance in chances)
    return Finding(" ".join(f"{chance:.2f}".lstrip("0") for chance in chances), note)


def _forest() -> Finding:
    solution = solved("forest.py")
    return Finding(" ".join(f"{_value(solution, f'age={age}'):.3f}" for age in range(3)))


def _endless_tiger() -> Finding:
    return Finding(f"{_value(solved('endless_tiger.py', discount=0.75)):.6f}")


def _snakes_and_ladders() -> Finding:
    spins = _value(solved("snakes_and_ladders.py"))
    return Finding(f"{spins:.1f}", f"{spins:.6f}")


def _small_2048() -> Finding:
    chances = [_value(solved("game_2048.py", target=target)) for target in (3, 4, 5)]
    return Finding(", ".join(percent(chance, 0) for chance in chances), ", ".join(percent(each, 4) for each in chances))


def _connect_four() -> Finding:
    tablebase: Any = solved("connect_four.py")
    return Finding(f"{sum(tablebase.counts):,}", "positions that end the game included")


def _kalah() -> Finding:
    margins = (_value(solved("kalah.py", houses=4, seeds=seeds)) for seeds in (1, 2, 3, 4))
    return Finding(" ".join(f"{margin:.0f}" for margin in margins))


def _kuhn_poker() -> Finding:
    solution = solved("kuhn_poker.py")
    return Finding(_fraction(_value(solution), "-1/18", solution.error_bound))


def _left_center_right(players: int) -> Finding:
    solution: Any = solved("lcr.py", players=players)
    chances, games = solution.seat_values(), 100_000 * players
    agrees = all(
        abs(wins / games - chance) < 3.0 * sqrt(chance * (1.0 - chance) / games)
        for wins, chance in zip(LCR_WINS[players], chances, strict=True)
    )
    return Finding(_percentages(chances), f"within 3 standard errors of {games:,} simulated games", agrees)


def _percentages(chances: Iterable[float]) -> str:
    return " ".join(f"{100 * chance:.2f}" for chance in chances) + " %"


def _blackjack() -> Finding:
    value = _value(solved("blackjack.py", splits=1))
    note = (
        "the dealer stands on soft 17; doubles of any two cards, but not after a split; one card to each split ace: "
        "of the usual rules these come closest, and no play by them attains the published figure"
    )
    return Finding(percent(value, 6), note)


def _king_and_rook() -> Finding:
    tablebase: Any = solved("king_and_rook.py")
    return Finding(f"{tablebase.plies()}; {tablebase.counts[0]:,}", "a test with all positions finds no longer win")


def _one_card_poker() -> Finding:
    solution = solved("kuhn_poker.py", cards=13)
    value = _value(solution)
    return Finding(f"{value:.3f}", _fraction(value, "-5/78", solution.error_bound))


CLAIMS = (
    PublishedClaim(
        "monty-hall",
        "S75",
        "Monty Hall: chance of the car with switching, with staying",
        "2/3, 1/3",
        _monty_hall,
        example="monty_hall.py",
    ),
    PublishedClaim(
        "gambler",
        "DS65",
        "the gambler's problem: best chance of 100 coins with 25, 50, 75, if heads have 0.4",
        ".16 .40 .64",
        _gambler,
        example="gambler.py",
    ),
    PublishedClaim(
        "frozen-lake",
        "GYM",
        "Frozen Lake: best chance of the goal in 100 steps; on 8 x 8 squares in 200",
        ".74 .91",
        _frozen_lake,
        example="frozen_lake.py",
    ),
    PublishedClaim(
        "forest",
        "MDP",
        "Forest: discounted reward from young, older and old trees",
        "26.244 29.484 33.484",
        _forest,
        example="forest.py",
    ),
    PublishedClaim(
        "endless-tiger",
        "RP",
        "the endless tiger with a discount of 0.75: total expected reward",
        "1.933439",
        _endless_tiger,
        example="endless_tiger.py",
    ),
    PublishedClaim(
        "snakes-and-ladders",
        "AKS93",
        "Snakes and Ladders alone: spins on average",
        "39.2",
        _snakes_and_ladders,
        example="snakes_and_ladders.py",
    ),
    PublishedClaim(
        "2048",
        "L18",
        "2048 on 2 x 2 squares: best chance of making an 8, a 16, a 32",
        "100 %, 96 %, 8 %",
        _small_2048,
        example="game_2048.py",
    ),
    PublishedClaim(
        "connect-four",
        "T",
        "Connect Four on 4 x 4 squares: legal positions",
        "161,029",
        _connect_four,
        example="connect_four.py",
    ),
    PublishedClaim(
        "kalah",
        "I00",
        "Kalah, four houses: margin of the first player with 1 to 4 seeds in each",
        "2 6 8 2",
        _kalah,
        example="kalah.py",
    ),
    PublishedClaim(
        "kuhn-poker",
        "K50",
        "Kuhn poker: expected chips of the first player",
        "-1/18",
        _kuhn_poker,
        example="kuhn_poker.py",
    ),
    PublishedClaim(
        "one-card-poker",
        "GO",
        "... with 13 cards, one-card poker",
        "-0.064",
        _one_card_poker,
        example="kuhn_poker.py",
    ),
    PublishedClaim(
        "blackjack",
        "GR",
        "Blackjack, infinite deck, a pair split once: expected winnings",
        "-0.690223 %",
        _blackjack,
        disputed=True,
        example="blackjack.py",
    ),
    PublishedClaim(
        "king-and-rook",
        "SYZ",
        "King and rook: plies from Ka1, Rb2 against Kc3; won positions with White to move",
        "31; 175,168",
        _king_and_rook,
        example="king_and_rook.py",
    ),
    *(
        PublishedClaim(
            f"lcr-{players}",
            "SE12",
            f"Left, Center, Right: seats 1 to {players} win",
            _percentages(each / (100_000 * players) for each in wins),
            partial(_left_center_right, players),
            example="lcr.py",
        )
        for players, wins in LCR_WINS.items()
    ),
)
