"""Simulations of many rule sets are those of each alone, to the last bit, on the cores and on a card."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import komi
from komi.errors import GameError, InputError, StorageError
from komi.simulation.device_job import DeviceJob
from komi.simulation.result import Simulation

from slowly import slowly

pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered")

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture
def launches(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The numbers of rule sets of the launches of several."""
    found: list[int] = []
    play = DeviceJob.play_together

    def counted(self: DeviceJob, jobs: Any, size: int) -> Any:
        found.append(len(jobs))
        return play(self, jobs, size)

    monkeypatch.setattr(DeviceJob, "play_together", counted)
    return found


def statistics(simulation: Simulation) -> Any:
    return simulation.rules, simulation.games, simulation.records()


@pytest.mark.parametrize(
    ("game", "vary", "settings", "together"),
    [
        ("piglet", {"goal": range(1, 5)}, {"games": 50}, [4]),
        ("piglet", {"goal": (3, 1), "players": (2, 3)}, {"games": 20}, [2, 2]),
        ("pig", {"goal": (10, 15), "sides": (4, 6)}, {"games": 20, "policies": "hold-at:5"}, [4]),
        ("piglet", {"goal": (2, 3)}, {"games": 20, "policies": ["optimal", "random"]}, []),
        ("piglet", {"komi": (0, 1)}, {"deals": 4, "per_deal": 3, "goal": 2}, [2]),
        ("piglet", {"goal": (1, 2)}, {"until_stderr": 0.05}, []),
        ("pig-solitaire", {"goal": (10, 15)}, {"games": 20}, [2]),
        (EXAMPLES / "centipede.py", {"passes": (1, 2)}, {"until_stderr": 1.5}, []),  # coins
        *slowly(
            ("red7", {"hand": (3, 4), "draw": ("after", "none")}, {"games": 10}, [4]),
            (EXAMPLES / "forest.py", {"fire": (0.1, 0.5)}, {"games": 5}, [2]),
        ),
    ],
)
@pytest.mark.parametrize("device", ["cpu", "gpu"])
def test_each_is_that_of_its_rule_set_alone(
    game: Any, vary: Any, settings: dict[str, Any], together: list[int], device: Any, launches: list[int]
) -> None:
    found = komi.simulate_rule_sets(game, vary, seed=3, device=device, **settings)
    assert not found.unplayed
    for simulation in found.simulations:
        rules = simulation.rules._asdict()
        alone = {name: value for name, value in settings.items() if name not in rules}
        assert statistics(simulation) == statistics(komi.simulate(game, seed=3, **alone, **rules))
    assert len({simulation.rules for simulation in found.simulations}) == len(found.simulations) > 1
    assert launches == (together if device == "gpu" else [])


def test_rows_name_what_is_estimated() -> None:
    two_and_three = komi.simulate_rule_sets("piglet", {"players": (2, 3)}, 30, goal=1)
    assert [record["seat_3"] is None for record in two_and_three.records()] == [True, False]
    assert two_and_three.records()[0]["first"] == two_and_three.simulations[0].wins[0].mean
    alone = komi.simulate_rule_sets("pig-solitaire", {"goal": (5, 10)}, 30)
    assert "value_stderr" in alone.records()[0]
    assert "first" not in alone.records()[0]
    of_turns = komi.simulate_rule_sets("pig-solitaire", {"turns": (2, 3)}, 30, goal=100).records()
    assert [(record["turns"], record["mean_turns"]) for record in of_turns] == [(2, 2.0), (3, 3.0)]
    one_and_two = komi.simulate_rule_sets(EXAMPLES / "snakes_and_ladders.py", {"players": (1, 2)}, 5)
    known = [{name for name in ("value", "first", "seat_2") if record[name]} for record in one_and_two.records()]
    assert known[0] == {"value"}
    assert "value" not in known[1]


