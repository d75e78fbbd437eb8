"""What must hold of matches, best responses, lengths and agreement."""

from collections import defaultdict
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import komi
from komi.evaluation.compare import compare_policies
from komi.evaluation.two_player import best_response, match_two_player
from komi.evaluation.visits import count_visits
from komi.policies.named import find
from komi.policies.tabulate import tabulate
from komi.solvers.solve import solve
from komi.solvers.stochastic.stochastic_solver import StochasticSolution

GAMES = Path(__file__).parents[1] / "games"
POLICIES = ("optimal", "max-score", "hold-at:4", "cautious:2", "random")


@pytest.fixture(scope="module")
def pig() -> StochasticSolution:
    return solve("pig", goal=12)


@pytest.mark.parametrize("a", POLICIES)
@pytest.mark.parametrize("b", POLICIES)
def test_the_two_sides_of_a_match_share_every_game(pig: StochasticSolution, a: str, b: str) -> None:
    one = find(a, pig)
    other = one if a == b else find(b, pig)
    ours, theirs = match_two_player(pig, one, other), match_two_player(pig, other, one)
    assert ours.first.wins + theirs.second.wins == pytest.approx(1.0, abs=1e-11)
    assert ours.first.actions == pytest.approx(theirs.second.actions, abs=1e-9)
    assert ours.error_bound < 1e-9


def test_optimal_play_against_itself_has_the_value_of_solve(pig: StochasticSolution) -> None:
    optimal = find("optimal", pig)
    assert match_two_player(pig, optimal, optimal).first.wins == pytest.approx(pig.value(), abs=2e-11)


@pytest.mark.parametrize("policy", POLICIES)
def test_no_policy_beats_optimal_play(pig: StochasticSolution, policy: str) -> None:
    assert match_two_player(pig, find(policy, pig), find("optimal", pig)).average <= 0.5 + 1e-11


@pytest.mark.parametrize("policy", POLICIES)
def test_the_best_response_wins_at_least_as_often_as_optimal_play(pig: StochasticSolution, policy: str) -> None:
    other = find(policy, pig)
    best, optimal = best_response(pig, other), match_two_player(pig, find("optimal", pig), other)
    assert best.first.wins >= optimal.first.wins - 1e-11
    assert best.second.wins >= optimal.second.wins - 1e-11


def test_the_best_response_to_optimal_play_gains_nothing(pig: StochasticSolution) -> None:
    assert best_response(pig, find("optimal", pig)).average == pytest.approx(0.5, abs=1e-11)


@pytest.mark.parametrize(("a", "b"), [("hold-at:4", "optimal"), ("random", "hold-at:4"), ("random", "random")])
def test_a_match_is_what_exact_fractions_say(a: str, b: str) -> None:
    piglet = solve("piglet", goal=3)
    one = find(a, piglet)
    other = one if a == b else find(b, piglet)
    ours = match_two_player(piglet, one, other)
    wins, actions = exact_match(piglet, (a, b))
    assert ours.first.wins == pytest.approx(float(wins), abs=ours.error_bound + 1e-15)
    assert ours.first.actions == pytest.approx(float(actions), abs=ours.length_error_bound + 1e-12)


def exact_match(solution: StochasticSolution, names: tuple[str, str]) -> tuple[Fraction, Fraction]:
    """Compute A's probability of winning when it moves first, and the expected actions, in exact fractions."""
    game, rules = solution.game, solution.rules
    start = (game.part("start")(rules), 0)
    places, rows = [start], {}
    for place in places:
        state, seat = place
        row: dict[Any, Fraction] = defaultdict(Fraction)
        won = Fraction(0)
        for action, share in chances(solution, names[seat], state).items():
            for chance, after, passes in game.outcomes(rules, state, action):
                mass = share * Fraction(chance).limit_denominator(1000)
                then = (seat + passes) % 2
                if game.part("over")(rules, after):
                    won += mass * (then != 0)  # the opponent of the one to move has just won
                    continue
                row[after, then] += mass
                if (after, then) not in rows and (after, then) not in places:
                    places.append((after, then))
        rows[place] = (row, won)
    index = {place: i for i, place in enumerate(places)}
    matrix = []
    for place in places:
        row, won = rows[place]
        line = [Fraction(int(i == index[place])) for i in range(len(places))]
        for target, mass in row.items():
            line[index[target]] -= mass
        matrix.append([*line, won, Fraction(1)])
    solve_equations(matrix)
    return matrix[0][-2], matrix[0][-1]


