"""Cached code and solutions depend on the engine's code, found from its imports."""

import shutil
from pathlib import Path
from types import FunctionType
from typing import Any, NamedTuple

import pytest

import komi
from komi.jit import cache_keys, engine_digest
from komi.jit.kernels import engine_kernels
from komi.jit.specialization import Specializer
from komi.rules import interface
from komi.teaching import annealing, edits

PACKAGE = Path(str(komi.__file__)).parent
SOURCES = {engine_digest._name(path, PACKAGE): path.read_bytes() for path in PACKAGE.rglob("*.py")}


@pytest.fixture
def package(tmp_path: Path) -> Path:
    return Path(shutil.copytree(PACKAGE, tmp_path / "komi", ignore=shutil.ignore_patterns("page", "__pycache__")))


def digest(package: Path, module: str = "") -> str:
    return engine_digest.digest(package, module)[0]


def modules() -> set[str]:
    return set(engine_digest.engine(SOURCES))


def test_what_is_compiled_with_a_kernel_changes_its_cache_key(package: Path) -> None:
    kernel = annealing.__name__
    before = digest(package, kernel)
    path = package / "teaching" / "edits.py"
    path.write_text(path.read_text().replace("MAX_CONSTANT_STEP = 3", "MAX_CONSTANT_STEP = 4"))
    assert digest(package, kernel) != before


def test_a_function_outside_the_engine_has_a_cache_key_of_its_own_module() -> None:
    assert edits.__name__ not in modules()
    specializer = Specializer({}, lambda module: False, "key")
    inside, outside = (
        specializer._key_of(FunctionType((lambda: None).__code__, {"__name__": module.__name__}))
        for module in (interface, edits)
    )
    assert inside == "key"
    assert outside == cache_keys.fingerprint("key", cache_keys.source_digest(edits.__name__).digest)


class Uncovered(NamedTuple):
    """A tuple of a module on which no cache key depends."""

    number: int


def test_a_kernel_takes_no_tuple_on_whose_fields_its_cache_key_does_not_depend(monkeypatch: pytest.MonkeyPatch) -> None:
    assert engine_kernels()[number_of](Uncovered(3)) == 3
    monkeypatch.setattr(Uncovered, "__module__", edits.__name__)
    with pytest.raises(TypeError, match="import Uncovered in"):
        engine_kernels()[number_of_another](Uncovered(3))


def number_of(pair: Any) -> Any:
    return pair.number


def number_of_another(pair: Any) -> Any:
    return pair.number


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
