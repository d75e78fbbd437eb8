"""What is taught: planted strategies are found again, losses are exact, and words, code and compiled tests agree."""

import re
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.text import Text

from komi.errors import InputError, SolveError, StorageError
from komi.evaluation.two_player import match_two_player
from komi.plotting.cheat_sheet_plot import _sheet, draw_cheat_sheet
from komi.plotting.sheet_layout import SHEET_STYLE
from komi.policies import named
from komi.policies.tabulate import tabulate
from komi.rules import catalog
from komi.solvers.solution import Solution
from komi.solvers.solve import solve
from komi.teaching.features import compute_features, list_features
from komi.teaching.field_roles import find_banked_fields, find_mirrored_fields, find_risk_field
from komi.teaching.loss_evaluation import LossEvaluator
from komi.teaching.parallel_search import run_searches
from komi.teaching.strategy import Clause, Strategy, Term, strategy_actions
from komi.teaching.strategy import LinearTest as Comparison
from komi.teaching.strategy_rendering import NAME, StrategyRenderer
from komi.teaching.strategy_search import StrategySearch
from komi.teaching.teach import TeachingResult, _examples, teach

PLANTED = Path(__file__).with_name("planted.py")


def silent(*arguments: Any) -> None:
    """Report nothing."""


@pytest.fixture(scope="module")
def pig() -> Solution[Any]:
    return solve("pig", goal=20)


@pytest.fixture(scope="module")
def fowl() -> Solution[Any]:
    return solve("fowl-play", goal=8, wolves=3, chickens=9)


@pytest.fixture(scope="module")
def lesson(tmp_path_factory: pytest.TempPathFactory) -> TeachingResult:
    return teach(str(PLANTED), tmp_path_factory.mktemp("planted") / "card.py", numbers=2, seconds=1)


def features(solution: Solution[Any]) -> list[Any]:
    return list_features(solution.game, solution.rules, solution.optimal_play.states)


def named_feature(solution: Solution[Any], words: str) -> int:
    return [each.text for each in features(solution)].index(words)


def hold_at(solution: Solution[Any], points: int) -> Strategy:
    test = Comparison((Term(named_feature(solution, "turn"), Fraction(1)),), points)
    return Strategy((Clause((test,), 1),), 0)


def rich(solution: Solution[Any]) -> Strategy:
    """Create a strategy of Fowl Play with terms of every form."""
    place = {each.text: number for number, each in enumerate(features(solution))}
    odds = Comparison(
        (
            Term(place["turn"], Fraction(1)),
            Term(place["chickens left / wolves left"], Fraction(-3, 2)),
            Term(place["score - rival"], Fraction(1, 4)),
        ),
        -1,
    )
    race = Comparison((Term(place["the larger of score and rival"], Fraction(1)),), 9)
    times = "turn × wolves left"  # noqa: RUF001
    scaled = Term(place["(score - rival) × chickens left"], Fraction(1, 20))  # noqa: RUF001
    product = Comparison((Term(place[times], Fraction(-2)), Term(place["rival + turn"], Fraction(1)), scaled), -8)
    both = Comparison((Term(place["the smaller of score and rival"], Fraction(-1)),), -2)
    return Strategy((Clause((race,), 0), Clause((odds, both), 1), Clause((product,), 0)), 1)


def test_the_loss_is_that_of_a_match_against_optimal_play(pig: Solution[Any]) -> None:
    games, strategy = LossEvaluator.of(pig, 2), hold_at(pig, 12)
    loss = games.loss(strategy_actions(strategy, features(pig), pig.optimal_play.states))
    exact = match_two_player(pig, named.find("hold-at:12", pig), named.find("optimal", pig))
    assert loss == pytest.approx(0.5 - exact.average, abs=1e-8)


def test_optimal_play_gives_nothing_away(fowl: Solution[Any]) -> None:
    assert LossEvaluator.of(fowl, 2).loss(np.asarray(fowl.optimal_play.choices)) == pytest.approx(0.0, abs=1e-9)


