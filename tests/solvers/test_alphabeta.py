"""Alpha-beta search against the definition of the value, on random games, with large, tiny and changing tables."""

from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

import komi
from komi.compiling.compiled import compiled_game
from komi.errors import GameError, SolveError, TooLargeError
from komi.progress import silent
from komi.rules.catalog import find
from komi.rules.game import Game
from komi.rules.kind import kind_of
from komi.solvers.alphabeta.alphabeta_solver import ALPHA_BETA, SearchedSolution
from komi.solvers.alphabeta.searcher import SEARCHING, PositionSearcher
from komi.solvers.solve import solve_by
from komi.solvers.solver import OtherKindError
from komi.solvers.tablebase.tablebase import RETROGRADE, Tablebase

GAMES = Path(__file__).parents[1] / "games"
EXAMPLES = Path(__file__).parents[2] / "examples"
DESCENT = find(str(GAMES / "random_descent.py"))
DUEL = find(str(GAMES / "random_duel.py"))
CONNECT_FOUR = find(str(EXAMPLES / "connect_four.py"))
KALAH = find(str(EXAMPLES / "kalah.py"))
LARGE = 1 << 24  # bytes of a table


def minimax(game: Game, rules: Any, root: Any) -> dict[Any, float]:
    """Compute the share of the mover in every position of a game without cycles."""
    is_over, payoffs = game.part("over"), game.payoff_scale(rules)

    @lru_cache(None)
    def value(state: Any) -> float:
        if is_over(rules, state):
            return payoffs.share(game.part("payoff")(rules, state))
        values = []
        for action in game.part("legal")(rules, state):
            ((_, after, passes),) = game.outcomes(rules, state, action)
            values.append(1.0 - value(after) if passes % 2 else value(after))
        return max(values)

    found: dict[Any, float] = {}
    waiting = [root]
    while waiting:
        state = waiting.pop()
        if state not in found:
            found[state] = value(state)
            if not is_over(rules, state):
                waiting += [
                    after
                    for action in game.part("legal")(rules, state)
                    for _, after, _ in game.outcomes(rules, state, action)
                ]
    return found


def check_search(game: Game, rules: Any, max_bytes: int, scale: int, every: int = 1) -> PositionSearcher:
    """Search positions one after another with one table, and compare values and actions with the definition."""
    game = game.under(rules)
    searcher = PositionSearcher(compiled_game(game), rules, max_bytes, scale)
    true = minimax(game, rules, game.part("start")(rules))
    for state in [*true][::every]:
        if game.part("over")(rules, state):
            continue
        share, action = searcher.find(state, silent)
        assert share == pytest.approx(true[state], abs=1e-12)
        ((_, after, passes),) = game.outcomes(rules, state, action)
        attained = 1.0 - true[after] if passes % 2 else true[after]
        assert attained == pytest.approx(true[state], abs=1e-12)
    return searcher


@pytest.mark.parametrize("twins", [0, 1])
@pytest.mark.parametrize("most", [1, 7])
@pytest.mark.parametrize("max_bytes", [64, LARGE])
@pytest.mark.parametrize("seed", [1, 2, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(3, 60))])
def test_every_position_of_random_games_has_its_value(seed: int, max_bytes: int, most: int, twins: int) -> None:
    rules = DESCENT.rules({"plan": seed, "places": 60 + seed, "most": most, "twins": twins})
    searcher = check_search(DESCENT, rules, max_bytes, 2 * most)
    assert searcher.table_bytes <= max(max_bytes, 64)


@pytest.mark.slow
def test_every_position_of_a_thousand_random_games_has_its_value() -> None:
    for seed in range(1_000, 2_000):
        most, twins = 1 + seed % 7, seed % 2
        rules = DESCENT.rules({"plan": seed, "places": 20 + seed % 60, "most": most, "twins": twins})
        check_search(DESCENT, rules, 1024 if seed % 3 else LARGE, 2 * most)


@pytest.mark.parametrize("max_bytes", [512, LARGE])
def test_kalah_has_the_margin_of_the_definition(max_bytes: int) -> None:
    rules = KALAH.rules({"houses": 2, "seeds": 3})
    check_search(KALAH, rules, max_bytes, 24, every=7)


@pytest.mark.parametrize(
    ("columns", "rows"),
    [(4, 3), pytest.param(4, 4, marks=pytest.mark.slow), pytest.param(5, 4, marks=pytest.mark.slow)],
)
def test_connect_four_agrees_with_the_tablebase(columns: int, rows: int) -> None:
    rules = CONNECT_FOUR.rules({"columns": columns, "rows": rows})
    table, searched = (solve_by(solver, CONNECT_FOUR, rules) for solver in (RETROGRADE, ALPHA_BETA))
    assert searched.value() == table.value()
    assert {label: each.value for label, each in table.actions().items()} == searched.actions()
    assert table.after(None, str(searched.best())) is not None
    assert table.actions()[str(searched.best())].value == table.value()
    assert searched.states < table.states


@pytest.mark.parametrize(
    ("houses", "seeds", "margin"),
    [  # Irving, Donkers and Uiterwijk, "Solving Kalah" (2000), table 9
        (4, 1, 2),
        (4, 2, 6),
        (5, 1, 0),
        pytest.param(4, 3, 8, marks=pytest.mark.slow),
        pytest.param(4, 4, 2, marks=pytest.mark.slow),
        pytest.param(5, 2, 0, marks=pytest.mark.slow),
    ],
)
def test_kalah_has_its_published_values(houses: int, seeds: int, margin: int) -> None:
    rules = KALAH.rules({"houses": houses, "seeds": seeds})
    assert solve_by(ALPHA_BETA, KALAH.under(rules), rules).value() == margin


