"""Lists of what play reaches say what compiled rules do, and stand in for them where a game is small."""

import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import komi
from komi.compiling.compiled import CompiledGame
from komi.compiling.packing import Layout
from komi.graph import expanded_rules, listed_rules
from komi.graph.explicit import ExplicitModel
from komi.graph.listed_rules import CannotListError, Listing, listing_of
from komi.graph.reachability import find_reachable
from komi.graph.sources import GameTransitions
from komi.jit import kernels
from komi.learning.learn import LearningSettings, learn
from komi.policies import playing
from komi.policies.named import find as find_policy
from komi.policies.tabulate import tabulate

import rulefiles
from slowly import slowly

BESIDE = Path(__file__).parents[1] / "games"
EXAMPLES = Path(__file__).parents[2] / "examples"
GAMES: "dict[str, dict[str, Any]]" = {
    "pig": {"goal": 12},
    "skunk": {"goal": 10},
    str(EXAMPLES / "first_orchard.py"): {"fruit": 2},
    str(EXAMPLES / "goofspiel.py"): {"cards": 3},
    str(BESIDE / "last_match.py"): {},
}


@pytest.fixture
def never_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Empty the cache, so that games are listed."""
    monkeypatch.setattr(kernels._Kernel, "is_compiled", lambda *_: False)


def game_of(name: str, **settings: Any) -> "tuple[CompiledGame, Any]":
    game = komi.find(name)
    rules = game.rules(settings)
    return CompiledGame(game.under(rules)), rules


@pytest.mark.parametrize(
    ("name", "is_long"),
    [
        ("pig", False),
        ("pig", True),
        *slowly(*((name, False) for name in GAMES if name != "pig"), (str(EXAMPLES / "first_orchard.py"), True)),
    ],
)
def test_lists_say_what_compiled_rules_do(name: str, is_long: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    compiled, rules = game_of(name, **GAMES[name])
    listing = Listing(compiled.game, rules)
    listing.fill(1 << 20)
    states = listing.states()
    if is_long:  # in two words
        layout = states.layout
        bits = [bits + 90 // len(layout.bits) for bits in layout.bits]
        states = states.converted(Layout.of(layout.lows, bits, layout.steps), dense=False)
        assert states.layout.halves == 2
    models = []
    for mine in (listing, None):
        monkeypatch.setattr(expanded_rules, "listing_of", lambda *_, mine=mine: mine)
        models.append(ExplicitModel.of(compiled, rules, states, 1 << 20))
    for one, other in zip(*models, strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.usefixtures("never_compiled")
def test_states_that_play_does_not_reach_are_listed_when_they_are_requested() -> None:
    compiled, rules = game_of("pig", goal=12)
    source, state = GameTransitions(compiled, rules), compiled.game.module.State
    found, _ = find_reachable(source, [state(0, 0, 0)])
    before = listing_of(compiled, rules)
    assert before
    assert before.states().size == found.size
    apart = state(1, 0, 0)  # no player can score a single point
    assert found.index_of(apart) < 0
    more, _ = find_reachable(source, [apart])
    assert more.index_of(apart) >= 0
    assert listing_of(compiled, rules).states().size > found.size  # type: ignore[union-attr]
    compiled_states, _ = find_reachable(GameTransitions(game_of("pig", goal=12)[0], rules), [apart])
    assert compiled_states.size == more.size


@pytest.mark.usefixtures("never_compiled")
def test_interrupted_list_is_made_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled, rules = game_of("pig", goal=12)
    visit = Listing._visit
    left = [30]

    def visit_some(listing: Listing, *arguments: Any) -> None:
        left[0] -= 1
        if left[0] == 0:
            listing._action.append((0, 1))  # it has begun with a state
            raise KeyboardInterrupt
        visit(listing, *arguments)

    monkeypatch.setattr(Listing, "_visit", visit_some)
    with pytest.raises(KeyboardInterrupt):
        listing_of(compiled, rules)
    listing = listing_of(compiled, rules)
    assert listing
    whole = Listing(compiled.game, rules)
    whole.fill(1 << 20)
    assert listing._action == whole._action


@pytest.mark.usefixtures("never_compiled")
def test_much_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listed_rules, "MAX_OUTCOMES", 4000)
    compiled, _ = game_of("piglet")
    of_goal = {goal: listing_of(compiled, compiled.game.rules({"goal": goal})) for goal in (5, 6, 40, 4)}
    assert of_goal[5]
    assert of_goal[6]
    assert of_goal[40] is None
    assert of_goal[4] is None  # 40 has used up what a process lists of a game


@pytest.mark.parametrize(
    ("replaced", "by"),
    [
        ("yield 1 / 3, State(rival", "yield 1 / 4, State(rival"),
        ("yield 1.0, State(rival", "yield 1.0, tuple(rival"),
        ("turn + face), 0", "turn + face), -1"),
        ("turn + face), 0", "turn + face / 2), 0"),
        ("score + turn, 0), 1", "score + turn, turn * 0.0), 1"),  # equal to a state that is known, and none itself
        ("score + turn, 0), 1", "score + turn, turn < 0), 1"),
        ("State(rival, score + turn, 0), 1", "(rival, score + turn, 0), 1"),
        ("score + turn, 0), 1", "score + turn, 0), 1.5"),
        ("return 0.0", "return 1.5"),
        ("    yield HOLD", "    yield HOLD + 7"),
        ("return 0.0", "return 1 // (state.score - state.score)"),
        ("return 0.0", "return float('nan')"),
    ],
)
def test_broken_rules_are_not_listed(tmp_path: Path, replaced: str, by: str) -> None:
    game = komi.find(str(rulefiles.write(tmp_path, (replaced, by))))
    with pytest.raises(CannotListError):
        Listing(game, game.default_rules).fill(1 << 20)


@pytest.mark.usefixtures("never_compiled")
def test_rules_that_are_equal_and_not_the_same_have_lists_of_their_own(tmp_path: Path) -> None:
    path = rulefiles.write(
        tmp_path,
        ("    goal: int = 5", "    goal: int = 5\n    bias: float = 0.0"),
        ("return 0.0", "return 0.25 - math.copysign(0.25, rules.bias)"),
        ("from typing", "import math\nfrom typing"),
    )
    values = [komi.solve(str(path), bias=bias).value() for bias in (0.0, -0.0)]
    assert values[0] > 0.51
    assert values[1] == pytest.approx(0.5, abs=1e-9)  # all is drawn


CHAIN = """
from typing import NamedTuple