def test_words_of_features_say_how_they_are_measured(fowl: Solution[Any]) -> None:
    indices = np.arange(0, fowl.states, 97)
    values = dict(
        zip(
            (each.text for each in features(fowl)),
            compute_features(features(fowl), fowl.optimal_play.states, indices),
            strict=True,
        )
    )
    for column, index in enumerate(indices):
        state = fowl.game.module.State(*fowl.optimal_play.states.fields(int(index)))
        assert values["wolves left"][column] == 3 - state.wolves
        assert values["score - rival"][column] == state.score - state.rival
        assert values["(score - rival) × chickens left"][column] == (  # noqa: RUF001
            (state.score - state.rival) * (9 - state.chickens)
        )
        assert values["the larger of score and rival"][column] == max(state.score, state.rival)
        assert values["chickens left / wolves left"][column] == (9 - state.chickens) / (3 - state.wolves)


def test_own_and_rival_fields_and_what_is_at_risk_follow_from_the_rules(
    pig: Solution[Any], fowl: Solution[Any]
) -> None:
    for solution in (pig, fowl):
        assert find_mirrored_fields(solution.game, solution.rules) == {("score", "rival"), ("rival", "score")}
        assert find_risk_field(solution.game, solution.rules) == "turn"
        assert find_banked_fields(solution.game, solution.rules, "turn") == ("score", "rival")


def test_what_is_at_risk_need_not_grow_with_each_action() -> None:
    game = catalog.find("ten-thousand")  # a roll shows dice, and adds no points yet
    assert find_risk_field(game, game.default_rules) == "turn"


def test_fields_that_are_both_nothing_at_first_face_no_one() -> None:
    game = catalog.find("ten-thousand")
    assert find_mirrored_fields(game, game.default_rules) == {("score", "rival"), ("rival", "score")}


def test_a_strategy_does_the_same_compiled_counted_and_as_its_file(fowl: Solution[Any], tmp_path: Path) -> None:
    strategy, found, states = rich(fowl), features(fowl), fowl.optimal_play.states
    compiled = strategy_actions(strategy, found, states)
    choosing = LossEvaluator.of(fowl, 2).choices > 1
    interpreted = strategy.actions(compute_features(found, states, np.arange(states.size)))
    assert np.array_equal(compiled[choosing], interpreted[choosing])
    assert 0 < np.count_nonzero(compiled[choosing]) < np.count_nonzero(choosing)
    file = tmp_path / "card.py"
    file.write_text(
        StrategyRenderer(fowl.game, fowl.rules, found, "turn").source(strategy, file.name), encoding="utf-8"
    )
    policy = named.find(f"{file}:{NAME}", fowl)
    assert np.array_equal(tabulate(policy, fowl.compiled, fowl.rules, states)[choosing], compiled[choosing])


def test_words_are_short_and_plain(fowl: Solution[Any]) -> None:
    sentences = StrategyRenderer(fowl.game, fowl.rules, features(fowl), "turn").sentences(rich(fowl))
    assert sentences == [
        "Draw if score or rival is at least 9.",
        "Else hold if turn is at least -1 + 3/2 × chickens left / wolves left + (rival - score) / 4"  # noqa: RUF001
        " and score or rival is at most 2.",
        "Else draw if rival + turn is at least -8 + 2 × turn × wolves left + "  # noqa: RUF001
        "(rival - score) × chickens left / 20; otherwise hold.",  # noqa: RUF001
    ]


def test_the_smaller_of_two_is_set_apart_in_a_sum(fowl: Solution[Any]) -> None:
    place = {each.text: number for number, each in enumerate(features(fowl))}
    smaller, wolves, turn = (place[each] for each in ("the smaller of score and rival", "wolves left", "turn"))
    alone = Comparison((Term(turn, Fraction(1)), Term(smaller, Fraction(-1))), 0)
    summed = Comparison((*alone.terms, Term(wolves, Fraction(-1))), 0)
    wording = StrategyRenderer(fowl.game, fowl.rules, features(fowl), "turn")
    assert [wording.text(Strategy((Clause((test,), 1),), 0)) for test in (alone, summed)] == [
        "Hold if turn is at least the smaller of score and rival; otherwise draw.",
        "Hold if turn is at least (the smaller of score and rival) + wolves left; otherwise draw.",
    ]


def test_a_threshold_may_be_a_part_of_a_whole_number(fowl: Solution[Any]) -> None:
    place = {each.text: number for number, each in enumerate(features(fowl))}
    fine = Comparison((Term(place["turn"], Fraction(8)), Term(place["score - rival"], Fraction(1))), 21)
    coarse = Comparison((Term(place["turn"], Fraction(1)), Term(place["score - rival"], Fraction(1, 8))), 2)
    assert fine.numbers == coarse.numbers == coarse.with_integer_coefficients.numbers
    assert coarse.with_integer_coefficients.terms == fine.terms
    assert coarse.with_integer_coefficients.constant == 16
    strategies = [Strategy((Clause((test,), 1),), 0) for test in (fine, coarse.with_integer_coefficients)]
    wording = StrategyRenderer(fowl.game, fowl.rules, features(fowl), "turn")
    assert [wording.text(each) for each in strategies] == [
        "Hold if turn is at least (21 + rival - score) / 8; otherwise draw.",
        "Hold if turn is at least 2 + (rival - score) / 8; otherwise draw.",
    ]


