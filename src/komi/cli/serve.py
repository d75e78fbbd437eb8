"""`komi serve`: the web server, to play in the browser."""

import asyncio
import errno
import gc
import ipaddress
import logging
import socket
import threading
import webbrowser
from collections.abc import Sequence
from contextlib import suppress
from typing import Annotated, Any

import typer

from komi.cli.app import DatabaseOption
from komi.cli.commands import command
from komi.cli.output import bars, console, warn
from komi.errors import InputError

QUEUE = 512  # connections that wait to be accepted
GC_THRESHOLD = 10_000  # new objects between two collections: a move creates hundreds
KEEP_ALIVE = 60  # seconds that an idle connection is kept open while a player thinks


@command("serve")
def serve(
    files: Annotated[
        list[str] | None, typer.Argument(metavar="FILE.py", help="Rule files to offer besides the built-in games.")
    ] = None,
    host: Annotated[str, typer.Option("--host", help="The address to listen on; 0.0.0.0 for all.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="The port; 0 for any free one.")] = 8000,
    database: DatabaseOption = "",
    names: Annotated[
        list[str] | None,
        typer.Option("--name", metavar="HOST", help="Another host name of the server; repeatable."),
    ] = None,
    proxies: Annotated[
        list[str] | None,
        typer.Option(
            "--proxy",
            metavar="ADDRESS",
            help="Address of a trusted reverse proxy: its X-Forwarded-For and -Proto are used; repeatable.",
        ),
    ] = None,
    root_path: Annotated[
        str,
        typer.Option(
            "--root-path", metavar="PATH", help="URL path under which a reverse proxy serves komi, such as /komi."
        ),
    ] = "",
    warm: Annotated[
        bool, typer.Option("--warm/--no-warm", help="Solve the most popular games when the server starts.")
    ] = True,
    prepare: Annotated[
        bool,
        typer.Option(
            "--prepare", help="Solve all games under their default rules into the cache, and start no server."
        ),
    ] = False,
    metrics_port: Annotated[
        int | None,
        typer.Option("--metrics", metavar="PORT", min=1, max=65535, help="Serve metrics for Prometheus here, locally."),
    ] = None,
    studies: Annotated[
        bool, typer.Option("--study", help="Ask people whether their decisions may be studied; see 'komi study'.")
    ] = False,
    open_page: Annotated[bool, typer.Option("--open/--no-open", help="Open komi in the browser.")] = True,
) -> None:
    """Start the web app: play in the browser, against opponents of any skill."""
    try:
        import uvicorn

        from komi.web.app import create_app
        from komi.web.connections import limited_protocol
        from komi.web.database import Database, default_url
        from komi.web.game_catalog import GameCatalog
        from komi.web.metrics import Metrics
        from komi.web.preparing import prepare_game
    except ImportError as error:
        raise InputError(f"komi serve needs {error.name}: pip install 'komi[serve]'.") from None
    if prepare:
        catalog = GameCatalog(files or ())
        for game in catalog.games:
            with bars() as progress:
                line = prepare_game(game, catalog.source(game), progress)
            console().print(line, markup=False)
        return
    with _listening(host, port) as listener:
        logging.basicConfig(format="komi: %(message)s")
        try:
            kept = Database(database or default_url())
        except InputError:
            raise
        except (TypeError, ValueError) as error:  # from the options after the '?'
            raise InputError(f"--database {database!r} is not a database: {error}.") from None
        metrics = Metrics() if metrics_port is not None else None
        if metrics and metrics_port is not None:
            try:
                metrics.serve(metrics_port)
            except OSError as error:
                why = error.strerror
                raise InputError(f"port {metrics_port} of --metrics cannot be used ({why}): name another.") from None
        more: dict[str, Any] = {"warm": warm, "studies": studies, "root_path": root_path, "metrics": metrics}
        built = create_app(kept, files or (), names or (), **more)
        server = uvicorn.Server(_settings(built, limited_protocol(proxies or ()), proxies or ()))
        address = f"http://{_written(host)}:{listener.getsockname()[1]}/{root_path.strip('/')}".rstrip("/") + "/"
        console().print(f"komi is at {address} (Ctrl-C stops it).")
        if not (_is_of_this_machine(listener.getsockname()[0]) or proxies):
            warn(
                "everyone who can reach this machine can play here, and what they do is not encrypted: "
                "put a web server with HTTPS in front, and name it with --proxy."
            )
        if open_page:
            opening = threading.Timer(1.0, webbrowser.open, [address])
            opening.daemon = True
            opening.start()
        gc.freeze()  # modules stay: collections need not visit them, which would hold up moves
        gc.set_threshold(GC_THRESHOLD, 20, 50)
        with suppress(KeyboardInterrupt):  # Ctrl-C stops the server
            server.run(sockets=[listener])


def _settings(server: Any, protocol: type[asyncio.Protocol], proxies: Sequence[str]) -> Any:
    import uvicorn

    return uvicorn.Config(
        server,
        log_level="warning",
        access_log=False,
        server_header=False,
        http=protocol,
        proxy_headers=bool(proxies),  # other clients could forge their address
        forwarded_allow_ips=list(proxies),
        ws="none",
        timeout_keep_alive=KEEP_ALIVE,
        timeout_graceful_shutdown=3,
    )


def _listening(host: str, port: int) -> socket.socket:
    """Create a socket that listens on this host and port.

    Raises:
        InputError: if that is not possible.
    """
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        return socket.create_server(address, family=family, backlog=QUEUE)
    except (socket.gaierror, UnicodeError):  # UnicodeError: too long for a host name
        raise InputError(f"there is no address {host!r} on this machine.") from None
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise InputError(f"port {port} is taken: stop what uses it, or name another with --port.") from None
        raise InputError(f"cannot listen at {host}, port {port} ({error.strerror}).") from None


def _is_of_this_machine(address: str) -> bool:
    return ipaddress.ip_address(address.partition("%")[0]).is_loopback


def _written(host: str) -> str:
    """Return the host as a browser on this machine must write it."""
    if host in ("0.0.0.0", "::"):
        return "localhost"
    return f"[{host}]" if ":" in host else host
