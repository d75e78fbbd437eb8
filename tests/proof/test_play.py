"""Certificates of play with policies: matches, worst cases, mixed strategies, and games of three and more players."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import komi
from komi.evaluation.multiplayer import best_responses
from komi.evaluation.strength import best_response_average
from komi.policies.named import find
from komi.proof.prove import Proof

import certificates

EXAMPLES = Path(__file__).parents[2] / "examples"
GAMES = Path(__file__).parents[1] / "games"
NEAR = 2e-9


def proved(file: Path, game: Any, *policies: str, **rules: Any) -> Proof:
    """Prove and check; compare the checker's output with the claims."""
    proof = komi.prove(game, file, *policies, **rules)
    result, status = certificates.check(file)
    assert status == 0, result
    for claim, found in zip(proof.claims, result["claims"], strict=True):
        for end, sign in (("lower", -1), ("upper", 1)):
            assert (found[end] is None) == (getattr(claim, end) is None)
            assert found[end] is None or 0 <= sign * (found[end] - getattr(claim, end)) <= 2e-12
    return proof


def is_near(claim: Any, value: float) -> bool:
    """Return whether the claim's interval, of which an end may be missing, is close around a value."""
    return all(end is None or abs(end - value) <= NEAR for end in (claim.lower, claim.upper))


@pytest.mark.slow
def test_matches_are_proved_in_both_seats(tmp_path: Path) -> None:
    match = komi.match("pig", "hold-at:5", "optimal", goal=10)
    proof = proved(tmp_path / "game.cert", "pig", "hold-at:5", "optimal", goal=10)
    assert [claim.seat for claim in proof.claims] == [0, 1]
    for claim, result in zip(proof.claims, (match.first, match.second), strict=True):
        assert claim.lower <= result.wins <= claim.upper
        assert is_near(claim, result.wins)


@pytest.mark.slow
def test_worst_cases_are_proved(tmp_path: Path) -> None:
    proof = proved(tmp_path / "game.cert", "pig", "hold-at:5", goal=10)
    solution = komi.solve("pig", goal=10)
    average = best_response_average(solution, find("hold-at:5", solution))
    assert sum(claim.lower for claim in proof.claims) / 2 <= 1 - average + 1e-12
    assert sum(claim.upper for claim in proof.claims) / 2 >= 1 - average - 1e-12


@pytest.mark.slow
def test_policies_of_one_player_are_proved(tmp_path: Path) -> None:
    rules = {"goal": 10, "objective": "turns"}
    value = komi.match("pig-solitaire", "hold-at:4", **rules).value
    [claim] = proved(tmp_path / "game.cert", "pig-solitaire", "hold-at:4", **rules).claims
    assert claim.lower <= value <= claim.upper


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "rules"),
    [(EXAMPLES / "kuhn_poker.py", {}), ("skunk", {"goal": 8}), ("skunk", {"goal": 8, "ending": "first"})],
)
def test_mixed_strategies_prove_the_value(game: Any, rules: dict[str, Any], tmp_path: Path) -> None:
    proof = proved(tmp_path / "game.cert", game, **rules)
    value = komi.solve(game, **rules).expected_value()
    assert proof.lower <= value <= proof.upper
    assert proof.upper - proof.lower <= 1e-6


@pytest.mark.slow
def test_the_value_of_kuhn_poker_is_minus_one_eighteenth(tmp_path: Path) -> None:
    proof = proved(tmp_path / "game.cert", EXAMPLES / "kuhn_poker.py")
    assert proof.lower <= -1 / 18 <= proof.upper


@pytest.mark.slow
def test_equilibria_of_three_players_are_proved(tmp_path: Path) -> None:
    solution = komi.solve("pig", goal=5, players=3)
    proof = proved(tmp_path / "game.cert", "pig", goal=5, players=3)
    values, responses = proof.claims[:3], proof.claims[3:]
    for seat, (value, response) in enumerate(zip(values, responses, strict=True)):
        assert is_near(value, solution.seat_values()[seat])
        assert response.play[seat] is None
        assert response.upper - value.lower <= solution.epsilon[seat] + NEAR