@pytest.mark.parametrize("device", ["cpu", "gpu"])
def test_simulations_resume_from_a_folder(tmp_path: Path, device: Any, launches: list[int]) -> None:
    kept = tmp_path / "kept"
    komi.simulate_rule_sets("piglet", {"goal": (2, 3)}, 40, keep=kept)
    assert sorted(file.name for file in kept.iterdir()) == ["goal=2.npz", "goal=3.npz"]
    more = komi.simulate_rule_sets("piglet", {"goal": (1, 2, 3, 4)}, 60, keep=kept, device=device)
    assert launches == ([2] if device == "gpu" else [])
    whole = komi.simulate_rule_sets("piglet", {"goal": (1, 2, 3, 4)}, 60)
    assert list(map(statistics, more.simulations)) == list(map(statistics, whole.simulations))


@pytest.mark.parametrize("device", ["cpu", "gpu"])
def test_rule_sets_that_cannot_be_played_are_named(tmp_path: Path, device: Any) -> None:
    file = tmp_path / "wrong.py"
    file.write_text("def wrong(rules, state):\n    return 1 - (rules.goal == 2 and state.mine > 0)\n")
    policies = [f"{file}:wrong", "random"]
    found = komi.simulate_rule_sets("piglet", {"goal": (1, 2, 3)}, 40, policies=policies, device=device)
    expected = [komi.simulate("piglet", 40, policies=policies, goal=goal) for goal in (1, 3)]
    assert list(map(statistics, found.simulations)) == list(map(statistics, expected))
    [(rules, error)] = found.unplayed
    with pytest.raises(GameError) as raised:
        komi.simulate("piglet", 40, policies=policies, goal=2)
    assert (rules.goal, str(error)) == (2, str(raised.value))
    with pytest.raises(GameError):
        komi.simulate_rule_sets("piglet", {"goal": (2,)}, 40, policies=policies, device=device)


def test_rule_sets_too_large_for_a_card_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def limited(self: DeviceJob, job: Any) -> DeviceJob:
        if job.rules.goal == 3:
            raise InputError("the GPU has too little free memory.")
        return under(self, job)

    under = DeviceJob.under
    monkeypatch.setattr(DeviceJob, "under", limited)
    found = komi.simulate_rule_sets("piglet", {"goal": (2, 3)}, 5, policies=["optimal", "random"], device="gpu")
    assert [simulation.rules.goal for simulation in found.simulations] == [2]
    assert [rules.goal for rules, _ in found.unplayed] == [3]


def test_ctrl_c_leaves_what_is_complete() -> None:
    def stop(stage: str, done: int, total: int, note: str = "") -> None:
        if done == 2:
            raise KeyboardInterrupt

    found = komi.simulate_rule_sets("piglet", {"goal": (1, 2, 3)}, 20, progress=stop)
    assert found.stopped
    assert [simulation.rules.goal for simulation in found.simulations] == [1, 2]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda _: komi.simulate_rule_sets("piglet", {}, 10), "no rules to vary"),
        (lambda _: komi.simulate_rule_sets("piglet", {"gaol": (1,)}, 10), "has no rule 'gaol'"),
        (lambda _: komi.simulate_rule_sets("piglet", {"goal": (1,)}, 10, goal=2), "both set and varied"),
        (lambda _: komi.simulate_rule_sets("piglet", {"goal": (1,)}), "give one of a number of games"),
        (lambda _: komi.simulate_rule_sets("piglet", {"goal": (1, 2)}, until_stderr=1), "must be between 0 and 1"),
        (lambda _: komi.simulate_rule_sets("piglet", {"goal": (1,)}, 10, seed=-1), "the seed must be"),
        (lambda _: komi.simulate_rule_sets("piglet", {"goal": (1,)}, 10, policies="mcts:5", device="gpu"), "GPU"),
        (lambda path: komi.simulate_rule_sets("piglet", {"goal": (1,)}, 10, keep=path), "is a file"),
        (lambda path: komi.simulate_rule_sets("piglet", {"goal": (1,)}, 10, keep=path / "in"), "cannot make"),
    ],
)
def test_what_cannot_be_is_refused(tmp_path: Path, wrong: Callable[[Path], object], message: str) -> None:
    file = tmp_path / "file"
    file.touch()
    with pytest.raises((InputError, StorageError), match=message):
        wrong(file)
