"""What an action is worth is what its parts are worth, each as often as it comes."""

import pytest

import komi
from komi.play.reasons import reasons
from komi.rules import catalog


def worth_of(solution: komi.Solution, state: object) -> dict[str, float]:
    return {advice.label: float(advice.value) for advice in solution.action_values(state)}


def test_a_hold_leaves_the_rest_to_the_other_and_a_roll_ends_the_turn_once_in_six() -> None:
    solution = komi.solve("pig", goal=30)
    state = solution.read("score=10,rival=15,turn=8")
    worth = worth_of(solution, state)
    found = reasons(solution, state, worth)
    [held] = found["hold"]
    assert (held.ends, held.probability, held.worth) == ("turn", 1.0, pytest.approx(worth["hold"], abs=1e-12))
    lost, rolled = sorted(found["roll"], key=lambda part: part.probability)
    assert (lost.ends, rolled.ends) == ("turn", "nothing")
    assert lost.probability == pytest.approx(1 / 6)
    assert lost.worth == pytest.approx(1.0 - solution.expected_value("score=15,rival=10,turn=0"), abs=1e-12)
    assert lost.probability * lost.worth + rolled.probability * rolled.worth == pytest.approx(worth["roll"], abs=1e-12)


def test_the_last_hold_ends_the_game() -> None:
    solution = komi.solve("piglet", goal=3)
    state = solution.read("score=2,rival=0,turn=1")
    [held] = reasons(solution, state, worth_of(solution, state))["hold"]
    assert (held.ends, held.worth) == ("game", 1.0)


def test_nothing_is_reported_that_is_not_so() -> None:
    solution = komi.solve("piglet", goal=3)
    state = solution.read("score=1,rival=0,turn=1")
    worth = worth_of(solution, state)
    assert reasons(solution, state, worth | {"flip": worth["flip"] + 1e-6}).keys() == {"hold"}


@pytest.mark.parametrize(
    ("name", "settings"),
    [("traffic-lights", {"rows": 1, "columns": 3}), ("pig-solitaire", {"goal": 10}), ("skunk", {"goal": 10})],
)
def test_nothing_is_reported_where_two_do_not_take_turns_in_a_game_of_chance(
    name: str, settings: dict[str, int]
) -> None:
    game = catalog.find(name)
    solution = komi.solve(game, **settings)
    state = game.part("start")(solution.rules)
    assert reasons(solution, state, worth_of(solution, state)) == {}
