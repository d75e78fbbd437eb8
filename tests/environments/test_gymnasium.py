"""Environments of Gymnasium: its own checks for every game, and returns that are komi's values."""

from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import komi
import komi.gymnasium
from komi import environments
from komi.errors import GameError, InputError
from komi.rules import catalog

from playable import FOLDER, GAMES


def values(transitions: dict[int, Any]) -> list[float]:
    """Compute the values by value iteration, as students write it."""
    value = [0.0] * len(transitions)
    change = 1.0
    while change > 1e-13:
        change = 0.0
        for state, actions in transitions.items():
            best = max(
                sum(chance * (reward + (0.0 if over else value[after])) for chance, after, reward, over in row)
                for row in actions.values()
            )
            change, value[state] = max(change, abs(best - value[state])), best
    return value


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.filterwarnings("ignore")  # of Gymnasium, about wide bounds
def test_every_game_passes_the_checks_of_gymnasium(name: str) -> None:
    check_env(komi.gymnasium.Env(name, illegal="random", render_mode="ansi"))


def test_built_in_games_are_registered() -> None:
    assert gymnasium.make("komi/Pig-v0", goal=20).unwrapped.fields == ("score", "rival", "turn")
    assert {komi.gymnasium.environment_id(name) for name in catalog.names()} <= set(gymnasium.registry)


@pytest.mark.parametrize("seat", [0, 1])
def test_listed_transitions_have_the_value_that_komi_proves(seat: int) -> None:
    env = komi.gymnasium.Env("red-light", opponent="optimal", seat=seat, goal=4)
    best = komi.match("red-light", "optimal", "optimal", goal=4)
    assert values(env.P)[0] == pytest.approx((best.first, best.second)[seat].wins, abs=1e-11)
    assert env.listed_states[0] == (0, (0, 1, 0, 0, 0))


def test_listed_transitions_against_random_play() -> None:
    env = komi.gymnasium.Env("piglet", goal=3)
    solution = komi.solve("piglet", goal=3)
    assert values(env.P)[0] > solution.value((0, 0, 0)) + 0.01


@pytest.mark.parametrize(("objective", "sign"), [("reach", 1), ("score", 1), ("turns", -1)])
def test_rewards_of_one_player_are_the_objective_to_maximize(objective: str, sign: int) -> None:
    rules = {"objective": objective, "goal": 10, "turns": 2}
    env = komi.gymnasium.Env("pig-solitaire", **rules)
    assert values(env.P)[0] == pytest.approx(sign * komi.solve("pig-solitaire", **rules).value(), abs=1e-11)


@pytest.mark.slow
def test_returns_are_the_exact_chance_of_winning() -> None:
    envs = komi.gymnasium.VectorEnv("pig", 1000, opponent="hold-at:20", goal=50)
    observation, _ = envs.reset(seed=1)
    wins = games = 0
    while games < 20_000:
        score, _, turn = observation["observation"].T
        observation, rewards, over, _, _ = envs.step((turn >= 20) | (score + turn >= 50))
        wins, games = wins + rewards.sum(), games + over.sum()
    exact = komi.match("pig", "hold-at:20", "hold-at:20", goal=50).first.wins
    assert abs(wins / games - exact) < 4 * (exact * (1 - exact) / games) ** 0.5


def test_the_seed_determines_an_episode() -> None:
    def episode(env: komi.gymnasium.Env, seed: int | None) -> list[Any]:
        observation, info = env.reset(seed=seed)
        seen, over = [observation["observation"].tolist()], False
        while not over:
            observation, reward, over, _, info = env.step(int(np.flatnonzero(info["action_mask"])[0]))
            seen.append((observation["observation"].tolist(), reward))
        return seen

    env = komi.gymnasium.Env("pig", seat=None)
    first, second = episode(env, 7), episode(env, None)
    assert first != second
    assert [episode(env, 7), episode(env, None)] == [first, second]


def test_games_of_a_vector_begin_anew_with_the_next_step() -> None:
    envs = komi.gymnasium.VectorEnv("pig", 100, goal=3)
    observation, _ = envs.reset(seed=3)
    over = np.zeros(100, np.bool_)
    for _ in range(20):
        before = over
        actions = observation["action_mask"].argmax(axis=1)
        observation, rewards, over, truncated, _ = envs.step(actions)
        assert not (over & before).any()
        assert not rewards[before].any()
        assert (observation["observation"][before, 0] == 0).all()
        assert not truncated.any()
    assert before.any()


