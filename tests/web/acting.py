"""Jobs of the tests, which worker processes run in place of real ones."""

import os
import time
from pathlib import Path
from typing import Any

import numba

from komi.web import jobs, worker


def run(key: str, function: str, arguments: str) -> Any:
    setattr(jobs, function, globals()[function])
    worker.MAX_SECONDS["burn"] = 1
    return worker.run(key, function, arguments)


def pid(progress: Any) -> int:
    return os.getpid()


def die(progress: Any, by: int) -> None:
    os.kill(os.getpid(), by)


def wait(progress: Any, file: str) -> bool:
    progress("waiting for a file", 1, 2, "here")
    while not Path(file).exists():
        time.sleep(0.01)
    return True


def fail(progress: Any) -> None:
    class UnknownError(Exception):
        pass

    raise UnknownError("it is odd.")


def burn(progress: Any) -> None:
    compute(1)


def stay(progress: Any) -> None:
    compute(1)


@numba.njit(nogil=True)
def compute(number: int) -> int:
    while number > 0:
        number = number % 1_000_003 * 7 + 1
    return number
