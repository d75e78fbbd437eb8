"""What `prove` and `verify` print is proved, whatever a certificate holds."""

import json
import random
import re
import zlib
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

import komi
from komi.errors import InputError, SolveError

import certificates
import rulefiles

COUPON = '''"""Coupon: one step, worth what the rules say."""

from typing import NamedTuple

players = 1
actions = ("go",)


class Rules(NamedTuple):
    gain: float = 1234567.891238


class State(NamedTuple):
    x: int


def objective(rules):
    return "expected points"


def start(rules):
    return State(0)


def legal(rules, state):
    yield 0


def outcomes(rules, state, action):
    yield 1.0, State(1), 0


def over(rules, state):
    return state.x == 1


def payoff(rules, state):
    return 0.0


def reward(rules, state, action, after):
    return rules.gain
'''
TINY = ("8.881784197001252e-16", "8.881784197001252e-16", "1 - 1.7763568394002505e-15")
FORGED = "pig\nVerified: \u202eall\x1b[2J" + 100 * "x"


@pytest.fixture(scope="module")
def piglet(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("certificates") / "piglet.cert"
    komi.prove("piglet", file, goal=4)
    return file


def of_second_seat(claim: dict[str, Any]) -> None:
    one = 1 << claim["bits"]
    claim["seat"], claim["interval"] = 1, [one - claim["interval"][1], one - claim["interval"][0]]


def test_what_the_checker_refuses_is_not_written(tmp_path: Path) -> None:
    tiny = "".join(f"    yield {chance}, State(rival, score, {{}}), {{}}\n" for chance in TINY).format(0, 1, 2, 0, 3, 0)
    old = "    yield 1 / 3, State(rival, score, 0), 1\n    for face in (2, 3):\n"
    path = rulefiles.write(tmp_path, (old, f"{tiny}    for face in range(0):\n"))
    file = tmp_path / "game.cert"
    with pytest.raises(SolveError, match=r"no certificate: probabilities do not sum to 1, or are negative in State\("):
        komi.prove(str(path), file)
    assert not file.exists()


@pytest.mark.parametrize("gain", [1234567.891238, 7654321.123456, 0.1, 2 / 3, 123456789.987])
def test_the_true_value_is_in_the_interval_that_is_printed(gain: float, tmp_path: Path, run: Any) -> None:
    path, file = tmp_path / "coupon.py", tmp_path / "game.cert"
    path.write_text(COUPON)
    for printed in (run("prove", path, "--set", f"gain={gain}", "-o", file).out, run("verify", file).out):
        low, high = re.findall(r"from (\S+) to (\S+)", printed)[-1]
        assert Decimal(low) <= Decimal(repr(gain)) <= Decimal(high)
    proved = komi.verify(file)
    assert proved.lower <= Decimal(repr(gain)) <= proved.upper


def test_claims_say_whose_value_they_are_about(piglet: Path, run: Any) -> None:
    assert "to the first player is from 0.5368547418" in run("verify", piglet).out
    second = certificates.change_claim(piglet, of_second_seat)
    assert "to the second player is from 0.4631452580" in run("verify", second).out
    found = json.loads(run("verify", second, "--json").out)
    assert (found["lower"], found["upper"]) == (None, None)
    assert found["claims"][0]["seat"] == 1


def test_endless_games_count_for_the_player_whom_the_claim_is_about(tmp_path: Path, run: Any) -> None:
    file = tmp_path / "game.cert"
    komi.prove(str(Path(__file__).parents[1] / "games" / "stand_off.py"), file)
    assert "to the first player, if an endless game counts 0 for the first player, is from" in run("verify", file).out


def test_names_in_a_certificate_are_quoted_on_one_line(tmp_path: Path, run: Any) -> None:
    file = tmp_path / "game.cert"
    komi.prove("piglet", file, "hold-at:2", "optimal", goal=4)

    def forge(fields: dict[str, Any]) -> None:
        fields["game"] = FORGED
        for policy in fields["policies"]:
            policy["name"] = FORGED
        fields["policies"][0]["name"] = "' is from 1 to 1"

    printed = run("verify", certificates.change(file, forge)).out
    assert len(printed.splitlines()) == 1 + len(komi.verify(file).claims)
    assert not re.search("[\x1b\u202e]|x{90}", printed)
    assert '"\' is from 1 to 1", ' in printed


def test_a_certificate_that_claims_nothing_is_not_verified(piglet: Path, run: Any) -> None:
    file = certificates.change(piglet, lambda fields: fields.update(claims=[]))
    with pytest.raises(InputError, match=r"cannot be checked: .*claim"):
        komi.verify(file)
    assert run("verify", file).code == 2


def damage(fields: Any, numbers: random.Random) -> Any:
    """Replace a random part of the fields by something else, or leave it out."""
    strange = [None, True, -1, 1 << 70, 1e300, float("nan"), "", "\x00", [], {}, [[[]]], {"": None}]
    if not isinstance(fields, dict | list) or not fields or numbers.random() < 0.2:
        return numbers.choice(strange)
    copy = fields.copy()
    key = numbers.choice(list(copy) if isinstance(copy, dict) else range(len(copy)))
    if numbers.random() < 0.2:
        del copy[key]
    else:
        copy[key] = damage(copy[key], numbers)
    return copy


@pytest.mark.parametrize("seed", range(25))
def test_no_certificate_ends_in_a_traceback(seed: int, piglet: Path, run: Any) -> None:
    file = certificates.write(piglet.with_suffix(f".{seed}"), damage(certificates.read(piglet), random.Random(seed)))
    result = run("verify", file)
    assert result.code in (0, 1, 2)
    assert "Traceback" not in result.out + result.err


@pytest.mark.parametrize("body", [b"", b"{}", b"[" * 200_000, b"1" * 10_000, b'{"claims": [{}]}', b"\xff"])
def test_no_file_ends_in_a_traceback(body: bytes, tmp_path: Path) -> None:
    file = tmp_path / "strange.cert"
    certificates.write_packed(file, zlib.compress(body))
    with pytest.raises(InputError, match="cannot be checked"):
        komi.verify(file)
