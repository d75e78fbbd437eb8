"""What is said of a finished game adds up, and agrees with values in exact fractions."""

from fractions import Fraction
from functools import cache
from math import isclose
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from komi.game import CHANCE
from komi.play.fairness import sample_event
from komi.play.opponent_players import create_player, solve_if_solvable
from komi.play.opponents import find
from komi.play.review import PLAY_ON, RESIGN, Review, review
from komi.play.table import Table
from komi.rules import catalog
from komi.solvers.solution import Solution

import exact

GOOFSPIEL = str(Path(__file__).parents[2] / "examples" / "goofspiel.py")
MONTY_HALL = str(Path(__file__).parents[2] / "examples" / "monty_hall.py")
FORCED = str(Path(__file__).parents[1] / "games" / "forced_roll.py")
KINDS: dict[str, dict[str, Any]] = {
    "piglet": {"goal": 3},
    FORCED: {},
    "red-light": {"goal": 8},
    "traffic-lights": {"rows": 1, "columns": 3},
}
LUCKS = st.lists(st.floats(0, 1, exclude_max=True), min_size=3, max_size=12)


@cache
def prepared(name: str) -> tuple[Any, Any, Solution[Any]]:
    game = catalog.find(name)
    rules = game.rules(KINDS.get(name, {}))
    solution = solve_if_solvable(game, rules)
    assert solution is not None
    return game, rules, solution


@cache
def truth(name: str) -> exact.Values:
    game, rules, _ = prepared(name)
    return exact.values(game, rules)


def played(name: str, lucks: list[float]) -> Table:
    """Play a game in which these actions repeat, to its end."""
    game, rules, _ = prepared(name)
    table = Table(game, rules)
    while not table.is_over:
        luck = (lucks[table.number % len(lucks)] + table.number * 0.618034) % 1.0
        if table.events:
            table.enter(sample_event(table.events, luck).label)
        else:
            table.enter(list(table.actions)[int(luck * len(table.actions))])
    return table


def plainly(name: str, table: Table, seat: int) -> tuple[Fraction, Fraction, Fraction]:
    """Compute luck and both seats' mistakes from the definitions, in fractions: the slow twin."""
    game, rules, _ = prepared(name)
    values = truth(name)

    def mine(state: Any, eyes: int) -> Fraction:
        return values[state] if eyes == seat else 1 - values[state]

    luck = mistakes = gifts = Fraction(0)
    state, eyes, number = game.part("start")(rules), 0, 0
    while number < table.number:
        actions = {
            label: [
                (exact.rational(p), mine(after, (eyes + passes) % 2), after, (eyes + passes) % 2)
                for p, after, passes in game.outcomes(rules, state, action)
                if p
            ]
            for label, action in game.labels(rules, state).items()
        }
        worths = {label: sum(p * value for p, value, _, _ in outcomes) for label, outcomes in actions.items()}
        if game.is_chance(rules, state):
            label = game.label(rules, state, CHANCE)
        else:
            label = table.log[number].label
            lost = (max(worths.values()) if eyes == seat else min(worths.values())) - worths[label]
            mistakes, gifts = (mistakes + lost, gifts) if eyes == seat else (mistakes, gifts - lost)
            number += 1
        if len(actions[label]) > 1:
            number += 1
        entry = table.log[number - 1]
        [value] = {value for _, value, after, to in actions[label] if (after, to) == (entry.state, entry.observer)}
        luck += value - worths[label]
        state, eyes = entry.state, entry.observer
    return luck, mistakes, gifts


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("name", KINDS)
@settings(max_examples=25)
@given(lucks=LUCKS)
def test_the_result_is_the_start_and_luck_and_skill(name: str, seat: int, lucks: list[float]) -> None:
    _, _, solution = prepared(name)
    table = played(name, lucks)
    found = review(solution, table, seat)
    assert table.payoffs is not None
    assert found.curve[-1] == table.payoffs[seat]
    assert isclose(found.curve[-1] - found.start, found.luck + found.skill, abs_tol=1e-12)
    if not table.is_stopped:
        bound = 1e-12 + 4 * table.number * solution.error_bound
        assert isclose(found.skill, found.gifts - found.mistakes, abs_tol=bound)


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("name", ["piglet", FORCED])
@settings(max_examples=15)
@given(lucks=LUCKS)
def test_luck_and_mistakes_are_those_of_exact_fractions(name: str, seat: int, lucks: list[float]) -> None:
    game, rules, solution = prepared(name)
    table = played(name, lucks)
    if table.is_stopped:
        return  # a draw by repetition, which the equations do not know
    found = review(solution, table, seat)
    luck, mistakes, gifts = plainly(name, table, seat)
    assert table.payoffs is not None
    start = truth(name)[game.part("start")(rules)]
    start = start if seat == 0 else 1 - start
    assert Fraction(table.payoffs[seat]) - start == luck + gifts - mistakes  # the identity, without rounding
    bound = 1e-12 + 4 * table.number * solution.error_bound
    for ours, true in ((found.luck, luck), (found.mistakes, mistakes), (found.gifts, gifts)):
        assert isclose(ours, float(true), abs_tol=bound)