@pytest.mark.slow
def test_best_responses_of_three_players_are_proved(tmp_path: Path) -> None:
    solution = komi.solve("pig", goal=5, players=3)
    expected = best_responses(solution, [find("hold-at:3", solution)] * 3)
    proof = proved(tmp_path / "game.cert", "pig", "hold-at:3", goal=5, players=3)
    assert all(is_near(claim, value) for claim, value in zip(proof.claims[3:], expected, strict=True))


def test_policies_that_cannot_be_found_are_refused(run: Any, tmp_path: Path) -> None:
    for policies in (("nothing",), ("optimal", "optimal", "optimal")):
        refused = run("prove", "pig", *policies, "--set", "goal=10", "-o", tmp_path / "game.cert")
        *notices, sentence = refused.err.splitlines()
        assert refused.code == 2
        assert sentence.startswith("komi: ")
        assert all("compiling" in notice for notice in notices)  # nothing else is said, however cold the cache is


def test_commands_say_what_is_proved(run: Any, tmp_path: Path) -> None:
    file = tmp_path / "game.cert"
    run("prove", "pig", "hold-at:5", "--set", "goal=10", "-o", file)
    text = " ".join(run("verify", file).out.split())
    assert (
        "the first player gets in 'pig' (goal=10, sides=6, komi=0, players=2), by 'hold-at:5', best play in turn from "
        in text
    )


HIDDEN = """
from typing import NamedTuple
players = 2
class Rules(NamedTuple):
    end: int = 2
class State(NamedTuple):
    coin: int
def start(rules):
    return State(0)
def legal(rules, state):
    if state.coin == 0:
        yield -1
    else:
        yield 1
        yield 2
def outcomes(rules, state, action):
    if state.coin == 0:
        yield 1 / 3, State(1), 0
        yield 2 / 3, State(2), 0
    else:
        yield 1, State(-1 if action == state.coin else -2), 1
def view(rules, state):
    return state if state.coin <= 0 else State(1)
def turned(rules, state):
    return state
def over(rules, state):
    return state.coin < 0
def payoff(rules, state):
    return 0 if state.coin == -1 else 1
"""
GUESS = {"bits": 12, "play": [None, 0], "policies": [{"name": "none", "states": [[]], "shares": []}]}
GUESSED = [2730, 2731]  # two thirds


def guess(file: Path, source: str = HIDDEN, **fields: Any) -> Path:
    return certificates.with_rules(file, source, **{**GUESS, "interval": GUESSED, **fields})


def test_a_best_response_does_not_see_what_is_hidden(tmp_path: Path) -> None:
    result, status = certificates.check(guess(tmp_path / "game.cert"))
    assert status == 0, result
    [claim] = result["claims"]
    assert (claim["lower"], round(claim["upper"], 3)) == (None, 0.667)
    assert certificates.check(guess(tmp_path / "game.cert", interval=[4095, 4096]))[1] == 1


POLICY = {"name": "mixed", "states": [[1]], "shares": [[1, 3]]}
MIXED = {"play": [0, None], "policies": [POLICY], "interval": [2389, 2390]}  # 1/3 * 1/4 + 2/3 * 3/4


def test_a_mixed_policy_is_proved(tmp_path: Path) -> None:
    result, status = certificates.check(guess(tmp_path / "game.cert", **MIXED))
    assert status == 0, result
    assert result["claims"][0]["upper"] is None


WRONG_POLICIES = {
    "other weights": {"shares": [[1, 2]]},
    "negative": {"shares": [[-1, 5]]},
    "too few": {"shares": [[1]]},
    "too many": {"shares": [[1, 3, 0]]},
    "none": {"shares": [[0, 0]]},
    "other states": {"states": [[2]]},
}


@pytest.mark.parametrize("change", WRONG_POLICIES.values(), ids=WRONG_POLICIES)
def test_changed_policies_are_refused_with_a_state(change: dict[str, Any], tmp_path: Path) -> None:
    file = guess(tmp_path / "game.cert", **MIXED | {"policies": [POLICY | change]})
    result, status = certificates.check(file)
    assert (status, list(result["state"])) == (1, ["coin"])


