"""Cached solutions depend on the engine's code, found from its imports."""

import shutil
from pathlib import Path

import pytest

import komi
from komi.jit import engine_digest

PACKAGE = Path(str(komi.__file__)).parent
SOURCES = {engine_digest._name(path, PACKAGE): path.read_bytes() for path in PACKAGE.rglob("*.py")}


@pytest.fixture
def package(tmp_path: Path) -> Path:
    return Path(shutil.copytree(PACKAGE, tmp_path / "komi", ignore=shutil.ignore_patterns("page", "__pycache__")))


def digest(package: Path) -> str:
    return engine_digest.digest(package)[0]


def modules() -> set[str]:
    return set(engine_digest.engine(SOURCES))


def test_all_that_calls_games_or_stores_solutions_is_of_the_engine() -> None:
    packages = {name.split(".")[1] for name in modules()}
    assert {"jit", "rules", "graph", "bellman", "solvers", "policies", "evaluation", "simulation", "design"} <= packages
    assert not packages & {"cli", "web", "plotting", "reporting", "play"}


def test_comments_and_docstrings_change_nothing(package: Path) -> None:
    before = digest(package)
    for path in package.rglob("*.py"):
        path.write_text(path.read_text().replace('"""', '"""Well. ', 1) + "\n# a remark\n")
    assert digest(package) == before


def test_code_of_the_engine_counts_and_other_code_does_not(package: Path) -> None:
    before = digest(package)
    (package / "cli" / "app.py").write_text("x = 1\n")
    assert digest(package) == before
    path = package / "graph" / "reachability_kernel.py"
    path.write_text(path.read_text() + "\nONE = 1\n")
    assert digest(package) != before


@pytest.mark.slow
def test_new_package_is_part_of_the_digest(package: Path) -> None:
    before = digest(package)
    (package / "novel").mkdir()
    (package / "novel" / "method.py").write_text(
        "from komi.novel import other\nfrom komi.rules.interface import legal\n"
    )
    with_method = digest(package)
    (package / "novel" / "other.py").write_text("y = 2\n")
    assert len({before, with_method, digest(package)}) == 3
