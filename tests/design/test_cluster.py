"""The same sweep on a real cluster of two workers, on this machine."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import komi
from komi.cli.output import bars
from komi.cluster import on_cluster
from komi.design.sweep import Sweep

from rulefiles import write

ray: Any = pytest.importorskip("ray", reason="the cluster needs the extra 'cluster'")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning", "ignore::ResourceWarning"),
]


@pytest.fixture(scope="module")
def cluster() -> Iterator[None]:
    ray.init(address="local", num_cpus=2, include_dashboard=False, log_to_driver=False)
    yield
    ray.shutdown()


def numbers(sweep: Sweep) -> dict[Any, Any]:
    return {tuple(row.rules): row.opening for row in sweep.rows}


@pytest.mark.usefixtures("cluster")
def test_cluster_says_what_threads_say(tmp_path: Path) -> None:
    vary = {"red": range(1, 4), "green": [6, 8], "goal": [8, 10], "komi": range(3)}
    near = komi.sweep("red-light", vary, store=tmp_path / "near")
    far = komi.sweep("red-light", vary, store=tmp_path / "far", cluster="auto")
    assert numbers(near) == numbers(far)
    assert komi.sweep("red-light", vary, store=tmp_path / "far").found == 36


@pytest.mark.usefixtures("cluster")
def test_rules_in_a_file_travel_to_the_cluster(tmp_path: Path) -> None:
    path = str(write(tmp_path))
    near = komi.sweep(path, {"goal": range(3, 9)}, store=tmp_path / "near")
    far = komi.sweep(path, {"goal": range(3, 9)}, store=tmp_path / "far", cluster="auto", workers=2)
    assert numbers(near) == numbers(far)


@pytest.mark.usefixtures("cluster")
def test_rule_set_without_an_answer_is_reported_by_the_cluster_too(tmp_path: Path) -> None:
    path = write(tmp_path, ("yield 1.0, State(rival", "yield 1.0 if rules.goal > 4 else 0.5, State(rival"))
    far = komi.sweep(str(path), {"goal": [4, 5]}, store=tmp_path / "far", cluster="auto")
    assert [row.rules.goal for row in far.rows] == [5]
    assert isinstance(far.unsolved[0][1], komi.GameError)
    assert "do not sum to 1" in str(far.unsolved[0][1])


@pytest.mark.parametrize("address", ["nonsense", "127.0.0.1:1", "ray://127.0.0.1:1", "127.0.0.1:99999"])
def test_cluster_that_is_not_there_is_reported_in_one_sentence(run: Any, address: str) -> None:
    ray.shutdown()
    ended = run("sweep", "red-light", "--vary", "red=1..2", "--set", "goal=7", "--vary", "komi=6", "--cluster", address)
    assert ended.code == 2
    assert ended.err.startswith(f"komi: no Ray cluster answers at {address}: ")
    assert ended.err.count("\n") == 1


def test_auto_starts_a_cluster_where_there_is_none(run: Any, tmp_path: Path) -> None:
    ray.shutdown()
    arguments = ("--vary", "red=1..2", "--set", "goal=7", "--store", tmp_path / "store", "--workers", "2", "--json")
    ended = run("sweep", "red-light", *arguments, "--cluster", "auto")
    assert (ended.code, len(ended.solution["rows"])) == (0, 2)
    assert not ray.is_initialized()


def test_auto_starts_a_cluster_where_the_last_one_has_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAY_ADDRESS", f"127.0.0.1:{free_port()}")
    with bars():
        assert dict(on_cluster(lambda job, _: 2 * job, [1, 2], 1, "auto")) == {1: 2, 2: 4}


def test_what_ray_says_of_a_dead_worker_is_not_on_stdout(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    ray.shutdown()
    died = tmp_path / "died"

    def work(job: int, progress: Any) -> int:
        if not died.exists():
            died.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return 2 * job

    with bars():
        assert dict(on_cluster(work, [1, 2, 3], 1, "auto")) == {1: 2, 2: 4, 3: 6}
    assert died.exists()
    assert capfd.readouterr().out == ""


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def child(parent: int, name: str) -> int | None:
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            number, _, rest = stat.read_text().partition(" (")
            command, _, fields = rest.rpartition(") ")
        except OSError:  # it has just ended
            continue
        if command == name and int(fields.split()[1]) == parent:
            return int(number)
    return None


DYING = """
import os, signal, sys, time
from komi.cluster import on_cluster
from komi.errors import KomiError

def doing(killed):
    def work(job, progress):
        if job == 1:
            os.kill(killed, signal.SIGKILL)
            time.sleep(3600)
        return job
    return work

try:
    for result in on_cluster(doing(int(sys.argv[1])), [0, 1], 1, sys.argv[2]):
        print(result)
except KomiError as error:
    print(error)
"""


@pytest.mark.parametrize("part", ["gcs_server", "raylet"])
def test_cluster_that_dies_is_reported_in_one_sentence(part: str) -> None:
    address = f"127.0.0.1:{free_port()}"
    start = ("start", "--head", "--port", address.partition(":")[2], "--num-cpus", "1", "--include-dashboard=false")
    ray_command = Path(sys.executable).with_name("ray")
    with subprocess.Popen([ray_command, *start, "--block"], stdout=subprocess.DEVNULL) as head:
        try:
            while child(head.pid, "raylet") is None:
                assert head.poll() is None
                time.sleep(0.1)
            arguments = (sys.executable, "-c", DYING, str(child(head.pid, part)), address)
            for _ in range(60):
                ended = subprocess.run(arguments, capture_output=True, text=True, check=True)
                if "no Ray cluster answers" not in ended.stdout:  # else it is not ready yet
                    break
                time.sleep(1.0)
        finally:
            head.terminate()
    result, sentence = ended.stdout.splitlines()
    assert result == "(0, 0)"
    assert sentence.startswith("the Ray cluster no longer answers at ")
    assert ended.stderr == ""
