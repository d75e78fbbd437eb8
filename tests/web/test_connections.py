"""What a connection may send before it is closed: plain sockets to a real server."""

import re
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx2 as httpx
import pytest

from komi.web.connections import MAX_HEAD, MAX_PIPELINED, MAX_TAIL

from playing import serving

GET = b"GET /api/me HTTP/1.1\r\nhost: localhost\r\n"
PUT = b"PUT /api/me HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"
CHUNKED = PUT + b"transfer-encoding: chunked\r\n\r\n2\r\n{}\r\n"
REFUSED = b"HTTP/1.1 431 "
ENDLESS = 60 << 20  # bytes
MAX_MEMORY = 32 << 10  # KB that a server may take for it
PATIENCE = 30.0  # seconds


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[int, int]]:
    """Start a server; return its process id and port."""
    with serving(tmp_path_factory.mktemp("served") / "games.db") as (process, address):
        assert httpx.get(f"{address}api/me").status_code == 200
        yield process.pid, int(address.rstrip("/").rpartition(":")[2])


@pytest.fixture
def connection(served: tuple[int, int]) -> Iterator[socket.socket]:
    with socket.create_connection(("127.0.0.1", served[1]), PATIENCE) as connection:
        yield connection


def answer(connection: socket.socket, end: bytes = b"}") -> bytes:
    received = b""
    while not received.endswith(end) and (piece := connection.recv(10_000)):
        received += piece
    return received


def head_of(length: int) -> bytes:
    """Return a request without a body, of so many bytes."""
    return GET + b"x-long: " + b"a" * (length - len(GET) - 12) + b"\r\n\r\n"


def test_head_of_32_kb_is_answered_again_and_again(connection: socket.socket) -> None:
    assert len(head_of(MAX_HEAD)) == MAX_HEAD
    for _ in range(3):
        connection.sendall(head_of(MAX_HEAD))
        assert answer(connection).startswith(b"HTTP/1.1 200 ")


def test_longer_head_is_refused_in_one_sentence(connection: socket.socket) -> None:
    connection.sendall(head_of(MAX_HEAD + 1))
    refused = answer(connection)
    assert refused.startswith(REFUSED)
    assert refused.endswith(b'{"error":"The request line and headers of a request may have 32768 bytes at most."}')
    assert connection.recv(1) == b""


HEADS = {
    "one header": GET + b"x-long: " + b"a" * MAX_HEAD,
    "many headers": GET + b"x-a: b\r\n" * (MAX_HEAD // 8),
    "the name of a header": GET + b"x" * MAX_HEAD,
    "the request line": b"GET /" + b"a" * MAX_HEAD,
    "the method": b"GET" + b" " * MAX_HEAD,
}


@pytest.mark.parametrize("head", HEADS.values(), ids=HEADS)
@pytest.mark.parametrize("size", [1000, 1 << 20], ids=["in pieces", "at once"])
def test_head_without_an_end_is_refused_wherever_it_is_long(connection: socket.socket, head: bytes, size: int) -> None:
    for start in range(0, len(head), size):
        connection.sendall(head[start : start + size])
    assert answer(connection).startswith((REFUSED, b"HTTP/1.1 400 "))


ENDLESSLY = {
    "a header": (GET + b"x-long: ", b"a"),
    "headers": (GET, b"x-a: b\r\n"),
    "a request line": (b"GET /", b"a"),
    "a trailer": (CHUNKED + b"0\r\nx-long: ", b"a"),
    "a body that says its length": (PUT + b"content-length: 99999999\r\n\r\n", b" "),
    "a chunk": (CHUNKED + b"fffffff\r\n", b" "),
    "requests": (b"", GET + b"\r\n"),
}


@pytest.mark.parametrize(("begin", "more"), ENDLESSLY.values(), ids=ENDLESSLY)
def test_what_has_no_end_is_cut_off_and_takes_no_memory(served: tuple[int, int], begin: bytes, more: bytes) -> None:
    process, port = served
    before = most_memory(process)

    def send(_: int) -> None:
        with socket.create_connection(("127.0.0.1", port), PATIENCE) as connection:
            connection.sendall(begin)
            piece = more * ((1 << 20) // len(more))
            with pytest.raises(ConnectionError):
                for _ in range(ENDLESS // len(piece)):
                    connection.sendall(piece)
            assert httpx.get(f"http://127.0.0.1:{port}/api/me").status_code == 200

    with ThreadPoolExecutor(8) as senders:
        list(senders.map(send, range(8)))
    assert most_memory(process) - before < MAX_MEMORY


def most_memory(process: int) -> int:
    """Return the peak memory of the process in KB; 0 if the system does not report it."""
    status = Path(f"/proc/{process}/status")
    return int(re.findall(r"VmHWM:\s+(\d+)", status.read_text())[0]) if status.exists() else 0


def test_few_requests_at_once_are_answered_one_after_another(connection: socket.socket) -> None:
    connection.sendall((GET + b"\r\n") * MAX_PIPELINED)
    received = b""
    while received.count(b'{"name":null}') < MAX_PIPELINED:
        received += connection.recv(10_000)
    assert received.count(b"HTTP/1.1 200 ") == MAX_PIPELINED


def test_body_in_small_chunks_is_taken(connection: socket.socket) -> None:
    body = b'{"name":"' + b" " * 16_000 + b'Ann"}'
    chunks = b"".join(b"1\r\n%c\r\n" % each for each in body)
    assert len(chunks) < MAX_TAIL
    connection.sendall(PUT + b"transfer-encoding: chunked\r\n\r\n" + chunks + b"0\r\n\r\n")
    assert answer(connection).endswith(b'{"name":"Ann"}')
