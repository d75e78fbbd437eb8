"""Audits confirm sound results, and refuse false ones, whatever made them false."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import komi
from komi.compiling.compiled import compiled_game
from komi.design.openings import solve_openings
from komi.errors import AuditError, GameError
from komi.evaluation.audit import audit_claim, audit_match, audit_restriction
from komi.evaluation.match import evaluate_match, policies_by_seat
from komi.proof.audit import MAX_OUTCOMES, MAX_STATES, ListedPlay, list_play
from komi.rules import catalog
from komi.solvers.solution import LazySolver, Solution

import rulefiles

EXAMPLES = Path(__file__).parents[2] / "examples"
KINDS = [
    pytest.param("piglet", {"goal": 4}, id="two players"),
    pytest.param("pig-solitaire", {"goal": 20, "objective": "turns"}, id="the fewest turns"),
    pytest.param("piglet", {"goal": 3, "players": 3}, id="three players"),
    pytest.param(str(EXAMPLES / "kuhn_poker.py"), {}, id="hidden information"),
]

NIM = '''"""Nim with one heap: take one or two; who takes the last wins."""
from typing import NamedTuple

players = 2
actions = ("nothing", "one", "two")


class Rules(NamedTuple):
    heap: int = 10


class State(NamedTuple):
    heap: int


def start(rules):
    return State(rules.heap)


def legal(rules, state):
    yield 1
    if state.heap > 1:
        yield 2


def outcomes(rules, state, action):
    yield 1.0, State(state.heap - action), 1


def over(rules, state):
    return state.heap == 0


def payoff(rules, state):
    return 0.0
'''


def play_of(solution: Solution[Any]) -> ListedPlay:
    play = list_play(solution.game, solution.rules, MAX_STATES, MAX_OUTCOMES)
    assert play is not None
    return play


def changed(solution: Solution[Any], **fields: Any) -> Solution[Any]:
    """Return the same solution with other solution data."""
    solver = solution.lazy_solver
    return replace(solution, lazy_solver=LazySolver(replace(solver.data, **fields), solver.extend))


@pytest.mark.parametrize(("game", "rules"), KINDS)
def test_audit_confirms_solutions(game: str, rules: dict[str, Any]) -> None:
    assert komi.solve(game, audit=True, **rules).is_audited


@pytest.mark.parametrize(("game", "rules"), KINDS)
def test_audit_refuses_other_values(game: str, rules: dict[str, Any]) -> None:
    solution = komi.solve(game, **rules)
    name = "seat_values" if solution.kind.hidden else "values"
    with pytest.raises(AuditError, match=f"of {solution.game.name}"):
        changed(solution, **{name: getattr(solution.data, name) + 1e-6}).audit(play_of(solution))


def test_audit_refuses_policy_that_does_not_attain_the_value() -> None:
    solution = komi.solve("piglet", goal=4)
    choices = np.where(solution.data.choices == 0, 1, 0).astype(np.int16)
    with pytest.raises(AuditError, match="optimal policy of piglet"):
        changed(solution, choices=choices).audit(play_of(solution))


def test_audit_refuses_policy_that_distinguishes_equal_observations() -> None:
    solution = komi.solve(str(EXAMPLES / "kuhn_poker.py"))
    mixes = solution.data.mixes.copy()
    mixes[: len(mixes) // 2] = mixes[: len(mixes) // 2, ::-1]
    with pytest.raises(AuditError):
        changed(solution, mixes=mixes).audit(play_of(solution))


def test_audit_refuses_other_plies(tmp_path: Path) -> None:
    file = tmp_path / "nim.py"
    file.write_text(NIM)
    solution = komi.solve(str(file), audit=True)
    assert solution.is_audited
    assert (solution.value(), solution.plies()) == ("win", 7)
    scores = np.where(solution.data.scores > 0, solution.data.scores - 2, solution.data.scores)
    with pytest.raises(AuditError, match="of nim"):
        changed(solution, scores=scores).audit(play_of(solution))


def test_audit_refuses_negative_bound() -> None:
    solution = komi.solve("piglet", goal=4)
    with pytest.raises(AuditError):
        changed(solution, error_bound=-1e-9).audit(play_of(solution))


@pytest.mark.parametrize(
    ("replacement", "reason"),
    [
        pytest.param(("1 / 3, State(rival", "1 / 4, State(rival"), "sum to 0.91", id="probabilities"),
        pytest.param(("return 0.0", "return 1.5"), "a payoff is", id="payoff"),
        pytest.param(("return 0.0", "return (0.25,)[state.score]"), "IndexError", id="exception"),
        pytest.param(("    yield HOLD\n", ""), "no action", id="dead end"),
        pytest.param(("turn + face)", "turn + face / 2)"), "whole number", id="field"),
    ],
)
def test_audit_finds_what_is_wrong_with_rules(tmp_path: Path, replacement: tuple[str, str], reason: str) -> None:
    game = catalog.find(str(rulefiles.write(tmp_path, replacement)))
    with pytest.raises(GameError, match=reason):
        list_play(game, game.rules({}), MAX_STATES, MAX_OUTCOMES)


def test_audit_computes_in_integers_of_any_size(tmp_path: Path) -> None:
    wrapping = ("return 0.0", "return 0.5 if (state.rival + 1) * 10**18 * 10**18 > 0 else 0.0")
    game = catalog.find(str(rulefiles.write(tmp_path, wrapping)))
    play = list_play(game, game.rules({}), MAX_STATES, MAX_OUTCOMES)
    assert play is not None
    assert (play.payoffs == 0.5).all()


@pytest.fixture(scope="module")
def piglet() -> Solution[Any]:
    return komi.solve("piglet", goal=4)


@pytest.mark.parametrize(
    "change",
    [
        lambda seat: replace(seat, wins=seat.wins + 1e-6),
        lambda seat: replace(seat, actions=seat.actions + 1e-6),
    ],
    ids=["wins", "actions"],
)
@pytest.mark.parametrize("seat", ["first", "second"])
def test_audit_refuses_other_results_of_matches(piglet: Solution[Any], seat: str, change: Callable[[Any], Any]) -> None:
    policies = policies_by_seat(piglet, ["hold-at:2", "random"])
    result = evaluate_match(piglet, policies)
    audit_match(piglet, policies, result)
    with pytest.raises(AuditError):
        audit_match(piglet, policies, replace(result, **{seat: change(getattr(result, seat))}))  # type: ignore[arg-type]


def test_audit_refuses_match_of_other_policies(piglet: Solution[Any]) -> None:
    a, b = policies_by_seat(piglet, ["hold-at:1", "hold-at:3"])
    with pytest.raises(AuditError):
        audit_match(piglet, [a, b], evaluate_match(piglet, [a, a]))
    with pytest.raises(AuditError):
        audit_claim(piglet, 0, [b, a], (0.6, 0.7))


def test_audit_refuses_other_prices(piglet: Solution[Any]) -> None:
    with pytest.raises(AuditError):
        audit_restriction(piglet, lambda play: None, (piglet.value() + 1e-6, piglet.value()), 1e-12)


def test_audit_refuses_value_of_other_rules() -> None:
    compiled = compiled_game(catalog.find("piglet"))
    one, other = (compiled.game.rules({"goal": 4, "komi": komi}) for komi in (0, 1))
    assert [each.first for each in solve_openings(compiled, [one, other])]
    with pytest.raises(AuditError, match="value of piglet"):  # rule sets that differ in more than the start
        solve_openings(compiled, [one, compiled.game.rules({"goal": 5})])


SMALLER = {
    "hypergammon": {"checkers": 1},
    "love_letter": {"guards": 1, "priests": 1, "barons": 1, "handmaids": 1, "princes": 1},
}  # rules of games with millions of states


@pytest.mark.slow
@pytest.mark.parametrize(
    "file",
    [path for path in sorted(EXAMPLES.glob("*.py")) if "def outcomes(" in path.read_text()],
    ids=lambda path: path.stem,
)
def test_audit_refuses_no_example(file: Path) -> None:
    komi.solve(str(file), fresh=True, audit=True, **SMALLER.get(file.stem, {}))
