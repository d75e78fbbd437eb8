"""All tests share one folder of compiled code: a game is compiled once. They do not share solutions.

The folder is made anew for each run, or is that of the environment variable KOMI_TEST_CACHE.
"""

import gc
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

# Compilation creates millions of objects that live on, among which collections at the usual thresholds find nothing.
gc.set_threshold(50_000, 20, 100)


@pytest.fixture(scope="session")
def compiled_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where this run keeps compiled code, in whichever process its tests are."""
    base = tmp_path_factory.getbasetemp()
    kept = os.environ.get("KOMI_TEST_CACHE") or (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base)
    path = Path(kept).resolve() / "compiled"
    path.mkdir(parents=True, exist_ok=True)
    return path


@pytest.fixture(autouse=True, scope="session")
def cache_folder(tmp_path_factory: pytest.TempPathFactory, compiled_folder: Path) -> Iterator[Path]:
    """Where the tests in this process keep compiled code and solutions."""
    before = os.environ.get("KOMI_CACHE_DIR")
    path = tmp_path_factory.mktemp("cache")
    (path / "compiled").symlink_to(compiled_folder)
    os.environ["KOMI_CACHE_DIR"] = str(path)
    yield path
    if before is None:
        del os.environ["KOMI_CACHE_DIR"]
    else:
        os.environ["KOMI_CACHE_DIR"] = before
