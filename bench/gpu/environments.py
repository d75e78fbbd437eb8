"""Steps of environments on a graphics processor beside one core, and beside pgx if it is installed.

python environments.py [GAMES]

Prints millions of steps a second: of a policy in PyTorch on the card, which reads observations and masks, and sums up
rewards and ends; of random play in the kernel alone; and of the same policy in NumPy on one core.
"""

import statistics
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from komi import environments
from komi.errors import InputError
from komi.gpu.card import check_card, on_card
from komi.gpu.compiler import cuda

MILLION = 1_000_000
RUNS, STEPS, CORE_STEPS, CORE_GAMES = 5, 300, 50, 10_000
EXAMPLES = Path(__file__).parents[2] / "examples"
LEDUC, KUHN = EXAMPLES / "leduc_poker.py", EXAMPLES / "kuhn_poker.py"
PGX = ("kuhn_poker", "leduc_holdem", "tic_tac_toe", "2048")


def rate(games: int, steps: int, play: Callable[[int], None]) -> float:
    """Return the median of the millions of steps a second, after a run that compiles."""
    seconds = []
    for _ in range(RUNS + 1):
        begin = time.perf_counter()
        play(steps)
        seconds.append(time.perf_counter() - begin)
    return games * steps / statistics.median(seconds[1:]) / MILLION


def hold_at_20(seen: Any, masks: Any, _: Any) -> Any:
    score, turn = seen[:, 0], seen[:, 2]
    return masks[:, 1] * ((turn >= 20) | (score + turn >= 100))


def at_random(_: Any, masks: Any, numbers: Callable[..., Any]) -> Any:
    return (masks * numbers(*masks.shape)).argmax(1)


def with_torch(torch: Any, name: Any, games: int, policy: Callable[..., Any]) -> float:
    """Return the rate with a policy in PyTorch, on the card."""
    played = environments.reset(name, games, seat="all", device="gpu")
    seen, masks, rewards, over = map(
        torch.from_dlpack, (played.observations, played.action_masks, played.rewards, played.over)
    )
    actions = torch.zeros(games, dtype=torch.int64, device="cuda")
    total = torch.zeros(2, dtype=torch.float64, device="cuda")

    numbers = partial(torch.rand, device="cuda")

    def play(steps: int) -> None:
        for _ in range(steps):
            actions.copy_(policy(seen, masks, numbers))
            environments.step(played, actions)
            total[0] += rewards.sum()
            total[1] += over.sum()
        played.batch.check()

    return rate(games, STEPS, play)


def kernel_alone(name: Any, games: int) -> float:
    """Return the rate of random play, for which the kernel replaces all actions."""
    played = environments.reset(name, games, seat="all", illegal="random", device="gpu")
    actions = on_card(np.full(games, -1))

    def play(steps: int) -> None:
        for _ in range(steps):
            played.batch.step(actions)
        played.batch.check()

    return rate(games, STEPS, play)


def on_one_core(name: Any, policy: Callable[..., Any]) -> float:
    """Return the rate with the policy in NumPy."""
    played = environments.reset(name, CORE_GAMES, seat="all")

    def play(steps: int) -> None:
        for _ in range(steps):
            environments.step(played, policy(played.observations, played.action_masks, np.random.rand))

    return rate(CORE_GAMES, CORE_STEPS, play)


def of_pgx(name: str, games: int) -> float:
    """Return the rate of random play in pgx."""
    import jax
    import pgx
    from pgx.experimental.wrappers import auto_reset

    env = pgx.make(name)
    begin, advance = jax.vmap(env.init), jax.vmap(auto_reset(env.step, env.init))

    @jax.jit
    def loop(state: Any, key: Any) -> Any:
        def one(_: int, carried: Any) -> Any:
            state, key = carried
            key, choice, chance = jax.random.split(key, 3)
            logits = jax.numpy.where(state.legal_action_mask, 0.0, -jax.numpy.inf)
            actions = jax.random.categorical(choice, logits, axis=-1)
            return advance(state, actions, jax.random.split(chance, games)), key

        return jax.lax.fori_loop(0, STEPS, one, (state, key))

    carried = jax.jit(begin)(jax.random.split(jax.random.PRNGKey(0), games)), jax.random.PRNGKey(1)

    def play(_: int) -> None:
        nonlocal carried
        carried = jax.block_until_ready(loop(*carried))

    return rate(games, STEPS, play)


def main(million: int = MILLION) -> None:
    try:
        check_card()
    except InputError as error:
        print(error)
        return
    print(cuda.get_current_device().name)
    try:
        import torch
    except ImportError:
        torch = None
        print("the rates with a policy need PyTorch: pip install torch.")
    for name, games, policy in (
        ("pig", million, hold_at_20),
        ("pig", 8 * million, hold_at_20),
        (LEDUC, million, at_random),
        (KUHN, million, at_random),
    ):
        parts = [f"kernel alone {kernel_alone(name, games):,.0f}", f"one core {on_one_core(name, policy):,.1f}"]
        if torch:
            parts.insert(0, f"with PyTorch {with_torch(torch, name, games, policy):,.0f}")
        print(f"{getattr(name, 'stem', name)}, {games:,} games: {', '.join(parts)} million steps a second")
    try:
        for other in PGX:
            print(f"pgx {other}, {million:,} games: {of_pgx(other, million):,.0f} million steps a second")
    except ImportError:
        print("the rates of pgx need it, and JAX for CUDA: pip install pgx 'jax[cuda13]'.")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
