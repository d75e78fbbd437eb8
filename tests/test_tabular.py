"""Results as tables: data frames, HTML for notebooks, and one line of text."""

import copy
import pickle
from typing import Any

import pytest

import komi
from komi.tabular import MAX_HTML_ROWS, Tabular, create_frame

RESULTS = {
    "Match": lambda: komi.match("piglet", "optimal", goal=4),
    "Sweep": lambda: komi.sweep("piglet", {"goal": range(3, 5)}),
    "Simulation": lambda: komi.simulate("piglet", 1000, goal=4),
    "PolicyTable": lambda: komi.table("piglet", goal=4),
}


@pytest.fixture(scope="module", params=RESULTS)
def result(request: pytest.FixtureRequest) -> Any:
    return RESULTS[request.param]()


def test_result_is_one_line_of_text(result: Any) -> None:
    assert repr(result).startswith(f"<{type(result).__name__}")
    assert "\n" not in repr(result)
    assert len(repr(result)) < 120


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_frame_has_the_records(result: Any, library: str) -> None:
    pytest.importorskip(library)
    records, frame = result.records(), result.to_frame(library)
    assert list(frame.columns) == list(records[0])
    for name in records[0]:
        known = [record[name] for record in records if record[name] is not None]
        assert [value for value in frame[name] if value is not None and value == value] == known  # NaN is not known


def test_results_can_be_pickled_and_copied(result: Any) -> None:
    for other in (pickle.loads(pickle.dumps(result)), copy.deepcopy(result)):
        assert other.records() == result.records()


class Numbers(Tabular):
    def records(self) -> list[dict[str, Any]]:
        return [{"number": number, "text": "<b>"} for number in range(MAX_HTML_ROWS + 5)]


class Nothing(Tabular):
    def records(self) -> list[dict[str, Any]]:
        return []


def test_notebook_shows_the_first_rows_and_escapes_text() -> None:
    html = Numbers()._repr_html_()
    assert html.count("<tr>") == 1 + MAX_HTML_ROWS
    assert "<td>&lt;b&gt;</td>" in html
    assert "and 5 more" in html


def test_empty_result_is_an_empty_frame() -> None:
    pytest.importorskip("pandas")
    assert Nothing().to_frame().shape == (0, 0)
    assert "<tr></tr>" in Nothing()._repr_html_()


def test_unknown_or_missing_library_is_named() -> None:
    with pytest.raises(komi.InputError, match="those of pandas or polars, not of 'dask'"):
        create_frame({}, "dask")


def test_missing_library_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("komi.tabular.find_spec", lambda name: None)
    with pytest.raises(komi.InputError, match=r"pip install 'komi\[polars\]'"):
        create_frame({}, "polars")
