"""What `expand` lists is what the rules yield, and kernels that see only this compute what specialized ones do."""

from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

import komi
from komi.arrays import I64
from komi.bellman import ActionCode
from komi.compiling.compiled import CompiledGame, compiled_game
from komi.compiling.packing import Layout
from komi.evaluation.play_search import push_play, search_components
from komi.graph import expanded_rules
from komi.graph.expanded_rules import GraphKernels
from komi.graph.expansion import (
    GAINED,
    HIGH,
    LOW,
    NUMBER,
    OUTCOMES_END,
    OVER,
    PROBABLY,
    TURNS,
    GameArrays,
    expand,
    expansion_arrays,
    new_expansion,
)
from komi.graph.explicit import ExplicitModel
from komi.graph.lookup import StateIndex, state_at
from komi.graph.reachability import find_reachable
from komi.graph.sources import GameTransitions
from komi.graph.state_sets import StateSet
from komi.jit.addresses import context_of
from komi.jit.kernels import engine_kernels
from komi.rules.game import Game
from komi.rules.interface import legal, outcomes, over, payoff, reward
from komi.rules.interpreter import Interpreter

from slowly import slowly

EXAMPLES = Path(__file__).parents[2] / "examples"
GAMES: "dict[str, dict[str, Any]]" = {
    "pig": {"goal": 12},
    "skunk": {"goal": 10},
    "hog": {"goal": 8, "max_dice": 3},
    str(EXAMPLES / "first_orchard.py"): {"fruit": 2},
    str(EXAMPLES / "goofspiel.py"): {"cards": 3},
}


def compiled_and_states(name: str, **settings: Any) -> "tuple[CompiledGame, Any, StateSet]":
    game = komi.find(name)
    rules = game.rules(settings)
    compiled = compiled_game(game.under(rules))
    start = compiled.game.part("start")(rules)
    return compiled, rules, find_reachable(GameTransitions(compiled, rules), [start])[0]


def listed(compiled: CompiledGame, rules: Any, layout: Layout, state: "tuple[int, ...]") -> "list[tuple[Any, ...]]":
    """Return the outcomes that `expand` writes for a state."""
    game, seats = compiled.game, compiled.game.players(rules)
    into = new_expansion(len(layout.lows), layout.halves, seats, game.action_limit)
    values = compiled.in_numbers(rules)
    arrays = GameArrays(
        np.array(values, np.float64).astype(np.int64), np.array(values, np.float64), layout.for_all_games
    )
    context, packed = context_of(expansion_arrays(arrays, into)), layout.pack(state)
    kernel = compiled.checked.kernels[expand]
    rows = kernel(context.ctypes.data, packed >> 63, packed & ((1 << 63) - 1))
    found, first = [], 0
    for number, end in into.action[:rows].tolist():
        for k in range(first, end):
            outcome, weight = into.outcome[k], into.weight[k]
            is_over = bool(outcome[OVER])
            after = into.payoff[k].tolist() if is_over else layout.unpack(int(outcome[HIGH]) << 63 | int(outcome[LOW]))
            found.append((number, weight[PROBABLY], weight[GAINED], int(outcome[TURNS]), is_over, after))
        first = end
    assert (NUMBER, OUTCOMES_END) == (0, 1)
    return found


