"""Opponents do what their summary says, quickly, and are as strong as they are said to be."""

from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from komi.errors import GameError, InputError, SolveError
from komi.evaluation.strength import measure_strength
from komi.evaluation.two_player import match_two_player
from komi.learning.learn import LearningSettings, learn
from komi.play import opponent_players, opponents
from komi.play.opponent_players import Player, create_player, solve_if_solvable
from komi.play.opponents import available
from komi.play.strengths import ladder, strengths
from komi.play.table import Table
from komi.policies.named import find as find_policy
from komi.rules import catalog
from komi.rules.game import Game
from komi.solvers.solution import Solution
from komi.solvers.solve import solve
from komi.solvers.stochastic.stochastic_solver import StochasticSolution
from komi.solvers.tablebase.tablebase import Tablebase
from komi.teaching import cheat_sheets

BESIDE = Path(__file__).parents[1] / "games"
BOARD = {"rows": 1, "columns": 3}
KINDS = {  # a race, a board, chance without holding, and cards that are hidden
    "red-light": {"goal": 6, "red": 2, "green": 5},
    "traffic-lights": BOARD,
    str(BESIDE / "forced_roll.py"): {},
    "red7": {},
}


@cache
def prepared(name: str) -> tuple[Any, Any, Solution[Any] | None]:
    game = catalog.find(name)
    rules = game.rules(KINDS.get(name, {}))
    return game, rules, solve_if_solvable(game, rules)


def seat(name: str, opponent: str) -> Player:
    game, rules, solution = prepared(name)
    return create_player(opponents.find(opponent, game, rules), game, rules, solution)


def is_for_several(name: str) -> bool:
    """Return whether the game is multiplayer, with a known best policy or one that komi finds."""
    game = catalog.find(name)
    rules = game.default_rules
    is_open = opponent_players.is_solvable(game, rules) and not game.has("view")
    return game.players(rules) > 1 and (game.has("opponents") or is_open)


@pytest.mark.parametrize("name", [*catalog.names(), str(BESIDE / "forced_roll.py")])
def test_every_game_for_two_or_more_offers_easy_medium_and_hard(name: str) -> None:
    game = catalog.find(name)
    made = (opponents.CHEAT_SHEET, opponents.LEARNED)  # perhaps by another test, in the same cache
    levels = [opponent for opponent in available(game, game.default_rules) if opponent.name not in made]
    assert [opponent.name for opponent in levels] == ["easy", "medium", "hard"] or not is_for_several(name)
    assert all(opponent.summary.endswith(".") for opponent in levels)


@pytest.mark.slow
@pytest.mark.parametrize("settings", [{"players": 3, "goal": 4}, {"players": 4, "goal": 3}])
def test_at_tables_of_three_and_more_every_opponent_can_play(settings: dict[str, int]) -> None:
    game = catalog.find("piglet")
    rules = game.rules(settings)
    solution = solve_if_solvable(game, rules)
    for opponent in available(game, rules):
        chosen = create_player(opponent, game, rules, solution).choose(game.part("start")(rules), 0.5)
        assert chosen in game.part("legal")(rules, game.part("start")(rules))


def test_there_is_no_opponent_at_solitaire() -> None:
    game = catalog.find(str(BESIDE / "best_of_turns.py"))
    assert available(game, game.default_rules) == ()
    with pytest.raises(InputError, match="is a single-player game: it has no opponents"):
        opponents.find("easy", game, game.default_rules)


def test_the_strategy_taught_last_is_an_opponent_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KOMI_CACHE_DIR", str(tmp_path))
    game = catalog.find("pig")
    rules = game.rules({"goal": 30})
    with pytest.raises(InputError, match="`komi teach pig` makes one"):
        opponents.find("card", game, rules)
    cheat_sheets.store(game, game.default_rules, "Always roll.", "def cheat_sheet(rules, state):\n    return 0\n")
    cheat_sheets.store(game, rules, "Always hold.", "def cheat_sheet(rules, state):\n    return 1\n")
    assert [each.name for each in available(game, rules)] == ["easy", "medium", "hard", "card"]
    for chosen, summary, action in ((rules, "Always hold.", 1), (game.rules({"goal": 40}), "Always roll.", 0)):
        card = opponents.find("card", game, chosen)
        assert card.summary == f"Follows the cheat sheet: {summary}"
        seated = opponent_players.player_without_solution(card, game, chosen)
        assert seated is not None
        assert seated.choose(game.module.State(0, 0, 5), 0.5) == action
    assert opponents.find(None, game, rules).name == "hard"


