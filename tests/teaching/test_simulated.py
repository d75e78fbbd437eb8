"""Strategies found by simulation: they rank moves as they say, are measured fairly, and the best one is found."""

import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import komi
from komi.errors import InputError, SolveError
from komi.policies.policy import UniformPolicy
from komi.rules import catalog, enumeration
from komi.rules.game import Game
from komi.rules.interpreter import Interpreter
from komi.teaching.features import Quantity, read_field
from komi.teaching.simulated.observed_quantities import ObservedQuantities, observe_result
from komi.teaching.simulated.orders import Criterion, Preferences, weights
from komi.teaching.simulated.paired_games import PairedGames
from komi.teaching.simulated.preference_policy import RankingPolicy
from komi.teaching.simulated.preference_rendering import PreferenceRenderer
from komi.teaching.strategy import Clause, LinearTest, Term

TWO_CARDS = str(Path(__file__).parent / "planted_ranking.py")


@pytest.fixture(scope="module")
def game() -> Game:
    return catalog.find(TWO_CARDS)


@pytest.fixture(scope="module")
def table(game: Game) -> ObservedQuantities:
    return ObservedQuantities.of(game, game.rules({}))


def quantity(table: ObservedQuantities, words: str) -> Quantity:
    return next(each for each in table.results if each.text == words)


@pytest.fixture(scope="module")
def greedy(table: ObservedQuantities) -> Preferences:
    return Preferences((), (Criterion(quantity(table, "mine"), 1),))


def mixed(table: ObservedQuantities) -> Preferences:
    """Play greedily until turn 2, then the opposite."""
    mine = quantity(table, "mine")
    turn = [each.text for each in table.features].index("turn")
    late = LinearTest((Term(turn, Fraction(1)),), 3)
    return Preferences((Clause((late,), (Criterion(mine, -1),)),), (Criterion(mine, 1),))


def test_only_what_moves_change_ranks_them(table: ObservedQuantities) -> None:
    assert {each.text for each in table.results} == {"mine"}
    assert {"mine", "theirs", "left", "right", "turn"} == {each.text for each in table.features}


def test_what_a_player_does_not_see_is_not_looked_at() -> None:
    red7 = catalog.find("red7")
    table = ObservedQuantities.of(red7, red7.rules({}))
    words = {each.text for each in table.results} | {each.text for each in table.features}
    assert {"hand", "palette", "the lowest of hand", "deck", "hand1"} <= words
    assert not {"the highest of deck", "the lowest of deck", "the highest of hand1"} & words
    sizes = {each.text for each in table.results if each.reading == "size"}
    assert sizes == {"hand", "palette", "deck"}


def test_sets_are_measured_by_their_bits() -> None:
    cards = 1 << 3 | 1 << 17 | 1 << 40
    assert [read_field((0, cards), reading, 1) for reading in range(4)] == [cards, 3, 41, 4]


def test_what_an_action_leads_to_is_seen_from_the_seat_of_who_took_it() -> None:
    red7 = catalog.find("red7")
    rules = red7.rules({"players": 4})
    walked = enumeration.sample_states(Interpreter(red7, rules), 60)
    looked = 0
    for state, moves in walked.items():
        for move in moves:
            for _, after, passes in move.outcomes:
                if state.undealt == 0:
                    assert observe_result(red7, rules, after, passes, {}).palette1 in (state.palette1, 0)
                    looked += 1
    assert looked > 0


def test_an_order_counts_for_more_than_all_after_it(table: ObservedQuantities) -> None:
    mine, other = quantity(table, "mine"), Quantity("theirs", 1)
    ranges = {mine: (0, 20), other: (0, 20)}
    first, second = weights((Criterion(mine, 1), Criterion(other, -1)), ranges)
    assert second == -1
    assert first > 2 * 256 * 20


@pytest.mark.slow
def test_the_file_plays_as_the_strategy_does(game: Game, table: ObservedQuantities, tmp_path: Path) -> None:
    preferences = mixed(table)
    file = tmp_path / "card.py"
    file.write_text(PreferenceRenderer(game, game.rules({}), table).source(preferences, file.name))
    follower = RankingPolicy(preferences, table, game, 2)
    carried = komi.simulate(game, 5000, seed=4, policies=(follower, "random"))
    written = komi.simulate(game, 5000, seed=4, policies=(f"{file}:cheat_sheet", "random"))
    assert carried.wins == written.wins