def test_cycles_are_refused() -> None:
    with pytest.raises(SolveError, match="a position of random-duel can repeat"):
        solve_by(ALPHA_BETA, DUEL, DUEL.rules({"plan": 1, "places": 2000, "ends": 3}))


def test_chance_is_another_kind() -> None:
    pig = find("pig")
    assert ALPHA_BETA.refusal(kind_of(pig, pig.default_rules)) == "pig is a game of chance."


def test_wrong_symmetries_are_refused() -> None:
    with pytest.raises(GameError, match="'symmetries' have different payoffs"):
        solve_by(ALPHA_BETA, DESCENT, DESCENT.rules({"plan": 1, "twins": 2}))


def test_payoffs_between_the_steps_are_another_kind(tmp_path: Path) -> None:
    file = tmp_path / "thirds.py"
    text = (GAMES / "random_descent.py").read_text()
    file.write_text(text.replace("- rules.most)", "- rules.most) / 3.0"))
    game = find(str(file))
    with pytest.raises(OtherKindError, match="not among"):
        solve_by(ALPHA_BETA, game, game.default_rules)


def test_games_too_large_to_list_are_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    full = komi.solve(CONNECT_FOUR, columns=4, rows=3)
    assert isinstance(full, Tablebase)
    monkeypatch.setenv("KOMI_MAX_STATES", "1000")
    seen: set[str] = set()
    found = komi.solve(CONNECT_FOUR, fresh=True, progress=lambda stage, *_: seen.add(stage), columns=4, rows=3)
    assert isinstance(found, SearchedSolution)
    assert SEARCHING in seen
    assert (found.value(), found.error_bound, found.is_loaded) == (full.value(), 0.0, False)
    assert found.states < full.states
    again = komi.solve(CONNECT_FOUR, columns=4, rows=3)
    assert (again.is_loaded, again.value()) == (True, found.value())
    for state in ("mine=1,theirs=16", "mine=3,theirs=16"):
        assert found.value(state) == full.value(state)
    with pytest.raises(TooLargeError, match="more than 1,000 states"):
        komi.match(CONNECT_FOUR, "optimal", "random", columns=4, rows=3)
    with pytest.raises(TooLargeError, match="the value of the start alone"):
        _ = found.optimal_play


def test_the_limit_of_visits_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KOMI_MAX_STATES", "1000")
    monkeypatch.setenv("KOMI_MAX_VISITED", "10")
    with pytest.raises(TooLargeError, match="KOMI_MAX_VISITED sets another limit"):
        komi.solve(CONNECT_FOUR, fresh=True, columns=5, rows=3)


def test_an_interrupted_search_can_be_repeated() -> None:
    rules = CONNECT_FOUR.rules({"columns": 4, "rows": 4})

    def interrupt(stage: str, done: int, total: int, note: str = "") -> None:
        if stage == SEARCHING:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        solve_by(ALPHA_BETA, CONNECT_FOUR, rules, fresh=True, progress=interrupt)
    assert solve_by(ALPHA_BETA, CONNECT_FOUR, rules, fresh=True).value() == "draw"


def test_a_search_refused_for_its_width_is_refused_again(tmp_path: Path) -> None:
    file = tmp_path / "wide.py"
    text = (GAMES / "random_descent.py").read_text().partition("def symmetries")[0]
    text = text.replace("    place: int\n", "    wide: int\n    wider: int\n    widest: int\n    place: int\n")
    text = text.replace("State(0, 0)", "State(0, 0, 0, 0, 0)").replace("% 5 == 0)", "% 500 == 0)")
    text = text.replace("State(min(", "State(_wide(state), _wide(state), _wide(state), min(")
    file.write_text(text + "def _wide(state):\n    return 1 << 45 if state.place == 1044 else 0\n")
    game = find(str(file))
    rules = game.rules({"places": 1050})
    for _ in range(2):
        with pytest.raises(TooLargeError, match="bits of a state"):
            solve_by(ALPHA_BETA, game, rules)


def test_payoffs_can_have_a_range_below_one_half(tmp_path: Path) -> None:
    file = tmp_path / "cents.py"
    text = (GAMES / "random_descent.py").read_text().replace("return -rules.most, rules.most", "return -0.125, 0.125")
    file.write_text(text.replace("- rules.most)", "- rules.most) / 8.0"))
    game, plan = find(str(file)), {"plan": 1}
    expected = solve_by(ALPHA_BETA, DESCENT, DESCENT.rules(plan)).expected_value() / 8.0
    assert solve_by(ALPHA_BETA, game, game.rules(plan)).expected_value() == expected


def test_symmetries_that_lead_one_way_are_verified_where_they_are_used(tmp_path: Path) -> None:
    file = tmp_path / "one_way.py"
    text = (GAMES / "random_descent.py").read_text().partition("def symmetries")[0]
    text += "def symmetries(rules, state):\n    if state.place > 880 and state.twin == 1:\n"
    text += "        yield State(state.place, 0)\n"
    file.write_text(text.replace("% 5 == 0)", "% 500 == 0)"))
    game = find(str(file))
    with pytest.raises(GameError, match="'symmetries'"):
        solve_by(ALPHA_BETA, game, game.rules({"places": 900}))


def test_cycles_of_wrong_symmetries_are_not_blamed_on_play(tmp_path: Path) -> None:
    file = tmp_path / "backwards.py"
    text = (GAMES / "random_descent.py").read_text().partition("def symmetries")[0]
    text += "def symmetries(rules, state):\n    if state.place > 300:\n        yield State(state.place - 1, 0)\n"
    file.write_text(text.replace("% 5 == 0)", "% 500 == 0)"))
    game = find(str(file))
    with pytest.raises(GameError, match="'symmetries'"):
        solve_by(ALPHA_BETA, game, game.rules({"places": 900}))
