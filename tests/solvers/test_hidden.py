"""Games with hidden information: equilibria are those of the literature and of an independent solution."""

import pickle
from dataclasses import replace
from datetime import date
from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.optimize import linprog  # type: ignore[import-untyped]
from sequence_program import sequence_form_value

import komi
from komi.evaluation.mixed import match_mixed
from komi.play.puzzles import daily_puzzle
from komi.policies.named import find
from komi.rules.enumeration import explore
from komi.rules.interpreter import Interpreter
from komi.solvers.hidden import history_listing
from komi.solvers.hidden.hidden_solver import HIDDEN, HiddenSolution
from komi.solvers.solve import solve_by

from slowly import slowly

ROOT = Path(__file__).parents[1]
CHOICES = ROOT / "games" / "hidden_choices.py"
PENNIES = ROOT / "games" / "matching_pennies.py"
RANDOM = ROOT / "games" / "random_hidden.py"
DEALS = list(product((1, 2), repeat=2))


@cache
def solved(name: str, **rules: int) -> Any:
    return komi.solve(ROOT.parent / "examples" / f"{name}.py", **rules)


def test_kuhn_poker_has_its_value_within_the_proved_bounds() -> None:
    solution = solved("kuhn_poker")
    assert isinstance(solution, HiddenSolution)
    assert solution.value() == pytest.approx(-1 / 18, abs=1e-9)
    assert 0.0 < solution.exploitability < 1e-9
    lower, upper = map(Fraction, solution.bounds)
    assert lower <= Fraction(-1, 18) <= upper
    assert (solution.information_sets, solution.states) == (12, 25)


def test_kuhn_poker_is_played_as_one_of_its_known_equilibria() -> None:
    solution = solved("kuhn_poker")

    def bets(card: int, said: int) -> float:
        return solution.mixed({"card": card, "said": said})["bet"]  # type: ignore[no-any-return]

    bluff = bets(1, 0)
    assert -1e-9 <= bluff <= 1 / 3 + 1e-9
    known = {(2, 0): 0.0, (3, 0): 3 * bluff, (1, 3): 0.0, (2, 3): bluff + 1 / 3, (3, 3): 1.0}
    known |= {(1, 1): 1 / 3, (2, 1): 0.0, (3, 1): 1.0, (1, 2): 0.0, (2, 2): 1 / 3, (3, 2): 1.0}
    for (card, said), probability in known.items():
        assert bets(card, said) == pytest.approx(probability, abs=1e-9)


def test_values_of_kuhn_poker_are_expectations_over_what_is_hidden() -> None:
    solution = solved("kuhn_poker")
    assert solution.value({"card": 1, "said": 2}) == pytest.approx(-1.0)  # folds
    called = {"card": 3, "said": 2}
    assert solution.actions(called)["bet"] == pytest.approx(2.0)
    dealt = [solution.value({"card": card}) for card in (1, 2, 3)]
    assert sum(dealt) / 3 == pytest.approx(solution.value())
    known = [solution.revealed_value({"card": 2, "rival": rival}) for rival in (1, 3)]
    assert sum(known) / 2 == pytest.approx(dealt[1])


@pytest.mark.parametrize(
    ("name", "rules", "openspiel", "gain"),
    [
        ("kuhn_poker", {}, "kuhn_poker", 11 / 12),
        *slowly(
            ("leduc_poker", {}, "leduc_poker", 4.7472222222),
            ("liars_dice", {"sides": 3}, "liars_dice(numdice=1,dice_sides=3)", 10 / 9 / 2),
            ("liars_dice", {"sides": 2, "dice": 2}, "liars_dice(numdice=2,dice_sides=2)", 1.640625 / 2),
            (
                "battleship",
                {"width": 2, "height": 2},
                "battleship(board_width=2,board_height=2,ship_sizes=[2],ship_values=[1],num_shots=2,"
                "allow_repeated_shots=False)",
                1 / 12,
            ),
        ),
    ],
)
def test_exploitability_of_uniform_play_is_that_of_openspiel(
    name: str, rules: dict[str, int], openspiel: str, gain: float
) -> None:
    solution = solved(name, **rules)
    response = komi.best_response(solution.game, "random", **rules)
    assert 2 * response.exploitability == pytest.approx(gain, abs=1e-9)
    pyspiel = pytest.importorskip("pyspiel")
    from open_spiel.python import policy  # type: ignore[import-not-found]
    from open_spiel.python.algorithms import exploitability  # type: ignore[import-not-found]

    game = pyspiel.load_game(openspiel)
    theirs = exploitability.nash_conv(game, policy.UniformRandomPolicy(game))
    assert gain * (2 if solution.kind.is_chance else 1) == pytest.approx(theirs, abs=1e-9)