def test_an_agent_plays_all_seats_of_a_vector() -> None:
    envs = komi.gymnasium.VectorEnv("pig", 50, seat="all", goal=10)
    observation, info = envs.reset(seed=1)
    assert not info["seat"].any()
    over, finished = np.zeros(50, np.bool_), 0
    for _ in range(200):
        (score, _, turn), seats, was_over = observation["observation"].T, info["seat"], over
        actions = ((turn >= 4) | (score + turn >= 10)).astype(int)
        observation, rewards, over, _, info = envs.step(actions)
        after = observation["observation"]
        held, rolled = (actions == 1) & ~over & ~was_over, (actions == 0) & ~was_over
        assert (info["seat"][held] == 1 - seats[held]).all()
        assert (after[held, 1] == (score + turn)[held]).all()  # the player who held is now the rival
        assert ((info["seat"] == seats) == (after[:, 2] > 0))[rolled].all()
        assert (rewards == over).all()  # who ends a game has won
        assert (info["rewards"].sum(axis=1) == over).all()
        assert (info["rewards"][over, seats[over]] == 1.0).all()
        assert not info["seat"][was_over].any()
        finished += over.sum()
    assert finished > 100
    with pytest.raises(InputError, match="the agent plays all seats: there is no opponent"):
        komi.gymnasium.VectorEnv("pig", 2, opponent="random", seat="all")
    with pytest.raises(InputError, match="a policy is a name, a Policy or a function, not -1"):
        komi.gymnasium.VectorEnv("pig", 2, opponent=-1)


def test_action_masks_are_those_of_the_observation() -> None:
    env = komi.gymnasium.Env("pig")
    _, info = env.reset(seed=1)
    assert env.action_masks().dtype == np.bool_
    assert np.array_equal(env.action_masks(), info["action_mask"])


def test_an_illegal_action_changes_nothing() -> None:
    env = komi.gymnasium.Env("red-light")
    _, info = env.reset(seed=1)
    illegal = int(np.flatnonzero(info["action_mask"] == 0)[0])
    with pytest.raises(InputError, match=rf"action {illegal} is not legal now; legal are "):
        env.step(illegal)
    with pytest.raises(InputError, match="action 99 is not legal now"):
        env.step(99)
    assert env.step(int(info["action_mask"].argmax()))[4]["action_mask"].any()


@pytest.mark.slow
def test_what_is_hidden_stays_hidden() -> None:
    env = komi.gymnasium.Env("red7")
    observation, _ = env.reset(seed=1)
    seen, state = tuple(observation["observation"].tolist()), env._batch.state(0)
    assert seen == env._batch.game.part("view")(env._batch.rules, state)[: len(seen)] != state[: len(seen)]
    with pytest.raises(InputError, match="red7 has hidden information"):
        env.P  # noqa: B018


def test_pictures_are_drawn() -> None:
    pytest.importorskip("matplotlib")
    for name in ("pig", "traffic-lights"):
        env = komi.gymnasium.Env(name, render_mode="rgb_array")
        env.reset(seed=1)
        drawn = env.render()
        assert (drawn.shape, drawn.dtype) == ((320, 320, 3), np.uint8)
        assert 0 < (drawn < 128).mean() < 0.5


def test_errors_are_sentences(tmp_path: Path) -> None:
    env = komi.gymnasium.Env
    for arguments, message in (
        ({"game": "pgi"}, "no game"),
        ({"game": "pig", "goal": 0}, "goal of pig must be"),
        ({"game": "pig", "seat": 2}, "pig has the seats 0 to 1, not 2."),
        ({"game": "pig", "opponent": ["random"] * 2}, "pig needs 1 opponents, not 2."),
        ({"game": "pig-solitaire", "opponent": "random"}, "pig-solitaire is for one player: there is no opponent."),
        ({"game": "pig", "render_mode": "film"}, "the render mode must be ansi, rgb_array or human, not 'film'."),
        ({"game": "pig", "illegal": "never"}, "illegal must be raise or random, not 'never'."),
        (
            {"game": "risk-battle"},
            "no player of risk-battle ever has a choice: there is nothing for an agent to learn.",
        ),
        ({"game": f"{FOLDER}/snakes_and_ladders.py"}, "no player of snakes-and-ladders ever has a choice"),
    ):
        with pytest.raises(InputError, match=message):
            env(**arguments)
    with pytest.raises(InputError, match="the number of games must be 1 to"):
        komi.gymnasium.VectorEnv("pig", 0)
    over = env("pig", goal=1)
    over.reset(seed=1)
    while not over.step(int(over._batch.action_masks[0].argmax()))[2]:
        pass
    with pytest.raises(InputError, match="the episode is over: call reset"):
        over.step(0)