players = 1
actions = ("go",)


class Rules(NamedTuple):
    goal: int = 60


class State(NamedTuple):
    n: int
    m: int


def objective(rules):
    return "moves"


def start(rules):
    return State(0, 0)


def legal(rules, state):
    yield 0


def outcomes(rules, state, action):
    yield 1.0, State(state.n + 1, state.m), 0


def over(rules, state):
    return state.n == rules.goal


def payoff(rules, state):
    return 0.0


def reward(rules, state, action, after):
    return 1.0
"""


@pytest.mark.usefixtures("never_compiled")
def test_threads_may_ask_for_other_states(tmp_path: Path) -> None:
    path = tmp_path / "chain.py"
    path.write_text(CHAIN)
    state = komi.solve(str(path)).game.module.State
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)

    def values(thread: int) -> "list[float]":
        solution = komi.solve(str(path))
        return [solution.value(state(n, thread + 1)) for n in range(8)]

    try:
        with ThreadPoolExecutor(4) as pool:
            assert list(pool.map(values, range(4))) == [[60.0 - n for n in range(8)]] * 4
    finally:
        sys.setswitchinterval(interval)


@pytest.mark.usefixtures("never_compiled")
def test_slow_rules_are_compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listed_rules, "MAX_SECONDS", 0.3)
    slow = "    while state.turn == 5 and state.goal >= 0:\n        pass\n    yield HOLD"
    game = komi.find(str(rulefiles.write(tmp_path, ("    yield HOLD", slow.replace("state.goal", "rules.goal")))))
    with pytest.raises(CannotListError):
        Listing(game, game.default_rules).fill(1 << 20)


@pytest.mark.usefixtures("never_compiled")
@pytest.mark.parametrize(
    ("name", "policy", "settings"),
    [
        ("piglet", "optimal", {"goal": 12}),
        *slowly(
            ("piglet", "random", {"goal": 12}),
            (str(BESIDE / "countdown.py"), "optimal", {}),
            (str(BESIDE / "last_match.py"), "random", {}),
            (str(EXAMPLES / "first_orchard.py"), "optimal", {"fruit": 2}),
        ),
    ],
)
def test_simulation_is_the_same_from_lists(
    name: str, policy: str, settings: "dict[str, Any]", monkeypatch: pytest.MonkeyPatch
) -> None:
    results = []
    for most in (1_000_000, 0):
        monkeypatch.setattr(playing, "MAX_LISTED_GAMES", most)
        results.append(komi.simulate(name, 3000, policies=policy, seed=5, workers=1, **settings).tally)
    np.testing.assert_array_equal(results[0].sums, results[1].sums)
    np.testing.assert_array_equal(results[0].extremes, results[1].extremes)


def test_simulation_of_a_small_game_compiles_nothing_of_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = str(rulefiles.write(tmp_path))
    komi.check(path)  # compiles `expand`
    monkeypatch.setattr(playing, "CompiledPlaying", None)
    assert komi.simulate(path, 1000, seed=1, workers=1).games == 1000


@pytest.mark.usefixtures("never_compiled")
def test_function_is_tabulated_without_compilation(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled, rules = game_of("pig", goal=12)
    states, _ = find_reachable(GameTransitions(compiled, rules), [compiled.game.module.State(0, 0, 0)])
    policy = find_policy("hold-at:5", komi.solve("pig", goal=12))
    mine = tabulate(policy, compiled, rules, states)
    monkeypatch.setattr(listed_rules, "MAX_OUTCOMES", 0)
    theirs = tabulate(policy, game_of("pig", goal=12)[0], rules, states)
    np.testing.assert_array_equal(mine, theirs)


@pytest.mark.usefixtures("never_compiled")
@pytest.mark.slow
@pytest.mark.parametrize("method", ["td", "q-learning"])
def test_learning_is_the_same_from_lists(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    values = []
    for most in (listed_rules.MAX_OUTCOMES, 0):
        monkeypatch.setattr(listed_rules, "MAX_OUTCOMES", most)
        listed_rules._LISTINGS.clear()
        values.append(learn("piglet", method, settings=LearningSettings(games=3000, seed=2), goal=8).values)
    np.testing.assert_array_equal(*values)
