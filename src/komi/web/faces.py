"""Which face the page gives a game: presentation only, all else comes from its rules."""

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
"""By which part of its rules a game without a face of its own is drawn, the first that it has."""


def face_of(game: Game) -> str:
    """The name of its face."""
    return FACES.get(game.name) or next((face for part, face in PARTS.items() if game.has(part)), "table")
