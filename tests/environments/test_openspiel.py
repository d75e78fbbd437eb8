"""Games for OpenSpiel: its own checks for every game, and the values that komi proves."""

import pickle
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pyspiel
import pytest
from open_spiel.python.algorithms import cfr, expected_game_score, exploitability
from open_spiel.python.policy import UniformRandomPolicy

import komi
import komi.openspiel
from komi.errors import InputError

from playable import GAMES

EXAMPLES = Path(__file__).parents[2] / "examples"
SMALL_TREES = [  # (game, the moves after which it ends, its rules)
    (str(EXAMPLES / "kuhn_poker.py"), None, {}),
    pytest.param("piglet", 7, {"goal": 2}, marks=pytest.mark.slow),
    pytest.param("red-light", 7, {"goal": 3, "red": 1, "green": 2}, marks=pytest.mark.slow),
    pytest.param("hog", 6, {"goal": 4, "max_dice": 2, "sides": 3}, marks=pytest.mark.slow),
    pytest.param(str(EXAMPLES / "goofspiel.py"), None, {"cards": 2}, marks=pytest.mark.slow),
    pytest.param(str(EXAMPLES / "liars_dice.py"), None, {"sides": 2}, marks=pytest.mark.slow),
    pytest.param(str(EXAMPLES / "connect_four.py"), None, {"line": 3, "columns": 2, "rows": 3}, marks=pytest.mark.slow),
]
SEEN_STATES = [  # games in which nothing is hidden
    ("piglet", {"goal": 3}),
    pytest.param("pig", {"goal": 5}, marks=pytest.mark.slow),
    pytest.param("hog", {"goal": 6, "max_dice": 3, "sides": 3}, marks=pytest.mark.slow),
    pytest.param("red-light", {"goal": 3}, marks=pytest.mark.slow),
    pytest.param(str(EXAMPLES / "connect_four.py"), {"line": 3, "columns": 3, "rows": 3}, marks=pytest.mark.slow),
]
ENDLESS = str(EXAMPLES / "recycling_robot.py")
SHORT = {"farkle": {"goal": 300}, "ten-thousand": {"goal": 300}}  # at random, games to 10,000 points take minutes


def value_of(game: Any) -> float:
    """Compute the first player's value by value iteration over the states of OpenSpiel, identified by their text."""
    rows: dict[str, Any] = {}
    stack = [game.new_initial_state()]
    while stack:
        state = stack.pop()
        if str(state) in rows:
            continue
        if state.is_terminal():
            rows[str(state)] = state.returns()[0]
            continue
        is_chance = state.is_chance_node()
        arcs = state.chance_outcomes() if is_chance else [(action, 1.0) for action in state.legal_actions()]
        children = [state.child(action) for action, _ in arcs]
        after = [(chance, str(child)) for (_, chance), child in zip(arcs, children, strict=True)]
        rows[str(state)] = (None if is_chance else max if state.current_player() == 0 else min, after)
        stack += children
    values = {name: 0.0 if isinstance(row, tuple) else row for name, row in rows.items()}
    change = 1.0
    while change > 1e-13:
        change = 0.0
        for name, row in rows.items():
            if isinstance(row, tuple):
                better, after = row
                value = (
                    better(values[each] for _, each in after)
                    if better
                    else sum(chance * values[each] for chance, each in after)
                )
                change, values[name] = max(change, abs(value - values[name])), value
    return values[str(game.new_initial_state())]


@pytest.mark.parametrize("name", GAMES)
def test_every_game_passes_the_checks_of_openspiel(name: str) -> None:
    horizon = 100 if name == ENDLESS else None
    game = komi.openspiel.load(name, horizon=horizon, **SHORT.get(name, {}))
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


def test_game_that_never_ends_needs_a_horizon() -> None:
    with pytest.raises(InputError, match="recycling-robot never ends, and games of OpenSpiel end: give a 'horizon'"):
        komi.openspiel.load(ENDLESS)


@pytest.mark.parametrize(
    ("name", "rules"), [("piglet", {"goal": 3}), ("pig", {"goal": 5}), ("red-light", {"goal": 3}), ("hog", {"goal": 6})]
)
def test_values_are_those_that_komi_proves(name: str, rules: dict[str, int]) -> None:
    assert value_of(komi.openspiel.load(name, **rules)) == pytest.approx(komi.solve(name, **rules).value(), abs=1e-11)


