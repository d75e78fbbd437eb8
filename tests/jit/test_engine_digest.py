"""What is kept goes by what the engine's code says, found from its imports."""

import ast
import shutil
from pathlib import Path

import pytest

import komi
from komi.jit import engine_digest

PACKAGE = Path(str(komi.__file__)).parent


@pytest.fixture
def package(tmp_path: Path) -> Path:
    return Path(shutil.copytree(PACKAGE, tmp_path / "komi", ignore=shutil.ignore_patterns("page", "__pycache__")))


SOURCES = {engine_digest._name(path, PACKAGE): path.read_bytes() for path in PACKAGE.rglob("*.py")}


def modules() -> set[str]:
    return set(engine_digest.engine(SOURCES))


def test_whatever_has_something_compiled_is_of_the_engine() -> None:
    """Seen in another way: a module that subscripts kernels, however they are called."""
    found = modules()
    for name, source in SOURCES.items():
        taken = [each.value for each in ast.walk(ast.parse(source)) if isinstance(each, ast.Subscript)]
        called = [each.func if isinstance(each, ast.Call) else each for each in taken]
        words = {getattr(each, "attr", getattr(each, "id", "")) for each in called}
        assert name in found or not words & {
            "kernels",
            "_kernels",
            "engine_kernels",
            "fast_math_kernels",
            "engine_kernels_with",
        }, name


def test_what_is_compiled_with_a_kernel_counts(package: Path) -> None:
    before = engine_digest.digest(package)
    path = package / "teaching" / "edits.py"
    path.write_text(path.read_text().replace("FAR = 3", "FAR = 4"))
    assert engine_digest.digest(package) != before


def test_all_that_is_compiled_or_keeps_answers_is_of_the_engine() -> None:
    packages = {name.split(".")[1] for name in modules()}
    assert {"jit", "rules", "graph", "bellman", "solvers", "policies", "evaluation", "simulation", "design"} <= packages
    assert not packages & {"cli", "web", "plot", "report", "play"}


def test_comments_and_docstrings_change_nothing(package: Path) -> None:
    before = engine_digest.digest(package)
    for path in package.rglob("*.py"):
        path.write_text(path.read_text().replace('"""', '"""Well. ', 1) + "\n# a remark\n")
    assert engine_digest.digest(package) == before


def test_code_of_the_engine_counts_and_other_code_does_not(package: Path) -> None:
    before = engine_digest.digest(package)
    (package / "cli" / "app.py").write_text("x = 1\n")
    assert engine_digest.digest(package) == before
    path = package / "graph" / "reachability_kernel.py"
    path.write_text(path.read_text() + "\nONE = 1\n")
    assert engine_digest.digest(package) != before


def test_new_package_is_not_forgotten(package: Path) -> None:
    before = engine_digest.digest(package)
    (package / "novel").mkdir()
    (package / "novel" / "method.py").write_text(
        "from komi.novel import other\nfrom komi.rules.interface import legal\n"
    )
    with_method = engine_digest.digest(package)
    (package / "novel" / "other.py").write_text("y = 2\n")
    assert len({before, with_method, engine_digest.digest(package)}) == 3
