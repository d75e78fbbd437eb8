"""Rules whose measures meet targets: what is best, what is on the front, and what was computed before."""

from pathlib import Path

import pytest

import komi
from komi.design.targets import read_target

SPACE = {"goal": range(3, 7), "komi": range(3)}
TARGETS = ("first=0.5~0.01", "lead_changes=max")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("rules") / "store.sqlite"


@pytest.fixture(scope="module")
def grid(store: Path) -> komi.RuleSearch:
    return komi.find_rules("piglet", SPACE, TARGETS, store=store)


def test_measures_of_a_rule_set_are_those_of_measure(grid: komi.RuleSearch) -> None:
    best = grid.rows[0]
    measures = komi.measure("piglet", **best.rules._asdict())
    assert {name: best.measures[name] for name in measures.numbers} == pytest.approx(
        {name: number.value for name, number in measures.numbers.items()}, abs=1e-9
    )


def test_best_rules_miss_least_and_then_have_most(grid: komi.RuleSearch) -> None:
    assert grid.is_complete
    assert len(grid.rows) == 12
    distances = [row.distance for row in grid.rows]
    assert distances == sorted(distances)
    met = [row.measures["lead_changes"] for row in grid.rows if row.distance == 0.0]
    assert met == sorted(met, reverse=True)
    for row in grid.rows:
        assert row.distance == pytest.approx(max(0.0, abs(row.measures["first"] - 0.5) - 0.01) / 0.01)


def test_no_row_dominates_the_front_and_some_row_of_it_each_other(grid: komi.RuleSearch) -> None:
    def dominates(one: object, other: object) -> bool:
        a, b = ((row.distance, -row.measures["lead_changes"]) for row in (one, other))  # type: ignore[attr-defined]
        return a != b and a[0] <= b[0] and a[1] <= b[1]

    for row in grid.rows:
        assert any(dominates(other, row) for other in grid.rows) == (row not in grid.front)


def test_nothing_is_computed_twice(grid: komi.RuleSearch, store: Path) -> None:
    again = komi.find_rules("piglet", SPACE, TARGETS, store=store)
    assert (grid.evaluated, again.evaluated, again.found) == (12, 0, 12)
    assert [row.rules for row in again.rows] == [row.rules for row in grid.rows]


def test_sensitivities_are_differences_to_the_neighbors(grid: komi.RuleSearch) -> None:
    rows = {row.rules: row.measures for row in grid.rows}
    best = grid.rows[0]
    for each in grid.sensitivities:
        neighbor = rows[best.rules._replace(**{each.rule: each.value})]
        assert each.changes == {name: neighbor[name] - best.measures[name] for name in ("first", "lead_changes")}


def test_optimizer_finds_the_best_of_the_grid(grid: komi.RuleSearch, store: Path) -> None:
    found = komi.find_rules("piglet", SPACE, TARGETS, budget=11, store=store)
    assert not found.is_complete
    assert found.rows[0].rules == grid.rows[0].rules


@pytest.mark.parametrize(
    "text", ["first", "first=", "nothing=1", "first=half", "first=0.5~-1", "first=nan", "lead_change=max"]
)
def test_wrong_targets_are_refused(text: str) -> None:
    with pytest.raises(komi.InputError):
        read_target(text)


def test_targets_are_read_as_they_are_written() -> None:
    for text in ("first=0.5~0.001", "actions=90", "suspense=max", "drama=min"):
        assert str(read_target(text)) == text
