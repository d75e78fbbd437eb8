"""Time limit for calls of rules that do not terminate by themselves.

A thread checks periodically for calls that exceed the limit, and raises an error in them. This interrupts only
Python code, not compiled code.
"""

import ctypes
import os
import threading
import time
from typing import Self
from weakref import WeakSet

from komi.errors import InputError

DEFAULT_SECONDS = "10"  # default time limit for one call of an interpreted rule
PERIOD = 0.2  # seconds between two checks


def rule_seconds() -> float:
    """Return the time limit for one call of a rule in seconds, from the environment variable KOMI_RULE_SECONDS.

    Raises:
        InputError: if it is not a positive number.
    """
    text = os.environ.get("KOMI_RULE_SECONDS") or DEFAULT_SECONDS
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not seconds > 0.0:
        raise InputError(f"KOMI_RULE_SECONDS must be a number of seconds above 0, not {text!r}.")
    return seconds


class TooLongError(BaseException):
    """A call exceeds the time limit. Not an `Exception`, so that rules that catch `Exception` do not catch it."""


class TimeLimit:
    """Time limit for the calls made in its context, `with limit: call()`. For one thread.

    Args:
        seconds: the limit; by default that of one call of a rule.
    """

    def __init__(self, seconds: float | None = None) -> None:
        self._max_seconds = rule_seconds() if seconds is None else seconds
        self._call = 0  # the number of the current call; between calls it is negated, 0 before the first
        self._thread = 0
        self._raised = False
        self._lock = threading.Lock()
        self._last_check = 0, 0.0, 0.0  # the current call, and the wall and CPU times when it was first seen
        _register(self)

    def __enter__(self) -> Self:
        self._thread = threading.get_ident()
        self._call = 1 - self._call
        return self

    def __exit__(self, *reason: object) -> None:
        self._call = -self._call
        if self._raised:
            with self._lock:
                _raise_in(self._thread, None)  # withdraw an error that has not been raised yet
                self._raised = False

    def check(self) -> None:
        """End the call if it exceeds the time limit; called from another thread.

        Only time in which this process runs counts, so that a busy machine does not end a call.
        """
        with self._lock:
            call, wall_time, cpu_time = self._call, time.monotonic(), time.process_time()
            seconds = min(wall_time - self._last_check[1], cpu_time - self._last_check[2])
            if call != self._last_check[0]:
                self._last_check = call, wall_time, cpu_time
            elif call > 0 and not self._raised and seconds > self._max_seconds:
                self._raised = True  # set before the call is checked again, so that __exit__ sees it
                if self._call == call:
                    _raise_in(self._thread, TooLongError)
                else:
                    self._raised = False


_LIMITS: WeakSet[TimeLimit] = WeakSet()
_LOCK = threading.Lock()
_CHECKING_THREAD: list[threading.Thread] = []


def _register(limit: TimeLimit) -> None:
    """Register a limit until it is garbage-collected, and start the checking thread if it is not running."""
    with _LOCK:
        _LIMITS.add(limit)
        if not (_CHECKING_THREAD and _CHECKING_THREAD[0].is_alive()):  # threads do not survive a fork
            _CHECKING_THREAD[:] = [threading.Thread(target=_check_all, daemon=True, name="time-limit")]
            _CHECKING_THREAD[0].start()


def _check_all() -> None:
    while True:
        time.sleep(PERIOD)
        with _LOCK:
            limits = list(_LIMITS)
        for limit in limits:
            limit.check()


def _raise_in(thread: int, error: type[BaseException] | None) -> None:
    reference = ctypes.py_object() if error is None else ctypes.py_object(error)
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), reference)
