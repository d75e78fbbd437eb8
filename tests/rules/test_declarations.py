"""A rule file declares each part of the protocol in its form; a helper with the name of a part stays a helper."""

from pathlib import Path

import pytest

import komi
from komi.rules import declarations

import rulefiles

OPTIONAL = sorted((declarations.SIGNATURES.keys() | declarations.VALUES) - set(declarations.REQUIRED))
HELPER = """
def {name}(first, rules, second, third, fourth, fifth):
    return first + second


def start("""


def with_helper(folder: Path, name: str, call: str) -> str:
    used = "State(rival, score, 0), 1\n    for", f"State(rival, score, {call}), 1\n    for"
    return str(rulefiles.write(folder, ("\ndef start(", HELPER.format(name=name)), used))


@pytest.mark.parametrize("name", OPTIONAL)
def test_a_helper_stays_a_helper_when_the_protocol_has_its_name(tmp_path: Path, name: str) -> None:
    game = komi.find(with_helper(tmp_path, name, f"{name}(0, 0, 0, 0, 0, 0)"))
    assert not game.has(name)


@pytest.mark.parametrize("name", ["reward", "view", "possible", "faces"])
def test_a_part_in_another_form_that_nothing_uses_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(komi.GameError, match=f"'{name}' is a part of the protocol"):
        komi.find(with_helper(tmp_path, name, "0"))


def test_games_with_helpers_are_solved_as_without(tmp_path: Path) -> None:
    path = with_helper(tmp_path, "reward", "reward(0, 0, 0, 0, 0, 0)")
    (tmp_path / "plain").mkdir()
    assert komi.solve(path).value() == komi.solve(str(rulefiles.write(tmp_path / "plain"))).value()


def test_a_field_without_a_type_is_named(tmp_path: Path) -> None:
    path = rulefiles.write(tmp_path, ("    goal: int = 5\n", "    goal = 5\n"))
    with pytest.raises(komi.GameError, match="'goal' of Rules has no type: write 'goal: int = 5'"):
        komi.find(str(path))


def test_a_part_with_other_parameters_is_shown(tmp_path: Path) -> None:
    path = rulefiles.write(tmp_path, ("def payoff(rules, state):", "def payoff(rules):"))
    with pytest.raises(
        komi.GameError, match=r"'payoff' must be a function `payoff\(rules, state\)`, not `payoff\(rules\)`"
    ):
        komi.find(str(path))
