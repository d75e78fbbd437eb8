"""The lessons run, and their pages show what they compute."""

from pathlib import Path

import pytest
import render_lessons

SLOW = {
    "exercises", "hog", "monte_carlo_td", "pass_the_pigs", "pig", "progressive_pig", "red_light", "skunk",
    "small_change", "traffic_lights",
}  # fmt: skip
LESSONS = [pytest.param(name, marks=pytest.mark.slow if name in SLOW else ()) for name in render_lessons.names()]
NAVIGATION = (Path(__file__).parents[2] / "mkdocs.yml").read_text()


@pytest.mark.parametrize("name", LESSONS)
def test_page_is_what_the_lesson_computes(name: str, tmp_path: Path) -> None:
    cells = render_lessons.run(name, tmp_path)
    assert render_lessons.page(name, cells) == (render_lessons.LESSONS / f"{name}.md").read_text(), (
        f"run: python scripts/render_lessons.py {name}"
    )
    assert render_lessons.uncomputed_numbers(cells) == []
    drawn = {path.name for path in (tmp_path / render_lessons.PICTURES).iterdir()}
    stored = {path.name for path in (render_lessons.LESSONS / render_lessons.PICTURES).iterdir()}
    assert drawn <= stored


@pytest.mark.parametrize("name", ["index", *render_lessons.names()])
def test_lesson_is_in_the_navigation(name: str) -> None:
    assert f": learn/{name}.md\n" in NAVIGATION


@pytest.mark.parametrize("name", render_lessons.names())
def test_lesson_uses_only_the_public_package(name: str) -> None:
    text = (render_lessons.LESSONS / f"{name}.py").read_text()
    assert "import komi\n" in text
    assert "from komi" not in text
    assert "import komi." not in text


def test_a_number_that_is_not_computed_is_found() -> None:
    prose = render_lessons.Cell(False, "The first player wins 53.06 %, or 1/2, of 1,000 games; [see](a/b-1.2.md).")
    code = render_lessons.Cell(True, "games = 1_000", "wins 53.05 %")
    assert render_lessons.uncomputed_numbers([prose, code]) == ["53.06", "1/2"]