@settings(max_examples=20)
@given(lucks=LUCKS)
def test_two_seats_look_back_on_opposite_games(lucks: list[float]) -> None:
    _, _, solution = prepared("red-light")
    table = played("red-light", lucks)
    one, other = (review(solution, table, seat) for seat in (0, 1))
    assert all(isclose(a + b, 1.0) for a, b in zip(one.curve, other.curve, strict=True))
    assert isclose(one.luck, -other.luck, abs_tol=1e-12)
    assert isclose(one.mistakes, other.gifts, abs_tol=1e-12)


def best_and_worst(name: str) -> Review:
    """Let the first player play optimally, the second as badly as possible."""
    game, rules, solution = prepared(name)
    table, hard = Table(game, rules), create_player(find("hard", game, rules), game, rules, solution)
    luck = 0.0
    while not table.is_over:
        luck = (luck + 0.618034) % 1.0
        if table.events:
            table.enter(sample_event(table.events, luck).label)
        elif table.mover == 0:
            table.enter(game.label(rules, table.state, hard.choose(table.state, luck)))
        else:
            table.enter(solution.action_values(table.state)[-1].label)
    return review(solution, table, 0)


@pytest.mark.parametrize("name", ["red-light", "traffic-lights"])
def test_optimal_play_makes_no_mistakes(name: str) -> None:
    found = best_and_worst(name)
    assert found.mistakes == 0.0
    assert found.worst is None
    assert all(decision.chosen == decision.best for decision in found.decisions if decision.seat == 0)
    assert found.skill == pytest.approx(found.gifts, abs=1e-6)


def test_the_worst_decision_is_the_one_that_gives_most_away() -> None:
    _, _, solution = prepared("red-light")
    found = review(solution, played("red-light", [0.1, 0.5, 0.9]), 0)
    own = {decision.number: decision.loss for decision in found.decisions if decision.seat == 0}
    assert found.worst is not None
    assert own[found.worst] == max(own.values()) > 0
    worst = next(decision for decision in found.decisions if decision.number == found.worst)
    assert worst.loss == pytest.approx(worst.values[worst.best] - worst.values[worst.chosen])


def test_who_chooses_at_the_same_time_is_judged_by_what_was_seen() -> None:
    _, _, solution = prepared(GOOFSPIEL)
    table = played(GOOFSPIEL, [0.9, 0.1, 0.6])
    found = review(solution, table, 0)
    for decision in found.decisions:
        assert decision.values == {each.label: each.value for each in solution.action_values(decision.state)}
    first, second = found.decisions[:2]
    assert first.loss > 0.1 > second.loss == 0.0
    assert isclose(found.curve[-1] - found.start, found.luck + found.skill, abs_tol=1e-12)


