"""Specifications of searchers: texts such as `mcts:2000,exploration=0.7,leaf=thrifty`."""

import math
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from komi.errors import InputError
from komi.jit.clock import HAS_CLOCK

MAX_PLAYOUTS = 10**9
MAX_SECONDS = 3600.0
NO_LIMIT = 1 << 62  # playouts


class Effort(NamedTuple):
    """The effort of a search for one action.

    Attributes:
        playouts: the greatest number of playouts; NO_LIMIT if time is limited.
        seconds: the time limit; 0.0 if the number is limited.
    """

    playouts: int
    seconds: float = 0.0


@dataclass(frozen=True)
class Specification:
    """A specification, divided into its parts.

    Attributes:
        text: the whole.
        name: the name of the searcher.
        amount: what follows the colon, such as "2000" or "1s".
        options: the texts of the options, by name.
    """

    text: str
    name: str
    amount: str
    options: Mapping[str, str]

    @classmethod
    def parse(cls, text: str, known: Collection[str]) -> "Specification":
        """Divide a text into its parts.

        Args:
            text: the text.
            known: the names of the searcher's options.

        Raises:
            InputError: for an option that is unknown, malformed or given twice.
        """
        head, *parts = text.split(",")
        name, _, amount = head.partition(":")
        options: dict[str, str] = {}
        for part in parts:
            option, equals, value = (piece.strip() for piece in part.partition("="))
            if option not in known:
                raise InputError(f"{name} has no option {option!r}: it has {', '.join(known)}.")
            if not (equals and value):
                raise InputError(f"option {option!r} of {name} needs a value, as in {option}=VALUE.")
            if option in options:
                raise InputError(f"option {option!r} of {text} is given twice.")
            options[option] = value
        return cls(text, name, amount.strip(), options)

    def effort(self) -> Effort:
        """Parse the amount as a number of playouts, or as a time such as `1s`.

        Raises:
            InputError: if it is neither, or out of range.
        """
        example = f"as in {self.name}:2000 or {self.name}:1s"
        if not self.amount.endswith("s"):
            return Effort(self._whole(self.amount, "playouts", 1, MAX_PLAYOUTS, example))
        seconds = _number(self.amount[:-1])
        if seconds is None or not 0.0 < seconds <= MAX_SECONDS:
            raise InputError(
                f"{self.name} needs a time above 0 and up to {MAX_SECONDS:g} seconds, {example}, not {self.amount!r}."
            )
        if not HAS_CLOCK:
            raise InputError(f"{self.name} cannot measure time on this system: give a number of playouts, {example}.")
        return Effort(NO_LIMIT, seconds)

    def depth(self, most: int) -> int:
        """Parse the amount as a search depth, from 1 to `most`.

        Raises:
            InputError: if it is none.
        """
        return self._whole(self.amount, "actions to look ahead", 1, most, f"as in {self.name}:4")

    def number(self, option: str, default: float) -> float:
        """Parse an option as a number that is not negative.

        Raises:
            InputError: if it is none.
        """
        if option not in self.options:
            return default
        number = _number(self.options[option])
        if number is None or number < 0.0:
            raise InputError(
                f"option {option!r} of {self.name} must be a number of at least 0, as in {option}={default:g}, not "
                f"{self.options[option]!r}."
            )
        return number

    def whole(self, option: str, default: int, least: int, most: int) -> int:
        """Parse an option as a whole number.

        Raises:
            InputError: if it is none, or out of range.
        """
        text = self.options.get(option, str(default))
        return self._whole(text, option, least, most, f"as in {option}={default}")

    def _whole(self, text: str, what: str, least: int, most: int, example: str) -> int:
        if not (re.fullmatch(r"\d{1,12}", text) and least <= int(text) <= most):
            raise InputError(f"{self.name} needs {least} to {most:,} {what}, {example}, not {text!r}.")
        return int(text)


def _number(text: str) -> float | None:
    """Parse a finite number; return None if the text is none."""
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) else None
