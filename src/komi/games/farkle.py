"""Farkle: Ten Thousand with 1s, 5s and triples alone.

M. Busche and T. W. Neller, "Optimal Play of the Farkle Dice Game", Advances in Computer Games 2017: a 1 scores 100, a
5 scores 50, three alike 100 times their face, three 1s 1000, and nothing else scores; the first player to hold with the
goal reached wins. The rules are those of Ten Thousand with other numbers.
"""

from typing import NamedTuple

from komi.games.ten_thousand import (
    State,
    action_count,
    domains,
    event,
    faces,
    how_to_play,
    keeps,
    label,
    legal,
    limits,
    opponents,
    outcomes,
    over,
    payoff,
    players,
    policies,
    possible,
    roll,
    sample,
    scores,
    start,
    steps,
    totals,
    transient,
)

__all__ = [
    "Rules",
    "State",
    "action_count",
    "domains",
    "event",
    "faces",
    "how_to_play",
    "keeps",
    "label",
    "legal",
    "limits",
    "opponents",
    "outcomes",
    "over",
    "payoff",
    "players",
    "policies",
    "possible",
    "roll",
    "sample",
    "scores",
    "start",
    "steps",
    "totals",
    "transient",
]


class Rules(NamedTuple):
    goal: int = 10000  # points that win
    straight: int = 0  # points for 1 to 6; 0: none
    three_pairs: int = 0  # points for three pairs of different faces; 0: none
    of_a_kind: str = "triples"  # what four, five and six alike score: twice as much each, or triples and singles
    opening: int = 0  # points that a player with none must hold with at least
    komi: int = 0  # points the second player starts with