@pytest.mark.parametrize(
    ("last", "result", "skill"), [("stay with door 1", 1.0, -1 / 3), ("switch to door 3", 0.0, 0.0)]
)
def test_luck_of_one_who_does_not_see_everything_is_what_decisions_do_not_explain(
    last: str, result: float, skill: float
) -> None:
    game, rules, solution = prepared(MONTY_HALL)
    table = Table(game, rules)
    for label in ("car 1", "door 1", "opened door-2", last):
        table.enter(label)
    found = review(solution, table, 0)
    assert found.start == pytest.approx(2 / 3)
    assert found.skill == pytest.approx(skill)
    assert found.luck == pytest.approx(result - 2 / 3 - skill)


def test_a_draw_by_repetition_is_the_end_of_the_curve() -> None:
    game, rules, solution = prepared("piglet")
    table = Table(game, rules, ["hold"] * 4)
    assert table.payoffs == (0.5, 0.5)
    found = review(solution, table, 0)
    assert found.curve[-1] == 0.5
    assert isclose(found.curve[-1] - found.start, found.luck + found.skill, abs_tol=1e-12)


def test_a_hint_lists_all_legal_actions_best_first() -> None:
    game, rules, solution = prepared("red-light")
    state = game.read(rules, "score=3,rival=5,turn=2,green=6")
    advice = solution.action_values(state)
    assert {action.label for action in advice} == {"draw", "hold"}
    assert advice[0].value >= advice[1].value
    assert advice[0].value == pytest.approx(solution.expected_value(state))


def test_a_hint_on_a_board_says_how_long_it_takes() -> None:
    game, rules, solution = prepared("traffic-lights")
    [first, *_] = solution.action_values(game.read(rules, "rr."))
    assert (first.result, first.value, first.plies) == ("win", 1.0, 1)


def test_there_is_no_hint_where_no_one_chooses_or_all_is_over() -> None:
    game, rules, solution = prepared(FORCED)
    assert solution.action_values(game.part("start")(rules)) == []
    assert solution.action_values(game.read(rules, "rival=4,face=1")) == []


@pytest.mark.parametrize("settings", [{"objective": "score"}, {"objective": "turns"}, {"objective": "reach"}])
def test_game_for_one_is_what_was_gained_and_what_could_still_be(settings: dict[str, Any]) -> None:
    game = catalog.find("pig-solitaire")
    rules = game.rules({"goal": 12, "turns": 3} | settings)
    solution = solve_if_solvable(game, rules)
    assert solution is not None
    table = Table(game, rules)
    while not table.is_over:
        luck = (0.37 + table.number * 0.618034) % 1.0
        if table.events:
            table.enter(sample_event(table.events, luck).label)
        else:
            table.enter(list(table.actions)[int(luck * len(table.actions))])
    found = review(solution, table, 0)
    result = table.rewards[0] if settings["objective"] != "reach" else table.payoffs[0]  # type: ignore[index]
    assert isclose(found.start, solution.value(), abs_tol=1e-9)
    assert isclose(found.curve[-1], result, abs_tol=1e-9)
    assert isclose(result - found.start, found.luck + found.skill, abs_tol=1e-9)
    sign = 1.0 if settings["objective"] == "turns" else -1.0
    assert isclose(found.skill, sign * found.mistakes, abs_tol=1e-8)
    assert found.mistakes >= 0.0
    assert found.gifts == 0.0


@pytest.mark.slow
def test_seats_of_a_game_for_three_look_back_on_shares_that_sum_to_one() -> None:
    game = catalog.find("piglet")
    rules = game.rules({"goal": 3, "players": 3})
    solution = solve_if_solvable(game, rules)
    assert solution is not None
    table = Table(game, rules, ["flip", "heads", "hold", "flip", "tails", "flip", "heads", "flip", "heads"])
    reviews = [review(solution, table, seat) for seat in range(3)]
    assert [sum(step) for step in zip(*(found.curve for found in reviews), strict=True)] == pytest.approx([1.0] * 9)
    for found in reviews:
        assert isclose(found.curve[-1] - found.start, found.luck + found.skill, abs_tol=1e-8)
        assert [decision.loss >= 0.0 for decision in found.decisions] == [True] * len(found.decisions)


