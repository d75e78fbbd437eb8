"""Chance is committed to before the game, uniform, and can be computed again by anyone."""

import hashlib
import hmac
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from komi.errors import InputError
from komi.play.fairness import (
    Commitment,
    check_number,
    draw_number,
    is_committed,
    number_hash,
    random_number,
    sample_event,
    sort_events,
)
from komi.rules.game import Event

SEED = bytes(range(32))
NUMBER = "00112233445566778899aabbccddeeff"


def test_the_hash_is_the_sha_256_of_the_seed() -> None:
    assert Commitment(SEED).hash == "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"


def test_a_seed_is_kept_if_and_only_if_its_hash_was_shown() -> None:
    commitment = Commitment.draw()
    assert is_committed(commitment.seed, commitment.hash)
    assert not is_committed(SEED, commitment.hash)


def test_no_two_commitments_and_numbers_are_alike() -> None:
    assert len({Commitment.draw().hash for _ in range(100)}) == len({draw_number() for _ in range(100)}) == 100


@given(entry=st.integers(0, 10_000))
def test_luck_is_the_first_53_bits_of_the_hmac(entry: int) -> None:
    digest = hmac.new(SEED, f"{NUMBER}:{entry}".encode(), hashlib.sha256).hexdigest()
    bits = bin(int(digest, 16))[2:].zfill(256)[:53]
    assert Fraction(random_number(SEED, NUMBER, entry)) == Fraction(int(bits, 2), 2**53)
    assert 0 <= random_number(SEED, NUMBER, entry) < 1


def test_luck_is_uniform() -> None:
    """Chi squared over 100 parts has mean 99 and standard deviation 14.1."""
    games, parts = 20_000, 100
    counts = [0] * parts
    for entry in range(games):
        counts[int(parts * random_number(SEED, NUMBER, entry))] += 1
    assert sum((count - games / parts) ** 2 / (games / parts) for count in counts) < 99 + 5 * 14.1


def test_luck_of_one_entry_says_nothing_of_the_next() -> None:
    lucks = [random_number(SEED, NUMBER, entry) - 0.5 for entry in range(20_000)]
    products = sum(one * other for one, other in pairwise(lucks))
    assert abs(products) < 5 * (len(lucks) ** 0.5 / 12)


@given(st.lists(st.integers(1, 100), min_size=1, max_size=8), st.floats(0, 1, exclude_max=True))
def test_luck_falls_on_the_event_whose_part_it_is_in(widths: list[int], luck: float) -> None:
    events = [Event(str(i), width / sum(widths), None, 0) for i, width in enumerate(widths)]
    place = int(sample_event(events, luck).label)
    before, after = (Fraction(sum(widths[:end]), sum(widths)) for end in (place, place + 1))
    assert before - Fraction(1, 10**12) <= Fraction(luck) < after + Fraction(1, 10**12)


def test_commitment_to_a_number_is_the_hash_of_its_digits() -> None:
    assert number_hash(NUMBER) == hashlib.sha256(NUMBER.encode()).hexdigest()


def test_outcomes_are_sorted_as_javascript_sorts_text() -> None:
    """By UTF-16 code units: a character beyond the first 65,536 comes before those from U+E000 on."""
    labels = ["b", "a", "10", "9", "\ufb01", "\U0001f3b2", "B"]
    events = [Event(label, 1 / 7, None, 0) for label in labels]
    assert [event.label for event in sort_events(events)] == ["10", "9", "B", "a", "b", "\U0001f3b2", "\ufb01"]


@pytest.mark.parametrize("number", ["", "0" * 31, "0" * 33, "G" * 32, "A" * 32, "\u0660" * 32, "0x" + "0" * 30])
def test_an_invalid_number_is_refused(number: str) -> None:
    with pytest.raises(InputError, match="the player's number must be 32 digits"):
        check_number(number)


def test_a_number_drawn_is_one() -> None:
    assert check_number(NUMBER) == NUMBER
    check_number(draw_number())