def test_numbers_are_constants_and_coefficients_but_one(fowl: Solution[Any]) -> None:
    assert rich(fowl).numbers == 1 + 3 + 1 + 3
    place = {each.text: number for number, each in enumerate(features(fowl))}
    terms = (Term(place["chickens left / wolves left"], Fraction(1)), Term(place["turn"], Fraction(-1)))
    assert [Comparison(terms, constant).numbers for constant in (-1, 0, 1)] == [1, 0, 1]


@pytest.mark.slow
def test_a_planted_strategy_is_found_again(lesson: TeachingResult) -> None:
    assert lesson.loss == pytest.approx(0.0, abs=1e-12)
    assert lesson.numbers == 2
    (sentence,) = lesson.strategy
    assert re.search(r"\ba\b.*\bb\b|\bb\b.*\ba\b", sentence)


@pytest.mark.slow
def test_the_best_of_a_family_is_found(pig: Solution[Any]) -> None:
    games, found, states = LossEvaluator.of(pig, 2), features(pig), pig.optimal_play.states
    losses = [games.loss(strategy_actions(hold_at(pig, points), found, states)) for points in range(31)]
    search = StrategySearch(games, found, 1, "turn", seed=3)
    search.run(2, silent)
    assert search.front()[-1].loss <= min(losses) + 1e-4


@pytest.mark.slow
def test_hold_at_25_is_the_best_hold_value_of_pig() -> None:
    solution = solve("pig")
    games, found, states = LossEvaluator.of(solution, 2), features(solution), solution.optimal_play.states
    losses = {
        points: games.loss(strategy_actions(hold_at(solution, points), found, states)) for points in range(15, 35)
    }
    assert min(losses, key=lambda points: losses[points]) == 25
    assert 2 * losses[25] == pytest.approx(0.042, abs=5e-4)


def test_what_decides_nothing_is_left_out(pig: Solution[Any]) -> None:
    search = StrategySearch(LossEvaluator.of(pig, 2), features(pig), 3, "turn", seed=1)
    hold = hold_at(pig, 8)
    never = Clause((replace(hold.clauses[0].tests[0], constant=1000),), 1 - hold.default)
    for clauses in ((never, *hold.clauses), (replace(hold.clauses[0], tests=hold.clauses[0].tests * 2),)):
        padded = replace(hold, clauses=clauses)
        search._evaluate(padded)
        search._prune(padded)
        assert search.front()[-1].strategy == hold


def test_test_that_is_always_true_is_left_out(pig: Solution[Any]) -> None:
    search = StrategySearch(LossEvaluator.of(pig, 2), features(pig), 3, "turn", seed=1)
    score = next(number for number, feature in enumerate(search._features) if feature.text == "score")
    padded = Strategy((Clause((Comparison((Term(score, Fraction(1)),), 0),), 0),), 1)
    search._evaluate(padded)
    search._prune(padded)
    assert search.front()[-1].strategy == Strategy((), 0)


@pytest.mark.slow
def test_strategies_with_more_numbers_are_not_returned(pig: Solution[Any]) -> None:
    search = StrategySearch(LossEvaluator.of(pig, 2), features(pig), 0, "turn", seed=1)
    search.run(0.1, silent)
    assert search.front()[-1].strategy.numbers == 0


@pytest.mark.slow
def test_each_point_of_the_front_gives_away_less_than_those_before(pig: Solution[Any]) -> None:
    search = StrategySearch(LossEvaluator.of(pig, 2), features(pig), 3, "turn", seed=1)
    search.run(2, silent)
    front = search.front()
    assert [each.strategy.numbers for each in front] == sorted({each.strategy.numbers for each in front})
    assert [each.loss for each in front] == sorted((each.loss for each in front), reverse=True)
    before = front[-1].loss
    search.run(1, silent)
    assert search.front()[-1].loss <= before


