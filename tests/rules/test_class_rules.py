"""Games that are defined as a class or imported as a module, in place of a rule file."""

# ruff: noqa: F821, N805  # functions use the names of the class around them, which becomes a module

import json
import math
from typing import NamedTuple

import pytest

import komi
from komi.game import CHANCE
from komi.games import pig
from komi.games.red7 import rules as red7

MAX_GOAL = 50
PLAYERS = [2]


def doubled(number):
    return number + number


class CoinRace:
    """Coin race: flip a coin as often as you dare."""

    actions = ("flip", "stop")
    FLIP, STOP = range(2)
    players = 2

    class Rules(NamedTuple):
        goal: int = 5  # points to win

    class State(NamedTuple):
        score: int = 0
        rival: int = 0
        turn: int = 0

    @staticmethod
    def start(rules):
        return State()

    def legal(rules, state):
        yield FLIP
        if state.turn > 0:
            yield STOP

    def outcomes(rules, state, action):
        if action == STOP:
            yield 1.0, State(state.rival, min(rules.goal, state.score + state.turn), 0), 1
        else:
            yield 0.5, state._replace(turn=state.turn + doubled(1)), 0
            yield 0.5, State(state.rival, state.score, 0), 1

    def over(rules, state):
        return state.rival >= rules.goal

    def payoff(rules, state):
        return 0.0 if CHANCE else 1.0

    def limits(rules):
        return Rules(goal=(1, MAX_GOAL))


class ListOutside:
    def players(rules):
        return PLAYERS[0]


def test_class_becomes_a_rule_file_with_the_names_that_it_uses():
    game = komi.find(CoinRace)
    assert (game.name, game.summary) == ("coin-race", "Coin race: flip a coin as often as you dare.")
    rules = game.rules({"goal": 4})
    start = game.read(rules, "score=1,turn=2")
    outcomes = list(game.outcomes(rules, start, game.labels(rules, start)["flip"]))
    assert outcomes == [(0.5, (1, 0, 4), 0), (0.5, (0, 1, 0), 1)]
    assert list(game.limits(rules).goal) == [1, MAX_GOAL]
    assert "# points to win" in game.file.read_text()


def test_same_class_is_the_same_game():
    assert komi.find(CoinRace) is komi.find(CoinRace)
    assert komi.find(komi.find(CoinRace)) is komi.find(CoinRace)


def test_imported_modules_are_games(tmp_path):
    assert komi.find(pig) is komi.find("pig")
    assert komi.find(red7) is komi.find("red7")


def test_class_that_uses_a_list_is_refused():
    with pytest.raises(komi.GameError, match=r"class ListOutside uses 'PLAYERS' from outside, a list"):
        komi.find(ListOutside)


@pytest.mark.parametrize(
    ("game", "sentence"),
    [
        (int, "class int is not a game"),
        (math, "module math has no rule file"),
        (json, r"there is no file .*json.rules\.py"),
        (7, "a game is a name, .* not 7"),
    ],
)
def test_anything_else_is_refused_with_a_sentence(game, sentence):
    with pytest.raises(komi.KomiError, match=sentence):
        komi.find(game)
