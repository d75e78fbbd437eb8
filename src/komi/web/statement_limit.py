"""A time limit of database statements: the connection to a server that does not respond is shut down.

A server that is frozen cannot enforce its limit, and the driver waits without one.
"""

import os
import socket
import time
from contextlib import suppress
from threading import Event, Lock, Thread
from typing import Any

from sqlalchemy import Engine, event
from sqlalchemy.exc import DisconnectionError

INTERVAL = 0.25  # seconds between two checks
SLOW = "is_slow"  # the execution option of statements without a limit


class StatementLimit:
    """A limit of the statements of an engine for PostgreSQL, and a check of each connection before it is used.

    Args:
        engine: the engine.
        seconds: the limit.
    """

    def __init__(self, engine: Engine, seconds: float) -> None:
        self._dialect, self._seconds = engine.dialect, seconds
        self._deadlines: dict[Any, float] = {}  # by connection of the driver
        self._lock, self._closed = Lock(), Event()
        event.listen(engine, "before_cursor_execute", self._before_statement)
        event.listen(engine, "after_cursor_execute", self._after_statement)
        event.listen(engine, "commit", self._before_end)
        event.listen(engine, "rollback", self._before_end)
        event.listen(engine, "checkout", self._check)
        event.listen(engine, "reset", self._before_reset)
        event.listen(engine, "checkin", self._after_use)
        event.listen(engine, "invalidate", self._after_use)
        self._thread = Thread(target=self._watch, name="statement limit", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop the watching thread."""
        self._closed.set()
        self._thread.join()

    def _begin(self, connection: Any) -> None:
        with self._lock:
            self._deadlines[connection] = time.monotonic() + self._seconds

    def _end(self, connection: Any) -> None:
        with self._lock:
            self._deadlines.pop(connection, None)

    def _before_statement(self, connection: Any, _cursor: Any, _text: Any, _values: Any, context: Any, *_: Any) -> None:
        if not (context and context.execution_options.get(SLOW)):
            self._begin(connection.connection.dbapi_connection)

    def _after_statement(self, connection: Any, *_: Any) -> None:
        self._end(connection.connection.dbapi_connection)

    def _before_end(self, connection: Any) -> None:
        if not connection.invalidated:
            self._begin(connection.connection.dbapi_connection)

    def _before_reset(self, connection: Any, *_: Any) -> None:
        self._begin(connection)

    def _after_use(self, connection: Any, *_: Any) -> None:
        self._end(connection)

    def _check(self, connection: Any, *_: Any) -> None:
        """Check that the server responds; otherwise the pool opens another connection."""
        self._begin(connection)
        try:
            self._dialect.do_ping(connection)
        except self._dialect.loaded_dbapi.Error:
            raise DisconnectionError from None
        finally:
            self._end(connection)

    def _watch(self) -> None:
        while not self._closed.wait(INTERVAL):
            with self._lock:
                now = time.monotonic()
                overdue = [connection for connection, deadline in self._deadlines.items() if deadline < now]
                for connection in overdue:
                    del self._deadlines[connection]
                    _shut_down(connection)


def _shut_down(connection: Any) -> None:
    """Shut down the socket of a connection, so that the thread that waits for its server gets an error."""
    if connection.closed:
        return
    with suppress(OSError):
        descriptor = os.dup(connection.fileno())
        with socket.socket(fileno=descriptor) as server:
            server.shutdown(socket.SHUT_RDWR)
