"""The `VecEnv` of stable-baselines3: the games of `VectorEnv`, which begin anew in the same step."""

import numpy as np
import pytest

import komi
import komi.gymnasium
from komi.errors import InputError

pytest.importorskip("stable_baselines3", reason="this needs stable-baselines3: make examples.")

from komi.stable_baselines import VecEnv


def test_games_are_those_of_a_vector_environment() -> None:
    envs = VecEnv("pig", 1, opponent="hold-at:20", observation="fields", goal=20)
    others = komi.gymnasium.VectorEnv("pig", 1, opponent="hold-at:20", goal=20)
    envs.seed(5)
    seen = envs.reset()
    others._batch.seed(5)
    others._batch.reset()
    ended = 0
    for _ in range(200):
        assert np.array_equal(seen, others._batch.observations)
        assert np.array_equal(envs.env_method("action_masks"), others._batch.action_masks == 1)
        hold = np.array([seen[0, 2] >= 10 or not envs.action_masks()[0, 0]], np.int64)
        seen, rewards, over, infos = envs.step(hold)
        observation, other_rewards, other_over, *_ = others.step(hold)
        assert (rewards, over) == (other_rewards, other_over)
        if over[0]:
            ended += 1
            assert np.array_equal(infos[0]["terminal_observation"], observation["observation"][0])
            others.step([0])  # begins the next game
    assert ended > 10


def test_masks_attributes_and_methods_are_those_that_libraries_read() -> None:
    envs = VecEnv("hooligan", 3)
    envs.reset()
    assert envs.action_space.n == 217
    assert envs.observation_space.contains(envs.reset()[0])
    assert len(envs.env_method("action_masks", indices=[0, 2])) == 2
    assert envs.has_attr("action_masks")
    assert not envs.has_attr("wings")
    assert envs.env_is_wrapped(object) == [False] * 3
    envs.close()
    with pytest.raises(InputError, match=r"the games of a VecEnv have the method action_masks\(\), not 'fly'"):
        envs.env_method("fly")


@pytest.mark.filterwarnings("ignore")  # of PyTorch
def test_maskable_ppo_learns() -> None:
    sb3_contrib = pytest.importorskip("sb3_contrib")
    envs = VecEnv("pig", 64, opponent="hold-at:20", seat=None, goal=20)
    model = sb3_contrib.MaskablePPO("MlpPolicy", envs, n_steps=32, batch_size=256, gamma=1.0, seed=0, device="cpu")

    def policy(planes: np.ndarray, action_masks: np.ndarray) -> np.ndarray:
        return model.predict(planes, action_masks=action_masks, deterministic=True)[0]

    settings = {"vectorized": True, "observation": "planes", "opponent": "hold-at:20", "goal": 20}
    before = komi.regret("pig", policy, **settings).average
    model.learn(20_000)
    assert komi.regret("pig", policy, **settings).average < before / 2
