"""Environments of PettingZoo: its own checks for every game."""

import numpy as np
import pytest
from pettingzoo.test import api_test, render_test, seed_test

import komi
import komi.pettingzoo
from komi.errors import InputError

from playable import GAMES
from slowly import slowly


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.filterwarnings("ignore")  # of PettingZoo, about observations that are not arrays
def test_every_game_passes_the_checks_of_pettingzoo(name: str) -> None:
    api_test(komi.pettingzoo.env(name), num_cycles=50)
    seed_test(lambda: komi.pettingzoo.env(name), num_cycles=20)


@pytest.mark.parametrize("name", ["pig", *slowly("traffic-lights")])
def test_games_are_rendered(name: str) -> None:
    render_test(lambda render_mode: komi.pettingzoo.env(name, render_mode=render_mode))


def test_payoffs_arrive_when_they_are_requested() -> None:
    env = komi.pettingzoo.env("pig", goal=10, players=3)
    env.reset(seed=1)
    returns = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, over, truncated, info = env.last()
        returns[agent] += reward
        assert not truncated
        env.step(None if over else int(info["action_mask"].argmax()))
        if not over:
            assert (observation["action_mask"] == info["action_mask"]).all()
    assert sorted(returns.values()) == [0.0, 0.0, 1.0]


@pytest.mark.slow
def test_others_see_the_table_from_their_side() -> None:
    env = komi.pettingzoo.RawEnv("red7")
    env.reset(seed=1)
    views = [env.observe(agent) for agent in env.possible_agents]
    assert [bool(view["action_mask"].any()) for view in views] == [True, False, False]
    game, rules, state = env._batch.game, env._batch.rules, env._batch.state(0)
    for seat, view in enumerate(views):
        turned, seen = game.turned(rules, state, seat), tuple(view["observation"].tolist())
        assert seen == game.part("view")(rules, turned)[: len(seen)] != turned[: len(seen)]


def test_games_are_truncated_after_the_cycles() -> None:
    env = komi.pettingzoo.env("pig", max_cycles=3)
    env.reset(seed=1)
    taken = dict.fromkeys(env.possible_agents, 0)
    for agent in env.agent_iter():
        _, _, over, truncated, info = env.last()
        taken[agent] += not (over or truncated)
        env.step(None if over or truncated else int(np.flatnonzero(info["action_mask"])[-1]))
    assert truncated
    assert min(taken.values()) == 3


def test_errors_are_sentences() -> None:
    with pytest.raises(InputError, match="the render mode must be"):
        komi.pettingzoo.env("pig", render_mode="film")
    with pytest.raises(InputError, match="max_cycles must be 1 or more, not 0"):
        komi.pettingzoo.env("pig", max_cycles=0)
    env = komi.pettingzoo.env("pig")
    env.reset(seed=1)
    with pytest.raises(InputError, match="action 5 is not legal now; legal are"):
        env.step(5)
