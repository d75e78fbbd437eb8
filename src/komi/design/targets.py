"""Targets of a search for rules: a value of a measure with a tolerance, or the most or the least of it."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from komi.errors import InputError
from komi.measures.measure import NAMES, OTHER_NAMES

MOST, LEAST = "max", "min"
RELATIVE = 0.01  # of a value: the unit of its misses, if there is no tolerance
SMALLEST = 0.001  # the smallest unit


@dataclass(frozen=True)
class Target:
    """The target of one measure.

    Attributes:
        name: the measure.
        value: the value to reach; with "max" or "min" it is nan.
        tolerance: the difference that is accepted.
        aim: "", "max" or "min".
    """

    name: str
    value: float = math.nan
    tolerance: float = 0.0
    aim: str = ""

    def __str__(self) -> str:
        tolerance = f"~{self.tolerance:g}" if self.tolerance else ""
        return f"{self.name}={self.aim or f'{self.value:g}'}{tolerance}"

    def miss(self, measures: Mapping[str, float]) -> float:
        """Return by how much the measures miss the value; 0 within the tolerance, and with "max" and "min"."""
        return 0.0 if self.aim else max(0.0, abs(measures[self.name] - self.value) - self.tolerance)

    def cost(self, measures: Mapping[str, float]) -> float:
        """Return the number to minimize: the miss in units of the tolerance, or the measure with its sign."""
        if self.aim:
            return measures[self.name] * (1.0 if self.aim == LEAST else -1.0)
        return self.miss(measures) / (self.tolerance or max(RELATIVE * abs(self.value), SMALLEST))


def read_targets(targets: Sequence[str | Target]) -> tuple[Target, ...]:
    """Parse targets, and check that no two contradict each other.

    Raises:
        InputError: if there is none; as `read_target`; or for two values of one measure, or its "max" and its "min".
    """
    if not targets:
        raise InputError("give at least one target, such as first=0.5~0.001 or lead_changes=max.")
    read = tuple(read_target(target) if isinstance(target, str) else target for target in targets)
    for number, target in enumerate(read):
        for other in read[:number]:
            if (other.name, bool(other.aim)) == (target.name, bool(target.aim)):
                raise InputError(f"the targets {other} and {target} are of the same measure: give one of them.")
    return read


def read_target(text: str) -> Target:
    """Parse `NAME=VALUE`, `NAME=VALUE~TOLERANCE`, `NAME=max` or `NAME=min`.

    Raises:
        InputError: for an unknown measure, or something else than numbers.
    """
    name, equals, wanted = (part.strip() for part in text.partition("="))
    if not (name and equals and wanted):
        raise InputError(f"--target takes name=value, name=value~tolerance, name=max or name=min, not {text!r}.")
    check_name(name)
    if wanted in (MOST, LEAST):
        return Target(name, aim=wanted)
    value, tilde, tolerance = wanted.partition("~")
    try:
        target = Target(name, float(value), float(tolerance) if tilde else 0.0)
    except ValueError:
        target = Target(name)
    if not (math.isfinite(target.value) and 0.0 <= target.tolerance < math.inf):
        raise InputError(f"the target {text} is neither a number, with a tolerance after ~, nor max or min.")
    return target


def check_name(name: str) -> None:
    """Check that there is a measure with this name.

    Raises:
        InputError: if there is none, or games for two players do not have it.
    """
    if name in OTHER_NAMES:
        raise InputError(f"{name} is not a measure of games for two players: rules are searched for these alone.")
    if name not in NAMES:
        near = get_close_matches(name, NAMES, 1)
        hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(NAMES)}"
        raise InputError(f"there is no measure {name!r}: {hint.rstrip('?')}{'?' if near else '.'}")


def distance(targets: Sequence[Target], measures: Mapping[str, float]) -> float:
    """Return the sum of the misses of all values, each in units of its tolerance; 0 if all are met."""
    return sum(target.cost(measures) for target in targets if not target.aim)


def costs(targets: Sequence[Target], measures: Mapping[str, float]) -> tuple[float, ...]:
    """Return the number to minimize for each target."""
    return tuple(target.cost(measures) for target in targets)


def rank(targets: Sequence[Target], measures: Mapping[str, float]) -> tuple[float, ...]:
    """Return the key that sorts rule sets, best first: by distance, then by each "max" and "min" in the order given."""
    return distance(targets, measures), *(target.cost(measures) for target in targets if target.aim)
