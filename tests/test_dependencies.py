"""Every dependency is declared with bounds on both sides, and komi works with the oldest and the newest packages."""

import os
import re
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from uv import find_uv_bin

PROJECT = Path(__file__).parents[1]
SMOKE = Path(__file__).with_name("smoke.py")
BOUNDED = re.compile(r"[\w.\[\]-]+>=[\w.]+,<[\w.]+(; .+)?")


def requirements() -> Iterator[str]:
    """Return all requirements in `pyproject.toml`: to build, to run, in extras and in groups."""
    settings = tomllib.loads((PROJECT / "pyproject.toml").read_text())
    yield from settings["build-system"]["requires"]
    yield from settings["project"]["dependencies"]
    for group in (*settings["project"]["optional-dependencies"].values(), *settings["dependency-groups"].values()):
        yield from (each for each in group if isinstance(each, str))  # others include a group


@pytest.mark.parametrize("requirement", sorted(set(requirements())))
def test_every_requirement_has_a_lower_and_an_upper_bound(requirement: str) -> None:
    assert BOUNDED.fullmatch(requirement)


def test_requirements_that_are_named_twice_have_the_same_bounds() -> None:
    bounds = {re.split("[<>]", each)[0]: each for each in requirements()}
    assert all(bounds[re.split("[<>]", each)[0]] == each for each in requirements())


@pytest.mark.slow
@pytest.mark.parametrize("resolution", ["lowest-direct", "highest"])
@pytest.mark.parametrize("python", ["3.11", "3.12", "3.13", "3.14"])
def test_every_package_works_in_its_oldest_and_its_newest_release(python: str, resolution: str, tmp_path: Path) -> None:
    if run("uv", "python", "find", "--no-python-downloads", python).returncode:
        pytest.skip(f"this needs Python {python}.")
    extras = tomllib.loads((PROJECT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    environment = tmp_path / "environment"
    done(run("uv", "venv", "--no-python-downloads", "--python", python, environment))
    interpreter = environment / "bin" / "python"
    package = f"{PROJECT}[{','.join(extras)}]"
    done(run("uv", "pip", "install", "--python", interpreter, "--resolution", resolution, package))
    done(run(interpreter, SMOKE, KOMI_CACHE_DIR=str(tmp_path / "cache")))


def run(
    program: str | Path, *arguments: object, folder: Path | None = None, **variables: str
) -> "subprocess.CompletedProcess[str]":
    """Run a program in a folder; `uv` is that of this environment."""
    command = [find_uv_bin() if program == "uv" else str(program), *map(str, arguments)]
    environ = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder, env=environ | variables)


def done(ended: "subprocess.CompletedProcess[str]") -> None:
    """Check that a program has ended without an error."""
    assert ended.returncode == 0, f"{ended.args}\n{ended.stdout}\n{ended.stderr}"
