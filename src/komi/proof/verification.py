"""`komi.verify`: a certificate, checked by `verify.py` in an interpreter of its own."""

import json
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from komi.errors import InputError

CHECKER = Path(__file__).with_name("verify.py")
"""The stand-alone checker."""
MAX_SECONDS, MAX_STATES, MAX_GIGABYTES = 3600.0, 100_000_000, 8
MAX_LIMIT = 1_000_000  # on seconds and gigabytes
GRACE = 30.0  # seconds for a checker to end by itself


@dataclass(frozen=True)
class Verification:
    """The result of checking a certificate.

    Attributes:
        verified: True if the claim follows from the rules.
        game, rules: the game, as the certificate names it, and its rules; empty if the claim does not follow.
        lower, upper: the interval of the value that is proved, rounded outwards to 12 decimals; None if none is.
        plies: the number of actions to the end in a game without chance; None in a draw, and in all other games.
        states: the number of states whose values the certificate contains.
        evaluated: the number of states whose values were computed from the rules.
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
    states: int = 0
    evaluated: int = 0
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
        InputError: if the file is no certificate or damaged, its rules cannot be run, or a limit is reached.
    """
    file = Path(file)
    if not file.is_file():
        raise InputError(f"there is no file {file}.")
    if not (0 < max_seconds <= MAX_LIMIT and max_states > 0 and 0 < max_gigabytes <= MAX_LIMIT):
        raise InputError(f"the limits must be greater than 0, on seconds and gigabytes at most {MAX_LIMIT:,}.")
    limits = [f"--seconds={max_seconds}", f"--states={max_states}", f"--gigabytes={max_gigabytes}"]
    command = [sys.executable, "-I", str(CHECKER), *limits, "--", str(file)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=max_seconds + GRACE, check=False)
        found = json.loads(done.stdout)
    except (subprocess.TimeoutExpired, ValueError):
        raise InputError(f"{file} cannot be checked: the checker ended without a result.") from None
    if done.returncode > 1:
        raise InputError(f"{file} cannot be checked: {found['reason']}.")
    return Verification(**found)
