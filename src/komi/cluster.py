"""Independent jobs on the machines of a Ray cluster; see `komi.parallel`."""

import os
import re
import socket
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from komi.errors import InputError, KomiError
from komi.jobs import Finished, Job, Result, Work, attempt

TIMEOUT = 5.0  # seconds in which a machine must answer
WATCH = 5.0  # seconds between two checks of the cluster; Ray itself ends the process after a minute
AHEAD = 2  # jobs submitted for each worker: one runs, one waits


def on_cluster(
    work: Work[Job, Result], jobs: Iterable[Job], workers: int | None, address: str
) -> Iterator[Finished[Job, Result]]:
    """Do the work for each job on a cluster, and yield results as they come.

    Raises:
        InputError: if Ray is not installed, or no cluster answers.
        KomiError: if the cluster no longer answers.
    """
    os.environ.setdefault("RAY_BACKEND_LOG_LEVEL", "fatal")  # read once, by the import
    try:
        import ray
    except ImportError:
        raise InputError("a cluster needs Ray: pip install 'komi[cluster]'.") from None
    begun = not ray.is_initialized()
    if begun:
        _join(ray, address, workers)
        ray._private.worker._worker_logs_enabled = False  # else Ray prints in color what its processes report
    try:
        yield from _spread(
            ray, work, jobs, workers or int(ray.cluster_resources().get("CPU", 1)), _needed(ray, address)
        )
    finally:
        if begun:
            ray.shutdown()


def _join(ray: Any, address: str, workers: int | None) -> None:
    """Join the cluster at the address; "auto" starts one on this machine if there is none.

    Raises:
        InputError: if no cluster answers, or it refuses to authenticate this process.
    """
    quiet: dict[str, Any] = {"log_to_driver": False, "logging_level": "ERROR", "configure_logging": True}
    try:
        _knock(_last_address() if address == "auto" else address)
        with _silent_stderr():
            ray.init(address=address, **quiet)
    except InputError:
        if address != "auto":
            raise
    except (ConnectionError, ValueError, RuntimeError, ray.exceptions.RayError) as error:
        reason, is_refused = _reason(error)
        if is_refused:
            where = "on this machine" if address == "auto" else f"at {address}"
            raise InputError(
                f"the Ray cluster {where} refuses the connection: {reason} "
                "(set RAY_AUTH_MODE=token, and RAY_AUTH_TOKEN to the token of the cluster)."
            ) from None
        if address != "auto":
            raise InputError(f"no Ray cluster answers at {address}: {reason}.") from None
    else:
        return
    ray.init(address="local", num_cpus=workers, include_dashboard=False, **quiet)


def _last_address() -> str:
    """Return the address of the cluster that Ray would join; it can have ended, and Ray would wait for it for ever.

    Raises:
        ConnectionError: if Ray knows of none.
    """
    from ray._private.services import get_ray_address_from_environment

    return str(get_ray_address_from_environment("auto", None))


def _reason(error: BaseException) -> tuple[str, bool]:
    """Return the first sentence of the root cause of a Ray error, and whether authentication failed.

    Ray puts the cause into the text of an exception as a traceback; its last line is the relevant one.
    """
    while error.__cause__:
        error = error.__cause__
    lines = str(error).strip().splitlines()
    line = lines[-1] if "Traceback" in lines[0] else f"{type(error).__name__}: {lines[0]}"
    kind, _, sentence = line.partition(": ")
    return re.split(r"\.(?:\s|$)", sentence)[0], kind.endswith("AuthenticationError")


@contextmanager
def _silent_stderr() -> Iterator[None]:
    """Discard output to file descriptor 2, where Ray's native code reports each attempt to connect."""
    stderr = os.dup(2)
    with Path(os.devnull).open("wb") as nowhere:
        os.dup2(nowhere.fileno(), 2)
    try:
        yield
    finally:
        os.dup2(stderr, 2)
        os.close(stderr)


def _knock(address: str) -> None:
    """Check that the address accepts a connection: Ray itself retries for minutes, and prints each attempt."""
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if not (colon and port.isdecimal()):
        return
    try:
        socket.create_connection((host, int(port)), TIMEOUT).close()
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"no Ray cluster answers at {address}: {reason}.") from None


def _needed(ray: Any, address: str) -> list[str]:
    """List the addresses that must accept connections: those of the head, and of Ray's manager on this machine."""
    if address.startswith("ray://"):
        return [address]
    here = ray.get_runtime_context()
    nodes = [node for node in ray.nodes() if node["NodeID"] == here.get_node_id()]
    return [here.gcs_address, *(f"{node['NodeManagerAddress']}:{node['NodeManagerPort']}" for node in nodes)]


def _spread(ray: Any, work: Any, jobs: Iterable[Any], workers: int, needed: Iterable[str]) -> Iterator[tuple[Any, Any]]:
    """Do the work for each job, as `on_cluster` does.

    Raises:
        KomiError: if one of the needed addresses no longer accepts connections.
    """
    remote = ray.remote(attempt).options(num_cpus=1, max_retries=3)
    sent = ray.put(work)
    waiting = iter(jobs)
    running: dict[Any, Any] = {}
    watched = time.monotonic()
    try:
        while True:
            while len(running) < AHEAD * workers:
                job = next(waiting, None)
                if job is None:
                    break
                running[remote.remote(sent, job)] = job
            if not running:
                return
            done, _ = ray.wait(list(running), timeout=WATCH)
            if time.monotonic() > watched + WATCH:
                _check_answers(needed)
                watched = time.monotonic()
            for reference in done:
                yield running.pop(reference), _result(ray, reference)
    finally:
        for reference in running:
            ray.cancel(reference, force=True)


def _check_answers(addresses: Iterable[str]) -> None:
    """Check that all addresses accept connections.

    Raises:
        KomiError: if one does not.
    """
    for address in addresses:
        try:
            _knock(address)
        except InputError:
            raise KomiError(
                f"the Ray cluster no longer answers at {address}: start it again, and repeat the command."
            ) from None


def _result(ray: Any, reference: Any) -> Any:
    """Return the result of a job, or an error if its worker was lost repeatedly."""
    try:
        return ray.get(reference)
    except ray.exceptions.RayError as error:
        if isinstance(error, ray.exceptions.RayTaskError):
            raise
        return KomiError(f"a worker of the cluster was lost: {str(error).strip().partition(chr(10))[0].rstrip('.')}.")
