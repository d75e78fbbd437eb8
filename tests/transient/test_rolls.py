"""States inside a roll that are worked out again are worth what they are if every state is stored."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_type_hints

import numpy as np
import pytest

import komi
from games import little_card, stalling, two_dice_kept
from komi.compiling.compiled import CompiledGame
from komi.errors import SolveError
from komi.graph import limits
from komi.rules import catalog
from komi.rules.game import Game
from komi.rules.kind import kind_of
from komi.solvers.stochastic.optimal_values import Values, find_values
from komi.transient.builder import Builder
from komi.transient.roll_backup import RollBackup
from komi.transient.roll_graph import RollGraphs

CARD, KEPT = Game("little-card", little_card), Game("two-dice-kept", two_dice_kept)


def both(game: Game, roots: Any = None, **settings: Any) -> tuple[Values, Values]:
    """Compute the values with rolls recomputed, and with all states stored."""
    rules = game.rules(settings)
    kind = kind_of(game, rules)
    compiled = CompiledGame(game)
    roots = roots or [game.part("start")(rules)]
    assert kind.transient
    return tuple(find_values(compiled, rules, roots, has_rolls=has_rolls) for has_rolls in (True, False))  # type: ignore[return-value]


def differences(found: Values, stored: Values) -> Iterator[float]:
    indices = stored.states.indices_of(found.states)
    assert (indices >= 0).all()
    yield from abs(found.values - stored.values[indices])


@pytest.mark.slow
@pytest.mark.parametrize("shared", [True, False], ids=["shared", "each"])
@pytest.mark.parametrize("target", ["most", "least", "enough"])
def test_values_of_stored_states_are_equal(target: str, shared: bool) -> None:
    found, stored = both(CARD, target=target, shared=shared)
    assert found.states.size < stored.states.size
    assert max(differences(found, stored)) <= found.error_bound + stored.error_bound <= 1e-12


@pytest.mark.slow
def test_who_can_stall_is_reported_as_if_all_states_were_stored() -> None:
    said = []
    for inside in (True, False):
        with pytest.raises(komi.SolveError) as refused:
            komi.solve(Game("stalling", stalling), inside=inside)
        said.append(str(refused.value))
    assert said[0] == said[1]
    assert "the two players together can go on for ever from die=0,won=0, which is worth 0.333333" in said[0]


@pytest.mark.slow
def test_many_states_are_solved_that_share_what_can_happen(monkeypatch: pytest.MonkeyPatch) -> None:
    found, _ = both(CARD, target="enough")
    monkeypatch.setattr(limits, "MAX_EXPANDED", found.states.size - 1)
    assert both(CARD, target="enough")[0].states.size == found.states.size
    with pytest.raises(komi.SolveError, match=r"little-card has up to .* rolls to enumerate, more than"):
        both(CARD, target="enough", shared=False)


@pytest.mark.slow
@pytest.mark.parametrize("target", ["most", "least", "enough"])
def test_values_and_actions_inside_a_roll_are_equal(target: str) -> None:
    _, stored = both(CARD, target=target)
    solution = komi.solve(CARD, target=target)
    near = pytest.approx
    for index in range(stored.states.size):
        state = CARD.module.State(*stored.states.fields(index))
        assert solution.value(state) == near(stored.values[index], abs=1e-12)
        best = solution.best(state)
        assert solution.actions(state)[best] == near(stored.values[index], abs=1e-12)


@pytest.mark.slow
def test_states_inside_a_roll_are_listed_too() -> None:
    solution = komi.solve(CARD)
    inside = little_card.State(boxes=0, points=0, left=1, low=1, high=2)
    assert solution.data.states.index_of(inside) < 0 <= solution.all_states.index_of(inside)


@pytest.mark.slow
def test_values_of_two_seats_through_transient_states_are_equal() -> None:
    found, stored = both(KEPT)
    assert max(differences(found, stored)) <= found.error_bound + stored.error_bound <= 1e-9


@pytest.mark.slow
def test_all_states_are_listed_where_they_are_requested() -> None:
    solution = komi.solve(KEPT)
    assert solution.optimal_play.states.size > solution.states


@pytest.mark.slow
@pytest.mark.parametrize("name", ["ten-thousand", "farkle"])
def test_values_of_races_over_several_rolls_are_equal(name: str) -> None:
    found, stored = both(catalog.find(name), goal=350)
    assert max(differences(found, stored)) <= found.error_bound + stored.error_bound <= 1e-9


@pytest.mark.slow
@pytest.mark.parametrize("joker", ["forced", "free", "none"])
def test_values_of_the_last_turns_of_yahtzee_are_equal(joker: str) -> None:
    game = catalog.find("yahtzee")
    state = game.part("start")(game.rules({"joker": joker}))
    last = state._replace(boxes=(1 << 13) - 1 & ~(1 << 5 | 1 << 8 | 1 << 12), upper=50, bonus=1)
    found, stored = both(game, [last], joker=joker)
    assert max(differences(found, stored)) <= found.error_bound + stored.error_bound <= 1e-9


@pytest.mark.slow
def test_exits_whose_values_were_never_set_prove_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    rules, compiled, solve = CARD.rules({}), CompiledGame(CARD), RollBackup.solve
    for share in (0.0, 0.25, 0.5, 0.75):
        for unset in (np.nan, np.inf):

            def spoil(backup: Any, batch: Any, ends: Any, share: float = share, unset: float = unset) -> Any:
                batch.gain[int(share * batch.actions_end[len(batch.state) - 1])] = unset
                return solve(backup, batch, ends)

            monkeypatch.setattr(RollBackup, "solve", spoil)
            try:
                found = find_values(
                    compiled,
                    rules,
                    [CARD.part("start")(rules)],
                    has_rolls=True,
                )
            except SolveError:
                continue
            assert found.error_bound == np.inf


def test_stored_roll_graphs_have_numbers_as_wide_as_those_they_are_built_from() -> None:
    built, stored = get_type_hints(Builder), get_type_hints(RollGraphs)
    assert {name: stored[name] for name in built.keys() & stored.keys()} == {
        name: built[name] for name in built.keys() & stored.keys()
    }


WIDE = '''"""Wide: a throw of one of many numbers, each of which can be kept; the last hundred are worth keeping."""

from typing import NamedTuple

from komi.game import CHANCE

players = 2
actions = ("keep", "leave")


class Rules(NamedTuple):
    sides: int = 1


class State(NamedTuple):
    step: int
    number: int = 0
    thrown: int = 0


def start(rules):
    return State(0)


def transient(rules, state):
    return state.thrown == 1


def legal(rules, state):
    if state.thrown:
        yield 0
        yield 1
    else:
        yield CHANCE


def outcomes(rules, state, action):
    if state.step == 0 and not state.thrown:
        for number in range(rules.sides):
            yield 1 / rules.sides, State(0, number + 1, 1), 0
    elif state.thrown:
        yield 1.0, State(1, state.number if action == 0 else 0), 0
    else:
        wins = 0.2 if state.number == 0 else 0.9 if state.number > rules.sides - 100 else 0.1
        yield wins, State(2, 1), 0
        yield 1.0 - wins, State(2, 0), 0


def over(rules, state):
    return state.step == 2


def payoff(rules, state):
    return 1.0 if state.number else 0.0
'''


@pytest.mark.slow
@pytest.mark.parametrize("numbers", [32_767, 32_768, 40_000])
def test_a_roll_has_any_number_of_exits(tmp_path: Path, numbers: int) -> None:
    path = tmp_path / "wide.py"
    path.write_text(WIDE)
    good = 100 / numbers
    assert komi.solve(str(path), sides=numbers).value() == pytest.approx(0.9 * good + 0.2 * (1 - good), abs=1e-9)