@pytest.mark.slow
def test_good_strategies_need_no_numbers(fowl: Solution[Any]) -> None:
    search = StrategySearch(LossEvaluator.of(fowl, 2), features(fowl), 3, "turn", seed=1)
    always = min(search._evaluate(Strategy((), action)) for action in range(2))
    for _ in search._rounds(0):
        if search.front()[0].loss < 0.5 * always:
            break
    assert search.front()[0].strategy.numbers == 0


@pytest.mark.slow
def test_searches_side_by_side_find_the_best_of_each(pig: Solution[Any]) -> None:
    games, found = LossEvaluator.of(pig, 2), features(pig)
    searches = [
        StrategySearch(games, found, 2, "turn", seed, zero_probability=zero_probability)
        for seed, zero_probability in ((1, 0.3), (2, 0.1))
    ]
    front = run_searches(searches, 1, silent)
    for search in searches:
        for alone in search.front():
            assert min(each.loss for each in front if each.strategy.numbers <= alone.strategy.numbers) <= alone.loss
    assert {each.strategy for each in front} <= {each.strategy for search in searches for each in search.front()}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"numbers": -1}, "a strategy can have 0 to 12 numbers to remember, not -1."),
        ({"seconds": 0}, "a search takes a positive number of seconds, not 0."),
    ],
)
def test_options_out_of_range_are_refused(options: Any, message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=message):
        teach("pig", tmp_path / "card.py", **options)


def test_files_that_cannot_be_written_are_refused_before_the_search(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="ends in"):
        teach("pig", tmp_path / "card.txt")
    with pytest.raises(StorageError, match="there is no folder"):
        teach("pig", tmp_path / "none" / "card.py")


def test_files_of_other_programs_are_not_replaced(tmp_path: Path) -> None:
    own = tmp_path / "piglet_card.py"
    own.write_text("# my own work")
    with pytest.raises(InputError, match="was not written by komi"):
        teach("piglet", own)
    assert own.read_text() == "# my own work"


def test_games_without_chance_are_refused(tmp_path: Path) -> None:
    with pytest.raises(SolveError, match="games of chance"):
        teach("traffic-lights", tmp_path / "card.py")


@pytest.mark.slow
def test_a_set_of_bits_is_not_a_stock() -> None:
    tiles = solve(str(Path(__file__).parents[1] / "games" / "tiles.py"))
    assert "tiles" in {feature.text for feature in features(tiles)}
    assert not any("left" in feature.text for feature in features(tiles))


@pytest.mark.slow
def test_games_whose_actions_come_later_are_refused(tmp_path: Path) -> None:
    with pytest.raises(SolveError, match="others later on: 'komi teach' finds some by simulation, with '--against'"):
        teach("ten-thousand", tmp_path / "card.py", goal=300)
    late = str(Path(__file__).parents[1] / "games" / "late_hold.py")
    with pytest.raises(SolveError, match="late-hold has others"):
        teach(late, tmp_path / "card.py", seconds=1)
    alone = str(Path(__file__).parents[2] / "examples" / "cant_stop.py")
    with pytest.raises(SolveError, match="cant-stop has others later on: 'komi value' shows optimal play"):
        teach(alone, tmp_path / "card.py")


def test_the_command_says_all_that_is_promised(run: Any, tmp_path: Path) -> None:
    file, picture = tmp_path / "card.py", tmp_path / "front.png"
    solution = run("teach", PLANTED, "--numbers", 2, "--seconds", 1, "-o", file, "--front", picture, "--json").solution
    assert {
        "strategy",
        "numbers",
        "first",
        "second",
        "average",
        "loss",
        "worst_case",
        "file",
        "front",
    } <= solution.keys()
    assert solution["loss"] == pytest.approx(0.5 - solution["average"])
    assert picture.read_bytes().startswith(b"\x89PNG")
    played = run("match", PLANTED, solution["policy"], "optimal", "--json").solution
    assert played["average"] == pytest.approx(solution["average"])
    assert "Next: komi match" in run("teach", PLANTED, "--seconds", 1, "-o", file).out


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "beginning"), [("png", b"\x89PNG"), ("pdf", b"%PDF"), ("html", b"<!doctype html>")])
def test_a_card_is_drawn_in_every_kind(kind: str, beginning: bytes, lesson: TeachingResult, tmp_path: Path) -> None:
    card = tmp_path / f"card.{kind}"
    draw_cheat_sheet(lesson, card)
    assert card.read_bytes().startswith(beginning)
    if kind == "html":
        assert "http" not in card.read_text().partition("<g")[0].partition("xmlns")[0]


