"""A published claim, and what comes out here."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

from komi.methods.answer import Answer
from komi.methods.solve import solve

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
    """What comes out here: as text, written as the published number is; and what to know about it.

    The two agree if they are the same text; where ours has an error of its own, `agrees` says so.
    """

    ours: str
    note: str = ""
    agrees: bool | None = None


@dataclass(frozen=True)
class Claim:
    """A published number, and how to find ours.

    Attributes:
        id: its name.
        source: a key of `SOURCES`.
        what: what it says.
        published: the number as it is printed.
        find: finds ours.
        disputed: whether the number is known not to come out, as the note says.
    """

    id: str
    source: str
    what: str
    published: str
    find: Callable[[], Finding]
    disputed: bool = False


@cache
def solved(game: str, **rules: int | str) -> Answer[Any]:
    """A built-in game's solution, found once."""
    settings: dict[str, Any] = dict(rules)
    return solve(game, **settings)


def percent(probability: float, digits: int = 2) -> str:
    """A probability as papers print it."""
    return f"{100 * probability:.{digits}f} %"
