"""`komi.verify`: a certificate, checked by `verify.py` in an interpreter of its own."""

import json
import math
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from komi.errors import InputError
from komi.quoting import escaped

CHECKER = Path(__file__).with_name("verify.py")
"""The stand-alone checker."""
MAX_SECONDS, MAX_STATES, MAX_GIGABYTES = 3600.0, 100_000_000, 8
MAX_LIMIT = 1_000_000  # on seconds and gigabytes
MAX_EXACT = 1000.0  # a float holds all digits of decimals with 12 places below it
GRACE = 30.0  # seconds for a checker to end by itself


@dataclass(frozen=True)
class SeatClaim:
    """The claim of a certificate about one seat.

    Attributes:
        seat: the seat, counted from the player who moves first.
        play: for each seat the name of the policy that it follows; None if it plays its best.
        endless: what an endless game counts for that seat; None if that does not matter.
        lower, upper: the interval of the expected payoff of the seat, rounded outwards to 12 decimals; an end is None
            if it is not proved.
        plies: the number of actions to the end in a game without chance; None in a draw, and in all other games.
        beyond: the number of states after which the checker has not looked: the claim holds if the rules are valid
            there, and payoffs in their range.
    """

    seat: int
    play: tuple[str | None, ...]
    endless: int | None
    lower: float | None
    upper: float | None
    plies: int | None = None
    beyond: int = 0


def hull(claims: Sequence[SeatClaim]) -> tuple[float | None, float | None]:
    """Return the smallest interval around those of all claims about the first player; None for a missing end."""
    lower = [claim.lower for claim in claims if claim.lower is not None and claim.seat == 0]
    upper = [claim.upper for claim in claims if claim.upper is not None and claim.seat == 0]
    return min(lower, default=None), max(upper, default=None)


@dataclass(frozen=True)
class Verification:
    """The result of checking a certificate.

    Attributes:
        verified: True if the claim follows from the rules.
        game, rules: the game, as the certificate names it, and its rules; empty if the claim does not follow.
        lower, upper: the smallest interval that contains those of all claims about what the first player gets, seat 0;
            an end is None if no claim has it. What other seats get is in `claims` only.
        plies: that of the first claim.
        claims: what is proved.
        states: the number of states whose values the certificate contains.
        evaluated: the number of states whose values were computed from the rules.
        beyond: the number of states after which the checker has not looked; see `SeatClaim`.
        seconds: the time that it took.
        reason: why the claim does not follow; empty if it does.
        state: the state where it fails, by field; None if it does not.
    """

    verified: bool
    game: str = ""
    rules: Mapping[str, object] | None = None
    lower: float | None = None
    upper: float | None = None
    plies: int | None = None
    claims: tuple[SeatClaim, ...] = ()
    states: int = 0
    evaluated: int = 0
    beyond: int = 0
    seconds: float = 0.0
    reason: str = ""
    state: Mapping[str, int] | None = None


def verify(
    file: Path | str,
    *,
    max_seconds: float = MAX_SECONDS,
    max_states: int = MAX_STATES,
    max_gigabytes: int = MAX_GIGABYTES,
) -> Verification:
    """Check a certificate with `verify.py`, which runs the rules in it, in exact arithmetic, in a separate process.

    Args:
        file: the certificate.
        max_seconds: the time limit.
        max_states: the most states to check.
        max_gigabytes: the memory limit, on Linux.

    Returns:
        the result: what is proved, or why the claim does not follow.

    Raises:
        InputError: if the file is not a certificate or damaged, its rules cannot be run, or a limit is reached.
    """
    file = Path(file)
    if not file.is_file():
        raise InputError(f"there is no file {file}.")
    if not (0 < max_seconds <= MAX_LIMIT and max_states > 0 and 0 < max_gigabytes <= MAX_LIMIT):
        raise InputError(f"the limits must be greater than 0, on seconds and gigabytes at most {MAX_LIMIT:,}.")
    limits = [f"--seconds={max_seconds}", f"--states={max_states}", f"--gigabytes={max_gigabytes}"]
    command = [sys.executable, "-I", str(CHECKER), *limits, "--", str(file)]
    begin = time.monotonic()
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=max_seconds + GRACE, check=False)
        found = json.loads(done.stdout)
    except (subprocess.TimeoutExpired, ValueError):
        raise InputError(f"{file} cannot be checked: the checker ended without a result.") from None
    if done.returncode > 1:
        raise InputError(f"{file} cannot be checked: {escaped(found['reason'])}.")
    if found["verified"] and not found["claims"]:
        raise InputError(f"{file} cannot be checked: it claims nothing.")
    return _read(found, time.monotonic() - begin)


def read_claims(proved: Sequence[Mapping[str, Any]], policies: Sequence[Mapping[str, Any]]) -> tuple[SeatClaim, ...]:
    """Return claims, as the checker has proved them, with the names of their policies."""
    return tuple(
        SeatClaim(
            each["seat"],
            tuple(None if number is None else policies[number]["name"] for number in each["play"]),
            each["endless"],
            _outwards(each["lower"], -math.inf),
            _outwards(each["upper"], math.inf),
            each["plies"],
            each["beyond"],
        )
        for each in proved
    )


def _outwards(end: float | None, direction: float) -> float | None:
    """Return an end that is no better than the decimal of the checker, which a float does not always hold."""
    return end if end is None or abs(end) < MAX_EXACT else math.nextafter(end, direction)


def _read(found: dict[str, Any], seconds: float) -> Verification:
    """Return the result of the checker as an object."""
    if not found["verified"]:
        return Verification(**found)
    claims = found["claims"]
    proved = read_claims(claims, [{"name": name} for name in found["policies"]])
    lower, upper = hull(proved)
    return Verification(
        verified=True,
        game=found["game"],
        rules=found["rules"],
        lower=lower,
        upper=upper,
        plies=proved[0].plies,
        claims=proved,
        states=sum(each["states"] for each in claims),
        evaluated=sum(each["evaluated"] for each in claims),
        beyond=sum(each["beyond"] for each in claims),
        seconds=seconds,
    )
