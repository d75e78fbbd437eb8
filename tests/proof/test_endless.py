"""Certificates of games whose value depends on what an endless game counts: both values are proved."""

from pathlib import Path
from typing import Any

import pytest

import komi

import certificates

STAY = """
from typing import NamedTuple
players = 1
class Rules(NamedTuple):
    end: int = 2
class State(NamedTuple):
    place: int
def start(rules):
    return State(1)
def legal(rules, state):
    yield 0
    yield 1
def outcomes(rules, state, action):
    yield 1, State(state.place + action), 0
def over(rules, state):
    return state.place == rules.end
def payoff(rules, state):
    return 1 / 2
"""
ONLY_STAY = STAY.replace("    yield 1\n\ndef", "\ndef").replace("    yield 0\n    yield 1\n", "    yield 0\n")
VISITOR = """
from typing import NamedTuple
players = 2
class Rules(NamedTuple):
    end: int = 9
class State(NamedTuple):
    place: int
def start(rules):
    return State(1)
def legal(rules, state):
    yield 0
def outcomes(rules, state, action):
    yield 1, State(2), 2 - state.place
def over(rules, state):
    return state.place == rules.end
def payoff(rules, state):
    return 0
"""


def check(file: Path, source: str, endless: int | None, low: int, high: int, **fields: Any) -> int:
    """Return the exit status of a certificate with one stored state, in units of 1 / 1024."""
    claim: dict[str, Any] = {"states": [[1]], "lower": [low], "gap": [high - low], "interval": [low, high]}
    return certificates.check(certificates.with_rules(file, source, endless=endless, **{**claim, **fields}))[1]


def test_both_values_are_proved(tmp_path: Path) -> None:
    file = tmp_path / "game.cert"
    assert check(file, STAY, 0, 511, 512) == 0
    assert check(file, STAY, 1, 1024, 1024) == 0


def test_the_values_are_told_apart(tmp_path: Path) -> None:
    file = tmp_path / "game.cert"
    for endless, low, high in (
        (None, 511, 512),
        (1, 511, 512),
        (0, 511, 511),
        (0, 600, 700),
        (0, 1024, 1024),
        (2, 511, 512),
    ):
        assert check(file, STAY, endless, low, high) != 0, (endless, low, high)


WRONG: dict[str, tuple[str, str, str, int, dict[str, Any]]] = {
    "a value may be less than the least payoff": (
        "max(high, self.least)",
        "high",
        ONLY_STAY,
        0,
        {"lower": [-6], "gap": [1], "interval": [-6, -5]},
    ),
    "a value may be more than the greatest payoff": (
        "min(low, self.greatest)",
        "low",
        ONLY_STAY,
        1,
        {"lower": [2000], "gap": [1], "interval": [2000, 2001]},
    ),
    "a value may be held for ever": (
        "lower + (self.endless[seat] != self.greatest)",
        "lower",
        STAY,
        0,
        {"lower": [600], "gap": [100], "interval": [600, 700]},
    ),
    "an endless game counts the same for both players": (
        "abs(endless - (each != self.seat))",
        "endless",
        VISITOR,
        0,
        {"states": [[2]], "seats": [1], "lower": [0], "gap": [100], "interval": [924, 1024]},
    ),
}


@pytest.mark.parametrize(("old", "new", "source", "endless", "fields"), WRONG.values(), ids=WRONG)
def test_each_condition_about_endless_games_is_needed(
    old: str, new: str, source: str, endless: int, fields: dict[str, Any], tmp_path: Path
) -> None:
    file = certificates.with_rules(tmp_path / "game.cert", source, endless=endless, **{"states": [[1]], **fields})
    assert certificates.check(file)[1] == 1
    result, status = certificates.check(file, certificates.mutated(old, new))
    assert status == 0, result


@pytest.mark.slow
def test_both_values_of_a_game_that_is_refused_are_proved(run: Any, tmp_path: Path) -> None:
    game, file = Path(__file__).parents[1] / "games" / "stand_off.py", tmp_path / "game.cert"
    proof = komi.prove(game, file)
    assert [claim.endless for claim in proof.claims] == [0, 1]
    assert certificates.check(file)[1] == 0
    assert [round(claim.lower, 9) for claim in proof.claims] == [0.4, 0.6]
    assert "if an endless game counts 0 for the first player, is from 0.39999" in " ".join(
        run("verify", file).out.split()
    )
    refused = run("solve", game)
    assert (refused.code, refused.err.count("\n")) == (2, 1)
    assert "`komi prove` proves both values" in refused.err
