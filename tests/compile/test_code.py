"""What is kept goes by what the engine's code says, found from its imports."""

import ast
import shutil
from pathlib import Path

import pytest

import komi
from komi.compile import code

PACKAGE = Path(str(komi.__file__)).parent


@pytest.fixture
def package(tmp_path: Path) -> Path:
    return Path(shutil.copytree(PACKAGE, tmp_path / "komi", ignore=shutil.ignore_patterns("page", "__pycache__")))


def modules() -> set[str]:
    return code.engine({code._name(path, PACKAGE): ast.parse(path.read_bytes()) for path in PACKAGE.rglob("*.py")})


def test_all_that_is_compiled_or_keeps_answers_is_of_the_engine() -> None:
    packages = {name.split(".")[1] for name in modules()}
    assert {"compile", "model", "methods", "policies", "evaluation", "simulation", "design"} <= packages
    assert not packages & {"cli", "web", "plot", "report", "play"}


def test_comments_and_docstrings_change_nothing(package: Path) -> None:
    before = code.digest(package)
    for path in package.rglob("*.py"):
        path.write_text(path.read_text().replace('"""', '"""Well. ', 1) + "\n# a remark\n")
    assert code.digest(package) == before


def test_code_of_the_engine_counts_and_other_code_does_not(package: Path) -> None:
    before = code.digest(package)
    (package / "cli" / "app.py").write_text("x = 1\n")
    assert code.digest(package) == before
    path = package / "model" / "survey_kernel.py"
    path.write_text(path.read_text() + "\nONE = 1\n")
    assert code.digest(package) != before


def test_new_package_is_not_forgotten(package: Path) -> None:
    before = code.digest(package)
    (package / "novel").mkdir()
    (package / "novel" / "method.py").write_text(
        "from komi.novel import other\nfrom komi.compile.rulebook import legal\n"
    )
    with_method = code.digest(package)
    (package / "novel" / "other.py").write_text("y = 2\n")
    assert len({before, with_method, code.digest(package)}) == 3
