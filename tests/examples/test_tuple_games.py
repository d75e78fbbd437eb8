"""The games in examples/ have the values of independent computations."""

from collections import Counter
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import komi
from komi.rules.enumeration import explore
from komi.rules.interpreter import Interpreter

EXAMPLES = Path(__file__).parents[2] / "examples"
CANT_STOP = str(EXAMPLES / "cant_stop.py")
FIRST_ORCHARD = str(EXAMPLES / "first_orchard.py")


@pytest.mark.slow
def test_orchards_are_won_as_often_as_published() -> None:
    assert round(100 * komi.solve(FIRST_ORCHARD).value(), 4) == 63.1357
    obstgarten = komi.solve(FIRST_ORCHARD, fruit=10, basket=2, steps=9)
    assert round(100 * obstgarten.value(), 4) == 68.4047
    assert obstgarten.best("trees=5/9/5/5,picks=1") == "green apple"  # of the fullest tree


def cant_stop(sides: int, shortest: int, rise: int = 2, runners: int = 3, needed: int = 3) -> Any:
    """Compute the expected turns from any steps climbed in earlier turns, by value iteration of each turn."""
    lengths = {column: shortest + rise * min(column - 2, 2 * sides - column) for column in range(2, 2 * sides + 1)}
    throws = list(product(range(1, sides + 1), repeat=4))

    @cache
    def turns(safe: tuple[int, ...]) -> float:
        steps = dict(zip(lengths, safe, strict=True))
        if sum(steps[column] == lengths[column] for column in lengths) >= needed:
            return 0.0
        value, before = 0.0, -1.0
        while abs(value - before) > 1e-14:
            value, before = throw(steps, {}, value, {}), value
        return value

    def throw(steps: dict[int, int], climb: dict[int, int], again: float, known: dict[Any, float]) -> float:
        """Compute the expected turns of another throw, if a turn without steps leads to `again`."""
        key = tuple(sorted(climb.items()))
        if key not in known:
            total = 0.0
            for a, b, c, d in throws:
                options = [moved(steps, climb, pair) for pair in ((a + b, c + d), (a + c, b + d), (a + d, b + c))]
                after = [further for option in options for further in option]
                total += min((decision(steps, further, again, known) for further in after), default=1.0 + again)
            known[key] = total / len(throws)
        return known[key]

    def decision(steps: dict[int, int], climb: dict[int, int], again: float, known: dict[Any, float]) -> float:
        stopped = 1.0 + turns(tuple(steps[column] + climb.get(column, 0) for column in lengths))
        return min(stopped, throw(steps, climb, again, known))

    def moved(steps: dict[int, int], climb: dict[int, int], pair: tuple[int, int]) -> list[dict[int, int]]:
        """Return all results of one throw: both sums move if they can, in one order or the other."""
        found = []
        for first, second in (pair, pair[::-1]):
            new, is_moved = dict(climb), False
            for column in (first, second):
                runs = column in new or len(new) < runners
                if runs and steps[column] + new.get(column, 0) < lengths[column]:
                    new[column] = new.get(column, 0) + 1
                    is_moved = True
            if is_moved:
                found.append(new)
        return found

    return turns


def test_cant_stop_as_interpreted_takes_as_many_turns() -> None:
    game = komi.find(CANT_STOP)
    rules = game.rules({"sides": 2, "shortest": 1})
    game = game.under(rules)
    moves, is_complete = explore(Interpreter(game, rules), 10_000)
    assert is_complete
    values = dict.fromkeys(moves, 0.0)
    change = 1.0
    while change > 1e-14:
        change = 0.0
        for state in reversed(values):
            totals = [
                sum(
                    p * (game.part("reward")(rules, state, move.action, after) + values[after])
                    for p, after, _ in move.outcomes
                )
                for move in moves[state]
            ]
            value = min(totals, default=0.0)
            change, values[state] = max(change, abs(value - values[state])), value
    assert abs(values[game.part("start")(rules)] - cant_stop(2, 1)((0, 0, 0))) < 1e-12


@pytest.mark.slow
@pytest.mark.parametrize(("sides", "shortest"), [(2, 1), (2, 3)])
def test_cant_stop_is_solved_to_the_values_of_value_iteration(sides: int, shortest: int) -> None:
    solution, turns = komi.solve(CANT_STOP, sides=sides, shortest=shortest), cant_stop(sides, shortest)
    assert abs(solution.value() - turns((0,) * (2 * sides - 1))) <= solution.error_bound + 1e-12


def cant_stop_for_two(sides: int, shortest: int, needed: int) -> float:
    """Compute how often the first player wins, by value iteration of a position and of the one with the roles changed.

    A turn that fails leads from one to the other; all other turns lead to positions with more steps.
    """
    columns = range(2, 2 * sides + 1)
    lengths = {column: shortest + 2 * min(column - 2, 2 * sides - column) for column in columns}
    throws = Counter(tuple(sorted(dice)) for dice in product(range(1, sides + 1), repeat=4))
    values: dict[Any, float] = {}

    def value(mine: tuple[int, ...], theirs: tuple[int, ...]) -> float:
        if sum(steps == lengths[column] for column, steps in zip(columns, theirs, strict=True)) >= needed:
            return 0.0
        if (mine, theirs) not in values:
            one, other, before = 0.5, 0.5, 0.0
            while abs(one - before) > 1e-15:
                before, one = one, turn(mine, theirs, 1.0 - other)
                other = turn(theirs, mine, 1.0 - one)
            values[mine, theirs], values[theirs, mine] = one, other
        return values[mine, theirs]

    def turn(mine: tuple[int, ...], theirs: tuple[int, ...], failed: float) -> float:
        @cache
        def roll(climb: tuple[tuple[int, int], ...]) -> float:
            total = 0.0
            for (a, b, c, d), ways in throws.items():
                pairs = ((a + b, c + d), (a + c, b + d), (a + d, b + c))
                results = {climbed(climb, order) for pair in pairs for order in (pair, pair[::-1])} - {climb}
                total += ways * max((max(stop(after), roll(after)) for after in results), default=failed)
            return total / sides**4

        @cache
        def climbed(climb: tuple[tuple[int, int], ...], pair: tuple[int, int]) -> tuple[tuple[int, int], ...]:
            steps = dict(climb)
            for column in pair:
                reached = mine[column - 2] + steps.get(column, 0)
                if (column in steps or len(steps) < 3) and reached < lengths[column] > theirs[column - 2]:
                    steps[column] = steps.get(column, 0) + 1
            return tuple(sorted(steps.items()))

        def stop(climb: tuple[tuple[int, int], ...]) -> float:
            steps = dict(climb)
            return 1.0 - value(theirs, tuple(mine[column - 2] + steps.get(column, 0) for column in columns))

        return roll(())

    return value(*((0,) * len(columns),) * 2)


@pytest.mark.slow
@pytest.mark.parametrize(("sides", "shortest", "needed"), [(2, 1, 1), (2, 1, 2), (2, 2, 2), (3, 1, 1)])
def test_cant_stop_for_two_is_won_as_often_as_value_iteration_says(sides: int, shortest: int, needed: int) -> None:
    solution = komi.solve(CANT_STOP, sides=sides, shortest=shortest, needed=needed, players=2)
    assert abs(solution.value() - cant_stop_for_two(sides, shortest, needed)) <= solution.error_bound + 1e-12
