"""Discounted values are those of all policies in exact fractions, or of exact value iteration for two players."""

import random
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest

import komi

from exact import eliminated

EXAMPLES = Path(__file__).parents[2] / "examples"
END = -1  # the next state that ends the game
DISCOUNTS = (Fraction(1, 4), Fraction(1, 2), Fraction(7, 8), Fraction(0.9), Fraction(31, 32))
Outcome = tuple[Fraction, int, Fraction, int]  # probability, next state, reward or payoff at the end, seats passed
Process = tuple[Fraction, list[tuple[bool, list[list[Outcome]]]]]  # discount; whether chance moves, actions

RULES = '''"""Processes."""

from typing import NamedTuple

players = PLAYERS
actions = ("first", "second", "third")
TABLES = TABLES_HERE


class Rules(NamedTuple):
    process: int = 0
    begin: int = 0


class State(NamedTuple):
    at: int
    paid: int = 0  # at the end, in quarters


def discount(rules):
    return TABLES[rules.process][0]


def start(rules):
    return State(rules.begin)


def legal(rules, state):
    is_chance, choices = TABLES[rules.process][1][state.at]
    yield from (-1,) if is_chance else range(len(choices))


def outcomes(rules, state, action):
    at, paid = state
    for probability, after, gained, passes in TABLES[rules.process][1][at][1][max(action, 0)]:
        yield probability, State(after, int(4 * gained) if after == -1 else 0), passes


def over(rules, state):
    return state == State(-1, state.paid)


def payoff(rules, state):
    return state.paid / 4
'''
REWARD = """

def reward(rules, state, action, after):
    if over(rules, after):
        return 0.0
    return sum(
        gained for _, other, gained, _ in TABLES[rules.process][1][state.at][1][max(action, 0)] if other == after.at
    )
"""
RANGE = """

def payoff_range(rules):
    return -1, 1


def objective(rules):
    return "expected points"
"""


def random_process(seed: int, players: int) -> Process:
    """Draw a process of few states, with cycles, ends and moves of chance."""
    draw = random.Random(seed)
    size, states = draw.randint(1, 4), []
    for state in range(size):
        is_chance = state > 0 and draw.random() < 0.25
        choices = []
        for _ in range(1 if is_chance else draw.randint(1, 3)):
            near = range(state) if is_chance else range(size)  # chance comes to an end
            found = draw.sample([*near, END], k=draw.randint(1, min(len(near) + 1, 3)))
            shares = {1: (8,), 2: (3, 5), 3: (1, 5, 2)}[len(found)]
            choices.append([_outcome(draw, players, share, after) for share, after in zip(shares, found, strict=True)])
        states.append((is_chance, choices))
    return draw.choice(DISCOUNTS), states


def _outcome(draw: random.Random, players: int, share: int, after: int) -> Outcome:
    lowest = 0 if players == 1 else -4
    gained = Fraction(draw.randint(lowest, 4) if after == END else draw.randint(-20, 20) * (players == 1), 4)
    return Fraction(share, 8), after, gained, draw.randint(0, players - 1)


def write(folder: Path, processes: list[Process], players: int) -> Path:
    """Write processes as a rule file; a rule chooses one of them."""
    tables = tuple(
        (
            float(discount),
            tuple(
                (
                    is_chance,
                    tuple(
                        tuple((float(share), after, float(gained), passes) for share, after, gained, passes in each)
                        for each in choices
                    ),
                )
                for is_chance, choices in states
            ),
        )
        for discount, states in processes
    )
    text = RULES.replace("PLAYERS", str(players)).replace("TABLES_HERE", repr(tables))
    path = folder / "processes.py"
    path.write_text(text + (REWARD if players == 1 else RANGE))
    return path


def best_values(process: Process) -> list[Fraction]:
    """Compute the greatest value of each state among all deterministic stationary policies."""
    discount, states = process
    best: list[Fraction] = []
    for policy in product(*(choices for _, choices in states)):
        rows = []
        for at, outcomes in enumerate(policy):
            factor = Fraction(1) if states[at][0] else discount
            row = [Fraction(at == other) for other in range(len(states))]
            for share, after, _, _ in outcomes:
                if after != END:
                    row[after] -= share * factor
            rows.append([*row, sum((share * gained for share, _, gained, _ in outcomes), Fraction())])
        values = eliminated(rows)
        best = [max(pair) for pair in zip(best or values, values, strict=True)]
    return best


def iterated_values(process: Process) -> tuple[list[Fraction], Fraction]:
    """Compute the values to the mover by value iteration, and a bound on the error: the contraction's, and rounding."""
    discount, states = process
    unit, sweeps = Fraction(1, 2**100), 1500
    values = [Fraction(0)] * len(states)
    for _ in range(sweeps):
        new: list[Fraction] = []
        for is_chance, choices in states:  # chance leads to earlier states, whose new values are used
            factor, known = (Fraction(1), new) if is_chance else (discount, values)
            totals = [
                sum(
                    (share * (-1) ** passes * (gained if after == END else factor * known[after]))
                    for share, after, gained, passes in outcomes
                )
                for outcomes in choices
            ]
            new.append(round(max(totals) / unit) * unit)
        values = new
    return values, discount**sweeps + len(states) * unit / (1 - discount)


def check_one_player(folder: Path, seeds: range) -> None:
    processes = [random_process(seed, 1) for seed in seeds]
    path = write(folder, processes, 1)
    for number, process in enumerate(processes):
        exact = best_values(process)
        for begin in {0, len(exact) - 1}:
            solution = komi.solve(path, process=number, begin=begin)
            assert abs(Fraction(solution.value()) - exact[begin]) <= solution.error_bound <= 1e-8, (number, begin)


def check_two_players(folder: Path, seeds: range) -> None:
    processes = [random_process(seed, 2) for seed in seeds]
    path = write(folder, processes, 2)
    for number, process in enumerate(processes):
        (value, *_), error = iterated_values(process)
        solution = komi.solve(path, process=number)
        found = {"win": 1.0, "draw": 0.0, "loss": -1.0}.get(solution.value(), solution.value())  # without chance
        assert abs(Fraction(found) - value) <= solution.error_bound + error, number
        assert solution.error_bound <= 1e-9


def test_values_are_those_of_the_best_policies(tmp_path: Path) -> None:
    check_one_player(tmp_path, range(8))


@pytest.mark.slow
def test_values_are_those_of_the_best_policies_in_a_thousand_processes(tmp_path: Path) -> None:
    check_one_player(tmp_path, range(1000))


def test_values_of_two_players_are_those_of_value_iteration(tmp_path: Path) -> None:
    check_two_players(tmp_path, range(6))


@pytest.mark.slow
def test_values_of_two_players_are_those_of_value_iteration_in_a_thousand_games(tmp_path: Path) -> None:
    check_two_players(tmp_path, range(1_000))
