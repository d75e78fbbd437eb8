"""Regret minimization: proved gains are those of all pure strategies, and values those of linear programs."""

from dataclasses import replace
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import komi
from komi.compiling.compiled import compiled_game
from komi.evaluation.strength import best_responses_by_seat
from komi.policies.named import find
from komi.rules import catalog
from komi.solvers.hidden import counterfactual_regret, hidden_values
from komi.solvers.hidden.hidden_solver import HIDDEN_MULTIPLAYER, HiddenMultiplayerSolution
from komi.solvers.solve import solve_without_storing

from slowly import slowly

ROOT = Path(__file__).parents[1]
RANDOM = catalog.find(str(ROOT / "games" / "random_hidden.py"))
EXAMPLES = ROOT.parent / "examples"
KUHN = catalog.find(str(EXAMPLES / "kuhn_poker.py"))

Mix = dict[Any, list[Fraction]]
"""The probabilities of the actions in each information set."""
Leaf = tuple[Fraction, tuple[Fraction, ...], list[tuple[int, Any, int]]]
"""The probability of chance, the payoffs, and the seats, information sets and actions on the way."""


def leaves(rules: Any) -> list[Leaf]:
    """List the ends of a random game, with exact numbers."""
    module, found = RANDOM.module, []

    def follow(state: Any, chance: Fraction, path: list[tuple[int, Any, int]]) -> None:
        if module.over(rules, state):
            seats = [(seat - state.step) % rules.seats for seat in range(rules.seats)]
            found.append((chance, tuple(Fraction(module.payoff(rules, state, seat)) for seat in seats), path))
            return
        for action in (0, 1):
            [(_, after, _)] = module.outcomes(rules, state, action)
            step = (state.step % rules.seats, module.view(rules, state), action)
            follow(after, chance, [*path, step])

    deals = list(module.outcomes(rules, module.start(rules), -1))
    total = sum(Fraction(probability) for probability, _, _ in deals)
    for probability, state, _ in deals:
        follow(state, Fraction(probability) / total, [])
    return found


def gains(rules: Any, mix: Mix) -> tuple[list[Fraction], list[Fraction]]:
    """Return what each seat gets if all play a policy, and if it alone plays its best pure strategy instead."""
    values, best = [], []
    listed = leaves(rules)
    for seat in range(rules.seats):
        sums: dict[tuple[tuple[Any, int], ...], Fraction] = {}
        value = Fraction(0)
        for chance, payoffs, path in listed:
            weight = chance * payoffs[seat]
            for mover, seen, action in path:
                if mover != seat:
                    weight *= mix[seen][action]
            own = tuple((seen, action) for mover, seen, action in path if mover == seat)
            sums[own] = sums.get(own, Fraction(0)) + weight
            for seen, action in own:
                weight *= mix[seen][action]
            value += weight
        sets = sorted({seen for own in sums for seen, _ in own})
        strategies = (dict(zip(sets, choices, strict=True)) for choices in product((0, 1), repeat=len(sets)))
        best.append(
            max(
                sum(share for own, share in sums.items() if all(chosen[seen] == action for seen, action in own))
                for chosen in strategies
            )
        )
        values.append(value)
    return values, best


def check_gains(plan: int, seats: int, steps: int) -> None:
    solution = komi.solve(RANDOM, plan=plan, seats=seats, steps=steps, tolerance=1e-2)
    view, mix = solution.game.part("view"), {}
    for fields in solution.data.states.all_fields().tolist():
        state = solution.game.module.State(*fields)
        if state.step >= 0:
            shares = [Fraction(share) for share in solution.mixed(state).values()]
            mix[view(solution.rules, state)] = [share / sum(shares) for share in shares]
    values, best = gains(solution.rules, mix)
    for seat in range(seats):
        assert solution.expected_value(seat=seat) == pytest.approx(float(values[seat]), abs=1e-12)
        assert best[seat] - values[seat] <= Fraction(solution.data.gains[seat])
        assert solution.data.gains[seat] <= float(best[seat] - values[seat]) + 1e-12
    if seats == 2:
        lower, upper = map(Fraction, solution.bounds)
        assert lower <= 1 - best[1] <= best[0] <= upper
    uniform = {seen: [Fraction(1, 2)] * 2 for seen in mix}
    response = komi.best_response(RANDOM, "random", tolerance=1e-2, **solution.rules._asdict())
    values, best = gains(solution.rules, uniform)
    assert response.wins == pytest.approx(list(map(float, best)), abs=response.error_bound + 1e-15)
    if seats == 2:
        assert komi.regret(RANDOM, "optimal", opponent="random", **solution.rules._asdict()).average >= 0.0
    responses = best_responses_by_seat(solution, [find("random", solution)] * seats)
    assert responses == pytest.approx(list(map(float, best)), abs=1e-12)


