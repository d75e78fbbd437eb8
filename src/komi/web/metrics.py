"""Metrics for Prometheus: the durations of requests by route and status, and the jobs that run and wait.

They have a port of their own, on this machine only, so that nobody else can read them. No person, address or game is
named in them.
"""

import time
from collections.abc import Iterator

from prometheus_client import CollectorRegistry, Histogram, ProcessCollector, start_http_server
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from komi.web.job_queue import JobQueue
from komi.web.services import Services

ADDRESS = "127.0.0.1"
BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)  # seconds
PAGE = "/"  # the route of all files of the page


class Metrics:
    """The metrics of one server."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        self.requests = Histogram(
            "komi_request_seconds",
            "Time from a request to the end of its response.",
            ("method", "route", "status"),
            registry=self.registry,
            buckets=BUCKETS,
        )

    def watch(self, services: Services) -> None:
        """Report the queues of jobs."""
        queues = {
            "solve": services.solver_queue,
            "prepare": services.preparation_queue,
            "search": services.search_queue,
        }
        self.registry.register(_Queues(queues))

    def serve(self, port: int) -> None:
        """Serve the metrics on a port of this machine, in a thread, until the process ends.

        Raises:
            OSError: if the port cannot be used.
        """
        start_http_server(port, ADDRESS, self.registry)


class MetricsMiddleware:
    """Middleware that measures each request.

    Args:
        app: the wrapped application.
        metrics: the metrics that it updates.
    """

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app, self._requests = app, metrics.requests

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and measure it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        status = 500  # of a request without a response

        async def note(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        began = time.perf_counter()
        try:
            await self._app(scope, receive, note)
        finally:
            route = getattr(scope.get("route"), "path", PAGE)  # the pattern: addresses contain secrets
            method = scope["method"] if route != PAGE else "GET"  # anyone can send any method
            self._requests.labels(method, route, str(status)).observe(time.perf_counter() - began)


class _Queues(Collector):
    """The jobs of each queue."""

    def __init__(self, queues: dict[str, JobQueue]) -> None:
        self._queues = queues

    def collect(self) -> Iterator[Metric]:
        """Yield the number of jobs by queue and state."""
        family = GaugeMetricFamily("komi_jobs", "Jobs that run and that wait.", labels=("queue", "state"))
        for name, queue in self._queues.items():
            running, waiting = queue.lengths()
            family.add_metric((name, "running"), running)
            family.add_metric((name, "waiting"), waiting)
        yield family
