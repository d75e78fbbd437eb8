"""Who is Easy and who is Medium is a matter of how strong they are, found out when a game is first met."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from komi.errors import GameError
from komi.play import opponents, strengths
from komi.play.opponent_players import solve_if_solvable
from komi.play.opponents import available
from komi.play.ranking import order_by_strength
from komi.play.strengths import rank
from komi.rules import catalog

import rulefiles

TWISTED = """

def opponents(rules):
    yield "hold-at:3", "Holds with three points."
    yield "random", "Picks any legal move."
    yield "optimal", "Plays optimally."
"""


@given(st.permutations("abcdef"), st.randoms(use_true_random=False))
def test_no_opponent_beats_the_next_one_in_any_order(policies, chance):
    winner = {frozenset((a, b)): chance.choice((a, b, None)) for a in "abcdef" for b in "abcdef" if a < b}
    order = order_by_strength(tuple(policies), lambda one, other: winner[frozenset((one, other))] == one)
    assert sorted(order) == list("abcdef")
    assert all(winner[frozenset(pair)] != pair[0] for pair in pairwise(order))


def test_where_none_beats_another_the_order_stays():
    assert order_by_strength(("b", "c", "a"), lambda one, other: False) == ("b", "c", "a")


def twisted(folder):
    path = rulefiles.write(folder)
    path.write_text(path.read_text() + TWISTED)
    return catalog.find(str(path))


@pytest.mark.slow
def test_opponents_are_in_the_order_of_how_strong_they_turn_out_to_be(tmp_path):
    game = twisted(tmp_path)
    rules = game.default_rules
    assert [each.policy for each in available(game, rules)] == ["hold-at:3", "random", "optimal"]  # not yet found out
    solution = solve_if_solvable(game, rules)
    rank(game, rules, solution)
    levels = available(game, rules)
    assert [(each.name, each.policy) for each in levels] == [
        ("easy", "random"),
        ("medium", "hold-at:3"),
        ("hard", "optimal"),
    ]
    assert all(strength.average >= 0.5 for strength in strengths.strengths(game, rules, solution, levels))


@pytest.mark.slow
def test_strengths_are_found_out_once(tmp_path, monkeypatch):
    game = twisted(tmp_path)
    solution = solve_if_solvable(game, game.default_rules)
    rank(game, game.default_rules, solution)
    monkeypatch.setattr(strengths, "_strength", None)
    rank(game, game.default_rules, solution)


@pytest.mark.slow
def test_simulated_strengths_are_those_of_exact_matches(tmp_path, monkeypatch):
    game = twisted(tmp_path)
    rules = game.default_rules
    solution, levels = solve_if_solvable(game, rules), available(game, rules)
    exact = strengths.strengths(game, rules, solution, levels)
    monkeypatch.setattr(strengths, "MAX_STATES", 0)
    for one, other in zip(exact, strengths.strengths(game, rules, solution, levels), strict=True):
        assert (one.a, one.b, one.games, other.games) == (other.a, other.b, 0, strengths.SIMULATED_GAMES)
        assert other.average == pytest.approx(one.average, abs=0.015)


def test_the_hardest_there_is_is_the_opponent_that_no_one_names(tmp_path):
    path = rulefiles.write(tmp_path)
    path.write_text(f"{path.read_text()}\n\ndef view(rules, state):\n    return state._replace(rival=0)\n")
    game = catalog.find(str(path))  # which is not solved
    assert [each.name for each in available(game, game.default_rules)] == ["easy"]
    assert opponents.find(None, game, game.default_rules).name == "easy"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ('    yield "random"\n', "sprint.py: 'opponents' must yield pairs"),
        (
            "".join(f'    yield "hold-at:{n}", "."\n' for n in range(1, 5)),
            "sprint.py: 'opponents' yields 4 pairs, more",
        ),
    ],
)
def test_invalid_opponents_are_reported(tmp_path, text, complaint):
    path = rulefiles.write(tmp_path)
    path.write_text(f"{path.read_text()}\n\ndef opponents(rules):\n{text}")
    game = catalog.find(str(path))
    with pytest.raises(GameError, match=complaint):
        available(game, game.default_rules)
