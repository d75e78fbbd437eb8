"""Counter-based random numbers: the number at any position of any stream is computed from the position alone.

B. Widynski, "Squares: A Fast Counter-Based RNG", arXiv:2004.06278, 2020: five rounds of squaring, 64 bits. A stream
has 2**24 numbers, so that streams of one key never overlap. A game therefore depends on the seed and the game's number
only, not on the worker that plays it or on earlier games.
"""

from typing import Any, NamedTuple

import numpy as np

from komi.arrays import F64, I64
from komi.errors import InputError

STREAM_BITS = 24  # random numbers of one game, of the 64 bits of a position: 2**40 games remain
TURN_BITS, GAME_BITS = 12, 28  # random numbers of a turn, and of a game, where turns have numbers of their own
TURN_NUMBERS = 4  # drawn per batch: the next turn may need others
NO_TURN = -1
_HALF = np.uint64(32)
_MANTISSA = np.uint64(11)
_UNIT = 2.0**-53  # the 53 bits that a double holds, scaled to [0, 1)
_MASK = (1 << 64) - 1  # 64 bits
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX = np.uint64(0xBF58476D1CE4E5B9)
_STEPS = 2.0**53


class Stream(NamedTuple):
    """A stream of random numbers in compiled code, read from its start.

    Attributes:
        key: its key.
        numbers: float64[TURN_NUMBERS], the numbers drawn ahead.
        position: int64[3], the index of the next number among these, the position of those to draw next, and that of
            the first number of the turn; NO_TURN if turns have no numbers of their own.
    """

    key: np.uint64
    numbers: F64
    position: I64


def key(seed: int, purpose: int) -> np.uint64:
    """Return the key of all streams for one purpose: an odd number of irregular digits, as Squares requires.

    Raises:
        InputError: if the seed is not a whole number.
    """
    if not isinstance(seed, int | np.integer):
        raise InputError(f"the seed must be a whole number, not {seed!r}.")
    bits = (int(seed) * 2 + purpose) & _MASK
    for _ in range(2):  # twice the finalizer of SplitMix64
        bits = (bits + 0x9E3779B97F4A7C15) & _MASK
        bits = ((bits ^ bits >> 30) * 0xBF58476D1CE4E5B9) & _MASK
        bits = ((bits ^ bits >> 27) * 0x94D049BB133111EB) & _MASK
        bits ^= bits >> 31
    return np.uint64(bits | 1)


def draw(key: np.uint64, position: int, numbers: F64) -> None:
    """Fill an array with random numbers in [0, 1), starting at a position of the stream; `key` is uint64."""
    for i in range(len(numbers)):
        numbers[i] = number_at(key, position + i)


def number_at(key: np.uint64, position: int) -> float:
    """Return the random number in [0, 1) at a position of a stream, in compiled code."""
    return np.int64(_squares(key, np.uint64(position)) >> _MANTISSA) * _UNIT


def numbers_at(key: np.uint64, positions: I64) -> F64:
    """Return the random numbers in [0, 1) at positions of a stream, int64[.]: those that `draw` returns there."""
    return np.asarray((_squares(key, positions.astype(np.uint64)) >> _MANTISSA) * _UNIT)


def new_stream(key: np.uint64) -> Stream:
    """Create the stream with a key, at its start."""
    position = np.zeros(3, np.int64)
    position[0], position[2] = TURN_NUMBERS, NO_TURN
    return Stream(key, np.empty(TURN_NUMBERS), position)


def stream_from(uniform: float, purpose: np.uint64) -> Stream:
    """Create the stream that a random number in [0, 1) determines, one for each purpose, in compiled code."""
    key = np.uint64(np.int64(uniform * _STEPS)) * _GOLDEN ^ purpose
    for _ in range(2):
        key = (key ^ (key >> _HALF)) * _MIX
    return new_stream(key ^ (key >> _HALF) | np.uint64(1))


def begin_game(stream: Stream, game: int, turn: int = 0) -> None:
    """Go to the first number of a turn of a game; from now on, each turn has numbers of its own."""
    stream.position[0] = TURN_NUMBERS
    stream.position[1] = stream.position[2] = (game << GAME_BITS) + (turn << TURN_BITS)


def begin_turn(stream: Stream) -> None:
    """Go to the first number of the next turn, however many this one used, if turns have numbers of their own."""
    if stream.position[2] != NO_TURN:
        stream.position[0] = TURN_NUMBERS
        stream.position[2] += 1 << TURN_BITS
        stream.position[1] = stream.position[2]


def next_number(stream: Stream) -> float:
    """Return the next random number of a stream, in compiled code."""
    index = stream.position[0]
    if index == TURN_NUMBERS:
        draw(stream.key, stream.position[1], stream.numbers)
        stream.position[1] += TURN_NUMBERS
        index = 0
    stream.position[0] = index + 1
    return float(stream.numbers[index])


def _squares(key: Any, position: Any) -> Any:
    y = x = position * key
    z = y + key
    x = x * x + y
    x = (x >> _HALF) | (x << _HALF)
    x = x * x + z
    x = (x >> _HALF) | (x << _HALF)
    x = x * x + y
    x = (x >> _HALF) | (x << _HALF)
    t = x = x * x + z
    x = (x >> _HALF) | (x << _HALF)
    return t ^ ((x * x + y) >> _HALF)
