"""Broken rules are refused in the states that a simulation meets, near the start or far from it."""

from contextlib import nullcontext

import numpy as np
import pytest

import komi
from komi import GameError
from komi.compiling.compiled import CompiledGame
from komi.play.table import Table
from komi.rules import catalog
from komi.rules.enumeration import explore
from komi.rules.interface import VISITED
from komi.rules.interpreter import Interpreter
from komi.simulation import soundness
from komi.simulation.soundness import check_visited

import rulefiles
from slowly import slowly

ROLLS = "    for face in (2, 3):\n        yield 1 / 3, State(score, rival, turn + face), 0\n"
LATE = "state.score + state.rival > 4"  # of a game to 5 points
BROKEN = {  # what is wrong: (what stands there, what stands there instead, what is said of it)
    "too little": ("yield 1 / 3, State(rival", "yield 1 / 4, State(rival", r"probabilities of 'roll' sum to 0.91666"),
    "too much": ("yield 1 / 3, State(rival", "yield 1 / 2, State(rival", r"probabilities of 'roll' sum to 1.1666"),
    "negative": (
        "yield 1 / 3, State(rival, score, 0), 1",
        "yield -1 / 3, State(rival, score, 0), 1\n    yield 2 / 3, State(rival, score, 0), 1",
        r"line \d+: a probability is -0.333",
    ),
    "more than a win": ("    return 0.0", "    return 2.0", r"the payoff is 2.0, not from 0 to 1"),
    "less than a loss": ("    return 0.0", "    return -0.1", r"the payoff is -0.1, not from 0 to 1"),
    "nothing comes of it": (ROLLS, "", r"the probabilities of 'roll' sum to 0.333"),
    "no outcome": (
        "        yield 1.0, State(rival, score + turn, 0), 1\n        return",
        "        return",
        r"the probabilities of 'hold' sum to 0, not 1",
    ),
    "chance and choice": (
        "    yield HOLD\n",
        "    yield HOLD\n    yield -1\n",
        r"where chance moves, 'legal' must yield",
    ),
    "back": ("score + turn, 0), 1", "score + turn, 0), -1", r"line \d+: the turn passes on by -1 seats"),
    "no action": ("    yield HOLD\n", "    if state.turn < 2:\n        yield HOLD\n", "there is no legal action"),
    "a wrong pick": (
        "def over(",
        "def pick(rules, state, luck):\n    return 2, ROLL\n\n\ndef over(",
        r"'pick' returns \(2, 0\) instead of \(2, 1\)",
    ),
    "a wrong sample": (
        "def over(",
        "def sample(rules, state, action, luck):\n    return 1.0, State(0, 0, 0), 1\n\n\ndef over(",
        "'sample' does not return the outcomes in their order",
    ),
    "impossible": (
        "def over(",
        "def possible(rules, state):\n    return state.turn < 3\n\n\ndef over(",
        "play reaches a state that 'possible' rules out",
    ),
}


@pytest.mark.parametrize(("old", "new", "complaint"), BROKEN.values(), ids=BROKEN)
def test_broken_rules_are_refused_with_the_state(tmp_path, old, new, complaint):
    game = str(rulefiles.write(tmp_path, (old, new)))
    with pytest.raises(GameError, match=complaint + r".* in score=\d+,rival=\d+,turn=\d+"):
        komi.simulate(game, 1000)


@pytest.mark.parametrize(
    "kind", ["too little", *(pytest.param(kind, marks=pytest.mark.slow) for kind in ("back", "too much", "negative"))]
)
def test_rules_that_are_broken_only_late_are_refused(tmp_path, monkeypatch, kind):
    """Those run as they stand are sound as far as they are looked at."""
    old, new, complaint = BROKEN[kind]
    if kind in ("too little", "too much"):
        old = "    yield 1 / 3, State(rival, score, 0), 1\n"
        new = f"    yield {new.split(', ')[0].split('yield ')[1]} if {LATE} else 1 / 3, State(rival, score, 0), 1\n"
    elif kind == "negative":
        old = "    yield 1 / 3, State(rival, score, 0), 1\n"
        new = (
            f"    yield -1 / 3 if {LATE} else 1 / 6, State(rival, score, 0), 1\n"
            f"    yield 2 / 3 if {LATE} else 1 / 6, State(rival, score, 0), 1\n"
        )
    else:
        old, new = "score + turn, 0), 1", f"score + turn, 0), -1 if {LATE} else 1"
    monkeypatch.setattr(soundness, "NEAR_STATES", 2)
    monkeypatch.setattr(soundness, "PLAYED_STATES", 2)
    game = str(rulefiles.write(tmp_path, (old, new)))
    with pytest.raises(GameError, match=complaint):
        komi.simulate(game, 1000)