@pytest.mark.slow
def test_the_policy_learned_last_is_an_opponent_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KOMI_CACHE_DIR", str(tmp_path))
    game = catalog.find("piglet")
    rules = game.rules({"goal": 5})
    with pytest.raises(InputError, match="`komi learn piglet` does so"):
        opponents.find("learned", game, rules)
    result = learn(game, "q-learning", settings=LearningSettings(games=10), goal=5)
    assert [each.name for each in available(game, rules)][-1] == "learned"
    assert [each.name for each in available(game, game.default_rules)][-1] == "hard"
    opponent = opponents.find("learned", game, rules)
    player = create_player(opponent, game, rules, solve(game, goal=5))
    for index, action in enumerate(result.policy.actions):
        state = game.module.State(*result.policy.states.fields(index))
        assert player.choose(state, 0.5) == action


@pytest.mark.slow
def test_a_policy_learned_for_a_game_without_chance_is_not_an_opponent() -> None:
    game = catalog.find("traffic-lights")
    rules = game.rules({"rows": 1})
    learn(game, "td", settings=LearningSettings(games=10), rows=1)
    assert "learned" not in [each.name for each in available(game, rules)]
    with pytest.raises(InputError, match="has no opponent 'learned', only easy, medium, hard"):
        opponents.find("learned", game, rules)


def test_a_card_may_rank_actions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KOMI_CACHE_DIR", str(tmp_path))
    game = catalog.find("red7")
    rules = game.default_rules
    cheat_sheets.store(
        game, rules, "The highest number.", "def cheat_sheet(rules, state, action):\n    return action\n"
    )
    seated = opponent_players.player_without_solution(opponents.find("card", game, rules), game, rules)
    assert seated is not None
    state = game.read(rules, "hands=R7+O3/Y1+B2/G4+V5,palettes=V4/G1/G2,canvas=Y,seat=1")
    actions = [action for action in game.labels(rules, state).values() if action >= 0]
    assert seated.choose(state, 0.5) == max(actions)


PAIRS = [(name, level) for name in KINDS for level in ("easy", "medium", "hard")]


@pytest.mark.parametrize(("name", "level"), [pair for pair in PAIRS if pair != ("red7", "hard")])  # which searches
@settings(max_examples=5)
@given(lucks=st.lists(st.floats(0, 1, exclude_max=True), min_size=1, max_size=40))
def test_opponents_do_what_is_legal(name: str, level: str, lucks: list[float]) -> None:
    game, rules, _ = prepared(name)
    chooser, table = seat(name, level), Table(game, rules)
    for luck in lucks:
        if table.is_over:
            break
        if table.events:
            table.enter(table.events[int(luck * len(table.events))].label)
        else:
            table.enter(game.label(rules, table.state, chooser.choose(table.state, luck)))


@pytest.mark.parametrize("name", ["red-light", "traffic-lights"])
def test_hard_gives_nothing_away(name: str) -> None:
    game, rules, solution = prepared(name)
    assert solution is not None
    hard, table, luck = seat(name, "hard"), Table(game, rules), 0.0
    while not table.is_over:
        luck = (luck + 0.618034) % 1.0
        if table.events:
            table.enter(table.events[int(luck * len(table.events))].label)
        else:
            worth = solution.actions(table.state)
            label = game.label(rules, table.state, hard.choose(table.state, luck))
            if isinstance(solution, Tablebase):
                assert worth[label] == next(iter(worth.values()))
            else:
                assert worth[label] >= max(worth.values()) - 2 * solution.error_bound
            table.enter(label)


def plain_search(game: Any, rules: Any, state: Any, moves: int) -> int:
    """Return 1 if the mover wins within so many moves, -1 if it loses, and 0 if neither is visible."""
    if game.part("over")(rules, state):
        return int(2 * game.payoffs(rules, state)[0] - 1)
    if moves == 0:
        return 0
    return max(-plain_search(game, rules, after, moves - 1) for after in afters(game, rules, state).values())


def afters(game: Any, rules: Any, state: Any) -> dict[int, Any]:
    return {action: next(game.outcomes(rules, state, action))[1] for action in game.part("legal")(rules, state)}


@pytest.mark.parametrize("moves", [1, 2, 3])
def test_ahead_chooses_as_a_search_so_deep_would(moves: int) -> None:
    game = catalog.find("traffic-lights")
    rules = game.rules({"rows": 1, "columns": 4})
    chooser = create_player(opponents.find(f"ahead:{moves}", game, rules), game, rules, solve_if_solvable(game, rules))
    for written in ("....", "r.r.", "oo..", "rro.", "r..r", "ogro"):
        state = game.read(rules, written)
        if game.part("over")(rules, state):
            continue
        seen = {
            action: -plain_search(game, rules, after, moves - 1) for action, after in afters(game, rules, state).items()
        }
        for luck in (0.0, 0.3, 0.6, 0.99):
            assert seen[chooser.choose(state, luck)] == max(seen.values())


