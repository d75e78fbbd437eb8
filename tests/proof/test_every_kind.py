"""Random games of every kind are proved and verified; their certificates, changed at random, prove nothing false."""

import random
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import duels
import pytest

import komi
from komi.errors import SolveError
from komi.progress import silent
from komi.proof import verify as checker
from komi.proof.certificate import as_read
from komi.proof.nodes import play_claim
from komi.proof.prove import Proof

import certificates

Fields = dict[str, Any]
GAMES = Path(__file__).parents[1] / "games"
MAX_STATES = 20_000
NEAR = 1e-11  # what claims are rounded to


@dataclass(frozen=True)
class Games:
    """Random games of one kind: a rule file whose rule `plan` draws one of them, other rules, and policies."""

    file: str
    rules: dict[str, Any] = field(default_factory=dict)
    policies: tuple[str, ...] = ()
    plan: str = "plan"

    def prove(self, plan: int, file: Path) -> Proof:
        """Prove one of the games."""
        return komi.prove(GAMES / self.file, file, *self.policies, **self.rules, **{self.plan: plan})


TINY = {"places": 4, "ends": 3}
KINDS = {
    "two players and chance": Games("random_game.py", TINY),
    "two players, and stalls": Games("random_game.py", {**TINY, "stalls": 40}),
    "without chance": Games("random_duel.py", {"places": 20}),
    "one player, the greatest chance": Games("extremes.py", {"seats": 1, "small": 0.25}),
    "one player, the least chance": Games("extremes.py", {"seats": 1, "small": 0.25, "least": True}),
    "one player, a total": Games("extreme_gains.py", {"little": 0.125, "much": 2.0}),
    "simultaneous choice": Games("random_choice.py", {"places": 3}),
    "hidden information": Games("hidden_choices.py", plan="drawn"),
    "three players": Games("extremes.py", {"seats": 3, "small": 0.25}),
    "a policy's worst case": Games("random_game.py", TINY, ("random",)),
    "a match": Games("random_game.py", TINY, ("random", "optimal")),
    "a policy of one player": Games("extremes.py", {"seats": 1, "small": 0.25}, ("random",)),
    "a policy at a table of three": Games("extremes.py", {"seats": 3, "small": 0.25}, ("random",)),
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_random_games_of_every_kind_are_proved(kind: Games, tmp_path: Path) -> None:
    file, met = tmp_path / "game.cert", Counter[str]()
    for plan in range(100):
        try:
            proof = kind.prove(plan, file)
        except SolveError:
            met["refused"] += 1
            continue
        result, status = certificates.check(file)
        assert status == 0, (plan, result)
        if not kind.policies and proof.claims[0].endless is None:
            confirm(komi.solve(GAMES / kind.file, **kind.rules, **{kind.plan: plan}), result["claims"])
        met["proved"] += 1
    assert met["proved"] >= 25, met


def confirm(solution: Any, claims: list[Fields]) -> None:
    """Compare the claims of a certificate with what `komi.solve` finds."""
    if solution.kind.seats > 2:
        if len(solution.data.mixed):  # the policy "optimal" takes one action where the equilibrium mixes
            return
        for each, value in zip(claims, solution.seat_values(), strict=False):
            assert each["lower"] - NEAR <= value <= each["upper"] + NEAR
        return
    lower = max(each["lower"] for each in claims if each["lower"] is not None)
    upper = min(each["upper"] for each in claims if each["upper"] is not None)
    assert lower - NEAR <= solution.expected_value() + solution.error_bound
    assert solution.expected_value() - solution.error_bound <= upper + NEAR
    if not solution.kind.is_concealed:  # best responses see more than the players where there is no `turned`
        assert upper - lower <= 2 * solution.error_bound + 2e-9 * max(1.0, abs(lower))


def places_of(part: Any, key: Any) -> Iterator[tuple[Any, Any]]:
    """Yield the place of each number in a part of a certificate: what contains it, and its index there."""
    value = part[key]
    if isinstance(value, dict | list):
        for each in value if isinstance(value, dict) else range(len(value)):
            yield from places_of(value, each)
    elif not isinstance(value, str):
        yield part, key


def changed(number: Any, numbers: random.Random) -> Any:
    """Return another number, truth value or None in place of one."""
    if number is None or isinstance(number, bool):
        return int(not number)
    return number + numbers.choice((-1, 1)) * numbers.choice((1, 1, 2, 1 << numbers.randrange(50)))


def corrupt(fields: Fields, numbers: random.Random) -> str:
    """Change one number of a certificate, or of the rules in it, or leave out a stored state; return what."""
    claim = numbers.choice(fields["claims"])
    parts = {name: list(places_of(claim, name)) for name in claim}
    parts |= {name: list(places_of(fields, name)) for name in ("policies", "rules")}
    what = numbers.choice([*(name for name, places in parts.items() if places), "source", "missing"])
    if what == "source":
        module = numbers.choice(list(fields["modules"]))
        source = fields["modules"][module]
        literal = numbers.choice(list(re.finditer(r"(?<![\w.])\d+(?!\w)", source)))
        other = str(max(0, int(literal[0]) + numbers.choice((-1, 1))))
        fields["modules"][module] = source[: literal.start()] + other + source[literal.end() :]
    elif what == "missing":
        if claim["lower"]:
            index = numbers.randrange(len(claim["lower"]))
            for column in (*claim["states"], claim["seats"], claim["lower"], claim["gap"]):
                del column[index]
    else:
        place, key = numbers.choice(parts[what])
        place[key] = changed(place[key], numbers)
    return what


def is_true(certificate: Fields, claim: Fields, found: Fields) -> bool:
    """Return whether what a claim is said to prove is true, by a new proof of the same claim."""
    if claim["step"]:
        module = checker.load(certificate["main"], certificate["modules"], {})
        rules = module.Rules(**certificate["rules"])
        start = module.start(rules)
        game: Any = SimpleNamespace(part=vars(module).__getitem__, outcomes=module.outcomes)
        value, plies = duels.results(game, rules, start)[start]
        return (found["lower"], found["plies"]) == ({"loss": 0.0, "draw": 0.5, "win": 1.0}[value], plies)
    proof = play_claim(certificate, claim["seat"], claim["play"], silent, claim["endless"])
    low, high = (end / (1 << proof["bits"]) for end in proof["interval"])
    is_low = found["lower"] is None or found["lower"] <= high + NEAR
    return is_low and (found["upper"] is None or low - NEAR <= found["upper"])


def corruptions(file: Path, seeds: range) -> Counter[str]:
    """Change a certificate at random; count what is refused, and what is accepted because its claims are still true."""
    sound, counted = certificates.read(file), Counter[str]()
    for seed in seeds:
        numbers, what = random.Random(seed), []
        other = certificates.change(file, lambda fields: what.append(corrupt(fields, numbers)))  # noqa: B023
        fields = certificates.read(other)
        if fields == sound:
            continue
        result, status = certificates.check(other, max_states=MAX_STATES)
        if status:
            assert result["reason"], (seed, what)
            counted["refused"] += 1
            continue
        read = as_read(fields)
        for claim, found in zip(read["claims"], result["claims"], strict=True):
            assert is_true(read, claim, found), (seed, what, result)
        counted["still true"] += 1
    return counted


def first_certificate(kind: Games, file: Path) -> Path:
    """Write the certificate of the first game of a kind that has a proof with several stored states, or policies."""
    for plan in range(100):
        try:
            proof = kind.prove(plan, file)
        except SolveError:
            continue
        if proof.states > 1 or certificates.read(file)["policies"]:
            return file
    raise AssertionError("no game of this kind has a proof")


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_no_random_corruption_proves_anything_false(kind: Games, tmp_path: Path) -> None:
    counted = corruptions(first_certificate(kind, tmp_path / "game.cert"), range(100))
    assert counted["refused"] >= 50, counted
