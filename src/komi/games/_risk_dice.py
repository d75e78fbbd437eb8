"""A throw of Risk: highest dice against each other, then second highest; ties lose an attacker."""

from itertools import product

MAX_ATTACK, MAX_DEFENCE = 3, 2  # dice


def _losses(attack, defence):
    """Return the numbers of attackers and defenders lost in a throw, dice in any order."""
    pairs = list(zip(sorted(attack, reverse=True), sorted(defence, reverse=True), strict=False))
    defenders = sum(one > other for one, other in pairs)
    return len(pairs) - defenders, defenders


def _chances(attacking, defending):
    """Return the probability of each number of attackers lost."""
    throws = product(range(6), repeat=attacking + defending)
    lost = [_losses(faces[:attacking], faces[attacking:])[0] for faces in throws]
    return tuple(lost.count(number) / len(lost) for number in range(3))


CHANCES = tuple(
    tuple(_chances(attacking, defending) for defending in range(MAX_DEFENCE + 1)) for attacking in range(MAX_ATTACK + 1)
)
"""[attacker's dice][defender's dice][attackers lost]: how probable that loss is."""
