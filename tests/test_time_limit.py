"""Rules that do not end are stopped, and reported with the function and the state, before anything is compiled."""

import re
import time
from pathlib import Path

import pytest

import komi
from komi import time_limit

import rulefiles

ENDLESS = {  # what does not end: (replacements, part of the error)
    "a loop from the start on": (
        [("    return state.rival >=", "    while True:\n        pass\n    return state.rival >=")],
        r"sprint\.py, line 4\d: 'over' does not end within .* in score=0,rival=0,turn=0",
    ),
    "a loop later on": (
        [("    score, rival, turn = state\n", "    score, rival, turn = state\n    while turn == 3:\n        pass\n")],
        r"sprint\.py, line 3\d: 'outcomes' does not end within .* in score=0,rival=0,turn=3",
    ),
    "actions without an end": (
        [("    yield HOLD\n", "    while True:\n        yield HOLD\n")],
        r"sprint\.py: 'legal' yields more than 1,000 times in score=0,rival=0,turn=0",
    ),
}


@pytest.mark.parametrize(("replacements", "sentence"), ENDLESS.values(), ids=ENDLESS)
@pytest.mark.parametrize("command", ["solve", "simulate", "check"])
def test_rules_that_do_not_end_are_reported_with_the_state(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    command: str,
    replacements: list[tuple[str, str]],
    sentence: str,
) -> None:
    monkeypatch.setenv("KOMI_RULE_SECONDS", "0.3")
    monkeypatch.setattr("komi.rules.interpreter.MAX_YIELDED", 1000)
    path = str(rulefiles.write(tmp_path, *replacements))
    if command == "check":
        [problem] = komi.check(path).problems
        assert re.search(sentence, str(problem))
    else:
        with pytest.raises(komi.GameError, match=sentence):
            komi.solve(path) if command == "solve" else komi.simulate(path, 10)


def test_calls_that_end_in_time_are_left_alone_whatever_their_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KOMI_RULE_SECONDS", "0.2")
    limit = time_limit.TimeLimit()
    end = time.process_time() + 1
    while time.process_time() < end:
        with limit:
            time.process_time()


@pytest.mark.parametrize("seconds", ["x", "0", "-1", "nan"])
def test_an_invalid_time_is_refused(monkeypatch: pytest.MonkeyPatch, seconds: str) -> None:
    monkeypatch.setenv("KOMI_RULE_SECONDS", seconds)
    with pytest.raises(komi.InputError, match="KOMI_RULE_SECONDS must be a number of seconds above 0"):
        komi.check("piglet")


def test_nothing_is_raised_after_the_call() -> None:
    limit = time_limit.TimeLimit()
    with limit:
        limit._raised = True  # as if the call had been given up in its last moment
    assert not limit._raised
