"""Built-in games under other rules than by default, for tests that compare translations of the rules with them."""

from typing import Any

VARIANTS: list[tuple[str, dict[str, Any]]] = [
    *(("pig", {"players": players, "komi": 3, "goal": 30}) for players in (3, 4)),
    ("pass-the-pigs", {"throws": "kern", "oinker": 0.01, "piggyback": 0.004}),
    ("royal-game-of-ur", {"rules": "blitz"}),
    ("royal-game-of-ur", {"rules": "masters", "pieces": 3}),
    ("skunk", {"ending": "first"}),
    ("ten-thousand", {"of_a_kind": "triples", "opening": 500}),
    ("traffic-lights", {"version": 2}),
    ("traffic-lights", {"version": 3, "misere": True}),
    ("yahtzee", {"players": 2, "joker": "free"}),
]
