"""With three or four seats no player gains by leaving the equilibrium: checked in exact fractions."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import komi
from games import reference
from komi.bellman import Component, Objective, Workspace
from komi.graph.transitions import Transitions
from komi.rules import catalog
from komi.solvers.multiplayer.deviation_bound import prove
from komi.solvers.multiplayer.seat_equations import VectorValues

POTATO = Path(__file__).parents[1] / "games" / "hot_potato.py"


@pytest.mark.parametrize(
    ("name", "rules"),
    [
        ("piglet", {"goal": 2, "players": 3}),
        ("piglet", {"goal": 3, "players": 3}),
        ("piglet", {"goal": 2, "players": 4}),
        ("pig", {"goal": 5, "players": 3}),
        pytest.param("hog", {"goal": 6, "max_dice": 2, "players": 3}, marks=pytest.mark.slow),
    ],
)
def test_values_are_those_of_the_policy_and_no_seat_gains_more_than_epsilon(name: str, rules: dict[str, Any]) -> None:
    game = catalog.find(name)
    chosen = game.rules(rules)
    solution = komi.solve(game, **rules)
    arrays = solution.optimal_play

    def policy(state: Any) -> dict[int, Fraction]:
        return {int(arrays.choices[arrays.states.index_of(state)]): Fraction(1)}

    exactly = reference.evaluate(game, chosen, policy)[game.part("start")(chosen)]
    for ours, value in zip(solution.seat_values(), exactly, strict=True):
        assert abs(ours - value) <= solution.error_bound
    for epsilon, regret in zip(solution.epsilon, reference.regrets(game, chosen, policy), strict=True):
        assert regret <= epsilon <= 1e-6


@pytest.mark.slow
def test_seats_mix_where_no_one_action_is_an_equilibrium() -> None:
    game = catalog.find(str(POTATO))
    chosen = game.rules({})
    solution = komi.solve(game)
    shares = solution.mixed()
    assert 0.0 < shares["keep"] < 1.0
    assert solution.value() == pytest.approx(0.35, abs=1e-12)  # as much as keeping it gives
    assert solution.actions()["pass"] == pytest.approx(solution.actions()["keep"], abs=1e-12)

    def policy(state: Any) -> dict[int, Fraction]:
        return {action: Fraction(shares[label]) for action, label in enumerate(game.module.actions)}

    exactly = reference.evaluate(game, chosen, policy)[game.part("start")(chosen)]
    for ours, value in zip(solution.seat_values(), exactly, strict=True):
        assert abs(ours - value) <= solution.error_bound
    for epsilon, regret in zip(solution.epsilon, reference.regrets(game, chosen, policy), strict=True):
        assert regret <= epsilon <= 1e-6


@pytest.mark.slow
def test_a_mixed_state_is_reported_and_kept(run: Any) -> None:
    printed = run("solve", POTATO).out
    assert "The policy mixes actions in 1 state." in printed
    again = run("value", POTATO, "--state", "ended=0", "--json").solution
    assert sum(again["mixed"].values()) == pytest.approx(1.0)
    assert 0.0 < again["mixed"]["keep"] < 1.0


def test_seats_can_win_within_a_circle_of_states() -> None:
    """In Hog a roll can win at once, from states that lead back to themselves."""
    game = catalog.find("hog")
    rules = {"goal": 4, "max_dice": 2, "sides": 3, "players": 3}
    chosen = game.rules(rules)
    solution = komi.solve(game, **rules)
    arrays = solution.optimal_play

    def policy(state: Any) -> dict[int, Fraction]:
        return {int(arrays.choices[arrays.states.index_of(state)]): Fraction(1)}

    exactly = reference.evaluate(game, chosen, policy)[game.part("start")(chosen)]
    for ours, value in zip(solution.seat_values(), exactly, strict=True):
        assert abs(ours - value) <= solution.error_bound
    for epsilon, regret in zip(solution.epsilon, reference.regrets(game, chosen, policy), strict=True):
        assert regret <= epsilon <= 1e-6


def test_the_seats_share_one_win() -> None:
    solution = komi.solve("pig", goal=10, players=3)
    assert sum(solution.seat_values()) == pytest.approx(1.0, abs=1e-9)
    assert sum(solution.seat_values("score=4,rival=7,turn=3")) == pytest.approx(1.0, abs=1e-9)


def test_solving_says_what_each_seat_gets(run: Any) -> None:
    solution = run("solve", "piglet", "--set", "goal=3", "--set", "players=3", "--json").solution
    assert len(solution["values"]) == len(solution["epsilon"]) == 3
    assert solution["unique"] in (False, None)
    assert max(solution["epsilon"]) <= 1e-6
    printed = run("solve", "piglet", "--set", "goal=3", "--set", "players=3").out
    assert "no seat can gain more than" in printed


@pytest.mark.parametrize("unset", [np.nan, np.inf])
@pytest.mark.parametrize("seat", [0, 1, 2])
def test_values_that_were_never_set_prove_nothing(seat: int, unset: float) -> None:
    """One state, whose only action ends the game: the mover wins."""
    batch = Transitions(
        state=np.zeros(1, np.int32),
        postorder=np.zeros(1, np.int32),
        actions_end=np.ones(1, np.int64),
        gain=np.array([[1.0, 0.0, 0.0]]),
        action=np.zeros(1, np.int16),
        outcomes_end=np.zeros(1, np.int64),
        target=np.zeros(0, np.int32),
        probability=np.zeros(0),
        passes=np.zeros(0, np.int8),
        ending=np.ones(1),
    )
    workspace, objective = Workspace.empty(3, 1, 1, 0, shares=1), Objective(False, 1.0, 0.0, 1.0, 2.0**-49)
    workspace.order[0], workspace.share[0] = 0, 1.0
    arguments = Component(batch, 0, 1), objective, workspace, np.zeros(0, np.int32), VectorValues.empty(1, 3)
    workspace.value[:] = 1.0, 0.0, 0.0
    assert prove(*arguments, np.zeros(1, np.bool_))
    workspace.value[:] = 1.0, 0.0, 0.0
    workspace.value[seat] = unset
    assert not prove(*arguments, np.zeros(1, np.bool_))


def test_seats_that_never_choose_are_told_of_chances(run: Any, tmp_path: Path) -> None:
    path = tmp_path / "hot.py"
    path.write_text(POTATO.read_text().replace("    yield KEEP\n", ""))
    bursts = [0.1 * 0.9**turn / (1 - 0.9**3) for turn in range(3)]  # who holds it as it bursts
    wins = ", ".join(f"seat {seat} {100 * (1 - burst) / 2:.4f} %" for seat, burst in enumerate(bursts, 1))
    said = run("solve", path).out
    assert f"Without choices the seats win: {wins}." in said
    assert "Proved: no probability is off by more than" in said
    assert "policy" not in said
