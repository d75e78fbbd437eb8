"""Limits on connections: the size and the duration of a request, and the number of connections of an address.

The number of connections of a server is limited. A client that opens many and sends half a request on each would block
all others, as would one address that opens all of them. The HTTP parser buffers a whole header and copies it whenever
more of it arrives, so the size is limited before the parser sees the bytes.
"""

import asyncio
from collections import Counter
from collections.abc import Collection
from typing import Any, ClassVar

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


class GuardedProtocol(HttpToolsProtocol):
    """uvicorn's protocol with limits on the size and duration of requests, and on connections.

    Attributes:
        proxies: addresses of reverse proxies, which have no limit per address.
        opened: the number of open connections of each network.
        most: the maximum number of connections.
    """

    proxies: ClassVar[frozenset[str]]
    opened: ClassVar[Counter[str]]
    most: ClassVar[int]
    _deadline: asyncio.TimerHandle | None = None
    _address = ""
    _is_idle = True  # between two requests
    _is_in_head = True
    _read = 0  # bytes read of the head, or of the part after it
    _is_refused = False

    def connection_made(self, transport: Any) -> None:
        """Accept a connection, or abort it if there are too many."""
        super().connection_made(transport)
        address = str((transport.get_extra_info("peername") or ("",))[0])
        self._address = network_of(address)
        self.opened[self._address] += 1
        is_one_too_many = address not in self.proxies and self.opened[self._address] > MAX_OF_ADDRESS
        if is_one_too_many or self.opened.total() > self.most:
            transport.abort()
        else:
            self._expect()

    def connection_lost(self, exc: Exception | None) -> None:
        """Count the connection no more."""
        self.opened[self._address] -= 1
        if self.opened[self._address] <= 0:
            del self.opened[self._address]
        self._expect_no_more()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Pass bytes to the parser piece by piece, within the limits."""
        if self._is_refused:
            self.transport.pause_reading()  # uvicorn resumes it after each response
            return
        while data and not self.transport.is_closing():
            room = (MAX_HEAD if self._is_in_head else MAX_TAIL) - self._read
            if room <= 0 or len(self.pipeline) > MAX_PIPELINED:
                self._refuse()
                return
            piece, data = data[: min(room, PIECE)], data[min(room, PIECE) :]
            super().data_received(piece)
            self._read = 0 if self._is_idle else self._read + len(piece)
        if self._is_answering():
            self._expect_no_more()
        elif self._deadline is None:
            self._expect()

    def on_message_begin(self) -> None:
        """Note that a request has begun."""
        super().on_message_begin()
        self._is_idle = False

    def on_headers_complete(self) -> None:
        """Count the bytes after the headers anew."""
        super().on_headers_complete()
        self._is_in_head, self._read = False, 0

    def on_message_complete(self) -> None:
        """Note that a request is complete."""
        super().on_message_complete()
        self._is_in_head, self._is_idle, self._read = True, True, 0

    def _refuse(self) -> None:
        """Read no more of the request, and close the connection once the client can have read the response."""
        self._is_refused = True
        self._expect_no_more()
        if self._is_in_head and (self.cycle is None or self.cycle.response_complete):
            self.transport.write(REFUSED)
        self.transport.pause_reading()
        self.loop.call_later(LINGER, self.transport.abort)

    def _is_answering(self) -> bool:
        """Return whether a whole request has arrived whose response is not yet sent."""
        cycle = self.cycle
        return cycle is not None and not cycle.more_body and not cycle.response_complete

    def _expect(self) -> None:
        self._deadline = self.loop.call_later(MAX_SECONDS, self.transport.abort)

    def _expect_no_more(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None


def guarded(proxies: Collection[str] = ()) -> type[asyncio.Protocol]:
    """Return the protocol of one server, which counts its own connections.

    Args:
        proxies: addresses of reverse proxies, which have no limit per address.
    """
    limits = {
        "proxies": frozenset(proxies),
        "opened": Counter[str](),
        "most": _raised_limit_of_files() - FILES_BESIDES,
    }
    return type("Guarded", (GuardedProtocol,), limits)


def _raised_limit_of_files() -> int:
    """Raise the limit on open files as far as the system allows, and return it."""
    try:
        import resource
    except ImportError:
        return 1 << 16
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = min(hard, 1 << 16) if hard != resource.RLIM_INFINITY else 1 << 16
    if wanted > soft:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        except (ValueError, OSError):
            return soft
    return max(wanted, soft)
