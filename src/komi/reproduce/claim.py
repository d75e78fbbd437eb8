"""A published claim, and the result of komi for it."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from komi.solvers.solution import Solution
from komi.solvers.solve import solve

SOURCES = {
    "P04": "Neller & Presser, Optimal Play of the Dice Game Pig, 2004",
    "N05": "Neller, Russell & Markov, Solving the Dice Game Pig, 2005",
    "N10": "Neller, on hold at 20, 2010",
    "NP10": "Neller & Presser, Practical Play of the Dice Game Pig, 2010",
    "AKS93": "Althoen, King & Schilling, How Long Is a Game of Snakes and Ladders?, 1993",
    "BN17": "Busche & Neller, Optimal Play of the Farkle Dice Game, ACG 2017",
    "DS65": "Dubins & Savage, How to Gamble If You Must, 1965",
    "F14": "Neller, Malec, Presser & Jacobs, Optimal, Approximately Optimal, and Fair Play of the Fowl Play Card "
    "Game, 2013",
    "GO": "Gordon, One-card poker, Carnegie Mellon University",
    "GR": "Griffin, The Theory of Blackjack, 1979 and later",
    "GYM": "comments on the registered environments of Gymnasium",
    "I00": "Irving, Donkers & Uiterwijk, Solving Kalah, 2000",
    "K50": "Kuhn, A Simplified Two-Person Poker, 1950",
    "L18": "Lees-Miller, The Mathematics of 2048: Optimal Play with Markov Decision Processes, 2018",
    "MDP": "documentation of pymdptoolbox, PolicyIteration",
    "O03": "Osborne, Markov Chains for the RISK Board Game Revisited, 2003",
    "R24": "the RoyalUr project, the Royal Game of Ur solved by value iteration",
    "R7": "Snellman, A Monte Carlo simulation of Red7, 2015",
    "RL": "the Red Light page of Gettysburg College",
    "RP": "Hahsler, documentation of the R package pomdp, solve_POMDP",
    "S75": "Selvin, A Problem in Probability, The American Statistician 29(1), 1975",
    "SE12": "Mathematics Stack Exchange, Why is the best position for LCR not the last person?, 2012",
    "SYZ": "Syzygy endgame tablebases, KRvK",
    "T": "Tromp, John's Connect Four Playground",
    "TL": "A. Parr, Traffic Lights, NRICH",
    "V99": "Verhoeff, Optimal Solitaire Yahtzee Strategies, 1999",
    "Z22": "Zhu & Ma, Stats 5(3), 2022",
}

EXAMPLES = Path(__file__).parents[3] / "examples"
"""The rule files of the shelf, which come with the source code and not with the package."""


@dataclass(frozen=True)
class Finding:
    """The result of komi as text, in the format of the published number, with a note.

    The two agree if the texts are equal; where the result has an error of its own, `agrees` decides.
    """

    ours: str
    note: str = ""
    agrees: bool | None = None


@dataclass(frozen=True)
class PublishedClaim:
    """A published number, and the function that computes the result of komi.

    Attributes:
        id: its name.
        source: a key of `SOURCES`.
        what: the quantity.
        published: the number as printed.
        find: computes the result of komi.
        disputed: whether the published number is known not to be reproducible; the note says why.
        example: the rule file in `examples` that it is about; empty for a built-in game.
    """

    id: str
    source: str
    what: str
    published: str
    find: Callable[[], Finding]
    disputed: bool = False
    example: str = ""


@cache
def solved(game: str, **rules: float | str) -> Solution[Any]:
    """Return the solution of a game, computed once; `NAME.py` is a rule file in `examples`."""
    settings: dict[str, Any] = dict(rules)
    return solve(str(EXAMPLES / game) if game.endswith(".py") else game, **settings)


def percent(probability: float, digits: int = 2) -> str:
    """Format a probability as a percentage, as papers print it."""
    return f"{100 * probability:.{digits}f} %"
