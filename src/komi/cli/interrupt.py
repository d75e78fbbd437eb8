"""Handling of Ctrl-C that also ends a command in compiled code that does not return, such as rules in an infinite loop.

Python delivers Ctrl-C to its main thread only when that thread runs Python code again. A second thread is notified at
once, waits `GRACE` seconds for the command to clean up, and then ends the process.
"""

import os
import signal
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

GRACE = 5.0  # seconds for a command to clean up
INTERRUPTED = 130  # the exit code after Ctrl-C, by the convention of shells
STOPPED = "stopped; results that were kept before are unchanged."


@contextmanager
def insisting() -> Iterator[None]:
    """Ensure that Ctrl-C ends the process within a few seconds, whatever runs in this block."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    pressed = threading.Event()

    def interrupt(number: int, frame: FrameType | None) -> None:
        pressed.set()
        signal.default_int_handler(number, frame)

    def report(raised: "sys.UnraisableHookArgs") -> None:
        if not isinstance(raised.exc_value, KeyboardInterrupt):  # raised in a callback, for example of a compiler
            report_before(raised)

    report_before, sys.unraisablehook = sys.unraisablehook, report
    handler = signal.signal(signal.SIGINT, interrupt)
    listening, telling = socket.socketpair()
    telling.setblocking(False)
    ended = threading.Event()
    before = signal.set_wakeup_fd(telling.fileno(), warn_on_full_buffer=False)
    threading.Thread(target=_insist, args=(listening, ended), daemon=True, name="interrupt").start()
    try:
        yield
    except Exception as error:
        if pressed.is_set():  # a callback of compiled code swallowed Ctrl-C and then failed
            raise KeyboardInterrupt from error
        raise
    finally:
        ended.set()
        signal.signal(signal.SIGINT, handler)
        signal.set_wakeup_fd(before)
        sys.unraisablehook = report_before
        telling.close()


def _insist(listening: socket.socket, ended: threading.Event) -> None:
    with listening:
        while signals := listening.recv(16):  # empty once the block has ended
            if signal.SIGINT in signals and not ended.wait(GRACE):
                print(f"komi: {STOPPED}", file=sys.stderr, flush=True)
                os._exit(INTERRUPTED)
