"""The server: the API and the page."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from mimetypes import add_type
from threading import Timer

from fastapi import FastAPI
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware

import komi
from komi.web import responses
from komi.web.database import Database
from komi.web.direct import DirectMiddleware
from komi.web.housekeeping import clean_up_daily
from komi.web.identity import IdentityMiddleware
from komi.web.metrics import Metrics, MetricsMiddleware
from komi.web.rate_limits import RateLimitMiddleware
from komi.web.responses import ERROR_RESPONSES, ErrorMiddleware
from komi.web.root_path import RootPathMiddleware, check_root_path
from komi.web.routes import (
    accounts,
    consent,
    devices,
    games,
    health,
    inviting,
    learning,
    me,
    page,
    preview,
    puzzles,
    reference,
    rooms,
    sandbox,
    sharing,
    solving,
    statistics,
)
from komi.web.security import SecurityMiddleware
from komi.web.services import Services

MIN_GZIP_BYTES = 8000  # bytes of a response: the log of a long game has hundreds of thousands, and is repetitive
GZIP_LEVEL = 4  # compression level, of 9
WARM_UP_DELAY = 8.0  # seconds after the start, before popular games are solved in advance
SUMMARY = "Play komi's games. Every error is a status and one sentence, in the field error."


def create_app(
    database: Database,
    files: Sequence[str] = (),
    names: Sequence[str] = (),
    *,
    warm: bool = False,
    studies: bool = False,
    root_path: str = "",
    metrics: Metrics | None = None,
) -> FastAPI:
    """Create the server for the built-in games and those in rule files.

    The server closes the database when it stops.

    Args:
        database: the database of people and games.
        files: paths of rule files to offer besides the built-in games.
        names: host names of the server besides localhost and this machine's.
        warm: True to solve the most popular games shortly after the start, once the first page is served.
        studies: True to ask people whether their decisions may be studied.
        root_path: the URL path under which a reverse proxy serves komi, or "".
        metrics: measures the requests and jobs; None to measure nothing.

    Raises:
        InputError: if `root_path` is not a path, or a file is not a rule file.
    """
    root_path = check_root_path(root_path)
    services = Services.opened(database, files, studies=studies)
    if metrics:
        metrics.watch(services)
    warming = Timer(WARM_UP_DELAY, services.warm)
    warming.daemon = True

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        if warm:
            warming.start()
        stopping = asyncio.Event()
        cleaning = asyncio.create_task(clean_up_daily(database, stopping))
        yield
        warming.cancel()
        stopping.set()
        await cleaning  # its thread holds a connection
        services.close()

    app = FastAPI(
        title="komi",
        description=SUMMARY,
        version=komi.__version__,
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
        responses=ERROR_RESPONSES,
        middleware=[
            Middleware(RootPathMiddleware, root_path=root_path),
            *([Middleware(MetricsMiddleware, metrics=metrics)] if metrics else []),
            Middleware(SecurityMiddleware, names=names),
            Middleware(ErrorMiddleware),
            Middleware(IdentityMiddleware, key=database.secret("cookies"), path=f"{root_path}/"),
            Middleware(RateLimitMiddleware),
            Middleware(GZipMiddleware, minimum_size=MIN_GZIP_BYTES, compresslevel=GZIP_LEVEL),
            Middleware(DirectMiddleware, services=services, routes=games.router.routes),
        ],
    )
    app.state.services, app.state.root_path = services, root_path
    responses.install(app)
    first = (games, inviting, learning, puzzles, sandbox, sharing, preview)
    for routes in (
        *first,
        me,
        devices,
        accounts,
        rooms,
        consent,
        solving,
        statistics,
        health,
        reference,
    ):  # moves are matched first
        app.include_router(routes.router)
    add_type("text/javascript", ".js")
    add_type("font/woff2", ".woff2")
    app.mount("/", page.Page())
    return app
