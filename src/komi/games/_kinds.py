"""Names of built-in games by kind, for the types of results: a kind that no rule changes, or only `players`."""

from typing import Literal

Race = Literal[
    "big-pig",
    "farkle",
    "fowl-play",
    "progressive-pig",
    "red-light",
    "royal-game-of-ur",
    "ten-thousand",
    "two-dice-pig",
]
RaceForMore = Literal["hog", "pass-the-pigs", "pig", "piglet"]  # `players` is 2, 3 or 4
Solitaire = Literal["hooligan", "pig-solitaire", "risk-battle", "risk-chain", "think"]
Duel = Literal["skunk"]  # two players who choose at the same time
WithoutChance = Literal["traffic-lights"]
