"""Races at tables of two to four: nothing changes for two, and more are what the rule book says."""

from fractions import Fraction

import pytest

from games import reference, twins
from komi.errors import InputError
from komi.rules import catalog

ROLL, HOLD = range(2)


def hold_at(rules, points):
    return lambda state: {HOLD if state.turn >= points or state.score + state.turn >= rules.goal else ROLL: Fraction(1)}


@pytest.mark.parametrize("players", [2, 3, 4])
def test_holding_at_five_wins_as_often_as_the_twin_says(players: int) -> None:
    game = catalog.find("pig")
    rules = game.rules({"goal": 8, "players": players})
    values = reference.evaluate(game, rules, hold_at(rules, 5))
    assert list(values[game.part("start")(rules)]) == twins.race_of_seats(8, players, 5)


def test_published_piglet_holds_with_two() -> None:
    game = catalog.find("piglet")
    rules = game.rules({"goal": 2})
    policy = reference.equilibrium(game, rules)
    published = {(0, 0, 0): "4/7", (0, 0, 1): "5/7", (0, 1, 0): "2/5", (0, 1, 1): "3/5", (1, 0, 0): "4/5",
                 (1, 1, 0): "2/3"}  # fmt: skip
    for fields, value in published.items():
        state = game.module.State(*fields)
        values = reference.evaluate(game, rules, lambda state: {policy[state]: Fraction(1)}, state)
        assert values[state][0] == Fraction(value)
    assert reference.regrets(game, rules, lambda state: {policy[state]: Fraction(1)}) == [0, 0]


def test_three_at_piglet_have_an_equilibrium() -> None:
    game = catalog.find("piglet")
    rules = game.rules({"goal": 2, "players": 3})
    policy = reference.equilibrium(game, rules)
    mix = lambda state: {policy[state]: Fraction(1)}  # noqa: E731
    values = reference.evaluate(game, rules, mix)[game.part("start")(rules)]
    assert sum(values) == 1
    assert values[0] > values[1] > values[2]
    assert reference.regrets(game, rules, mix) == [0, 0, 0]


def test_who_plays_badly_at_a_table_of_three_could_gain() -> None:
    game = catalog.find("piglet")
    rules = game.rules({"goal": 3, "players": 3})
    regrets = reference.regrets(game, rules, hold_at(rules, 1))
    assert all(regret >= 0 for regret in regrets)
    assert max(regrets) > 0


@pytest.mark.parametrize("name", ["pig", "piglet", "pass-the-pigs"])
def test_seats_that_no_one_takes_are_not_shown(name: str) -> None:
    game = catalog.find(name)
    two, three = game.rules({"komi": 2}), game.rules({"komi": 2, "players": 3})
    assert game.write(two, game.part("start")(two)) == "score=0,rival=2,turn=0"
    assert game.write(three, game.part("start")(three)) == "score=0,rival=2,turn=0,rival2=4"
    assert game.read(three, "rival2=3") == game.module.State(0, 2, 0, 3)
    with pytest.raises(
        InputError, match=r"has no field 'rival2' \(did you mean 'rival'\?\); its fields are score, rival, turn"
    ):
        game.read(two, "rival2=3")


@pytest.mark.parametrize(("players", "komi"), [(2, 99), (3, 49), (4, 33)])
def test_komi_leaves_every_player_below_the_goal(players: int, komi: int) -> None:
    game = catalog.find("pig")
    rules = game.rules({"players": players, "komi": komi})
    assert game.possible(rules, game.part("start")(rules))
    with pytest.raises(InputError, match=f"komi of pig must be 0 to {komi}(| with players={players}), not {komi + 1}"):
        game.rules({"players": players, "komi": komi + 1})


def test_the_turn_goes_round() -> None:
    game = catalog.find("pig")
    rules = game.rules({"players": 4})
    state = game.module.State(1, 2, 6, 3, 4)
    [(_, after, passes)] = game.outcomes(rules, state, HOLD)
    assert (after, passes) == (game.module.State(2, 3, 0, 4, 7), 1)
    assert game.payoffs(rules, game.module.State(2, 3, 0, 4, 100)) == (0, 0, 0, 1)
