"""The wheel contains the package alone, and works in an empty environment and an empty folder: `make test-install`."""

import sys
from email import message_from_string
from pathlib import Path
from zipfile import ZipFile

import pytest

from test_dependencies import PROJECT, SMOKE, done, run

pytestmark = pytest.mark.slow
PROGRAMS = "Scripts" if sys.platform == "win32" else "bin"  # the folder in an environment


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    done(run("uv", "build", "--wheel", "--out-dir", folder, PROJECT))
    (file,) = folder.glob("*.whl")
    return file


def test_wheel_contains_the_package_alone(wheel: Path) -> None:
    names = ZipFile(wheel).namelist()
    information = f"{'-'.join(wheel.name.split('-')[:2])}.dist-info"
    assert {name.split("/")[0] for name in names} == {"komi", information}
    ours = {path.relative_to(PROJECT / "src").as_posix() for path in (PROJECT / "src" / "komi").rglob("*")}
    assert all(name in ours for name in names if name.startswith("komi/"))
    assert {"komi/py.typed", "komi/web/page/index.html", "komi/web/languages/de.po"} <= set(names)
    assert not [name for name in names if "__pycache__" in name or "/test" in name]


def test_metadata_of_the_wheel_has_the_readme_and_the_version(wheel: Path) -> None:
    version = wheel.name.split("-")[1]
    metadata = message_from_string(ZipFile(wheel).read(f"komi-{version}.dist-info/METADATA").decode())
    assert metadata["Description-Content-Type"] == "text/markdown"
    assert metadata.get_payload() == (PROJECT / "README.md").read_text(encoding="utf-8")
    assert f"version: {version}\n" in (PROJECT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"## [{version}]" in (PROJECT / "CHANGELOG.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("python", ["3.11", "3.12", "3.13", "3.14"])
def test_wheel_works_in_an_empty_environment(python: str, wheel: Path, tmp_path: Path) -> None:
    if run("uv", "python", "find", "--no-python-downloads", python).returncode:
        pytest.skip(f"this needs Python {python}.")
    environment, folder = tmp_path / "environment", tmp_path / "empty"
    folder.mkdir()
    cache = {"KOMI_CACHE_DIR": str(tmp_path / "cache")}
    done(run("uv", "venv", "--no-python-downloads", "--python", python, environment))
    interpreter = environment / PROGRAMS / "python"
    done(run("uv", "pip", "install", "--python", interpreter, wheel))
    komi = environment / PROGRAMS / "komi"
    done(run(komi, "--help", folder=folder, **cache))
    solved = run(komi, "solve", "piglet", folder=folder, **cache)
    done(solved)
    assert "Proved" in solved.stdout
    refused = run(komi, "serve", folder=folder, **cache)
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "pip install 'komi[serve]'" in refused.stderr
    done(run("uv", "pip", "install", "--python", interpreter, f"{wheel}[serve]"))
    done(run(interpreter, SMOKE, "serve", folder=folder, **cache))
    assert not list(folder.iterdir())
