"""All tests share one folder of compiled code, made anew for each run: a game is compiled once."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture(autouse=True, scope="session")
def cache_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Where this run keeps compiled code and solutions."""
    before = os.environ.get("KOMI_CACHE_DIR")
    path = tmp_path_factory.mktemp("cache")
    os.environ["KOMI_CACHE_DIR"] = str(path)
    yield path
    if before is None:
        del os.environ["KOMI_CACHE_DIR"]
    else:
        os.environ["KOMI_CACHE_DIR"] = before
