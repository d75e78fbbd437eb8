"""Connections that may not be held for nothing: a request must come whole in time, and an address has only so many.

A server has a limited number of connections. Whoever opens many and sends half a request on each would close it to all
others; so would one address that opens all there are.
"""

import asyncio
from collections import Counter
from collections.abc import Collection
from typing import Any

from uvicorn.protocols.http.auto import AutoHTTPProtocol

MOST_SECONDS = 20.0  # from when a request can begin, or has begun, until all of it is there
MOST_OF_ADDRESS = 400
FILES_BESIDES = 200  # that a server has open besides connections: the database, caches, jobs


def guarded(proxies: Collection[str] = ()) -> type[asyncio.Protocol]:
    """uvicorn's protocol, which closes connections that bring no whole request in time, or are too many.

    Args:
        proxies: addresses that connections of many people come from.
    """
    opened: Counter[str] = Counter()
    most = _raised_limit_of_files() - FILES_BESIDES

    class Guarded(AutoHTTPProtocol):  # type: ignore[misc, valid-type]
        _deadline: asyncio.TimerHandle | None = None
        _address = ""

        def connection_made(self, transport: Any) -> None:
            super().connection_made(transport)
            self._address = str((transport.get_extra_info("peername") or ("",))[0])
            opened[self._address] += 1
            is_one_too_many = self._address not in proxies and opened[self._address] > MOST_OF_ADDRESS
            if is_one_too_many or opened.total() > most:
                transport.abort()
            else:
                self._expect()

        def connection_lost(self, exc: Exception | None) -> None:
            opened[self._address] -= 1
            if opened[self._address] <= 0:
                del opened[self._address]
            self._expect_no_more()
            super().connection_lost(exc)

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            if self._is_answering():
                self._expect_no_more()
            elif self._deadline is None:
                self._expect()

        def _is_answering(self) -> bool:
            """Whether a whole request has come whose answer has not yet been sent."""
            cycle = self.cycle
            return cycle is not None and not cycle.more_body and not cycle.response_complete

        def _expect(self) -> None:
            self._deadline = self.loop.call_later(MOST_SECONDS, self.transport.abort)

        def _expect_no_more(self) -> None:
            if self._deadline is not None:
                self._deadline.cancel()
                self._deadline = None

    return Guarded


def _raised_limit_of_files() -> int:
    """How many files and connections the process may have open, once that is as many as the system lets it."""
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
