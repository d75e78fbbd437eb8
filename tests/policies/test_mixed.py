"""Mixed strategies are played as often as they say, by players who do not see what is hidden."""

from pathlib import Path

import numpy as np
import pytest

import komi
from komi import SolveError
from komi.evaluation.two_player import match_two_player
from komi.play import opponent_players, opponents
from komi.policies.mixed import MixedPolicy
from komi.policies.named import find

PENNIES = Path(__file__).parents[1] / "games" / "matching_pennies.py"
LUCKS = (np.arange(1000) + 0.5) / 1000


@pytest.fixture(scope="module")
def pennies():
    return komi.solve(str(PENNIES))


def test_hard_mixes_where_both_choose_at_once(pennies):
    game, rules = pennies.game, pennies.rules
    easy, hard = opponents.available(game, rules)
    assert (easy.policy, hard.policy) == ("random", "optimal")
    player = opponent_players.create_player(hard, game, rules, pennies)
    for state in (game.part("start")(rules), game.read(rules, "chosen=1"), game.read(rules, "chosen=2")):
        assert np.mean([player.choose(state, luck) for luck in LUCKS]) == pytest.approx(0.5, abs=1e-9)


@pytest.mark.slow
def test_no_one_does_better_against_optimal_play_than_optimal_play(pennies, tmp_path):
    (tmp_path / "mine.py").write_text("def heads(rules, state):\n    return 0\n")
    for rival in ("random", f"{tmp_path}/mine.py:heads"):
        seen = komi.simulate(pennies.game, 20_000, policies=["optimal", rival], seed=7)
        assert seen.wins[0].mean == pytest.approx(0.5, abs=4 * seen.wins[0].stderr)


@pytest.mark.slow
def test_shares_are_drawn_alike_compiled_and_interpreted(pennies):
    game, rules, states = pennies.game, pennies.rules, pennies.data.states
    policy = MixedPolicy.of("quarter", pennies.compiled, rules, states, np.tile([0.25, 0.75], (states.size, 1)))
    assert np.mean([policy.choose(game, rules, game.part("start")(rules), luck) for luck in LUCKS]) == 0.75
    seen = komi.simulate(game, 20_000, policies=[policy, "random"], seed=8)
    assert seen.wins[0].mean == pytest.approx(0.5, abs=4 * seen.wins[0].stderr)
    same = komi.simulate(game, 20_000, policies=policy, seed=8)
    assert same.wins[1].mean == pytest.approx(0.75**2 + 0.25**2, abs=4 * same.wins[1].stderr)


@pytest.mark.slow
def test_a_view_need_not_be_a_state_of_play(tmp_path):
    text = PENNIES.read_text().replace("return State(1, 0) if", "return State(9, 0) if")
    (tmp_path / "other.py").write_text(text)
    solution = komi.solve(str(tmp_path / "other.py"))
    policy = find("optimal", solution)
    game, rules = solution.game, solution.rules
    drawn = [policy.choose(game, rules, game.module.State(9, 0), luck) for luck in LUCKS]
    assert np.mean(drawn) == pytest.approx(0.5, abs=1e-9)
    assert komi.simulate(game, 2000, policies="optimal").games == 2000


def test_mixed_strategies_are_not_tables(pennies):
    with pytest.raises(SolveError, match="in matching-pennies players choose at the same time"):
        match_two_player(pennies, find("optimal", pennies), find("random", pennies))