def test_leduc_poker_has_its_value() -> None:
    solution = solved("leduc_poker")
    assert solution.value() == pytest.approx(-0.0856, abs=1e-4)
    assert solution.exploitability < 1e-9
    response = komi.best_response(solution.game, "optimal")
    assert response.wins == pytest.approx((solution.value(), -solution.value()), abs=1e-9)


def test_no_policy_sees_what_is_hidden() -> None:
    solution = solved("leduc_poker")
    view, optimal = solution.game.part("view"), find("optimal", solution)
    mixes: dict[Any, dict[str, float]] = {}
    values: dict[Any, float] = {}
    fields = solution.data.states.all_fields()
    for row in fields[:: len(fields) // 200]:
        state = solution.game.module.State(*row.tolist())
        if not solution.game.is_chance(solution.rules, state):
            seen = view(solution.rules, state)
            assert solution.mixed(state) == mixes.setdefault(seen, solution.mixed(seen))
            assert solution.value(state) == values.setdefault(seen, solution.value(seen))
            assert optimal.choose(solution.game, solution.rules, seen, 0.5) in (0, 1, 2)
    assert len(mixes) > 50


def test_battleship_has_the_value_of_the_linear_program_of_its_tree() -> None:
    solution = solved("battleship", width=2, height=2)
    lower, upper = solution.bounds
    value = sequence_form_value(solution.game, solution.rules)
    assert (value, solution.value()) == (pytest.approx(17 / 32, abs=1e-9), pytest.approx(17 / 32, abs=1e-9))
    assert lower <= 17 / 32 <= upper
    assert solution.exploitability < 1e-9


@pytest.mark.slow
def test_liars_dice_has_the_value_that_openspiel_finds() -> None:
    solution = solved("liars_dice")
    assert 2 * solution.value() - 1 == pytest.approx(-0.027131, abs=2e-6)
    assert solution.exploitability < 1e-9


def matrix_value(game: Any, rules: Any) -> float:
    """Compute the first player's value by linear programming over all pure strategies, without information sets.

    A strategy of the first player is, for each card, the first action and the second after each reply; one of the other
    is a reply for each card and first action. If actions are not shown, strategies that depend on them are left out.
    """
    firsts = [(a, b) for a in (0, 1) for b in product((0, 1), repeat=2) if rules.shown or b[0] == b[1]]
    replies = [each for each in product((0, 1), repeat=2) if rules.shown or each[0] == each[1]]

    def after(state: Any, action: int) -> Any:
        [(_, successor, _)] = game.outcomes(rules, state, action)
        return successor

    start = game.part("start")(rules)
    deals = {(deal.own, deal.rival): (chance, deal) for chance, deal, _ in game.outcomes(rules, start, -1)}
    shares = np.zeros((2, 2, len(firsts), len(replies)))
    for (card, rival), (chance, deal) in deals.items():
        for i, (first, second) in enumerate(firsts):
            for j, reply in enumerate(replies):
                answer = reply[first]
                state = after(after(after(deal, first), answer), second[answer])
                shares[card - 1, rival - 1, i, j] = chance * game.part("payoff")(rules, state)
    payoffs = np.array(
        [
            [sum(shares[a - 1, b - 1, mine[a - 1], theirs[b - 1]] for a, b in DEALS) for theirs in columns]
            for columns in [list(product(range(len(replies)), repeat=2))]
            for mine in product(range(len(firsts)), repeat=2)
        ]
    )
    rows, columns = payoffs.shape
    found = linprog(
        [*[0.0] * rows, -1.0],
        np.hstack([-payoffs.T, np.ones((columns, 1))]),
        np.zeros(columns),
        [[*[1.0] * rows, 0.0]],
        [1.0],
        bounds=[(0, None)] * rows + [(None, None)],
    )
    return -float(found.fun)


@pytest.mark.parametrize("shown", [0, 1])
@pytest.mark.parametrize("drawn", [1, 2, 3])
def test_values_are_those_of_the_matrix_of_all_pure_strategies(drawn: int, shown: int) -> None:
    solution = komi.solve(CHOICES, drawn=drawn, shown=shown)
    assert solution.value() == pytest.approx(matrix_value(solution.game, solution.rules), abs=1e-9)
    assert solution.error_bound < 1e-12


@pytest.mark.slow
def test_play_of_optimal_policies_attains_the_value() -> None:
    solution = komi.solve(CHOICES, drawn=1)
    optimal = find("optimal", solution)
    assert match_mixed(solution, optimal, optimal).first.wins == pytest.approx(solution.value(), abs=1e-9)


def test_a_wrong_policy_is_found_by_the_check() -> None:
    solution = komi.solve(CHOICES, drawn=1)
    interpreter = Interpreter(solution.game, solution.rules)
    moves_of, _ = explore(interpreter, 100)
    decisions = [state for state, moves in moves_of.items() if len(moves) == 2]
    assert all(solution.bellman_violation(state, moves_of[state]) is None for state in decisions)
    data = solution.data
    wrong = replace(data, mixes=data.mixes[:, ::-1], action_values=data.action_values)
    solution.lazy_solver.data = wrong
    assert any(solution.bellman_violation(state, moves_of[state]) is not None for state in decisions)


def test_simultaneous_choice_is_a_special_case() -> None:
    solution = solve_by(HIDDEN, komi.find(PENNIES), komi.find(PENNIES).default_rules)
    assert solution.value() == pytest.approx(0.5)
    assert solution.mixed() == pytest.approx({"heads": 0.5, "tails": 0.5})


@pytest.mark.parametrize(
    ("rules", "reason"),
    [
        (
            {"recalls": 0},
            "has imperfect recall: a player who sees .* can have chosen .* or .* before: let a field .* keep which was",
        ),
        ({"public": 0, "shown": 0}, "to more than one player: let a field of the state tell who is to move"),
    ],
)
def test_views_that_forget_are_refused_with_the_view(rules: dict[str, int], reason: str) -> None:
    with pytest.raises(komi.SolveError, match=reason) as raised:
        komi.solve(CHOICES, **rules)
    assert "own=1" in str(raised.value)


def test_large_games_are_refused_at_once() -> None:
    with pytest.raises(komi.SolveError, match=r"too large to solve.*`komi simulate` and `komi play` support it"):
        komi.solve("red7", players=2)


def test_states_that_play_never_leads_to_have_no_value() -> None:
    with pytest.raises(komi.InputError, match="play of kuhn-poker never leads to card=7"):
        solved("kuhn_poker").value("card=7")


def test_solutions_are_stored_and_pickled() -> None:
    solution = solved("kuhn_poker")
    again = komi.solve(ROOT.parent / "examples" / "kuhn_poker.py")
    copied = pickle.loads(pickle.dumps(solution))
    assert again.is_loaded
    for other in (again, copied):
        assert (other.value(), other.bounds, other.states) == (solution.value(), solution.bounds, solution.states)
        assert other.mixed("card=1") == solution.mixed("card=1")
    columns = solution.arrays()
    assert {"value", "action", "probability_0", "probability_1"} <= columns.keys()
    assert len(columns["value"]) == solution.data.states.size


def test_there_are_no_puzzles_that_show_hidden_cards() -> None:
    assert daily_puzzle(solved("kuhn_poker"), date(2026, 1, 1)) is None


def test_games_with_far_too_many_histories_are_refused_before_they_are_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    progress = []
    monkeypatch.setattr(history_listing, "MAX_HISTORIES", 1_000_000)
    with pytest.raises(komi.SolveError, match=r"about .* histories, more than 1,000,000: too many to solve.*help"):
        komi.solve(RANDOM, seats=3, steps=24, progress=lambda what, done, total: progress.append(done))
    assert not progress


@pytest.mark.parametrize("limit", [10, 60])  # fewer than there are states, and fewer than there are histories
def test_games_with_too_many_histories_are_refused(limit: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history_listing, "MAX_HISTORIES", limit)
    with pytest.raises(komi.SolveError, match=rf"has more than {limit} histories: too many to solve"):
        komi.solve(RANDOM, steps=4)