def test_no_step_comes_before_the_first_reset() -> None:
    for env, action in ((komi.gymnasium.Env("pig"), 0), (komi.gymnasium.VectorEnv("pig", 2), [0, 0])):
        with pytest.raises(InputError, match="no game has begun: call reset before the first step"):
            env.step(action)
        observation, _ = env.reset()
        assert observation["action_mask"].any()
        env.step(action)


def test_a_first_reset_without_a_seed_draws_one() -> None:
    keys = set()
    for _ in range(2):
        env = komi.gymnasium.Env("pig")
        env.np_random.random()  # creates the generator
        env.reset()
        keys.add(env._batch._arrangement.play_key)
    assert len(keys) == 2


@pytest.mark.parametrize("wrong", [1.5, "1", None])
def test_seeds_are_whole_numbers(wrong: Any) -> None:
    with pytest.raises(InputError, match=f"the seed must be a whole number, not {wrong!r}"):
        environments.reset("pig", 3, seed=wrong)


def test_seeds_of_numpy_are_those_of_python() -> None:
    one, other = (environments.reset("pig", 3, seed=seed) for seed in (7, np.int64(7)))
    assert one.batch._arrangement.play_key == other.batch._arrangement.play_key


@pytest.mark.parametrize("wrong", [[0.5] * 3, [np.nan] * 3, [np.inf] * 3, ["a"] * 3, None, [2**64] * 3])
def test_actions_are_whole_numbers(wrong: Any) -> None:
    envs = komi.gymnasium.VectorEnv("pig", 3)
    envs.reset(seed=1)
    with pytest.raises(InputError, match=r"actions must be whole numbers, int64\[3\], not "):
        envs.step(wrong)
    envs.step(np.zeros(3))


@pytest.mark.parametrize(("argument", "wrong"), [("seat", "first"), ("num_envs", "3"), ("num_envs", 2.5)])
def test_seats_and_games_are_counted_in_whole_numbers(argument: str, wrong: Any) -> None:
    with pytest.raises(InputError, match=rf"pig has the seats|the number of games must be .*, not {wrong!r}"):
        komi.gymnasium.VectorEnv("pig", **{argument: wrong})


def test_actions_beyond_the_declared_number_are_refused(tmp_path: Path) -> None:
    source = Path(str(catalog.find("hog").file)).read_text()
    file = tmp_path / "wide.py"
    file.write_text(source.replace("return rules.max_dice\n", "return 2\n", 1))
    with pytest.raises(GameError, match="'legal' yields 2, which is not an action"):
        komi.gymnasium.Env(str(file))
    file = tmp_path / "silent.py"
    file.write_text(source.replace("def action_count(", "def _action_count(", 1))
    with pytest.raises(
        InputError, match=r"silent does not state how many actions it has: add 'action_count' to silent\.py"
    ):
        komi.gymnasium.Env(str(file))


def test_table_is_rendered_as_text_and_as_a_picture() -> None:
    pytest.importorskip("matplotlib")
    env = komi.gymnasium.Env("think", render_mode="ansi")
    env.reset(seed=1)
    assert env.render().splitlines() == [
        "Score: 0 points",
        "Turns: 5 of 5 turns left",
        "This turn: 0 points at risk | roll, hold",
    ]
    drawn = {}
    for name in ("think", f"{FOLDER}/cant_stop.py", f"{FOLDER}/leduc_poker.py"):
        env = komi.gymnasium.Env(name, render_mode="rgb_array")
        env.reset(seed=1)
        drawn[name] = env.render()
        assert 0 < (drawn[name] < 128).mean() < 0.5
    pixels = drawn["think"].reshape(-1, 3).tolist()
    assert [0, 158, 115] in pixels  # the track, in a colour of the palette
