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

SECONDS = "10"  # default time limit for one call of an interpreted rule
PERIOD = 0.2  # seconds between two checks


def rule_seconds() -> float:
    """Return the time limit for one call of a rule in seconds, from the environment variable KOMI_RULE_SECONDS.

    Raises:
        InputError: if it is not a positive number.
    """
    text = os.environ.get("KOMI_RULE_SECONDS") or SECONDS
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
    """Time limit for the calls made in its context, `with watch: call()`. For one thread."""

    def __init__(self) -> None:
        self._most = rule_seconds()
        self._call = 0  # the number of the current call; between calls it is negated, 0 before the first
        self._thread = 0
        self._raised = False
        self._lock = threading.Lock()
        self._looked = 0, 0.0, 0.0  # the call seen last, and the wall and CPU times when it was first seen
        _watch(self)

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

    def look(self) -> None:
        """End the call if it exceeds the time limit; called from another thread.

        Only time in which this process runs counts, so that a busy machine does not end a call.
        """
        with self._lock:
            call, elapsed, worked = self._call, time.monotonic(), time.process_time()
            took = min(elapsed - self._looked[1], worked - self._looked[2])
            if call != self._looked[0]:
                self._looked = call, elapsed, worked
            elif call > 0 and not self._raised and took > self._most:
                self._raised = True  # set before the call is checked again, so that __exit__ sees it
                if self._call == call:
                    _raise_in(self._thread, TooLongError)
                else:
                    self._raised = False


_WATCHES: WeakSet[TimeLimit] = WeakSet()
_BEGINNING = threading.Lock()
_LOOKING: list[threading.Thread] = []


def _watch(watch: TimeLimit) -> None:
    """Register a watch until it is garbage-collected, and start the checking thread if it is not running."""
    with _BEGINNING:
        _WATCHES.add(watch)
        if not (_LOOKING and _LOOKING[0].is_alive()):  # threads do not survive a fork
            _LOOKING[:] = [threading.Thread(target=_look, daemon=True, name="patience")]
            _LOOKING[0].start()


def _look() -> None:
    while True:
        time.sleep(PERIOD)
        with _BEGINNING:
            watches = list(_WATCHES)
        for watch in watches:
            watch.look()


def _raise_in(thread: int, error: type[BaseException] | None) -> None:
    reference = ctypes.py_object() if error is None else ctypes.py_object(error)
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), reference)
