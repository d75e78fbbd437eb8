"""A new kind of policy is one class: it is matched, simulated and played against without a word elsewhere."""

from pathlib import Path

import numpy as np
import pytest

import komi
from komi.errors import GameError, SolveError
from komi.evaluation.compare import compare_policies
from komi.evaluation.two_player import match_two_player
from komi.play.opponent_players import Player
from komi.policies import named, published
from komi.policies.from_files import from_file
from komi.policies.functions import FunctionPolicy, interpreted
from komi.policies.named import find, find_or_solve
from komi.policies.table import TablePolicy
from komi.policies.tabulate import tabulate
from komi.rules import catalog
from komi.rules.interface import legal, outcomes
from komi.solvers.solve import solve
from policies.linear import Linear, Mixed

GAMES = Path(__file__).parents[1] / "games"
FIELDS = len(komi.find("pig").module.State._fields)
HOLD_AT_SIX = np.zeros((2, FIELDS + 1))
HOLD_AT_SIX[1, [2, -1]] = 1.0, -5.5  # holds where the turn total is above 5.5


@pytest.fixture(scope="module")
def pig():
    return solve("pig", goal=20)


def holds_at_six(rules, state):
    """Hold at six points, the rule that the weights express."""
    return 1 if state.turn >= 6 or state.score + state.turn >= rules.goal else 0


def test_a_policy_with_an_array_of_weights_is_matched(pig):
    linear, rule = Linear("linear", HOLD_AT_SIX), FunctionPolicy("rule", holds_at_six)
    optimal = find("optimal", pig)
    assert match_two_player(pig, linear, optimal).average == pytest.approx(
        match_two_player(pig, rule, optimal).average, abs=1e-12
    )


@pytest.mark.parametrize("text", ["hold-at:6", "cautious:2", "keep-pace"])
def test_a_published_policy_needs_no_solution(pig, text, monkeypatch):
    with_solution = find(text, pig)
    monkeypatch.setattr(named, "solve_with_policy", lambda *_, **__: pytest.fail("solved"))
    assert find_or_solve(text, pig.game, pig.rules._asdict()) == with_solution


@pytest.mark.slow
def test_a_policy_with_an_array_of_weights_is_simulated(pig):
    policies = [Linear("linear", HOLD_AT_SIX), "optimal"]
    rule = [FunctionPolicy("rule", holds_at_six), "optimal"]
    seen, expected = (komi.simulate("pig", 2000, policies=each, seed=3, goal=20) for each in (policies, rule))
    assert seen.turns_histogram == expected.turns_histogram
    assert seen.wins == expected.wins


@pytest.mark.slow
def test_other_weights_have_the_same_code(pig):
    """Arrays are given to compiled code, not compiled into it."""
    seen = [
        komi.simulate("pig", 500, policies=Linear("linear", weights), goal=20).actions.mean
        for weights in (HOLD_AT_SIX, 2 * HOLD_AT_SIX, HOLD_AT_SIX - [[0.0], [1.0]])
    ]
    assert seen[0] == seen[1] != seen[2]


def test_a_policy_with_an_array_of_weights_is_played_against(pig):
    chooser = Player(pig.game, pig.rules, Linear("linear", HOLD_AT_SIX))
    table = tabulate(chooser.policy, pig.compiled, pig.rules, pig.optimal_play.states)
    for index in range(0, pig.states, 7):
        state = pig.game.module.State(*pig.optimal_play.states.fields(index))
        assert chooser.choose(state, 0.5) == table[index]


def test_a_policy_that_mixes_can_be_simulated_and_played_and_says_why_not_matched(pig):
    game = catalog.find(str(GAMES / "matching_pennies.py"))
    heads = komi.simulate(game, 40_000, policies=[Mixed("mixed", 0.25), Mixed("other", 0.9)], seed=2)
    assert heads.wins[1].mean == pytest.approx(0.25 * 0.9 + 0.75 * 0.1, abs=4 * heads.wins[1].stderr)
    chooser, start = Player(game, game.default_rules, Mixed("mixed", 0.25)), game.part("start")(game.default_rules)
    assert [chooser.choose(start, luck) for luck in (0.2, 0.3)] == [1, 0]
    with pytest.raises(SolveError, match="policy mixed chooses at random: it can only be simulated"):
        match_two_player(pig, Mixed("mixed", 0.5), find("optimal", pig))


