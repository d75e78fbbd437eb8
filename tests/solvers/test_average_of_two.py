"""Averages of games for two are those of all pairs of policies, one after the other, in exact fractions."""

from fractions import Fraction
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import komi
from komi.evaluation.average import average_of_best_response
from komi.policies.named import find
from komi.progress import silent
from komi.proof.audit import list_play
from komi.solvers.average.bounds import chance_depth
from komi.solvers.average.decision_process import DecisionProcess
from komi.solvers.average.strategy_iteration import find_best_strategies, nodes_of

from endless import Action, States, exact_gains, model_of, random_game, rule_file

STAY: Action = ([(Fraction(1), 0, 0)], Fraction(1))  # the same player moves again
PASS: Action = ([(Fraction(1), 0, 1)], Fraction(0))


def gains_of(states: States, one: tuple[int, ...], other: tuple[int, ...]) -> list[Fraction]:
    """Return what player 1 gains if these policies are played: where it moves, then where the other one does."""
    nodes = [
        (
            [(chance, after + len(states) * (seat ^ passes), 0) for chance, after, passes in outcomes],
            (1, -1)[seat] * reward,
        )
        for seat, policy in enumerate((one, other))
        for (_, actions), taken in zip(states, policy, strict=True)
        for outcomes, reward in [actions[taken]]
    ]
    return exact_gains(nodes, [int(not is_chance) for is_chance, _ in states] * 2)


def policies(states: States) -> list[tuple[int, ...]]:
    return list(product(*(range(len(actions)) for _, actions in states)))


def exact_averages(states: States) -> list[Fraction]:
    """Return the best of the worst gains of the player to move in each state, over all pairs of policies."""
    worst = [
        [min(gains) for gains in zip(*(gains_of(states, one, other) for other in policies(states)), strict=True)]
        for one in policies(states)
    ]
    best = [max(gains) for gains in zip(*worst, strict=True)]
    assert best[: len(states)] == [-gain for gain in best[len(states) :]]  # there is a value
    return best[: len(states)]


def check_bounds(seed: int) -> None:
    states = random_game(seed)
    takes = np.array([float(not is_chance) for is_chance, _ in states] * 2)
    process = DecisionProcess.of(nodes_of(model_of(states)), takes, 1.0)
    depth = chance_depth(process)
    assert depth is not None
    play = find_best_strategies(process, depth, silent)
    assert play is not None
    for state, exactly in enumerate(exact_averages(states)):
        assert play.lower[0][state] <= exactly <= play.upper[0][state], seed
        assert play.upper[0][state] - play.lower[0][state] <= 1e-10, seed
        assert abs(play.attained.gain[state] - float(exactly)) <= 1e-11, seed


def test_bounds_hold_the_value_of_all_pairs_of_policies() -> None:
    for seed in range(20):
        check_bounds(seed)


@pytest.mark.slow
def test_bounds_hold_the_values_of_a_thousand_games() -> None:
    for seed in range(1_000):
        check_bounds(1_000 + seed)


@pytest.mark.parametrize("seed", [2, 5, 11])
def test_solutions_of_rule_files_have_the_values(tmp_path: Path, seed: int) -> None:
    states = random_game(seed)
    file, values = rule_file(tmp_path, states, players=2), exact_averages(states)
    for begin, exactly in enumerate(values):
        solution = komi.solve(file, begin=begin)
        assert solution.is_audited
        assert abs(solution.value() - exactly) <= solution.error_bound <= 1e-11
        assert solution.expected_value(seat=1) == -solution.value()
        assert solution.arrays()["value"] == pytest.approx(
            [solution.value(f"at={at}") for at in solution.arrays()["at"]]
        )


def random_chain(states: States) -> list[Action]:
    """Return what the player to move gains, and what follows, if it plays at random."""
    return [
        (
            [(chance / len(actions), *after) for outcomes, _ in actions for chance, *after in outcomes],
            sum((reward for _, reward in actions), Fraction()) / len(actions),
        )
        for _, actions in states
    ]


