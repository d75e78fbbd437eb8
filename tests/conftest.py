"""Runs a command as the shell would, in this process."""

import ast
import functools
import json
import os
import random
import secrets
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import hypothesis
import pytest

import komi.cli
from komi.syntax import PARSER_LOCK

hypothesis.settings.register_profile("patient", deadline=None)  # machines differ, and are busy
hypothesis.settings.load_profile("patient")

os.environ.setdefault("KOMI_SYMBOLIC_EXECUTION", "strict")  # errors in komi.transient fail a test

os.environ.setdefault(
    "NUMBA_ENABLE_CUDASIM", "1"
)  # kernels for a GPU run as Python; tests marked `gpu` have none of it

BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")  # the quickest first
CHROMIUM = next(filter(None, map(shutil.which, BROWSERS)), None)
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

NUMBERS = random.Random()
"""The random numbers of all that draws them by `secrets`: servers and the terminal, and who plays against them."""

secrets.randbits = NUMBERS.getrandbits  # type: ignore[assignment]
secrets.token_bytes = lambda size=None: NUMBERS.randbytes(size or 32)  # type: ignore[assignment]
secrets.token_hex = lambda size=None: NUMBERS.randbytes(size or 32).hex()  # type: ignore[assignment]
secrets.SystemRandom = lambda: random.Random(NUMBERS.random())  # type: ignore[assignment]


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Draw the same numbers in each run of a test; KOMI_TEST_SEED sets others."""
    NUMBERS.seed(f"{os.environ.get('KOMI_TEST_SEED', '0')} {item.nodeid}")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the files that take longest, so that no worker is left alone with one at the end."""
    seconds = json.loads(Path(__file__).with_name("durations.json").read_text())
    items.sort(key=lambda item: -seconds.get(item.nodeid.partition("::")[0], 0))


@pytest.fixture
def compiled_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compile the rules of small games, too, in place of listing them."""
    monkeypatch.setattr("komi.graph.listed_rules.MAX_OUTCOMES", 0)


_parse = ast.parse


@functools.wraps(_parse)
def _parse_alone(*arguments: Any, **options: Any) -> Any:
    """Parse under a lock, as `komi.syntax` does: pytest rewrites modules while servers under test parse rule files."""
    with PARSER_LOCK:
        return _parse(*arguments, **options)


ast.parse = _parse_alone  # type: ignore[assignment]


@dataclass(frozen=True)
class Run:
    code: int
    out: str
    err: str

    @property
    def solution(self) -> Any:
        return json.loads(self.out)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Any:
    def run(*arguments: object) -> Run:
        monkeypatch.setattr("sys.argv", ["komi", *map(str, arguments)])
        with pytest.raises(SystemExit) as exited:
            komi.cli.main()
        out, err = capsys.readouterr()
        return Run(int(exited.value.code or 0), out, err)

    return run


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Start the one browser of this process: Playwright cannot run twice in it."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="these tests need Playwright: pip install playwright.")
    if CHROMIUM is None:
        pytest.skip("these tests need Chromium: apt install chromium-headless-shell.")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        browser.close()