THREE = """
from typing import NamedTuple
players = 3
class Rules(NamedTuple):
    end: int = 2
class State(NamedTuple):
    turn: int
def start(rules):
    return State(0)
def legal(rules, state):
    yield 0
    yield 1
def outcomes(rules, state, action):
    yield 1, State(state.turn + 1 if action else 9), 1
def over(rules, state):
    return state.turn >= 3
def payoff(rules, state, seat):
    return 1 if seat == (2 if state.turn == 9 else 0) else 0
"""


def test_seats_of_three_are_distinguished(tmp_path: Path) -> None:
    passing = {"name": "passing", "states": [[0, 1, 2]], "shares": [[0, 1]] * 3}
    for seat, play, value in ((0, [0, 0, 0], 1), (1, [0, 0, 0], 0), (1, [0, None, 0], 1), (2, [0, 0, None], 1)):
        fields = {"seat": seat, "play": play, "policies": [passing], "bits": 1}
        for claimed in (0, 1):
            file = certificates.with_rules(tmp_path / "game.cert", THREE, interval=[2 * claimed] * 2, **fields)
            assert certificates.check(file)[1] == (value != claimed), (seat, play)


TWO = (
    THREE.replace("players = 3", "players = 2")
    .replace("turn >= 3", "turn >= 2")
    .replace("payoff(rules, state, seat):", "payoff(rules, state):")
    .replace("seat == (2 if state.turn == 9 else 0)", "state.turn == 9")
)
ON, OFF = (
    {"name": name, "states": [[0, 1]], "shares": [shares] * 2} for name, shares in (("on", [0, 1]), ("off", [1, 0]))
)

WRONG: dict[str, tuple[str, str, Callable[[Path], Path]]] = {  # for each mutation a certificate that it accepts
    "a free player sees what is hidden": (
        "self.hidden_from is not None and (",
        "False and (",
        lambda file: guess(file, interval=[4095, 4096]),
    ),
    "a free player does not choose alike": (
        "legal == known",
        "True",
        lambda file: guess(
            file,
            HIDDEN.replace("        yield 1\n        yield 2\n", "        yield state.coin\n"),
            interval=[4095, 4096],
        ),
    ),
    "policies may lack states": (
        "policy.get(view, (1,))",
        "policy.get(view, (1,) * len(legal))",
        lambda file: guess(file, play=[0, None], interval=[2047, 2049]),
    ),
    "policies may take actions more than once": (
        "len(shares) == len(legal) and min(shares) >= 0 < unit",
        "True",
        lambda file: guess(file, **MIXED | {"policies": [POLICY | {"shares": [[-1, 2]]}], "interval": [4095, 4096]}),
    ),
    "other players can be free": (
        "free in ([], [self.seat]) or self.players == 2",
        "True",
        lambda file: certificates.with_rules(file, THREE, play=[None] * 3, bits=1, interval=[2, 2]),
    ),
    "both players can be free where something is hidden": (
        "self.hidden_from is None or len(free) == 1",
        "True",
        lambda file: guess(file, play=[None, None]),
    ),
    "an end is proved that is not": (
        '"lower": None if self.hidden_from == self.worse else',
        '"lower":',
        guess,
    ),
    "the other end is proved that is not": (
        '"upper": None if self.hidden_from == 1 - self.worse else',
        '"upper":',
        lambda file: guess(file, **MIXED),
    ),
    "players with different policies are alike": (
        'claim["play"][0] == claim["play"][1] and ',
        "",
        lambda file: certificates.with_rules(file, TWO, play=[0, 1], policies=[ON, OFF], bits=1, interval=[0, 0]),
    ),
}


@pytest.mark.parametrize(("old", "new", "wrong"), WRONG.values(), ids=WRONG)
def test_each_condition_about_policies_is_needed(
    old: str, new: str, wrong: Callable[[Path], Path], tmp_path: Path
) -> None:
    file = wrong(tmp_path / "wrong.cert")
    result, status = certificates.check(file)
    is_one_sided = status == 0
    assert not is_one_sided or None in ends(result)
    result, status = certificates.check(file, certificates.mutated(old, new))
    assert status == 0, result
    assert not is_one_sided or None not in ends(result)


def ends(result: dict[str, Any]) -> tuple[Any, Any]:
    """Return the lower and the upper end of the first claim."""
    return result["claims"][0]["lower"], result["claims"][0]["upper"]
