"""Loss by size, from one number to optimal play."""

from pathlib import Path
from typing import Any

import pytest

SETTINGS = ["fowl-play", "--set", "goal=12", "--set", "wolves=3", "--set", "chickens=9"]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("curve") / "curve.html"


@pytest.mark.slow
def test_larger_policies_end_in_perfect_play(run: Any, made: Path) -> None:
    solution = run("approximate", *SETTINGS, "--curve", made, "--seconds", 1, "--json").solution
    sizes = solution["curve"]
    assert {each["kind"] for each in sizes} == {"strategy", "network", "table"}
    assert sizes[0]["bytes"] <= 3
    assert sizes[-1]["loss"] == 0.0
    assert all(0.0 <= each["worst_case"] <= 0.5 - each["loss"] + 1e-9 for each in sizes)
    page = made.read_text()
    assert "loss in probability of winning" in page
    assert "optimal play as a table" in page


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--curve", "curve.png"], "the file of a picture must end in"),
        (["--curve", "curve.html", "--weights", 9], "--curve cannot be combined with"),
        (["--curve", "curve.html", "--seconds", 0], "training takes a positive number of seconds, not 0."),
    ],
)
def test_curves_that_cannot_be_drawn_are_refused(run: Any, options: list[Any], message: str) -> None:
    assert message in run("approximate", *SETTINGS, *options).err
