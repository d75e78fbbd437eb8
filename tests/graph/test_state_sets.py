"""A set of states is the same set, with the same indices, however it is stored."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import komi
from komi.compiling.packing import Layout
from komi.evaluation.compare import compare_policies
from komi.evaluation.two_player import match_two_player
from komi.graph.growing_set import GrowingSet
from komi.graph.state_sets import StateSet
from komi.policies import named
from komi.rules import catalog
from komi.solvers.stochastic.stochastic_solver import StochasticSolution
from komi.solvers.tablebase.tablebase import Tablebase
from solvers.duels import results

import exact

GAMES = Path(__file__).parents[1] / "games"
EXAMPLES = Path(__file__).parents[2] / "examples"
NARROW = Layout.spanning([0, -3, 0], [100, 3, 30])
LONG = Layout.spanning([0, -(1 << 40), 0], [1 << 45, 1 << 39, 1 << 30])


def set_of(fields: "set[tuple[int, ...]]", layout: Layout, dense: bool) -> StateSet:
    growing = GrowingSet(Layout.of([0] * 3, [1] * 3))
    growing.move(layout, dense, [])
    growing.add(sorted(fields, key=hash))
    keys = growing.keys
    return (
        StateSet.from_bits(layout, keys) if dense else StateSet.from_keys(layout, keys[: int(growing.size[0])].copy())
    )


STATES = st.sets(st.tuples(st.integers(0, 100), st.integers(-3, 3), st.integers(0, 30)), min_size=1, max_size=200)


@settings(max_examples=30)
@given(STATES, STATES)
def test_members_have_the_same_indices_in_every_form(
    fields: "set[tuple[int, ...]]", others: "set[tuple[int, ...]]"
) -> None:
    in_order = sorted(fields)
    forms = [set_of(fields, NARROW, True), set_of(fields, NARROW, False), set_of(fields, LONG, False)]
    assert LONG.halves == 2
    for states in forms:
        assert states.size == len(fields)
        assert [states.fields(index) for index in range(states.size)] == in_order
        assert [states.index_of(state) for state in in_order] == list(range(len(fields)))
        assert all(states.index_of(other) == -1 for other in others - fields)
        assert [int(states.indices_at(np.array([states.handle(state)]))[0]) for state in in_order] == [
            *range(len(fields))
        ]
        expected = [in_order.index(other) if other in fields else -1 for other in sorted(others)]
        for form in forms:
            converted = set_of(others, form.layout, form.is_dense)
            assert states.indices_of(converted).tolist() == expected
            assert np.array_equal(states.converted(form.layout, form.is_dense).keys, form.keys)


@settings(max_examples=30)
@given(st.lists(st.integers(1, 63), min_size=1, max_size=3).filter(lambda bits: sum(bits) <= 126), st.data())
def test_every_state_of_a_long_layout_is_found_in_the_order_of_its_fields(bits: list[int], data: st.DataObject) -> None:
    layout = Layout.of([0] * len(bits), bits)
    fields = data.draw(st.sets(st.tuples(*(st.integers(0, (1 << b) - 1) for b in bits)), min_size=1, max_size=50))
    growing = GrowingSet(layout) if sum(bits) < 20 else GrowingSet(Layout.of([0] * len(bits), [0] * len(bits)))
    growing.move(layout, False, [])
    assert sorted(growing.fields(int(place)) for place in growing.add([*fields, *fields])) == sorted(fields)
    states = growing.finished().converted(layout, False)
    assert [states.fields(index) for index in range(states.size)] == sorted(fields)
    assert states.indices_of(states).tolist() == list(range(len(fields)))


@pytest.fixture
def always_sparse(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Store all sets of states sparsely."""
    monkeypatch.setattr("komi.graph.growing_set.GrowingSet.suits_dense", lambda *_: False)
    monkeypatch.setattr("komi.graph.state_sets.suits_dense", lambda *_: False)
    return


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "rules"),
    [
        ("pig", {"goal": 20}),
        pytest.param("fowl-play", {"goal": 6, "wolves": 2, "chickens": 6}, marks=pytest.mark.slow),
        pytest.param(str(GAMES / "random_race.py"), {"plan": 4}, marks=pytest.mark.slow),
    ],
)
def test_a_race_has_the_same_values_where_its_states_are_sparse(
    name: str, rules: dict[str, int], monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    dense = komi.solve(name, fresh=True, **rules)
    request.getfixturevalue("always_sparse")
    sparse = komi.solve(name, fresh=True, **rules)
    assert isinstance(dense, StochasticSolution)
    assert isinstance(sparse, StochasticSolution)
    assert (dense.optimal_play.states.is_dense, sparse.optimal_play.states.is_dense) == (True, False)
    assert np.array_equal(dense.optimal_play.values, sparse.optimal_play.values)
    assert np.array_equal(dense.optimal_play.choices, sparse.optimal_play.choices)
    kept = komi.solve(name, **rules)
    assert kept.is_loaded
    assert isinstance(kept, StochasticSolution)
    assert np.array_equal(kept.optimal_play.values, dense.optimal_play.values)
    assert kept.value() == dense.value()


@pytest.mark.slow
@pytest.mark.usefixtures("always_sparse")
def test_policies_are_measured_and_simulated_where_states_are_sparse() -> None:
    sparse = komi.solve("pig", goal=20, fresh=True)
    assert isinstance(sparse, StochasticSolution)
    optimal, holding = (named.find(name, sparse) for name in ("optimal", "hold-at:10"))
    assert match_two_player(sparse, optimal, optimal).first.wins == pytest.approx(sparse.value(), abs=1e-9)
    agreed = compare_policies(sparse, holding, named.find("max-score", sparse))
    assert 0.5 < agreed.real_states < 1.0
    played = komi.simulate("pig", 20_000, goal=20, policies=["optimal", "max-score"], seed=1)
    exactly = match_two_player(sparse, optimal, named.find("max-score", sparse)).first.wins
    assert played.wins[0].mean == pytest.approx(exactly, abs=5 * played.wins[0].stderr)
    assert komi.check("pig", goal=12).ok


@pytest.mark.usefixtures("always_sparse")
@pytest.mark.parametrize("seed", range(6))
def test_random_games_without_chance_are_what_the_definition_says_where_states_are_sparse(seed: int) -> None:
    game = catalog.find(str(GAMES / "random_duel.py"))
    agrees(komi.solve(game, fresh=True, plan=seed, places=150 + 40 * seed))


@pytest.mark.slow
@pytest.mark.usefixtures("always_sparse")
def test_images_are_found_where_states_are_sparse() -> None:
    lights = komi.solve("traffic-lights", fresh=True, rows=3, columns=2)
    assert isinstance(lights, Tablebase)
    lights.check()
    agrees(lights)


@pytest.mark.slow
def test_states_of_120_bits_are_solved_and_found_again() -> None:
    game = catalog.find(str(GAMES / "scattered.py"))
    agrees(komi.solve(game, fresh=True, chance=False))
    race = komi.solve(game, fresh=True, places=60)
    for state, value in exact.values(game, race.rules).items():
        assert race.value(tuple(state)) == pytest.approx(float(value), abs=race.error_bound + 1e-15)
    assert komi.solve(game, places=60).is_loaded


@pytest.mark.slow
def test_pieces_as_bits_are_what_exact_fractions_say() -> None:
    game = catalog.find(str(GAMES / "race_on_masks.py"))
    race = komi.solve(game, fresh=True, pieces=1, squares=5, private=1, last=1)
    for state, value in exact.values(game, race.rules).items():
        assert race.value(tuple(state)) == pytest.approx(float(value), abs=race.error_bound + 1e-12)


@pytest.mark.slow
@pytest.mark.parametrize(("pieces", "states"), [(2, 77_214), pytest.param(3, 1_578_726, marks=pytest.mark.slow)])
def test_pieces_as_bits_take_little_room(pieces: int, states: int) -> None:
    race = komi.solve(str(GAMES / "race_on_masks.py"), pieces=pieces)
    assert isinstance(race, StochasticSolution)
    assert race.states == states
    assert race.optimal_play.states.keys.nbytes + race.optimal_play.states.ranks.nbytes <= 60 * states


@pytest.mark.slow
def test_counters_as_bits_take_little_room() -> None:
    table = komi.solve(str(EXAMPLES / "connect_four.py"), line=3)
    assert isinstance(table, Tablebase)
    assert (table.states, table.value(), table.plies()) == (23_930, "win", 9)
    agrees(komi.solve(str(EXAMPLES / "connect_four.py"), line=3, rows=3, columns=3))


def agrees(table: object) -> None:
    assert isinstance(table, Tablebase)
    for state, result in results(table.game, table.rules, table.game.part("start")(table.rules)).items():
        worth = table.position_value(tuple(state))
        assert (worth.value, worth.plies) == result
