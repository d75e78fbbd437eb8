"""Metrics for Prometheus: durations of requests by pattern of the address, never with an id or a name."""

import socket
import subprocess
from pathlib import Path

import httpx2 as httpx

from komi.web.metrics import ADDRESS, Metrics

from playing import SERVE, Server, serving


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind((ADDRESS, 0))
        return int(probe.getsockname()[1])


def test_requests_and_jobs_are_counted_and_nobody_is_named(tmp_path: Path) -> None:
    port = free_port()
    with serving(tmp_path / "games.db", "--metrics", str(port)) as (_, address):
        with httpx.Client(base_url=address, timeout=60.0) as client:
            client.put("/api/me", json={"name": "Ann"})
            client.get(f"/api/games/{'a' * 32}")
            client.request("BREW", "/coffee")
            client.get("/")
        text = httpx.get(f"http://{ADDRESS}:{port}/metrics").text
        assert httpx.get(f"{address}metrics").status_code == 404
    count = "komi_request_seconds_count"
    assert f'{count}{{method="PUT",route="/api/me",status="200"}} 1.0' in text
    assert f'{count}{{method="GET",route="/api/games/{{id}}",status="404"}} 1.0' in text
    assert 'komi_jobs{queue="solve",state="waiting"}' in text
    assert "process_cpu_seconds_total" in text
    assert not any(word in text for word in ("Ann", "a" * 32, "BREW", "coffee"))


def test_requests_are_counted_by_pattern_under_a_path_prefix(tmp_path: Path) -> None:
    metrics = Metrics()
    with Server.running(f"sqlite:///{tmp_path / 'games.db'}", root_path="/komi", metrics=metrics) as server:
        server.inside.get("/komi/api/catalog")
    labels = {"method": "GET", "route": "/api/catalog", "status": "200"}
    assert metrics.registry.get_sample_value("komi_request_seconds_count", labels) == 1.0


def test_a_port_that_is_taken_is_refused_in_a_sentence(tmp_path: Path) -> None:
    with socket.create_server((ADDRESS, 0)) as other:
        port = str(other.getsockname()[1])
        options = ["--port", "0", "--database", f"sqlite:///{tmp_path / 'games.db'}", "--metrics", port]
        done = subprocess.run([*SERVE, *options], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert f"port {port} of --metrics cannot be used (Address already in use): name another." in done.stderr
