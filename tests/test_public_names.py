"""What `import komi` offers."""

import sys
from subprocess import run

import pytest

import komi


@pytest.mark.parametrize("name", komi.__all__)
def test_every_public_name_can_be_requested(name: str) -> None:
    assert getattr(komi, name).__doc__
    assert name in dir(komi)


def test_invalid_input_is_a_value_error_as_in_python() -> None:
    with pytest.raises(ValueError, match="there is no game 'pgi'") as error:
        komi.solve("pgi")
    assert isinstance(error.value, komi.InputError)


def test_other_names_are_refused_as_python_does() -> None:
    with pytest.raises(AttributeError, match="slove"):
        komi.slove  # type: ignore[attr-defined]  # noqa: B018


def test_importing_komi_does_not_load_the_compiler() -> None:
    code = "import sys, komi; sys.exit('numba' in sys.modules)"
    assert run([sys.executable, "-c", code], check=False).returncode == 0


def test_listing_games_does_not_load_the_compiler() -> None:
    code = "import sys; import komi.cli.games; sys.exit('numba' in sys.modules)"
    assert run([sys.executable, "-c", code], check=False).returncode == 0
