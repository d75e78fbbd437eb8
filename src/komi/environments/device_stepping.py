"""Steps of environments on a GPU: each thread calls `komi.environments.stepping.play_row` for one row.

The host does not wait for a step. A failure is recorded in GPU memory, so that further steps change nothing until the
host has read it, and in mapped host memory, which the next call reads.
"""

from typing import Any, NamedTuple

from komi.arrays import I64
from komi.environments.rows import Arrangement, Episodes, Observations
from komi.environments.stepping import is_accepted, play_row
from komi.gpu.compiler import cuda
from komi.typing import Rules

NO_FAILURE = 1 << 40  # no row


class Note(NamedTuple):
    """The record of a failure.

    Attributes:
        row: int64[1], in GPU memory, the first row that has failed; NO_FAILURE if none has.
        is_written: int64[1], in mapped host memory, 1 if a row has failed.
    """

    row: Any
    is_written: Any


def refuse(arrangement: Arrangement, actions: I64, episodes: Episodes, observations: Observations, note: Note) -> None:
    """Record the first illegal action, before any game changes: one thread for each row of `stepping.step`."""
    row = cuda.grid(1)
    if row < len(actions) and not is_accepted(arrangement, actions[row], row, episodes, observations):
        _write(row, note)


def step(
    rules: Rules, arrangement: Arrangement, actions: I64, episodes: Episodes, observations: Observations, note: Note
) -> None:
    """Take an action in each game, or begin a new one where it is over; do nothing if a game has failed."""
    row = cuda.grid(1)
    if (
        row < len(actions)
        and note.row[0] == NO_FAILURE
        and not play_row(rules, arrangement, actions[row], row, episodes, observations)
    ):
        _write(row, note)


def _write(row: int, note: Note) -> None:
    cuda.atomic.min(note.row, 0, row)
    note.is_written[0] = 1
