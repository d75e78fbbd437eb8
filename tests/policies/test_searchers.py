import random
from pathlib import Path
from typing import Any

import pytest

import komi
from komi.errors import GameError, InputError, SolveError
from komi.policies.named import find_or_solve
from komi.policies.searchers import Searcher
from komi.solvers.solve import solve
from policies import daring_game

from slowly import slowly

SETTINGS = [
    {"players": 1, "rounds": 3},
    {"players": 1, "rounds": 3, "least": True},
    {"players": 2},
    {"players": 3},
]


@pytest.fixture(scope="module")
def dare(tmp_path_factory: pytest.TempPathFactory) -> komi.Game:
    return komi.find(daring_game.write(tmp_path_factory.mktemp("dare")))


def searcher(text: str, game: komi.Game, settings: dict[str, Any]) -> Searcher:
    found = find_or_solve(text, game, settings)
    assert isinstance(found, Searcher)
    return found


def states_of_play(game: komi.Game, rules: Any, number: int) -> list[Any]:
    """Return some states of random play with a choice."""
    chance, found = random.Random(1), []
    while len(found) < number:
        state = game.part("start")(rules)
        while not game.part("over")(rules, state):
            actions = list(game.part("legal")(rules, state))
            if len(actions) > 1 and chance.random() < 0.3:
                found.append(state)
            options = list(game.outcomes(rules, state, chance.choice(actions)))
            state = chance.choices([after for _, after, _ in options], [share for share, _, _ in options])[0]
    return found[:number]


@pytest.mark.slow
@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_expectimax_to_the_end_finds_the_exact_values(dare: komi.Game, settings: dict[str, Any]) -> None:
    rules = dare.rules(settings)
    exact = daring_game.exact_values(dare, rules)
    found = searcher("expectimax:24", dare, settings)
    for state in states_of_play(dare, rules, 10):
        action, estimates = found.estimate(dare, rules, state, 0.5)
        values = {estimate.action: estimate.value for estimate in estimates}
        assert values == pytest.approx(exact(state), abs=1e-12)
        assert values[action] == (min if settings.get("least") else max)(values.values())


@pytest.mark.parametrize("settings", [SETTINGS[2], *slowly(SETTINGS[0], SETTINGS[1], SETTINGS[3])], ids=str)
def test_mcts_converges(dare: komi.Game, settings: dict[str, Any]) -> None:
    rules = dare.rules(settings)
    exact = daring_game.exact_values(dare, rules)
    found = searcher("mcts:20000,exploration=0.3", dare, settings)
    for state in states_of_play(dare, rules, 10):
        action, estimates = found.estimate(dare, rules, state, 0.3)
        values = exact(state)
        best = (min if settings.get("least") else max)(values.values())
        assert abs(values[action] - best) < 0.01 * max(1.0, abs(best))
        mean = next(estimate for estimate in estimates if estimate.action == action)
        assert mean.value == pytest.approx(best, abs=0.05 * max(1.0, abs(best)))
        assert sum(estimate.tried for estimate in estimates) == 19_999  # one playout began in the state itself


def test_the_same_number_gives_the_same_search(dare: komi.Game) -> None:
    rules = dare.rules({})
    found = searcher("mcts:50", dare, {})
    state = states_of_play(dare, rules, 1)[0]
    assert found.estimate(dare, rules, state, 0.25) == found.estimate(dare, rules, state, 0.25)
    assert found.estimate(dare, rules, state, 0.25) != found.estimate(dare, rules, state, 0.75)


def test_a_time_limit_ends_the_search(dare: komi.Game) -> None:
    rules = dare.rules({})
    state = states_of_play(dare, rules, 1)[0]
    _, estimates = searcher("mcts:0.01s", dare, {}).estimate(dare, rules, state, 0.5)
    assert sum(estimate.tried for estimate in estimates) > 1


def test_search_in_a_game_without_end_is_refused(dare: komi.Game) -> None:
    rules = dare.rules({"endless": True})
    state = dare.part("start")(rules)._replace(coin=0)
    with pytest.raises(GameError, match=r"mcts:3 finds no end of the game from own=0.*within 10,000 actions"):
        searcher("mcts:3", dare, {"endless": True}).choose(dare, rules, state, 0.5)


@pytest.mark.parametrize(
    "text, sentence",
    [
        ("mcts", "mcts needs 1 to 1,000,000,000 playouts, as in mcts:2000 or mcts:1s, not ''."),
        ("mcts:0", "mcts needs 1 to 1,000,000,000 playouts, as in mcts:2000 or mcts:1s, not '0'."),
        ("mcts:0s", "mcts needs a time above 0 and up to 3600 seconds, as in mcts:2000 or mcts:1s, not '0s'."),
        ("mcts:9,depth=3", "mcts has no option 'depth': it has exploration, leaf."),
        ("mcts:9,leaf", "option 'leaf' of mcts needs a value, as in leaf=VALUE."),
        ("mcts:9,leaf=a,leaf=b", "option 'leaf' of mcts:9,leaf=a,leaf=b is given twice."),
        ("mcts:9,exploration=much", "option 'exploration' of mcts must be a number of at least 0, as in exploration="),
        ("expectimax:0", "expectimax needs 1 to 1,000 actions to look ahead, as in expectimax:4, not '0'."),
        ("expectimax:2,playouts=0", "expectimax needs 1 to 1,000,000 playouts, as in playouts=8, not '0'."),
        ("mcts:9,leaf=wise", "dare has no policy 'wise': there are "),
    ],
)
def test_bad_specifications_are_refused_in_one_sentence(dare: komi.Game, text: str, sentence: str) -> None:
    with pytest.raises(InputError) as raised:
        find_or_solve(text, dare, {})
    assert str(raised.value).startswith(sentence)


def test_hidden_games_are_referred_to_ismcts() -> None:
    with pytest.raises(InputError, match="but in red7 players do not see everything: use ismcts:N"):
        find_or_solve("mcts:100", komi.find("red7"), {})
    with pytest.raises(InputError, match="but in skunk players choose at the same time: use ismcts:N"):
        find_or_solve("mcts:2", komi.find("skunk"), {})


@pytest.mark.slow
def test_games_do_not_depend_on_the_number_of_workers(dare: komi.Game) -> None:
    policies = ["mcts:30,leaf=random", "expectimax:2"]
    one = komi.simulate(dare, 300, policies=policies, seed=2, workers=1)
    two = komi.simulate(dare, 300, policies=policies, seed=2, workers=2)
    assert one.wins == two.wins


@pytest.mark.slow
@pytest.mark.parametrize("search", ["expectimax:2", "mcts:200"])
def test_matches_and_certificates_of_searchers_agree_with_their_audits(search: str, tmp_path: Path) -> None:
    assert komi.match("piglet", search, "random", goal=3).average > 0.5
    komi.prove("piglet", tmp_path / "certificate.json", search, "random", goal=3)


@pytest.mark.slow
def test_searchers_take_part_in_exact_matches() -> None:
    solution = solve("piglet")
    played = komi.match("piglet", "mcts:5000", "optimal")
    assert 0.45 < played.average <= 0.5 + played.error_bound
    with pytest.raises(SolveError, match="would search in each of"):
        find_or_solve("mcts:100000000", solution.game, {}).tabulate(
            solution.compiled, solution.rules, solution.optimal_play.states
        )
