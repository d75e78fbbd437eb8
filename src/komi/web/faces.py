"""The face of each game: how the page presents it. All else is derived from the rules."""

from komi.game import Game

FACES = {
    "red-light": "bag",
    "pig": "die",
    "progressive-pig": "die",
    "two-dice-pig": "two-dice",
    "big-pig": "two-dice",
    "piglet": "coin",
    "fowl-play": "cards",
    "red7": "hands",
}


PARTS = {"target": "pieces", "faces": "tray", "board": "board"}
"""The face by a part of the rules, for games not in FACES: the first part that a game has decides."""


def face_of(game: Game) -> str:
    """Return the name of the game's face."""
    return FACES.get(game.name) or next((face for part, face in PARTS.items() if game.has(part)), "table")
