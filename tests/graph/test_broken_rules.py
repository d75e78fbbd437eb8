"""A survey refuses broken rules, far from the start too, and names the state."""

from pathlib import Path

import pytest

import komi

import rulefiles


def test_chance_among_actions_is_refused(tmp_path: Path) -> None:
    path = rulefiles.write(
        tmp_path,
        ("players = 2", "from komi.game import CHANCE\n\nplayers = 2"),
        ("goal: int = 5", "goal: int = 60"),
        ("    yield HOLD\n", "    yield HOLD\n    if state.score + state.rival > 70:\n        yield CHANCE\n"),
    )
    sentence = r"sprint\.py: where chance moves, 'legal' must yield CHANCE and nothing else in score="
    with pytest.raises(komi.GameError, match=sentence):
        komi.solve(str(path))


LATE = '''"""Late: a walk that one of several faults ends."""

from typing import NamedTuple

from komi.game import CHANCE

actions = ("left", "right")
TABLE = (1, 2, 3)


class Rules(NamedTuple):
    fault: int = 0
    steps: int = 3000
    seats: int = 2


class State(NamedTuple):
    step: int
    inside: int


def players(rules):
    return rules.seats


def start(rules):
    return State(0, 0)


def legal(rules, state):
    if state.inside > 0:
        yield CHANCE
    else:
        yield 0
        yield 1 + (rules.fault == 9 and state.step == rules.steps - 1) * 65536


def outcomes(rules, state, action):
    is_late = state.step == rules.steps - 1
    if state.inside == 0:
        yield 1.0, State(state.step, 1), 0
    elif rules.fault == 1 and is_late:
        yield 0.5, State(state.step + 1, 0), 1 << 40
        yield 0.5, State(state.step + 1, 0), 0
    elif rules.fault == 2 and is_late and (state.step + 3000) ** 6 < 0:
        yield 1.0, State(state.step + 1, 0), 0
    elif rules.fault == 3 and is_late:
        yield 0.5, State(state.step + TABLE[state.step], 0), 0
        yield 0.5, State(state.step + 1, 0), 0
    elif rules.fault == 4 and is_late:
        yield 1e300 * 1e300 * 0.0, State(state.step + 1, 0), 0
        yield 1.0, State(state.step + 1, 0), 0
    else:
        yield 0.5, State(state.step + 1, 0), 0
        yield 0.5, State(state.step + 1, 0), 1


def over(rules, state):
    return state.step == rules.steps


def payoff(rules, state, seat):
    if rules.fault == 5:
        return 1.0
    if rules.fault == 6:
        return 1.0 if seat == 0 else -1.0
    if rules.fault == 7:
        return 1e300 * 1e300 * 0.0
    if rules.fault == 8:
        return 1.0 if seat == 0 else 1e-8
    if rules.fault != 10 or state.step < rules.steps:
        share = 0.0
    if rules.fault == 10:
        return share
    return 1.0 if seat == 0 else 0.0
'''
TRANSIENT = """

def transient(rules, state):
    return state.inside > 0
"""
FAULTS = {
    1: "'chance' passes the turn on by a negative number of seats, or by 32,768 or more in step=2999",
    2: "a power exceeds 64 bits in step=2999,inside=1: komi computes with 64-bit integers",
    3: r"line \d+: IndexError: tuple index out of range in step=2999,inside=1\.",
    4: "the probabilities of 'chance' do not sum to 1 in step=2999,inside=1",
    5: r"the payoffs of the 2 seats do not sum to 1 \(.*\) in step=3000",
    6: r"the payoff is not from 0 to 1 \(.*\) in step=3000",
    7: r"the payoff is not from 0 to 1 \(.*\) in step=3000",
    8: r"the payoffs of the 2 seats do not sum to 1 \(.*\) in step=3000",
    10: "UnboundLocalError: .*share.* in step=3000",
    9: "'legal' yields 65537 in step=2999,inside=0, which is not an action",
}


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("is_transient", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_a_fault_far_from_the_start_is_refused(tmp_path: Path, fault: int, is_transient: bool) -> None:
    path = tmp_path / "late.py"
    path.write_text(LATE + TRANSIENT * is_transient)
    steps = 30 if is_transient else 3000
    message = FAULTS[fault].replace("2999", str(steps - 1)).replace("3000", str(steps))
    with pytest.raises(komi.GameError, match=message):
        komi.solve(str(path), fault=fault, steps=steps)


def test_payoffs_of_three_seats_that_do_not_sum_to_1_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "late.py"
    path.write_text(LATE)
    with pytest.raises(komi.GameError, match=r"the payoffs of the 3 seats do not sum to 1 \(.*\) in step=3000"):
        komi.solve(str(path), fault=5, seats=3)


@pytest.mark.slow
@pytest.mark.usefixtures("compiled_rules")
def test_overflow_of_a_policy_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "late.py"
    policy = "\n\ndef bold(rules, state):\n    return 1 if (state.step + 2000) ** 6 > 0 else 0\n"
    path.write_text(LATE + policy + "\n\npolicies = (bold,)\n")
    with pytest.raises(komi.GameError, match=r"late\.py: a power exceeds 64 bits"):
        komi.match(str(path), f"{path}:bold", "random")
