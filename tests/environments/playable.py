"""The games with decisions, and rules under which they are small; a library's check compiles each in seconds."""

from pathlib import Path

import pytest

from komi.rules import catalog

import rulefiles

FOLDER = Path(__file__).parents[2] / "examples"
CHANCE_ALONE = ("risk-battle", "risk-chain", "snakes_and_ladders", "lcr")
FAST = ("pig", "skunk")
BUILT_IN = [name for name in catalog.names() if name not in CHANCE_ALONE]
EXAMPLES = [str(file) for file in rulefiles.EXAMPLES if file.stem not in CHANCE_ALONE]
GAMES = [
    *(name if name in FAST else pytest.param(name, marks=pytest.mark.slow) for name in BUILT_IN),
    *(pytest.param(file, marks=pytest.mark.slow, id=Path(file).stem) for file in EXAMPLES),
]
SMALL_RULES: dict[str, dict[str, object]] = {
    "big-pig": {"goal": 15},
    "farkle": {"goal": 300},
    "fowl-play": {"goal": 8},
    "hog": {"goal": 10, "max_dice": 4, "players": 3},
    "pass-the-pigs": {"goal": 20},
    "pig": {"goal": 8, "players": 3},
    "piglet": {"goal": 3},
    "pig-solitaire": {"goal": 20, "objective": "turns"},
    "progressive-pig": {"goal": 10},
    "red-light": {"goal": 4},
    "royal-game-of-ur": {"pieces": 2},
    "skunk": {"goal": 8},
    "ten-thousand": {"goal": 300},
    "two-dice-pig": {"goal": 15},
    "goofspiel": {"cards": 3},
    "incan_gold": {"rounds": 1, "treasures": 3},
    "liars_dice": {"sides": 2},
    "love_letter": {"guards": 1, "priests": 1, "barons": 1, "handmaids": 1, "princes": 0},
    "connect_four": {"line": 3, "columns": 3, "rows": 3},
    "kalah": {"houses": 2, "seeds": 2},
    "hypergammon": {"checkers": 1},
    "pig_match": {"match": 2, "goal": 6},
    "king_and_rook": {"side": 4, "lone": 15},
    "recycling_robot": {"discount": 0.95},  # so that play ends
    "zombie_dice": {"green": 3, "yellow": 1, "red": 1},
}