def test_every_action_of_a_table_is_looked_at(pig):
    actions = np.zeros_like(pig.optimal_play.choices)
    with pytest.raises(GameError, match=r"policy rolls takes action 0 in score=.*, where only hold can be taken"):
        match_two_player(pig, TablePolicy("rolls", pig.optimal_play.states, actions), find("optimal", pig))


ASKED_OF_CHANCE = """\
def careful(rules, state):
    return 1 // state.face - 1 + 1  # fails before the coin has fallen


def lover(rules, state, action):
    return action // state.face
"""


@pytest.fixture
def careful(tmp_path):
    (tmp_path / "mine.py").write_text(ASKED_OF_CHANCE)
    return f"{tmp_path}/mine.py:careful"


@pytest.mark.slow
def test_policies_are_not_requested_where_only_chance_moves(careful):
    forced = solve(str(GAMES / "forced_roll.py"))
    policy, optimal = find(careful, forced), find("optimal", forced)
    assert 0.0 < match_two_player(forced, policy, optimal).average <= 0.5
    assert 0.0 <= compare_policies(forced, policy, optimal).real_states <= 1.0
    assert komi.simulate(forced.game, 1000, policies=careful).games == 1000
    assert komi.simulate(forced.game, 1000, policies=careful.replace("careful", "lover")).games == 1000


def test_what_is_wrong_with_a_policy_is_not_looked_for_where_only_chance_moves(tmp_path):
    late = "def late(rules, state):\n    return 0 * (1 // state.face // (state.rival - 3))\n"
    (tmp_path / "mine.py").write_text(late)
    forced = solve(str(GAMES / "forced_roll.py"))
    with pytest.raises(GameError, match=r"mine.py, line 2: ZeroDivisionError: .* in score=\d+,rival=3,face=[12]"):
        match_two_player(forced, find(f"{tmp_path}/mine.py:late", forced), find("optimal", forced))


def test_file_with_one_policy_needs_no_name(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text("from komi.rules.interface import over\n\n\ndef first(rules, state):\n    return _first()\n\n\n")
    file.write_text(file.read_text() + "def _first():\n    return 0\n")
    assert from_file(str(file)).function.__name__ == "first"
    file.write_text(file.read_text() + "\n\ndef last(rules, state):\n    return 1\n")
    with pytest.raises(komi.InputError, match=r"mine.py has several policies: write one of \S+mine.py:first, \S+:last"):
        from_file(str(file))
    file.write_text("")
    with pytest.raises(komi.InputError, match=r"mine.py has no function \(rules, state\), which a policy is"):
        from_file(str(file))


def likely(rules, state):
    """Return the action with the fewest outcomes."""
    fewest, choice = 100, -1
    for action in legal(rules, state):
        count = 0
        for _ in outcomes(rules, state, action):
            count += 1
        if count < fewest:
            fewest, choice = count, action
    return choice


def test_functions_of_the_rulebook_are_the_games_own_interpreted_too(pig):
    rules, states = pig.rules, pig.optimal_play.states
    for rule in (FunctionPolicy("likely", likely), find("cautious:2", pig), find("hold-at:6", pig)):
        table = tabulate(rule, pig.compiled, rules, states)
        for index in range(0, states.size, 13):
            state = pig.game.module.State(*states.fields(index))
            assert rule.choose(pig.game, rules, state, 0.5) == table[index]


def test_interpreting_leaves_the_function_as_it_was(pig):
    interpreted(published.cautious, pig.game)
    with pytest.raises(NotImplementedError):
        published.cautious(pig.rules, pig.game.part("start")(pig.rules), 1, 2)


@pytest.mark.slow
def test_tables_with_other_layouts_of_the_states_sit_at_one_table(pig):
    states, choices = pig.optimal_play.states, pig.optimal_play.choices
    wide = states.converted(states.layout.widened_to((99,) * FIELDS), dense=False)
    tables = TablePolicy("own", states, choices), TablePolicy("wide", wide, choices)
    seen = [komi.simulate("pig", 3000, policies=each, seed=4, goal=20) for each in (tables, tables[::-1], tables[0])]
    assert seen[0].wins == seen[1].wins == seen[2].wins


@pytest.mark.slow
def test_a_table_may_leave_it_to_chance(pig):
    anything = TablePolicy("anything", pig.optimal_play.states, np.full(pig.states, -2, np.int16))
    seen, random = (komi.simulate("pig", 3000, policies=each, seed=5, goal=20) for each in (anything, "random"))
    assert seen.turns_histogram == random.turns_histogram