@pytest.mark.parametrize("seed", [2, 5, 11])
def test_matches_have_the_averages_of_their_chains(tmp_path: Path, seed: int) -> None:
    states = random_game(seed)
    file = rule_file(tmp_path, states, players=2)
    solution = komi.solve(file)
    own = tuple(range_of(states, solution, at) for at in range(len(states)))
    mixed: States = [(is_chance, [action]) for (is_chance, _), action in zip(states, random_chain(states), strict=True)]
    both = [(is_chance, [*actions, *other]) for (is_chance, actions), (_, other) in zip(states, mixed, strict=True)]
    at_random = tuple(len(actions) for _, actions in states)
    found = komi.match(file, "optimal", "random")
    gains = gains_of(both, own, at_random)
    for exactly, value in ((gains[0], found.first), (gains[len(states)], found.second)):
        assert abs(value - exactly) <= found.error_bound <= 1e-11
    worst = [gains_of(both, at_random, reply) for reply in policies(states)]
    response = average_of_best_response(solution, find("random", solution))
    assert -2 * response == pytest.approx(float(sum(min(gains[at] for gains in worst) for at in (0, len(states)))))


def range_of(states: States, solution: Any, at: int) -> int:
    """Return the number of the action that optimal play takes; 0 where play does not come."""
    state = solution.game.module.State(at)
    return 0 if states[at][0] or solution.data.states.index_of(state) < 0 else solution.optimal_action(state)


def test_staying_gains_and_passing_does_not(tmp_path: Path) -> None:
    solution = komi.solve(rule_file(tmp_path, [(False, [PASS, STAY])], players=2))
    assert solution.value() == pytest.approx(1.0)
    assert solution.actions() == pytest.approx({"second": 1.0, "first": -1.0})
    assert solution.best() == "second"


def test_rewards_of_a_player_who_moves_seldom_count_per_action_of_both(tmp_path: Path) -> None:
    pays: States = [(False, [([(Fraction(1), 1, 1)], Fraction(3))]), (False, [([(Fraction(1), 0, 1)], Fraction(0))])]
    solution = komi.solve(rule_file(tmp_path, pays, players=2))
    assert solution.value() == pytest.approx(1.5)
    assert solution.value("at=1") == pytest.approx(-1.5)
    assert solution.bias() - -solution.bias("at=1") == pytest.approx(1.5)
    assert solution.advantages() == {"first": 0.0}


def test_solution_says_whose_average_it_is(tmp_path: Path, run: Any) -> None:
    file = rule_file(tmp_path, [(False, [PASS, STAY])], players=2)
    shown = run("solve", file).out
    assert (
        "With best play on both sides the average per action of the first player is 1.000000, of the second -1" in shown
    )
    assert "the average per action of the player to move is 1.000000" in run("value", file, "--state", "at=0").out
    matched = run("match", file, "random", "--exploit", "--json").solution
    assert matched["worst_case"] == pytest.approx({"random": -1.0})
    assert (matched["first"], matched["expected_actions"]) == (pytest.approx(0.0), None)


def test_audit_refuses_a_proof_of_other_rewards(tmp_path: Path) -> None:
    solution = komi.solve(rule_file(tmp_path, random_game(5), players=2))
    play = list_play(solution.game, solution.rules, 100, 1000)
    assert play is not None
    assert solution.audit(play)
    for change in (-0.001, 0.001):
        with pytest.raises(komi.AuditError, match="does not hold in State"):
            solution.audit(play._replace(reward=play.reward + change))
    with pytest.raises(komi.AuditError, match="does not hold in State"):
        solution.audit(play._replace(passes=1 - play.passes))


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("players = 2", "players = 3  # payoff(rules, state, seat)", "'average' is for games of one player or two"),
        ("average = True", "average = True\npayoff_range = (0, 5)", "one loses what the other one gains: leave it out"),
        (
            "average = True",
            "average = True\ndef view(rules, state):\n    return state._replace(hidden=0)",
            "where players see everything",
        ),
    ],
)
def test_games_of_another_kind_are_refused(tmp_path: Path, old: str, new: str, problem: str) -> None:
    path = rule_file(tmp_path, [(False, [PASS, STAY])], players=2)
    text = path.read_text().replace(old, new).replace("at: int = 0", "at: int = 0\n    hidden: int = 1")
    path.write_text(text.replace("payoff(rules, state)", "payoff(rules, state, seat)") if "seat" in new else text)
    with pytest.raises(komi.KomiError, match=problem):
        komi.solve(path)


@pytest.mark.parametrize(
    "of",
    [
        komi.measure,
        partial(komi.simulate, games=1),
        partial(komi.regret, policy="random"),
        partial(komi.prove, file="x.cert"),
    ],
)
def test_what_needs_an_end_refuses_averages_of_two(of: Any, tmp_path: Path) -> None:
    with pytest.raises(komi.SolveError, match="this works for games that end"):
        of(rule_file(tmp_path, random_game(5), players=2))
