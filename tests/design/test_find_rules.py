"""Rules whose measures meet targets: what is best, what is on the front, and what was computed before."""

from pathlib import Path
from typing import Any

import pytest

import komi
from komi.design.targets import read_target, read_targets
from komi.measures.measure import measure_play

SPACE = {"goal": range(3, 13), "komi": range(4)}
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
    assert len(grid.rows) == 39  # one komi is not below the goal
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
    assert (grid.evaluated, again.evaluated, again.found) == (len(grid.rows), 0, len(grid.rows))
    assert [row.rules for row in again.rows] == [row.rules for row in grid.rows]


def test_sensitivities_are_differences_to_the_neighbors(grid: komi.RuleSearch) -> None:
    rows = {row.rules: row.measures for row in grid.rows}
    best = grid.rows[0]
    for each in grid.sensitivities:
        neighbor = rows[best.rules._replace(**{each.rule: each.value})]
        assert each.changes == {name: neighbor[name] - best.measures[name] for name in ("first", "lead_changes")}


def test_optimizer_finds_the_best_of_the_grid(grid: komi.RuleSearch, store: Path) -> None:
    for targets in (TARGETS, ("first=0.44~0.001", "lead_changes=max"), ("actions=14", "suspense=min")):
        best = komi.find_rules("piglet", SPACE, targets, store=store).rows[0]
        found = komi.find_rules("piglet", SPACE, targets, budget=25, store=store)
        assert (found.is_complete, found.evaluated) == (False, 0)
        assert len(found.rows) < len(grid.rows)
        assert found.rows[0].rules == best.rules


def test_interrupted_search_continues_where_it_was(tmp_path: Path) -> None:
    def interrupt(stage: str, done: int, total: int, note: str = "") -> None:
        if done == 5:
            raise KeyboardInterrupt

    store = tmp_path / "store.sqlite"
    with pytest.raises(KeyboardInterrupt):
        komi.find_rules("piglet", SPACE, TARGETS, store=store, workers=1, progress=interrupt)
    again = komi.find_rules("piglet", SPACE, TARGETS, store=store, workers=1)
    assert (again.found, again.found + again.evaluated) == (5, len(again.rows))


@pytest.mark.slow
def test_optimizer_finds_the_best_of_a_grid_of_red_light(tmp_path: Path) -> None:
    space = {"red": range(2, 5), "green": range(8, 13), "goal": range(10, 17), "komi": range(3)}
    targets = ("first=0.5~0.002", "actions=30~3", "lead_changes=max")
    store = tmp_path / "store.sqlite"
    grid = komi.find_rules("red-light", space, targets, budget=1000, store=store)
    assert (grid.is_complete, len(grid.rows)) == (True, 315)
    for seed in (1, 2, 3):
        found = komi.find_rules("red-light", space, targets, budget=100, seed=seed, store=store)
        assert (found.is_complete, found.evaluated) == (False, 0)
        assert found.rows[0].rules == grid.rows[0].rules


@pytest.mark.parametrize(
    "text",
    ["first", "first=", "nothing=1", "first=half", "first=0.5~-1", "first=nan", "lead_change=max", "kingmaking=min"],
)
def test_wrong_targets_are_refused(text: str) -> None:
    with pytest.raises(komi.InputError):
        read_target(text)


def test_contradictory_targets_are_refused() -> None:
    for targets in (("first=0.5", "first=0.4"), ("drama=max", "drama=min")):
        with pytest.raises(komi.InputError, match="are of the same measure"):
            read_targets(targets)
    assert len(read_targets(("actions=14~2", "actions=min"))) == 2  # the shortest that are long enough


def test_measure_that_a_game_does_not_have_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def measure_without_luck(*arguments: Any) -> Any:
        return {name: number for name, number in measure_play(*arguments).items() if name != "luck"}

    monkeypatch.setattr("komi.design.measured_rules.measure_play", measure_without_luck)
    for _ in range(2):  # the second time the measures come from the store
        with pytest.raises(komi.SolveError, match="piglet has no measure 'luck' under these rules"):
            komi.find_rules("piglet", {"goal": [3]}, ["luck=1"], store=tmp_path / "store.sqlite")


def test_game_that_has_no_measures_is_refused(tmp_path: Path) -> None:
    with pytest.raises(komi.SolveError, match="skunk"):
        komi.find_rules("skunk", {"goal": [10]}, ["first=0.5"], store=tmp_path / "store.sqlite")


def test_targets_are_read_as_they_are_written() -> None:
    for text in ("first=0.5~0.001", "actions=90", "suspense=max", "drama=min"):
        assert str(read_target(text)) == text
