"""Whatever the OpenAPI page allows, and much that it does not: never a failure, always what it says it answers."""

import json
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import suppress
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.checks import CHECKS, load_all_checks

from komi.web.job_queue import JobQueue
from komi.web.rate_limits import Buckets

from playing import Server

EXAMPLES = [6, pytest.param(100, marks=pytest.mark.slow)]
"""For each address, requests that it allows, and as many others."""
load_all_checks()
CHECKED = CHECKS.get_by_names(
    ["not_a_server_error", "status_code_conformance", "content_type_conformance", "response_schema_conformance"]
)
ADDRESSES = [
    ("GET", "/api/me"),
    ("PUT", "/api/me"),
    ("DELETE", "/api/me"),
    ("POST", "/api/me/leave"),
    ("GET", "/api/devices"),
    ("POST", "/api/devices"),
    ("DELETE", "/api/devices"),
    ("POST", "/api/devices/find"),
    ("POST", "/api/devices/join"),
    ("POST", "/api/devices/sign-out-others"),
    ("GET", "/api/account"),
    ("PUT", "/api/account"),
    ("DELETE", "/api/account"),
    ("POST", "/api/account/sign-in"),
    ("GET", "/api/health"),
    ("GET", "/api/consent"),
    ("PUT", "/api/consent"),
    ("GET", "/api/puzzles"),
    ("GET", "/api/puzzles/{game}"),
    ("POST", "/api/puzzles/{game}"),
    ("GET", "/api/puzzles/{game}/{day}.png"),
    ("GET", "/api/catalog"),
    ("GET", "/api/rules/{game}"),
    ("POST", "/api/opponents"),
    ("POST", "/api/preparations"),
    ("GET", "/api/preparations/{key}"),
    ("POST", "/api/how-to-play"),
    ("POST", "/api/strengths"),
    ("POST", "/api/rungs"),
    ("POST", "/api/commitments"),
    ("POST", "/api/games"),
    ("GET", "/api/games"),
    ("GET", "/api/games/{id}"),
    ("DELETE", "/api/games/{id}"),
    ("POST", "/api/games/{id}/resign"),
    ("POST", "/api/games/{id}/takeback"),
    ("POST", "/api/games/{id}/share"),
    ("DELETE", "/api/games/{id}/share"),
    ("GET", "/api/shared/{secret}"),
    ("GET", "/api/shared/{secret}/review"),
    ("POST", "/api/games/{id}/moves"),
    ("POST", "/api/games/{id}/confirm"),
    ("GET", "/api/games/{id}/news"),
    ("GET", "/api/games/{id}/rematch"),
    ("POST", "/api/invitations"),
    ("GET", "/api/invitations"),
    ("GET", "/api/invitations/{id}"),
    ("DELETE", "/api/invitations/{id}"),
    ("POST", "/api/invitations/{id}/join"),
    ("POST", "/api/invitations/{id}/reveal"),
    ("GET", "/api/watch/{secret}"),
    ("GET", "/api/lobby"),
    ("GET", "/api/rooms"),
    ("POST", "/api/rooms"),
    ("POST", "/api/rooms/find"),
    ("POST", "/api/rooms/join"),
    ("DELETE", "/api/rooms/{room}"),
    ("GET", "/api/rooms/{room}/board"),
    ("GET", "/api/rooms/{room}/board.csv"),
    ("POST", "/api/games/{id}/phrases"),
    ("GET", "/api/games/{id}/record"),
    ("POST", "/api/sandbox"),
    ("POST", "/api/sandbox/hint"),
    ("POST", "/api/sandbox/choice"),
    ("POST", "/api/sandbox/review"),
    ("POST", "/api/sandbox/record"),
    ("POST", "/api/records"),
    ("GET", "/api/games/{id}/hint"),
    ("GET", "/api/games/{id}/excitement"),
    ("GET", "/api/games/{id}/hint/estimates"),
    ("GET", "/api/games/{id}/review"),
    ("GET", "/api/games/{id}/review/estimates"),
    ("GET", "/api/games/{id}/surface"),
    ("GET", "/api/statistics"),
    ("GET", "/api/export.json"),
    ("GET", "/api/export.csv"),
]


@pytest.fixture(scope="module")
def api(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    address = f"sqlite:///{tmp_path_factory.mktemp('schema') / 'games.db'}"
    with pytest.MonkeyPatch.context() as patch, Server.running(address, names=["testserver"]) as server:
        patch.setattr(Buckets, "take", lambda *_: True)
        done: Future[Any] = Future()
        done.set_result([])
        patch.setattr(JobQueue, "_schedule", lambda *_: done)  # solving is tested elsewhere
        yield schemathesis.openapi.from_asgi("/api/openapi.json", server.app)


def test_all_addresses_are_tried(api: Any) -> None:
    found = {(result.ok().method.upper(), result.ok().path) for result in api.get_all_operations()}
    assert found == set(ADDRESSES)


@pytest.mark.parametrize("examples", EXAMPLES)
@pytest.mark.parametrize("mode", list(GenerationMode), ids=lambda mode: mode.value)
@pytest.mark.parametrize(("method", "path"), ADDRESSES)
def test_every_answer_is_one_that_was_promised(
    api: Any, method: str, path: str, mode: GenerationMode, examples: int
) -> None:
    @given(case=api[path][method].as_strategy(generation_mode=mode))
    @settings(max_examples=examples, suppress_health_check=list(HealthCheck), derandomize=True)
    def check(case: schemathesis.Case) -> None:
        response = case.call()
        case.validate_response(response, checks=CHECKED)
        if response.status_code >= 400:
            answer = json.loads(response.content)
            assert answer["error"].endswith(".")
            assert "Traceback" not in answer["error"]

    with suppress(Unsatisfiable):  # who need not say anything cannot say anything wrong
        check()
