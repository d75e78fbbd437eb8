"""The same results without anything of numba's internals: with `KOMI_PLAIN_NUMBA=1`."""

import json
import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest

from komi.jit import intrinsics, plain_numba, simd
from komi.jit.kernels import engine_kernels

GAMES = Path(__file__).parent.parent / "games"
NUMBERS = [0, 1, 2, 3, 1 << 63, (1 << 64) - 1, *(random.Random(1).getrandbits(64) >> shift for shift in range(64))]

COMMANDS = [
    ["solve", "piglet", "--set", "goal=5"],
    ["simulate", "pig", "--games", "2000", "--seed", "1"],
    ["solve", "pig", "--set", "goal=20"],  # a stochastic game
    ["solve", "red-light"],  # SIMD backups
    ["solve", "pig-solitaire"],  # one player
    ["solve", "piglet", "--set", "players=3", "--set", "goal=4"],  # a Nash equilibrium
    ["solve", "matching_pennies.py"],  # simultaneous choices
    ["solve", "traffic-lights", "--set", "rows=2", "--set", "columns=3"],  # a tablebase
    ["solve", "ten-thousand", "--set", "goal=1000"],  # states inside a roll
    ["solve", "farkle", "--set", "goal=1000"],
    ["match", "piglet", "optimal", "random"],
]


@pytest.mark.parametrize("number", NUMBERS)
def test_bit_operations_are_those_of_the_processor(number: int) -> None:
    bits = np.uint64(number)
    assert plain_numba.count_ones(bits) == engine_kernels()[ones](bits) == number.bit_count()
    assert plain_numba.leading_zeros(bits) == engine_kernels()[leading](bits) == 64 - number.bit_length()
    assert plain_numba.trailing_zeros(bits) == engine_kernels()[trailing](bits)
    assert plain_numba.trailing_zeros(bits) == (number & -number).bit_length() - 1 if number else 64


def ones(bits: Any) -> int:
    return intrinsics.count_ones(bits)


def leading(bits: Any) -> int:
    return intrinsics.leading_zeros(bits)


def trailing(bits: Any) -> int:
    return intrinsics.trailing_zeros(bits)


def test_backups_lane_by_lane_are_those_of_simd_instructions() -> None:
    generator = np.random.default_rng(1)
    rows, actions, terms = 50, 4, 12
    value = generator.normal(size=(rows, simd.LANES))
    gain, weight = generator.normal(size=actions), generator.normal(size=terms)
    target = generator.integers(0, rows, terms).astype(np.int32)
    ends = np.array([2, 5, 5, 12], np.int64)
    sums = simd.Sums(gain, ends, weight, target)
    results = []
    for back_up in (simd.back_up_lanes, numba.njit(lambda *arguments: simd.back_up_row(*arguments))):
        values, largest = value.copy(), np.full(simd.LANES, 0.1)
        end = back_up(values, 7, largest, 0, actions, 0, 0.5, sums)
        results.append((end, values.tobytes(), largest.tobytes()))
    assert results[0] == results[1]


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_results_are_the_same_to_the_last_bit(command: list[str]) -> None:
    plain, usual = (result(command, value) for value in ("1", "0"))
    assert plain == usual


def result(command: list[str], plain: str) -> dict[str, Any]:
    command = [f"{GAMES}/{word}" if word.endswith(".py") else word for word in command]
    fresh = ["--fresh"] if command[0] == "solve" else []
    ended = subprocess.run(
        [sys.executable, "-m", "komi", *command, *fresh, "--json"],
        env=os.environ | {"KOMI_PLAIN_NUMBA": plain},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    found: dict[str, Any] = json.loads(ended.stdout)
    return {key: value for key, value in found.items() if key not in ("seconds", "games_per_second")}
