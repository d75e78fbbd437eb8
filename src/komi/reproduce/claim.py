"""A published claim, and the result of komi for it."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

from komi.solvers.solution import Solution
from komi.solvers.solve import solve

SOURCES = {
    "P04": "Neller & Presser, Optimal Play of the Dice Game Pig, 2004",
    "N05": "Neller, Russell & Markov, Solving the Dice Game Pig, 2005",
    "N10": "Neller, on hold at 20, 2010",
    "NP10": "Neller & Presser, Practical Play of the Dice Game Pig, 2010",
    "BN17": "Busche & Neller, Optimal Play of the Farkle Dice Game, ACG 2017",
    "F14": "Neller, Malec, Presser & Jacobs, Optimal, Approximately Optimal, and Fair Play of the Fowl Play Card "
    "Game, 2013",
    "O03": "Osborne, Markov Chains for the RISK Board Game Revisited, 2003",
    "R24": "the RoyalUr project, the Royal Game of Ur solved by value iteration",
    "R7": "Snellman, A Monte Carlo simulation of Red7, 2015",
    "RL": "the Red Light page of Gettysburg College",
    "TL": "A. Parr, Traffic Lights, NRICH",
    "V99": "Verhoeff, Optimal Solitaire Yahtzee Strategies, 1999",
    "Z22": "Zhu & Ma, Stats 5(3), 2022",
}


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
    """

    id: str
    source: str
    what: str
    published: str
    find: Callable[[], Finding]
    disputed: bool = False


@cache
def solved(game: str, **rules: int | str) -> Solution[Any]:
    """Return a built-in game's solution, computed once."""
    settings: dict[str, Any] = dict(rules)
    return solve(game, **settings)


def percent(probability: float, digits: int = 2) -> str:
    """Format a probability as a percentage, as papers print it."""
    return f"{100 * probability:.{digits}f} %"