@pytest.mark.parametrize(("name", "horizon", "rules"), SMALL_TREES)
def test_algorithms_of_openspiel_find_equilibria_of_small_games(name: str, horizon: int | None, rules: Any) -> None:
    for zero_sum in (False, True):
        game = komi.openspiel.load(name, horizon=horizon, zero_sum=zero_sum, **rules)
        pyspiel.random_sim_test(game, num_sims=2, serialize=True, verbose=False)
        solver = cfr.CFRSolver(game)
        for _ in range(50):
            solver.evaluate_and_update_policy()
        policy = solver.average_policy()
        uniform = exploitability.exploitability(game, UniformRandomPolicy(game))
        found = exploitability.exploitability(game, policy)
        assert -1e-9 <= found <= 0.1 * uniform
        for use_cpp_br in (False, True):
            conv = exploitability.nash_conv(game, policy, use_cpp_br=use_cpp_br)
            assert conv / 2 == pytest.approx(found, abs=1e-9)
        if horizon is None:
            value = expected_game_score.policy_value(game.new_initial_state(), [policy, policy])[0]
            share = (value + 1) / 2 if zero_sum else value
            solution: Any = komi.solve(name, **rules)
            exact = solution.kind.payoffs.share(solution.expected_value())
            assert share == pytest.approx(exact, abs=2 * found / (1 + zero_sum) + 1e-9)


@pytest.mark.parametrize(("name", "rules"), SEEN_STATES)
def test_value_iteration_of_openspiel_has_the_value_that_komi_proves(
    name: str, rules: dict[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    solver = "open_spiel.python.algorithms.lp_solver"  # for games of simultaneous moves; it needs another package
    monkeypatch.setitem(sys.modules, solver, ModuleType(solver))
    value_iteration = import_module("open_spiel.python.algorithms.value_iteration")
    game = komi.openspiel.load(name, zero_sum=True, **rules)
    values = value_iteration.value_iteration(game, -1, 1e-12, cyclic_game=True)
    exact = 2 * komi.solve(name, **rules).expected_value() - 1
    assert values[str(game.new_initial_state())] == pytest.approx(exact, abs=1e-9)


def test_only_games_with_a_constant_sum_are_zero_sum_games() -> None:
    with pytest.raises(InputError, match="zero_sum is for two players whose payoffs have a constant sum"):
        komi.openspiel.load("pig-solitaire", zero_sum=True)


def test_a_horizon_ends_the_game_as_shared() -> None:
    game = komi.openspiel.load("pig", horizon=3)
    state = game.new_initial_state()
    while not state.is_terminal():
        state.apply_action(state.chance_outcomes()[-1][0] if state.is_chance_node() else 0)
    assert (state.returns(), game.max_game_length()) == ([0.5, 0.5], 3)
    assert "3 moves left" in str(game.new_initial_state())


def test_states_are_copied_and_stored() -> None:
    game = komi.openspiel.load("red7")
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])
    state.apply_action(state.legal_actions()[0])
    for copy in (state.clone(), pickle.loads(pickle.dumps(state)), game.deserialize_state(state.serialize())):
        assert str(copy) == str(state)
        assert copy.information_state_string(0) == state.information_state_string(0)


def test_what_is_hidden_stays_hidden() -> None:
    game = komi.openspiel.load("red7")
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[-1][0])
    for seat in range(3):
        turned = game.game.turned(game.rules, state._state, seat)
        assert state.observed(seat) == game.game.part("view")(game.rules, turned) != turned


def test_errors_are_sentences() -> None:
    with pytest.raises(InputError, match="the horizon must be 1 or more, not 0"):
        komi.openspiel.load("pig", horizon=0)
    with pytest.raises(InputError, match="pig has no rule 'gaol'"):
        komi.openspiel.load("pig", gaol=3)


def test_a_horizon_gives_one_player_nothing() -> None:
    state = komi.openspiel.load("pig-solitaire", horizon=1).new_initial_state()
    state.apply_action(0)
    assert (state.is_terminal(), state.returns()) == (True, [0.0])


@pytest.mark.parametrize(
    "name", ["kuhn_poker", "kuhn_poker_three", pytest.param("leduc_poker", marks=pytest.mark.slow)]
)
def test_tensors_tell_information_states_apart(name: str) -> None:
    game = komi.openspiel.load(str(EXAMPLES / f"{name}.py"))
    tensors: dict[tuple[int, str], set[tuple[float, ...]]] = {}
    states = [game.new_initial_state()]
    for state in states:  # grows meanwhile
        if not (state.is_terminal() or state.is_chance_node()):
            player = state.current_player()
            tensor = state.information_state_tensor(player)
            assert len(tensor) == game.information_state_tensor_size()
            tensors.setdefault((player, state.information_state_string(player)), set()).add(tuple(tensor))
        states += [state.child(action) for action in state.legal_actions()]
    assert all(len(each) == 1 for each in tensors.values())
    assert len(set.union(*tensors.values())) == len(tensors)


def test_games_without_a_bound_on_memory_have_no_tensor_of_it() -> None:
    tiger = str(EXAMPLES / "endless_tiger.py")  # which can go on for ever
    assert not komi.openspiel.load(tiger).get_type().provides_information_state_tensor
    assert komi.openspiel.load(tiger, horizon=5).get_type().provides_information_state_tensor
    assert not komi.openspiel.load("pig").get_type().provides_information_state_tensor  # nothing is hidden