def interpreted(game: Game, rules: Any, state: Any) -> "list[tuple[Any, ...]]":
    """Return the outcomes of a state by the rules as Python runs them."""
    seats, found = game.players(rules), []
    scale = game.payoff_scale(rules)
    interpreter = Interpreter(game, rules)
    for move in interpreter.moves(state):
        for probability, after, passes in move.outcomes:
            is_over = game.part("over")(rules, after)
            gained = game.part("reward")(rules, state, move.action, after) if game.has("reward") else 0.0
            shares: Any = tuple(after)
            if is_over:
                payoff = game.part("payoff")
                stated = (
                    [payoff(rules, after, seat) for seat in range(seats)] if game.is_seated else [payoff(rules, after)]
                )
                shares = [(share - scale.lowest) / (scale.highest - scale.lowest) for share in stated]
                shares += [1.0 - shares[0]] * (seats == 2 and len(shares) == 1)
            found.append((move.action, probability, gained, passes, is_over, shares))
    return found


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("is_long", [True, *slowly(False)])
def test_expansions_list_what_the_rules_yield(name: str, is_long: bool) -> None:
    compiled, rules, states = compiled_and_states(name, **GAMES[name])
    layout = states.layout
    if is_long:  # 20 bits more for each field
        layout = Layout.of(layout.lows, [bits + 90 // len(layout.bits) for bits in layout.bits], layout.steps)
        assert layout.halves == 2
    for fields in states.all_fields()[:: max(states.size // 60, 1)].tolist():
        state = compiled.game.module.State(*fields)
        expected = interpreted(compiled.game, rules, state)
        found = listed(compiled, rules, layout, state)
        assert [row[:5] for row in found] == [row[:5] for row in expected]
        for mine, theirs in zip(found, expected, strict=True):
            assert mine[5] == pytest.approx(theirs[5], abs=1e-15) if mine[4] else mine[5] == theirs[5]


@pytest.mark.parametrize(
    "name", ["pig", *(pytest.param(name, marks=pytest.mark.slow) for name in GAMES if name != "pig")]
)
def test_kernels_compute_the_same_as_with_the_rules_in_them(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    compiled, rules, states = compiled_and_states(name, **GAMES[name])
    if compiled.game.players(rules) <= 2:
        mine = ExplicitModel.of(compiled, rules, states, 1 << 20)
    solved = komi.solve(compiled.game, **rules._asdict()) if "goofspiel" not in name else None
    monkeypatch.setattr(expanded_rules, "MAX_STATES", 0)
    if compiled.game.players(rules) <= 2:
        theirs = ExplicitModel.of(compiled, rules, states, 1 << 20)
        for one, other in zip(mine, theirs, strict=True):
            np.testing.assert_array_equal(one, other)
    if solved is not None:
        again = komi.solve(compiled.game, fresh=True, **rules._asdict())
        np.testing.assert_array_equal(again.optimal_play.values, solved.optimal_play.values)
        np.testing.assert_array_equal(again.optimal_play.choices, solved.optimal_play.choices)


def add_up(rules: Any, states: StateIndex, handles: I64) -> float:
    """Expand next states before the payoffs and rewards on the way there are read."""
    total = 0.0
    for index in range(len(handles)):
        state = state_at(states, handles[index])
        for action in legal(rules, state):
            for probability, after, passes in outcomes(rules, state, action):
                if not over(rules, after):
                    for reply in legal(rules, after):
                        total += 0.001 * reply
                if over(rules, after):
                    total += probability * payoff(rules, after) * (1 + index % 7)
                total += (probability + passes) * (0.5 + reward(rules, state, action, after))
    return total


@pytest.mark.parametrize("name", [name for name in GAMES if "goofspiel" not in name])
def test_a_kernel_may_look_ahead(name: str) -> None:
    compiled, rules, states = compiled_and_states(name, **GAMES[name])
    handles = np.array([states.handle(fields) for fields in states.all_fields().tolist()])
    assert GraphKernels(compiled)[add_up](rules, states, handles) == compiled.kernels[add_up](rules, states, handles)


def test_no_references_are_counted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    compiled, rules, states = compiled_and_states("pig", goal=12)
    monkeypatch.setenv("KOMI_CACHE_DIR", str(tmp_path))  # LLVM's language is not kept in a cache
    kernels = cast(Any, engine_kernels).__wrapped__(expanded_rules.INTERFACE)
    monkeypatch.setattr(expanded_rules, "engine_kernels", lambda *_, **__: kernels)
    GraphKernels(compiled)[add_up](rules, states, np.zeros(0, np.int64))
    kernel: Any = kernels[add_up]
    (text,) = kernel.dispatcher.inspect_llvm().values()
    assert "call void @NRT_incref" not in str(text)


def test_sets_in_two_layouts_are_refused_by_a_kernel() -> None:
    compiled, rules, states = compiled_and_states("pig", goal=12)
    wider = states.converted(Layout.of(states.layout.lows, [20] * len(states.layout.lows)), False)
    policies = np.full((1, states.size), ActionCode.FREE, np.int16)
    kernel = GraphKernels(compiled, push_transitions=push_play)[search_components]
    with pytest.raises(ValueError, match="in one way"):
        kernel(rules, 2, states, wider, policies)


FAN = '''"""Fan: one throw of a die decides, or of another one."""

from typing import NamedTuple

players = 2
actions = ("throw", "toss")


class Rules(NamedTuple):
    sides: int = 8


class State(NamedTuple):
    thrown: int = 0


def start(rules):
    return State()


def legal(rules, state):
    yield 0
    yield 1


def outcomes(rules, state, action):
    for side in range(rules.sides):
        yield 1.0 / rules.sides, State(side + 1), 0


def over(rules, state):
    return state.thrown > 0


def payoff(rules, state):
    return float(state.thrown % 2)
'''


@pytest.mark.slow
def test_a_state_with_too_many_outcomes_is_named(tmp_path: Path) -> None:
    path = tmp_path / "fan.py"
    path.write_text(FAN)
    with pytest.raises(komi.GameError, match=r"1,048,576 actions or outcomes or more in thrown=0"):
        komi.solve(path, sides=600_000)
