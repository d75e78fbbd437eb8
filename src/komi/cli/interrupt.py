"""Ctrl-C ends a command also where compiled code does not come back: rules that loop for ever, say.

Python tells its main thread of Ctrl-C when that runs Python again. Another thread learns of it at once, waits as long
as a command may need to clear up, and ends the process if it is still there.
"""

import os
import signal
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

GRACE = 5.0  # seconds in which a command may clear up
INTERRUPTED = 130  # the exit code after Ctrl-C, as shells have it
STOPPED = "stopped; results that were kept before are unchanged."


@contextmanager
def insisting() -> Iterator[None]:
    """Have Ctrl-C end the process within a few seconds, whatever goes on in this block."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    pressed = threading.Event()

    def interrupt(number: int, frame: FrameType | None) -> None:
        pressed.set()
        signal.default_int_handler(number, frame)

    def report(raised: "sys.UnraisableHookArgs") -> None:
        if not isinstance(raised.exc_value, KeyboardInterrupt):  # that came in a callback, as compilers have them
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
        if pressed.is_set():  # lost in a callback of compiled code, and what was cut short there has failed
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
        while signals := listening.recv(16):  # nothing once the block is left
            if signal.SIGINT in signals and not ended.wait(GRACE):
                print(f"komi: {STOPPED}", file=sys.stderr, flush=True)
                os._exit(INTERRUPTED)
