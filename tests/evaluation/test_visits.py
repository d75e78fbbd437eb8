"""How often states are visited, and how many turns games take, also where a turn leads back to where it was."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import komi
from komi.evaluation.two_player import match_two_player
from komi.evaluation.visits import MAX_PASSES, VisitCounts, count_visits
from komi.policies.named import find
from komi.solvers.solution import Solution
from komi.solvers.solve import solve

GAMES = Path(__file__).parents[1] / "games"


def solved(name: str, **rules: object) -> Solution[Any]:
    return solve(str(GAMES / f"{name}.py"), **rules)  # type: ignore[arg-type]


def with_rules(solution: Solution[Any], **rules: float) -> Solution[Any]:
    """Return the same policies under other rules."""
    return replace(solution, rules=solution.rules._replace(**rules))


def chances(solution: Solution[Any], policy: str, state: Any) -> dict[int, float]:
    labels = solution.game.labels(solution.rules, state)
    if policy == "random":
        return dict.fromkeys(labels.values(), 1 / len(labels))
    return {labels[str(solution.best(state))]: 1.0}


def followed(solution: Solution[Any], names: tuple[str, str], turns: int) -> VisitCounts:
    """Compute the same with a dense matrix of each player's turn, inverted."""
    game, rules, states = solution.game, solution.rules, solution.optimal_play.states
    size = states.size
    inside, passing, ending = np.zeros((2, size, size)), np.zeros((2, size, size)), np.zeros((2, size, 3))
    for mover, name in enumerate(names):
        for index in range(size):
            state = game.module.State(*states.fields(index))
            for action, share in chances(solution, name, state).items():
                for chance, after, passes in game.outcomes(rules, state, action):
                    if game.part("over")(rules, after):
                        result = game.payoffs(rules, after)[passes % 2]
                        ending[mover, index, int(2 - 2 * result)] += share * chance
                    elif passes:
                        passing[mover, index, states.index_of(after)] += share * chance
                    else:
                        inside[mover, index, states.index_of(after)] += share * chance
    begins = np.zeros(size)
    begins[states.index_of(game.part("start")(rules))] = 1.0
    ends, visits, results = [0.0], np.zeros((2, size)), np.zeros(3)
    for turn in range(turns):
        mover = turn % 2
        met = begins @ np.linalg.inv(np.eye(size) - inside[mover])
        visits[mover] += met
        ended = met @ ending[mover]
        ends.append(float(ended.sum()))
        results += ended[::-1] if mover else ended
        begins = met @ passing[mover]
    return VisitCounts(np.array(ends), visits, results, float(begins.sum()))


@pytest.mark.slow
@pytest.mark.parametrize(
    "names", [("optimal", "random"), ("random", "optimal"), ("random", "random"), ("optimal", "optimal")]
)
@pytest.mark.parametrize("leaves", [0.1, 1e-7])
def test_turns_that_lead_back_are_followed_as_a_matrix_says(names: tuple[str, str], leaves: float) -> None:
    game = with_rules(solved("lingering"), leaves=leaves)
    ours = count_visits(game, *(find(name, game) for name in names))
    plain = followed(game, names, len(ours.turns) - 1)
    assert ours.remainder <= 1e-12
    assert ours.turns == pytest.approx(plain.turns, abs=1e-12)
    assert ours.visits == pytest.approx(plain.visits, rel=1e-9)
    assert ours.results == pytest.approx(plain.results, abs=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "rules"), [("lingering", {}), ("rings", {"way": 300}), ("forced_roll", {})])
@pytest.mark.parametrize("policy", ["optimal", "random"])
def test_visits_add_up_to_the_expected_length(name: str, rules: dict[str, object], policy: str) -> None:
    game = solved(name, **rules)
    one, other = find(policy, game), find("random", game)
    games, result = count_visits(game, one, other), match_two_player(game, one, other)
    assert games.turns.sum() + games.remainder == pytest.approx(1.0, abs=1e-12)
    assert games.turns @ np.arange(len(games.turns)) == pytest.approx(result.first.turns, abs=1e-8)


@pytest.mark.slow
def test_a_turn_may_take_more_actions_than_passes_are_made() -> None:
    game = solved("rings", way=MAX_PASSES + 1, first=3, last_but_one=3, last=3)
    random = find("random", game)
    assert count_visits(game, random, random).turns.sum() == pytest.approx(1.0, abs=1e-12)


@pytest.mark.parametrize(
    ("action", "rule", "sentence"),
    [
        (1, {"leaves": 0.0}, "a turn that never ends"),
        (0, {"nothing": 1.0}, "never end from place=0"),
    ],
)
def test_a_turn_without_end_is_refused(tmp_path: Path, action: int, rule: dict[str, float], sentence: str) -> None:
    (tmp_path / "mine.py").write_text(f"def forever(rules, state):\n    return {action}\n")
    game = with_rules(solved("lingering"), **rule)
    policy = find(f"{tmp_path}/mine.py:forever", game)
    with pytest.raises(komi.SolveError, match=sentence):
        count_visits(game, policy, policy)
