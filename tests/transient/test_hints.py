"""No answer depends on a hint of the rule file that is wrong: it is refused, or the answer is right all the same."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import komi
from komi.compiling.compiled import CompiledGame
from komi.errors import GameError, KomiError
from komi.rules import catalog
from komi.rules.game import Game
from komi.solvers.stochastic.optimal_values import Values, find_values
from komi.transient import verification

GAMES = Path(__file__).parents[1] / "games"
ROLLS = catalog.find(str(GAMES / "random_rolls.py"))
UNBROKEN, CHANCES, ACTIONS, EXITS, MODES, REWARDS = range(6)

REWARD = '''

def reward(rules, state, action, after):
    """Gain something on each way: inside a roll as the die says, unless that promise is broken."""
    gain = drawn(rules, state.die, 0, action, after.die, 14) / 16
    if rules.broken == REWARDS and state.score == 1 and momentary(rules, state.die):
        gain += 1.0
    return gain
'''


@pytest.fixture(scope="module")
def rewarded(tmp_path_factory: pytest.TempPathFactory) -> Game:
    """Return the random dice game with a reward on each transition, for one player."""
    path = tmp_path_factory.mktemp("rules") / "random_rewards.py"
    path.write_text((GAMES / "random_rolls.py").read_text() + REWARD)
    return catalog.find(str(path))


def solved(compiled: CompiledGame, settings: dict[str, Any], expands: bool) -> Values | KomiError:
    """Solve from the start, with transient states expanded or every state stored."""
    game = compiled.game
    rules = game.rules(settings)
    try:
        return find_values(compiled, rules, [game.part("start")(rules)], has_rolls=expands)
    except KomiError as error:
        return error


def compare(game: Game, plans: range, **settings: Any) -> Counter[str]:
    """Solve games with and without hints; count the results, and fail if two values differ."""
    compiled = CompiledGame(game)
    counts: Counter[str] = Counter()
    for plan in plans:
        chosen = {"plan": plan, "faces": 4 + plan % 5, "modes": 1 + plan % 3, **settings}
        found = solved(compiled, {**chosen, "promised": True}, expands=True)
        plain = solved(compiled, {**chosen, "promised": False}, expands=False)
        if isinstance(found, GameError):
            assert "'roll' and 'totals' promise" in str(found), (chosen, found)
            counts["refused hints"] += 1
        elif isinstance(plain, KomiError):
            assert isinstance(found, KomiError), chosen
            counts["endless"] += 1
        else:
            assert isinstance(found, Values), (chosen, found)
            stored = plain.states.indices_of(found.states)
            assert (stored >= 0).all(), chosen
            difference = float(abs(found.values - plain.values[stored]).max())
            assert difference <= found.error_bound + plain.error_bound + 1e-12, (chosen, difference)
            counts["same"] += 1
            counts["shared"] += found.checked == found.states.size
    return counts


@pytest.mark.slow
@pytest.mark.parametrize("seats", [1, 2])
@pytest.mark.parametrize("stored", [64, 32, 10], ids=["none transient", "some transient", "most transient"])
def test_hints_that_hold_change_no_value(seats: int, stored: int) -> None:
    counts = compare(ROLLS, range(30), seats=seats, stored=stored)
    assert counts["same"] == counts["shared"] >= 25
    assert not counts["refused hints"]


@pytest.mark.slow
@pytest.mark.parametrize("broken", [CHANCES, ACTIONS, MODES, EXITS])
def test_hints_that_fail_in_some_states_change_no_value(broken: int) -> None:
    counts = compare(ROLLS, range(60), stored=20, broken=broken)
    assert counts["refused hints"] > 10 or broken == MODES


@pytest.mark.slow
def test_rolls_that_lead_into_other_rolls_are_not_shared() -> None:
    counts = compare(ROLLS, range(60), stored=20, chained=32)
    assert counts["same"] > 50 > counts["shared"] > 0


@pytest.mark.slow
def test_a_turn_that_passes_inside_a_roll_is_the_same_in_a_component_that_is_solved_directly() -> None:
    settings = {"seats": 2, "stored": 20, "broken": MODES, "chained": 16}
    assert compare(ROLLS, range(2_933_059, 2_933_060), **settings)["endless"] == 1


@pytest.mark.slow
@pytest.mark.parametrize("broken", [UNBROKEN, REWARDS])
def test_rewards_inside_a_roll_are_verified(broken: int, rewarded: Game) -> None:
    counts = compare(rewarded, range(40), seats=1, stored=20, broken=broken)
    assert counts["same"] == 40 if broken == UNBROKEN else counts["refused hints"] > 10


@pytest.mark.slow
@pytest.mark.parametrize("seats", [1, 2])
def test_values_of_thousands_of_dice_games_are_equal_with_and_without_hints(seats: int, rewarded: Game) -> None:
    counts: Counter[str] = Counter()
    for stored in (64, 40, 20, 8):
        for broken in (UNBROKEN, UNBROKEN, CHANCES, ACTIONS, EXITS, MODES):
            first = 1000 * (1 + counts.total())
            settings = {"seats": seats, "stored": stored, "broken": broken, "chained": 16 * (broken == MODES)}
            counts += compare(ROLLS, range(first, first + 100), **settings)
    for stored in (40, 10) if seats == 1 else ():
        for broken in (UNBROKEN, REWARDS):
            counts += compare(rewarded, range(100_000, 100_100), seats=1, stored=stored, broken=broken)
    assert counts["same"] + counts["refused hints"] + counts["endless"] >= 2000
    assert counts["refused hints"] > 200


@pytest.mark.slow
def test_a_stored_state_with_a_die_is_expanded_from_it(tmp_path: Path) -> None:
    path = tmp_path / "kept_die.py"
    path.write_text(KEPT_DIE)
    found, plain = komi.solve(str(path)), komi.solve(str(path), promised=False)
    assert found.value() == pytest.approx(plain.value(), abs=1e-11)
    for state in ("die=3", "score=1,die=3", "rival=1,die=3"):
        assert found.actions(state) == pytest.approx(plain.actions(state), abs=1e-11)
        assert found.best(state) == "cash"


KEPT_DIE = '''"""Throw a die with three faces; keep one die, then throw again or cash, which wins."""

from typing import NamedTuple

players = 2
actions = ("throw", "keep", "pass", "cash")
THROW, KEEP, PASS, CASH = range(4)


class Rules(NamedTuple):
    promised: bool = True


class State(NamedTuple):
    score: int
    rival: int
    die: int  # 0: nothing kept; 1, 2: just thrown; 3: one kept


def roll(rules):
    return ("die",) if rules.promised else ()


def totals(rules):
    return ("score", "rival") if rules.promised else ()


def start(rules):
    return State(0, 0, 0)


def transient(rules, state):
    return rules.promised and 1 <= state.die <= 2


def legal(rules, state):
    if state.die in (0, 3):
        yield THROW
    if state.die == 3:
        yield CASH
    if state.die in (1, 2):
        yield KEEP
        yield PASS


def outcomes(rules, state, action):
    score, rival, die = state
    if action == THROW:
        yield 0.5, State(score, rival, 1), 0
        yield 0.25, State(score, rival, 2), 0
        yield 0.25, State(rival, score, 0), 1
    elif action == KEEP:
        yield 0.5, State(score, rival, 3), 0
        yield 0.5, State(rival, score, 0), 1
    elif action == PASS:
        yield 1.0, State(rival, score + die, 0), 1
    else:
        yield 1.0, State(3, rival, 0), 0


def over(rules, state):
    return state.score >= 3 or state.rival >= 3


def payoff(rules, state):
    return 1.0 if state.score >= 3 else 0.0
'''


@pytest.mark.slow
def test_an_answer_names_the_hints_that_it_relies_on(run: Any) -> None:
    path = GAMES / "random_rolls.py"
    states = komi.solve(str(path), plan=1).states
    relies_on = json.loads(run("solve", path, "--set", "plan=1", "--json").out)["relies_on"]
    assert relies_on == {"hints": ["roll", "totals"], "verified": states, "states": states}
    assert (
        f"Uses the hints 'roll' and 'totals', verified in all {states} states."
        in run("solve", path, "--set", "plan=1").out
    )
    assert '"relies_on": null' in run("solve", path, "--set", "plan=1", "--set", "promised=false", "--json").out


@pytest.mark.slow
def test_hints_of_larger_games_are_verified_in_a_sample_that_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verification, "MAX_NODES", 20)
    monkeypatch.setattr(verification, "SAMPLE_NODES", 20)
    hints = komi.solve(str(GAMES / "random_rolls.py"), fresh=True, plan=1).verified_hints
    assert hints is not None
    assert 0 < hints.verified < hints.states


@pytest.mark.slow
def test_what_rests_on_a_sample_is_nowhere_said_to_be_proved(monkeypatch: pytest.MonkeyPatch, run: Any) -> None:
    monkeypatch.setattr(verification, "MAX_NODES", 20)
    monkeypatch.setattr(verification, "SAMPLE_NODES", 20)
    command = (GAMES / "random_rolls.py", "--set", "plan=2")
    for name, *more in (("solve", "--fresh"), ("value", "--state", "score=0")):
        text = run(name, *command, *more).out
        assert "Not proved: this rests on the hints 'roll' and 'totals', which hold in a random sample of " in text
        assert "Proved" not in text
        assert json.loads(run(name, *command, *more, "--json").out)["proved"] is False


@pytest.mark.slow
def test_samples_differ_from_solve_to_solve(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verification, "MAX_NODES", 20)
    monkeypatch.setattr(verification, "SAMPLE_NODES", 20)
    solutions = [komi.solve(str(GAMES / "random_rolls.py"), fresh=True, plan=1) for _ in range(12)]
    assert len({solution.verified_hints for solution in solutions}) > 1


LINE = '''"""Take turns to mark a square in a row of five; who makes two lie side by side loses."""

from typing import NamedTuple

players = 2
actions = ("1", "2", "3", "4", "5")


class Rules(NamedTuple):
    honest: bool = True


class State(NamedTuple):
    marks: int


def start(rules):
    return State(0)


def legal(rules, state):
    for square in range(5):
        if not state.marks >> square & 1:
            yield square


def outcomes(rules, state, action):
    yield 1.0, State(state.marks | 1 << action), 1


def over(rules, state):
    return state.marks & state.marks >> 1 > 0


def payoff(rules, state):
    return 1.0


def symmetries(rules, state):
    marks = state.marks
    yield State((marks & 1) << 4 | (marks & 2) << 2 | marks & 4 | (marks & 8) >> 2 | marks >> 4)
    if not rules.honest and marks in (4, 16):
        yield State(20 - marks)
'''


def test_no_value_relies_on_symmetries(tmp_path: Path) -> None:
    path = tmp_path / "line.py"
    path.write_text(LINE)
    right, wrong = (komi.solve(str(path), honest=honest) for honest in (True, False))
    assert right.verified_hints is wrong.verified_hints is None
    assert (right.position_value(), right.counts) == (wrong.position_value(), wrong.counts)