@pytest.mark.slow
@pytest.mark.parametrize("sentences", [1, 4, 7])
def test_long_strategies_stay_on_the_sheet(sentences: int, lesson: TeachingResult) -> None:
    sentence = "Else walk if a times b is at least 60, or if the larger of a and b is at most the rest of it."
    with matplotlib.rc_context(SHEET_STYLE):
        canvas = FigureCanvasAgg(_sheet(replace(lesson, strategy=(sentence,) * sentences)))
    canvas.draw()
    width, height = canvas.get_width_height()
    facts = []
    for text in canvas.figure.texts:
        box = text.get_window_extent()
        assert 0 <= box.x0 < box.x1 <= width
        assert 0 <= box.y0 < box.y1 <= height
        if text.get_fontsize() in (19.0, 9.5):
            facts.append(box)
    assert all(upper.y0 >= lower.y1 for upper, lower in pairwise(facts))


@pytest.mark.slow
@pytest.mark.parametrize("count", [1, 5, 9])
@pytest.mark.parametrize("name", ["Pig", "The Long and Winding Game of the Royal Wolves and Chickens of Ledge"])
def test_texts_of_a_sheet_do_not_overlap(
    name: str, count: int, lesson: TeachingResult, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("komi.rules.vocabulary.title", lambda game: name)
    monkeypatch.setattr("komi.rules.vocabulary.format_rules", lambda rules: ", ".join([f"{name} {count}"] * count))
    states = [{f"{name[: 4 * count]} {field} left": 100 + field for field in range(count)} for _ in lesson.examples]
    examples = tuple(
        replace(each, state=state, action=name, best=name[:-1])
        for each, state in zip(lesson.examples, states, strict=True)
    )
    front = tuple(replace(lesson.front[-1], numbers=numbers, loss=0.1 / (5 + numbers)) for numbers in range(2 * count))
    sentences = (f"Else walk if {name} times b is at least 60, or if it is at most the rest.",) * count
    result = replace(lesson, strategy=sentences, examples=examples, front=front)
    with matplotlib.rc_context(SHEET_STYLE):
        canvas = FigureCanvasAgg(_sheet(result))
    canvas.draw()
    [axes] = canvas.figure.axes
    ticks = [
        label
        for axis, place in ((axes.xaxis, 0), (axes.yaxis, 1))
        for label in axis.get_ticklabels()
        if min(axis.get_view_interval()) <= label.get_position()[place] <= max(axis.get_view_interval())
    ]
    texts: list[Text] = [*canvas.figure.texts, *axes.texts, axes.title, axes.xaxis.label, axes.yaxis.label, *ticks]
    shown = [text for text in texts if text.get_text().strip()]
    for first, second in combinations(shown, 2):
        boxes = first.get_window_extent(), second.get_window_extent()
        assert not boxes[0].overlaps(boxes[1]), (first.get_text(), second.get_text())
    width, height = canvas.get_width_height()
    for text in shown:
        box = text.get_window_extent()
        assert 0 <= box.x0 < box.x1 <= width, text.get_text()
        assert 0 <= box.y0 < box.y1 <= height, text.get_text()


@pytest.mark.slow
def test_positions_are_worked_out_as_the_strategy_decides(lesson: TeachingResult) -> None:
    for example in lesson.examples:
        assert (
            example.action == example.best == ("jump" if example.state["a"] + 2 * example.state["b"] >= 12 else "walk")
        )
        assert " is " in example.working


@pytest.mark.slow
def test_positions_for_a_sentence_that_decides_in_few_are_those() -> None:
    hog = solve("hog", goal=20, max_dice=4)
    seen = features(hog)
    nothing_yet = Comparison((Term(named_feature(hog, "score"), Fraction(-1)),), 0)
    strategy = Strategy((Clause((nothing_yet,), 3),), 1, action_numbers=(1, 1, 1, 1))
    wording = StrategyRenderer(hog.game, hog.rules, seen, find_risk_field(hog.game, hog.rules))
    example = next(_examples(LossEvaluator.of(hog, 4), seen, strategy, wording))
    assert example.state["score"] == 0


def test_pictures_of_other_kinds_are_refused(run: Any, tmp_path: Path) -> None:
    assert "must end in .png or .svg" in run("teach", PLANTED, "--front", tmp_path / "front.gif").err
