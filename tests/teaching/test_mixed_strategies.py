"""Mixed strategies that are taught: the known best ones are found, and their exploitability is that of the file."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from komi.approximating.approximate import approximate
from komi.errors import GameError, InputError, SolveError
from komi.evaluation.mixed import best_response_mixed, best_response_values
from komi.plotting.cheat_sheet_plot import draw_cheat_sheet
from komi.policies.named import find, find_or_solve
from komi.policies.weighted import WeightedPolicy
from komi.presentation.strength_report import strength_text
from komi.rules.kind import kind_of
from komi.simulation.simulation import simulate
from komi.solvers.solution import Solution
from komi.solvers.solve import solve
from komi.teaching.simultaneous.mixed_decisions import MixedGames
from komi.teaching.simultaneous.mixes import list_mixes, mix_probabilities
from komi.teaching.teach import TeachingResult, teach

PENNIES = Path(__file__).parents[1] / "games" / "uneven_pennies.py"
UNIFORMS = (np.arange(600) + 0.5) / 600
THIRD = "in one case out of three"


@pytest.fixture(scope="module")
def pennies() -> Solution[Any]:
    return solve(str(PENNIES))


@pytest.fixture(scope="module")
def lesson(tmp_path_factory: pytest.TempPathFactory) -> TeachingResult:
    return teach(str(PENNIES), tmp_path_factory.mktemp("pennies") / "card.py", numbers=2, seconds=2)


def policy_of(text: str, folder: Path, solution: Solution[Any]) -> Any:
    file = folder / "weights.py"
    file.write_text(f"def mine(rules, state, action):\n    return {text}\n\n\nmixed = (mine,)\n")
    return find(str(file), solution)


@pytest.mark.slow
def test_one_probability_is_enough_where_the_stake_is_known(tmp_path: Path) -> None:
    result = teach(str(PENNIES), tmp_path / "card.py", numbers=1, seconds=1, stakes=1)
    assert [(point.numbers, point.loss, point.strategy) for point in result.front] == [
        (0, pytest.approx(0.25, abs=1e-9), "Always tails."),
        (1, pytest.approx(0.0, abs=1e-9), f"Always heads {THIRD} (else tails)."),
    ]


@pytest.mark.slow
def test_the_proportions_of_both_stakes_are_found(lesson: TeachingResult) -> None:
    assert lesson.numbers == 2
    assert lesson.loss == pytest.approx(0.0, abs=1e-9)
    shares = {point.strategy.lower().count(THIRD) for point in lesson.front}
    assert shares == {0, 1, 2}


@pytest.mark.slow
def test_the_exploitability_is_that_of_the_written_file(pennies: Solution[Any], tmp_path: Path) -> None:
    result = teach(str(PENNIES), tmp_path / "card.py", numbers=1, seconds=1)
    response = best_response_mixed(pennies, find(f"{result.file}:cheat_sheet", pennies))
    assert result.loss == pytest.approx(response.average - 0.5, abs=1e-12)
    assert result.loss == pytest.approx(result.front[-1].loss, abs=1e-8)
    assert result.loss == pytest.approx(0.125, abs=1e-9)
    assert result.worst_case == pytest.approx(0.5 - result.loss, abs=1e-12)


@pytest.mark.slow
def test_against_optimal_play_a_mixture_of_good_actions_loses_nothing(lesson: TeachingResult) -> None:
    assert lesson.strength.values == pytest.approx((1 / 3, 2 / 3), abs=1e-9)
    first, second = strength_text(lesson.strength, kind_of(lesson.game, lesson.rules))
    assert first.startswith("Against its best response, it wins 50.000 %")
    assert second == "Against optimal play it wins 33.333 % moving first and 66.667 % moving second."


@pytest.mark.slow
def test_the_cheat_sheet_is_drawn(lesson: TeachingResult, tmp_path: Path) -> None:
    assert {example.best for example in lesson.examples} == {"heads 33 %, tails 67 %", "heads 67 %, tails 33 %"}
    draw_cheat_sheet(lesson, tmp_path / "card.png")
    assert (tmp_path / "card.png").stat().st_size > 10_000


def test_weights_are_played_alike_compiled_interpreted_and_in_a_table(pennies: Solution[Any], tmp_path: Path) -> None:
    policy = policy_of("1 + 2 * action", tmp_path, pennies)
    assert isinstance(policy, WeightedPolicy)
    game, rules = pennies.game, pennies.rules
    assert np.mean([policy.choose(game, rules, game.read(rules, "drawn=1"), each) for each in UNIFORMS]) == 0.75
    probabilities = policy.probabilities_in(pennies.compiled, rules, pennies.all_states)
    assert {tuple(row) for row in probabilities.tolist()} == {(1.0, 0.0), (0.25, 0.75)}
    seen = simulate(game, 20_000, policies=[policy, "random"], seed=3, stakes=1)
    assert seen.wins[0].mean == pytest.approx((0.25 + 0.75 * 0.5) / 2, abs=4 * seen.wins[0].stderr)
    assert isinstance(find_or_solve(str(tmp_path / "weights.py"), game, {}), WeightedPolicy)


@pytest.mark.parametrize(
    "weights", ["action - 0.5", "0 * action", "1.0 / (1 - action) if action < 1 else float('nan')"]
)
def test_weights_that_are_not_probabilities_are_refused(pennies: Solution[Any], tmp_path: Path, weights: str) -> None:
    policy = policy_of(weights, tmp_path, pennies)
    with pytest.raises(GameError, match="none may be negative, and their sum must be a positive number"):
        best_response_mixed(pennies, policy)
    with pytest.raises(GameError, match="none may be negative"):
        policy.choose(pennies.game, pennies.rules, pennies.game.read(pennies.rules, "drawn=1"), 0.5)


def test_a_function_of_an_action_says_that_it_is_mixed(pennies: Solution[Any], tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("def mine(rules, state, action):\n    return 1.0\n")
    with pytest.raises(InputError, match="that the file lists as 'mixed' returns the weight"):
        find(f"{tmp_path / 'mine.py'}:mine", pennies)


def test_a_mixture_of_a_person_is_one_action_or_two() -> None:
    mixes = list_mixes(3)
    assert [mix.numbers for mix in mixes] == [0] * 3 + [1] * 15
    assert mixes[6].weights(3) == [Fraction(2, 3), Fraction(1, 3), 0]
    assert mixes[6].text(["a", "b", "c"]) == f"b {THIRD} (else a)"
    legal_actions = np.array([[0, 1, 2], [1, 2, -1], [2, -1, -1]], np.int16)
    [probabilities] = mix_probabilities([mixes[6]], 3, legal_actions)
    assert probabilities == pytest.approx(np.array([[2 / 3, 1 / 3, 0], [1, 0, 0], [1, 0, 0]]))


@pytest.mark.slow
def test_optimal_play_guarantees_the_value_of_every_decision() -> None:
    games = MixedGames(solve("skunk", goal=12, sides=4))
    optimal, values = games.solution.data.mixes, games.optimal_values
    assert games.hidden_fields == {"chosen"}
    decisions = games.decisions(optimal, games.best_response(optimal, values), values, seed=1)
    guaranteed = decisions.guaranteed(optimal[decisions.indices][None])[0]
    assert len(decisions.indices) > 5
    assert guaranteed == pytest.approx(values[decisions.indices, 0], abs=1e-8)


@pytest.mark.slow
def test_the_values_of_a_best_response_are_consistent(pennies: Solution[Any], tmp_path: Path) -> None:
    games, policy = MixedGames(pennies), policy_of("1.0 - action", tmp_path, pennies)
    response, values = best_response_values(pennies, policy)
    learner = policy.probabilities_in(pennies.compiled, pennies.rules, games.states)
    own_values = 1.0 - values[:, ::-1]
    decisions = games.decisions(learner, games.best_response(learner, own_values), own_values, seed=1)
    played = decisions.guaranteed(learner[decisions.indices][None])[0]
    assert decisions.visits.sum() == pytest.approx(1.0, abs=1e-4)
    assert 1.0 - decisions.visits @ played == pytest.approx(response.average, abs=0.01)


def test_networks_are_refused_where_play_mixes_actions(tmp_path: Path) -> None:
    with pytest.raises(SolveError, match="'komi teach' searches strategies for such games"):
        approximate(str(PENNIES), tmp_path / "network.py")