def test_lots_are_drawn_among_equal_moves() -> None:
    game, rules, _ = prepared("traffic-lights")
    start = game.part("start")(rules)
    chosen = {seat("traffic-lights", "easy").choose(start, luck) for luck in (0.0, 0.4, 0.9)}
    assert len(chosen) == 3


@pytest.mark.parametrize("name", ["red-light", "traffic-lights"])
def test_choosing_is_looking_something_up(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A perfect player does not search: it uses the rules for the state, and for those that may follow."""
    game, rules, _ = prepared(name)
    start = game.part("start")(rules)
    player, part = seat(name, "hard"), Game.part
    used: list[str] = []
    monkeypatch.setattr(Game, "part", lambda self, name: used.append(name) or part(self, name))
    player.choose(start, 0.5)
    assert 0 < len(used) < 100


@pytest.mark.parametrize(
    ("name", "opponent", "sentence"),
    [
        ("red-light", "unknown", "there is no policy 'unknown'"),
        ("red-light", "mediumm", "red-light has no opponent 'mediumm': did you mean 'medium'?"),
        ("red-light", "ahead:0", "ahead needs a whole number from 1 to 1000, as in ahead:20, not '0'"),
        ("red-light", "hold-at:-1", "needs a whole number, 0 or more"),
        ("traffic-lights", "max-score", "games without chance have the policies optimal, ahead:N and random"),
        ("traffic-lights", "ahead:x", "games without chance have the policies"),
        ("red7", "optimal", "policy optimal needs the game solved"),
        ("red7", "unknown", "has no policy 'unknown': there are single, thrifty, versatile"),
    ],
)
def test_unknown_opponents_are_reported(name: str, opponent: str, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        seat(name, opponent)


def test_a_function_in_a_file_plays_what_cannot_be_solved(tmp_path: Path) -> None:
    policies = tmp_path / "policies.py"
    policies.write_text(
        "def tails(rules, state):\n    return 1\n\n\ndef edge(rules, state):\n    return 2\n\n\n"
        "def peek(rules, state):\n    return state.chosen - 1 if state.chosen else 0\n"
    )
    game = catalog.find(str(BESIDE / "matching_pennies.py"))
    rules = game.default_rules
    start, chosen = game.part("start")(rules), game.read(rules, "chosen=2")

    def choice(name: str, state: Any) -> int:
        return create_player(opponents.find(f"{policies}:{name}", game, rules), game, rules, None).choose(state, 0.5)

    assert choice("tails", start) == 1
    assert choice("peek", chosen) == 0  # it sees the view, which hides what was chosen
    with pytest.raises(GameError, match="takes an action that is not legal, 2"):
        choice("edge", start)


def test_what_can_be_solved_and_is_not_says_why() -> None:
    game = catalog.find(str(BESIDE / "stand_off.py"))
    with pytest.raises(SolveError, match="depends on what an endless game counts"):
        solve_if_solvable(game, game.default_rules)


def test_strengths_of_a_race_are_those_of_exact_matches() -> None:
    game, rules, solution = prepared("red-light")
    assert isinstance(solution, StochasticSolution)
    found = {(s.a, s.b): s for s in strengths(game, rules, solution, available(game, rules))}
    assert list(found) == [("medium", "easy"), ("hard", "easy"), ("hard", "medium")]
    exact = match_two_player(solution, find_policy("optimal", solution), find_policy("cautious:2", solution)).average
    hard = found["hard", "easy"]
    assert hard.average == exact
    assert hard.low <= exact <= hard.high
    assert hard.games == 0


def test_ladder_of_a_race_has_the_exact_losses() -> None:
    game, rules, solution = prepared("piglet")
    rungs = ladder(game, rules, solution)
    offered = {opponent.policy: opponent.name for opponent in available(game, rules)}
    assert {rung.policy: rung.opponent for rung in rungs if rung.opponent} == offered
    assert {rung.policy for rung in rungs if not rung.opponent} == {"random", "hold-at:1", "hold-at:2", "hold-at:3"}
    for rung in rungs:
        loss = measure_strength(solution, find_policy(rung.policy, solution)).loss
        assert rung.loss == pytest.approx(loss, abs=1e-9)
        assert rung.error < 1e-9
    assert rungs[0].policy == "random"
    assert [rung.loss for rung in rungs] == sorted((rung.loss for rung in rungs), reverse=True)


def test_strengths_on_a_board_are_found_by_playing() -> None:
    game, rules, solution = prepared("traffic-lights")
    found = {(s.a, s.b): s for s in strengths(game, rules, solution, available(game, rules))}
    hard = found["hard", "easy"]
    assert hard.games > 0
    assert 0.5 < hard.low < hard.average < hard.high <= 1.0