def test_accuracy_is_the_share_kept_of_all_that_could_be_given_away() -> None:
    game, rules, solution = prepared("piglet")
    table = Table(game, rules, ["flip", "heads", "hold", "flip", "tails", "flip", "heads", "hold"])
    found = review(solution, table, 0)
    own = [decision for decision in found.decisions if decision.seat == 0]
    at_stake = sum(max(decision.values.values()) - min(decision.values.values()) for decision in own)
    assert at_stake > 0.0
    assert found.accuracy == pytest.approx(1.0 - found.mistakes / at_stake)
    assert 0.0 <= found.accuracy <= 1.0


@pytest.mark.parametrize("name", ["red-light", "piglet"])
def test_best_play_is_accurate_and_the_worst_is_not(name: str) -> None:
    game, rules, solution = prepared(name)
    for pick, accuracy in ((0, 1.0), (-1, 0.0)):
        table = Table(game, rules)
        for _ in range(60):
            if table.is_over:
                break
            advice = [] if table.events else solution.action_values(table.state)
            table.enter(table.events[0].label if table.events else advice[pick].label)
        assert review(solution, table, 0).accuracy == pytest.approx(accuracy, abs=1e-9)


def test_who_resigns_gives_away_what_the_game_was_worth() -> None:
    game, rules, solution = prepared("piglet")
    table = Table(game, rules)
    table.resign(0)
    own, other = review(solution, table, 0), review(solution, table, 1)
    assert (own.mistakes, own.skill) == (own.start, -own.start)
    assert (other.gifts, other.skill) == (pytest.approx(own.start), pytest.approx(own.start))
    assert own.accuracy == 0.0
    assert (own.curve, other.curve) == ([0.0], [1.0])


@settings(max_examples=20)
@given(lucks=LUCKS, entries=st.integers(0, 12), seat=st.integers(0, 1))
def test_resigning_is_a_decision_with_its_cost(lucks: list[float], entries: int, seat: int) -> None:
    game, rules, solution = prepared("piglet")
    whole = played("piglet", lucks)
    table = Table(game, rules, [entry.label for entry in whole.log[: min(entries, whole.number - 1)]])
    played_on = review(solution, table, seat)
    table.resign(seat)
    found = review(solution, table, seat)
    *earlier, last = found.decisions
    left = (played_on.curve or [played_on.start])[-1]
    assume(left > 0.0)
    assert earlier == played_on.decisions
    assert found.curve == [*played_on.curve, 0.0]
    assert (last.number, last.seat, last.chosen, last.best) == (table.number, seat, RESIGN, PLAY_ON)
    assert last.values == {PLAY_ON: left, RESIGN: 0.0}
    assert found.mistakes == pytest.approx(played_on.mistakes + left)
    assert found.accuracy is not None
    assert found.accuracy < 1.0
    assert found.luck + found.skill == pytest.approx(-found.start, abs=1e-9)
    other = review(solution, table, 1 - seat)
    assert (other.curve[-1], other.gifts) == (1.0, pytest.approx(found.mistakes, abs=1e-9))


def test_resigning_a_lost_game_costs_nothing() -> None:
    game, rules, solution = prepared("traffic-lights")
    table = Table(game, rules)
    while solution.action_values(table.state)[0].value:
        table.enter(next(iter(table.actions)))
    seat = table.mover
    assert seat is not None
    table.resign(seat)
    last = review(solution, table, seat).decisions[-1]
    assert (last.best, last.loss) == (RESIGN, 0.0)
