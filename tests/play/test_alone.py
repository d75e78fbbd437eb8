"""Players who do not get in each other's way: the game is solved for one, and played by several."""

import random
from pathlib import Path

import pytest

import komi
from komi.errors import SolveError
from komi.play import opponent_players, opponents
from komi.play.strengths import strengths
from komi.play.table import Table
from komi.policies.single_player import single_player_state
from komi.rules import catalog
from komi.solvers.solve import is_solvable

FILE = Path(__file__).parents[1] / "games" / "two_cards.py"
GAME = catalog.find(str(FILE))


def test_what_several_play_is_not_solved_and_what_to_do_is_said() -> None:
    assert not is_solvable(GAME, GAME.default_rules)
    assert is_solvable(GAME, GAME.rules({"players": 1}))
    with pytest.raises(SolveError, match=r"so komi solves the game of a single player: set players=1\.$"):
        komi.solve(GAME)


def test_optimal_takes_the_actions_that_are_best_alone() -> None:
    rules, solution = GAME.default_rules, komi.solve(GAME, players=1)
    hard = opponents.find("optimal", GAME, rules)
    player = opponent_players.create_player(hard, GAME, rules, opponent_players.solve_for_opponents(GAME, rules))
    chance, compared = random.Random(0), 0
    for _ in range(20):
        table = Table(GAME, rules)
        while not table.is_over:
            if table.events:
                table.enter(chance.choice(table.events).label)
                continue
            own = single_player_state(GAME, solution.rules, table.state)
            assert player.choose(table.state, chance.random()) == GAME.labels(rules, own)[solution.best(own)]
            compared += table.state.other_points > 0
            table.enter(chance.choice(list(table.actions)))
    assert compared


def test_several_can_be_simulated() -> None:
    seen = komi.simulate(GAME, 2000, seed=1)
    assert sum(seat.mean for seat in seen.wins) == pytest.approx(1)


def test_opponents_are_there_if_the_game_names_none() -> None:
    easy, hard = opponents.levels(GAME, GAME.default_rules)
    assert (easy.policy, hard.policy) == ("random", "optimal")
    solution = opponent_players.solve_for_opponents(GAME, GAME.default_rules)
    [strength] = strengths(GAME, GAME.default_rules, solution, [easy, hard])
    assert (strength.a, strength.b) == ("hard", "easy")
    assert strength.low > 0.5


def test_yahtzee_for_two_is_played_by_three() -> None:
    game = catalog.find("yahtzee")
    assert [one.policy for one in opponents.levels(game, game.rules({"players": 2}))] == [
        "first_roll",
        "most_alike",
        "optimal",
    ]
    assert opponents.levels(game, game.default_rules) == ()
