"""Dice that lie on the table, in no order: each multiset of up to six of them has a number, its index in tables.

A multiset is written as its faces in order, the digits of one number: 22456, and 0 for no dice.
"""

from itertools import accumulate, combinations, combinations_with_replacement
from math import factorial, prod

MAX_DICE = 6

_FACES = [
    faces for dice in range(MAX_DICE + 1) for faces in combinations_with_replacement(range(1, 7), dice)
]  # of each multiset, fewer dice first

FIRST = tuple(sum(len(faces) < dice for faces in _FACES) for dice in range(MAX_DICE + 2))
"""[dice], the number of the first multiset of so many dice; those of one more begin where they end."""

DIGITS = tuple(int("".join(str(face) for face in faces) or 0) for faces in _FACES)
"""[multiset], as it is written."""

COUNTS = tuple(tuple(faces.count(face) for face in range(7)) for faces in _FACES)
"""[multiset][face], how many dice show it."""

SIZES = tuple(len(faces) for faces in _FACES)
"""[multiset], how many dice it has."""

CHANCES = tuple(
    factorial(len(faces)) / prod(factorial(faces.count(face)) for face in range(1, 7)) / 6 ** len(faces)
    for faces in _FACES
)
"""[multiset], how probable it is that so many dice show it when they are rolled."""

LUCK = tuple(luck for dice in range(MAX_DICE + 1) for luck in accumulate(CHANCES[FIRST[dice] : FIRST[dice + 1]]))
"""[multiset], how probable it is that so many dice show this or one with a smaller number."""

_NUMBER = {faces: number for number, faces in enumerate(_FACES)}

WITH = tuple(
    tuple(_NUMBER.get(tuple(sorted((*faces, face))), -1) if face else number for face in range(7))
    for number, faces in enumerate(_FACES)
)
"""[multiset][face], the multiset with one die more; itself with face 0, and -1 where that are too many dice."""

SHORT = tuple(_NUMBER.get(tuple(int(digit) for digit in str(digits or "")), -1) for digits in range(1000))
"""[digits], the multiset of up to three dice that is so written; -1 if there is none."""

JOINED = tuple(
    tuple(_NUMBER.get((*one, *other), -1) if not one or len(other) == 3 else -1 for other in _FACES[: FIRST[4]])
    for one in _FACES[: FIRST[4]]
)
"""[multiset][multiset], of three dice, and before these up to three more: all as they are written one after the
other; -1 if they are not in order."""


_PARTS = [
    sorted({_NUMBER[part]: part for dice in range(len(faces) + 1) for part in combinations(faces, dice)})
    for faces in _FACES
]

PARTS = tuple(part for parts in _PARTS for part in parts)
"""[.], for one multiset after another: the multisets whose dice are all among its own, fewer dice first."""

PARTS_END = tuple(accumulate(len(parts) for parts in _PARTS))
"""[multiset], one past the last of its parts: itself. The first, no dice, comes after those of the one before."""


def multiset(digits):
    """Return the number of the multiset that is written as these digits; -1 if there is none."""
    if not 0 <= digits <= DIGITS[-1]:
        return -1
    one, other = SHORT[digits // 1000], SHORT[digits % 1000]
    return JOINED[one][other] if one >= 0 and other >= 0 else -1


def thrown(dice, uniform):
    """Sample a roll of this many dice with a uniform random number, and return the number of its multiset."""
    number, last = FIRST[dice], FIRST[dice + 1] - 1
    while number < last:
        middle = (number + last) // 2
        if LUCK[middle] > uniform:
            last = middle
        else:
            number = middle + 1
    return number


def size(number):
    """Return the number of dice in a multiset."""
    return SIZES[number]


def together(one, other):
    """Return the union of two multisets of dice."""
    for face in range(1, 7):
        for _ in range(COUNTS[other][face]):
            one = WITH[one][face]
    return one


def parts(whole, dice):
    """Yield the sub-multisets of a multiset that have fewer than `dice` dice, smaller ones first."""
    for place in range(PARTS_END[whole - 1] if whole > 0 else 0, PARTS_END[whole]):
        if PARTS[place] < FIRST[dice]:
            yield PARTS[place]