@pytest.mark.parametrize(("plan", "seats", "steps"), [(1, 2, 3), (2, 3, 3), (3, 3, 4)])
def test_proved_gains_are_those_of_the_best_pure_strategy(plan: int, seats: int, steps: int) -> None:
    check_gains(plan, seats, steps)


@pytest.mark.slow
def test_proved_gains_of_two_thousand_games_are_those_of_the_best_pure_strategy() -> None:
    for plan in range(1000, 3000):
        check_gains(plan, 2 + plan % 2, 3)


@pytest.mark.parametrize(
    ("game", "rules"),
    [(KUHN, {}), (RANDOM, {"plan": 7}), *slowly((EXAMPLES / "leduc_poker.py", {}), (EXAMPLES / "liars_dice.py", {}))],
)
def test_two_players_get_the_value_of_the_linear_program(
    game: Any, rules: dict[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    found = catalog.find(game)
    exact = komi.solve(found, **rules)
    monkeypatch.setattr(hidden_values, "MAX_ENTRIES", 0)
    solution: Any = solve_without_storing(compiled_game(found), found.rules(rules))
    assert exact.data.iterations == 0 < solution.data.iterations
    lower, upper = solution.bounds
    assert lower <= exact.bounds[1]
    assert exact.bounds[0] <= upper
    assert solution.exploitability < 2e-4 * solution.scale


def test_a_tolerance_other_than_the_default_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counterfactual_regret, "MAX_WORK", 1e5)
    solution: Any = solve_without_storing(compiled_game(RANDOM), RANDOM.rules({"plan": 11, "seats": 3}))
    assert 1e-9 < max(solution.epsilon) <= 1e-4
    with pytest.raises(komi.SolveError, match=r"no seat of random-hidden can gain more than .* ask for a larger one"):
        replace(solution, tolerance=1e-9 / 2).check_bound()


def test_three_players_of_kuhn_poker_gain_nothing_by_deviating() -> None:
    solution = komi.solve(EXAMPLES / "kuhn_poker_three.py")
    assert isinstance(solution, HiddenMultiplayerSolution)
    assert max(solution.epsilon) < 6e-9
    assert (solution.information_sets, solution.states, solution.unique) == (48, 289, None)
    assert solution.is_audited or solution.is_loaded
    chips = solution.seat_values()
    assert sum(chips) == pytest.approx(0.0, abs=1e-12)
    assert chips[1] == pytest.approx(-1 / 48, abs=1e-8)
    assert komi.match(EXAMPLES / "kuhn_poker_three.py", "optimal").values == pytest.approx(chips)


def test_values_of_seats_are_expectations_over_what_the_mover_cannot_see() -> None:
    solution = komi.solve(EXAMPLES / "kuhn_poker_three.py")
    dealt = [solution.seat_values({"card": card}) for card in (1, 2, 3, 4)]
    assert [sum(column) / 4 for column in zip(*dealt, strict=True)] == pytest.approx(solution.seat_values())
    known = [
        [solution.revealed_value({"card": 2, "next": a, "last": b}, seat) for seat in range(3)]
        for a, b in product((1, 3, 4), repeat=2)
        if a != b
    ]
    assert [sum(column) / 6 for column in zip(*known, strict=True)] == pytest.approx(dealt[1])


def test_games_for_more_that_are_too_large_are_refused() -> None:
    three = komi.solve(EXAMPLES / "kuhn_poker_three.py").kind
    assert HIDDEN_MULTIPLAYER.refusal(three) is None
    with pytest.raises(komi.SolveError, match=r"too large to solve.*`komi simulate` and `komi play` support it"):
        komi.solve("red7", players=3)
