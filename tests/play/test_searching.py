"""Search in place of a solution: the opponents, hints and reviews of games that komi does not solve."""

import pytest

import komi
from komi.play import opponent_players, opponents, searching
from komi.play.table import Table
from policies import daring_game


@pytest.fixture(scope="module")
def dare(tmp_path_factory: pytest.TempPathFactory) -> komi.Game:
    return komi.find(daring_game.write(tmp_path_factory.mktemp("dare")))


def test_games_that_are_too_large_get_opponents_that_search() -> None:
    ur = komi.find("royal-game-of-ur")
    rules = ur.rules({"pieces": 7})
    levels = {level.name: opponent_players.substitute(level, ur, rules) for level in opponents.levels(ur, rules)}
    assert {name: other and other.policy for name, other in levels.items()} == {
        "easy": "random",
        "medium": "hunts",
        "hard": "mcts:1s",
    }
    assert levels["hard"] is not None
    assert levels["hard"].summary == "Searches for about a second before each move."


def test_a_game_is_not_solved_for_long_before_it_begins() -> None:
    reported = []
    check = opponent_players.bounded(lambda stage, done, *_: reported.append((stage, done)), "it is too large.")
    for stage, done in (("finding states", opponent_players.MAX_STATES), ("solving", 10**12)):
        check(stage, done, 0)
    with pytest.raises(komi.SolveError, match="it is too large"):
        check("finding states", opponent_players.MAX_STATES + 1, 0)
    assert reported == [("finding states", opponent_players.MAX_STATES), ("solving", 10**12)]


def test_a_game_file_can_list_a_search_among_its_opponents(monkeypatch: pytest.MonkeyPatch) -> None:
    red7 = komi.find("red7")
    rules = red7.default_rules
    hard = opponents.find("hard", red7, rules)
    assert (hard.policy, hard.summary.partition(",")[0]) == (
        "ismcts:1s",
        "Searches for about a second before each move",
    )
    assert not opponent_players.needs_table(hard, None)
    monkeypatch.setattr(searching, "HAS_CLOCK", False)
    assert opponents.find("hard", red7, rules).policy == "ismcts:20000"
    assert searching.on_this_system("mcts:0.1s,leaf=thrifty") == "mcts:2000,leaf=thrifty"


def test_searching_opponents_need_no_solution_and_no_table(dare: komi.Game) -> None:
    rules = dare.rules({})
    opponent = opponents.find("mcts:20", dare, rules)
    player = opponent_players.player_without_solution(opponent, dare, rules)
    assert player is not None
    assert player.choose(dare.part("start")(rules)._replace(coin=0), 0.5) in (0, 1)


def test_hints_name_the_estimate_of_each_action_with_its_error(dare: komi.Game) -> None:
    rules = dare.rules({})
    state = dare.part("start")(rules)._replace(coin=0)
    exact = daring_game.exact_values(dare, rules)(state)
    found = searching.hint(dare, rules, state, 20_000)
    assert found is not None
    assert list(found) == ["draw", "hold"]
    for estimate in found.values():
        assert estimate.stderr is not None
        assert estimate.value == pytest.approx(exact[estimate.action], abs=0.1)


def test_the_review_names_the_costliest_move(dare: komi.Game) -> None:
    rules = dare.rules({"rounds": 1})
    table = Table(dare, rules)
    while not table.is_over:  # the first player holds with nothing, the second draws once
        labels = [event.label for event in table.events] or list(table.actions)
        holds = "hold" in labels and (table.mover == 0 or table.state.draws > 0)
        table.enter("hold" if holds else labels[-1] if table.events else "draw")
    worst = searching.costliest(table, 0, 2_000)
    assert worst is not None
    assert (worst.chosen, worst.best) == ("hold", "draw")
    assert worst.loss > 2 * worst.stderr > 0.0
