"""Mean returns of episodes are the exact values of the policies, also where a game ends before the first decision."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test

import komi
import komi.gymnasium
import komi.pettingzoo
from komi.arrays import F64, I64
from komi.errors import InputError
from komi.solvers.solution import Solution

from playable import BUILT_IN, EXAMPLES, SMALL_RULES

EPISODES, PLAIN_EPISODES = 20_000, 100
MAX_MASKS = 40_000_000  # bytes of the action masks of all episodes
HIGHEST = """from komi.rules.interface import legal


def highest(rules, state):
    for action in legal(rules, state):
        chosen = action
    return chosen
"""
FIRST_MAY_BUST = '''"""First May Bust: flip a coin; tails loses at once, heads passes the turn, three times at most."""

from typing import NamedTuple

players = 2
actions = ("flip", "toss")


class Rules(NamedTuple):
    gain: int = 0  # for each heads


class State(NamedTuple):
    turn: int = 0
    done: int = 0


def start(rules):
    return State()


def legal(rules, state):
    yield 0
    yield 1


def outcomes(rules, state, action):
    yield 0.5, State(state.turn, 1), 1
    if state.turn < 3:
        yield 0.5, State(state.turn + 1, 0), 1
    else:
        yield 0.5, State(state.turn, 2), 1


def over(rules, state):
    return state.done > 0


def payoff(rules, state):
    return 1.0 if state.done == 1 else 0.0
'''
EARLY_GAIN = '''"""Early Gain: chance gives points before the only decision, and ends half of the games there."""

from typing import NamedTuple

from komi.game import CHANCE

players = 1
actions = ("take", "double")


class Rules(NamedTuple):
    gain: int = 3  # before the decision


class State(NamedTuple):
    turn: int = 0


def objective(rules):
    return "expected points"


def start(rules):
    return State()


def legal(rules, state):
    if state.turn == 0:
        yield CHANCE
    else:
        yield 0
        yield 1


def outcomes(rules, state, action):
    if state.turn == 0:
        yield 0.5, State(1), 0
        yield 0.5, State(2), 0
    else:
        yield 1.0, State(3 + action), 0


def over(rules, state):
    return state.turn > 1


def payoff(rules, state):
    return 0.0


def reward(rules, state, action, after):
    return 1.0 * rules.gain if state.turn == 0 else 1.0 + action
'''


def first_returns(envs: komi.gymnasium.VectorEnv, uniforms: F64) -> F64:
    """Play the first episode of every game at random; return what each has gained."""
    observation, _ = envs.reset(seed=1)
    returns, playing, step = np.zeros(envs.num_envs), np.ones(envs.num_envs, np.bool_), 0
    while playing.any():
        actions = choose(observation["action_mask"], uniforms[:, step % uniforms.shape[1]])
        observation, rewards, over, _, _ = envs.step(actions)
        returns += rewards * playing
        playing &= ~over
        step += 1
    return returns


def plain_returns(env: komi.gymnasium.Env, uniforms: F64, episodes: int) -> list[float]:
    returns = []
    for episode in range(episodes):
        observation, _ = env.reset(seed=None if episode else 1)
        gained, over, step = 0.0, False, 0
        while not over:
            number = uniforms[episode : episode + 1, step % uniforms.shape[1]]
            action = int(choose(observation["action_mask"][None], number)[0])
            observation, reward, over, _, _ = env.step(action)
            gained += reward
            step += 1
        assert not observation["action_mask"].any()
        returns.append(gained)
    return returns


def choose(masks: Any, uniforms: F64) -> I64:
    """Choose one of the legal actions of each game by a random number."""
    rows, actions = np.nonzero(masks)
    counts = np.bincount(rows, minlength=len(masks))
    chosen = np.cumsum(counts) - counts + (uniforms * counts).astype(np.int64)
    return actions[np.minimum(chosen, len(actions) - 1)]  # any where a game is over


def exact_return(solution: Solution[Any], opponent: str | None, seat: int) -> float:
    """Compute the expected return of random play from a seat."""
    game, rules, seats = solution.game, solution.rules._asdict(), solution.kind.seats
    if opponent is None:
        sign = -1.0 if solution.kind.aim == "least" else 1.0
        return sign * float(komi.match(game, "random", **rules).value)
    if solution.kind.has_seat_values:
        policies = [opponent] * seats
        policies[seat] = "random"
        payoff = float(komi.match(game, *policies, **rules).values[seat])
    else:
        match = komi.match(game, "random", opponent, **rules)
        payoff = (match.first, match.second)[seat].wins
    return solution.kind.payoffs.share(payoff)


def largest_error(returns: F64) -> float:
    """Bound the error of a mean of returns, also where none of them is a rare win.

    The empirical Bernstein bound (Maurer and Pontil, COLT 2009, theorem 4) with 2 ln(2 / delta) = 16, for returns from
    0 to 1, or from the least to the greatest of them if that is wider.
    """
    count = len(returns)
    return float(4 * returns.std(ddof=1) / count**0.5 + 7 * 8 / 3 * max(1.0, np.ptp(returns)) / (count - 1))


def check_returns(game: Any, opponents: Sequence[str], **rules: object) -> None:
    """Check each seat against each opponent, and drawn seats; the plain environment plays the same episodes."""
    solution: Any = komi.solve(game, **rules)
    seats, actions = solution.kind.seats, solution.game.action_count(solution.rules)
    episodes = min(EPISODES, MAX_MASKS // actions)
    uniforms = np.random.default_rng(1).random((episodes, 512))
    for opponent in opponents if seats > 1 else (None,):
        exact = [exact_return(solution, opponent, seat) for seat in range(seats)]
        for seat in (*range(seats), None):
            envs = komi.gymnasium.VectorEnv(game, episodes, opponent=opponent, seat=seat, **rules)
            returns = first_returns(envs, uniforms)
            expected = float(np.mean(exact)) if seat is None else exact[seat]
            assert abs(returns.mean() - expected) <= largest_error(returns), (opponent, seat)
            env = komi.gymnasium.Env(game, opponent=opponent, seat=seat, **rules)
            plain = plain_returns(env, uniforms, PLAIN_EPISODES)
            assert np.array_equal(plain, returns[:PLAIN_EPISODES]), (opponent, seat)


@pytest.fixture
def highest(tmp_path: Path) -> str:
    """Return the policy that takes the legal action with the highest number."""
    file = tmp_path / "highest.py"
    file.write_text(HIGHEST)
    return f"{file}:highest"


def test_returns_are_exact_values_where_a_player_never_moves(tmp_path: Path) -> None:
    file = tmp_path / "first_may_bust.py"
    file.write_text(FIRST_MAY_BUST)
    check_returns(file, ("random",))


@pytest.mark.slow
def test_returns_contain_what_is_gained_before_the_first_decision(tmp_path: Path) -> None:
    file = tmp_path / "early_gain.py"
    file.write_text(EARLY_GAIN)
    check_returns(file, ())


def test_returns_of_piglet_are_exact_values() -> None:
    check_returns("piglet", ("optimal",), goal=3)


NOT_EXACT = ("red7", "yahtzee")  # random play in them has no exact value: there are too many states
SLOW = [*(name for name in BUILT_IN if name not in NOT_EXACT), *EXAMPLES]


@pytest.mark.slow
@pytest.mark.parametrize("name", SLOW, ids=lambda name: Path(name).stem)
def test_returns_are_exact_values(name: str, highest: str) -> None:
    check_returns(name, ("random", "optimal", highest), **SMALL_RULES.get(Path(name).stem, {}))


@pytest.mark.slow
def test_returns_of_red7_are_those_of_simulated_games() -> None:
    rules = {"players": 2, "hand": 2}
    simulated = komi.simulate("red7", games=200_000, policies=["random"] * 2, seed=3, **rules)
    for seat in range(2):
        returns = first_returns(
            komi.gymnasium.VectorEnv("red7", EPISODES, seat=seat, **rules),
            np.random.default_rng(seat).random((EPISODES, 64)),
        )
        error = np.hypot(returns.std() / EPISODES**0.5, simulated.wins[seat].stderr)
        assert abs(returns.mean() - simulated.wins[seat].mean) <= 4 * error


@pytest.mark.filterwarnings("ignore")  # of Gymnasium, about wide bounds
def test_a_game_that_is_over_before_the_first_decision_takes_one_step(tmp_path: Path) -> None:
    file = tmp_path / "first_may_bust.py"
    file.write_text(FIRST_MAY_BUST)
    env = komi.gymnasium.Env(file, seat=1, render_mode="ansi")
    _, info = env.reset(seed=1)
    while info["action_mask"].tolist() != [1, 0]:
        _, info = env.reset()
    assert env.render().endswith("the game is over")
    with pytest.raises(InputError, match=r"action 1 is not legal now; legal are 0 \(the game is over\)"):
        env.step(1)
    _, reward, over, _, info = env.step(0)
    assert (reward, over, info["action_mask"].any()) == (1.0, True, False)
    with pytest.raises(InputError, match="the episode is over: call reset"):
        env.step(0)
    check_env(komi.gymnasium.Env(file, seat=1, illegal="random", render_mode="ansi"))


@pytest.mark.filterwarnings("ignore")  # of PettingZoo, about observations that are not arrays
def test_agents_of_pettingzoo_receive_what_is_gained_before_the_first_decision(tmp_path: Path) -> None:
    file = tmp_path / "early_gain.py"
    file.write_text(EARLY_GAIN)
    env = komi.pettingzoo.env(file)
    env.reset(seed=1)
    returns = []
    for _ in range(20):
        env.reset()
        gained = 0.0
        for _ in env.agent_iter():
            _, reward, over, _, info = env.last()
            gained += reward
            env.step(None if over else int(info["action_mask"].argmax()))
        returns.append(gained)
    assert set(returns) == {3.0, 4.0}
    api_test(komi.pettingzoo.env(file), num_cycles=20)