def chances(solution: StochasticSolution, name: str, state: Any) -> dict[int, Fraction]:
    legal = solution.game.labels(solution.rules, state)
    if name == "random":
        return {action: Fraction(1, len(legal)) for action in legal.values()}
    if name == "optimal":
        return {legal[str(solution.best(state))]: Fraction(1)}
    goes_on = state.turn < 4 and state.score + state.turn < solution.rules.goal
    label = "flip" if goes_on else "hold"
    return {legal[label]: Fraction(1)}


def solve_equations(matrix: list[list[Fraction]]) -> None:
    for column in range(len(matrix)):
        pivot = next(row for row in range(column, len(matrix)) if matrix[row][column])
        matrix[column], matrix[pivot] = matrix[pivot], matrix[column]
        matrix[column] = [number / matrix[column][column] for number in matrix[column]]
        for row in range(len(matrix)):
            if row != column and matrix[row][column]:
                factor = matrix[row][column]
                matrix[row] = [a - factor * b for a, b in zip(matrix[row], matrix[column], strict=True)]


def test_numbers_of_turns_are_chances_with_the_expected_mean(pig: StochasticSolution) -> None:
    one, other = find("hold-at:4", pig), find("optimal", pig)
    games, result = count_visits(pig, one, other), match_two_player(pig, one, other)
    assert games.turns.sum() == pytest.approx(1.0, abs=1e-11)
    assert games.turns @ np.arange(len(games.turns)) == pytest.approx(result.first.turns, abs=1e-8)
    assert games.visits.sum() == pytest.approx(result.first.actions, abs=1e-8)


def test_optimal_play_gives_nothing_away(pig: StochasticSolution) -> None:
    optimal = find("optimal", pig)
    result = compare_policies(pig, optimal, optimal)
    assert (result.all_states, result.real_states, result.mistakes) == (1.0, 1.0, [])


def test_what_a_policy_gives_away_is_what_it_loses_to_optimal_play(pig: StochasticSolution) -> None:
    """Each mistake, as often as it is made against optimal play, adds up to the distance from one half."""
    policy, optimal = find("hold-at:4", pig), find("optimal", pig)
    mistakes = compare_policies(pig, policy, optimal, most=10**6).mistakes
    lost = sum(mistake.loss * mistake.visits for mistake in mistakes)
    assert lost == pytest.approx(0.5 - match_two_player(pig, policy, optimal).average, abs=1e-8)


def test_a_policy_of_ones_own_is_compiled_like_the_rules(pig: StochasticSolution, tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(
        "def four(rules, state):\n"
        "    if state.turn >= 4 or state.score + state.turn >= rules.goal:\n"
        "        return 1\n"
        "    return 0\n"
    )
    own, published = find(f"{file}:four", pig), find("hold-at:4", pig)
    assert match_two_player(pig, own, published).average == pytest.approx(0.5, abs=1e-11)


def test_an_illegal_action_of_a_policy_is_named_with_its_state(pig: StochasticSolution, tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text("def always(rules, state):\n    return 0\n")
    policy = find(f"{file}:always", pig)
    with pytest.raises(komi.GameError, match=r"takes action 0 in score=\d+.*, where only hold can be taken"):
        match_two_player(pig, policy, find("optimal", pig))


def test_two_policies_that_never_get_on_are_refused(pig: StochasticSolution) -> None:
    holder = find("hold-at:0", pig)
    with pytest.raises(komi.SolveError, match="go on for ever"):
        match_two_player(pig, holder, holder)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("unknown", "there is no policy 'unknown'"),
        ("hold-at", "hold-at needs a whole number, 0 or more"),
        ("hold-at:x", "hold-at needs a whole number, 0 or more"),
        ("random:3", "there is no policy 'random:3'"),
        ("nowhere.py:mine", "there is no file"),
    ],
)
def test_names_of_no_policy_are_refused(pig: StochasticSolution, text: str, message: str) -> None:
    with pytest.raises(komi.InputError, match=message):
        find(text, pig)