SHARED = "def payoff(rules, state, seat):\n    return "


@pytest.mark.parametrize("late", [False, pytest.param(True, marks=pytest.mark.slow)], ids=["at once", "late"])
def test_payoffs_that_do_not_sum_to_one_are_refused(tmp_path, monkeypatch, late):
    if late:
        monkeypatch.setattr(soundness, "NEAR_STATES", 1)
        monkeypatch.setattr(soundness, "PLAYED_STATES", 1)
    replaced = ("def payoff(rules, state):\n    return 0.0", SHARED + "0.75 if seat else 0.5")
    game = str(rulefiles.write(tmp_path, replaced))
    with pytest.raises(GameError, match=r"the payoffs of the 2 seats sum to 1.25, not 1 \(.*\) in score="):
        komi.simulate(game, 1000)
    assert "sum to 1.25" in str(komi.check(game).problems[0])


def test_three_players_need_a_payoff_of_each_seat(tmp_path):
    game = str(rulefiles.write(tmp_path, ("players = 2", "players = 3")))
    complaint = r"sprint.py: 'payoff' must take \(rules, state, seat\), so that each of 3 gets theirs"
    found = catalog.find(game)
    for ask in (
        lambda: komi.simulate(game, 1000),
        lambda: komi.solve(game),
        lambda: komi.match(game, "random", "random"),
        lambda: Table(found, found.default_rules),
    ):
        with pytest.raises(GameError, match=complaint):
            ask()
    assert str(komi.check(game).problems[0]).startswith("sprint.py: 'payoff' must take")


@pytest.mark.parametrize(
    ("kind", "far"),
    [
        *((kind, 0) for kind in (None, "too much", "back", "no action")),
        *slowly(("negative", 0), ("chance and choice", 0)),
        (None, 1 << 60),
        ("back", 1 << 60),
    ],
)
def test_compiled_rules_are_sound_where_interpreted_ones_are(tmp_path, kind, far):
    changes = [] if kind is None else [BROKEN[kind][:2]]
    game = catalog.find(str(rulefiles.write(tmp_path, *changes)))
    rules, compiled = game.default_rules, CompiledGame(game)
    for state in list(explore(Interpreter(game, rules), 60)[0]):
        interpreter = Interpreter(game, rules)
        if not game.part("over")(rules, state):
            interpreter.moves(state)
            interpreter.moves(game.module.State(far, far, 0))
            visited = np.array([(*state, VISITED), (far, far, 0, VISITED)])
            with pytest.raises(GameError) if interpreter.problems else nullcontext():
                check_visited(compiled, rules, visited)


@pytest.mark.slow
def test_a_turn_that_comes_back_to_the_same_player_is_a_turn(tmp_path):
    """Sprint in which a hold skips the rival: each hold ends a turn, and so does the end of the game."""
    skipping = ("yield 1.0, State(rival, score + turn, 0), 1", "yield 1.0, State(score + turn, rival, 0), 2")
    won = ("state.rival >= rules.goal", "state.score >= rules.goal or state.rival >= rules.goal")
    paid = ("return 0.0", "return 1.0 if state.score >= rules.goal else 0.0")
    holding = tmp_path / "mine.py"
    holding.write_text("def careful(rules, state):\n    return 1 if state.turn else 0\n")
    game = str(rulefiles.write(tmp_path, skipping, won, paid, ("(2, 3)", "(1, 1)"), ("goal: int = 5", "goal: int = 2")))
    seen = komi.simulate(game, 2000, policies=f"{holding}:careful")
    assert seen.fewest_turns == 2  # two holds of one point each, no bust between


def test_a_first_state_beyond_64_bits_is_refused_before_anything_is_compiled(tmp_path):
    path = rulefiles.write(
        tmp_path,
        ("    turn: int\n", "    turn: int\n    mark: int = 0\n"),
        ("return State(0, 0, 0)", "return State(0, 0, 0, 2**70)"),
        ("score, rival, turn = state", "score, rival, turn, mark = state"),
        ("State(rival, score + turn, 0)", "State(rival, score + turn, 0, 0)"),
        ("State(rival, score, 0)", "State(rival, score, 0, 0)"),
        ("State(score, rival, turn + face)", "State(score, rival, turn + face, 0)"),
    )
    with pytest.raises(komi.GameError, match=r"a field of a state exceeds 64 bits: .*mark=1180591620717411303424"):
        komi.simulate(str(path), games=10)
