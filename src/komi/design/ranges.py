"""Parser of ranges and lists of values: 2..8, 40..60:5, 1.0..2.0:0.25, or values separated by commas."""

import math
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal

from komi.errors import InputError
from komi.rules.game import Game

MAX_RULE_SETS = 1_000_000  # of a sweep, each of which is solved: at 10 ms each, three hours


def read_values(game: Game, name: str, text: str) -> Sequence[object]:
    """Parse the values of a rule: `lo..hi`, `lo..hi:step`, or values separated by commas.

    Raises:
        InputError: for an unknown rule, a value of the wrong type, or an empty range.
    """
    if ".." not in text:
        return [game.setting(name, value) for value in text.split(",")]
    ends, colon, stride = text.partition(":")
    low, _, high = ends.partition("..")
    first, last = game.setting(name, low), game.setting(name, high)
    step = game.setting(name, stride) if colon else 1
    if isinstance(first, float) and isinstance(last, float):
        if not colon:
            raise InputError(f"{name} of {game.name} is a fraction: give a step, such as {name}={text}:0.25.")
        return _fractions(f"{name}={text}", first, last, float(str(step)))
    if type(first) is not int or type(last) is not int or type(step) is not int:
        raise InputError(f"{name} of {game.name} is not a number: separate its values by commas instead of {text}.")
    if step < 1:
        raise InputError(f"the step of {name}={text} must be 1 or more.")
    if first > last:
        raise InputError(f"the range {name}={text} is empty: its end is less than its beginning.")
    return range(first, last + 1, step)


def multiple(number: int, step: float, start: float = 0.0) -> float:
    """Return start + number * step as decimal arithmetic has it: 3 steps of 0.1 are 0.3."""
    return float(Decimal(repr(start)) + number * Decimal(repr(step)))


def _fractions(text: str, first: float, last: float, step: float) -> list[float]:
    """List the values from the first to the last.

    Raises:
        InputError: if there are none, or too many.
    """
    if not (math.isfinite(first) and math.isfinite(last) and math.isfinite(step) and step > 0.0):
        raise InputError(f"the range {text} must have finite ends and a step above 0.")
    if first > last:
        raise InputError(f"the range {text} is empty: its end is less than its beginning.")
    if (last - first) / step >= MAX_RULE_SETS:
        raise InputError(f"the range {text} has more than {MAX_RULE_SETS:,} values: use a larger step.")
    count = int((Decimal(repr(last)) - Decimal(repr(first))) / Decimal(repr(step))) + 1
    return [multiple(number, step, first) for number in range(count)]


def read_interval(text: str) -> tuple[float, float]:
    """Parse the two numbers of `lo..hi`.

    Raises:
        InputError: if they are not numbers, or in the wrong order.
    """
    low, dots, high = text.partition("..")
    try:
        interval = float(low), float(high)
    except ValueError:
        interval = math.nan, math.nan
    if not dots or any(map(math.isnan, interval)):
        raise InputError(f"a target is two numbers, as in 160..180, not {text!r}.")
    if interval[0] > interval[1]:
        raise InputError(f"the target {text} is empty: its end is less than its beginning.")
    return interval


def check_values(game: Game, vary: Mapping[str, Iterable[object]]) -> dict[str, Sequence[object]]:
    """Return the values of each rule, converted to the rule's type, without duplicates.

    Raises:
        InputError: for an unknown rule, a value of the wrong type, no values, or too many combinations.
    """
    if not vary:
        raise InputError(f"no rules to vary: give rules of {game.name} with their values, name=lo..hi.")
    chosen: dict[str, Sequence[object]] = {}
    for name, values in vary.items():
        if not (isinstance(values, range) and len(values) > MAX_RULE_SETS):
            values = list(dict.fromkeys(game.setting(name, value) for value in values))
        if not values:
            raise InputError(f"there are no values for rule {name!r} of {game.name}.")
        chosen[name] = values
    count = math.prod(map(len, chosen.values()))
    if count > MAX_RULE_SETS:
        raise InputError(
            f"there are {count:,} rule sets, more than {MAX_RULE_SETS:,}: vary fewer rules, or use larger steps."
        )
    return chosen