def test_a_function_of_other_arguments_is_not_a_policy(pig: StochasticSolution, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("def liking(rules, state, action):\n    return action\n")
    with pytest.raises(komi.InputError, match=r"mine.py, line 1: 'liking' takes \(rules, state, action\): a policy"):
        find(f"{tmp_path}/mine.py:liking", pig)


@pytest.mark.parametrize("name", ["pig", pytest.param("forced_roll", marks=pytest.mark.slow)])
def test_only_choices_between_actions_count_as_decisions(name: str) -> None:
    """Forced moves and chance events are not decisions: counted here state by state."""
    game = solve(name, goal=12) if name == "pig" else solve(str(GAMES / f"{name}.py"))
    one, other = find("optimal", game), find("ahead:1", game)
    result = compare_policies(game, one, other)
    states = game.optimal_play.states
    seen = [game.game.module.State(*states.fields(index)) for index in range(states.size)]
    deciding = [
        index
        for index, state in enumerate(seen)
        if not game.game.is_chance(game.rules, state) and len(game.game.labels(game.rules, state)) > 1
    ]
    alike = (tabulate(one, game.compiled, game.rules, states) == tabulate(other, game.compiled, game.rules, states))[
        deciding
    ]
    visits = (count_visits(game, one, other).visits[0] + count_visits(game, other, one).visits[1])[deciding] / 2
    assert result.states == len(deciding) < states.size
    assert result.decisions == pytest.approx(visits.sum())
    assert result.all_states == pytest.approx(alike.mean())
    assert result.real_states == pytest.approx(visits @ alike / visits.sum())


@pytest.mark.parametrize("pair", [("random", "optimal"), ("optimal", "random"), ("random", "random")])
def test_random_play_decides_alike_as_often_as_its_lots_say(pig: StochasticSolution, pair: tuple[str, str]) -> None:
    """Every decision of Pig is between two actions."""
    result = compare_policies(pig, *(find(name, pig) for name in pair))
    assert (result.all_states, result.real_states) == (0.5, 0.5)
    assert (result.loss == 0.0) == (pair[0] == "optimal")


def test_what_is_given_away_in_all_does_not_depend_on_how_many_mistakes_are_listed(pig: StochasticSolution) -> None:
    one, other = find("hold-at:4", pig), find("optimal", pig)
    short, long = compare_policies(pig, one, other, most=0), compare_policies(pig, one, other, most=10**6)
    assert short.mistakes == []
    assert short.loss == long.loss == pytest.approx(sum(each.loss * each.visits for each in long.mistakes))


@pytest.mark.slow
def test_what_is_for_two_players_says_so_in_other_games() -> None:
    alone = solve(str(GAMES / "best_of_turns.py"))
    random = find("random", alone)
    for evaluate in (lambda: match_two_player(alone, random, random), lambda: best_response(alone, random)):
        with pytest.raises(komi.SolveError, match="best-of-turns is for 1 player"):
            evaluate()
    three = solve("piglet", goal=2, players=3)
    flip = find("random", three)
    for evaluate in (lambda: compare_policies(three, flip, flip), lambda: count_visits(three, flip, flip)):
        with pytest.raises(komi.SolveError, match="piglet is for 3 players"):
            evaluate()


@pytest.mark.slow
def test_policies_are_matched_where_only_states_that_they_never_come_to_have_no_value() -> None:
    room = Path(__file__).parents[1] / "games" / "side_room.py"
    found = komi.match(str(room), f"{room}:throws", f"{room}:throws")
    assert found.first.wins == pytest.approx(3 / 5, abs=found.error_bound)
    assert found.second.wins == pytest.approx(2 / 5, abs=found.error_bound)
    assert found.expected_actions == pytest.approx(3, abs=found.length_error_bound)
    with pytest.raises(komi.SolveError, match="play can go on for ever from place=1"):
        komi.match(str(room), f"{room}:enters", f"{room}:throws")
