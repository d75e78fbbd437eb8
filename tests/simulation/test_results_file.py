"""The file of an interrupted simulation: what is damaged is never read, nor ends in anything but one sentence."""

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from komi.errors import InputError
from komi.simulation import results_file
from komi.simulation.tally import HistogramTails, Tally

HEADER = dict.fromkeys(results_file.DIFFERENCES, "same")


def small() -> Tally:
    shares = HistogramTails(np.array([3, 1]), np.array([9.0, 1.0]), np.array([9.0, 3.0]))
    return Tally(2, 1, 3, 2, np.ones(2), np.ones(2), shares, shares, np.array([1, 5, 7]), np.ones((3, 2)))


def same(found: Any, expected: Any) -> bool:
    arrays = zip(found[0].to_arrays().values(), expected[0].to_arrays().values(), strict=True)
    return found[1:] == expected[1:] and all(np.array_equal(*pair) for pair in arrays)


def test_a_bit_that_flips_anywhere_is_noticed_or_changes_nothing(tmp_path: Path) -> None:
    file = tmp_path / "kept.npz"
    results_file.save(file, HEADER, small(), 8, 1.5)
    whole = file.read_bytes()
    expected = small(), 8, 1.5
    refused = 0
    for place in range(0, len(whole), 3):
        damaged = bytearray(whole)
        damaged[place] ^= 1 << (place % 8)
        file.write_bytes(damaged)
        try:
            found = results_file.load(file, HEADER)
        except InputError as error:
            assert "or is damaged" in str(error)
            refused += 1
        else:
            assert same(found, expected)
    assert refused > len(whole) / 6


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.99])
def test_file_that_breaks_off_is_refused(tmp_path: Path, share: float) -> None:
    file = tmp_path / "kept.npz"
    results_file.save(file, HEADER, small(), 8, 1.5)
    file.write_bytes(file.read_bytes()[: math.floor(share * file.stat().st_size)])
    with pytest.raises(InputError, match="is not a results file of a simulation, or is damaged"):
        results_file.load(file, HEADER)
