"""A choice without a branch, for rule files: nobody can predict a die, and a processor that tries loses time."""

from typing import TypeVar

Thing = TypeVar("Thing")


def either(condition: bool, one: Thing, other: Thing) -> Thing:
    """`one` if the condition is true, `other` if not; both are worked out."""
    return one if condition else other
