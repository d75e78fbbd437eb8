"""Certificates of values that were searched for: the checker computes them from the positions of a proof tree."""

from pathlib import Path
from typing import Any

import pytest

import komi
from komi.errors import SolveError
from komi.proof.prove import Proof
from komi.solvers.alphabeta import proof_tree

import certificates

ROOT = Path(__file__).parents[2]
DESCENT = str(ROOT / "tests" / "games" / "random_descent.py")
CONNECT_FOUR = str(ROOT / "examples" / "connect_four.py")
KALAH = str(ROOT / "examples" / "kalah.py")
SLOW = [pytest.param(seed, marks=pytest.mark.slow) for seed in range(10, 400)]


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def searched(monkeypatch: pytest.MonkeyPatch, cache: Path) -> None:
    """Search every game, since so few positions may be listed, and no solution is stored."""
    monkeypatch.setenv("KOMI_MAX_STATES", "3")
    monkeypatch.setenv("KOMI_CACHE_DIR", str(cache))


def prove(game: str, file: Path, **rules: Any) -> Proof:
    """Prove a value, check the certificate, and return what was written."""
    proof = komi.prove(game, file, **rules)
    found = komi.verify(file)
    assert found.verified
    assert found.claims == proof.claims
    return proof


@pytest.mark.parametrize("twins", [0, 1])
@pytest.mark.parametrize("seed", [*range(10), *SLOW])
def test_certificates_of_random_games_have_the_values_of_all_positions(
    seed: int, twins: int, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    rules = {"plan": seed, "places": 40 + seed % 30, "most": (1, 7)[seed % 2], "twins": twins}
    value = komi.solve(DESCENT, **rules).expected_value()
    request.getfixturevalue("searched")
    proof = prove(DESCENT, tmp_path / "descent.cert", **rules)
    assert proof.lower is not None
    assert proof.upper is not None
    assert proof.lower <= value <= proof.upper
    assert proof.upper - proof.lower < 1e-9


@pytest.mark.usefixtures("searched")
def test_certificate_of_connect_four_has_fewer_positions_than_the_game(tmp_path: Path) -> None:
    proof = prove(CONNECT_FOUR, tmp_path / "four.cert")
    assert proof.lower == proof.upper == 0.5
    assert proof.states == proof.claims[0].beyond > 0
    assert komi.verify(proof.file).evaluated < 5447 < 161_029  # visited by the search; all


@pytest.mark.usefixtures("searched")
def test_checker_refuses_another_interval_and_looks_past_what_is_missing(tmp_path: Path) -> None:
    proof = prove(KALAH, tmp_path / "kalah.cert", houses=3, seeds=3)

    def shift(claim: dict[str, Any]) -> None:
        claim["interval"] = [end + (1 << 34) for end in claim["interval"]]

    def drop(claim: dict[str, Any]) -> None:
        for column in (claim["seats"], claim["lower"], claim["gap"], *claim["states"]):
            del column[0]

    assert not komi.verify(certificates.change_claim(proof.file, shift)).verified
    assert komi.verify(certificates.change_claim(proof.file, drop)).evaluated > komi.verify(proof.file).evaluated


@pytest.mark.usefixtures("searched")
def test_checker_proves_nothing_from_the_start_alone(tmp_path: Path) -> None:
    proof = prove(KALAH, tmp_path / "kalah.cert", houses=2, seeds=2)

    def keep_start(claim: dict[str, Any]) -> None:
        claim |= {"seats": [0], "states": [[[2, 2]], [[2, 2]], [0]], "lower": [0], "gap": [1 << claim["bits"]]}

    changed = komi.verify(certificates.change_claim(proof.file, keep_start))
    assert changed.reason == "the value is not in the interval"


@pytest.mark.usefixtures("searched")
def test_large_proofs_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proof_tree, "MAX_POSITIONS", 100)
    with pytest.raises(SolveError, match=r"a proof of the value of connect-four takes more than 100 positions"):
        komi.prove(CONNECT_FOUR, tmp_path / "four.cert")
    assert not (tmp_path / "four.cert").exists()
