"""What Ray reports when it cannot connect is one sentence; Ray itself is not needed for it."""

from types import SimpleNamespace
from typing import Any

import pytest

from komi.cluster import _join
from komi.errors import InputError

TRACEBACK = """Failed to connect to GCS. Last connection error: Traceback (most recent call last):
  File "node.py", line 996, in _init_gcs_client
ray.exceptions.AuthenticationError: RPC error: InvalidAuthToken: Authentication token is missing or incorrect. See.
"""


class RayError(Exception):
    """As in `ray.exceptions`."""


class AuthenticationError(RayError):
    """As in `ray.exceptions`."""


def chained() -> Exception:
    error = ConnectionError("Failed to connect to Ray cluster at 10.0.0.1:6379")
    error.__cause__ = RuntimeError(TRACEBACK)
    return error


def ray(error: Exception) -> Any:
    def init(address: str, **settings: object) -> None:
        if address != "local":
            raise error

    return SimpleNamespace(init=init, exceptions=SimpleNamespace(RayError=RayError))


@pytest.fixture(autouse=True)
def _running(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let Ray know a cluster."""
    monkeypatch.setattr("komi.cluster._last_address", lambda: "head")


@pytest.mark.parametrize(
    ("address", "where"), [("head", "at head"), ("auto", "on this machine")], ids=["address", "auto"]
)
@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (chained(), "RPC error: InvalidAuthToken: Authentication token is missing or incorrect"),
        (AuthenticationError("No token was found. Ensure that there is one."), "No token was found"),
    ],
    ids=["refused", "no token"],
)
def test_failed_authentication_is_reported(address: str, where: str, error: Exception, reason: str) -> None:
    with pytest.raises(InputError) as refused:
        _join(ray(error), address, None)
    assert str(refused.value) == (
        f"the Ray cluster {where} refuses the connection: {reason} "
        "(set RAY_AUTH_MODE=token, and RAY_AUTH_TOKEN to the token of the cluster)."
    )


def test_other_reasons_are_reported_too() -> None:
    with pytest.raises(InputError, match=r"^no Ray cluster answers at head: there is none\.$"):
        _join(ray(ConnectionError("there is none. Try again.")), "head", None)


def test_a_cluster_is_started_where_there_is_none() -> None:
    _join(ray(ConnectionError("there is none")), "auto", None)