def test_it_chooses_the_same_interpreted(game: Game, table: ObservedQuantities) -> None:
    rules = game.rules({})
    follower = RankingPolicy(mixed(table), table, game, 2)
    for state, moves in enumeration.sample_states(Interpreter(game, rules), 200).items():
        if len(moves) > 1:
            expected = max(state.left, state.right) if state.turn < 3 else min(state.left, state.right)
            taken = follower.choose(game, rules, state, 0.7)
            assert (state.left, state.right)[taken] == expected


def test_chance_picks_among_equal_moves(game: Game, table: ObservedQuantities) -> None:
    rules = game.rules({})
    anything = RankingPolicy(Preferences((), ()), table, game, 2)
    state = rules and game.part("start")(rules)._replace(left=3, right=3, shown=1)
    assert [anything.choose(game, rules, state, luck) for luck in (0.2, 0.7)] == [0, 1]


def test_a_policy_against_itself_wins_half_exactly(game: Game, table: ObservedQuantities, greedy: Preferences) -> None:
    follower = RankingPolicy(greedy, table, game, 2)
    games = PairedGames(game, game.rules({}), follower, [UniformPolicy(), follower], 1, print)
    assert games.play(follower, (0, 500))[:, 1].mean() == 0.5
    assert games.play(UniformPolicy(), (0, 500))[:, 0].mean() == 0.5


def test_deals_are_the_same_for_all_policies(game: Game, table: ObservedQuantities, greedy: Preferences) -> None:
    follower = RankingPolicy(greedy, table, game, 2)
    games = PairedGames(game, game.rules({}), follower, [UniformPolicy()], 1, print)
    whole = games.play(follower, (0, 200))
    assert np.array_equal(np.concatenate([games.play(follower, (0, 70)), games.play(follower, (70, 200))]), whole)
    lazy = RankingPolicy(replace(greedy, default=(Criterion(greedy.default[0].quantity, -1),)), table, game, 2)
    assert games.play(lazy, (0, 200)).mean() < 0.3 < 0.7 < whole.mean()


def test_the_best_ranking_is_found(tmp_path: Path) -> None:
    lesson = komi.teach_by_simulation(TWO_CARDS, tmp_path / "card.py", numbers=1, seconds=2.0)
    assert lesson.front[0].strategy == "Leave mine as high as possible."
    assert lesson.rivals == ("random",)
    assert lesson.in_its_place[0].mean == 0.5
    assert lesson.average.mean > 0.7
    assert lesson.average.mean == pytest.approx(np.mean([each.mean for each in lesson.wins]))
    exact = _exact_greedy_against_random()
    first = next(point for point in lesson.front if point.numbers == 0)
    assert abs(first.average.mean - exact) < 5 * first.average.stderr


def _exact_greedy_against_random() -> float:
    """Compute the result with three cards each, the larger of two and either of two: won or shared."""
    larger = np.array([2 * value + 1 for value in range(8)]) / 64
    either = np.full(8, 1 / 8)
    mine, theirs = np.ones(1), np.ones(1)
    for _ in range(3):
        mine, theirs = np.convolve(mine, larger), np.convolve(theirs, either)
    return float(sum(mine[i] * (theirs[:i].sum() + theirs[i] / 2) for i in range(len(mine))))


def test_it_says_what_it_does_in_sentences(game: Game, table: ObservedQuantities) -> None:
    renderer = PreferenceRenderer(game, game.rules({}), table)
    assert renderer.sentences(mixed(table)) == [
        "If turn is at least 3: leave mine as low as possible.",
        "Otherwise: leave mine as high as possible.",
    ]
    assert renderer.sentences(Preferences((), ())) == ["Take any move."]


@pytest.mark.parametrize(
    ("game", "options", "sentence"),
    [
        ("pig", {"players": 3}, "pig.py does not"),
        ("yahtzee", {}, "yahtzee is for one player"),
        ("red7", {"against": ["unknown"]}, "red7 has no policy 'unknown'"),
        ("red7", {"numbers": 13}, "0 to 12 numbers"),
        ("red7", {"seconds": -1.0}, "positive number of seconds"),
    ],
)
def test_what_cannot_be_taught_is_refused(game: str, options: dict[str, object], sentence: str, tmp_path: Path) -> None:
    with pytest.raises((InputError, SolveError), match=re.escape(sentence)):
        komi.teach_by_simulation(game, tmp_path / "card.py", **options)  # type: ignore[arg-type]
