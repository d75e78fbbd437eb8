"""Functions of bit sets that rule files call, against plain lists."""

from collections import Counter
from itertools import combinations
from math import comb

import pytest

from komi.bitset import count, subset

MEMBERS = 0b10110100011


@pytest.mark.parametrize("size", range(7))
def test_all_subsets_of_a_size_are_drawn_equally_often(size: int) -> None:
    elements = [1 << bit for bit in range(11) if MEMBERS >> bit & 1]
    every = {sum(chosen) for chosen in combinations(elements, size)}
    draws = 50 * comb(6, size)
    found = Counter(subset(MEMBERS, size, (number + 0.5) / draws) for number in range(draws))
    assert found == dict.fromkeys(every, 50)


@pytest.mark.parametrize("uniform", [0.0, 0.5, 1.0 - 2.0**-53])
def test_the_ends_of_the_interval_give_subsets_of_a_large_set(uniform: float) -> None:
    members = (1 << 49) - 1
    for size in range(50):
        drawn = subset(members, size, uniform)
        assert count(drawn) == size
        assert drawn & ~members == 0
