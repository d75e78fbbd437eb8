"""Averages are those of all policies, one after the other, in exact fractions."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import komi
from komi.progress import silent
from komi.proof.audit import list_play
from komi.solvers.average.bounds import Bound, bound_above, bound_below, chance_depth, holds
from komi.solvers.average.decision_process import DecisionProcess, policy_shares
from komi.solvers.average.policy_iteration import iterate_policies

from endless import Action, States, exact_gains, model_of, random_states, rule_file

EXAMPLES = Path(__file__).parents[2] / "examples"


def all_gains(states: States) -> Iterator[tuple[tuple[int, ...], list[Fraction]]]:
    """Yield each deterministic stationary policy with the gain of each state."""
    takes = [int(not is_chance) for is_chance, _ in states]
    for policy in product(*(range(len(actions)) for _, actions in states)):
        chain = [actions[taken] for (_, actions), taken in zip(states, policy, strict=True)]
        yield policy, exact_gains(chain, takes)


def check_bounds(seed: int, sign: int) -> None:
    states = random_states(seed)
    takes = np.array([float(not is_chance) for is_chance, _ in states])
    process = DecisionProcess.of(model_of(states), takes, float(sign))
    depth = chance_depth(process)
    assert depth is not None
    policy, attained = iterate_policies(process, silent)
    upper = bound_above(process, attained, depth)
    lower = bound_below(process.follow(policy_shares(process, policy)), attained, depth)
    assert upper is not None
    assert lower is not None
    taken = tuple((policy - process.first_pair).tolist())
    gains = {each: [sign * gain for gain in found] for each, found in all_gains(states)}
    for state in range(len(states)):
        best, own = max(found[state] for found in gains.values()), gains[taken][state]
        assert lower.gain[state] <= own <= best <= upper.gain[state], seed
        assert upper.gain[state] - lower.gain[state] <= 1e-10, seed
        assert abs(attained.gain[state] - float(own)) <= 1e-12, seed


@pytest.mark.parametrize("sign", [1, -1])
def test_bounds_hold_all_policies_and_the_one_found(sign: int) -> None:
    for seed in range(25):
        check_bounds(seed, sign)


@pytest.mark.slow
def test_bounds_hold_all_policies_of_a_thousand_processes() -> None:
    for seed in range(1_000):
        check_bounds(1_000 + seed, 1 if seed % 2 else -1)


def test_smaller_bounds_do_not_pass_as_proved() -> None:
    states = random_states(3)
    process = DecisionProcess.of(model_of(states), np.array([float(not each) for each, _ in states]), 1.0)
    depth = chance_depth(process)
    assert depth is not None
    _, attained = iterate_policies(process, silent)
    bound = bound_above(process, attained, depth)
    assert bound is not None
    assert holds(process, bound)
    assert not holds(process, Bound(bound.gain - 1e-9, bound.bias))


@pytest.mark.parametrize("aim", ["most", "least"])
@pytest.mark.parametrize("seed", [1, 5, 188])
def test_solutions_of_rule_files_are_the_best_policies(tmp_path: Path, seed: int, aim: str) -> None:
    states = random_states(seed)
    file, best = rule_file(tmp_path, states, aim), max if aim == "most" else min
    gains = [found for _, found in all_gains(states)]
    for begin in range(len(states)):
        solution = komi.solve(file, begin=begin)
        assert solution.is_audited
        assert abs(solution.value() - best(found[begin] for found in gains)) <= solution.error_bound <= 1e-11


@pytest.mark.parametrize("seed", [1, 5, 188])
def test_average_of_random_play_is_that_of_its_chain(tmp_path: Path, seed: int) -> None:
    states = random_states(seed)
    chain = [
        (
            [(chance / len(actions), after, 0) for chances, _ in actions for chance, after, _ in chances],
            sum((reward for _, reward in actions), Fraction()) / len(actions),
        )
        for _, actions in states
    ]
    result = komi.match(rule_file(tmp_path, states), "random")
    exactly = exact_gains(chain, [int(not is_chance) for is_chance, _ in states])[0]
    assert abs(result.value - exactly) <= result.error_bound <= 1e-11


def test_robot_recharges_a_low_battery() -> None:
    robot = komi.solve(EXAMPLES / "recycling_robot.py")
    assert robot.value() == pytest.approx(25 / 6, abs=1e-12)  # five searches on average, then a recharge
    assert (robot.best("low=0"), robot.best("low=1")) == ("search", "recharge")
    assert robot.advantages("low=1") == pytest.approx({"recharge": 0.0, "search": -22 / 15, "wait": -19 / 6})
    assert robot.bias("low=0") - robot.bias("low=1") == pytest.approx(25 / 6)


def test_longer_play_has_totals_near_gain_and_bias() -> None:
    robot = komi.solve(EXAMPLES / "recycling_robot.py")
    totals = np.zeros(2)  # of high and low, after so many actions
    for _ in range(400):
        totals = np.array([5.0 + 0.8 * totals[0] + 0.2 * totals[1], totals[0]])
    assert totals - 400 * robot.value() == pytest.approx([robot.bias("low=0"), robot.bias("low=1")], abs=1e-6)


def test_example_of_pymdptoolbox_has_the_average_of_its_policies(tmp_path: Path) -> None:
    chances = [(1, 1, 2), (3, 0, 1), (2, 2, 0), (0, 1, 3), (1, 0, 3), (1, 1, 2)]  # quarters, by action and state
    rewards = ("11/20", "3/4", "1", "4/5", "6/5", "1")
    states: States = [
        (
            False,
            [
                (
                    [(Fraction(each, 4), after, 0) for after, each in enumerate(chances[3 * action + state]) if each],
                    reward,
                )
                for action, reward in enumerate(map(Fraction, rewards[2 * state : 2 * state + 2]))
            ],
        )
        for state in range(3)
    ]
    best = max(found[0] for _, found in all_gains(states))
    solution = komi.solve(rule_file(tmp_path, states))
    assert abs(solution.value() - best) <= solution.error_bound <= 1e-11
    assert solution.value() == pytest.approx(0.975676, abs=5e-7)


def test_average_of_play_that_can_end_is_refused(tmp_path: Path) -> None:
    path = rule_file(tmp_path, random_states(1))
    path.write_text(path.read_text().replace("return False", "return state.at == 1"))
    with pytest.raises(komi.SolveError, match="average per action is that of play that never ends, but process can"):
        komi.solve(path)


def test_endless_total_names_the_declaration_that_helps(tmp_path: Path) -> None:
    path = rule_file(tmp_path, random_states(1))
    path.write_text(path.read_text().replace("average = True", ""))
    with pytest.raises(komi.SolveError, match="with 'average = True' in the rule file"):
        komi.solve(path)


@pytest.mark.parametrize(
    ("declared", "problem"),
    [
        ("average = 1", "'average' is 1, not True or False"),
        ("average = True\n\n\ndef objective(rules):\n    return 'chance of rain'", "'objective' names a chance"),
    ],
)
def test_declarations_of_another_form_are_refused(tmp_path: Path, declared: str, problem: str) -> None:
    path = rule_file(tmp_path, random_states(1))
    path.write_text(path.read_text().replace("average = True", declared))
    with pytest.raises(komi.GameError, match=problem):
        komi.solve(path)


REFUSING = {
    "measure": komi.measure,
    "simulate": partial(komi.simulate, games=1),
    "learn": partial(komi.learn, method="q-learning"),
    "prove": partial(komi.prove, file="robot.cert"),
    "prism": partial(komi.export_model, file="robot.prism"),
}


@pytest.mark.parametrize("of", REFUSING.values(), ids=REFUSING)
def test_what_needs_an_end_refuses_averages(of: Callable[[Path], Any]) -> None:
    with pytest.raises(komi.SolveError, match="this works for games that end"):
        of(EXAMPLES / "recycling_robot.py")


def test_audit_refuses_a_proof_of_other_rewards() -> None:
    robot = komi.solve(EXAMPLES / "recycling_robot.py")
    play = list_play(robot.game, robot.rules, 100, 100)
    assert play is not None
    assert robot.audit(play)
    with pytest.raises(komi.AuditError, match="does not hold in State"):
        robot.audit(play._replace(reward=play.reward + 0.001))


def test_chance_that_moves_for_ever_has_no_average(tmp_path: Path) -> None:
    certain = [(Fraction(1), 1, 0)]
    path = rule_file(tmp_path, [(False, [(certain, Fraction(1))]), (True, [(certain, Fraction(1))])])
    with pytest.raises(komi.SolveError, match="process has no average per action: chance can move without end"):
        komi.solve(path)


def test_sweep_lists_the_averages(tmp_path: Path) -> None:
    found = komi.sweep(EXAMPLES / "recycling_robot.py", {"rescue": [-3.0, 5.0]}, store=tmp_path / "rows.sqlite")
    averages = {row.rules.rescue: row.opening.first for row in found.rows}
    assert averages == pytest.approx({-3.0: 25 / 6, 5.0: 5.0})


@pytest.mark.slow
def test_check_finds_nothing_wrong_with_play_that_never_ends() -> None:
    report = komi.check(EXAMPLES / "recycling_robot.py")
    assert report.ok
    assert "Play is not meant to end: the value is an average per action." in report.holds


def test_numbers_beyond_float_arithmetic_are_refused(tmp_path: Path) -> None:
    one, rare = Fraction(1), Fraction(1, 10**17)  # their sum is 1 in floats
    stays: Action = ([(one, 1, 0)], Fraction(0))
    singular: States = [(False, [([(one, 0, 0), (rare, 1, 0)], one), ([(one, 0, 0)], one / 2)]), (False, [stays])]
    huge: States = [(False, [([(one, 1, 0)], Fraction(10**308))]), (False, [([(one, 0, 0)], Fraction(-(10**308)))])]
    for states in (singular, huge):
        with pytest.raises(komi.SolveError, match="no proof was found of the average reward"):
            komi.solve(rule_file(tmp_path, states))
