"""The built-in games with decisions; the checks of a library take seconds for each that is compiled."""

import pytest

from komi.rules import catalog

CHANCE_ALONE = ("risk-battle", "risk-chain")
FAST = ("pig", "pig-solitaire", "skunk", "traffic-lights")
GAMES = [
    name if name in FAST else pytest.param(name, marks=pytest.mark.slow)
    for name in catalog.names()
    if name not in CHANCE_ALONE
]
