"""Limits on connections: the size and the duration of a request, and the number of connections of an address.

The number of connections of a server is limited. A client that opens many and sends half a request on each would block
all others, as would one address that opens all of them. The HTTP parser buffers a whole header and copies it whenever
more of it arrives, so the size is limited before the parser sees the bytes.
"""

import asyncio
from collections import Counter
from collections.abc import Collection
from typing import ClassVar

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from komi.web.identity import network_of

MAX_HEAD = 32 * 1024  # bytes of the request line and the headers
MAX_TAIL = 128 * 1024  # bytes after them: the largest body in small chunks, and trailers
MAX_PIPELINED = 16  # requests sent before the first is answered
PIECE = 16 * 1024  # bytes that the parser receives at once
LINGER = 1.0  # seconds between a refusal and closing the connection, so that the client can read it
REFUSAL = b'{"error":"The request line and headers of a request may have %d bytes at most."}' % MAX_HEAD
REFUSED = b"\r\n".join(
    (
        b"HTTP/1.1 431 Request Header Fields Too Large",
        b"content-type: application/json",
        b"content-length: %d" % len(REFUSAL),
        b"connection: close",
        b"",
        REFUSAL,
    )
)
MAX_SECONDS = 20.0  # from the moment when a request can begin, or has begun, until it is complete
MAX_OF_ADDRESS = 400
FILES_BESIDES = 200  # open files that are not connections: the database, caches, jobs


def limited_protocol(proxies: Collection[str] = ()) -> type[asyncio.Protocol]:
    """Return uvicorn's protocol with limits on the size and duration of requests, and on connections.

    Args:
        proxies: addresses of reverse proxies, which have no limit per address.
    """

    class Protocol(LimitedProtocol):
        open_connections = OpenConnections(proxies)

    return Protocol


class OpenConnections:
    """The number of open connections of a server, by address.

    Args:
        proxies: addresses without a limit of their own.
    """

    def __init__(self, proxies: Collection[str]) -> None:
        self._proxies = proxies
        self._open: Counter[str] = Counter()
        self._max = _raise_file_limit() - FILES_BESIDES

    def open(self, address: str) -> bool:
        """Count a new connection, and return whether it is within the limits."""
        network = network_of(address)
        self._open[network] += 1
        is_one_too_many = address not in self._proxies and self._open[network] > MAX_OF_ADDRESS
        return not is_one_too_many and self._open.total() <= self._max

    def close(self, address: str) -> None:
        """Count a closed connection."""
        network = network_of(address)
        self._open[network] -= 1
        if self._open[network] <= 0:
            del self._open[network]


class LimitedProtocol(HttpToolsProtocol):
    """One connection: it is closed if a request is too large or takes too long.

    Attributes:
        open_connections: the open connections of the server.
    """

    open_connections: ClassVar[OpenConnections]
    _deadline: asyncio.TimerHandle | None = None
    _address = ""
    _is_idle = True  # between two requests
    _is_in_head = True
    _received = 0  # bytes of the head, or of the part after it
    _is_refused = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Accept the connection, unless there are too many."""
        super().connection_made(transport)
        self._address = str((transport.get_extra_info("peername") or ("",))[0])
        if self.open_connections.open(self._address):
            self._start_timer()
        else:
            transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Release the connection."""
        self.open_connections.close(self._address)
        self._stop_timer()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Parse the data in small pieces, as far as the limits allow."""
        if self._is_refused:
            self.transport.pause_reading()  # uvicorn resumes it after each response
            return
        while data and not self.transport.is_closing():
            remaining = (MAX_HEAD if self._is_in_head else MAX_TAIL) - self._received
            if remaining <= 0 or len(self.pipeline) > MAX_PIPELINED:
                self._refuse()
                return
            size = min(remaining, PIECE)
            piece, data = data[:size], data[size:]
            super().data_received(piece)
            self._received = 0 if self._is_idle else self._received + len(piece)
        if self._is_answering():
            self._stop_timer()
        elif self._deadline is None:
            self._start_timer()

    def on_message_begin(self) -> None:
        """Note that a request has begun."""
        super().on_message_begin()
        self._is_idle = False

    def on_headers_complete(self) -> None:
        """Count the body from here on."""
        super().on_headers_complete()
        self._is_in_head, self._received = False, 0

    def on_message_complete(self) -> None:
        """Note that the request is complete."""
        super().on_message_complete()
        self._is_in_head, self._is_idle, self._received = True, True, 0

    def _refuse(self) -> None:
        """Read no more of the request, and close the connection once the client can have read the response."""
        self._is_refused = True
        self._stop_timer()
        if self._is_in_head and (self.cycle is None or self.cycle.response_complete):
            self.transport.write(REFUSED)
        self.transport.pause_reading()
        self.loop.call_later(LINGER, self.transport.abort)

    def _is_answering(self) -> bool:
        """Return whether a whole request has arrived whose response is not yet sent."""
        cycle = self.cycle
        return cycle is not None and not cycle.more_body and not cycle.response_complete

    def _start_timer(self) -> None:
        self._deadline = self.loop.call_later(MAX_SECONDS, self.transport.abort)

    def _stop_timer(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None


def _raise_file_limit() -> int:
    """Raise the limit on open files as far as the system allows, and return it."""
    try:
        import resource
    except ImportError:
        return 1 << 16
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    raised = min(hard, 1 << 16) if hard != resource.RLIM_INFINITY else 1 << 16
    if raised > soft:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (raised, hard))
        except (ValueError, OSError):
            return soft
    return max(raised, soft)
