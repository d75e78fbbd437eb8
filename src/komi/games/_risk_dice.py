"""A throw of Risk: highest dice against each other, then second highest; ties lose an attacker."""

from itertools import product

import numpy as np

MAX_ATTACK, MAX_DEFENCE = 3, 2  # dice


def _losses(attack, defence):
    """Return the numbers of attackers and defenders lost in a throw, dice in any order."""
    pairs = list(zip(sorted(attack, reverse=True), sorted(defence, reverse=True), strict=False))
    defenders = sum(one > other for one, other in pairs)
    return len(pairs) - defenders, defenders


CHANCES = np.zeros((MAX_ATTACK + 1, MAX_DEFENCE + 1, 3))
"""float64[attacker's dice, defender's dice, attackers lost]: how probable that loss is."""

for attacking in range(1, MAX_ATTACK + 1):
    for defending in range(1, MAX_DEFENCE + 1):
        count = attacking + defending
        for faces in product(range(6), repeat=count):
            CHANCES[attacking, defending, _losses(faces[:attacking], faces[attacking:])[0]] += 1
        for lost in range(3):
            CHANCES[attacking, defending, lost] /= 6**count
