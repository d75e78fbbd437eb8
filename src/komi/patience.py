"""An end to rules that do not end by themselves: a call of Python code may take so long, and no longer.

A thread looks now and then which calls have begun long ago, and raises an error in them. That reaches Python code
alone: compiled code is not interrupted.
"""

import ctypes
import os
import threading
import time
from typing import Self
from weakref import WeakSet

from komi.errors import InputError

SECONDS = "10"  # that one call of a rule may take, as it stands
PERIOD = 0.2  # seconds between two looks


def most_seconds() -> float:
    """The seconds that one call of a rule may take: what KOMI_RULE_SECONDS says.

    Raises:
        InputError: if it says no such number.
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
    """A call takes too long. No rule catches it by catching every `Exception`."""


class Watch:
    """Ends the calls that are made within it, `with watch: call()`, if they take too long. For one thread."""

    def __init__(self) -> None:
        self._most = most_seconds()
        self._call = 0  # the number of the call; the next one's between calls, below 0
        self._thread = 0
        self._raised = False
        self._lock = threading.Lock()
        self._looked = 0, 0.0, 0.0  # the call that was seen last, and the times when it was seen first
        _watch(self)

    def __enter__(self) -> Self:
        self._thread = threading.get_ident()
        self._call = 1 - self._call
        return self

    def __exit__(self, *reason: object) -> None:
        self._call = -self._call
        if self._raised:
            with self._lock:
                _raise_in(self._thread, None)  # the call may have ended just now
                self._raised = False

    def look(self) -> None:
        """End the call if it goes on for long; called from another thread.

        What counts is the time that this process works, so that no call is ended because others keep it waiting.
        """
        with self._lock:
            call, elapsed, worked = self._call, time.monotonic(), time.process_time()
            took = min(elapsed - self._looked[1], worked - self._looked[2])
            if call != self._looked[0]:
                self._looked = call, elapsed, worked
            elif call > 0 and not self._raised and took > self._most:
                self._raised = True  # before the last look at the call: it sees this when it ends from now on
                if self._call == call:
                    _raise_in(self._thread, TooLongError)
                else:
                    self._raised = False


_WATCHES: WeakSet[Watch] = WeakSet()
_BEGINNING = threading.Lock()
_LOOKING: list[threading.Thread] = []


def _watch(watch: Watch) -> None:
    """Have a watch looked at as long as it is used; the thread for it begins with the first."""
    with _BEGINNING:
        _WATCHES.add(watch)
        if not (_LOOKING and _LOOKING[0].is_alive()):  # a forked process has none of its threads
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
