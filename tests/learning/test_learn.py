"""Methods that plan end at exact values; those that learn come close; nothing is reported that is not so."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import komi
from komi.errors import InputError, SolveError
from komi.learning.learn import LearningSettings, learn
from komi.learning.methods import METHODS
from komi.learning.planning import PriorityQueue, raise_priority, take_first
from komi.learning.tables import tile
from komi.policies.named import find

from slowly import slowly

PLANNING = [name for name, method in METHODS.items() if method.plan]
SAMPLING = [name for name, method in METHODS.items() if not method.plan]


@pytest.mark.parametrize("method", PLANNING)
def test_a_method_that_plans_ends_within_its_tolerance(method: str) -> None:
    learned = learn("piglet", method, settings=LearningSettings(tolerance=1e-8))
    if method != "naive":
        assert learned.curve[-1].largest_error <= 1e-8
    assert learned.loss == pytest.approx(0.0, abs=1e-9)
    assert learned.worst_case == pytest.approx(0.5, abs=1e-9)
    assert learned.games == 0


def test_a_small_change_is_not_a_bound_on_the_error() -> None:
    learned = learn("piglet", "naive", settings=LearningSettings(tolerance=1e-3))
    assert learned.curve[-1].largest_error > 1e-3


@pytest.mark.slow
def test_a_game_for_one_is_planned_in_its_objective() -> None:
    solution = komi.solve("pig-solitaire", goal=20)
    learned = learn("pig-solitaire", "gauss-seidel", goal=20)
    assert np.abs(learned.values - solution.optimal_play.values).max() <= 1e-9
    assert learned.loss == pytest.approx(0.0, abs=1e-8)
    assert learned.worst_case is None


@pytest.mark.parametrize("method", [SAMPLING[0], *slowly(*SAMPLING[1:])])
def test_values_from_samples_come_close_to_the_exact_ones(method: str) -> None:
    settings = LearningSettings(games=300_000, exploring_starts=True, exploration=0.2)
    learned = learn("piglet", method, settings=settings)
    first, last = learned.curve[0], learned.curve[-1]
    assert last.value_error < 0.03 < first.value_error
    assert last.games == learned.games == 300_000
    assert (np.diff([point.updates for point in learned.curve]) > 0).all()


@pytest.mark.slow
@pytest.mark.parametrize("method", ["td", "monte-carlo", "sarsa", "q-learning"])
def test_values_from_samples_converge_where_play_goes(method: str) -> None:
    learned = learn("pig", method, goal=20)
    assert learned.curve[-1].visited_error < 0.01
    assert learned.loss == pytest.approx(0.0, abs=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("method", ["td", "monte-carlo", "sarsa", "q-learning"])
def test_little_is_lost_where_values_from_samples_have_not_converged(method: str) -> None:
    learned = learn("pig", method, goal=30)
    assert learned.loss is not None
    assert learned.loss < 0.03


@pytest.mark.slow
@pytest.mark.parametrize("method", ["td", "sarsa", "q-learning", "double-q-learning"])
def test_tilings_generalize_to_states_that_play_seldom_reaches(method: str) -> None:
    plain, tiled = (
        learn("pig", method, settings=LearningSettings(games=100_000, tilings=tilings), goal=30) for tilings in (1, 5)
    )
    assert tiled.curve[-1].value_error < 0.6 * plain.curve[-1].value_error
    assert tiled.size > plain.size


@pytest.mark.slow
def test_pig_is_learned_from_samples() -> None:
    learned = learn("pig", "td", settings=LearningSettings(tilings=7))
    assert learned.loss is not None
    assert learned.loss < 0.01


def test_a_tile_covers_neighbouring_values_of_one_class() -> None:
    fields = np.stack(np.meshgrid(range(7), range(5), indexing="ij"), axis=-1).reshape(-1, 2)
    classes = np.arange(len(fields)) % 2
    tiles = tile(fields, classes, 3)
    for i in range(3):
        corners = (fields + 2**i // 2) // 2**i
        for a in range(len(fields)):
            same = (corners == corners[a]).all(axis=1) & (classes == classes[a])
            assert np.array_equal(tiles[:, i] == tiles[a, i], same)
    assert sorted(set(tiles.ravel())) == list(range(tiles.max() + 1))


def test_the_same_seed_learns_the_same() -> None:
    settings = LearningSettings(games=2_000, seed=7)
    first, again = (learn("piglet", "q-learning", settings=settings) for _ in range(2))
    other = learn("piglet", "q-learning", settings=LearningSettings(games=2_000, seed=8))
    assert np.array_equal(first.values, again.values)
    assert not np.array_equal(first.values, other.values)


def test_a_policy_is_played_from_its_file(run: Any, tmp_path: Path) -> None:
    file = tmp_path / "learned.npz"
    learned = run("learn", "piglet", "--method", "q-learning", "--games", "5e3", "-o", file, "--json").solution
    match = run("match", "piglet", f"learned:{file}", "optimal", "--json").solution
    assert 0.5 - match["average"] == pytest.approx(learned["loss"], abs=1e-9)
    assert {*learned} == {
        "game", "rules", "method", "games", "updates", "seconds", "loss", "worst_case", "value_error", "bytes",
        "curve", "file",
    }  # fmt: skip
    assert "made for other rules" in run("match", "piglet", f"learned:{file}", "optimal", "--set", "goal=12").err
    assert "holds a policy for 'piglet'" in run("match", "pig", f"learned:{file}", "optimal").err
    again = run("learn", "piglet", "--method", "td", "--games", "1000", "-o", file)
    assert again.code == 0


def test_a_file_of_another_kind_is_neither_read_nor_replaced(run: Any, tmp_path: Path) -> None:
    file = tmp_path / "other.npz"
    file.write_text("mine")
    assert "is not a learned policy" in run("match", "piglet", f"learned:{file}", "optimal").err
    assert "was not written by komi" in run("learn", "piglet", "--method", "td", "-o", file).err
    assert file.read_text() == "mine"


def test_several_methods_are_drawn_side_by_side(run: Any, tmp_path: Path) -> None:
    picture = tmp_path / "curves.png"
    result = run(
        "learn", "piglet", "--method", "sarsa", "--method", "td", "--games", "2000", "--plot", picture, "--json"
    )
    assert [each["method"] for each in result.solution["methods"]] == ["sarsa", "td"]
    assert picture.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["--method", "magic"], "there is no method 'magic'"),
        (["--method", "td", "--step-size", "0"], "the step size must be more than 0 and at most 1"),
        (["--method", "td", "--step-size", "2"], "the step size must be more than 0 and at most 1"),
        (["--method", "td", "--step-decay", "2"], "the decay of the step size must be 0 to 1"),
        (["--method", "td", "--exploration", "2"], "must be a probability"),
        (["--method", "td", "--games", "0"], "the number of games must be 1"),
        (["--method", "td", "--seconds", "0"], "a positive number of seconds"),
        (["--method", "q-learning", "--lambda", "0.5"], "has no lambda"),
        (["--method", "sarsa", "--lambda", "2"], "lambda must be 0 to 1"),
        (["--method", "naive", "--exploring-starts"], "plays no games"),
        (["--method", "td", "--tilings", "0"], "the number of tilings must be 1 to 16"),
        (["--method", "naive", "--tilings", "2"], "tilings do not fit it"),
        (["--method", "naive", "--tolerance", "0"], "the tolerance must be"),
        (["--method", "td", "--method", "td"], "names a method twice"),
        (["--method", "td", "--method", "sarsa", "-o", "x.npz"], "takes the policy of one method"),
        (["--method", "td", "-o", "x.py"], "ends in .npz"),
        (["--method", "td", "--plot", "x.doc"], "must end in"),
    ],
)
def test_wrong_input_is_refused_in_one_sentence(run: Any, options: list[str], reason: str) -> None:
    refused = run("learn", "piglet", *options)
    assert refused.code == 2
    assert reason in refused.err
    assert refused.err.count("\n") == 1


@pytest.mark.parametrize("game", ["red7", "hooligan"])
def test_games_that_tables_do_not_fit_are_refused(game: str) -> None:
    with pytest.raises(SolveError, match="komi learns games"):
        learn(game, "td")


def test_an_unknown_policy_file_is_refused() -> None:
    with pytest.raises(InputError, match="cannot read"):
        find("learned:nowhere.npz", komi.solve("piglet"))


def test_a_queue_yields_the_largest_priority_first() -> None:
    queue = PriorityQueue.empty(50)
    priorities = np.random.default_rng(1).random(50)
    for state, priority in enumerate(priorities):
        raise_priority(queue, state, priority / 2)
        raise_priority(queue, state, priority)
        raise_priority(queue, state, priority / 3)  # lower: it changes nothing
    taken = [int(take_first(queue)) for _ in range(50)]
    assert taken == np.argsort(-priorities).tolist()
    assert queue.size[0] == 0
