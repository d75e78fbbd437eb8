"""Where both choose at once matches and best responses are what plain iteration says."""

from collections.abc import Callable
from typing import Any

import pytest

import komi
from games import reference
from komi.evaluation.mixed import best_response_mixed, match_mixed
from komi.policies.named import find
from komi.solvers.solution import Solution

Shares = Callable[[Any], list[float]]
RULES = {"goal": 5, "ending": "first"}


@pytest.fixture(scope="module")
def skunk() -> Solution[Any]:
    return komi.solve("skunk", **RULES)


def shares(solution: Solution[Any], name: str) -> Shares:
    """Return how often a policy takes each legal action."""

    def of(state: Any) -> list[float]:
        legal = list(solution.game.part("legal")(solution.rules, state))
        if name == "random":
            return [1.0 / len(legal)] * len(legal)
        if name == "optimal":
            return list(solution.mixed(tuple(state)).values())
        chosen = find(name, solution).choose(solution.game, solution.rules, state, 0.5)
        return [float(action == chosen) for action in legal]

    return of


def iterated(solution: Solution[Any], mine: Shares | None, theirs: Shares) -> tuple[float, float]:
    """Compute what one seat wins moving first and second, with these shares, or as the best response, by iteration."""
    game, rules = solution.game, solution.rules
    nodes = reference._hidden_nodes(game, rules)
    blind = {
        state: next(after for _, after, _ in game.outcomes(rules, state, next(iter(game.part("legal")(rules, state)))))
        for state, options in nodes.items()
        if options and len(options[0]) > 1
    }
    value = {(state, role): 0.5 for state in nodes for role in range(2)}
    for state, options in nodes.items():
        if options is None:
            mover = float(game.payoffs(rules, state)[0])
            value[state, 0], value[state, 1] = mover, 1.0 - mover
    for _ in range(2000):
        change = 0.0
        for state, options in nodes.items():
            if options is None:
                continue
            for role in range(2):
                worth = [[sum(p * value[t, (role + q) % 2] for p, t, q in cell) for cell in row] for row in options]
                movers, others = (mine, theirs) if role == 0 else (theirs, mine)
                rows = movers(state) if movers else None
                columns = (others(blind[state]) if others else None) if state in blind else [1.0]
                new = best(worth, rows, columns)
                change = max(change, abs(new - value[state, role]))
                value[state, role] = new
        if change < 1e-14:
            break
    start = game.part("start")(rules)
    return value[start, 0], value[start, 1]


def best(worth: list[list[float]], rows: list[float] | None, columns: list[float] | None) -> float:
    """Compute the value of the pairs of choices; the maximum where one side is free."""
    if columns is None:
        assert rows is not None
        return max(sum(x * row[b] for x, row in zip(rows, worth, strict=True)) for b in range(len(worth[0])))
    of_rows = [sum(y * each for y, each in zip(columns, row, strict=True)) for row in worth]
    return max(of_rows) if rows is None else sum(x * each for x, each in zip(rows, of_rows, strict=True))


@pytest.mark.parametrize("pair", [("random", "optimal"), ("hold-at:3", "random"), ("optimal", "hold-at:2")])
def test_matches_are_what_iteration_says(skunk: Solution[Any], pair: tuple[str, str]) -> None:
    one, other = (find(name, skunk) for name in pair)
    found = match_mixed(skunk, one, other)
    first, second = iterated(skunk, shares(skunk, pair[0]), shares(skunk, pair[1]))
    assert found.first.wins == pytest.approx(first, abs=found.error_bound + 1e-11)
    assert found.second.wins == pytest.approx(second, abs=found.error_bound + 1e-11)


@pytest.mark.parametrize("name", ["random", "hold-at:3", "optimal"])
def test_the_best_response_is_what_iteration_says(skunk: Solution[Any], name: str) -> None:
    found = best_response_mixed(skunk, find(name, skunk))
    first, second = iterated(skunk, None, shares(skunk, name))
    assert found.first == pytest.approx(first, abs=found.error_bound + 1e-11)
    assert found.second == pytest.approx(second, abs=found.error_bound + 1e-11)


def test_optimal_play_cannot_be_exploited(skunk: Solution[Any]) -> None:
    found = best_response_mixed(skunk, find("optimal", skunk))
    assert found.average <= 0.5 + found.error_bound + skunk.error_bound


@pytest.mark.slow
def test_lengths_are_those_of_simulated_games(skunk: Solution[Any]) -> None:
    found = komi.match("skunk", "random", **RULES)
    seen = komi.simulate("skunk", 20_000, policies="random", seed=1, **RULES)
    assert abs(found.first.actions - seen.actions.mean) < 5 * seen.actions.stderr
    assert abs(found.first.turns - seen.turns.mean) < 5 * seen.turns.stderr


def test_policies_that_would_see_what_is_hidden_are_refused(skunk: Solution[Any]) -> None:
    for name in ("ahead:2", "max-score"):
        with pytest.raises(komi.InputError, match="two players who see everything"):
            find(name, skunk)
