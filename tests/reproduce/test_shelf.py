"""Published numbers of the games in `examples` come out."""

from pathlib import Path

import pytest

from komi.errors import InputError
from komi.reproduce import claims
from komi.reproduce.claims import reproduce
from komi.reproduce.shelf import CLAIMS

SECONDS = ("monty-hall", "gambler", "forest", "endless-tiger", "2048")


@pytest.mark.parametrize(
    "claim",
    [claim.id if claim.id in SECONDS else pytest.param(claim.id, marks=pytest.mark.slow) for claim in CLAIMS],
)
def test_published_numbers_of_the_shelf_come_out(claim: str) -> None:
    (outcome,) = reproduce(claim)
    assert not outcome.fails


def test_claim_without_its_rule_file_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(claims, "EXAMPLES", tmp_path)
    with pytest.raises(InputError, match=r"'gambler' is about examples/gambler\.py, which is not installed"):
        reproduce("gambler")
