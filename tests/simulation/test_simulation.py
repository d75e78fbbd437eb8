"""Monte Carlo: agrees with plain play and with exact values, and its errors are right."""

import json
from collections import Counter

import numpy as np
import pytest

import komi
from komi import GameError, InputError, KomiError, streams
from komi.evaluation.two_player import match_two_player
from komi.jit.kernels import engine_kernels
from komi.policies.named import find
from komi.policies.table import TablePolicy
from komi.presentation.simulation_report import simulation_json
from komi.simulation import run
from simulation import plain_playout

import rulefiles
from slowly import slowly

NEVER_LEGAL = "def wrong(rules, state):\n    return 7 if state.turn > 5 else 0\n"
LAST_LEGAL = "def last(rules, state, action):\n    return action\n"


def seen(simulation):
    """Return all results, without the time."""
    return {
        key: value for key, value in simulation_json(simulation).items() if not key.startswith(("seconds", "games_per"))
    }


@pytest.mark.parametrize(
    ("name", "rules"),
    [
        ("pig", {"goal": 30, "sides": 4}),
        pytest.param("red-light", {"goal": 12, "red": 2, "green": 7}, marks=pytest.mark.slow),
        pytest.param("red7", {}, marks=pytest.mark.slow),
        pytest.param(
            "red7",
            {"players": 2, "draw": "before", "eliminated": "compared", "idle_discards": False},
            marks=pytest.mark.slow,
        ),
        pytest.param("red7", {"players": 4, "draw": "none"}, marks=pytest.mark.slow),
    ],
)
def test_games_are_those_of_plain_play_with_the_same_random_numbers(name, rules):
    games, game = 60, komi.find(name)
    simulation = komi.simulate(game, games, seed=5, **rules)
    plain = [plain_playout.play(game, game.rules(rules), 5, number, number) for number in range(games)]
    assert [seat.mean for seat in simulation.wins] == pytest.approx(np.mean([one[0] for one in plain], axis=0))
    assert simulation.turns_histogram == dict(sorted(Counter(one[1] for one in plain).items()))
    assert simulation.actions.mean == pytest.approx(np.mean([one[2] for one in plain]))
    assert simulation.moves_histogram == dict(sorted(Counter(moves for one in plain for moves in one[3]).items()))
    for seat, never in enumerate(simulation.never_acted):
        assert never.mean == pytest.approx(np.mean([seat not in one[4] for one in plain]))


def test_random_numbers_are_those_of_the_paper_worked_out_slowly():
    key, numbers = streams.key(77, 1), np.empty(50)
    engine_kernels()[streams.draw](key, (3 << streams.STREAM_BITS) + 5, numbers)
    assert numbers.tolist() == [plain_playout.number(key, (3 << 24) + 5 + i) for i in range(50)]


def test_random_numbers_fill_the_interval_evenly():
    numbers = np.empty(1 << 18)
    engine_kernels()[streams.draw](streams.key(1, 0), 0, numbers)
    counts = np.histogram(numbers, 64, (0, 1))[0]
    expected = len(numbers) / 64
    assert ((counts - expected) ** 2 / expected).sum() < 63 + 5 * (2 * 63) ** 0.5
    assert abs(np.corrcoef(numbers[:-1], numbers[1:])[0, 1]) < 5 / len(numbers) ** 0.5


@pytest.mark.parametrize(
    ("name", "rules"),
    [
        ("pig", {"goal": 30}),
        *(pytest.param(name, {}, marks=pytest.mark.slow) for name in ("pig", "red-light", "fowl-play")),
    ],
)
def test_optimal_play_wins_and_lasts_as_long_as_it_must(name, rules):
    solution = komi.solve(name, **rules)
    optimal = TablePolicy("best", solution.optimal_play.states, solution.optimal_play.choices)
    exact = match_two_player(solution, optimal, optimal)
    simulation = komi.simulate(name, 150_000, policies=optimal, seed=11, **rules)
    first, actions = simulation.wins[0], simulation.actions
    assert abs(first.mean - solution.value()) < 4 * first.stderr
    assert abs(actions.mean - exact.first.actions) < 4 * actions.stderr


def test_policies_sit_where_they_are_put():
    solution = komi.solve("pig", goal=20)
    from komi.policies import named

    weak, strong = (named.find(text, solution) for text in ("hold-at:3", "hold-at:20"))
    exact = match_two_player(solution, weak, strong)
    for policies, wins in (((weak, strong), exact.first.wins), ((strong, weak), 1 - exact.second.wins)):
        first = komi.simulate("pig", 40_000, policies=policies, goal=20).wins[0]
        assert abs(first.mean - wins) < 4 * first.stderr


@pytest.mark.slow
def test_what_is_seen_does_not_depend_on_the_number_of_workers():
    alone = komi.simulate("red7", 30_000, seed=9, workers=1)
    for workers in (2, 5):
        assert seen(komi.simulate("red7", 30_000, seed=9, workers=workers)) == seen(alone)


def test_another_seed_plays_other_games():
    assert seen(komi.simulate("pig", 1000, seed=1)) != seen(komi.simulate("pig", 1000, seed=2))


def stopping_after(calls):
    def progress(stage, done, total, note=""):
        nonlocal calls
        calls -= 1
        if calls == 0:
            raise KeyboardInterrupt

    return progress


@pytest.mark.parametrize("amount", [{"games": 10_000}, {"deals": 300, "per_deal": 40}], ids=str)
@pytest.mark.parametrize(
    ("name", "rules"), [("pig", {"goal": 20, "sides": 4}), pytest.param("red7", {}, marks=pytest.mark.slow)]
)
def test_a_stopped_simulation_continues_as_if_it_had_not_been_stopped(tmp_path, name, rules, amount):
    keep, arguments = tmp_path / "running", amount | rules
    stopped = komi.simulate(name, **arguments, seed=4, keep=keep, progress=stopping_after(7))
    whole = komi.simulate(name, **arguments, seed=4)
    assert stopped.stopped
    assert 0 < stopped.games < whole.games
    assert seen(komi.simulate(name, **arguments, seed=4, keep=keep)) == seen(whole)


def test_what_is_played_is_kept_soon(tmp_path, monkeypatch):
    monkeypatch.setattr(run, "FIRST_SAVE", 0.0)
    monkeypatch.setattr(run, "SAVE_INTERVAL", 1000.0)
    keep, kept = tmp_path / "running", []
    komi.simulate("pig", 20_000, keep=keep, progress=lambda stage, done, total, note="": kept.append(keep.exists()))
    assert kept[:3] == [False, True, True]


def test_more_games_continue_from_fewer(tmp_path):
    komi.simulate("pig", 20_000, keep=tmp_path / "kept")
    more = komi.simulate("pig", 30_000, keep=tmp_path / "kept")
    assert more.games == 30_000
    assert seen(more) == seen(komi.simulate("pig", 30_000))


@pytest.mark.parametrize("amount", [{"games": 40}, {"deals": 12, "per_deal": 5}], ids=str)
def test_errors_of_shares_are_those_of_the_sums_of_each_deal(amount):
    rules = {"goal": 20, "sides": 4}
    game, per_deal = komi.find("pig"), amount.get("per_deal", 1)
    simulation = komi.simulate(game, **amount, seed=5, **rules)
    deals = simulation.tally.deals
    plain = [
        [plain_playout.play(game, game.rules(rules), 5, deal, deal * per_deal + number) for number in range(per_deal)]
        for deal in range(deals)
    ]
    turns = [[one[1] for one in games] for games in plain]
    moves = [[count for one in games for count in one[3]] for games in plain]
    for values, shares in ((turns, [None, *simulation.still_running]), (moves, simulation.moves_at_least)):
        totals = np.array([len(each) for each in values])
        for least, found in enumerate(shares):
            if found is None:
                continue
            cases = np.array([sum(value >= least for value in each) for each in values])
            share = cases.sum() / totals.sum()
            squares = ((cases - share * totals) ** 2).sum() * deals / (deals - 1)
            assert (found.mean, found.stderr) == pytest.approx((share, squares**0.5 / totals.sum()), abs=1e-12)


def test_games_that_are_never_won_have_an_interval():
    simulation = komi.simulate("pig", until_stderr=0.02, policies=["hold-at:0", "hold-at:20"], seed=1)
    lost = simulation.wins[0]
    assert (lost.mean, lost.stderr) == (0.0, 0.0)
    assert lost.interval[1] == pytest.approx(1.96**2 / (simulation.games + 1.96**2))
    assert simulation_json(simulation)["interval"][0] == lost.interval


@pytest.mark.slow
def test_intervals_contain_the_exact_share_in_19_of_20_simulations():
    solution = komi.solve("pig", goal=10)
    policies = [find("hold-at:20", solution), find("random", solution)]
    exact = match_two_player(solution, *policies).first.wins
    for amount in ({"games": 100}, {"until_stderr": 0.03}):
        simulations = [komi.simulate("pig", **amount, goal=10, policies=policies, seed=seed) for seed in range(400)]
        contains = [low <= exact <= high for low, high in (one.wins[0].interval for one in simulations)]
        assert 0.92 < np.mean(contains) < 0.98  # its standard error is 1.1 %


@pytest.mark.parametrize(
    ("game", "settings", "complaint"),
    [
        ("red-light", {"seed": 3}, "belongs to another game .pig."),
        ("pig", {"seed": 4, "goal": 20}, "belongs to another seed .3."),
        ("pig", {"seed": 3, "goal": 50}, "belongs to other rules .goal=20"),
        ("pig", {"seed": 3, "goal": 20, "policies": "hold-at:20"}, "belongs to other policies .random, random."),
    ],
)
def test_a_results_file_of_something_else_is_refused_and_left_alone(tmp_path, game, settings, complaint):
    keep = tmp_path / "kept"
    komi.simulate("pig", 1000, seed=3, goal=20, keep=keep)
    before = keep.read_bytes()
    with pytest.raises(InputError, match=complaint):
        komi.simulate(game, 2000, keep=keep, **settings)
    assert keep.read_bytes() == before


def test_a_file_of_another_kind_is_refused_and_left_alone(tmp_path):
    keep = tmp_path / "letter"
    keep.write_text("dear reader")
    with pytest.raises(InputError, match="is not a results file"):
        komi.simulate("pig", 1000, keep=keep)
    assert keep.read_text() == "dear reader"


def test_a_results_file_of_another_version_is_refused(tmp_path, monkeypatch):
    komi.simulate("pig", 1000, keep=tmp_path / "kept")
    monkeypatch.setattr(komi, "__version__", "99.0")
    with pytest.raises(InputError, match="another version"):
        komi.simulate("pig", 1000, keep=tmp_path / "kept")


@pytest.mark.parametrize(
    ("settings", "complaint"),
    [
        ({"games": 0}, "games must be 1 to"),
        ({"games": -5}, "games must be 1 to"),
        ({}, "give one of a number of games, a number of deals, or"),
        ({"games": 5, "deals": 5}, "give one of a number of games, a number of deals, or"),
        ({"deals": 0}, "deals must be 1 to"),
        ({"deals": 5, "per_deal": 0}, "games per deal must be 1 or more"),
        ({"games": 5, "per_deal": 2}, "require a number of deals"),
        ({"until_stderr": 0.0}, "between 0 and 1"),
        ({"until_stderr": 1e-200}, "a standard error of 1e-200 needs too many games: the minimum is 1e-06"),
        ({"games": 5, "seed": -1}, "the seed must be"),
        ({"games": 5, "seed": "1"}, "the seed must be a whole number"),
        ({"games": 5, "workers": 0}, "workers must be"),
        ({"games": 5, "policies": ["random"]}, "for 2 players, not for 1"),
        ({"games": 5, "policies": "unknown"}, "no policy 'unknown'"),
        ({"games": 5, "goal": -3}, "goal of pig must be"),
    ],
    ids=str,
)
def test_what_makes_no_sense_is_refused_in_a_sentence(settings, complaint):
    with pytest.raises(InputError, match=complaint):
        komi.simulate("pig", **settings)


def test_an_illegal_move_is_refused_with_its_state(tmp_path):
    (tmp_path / "bad.py").write_text(NEVER_LEGAL)
    with pytest.raises(
        GameError, match=r"bad.py:wrong takes action 7 in score=.*turn=.*, where only roll, hold can be taken"
    ):
        komi.simulate("pig", 1000, policies=f"{tmp_path}/bad.py:wrong")


def test_a_turn_that_passes_back_is_refused_with_its_state(tmp_path):
    path = rulefiles.write(tmp_path, ("State(rival, score + turn, 0), 1", "State(rival, score + turn, 0), -1"))
    with pytest.raises(GameError, match=r"sprint.py, line 33: the turn passes on by -1 seats in score=\d+,rival"):
        komi.simulate(str(path), 1000)


@pytest.mark.parametrize("goal", [10, *slowly(100)])  # in lists, and compiled
def test_a_policy_that_raises_is_refused_with_its_line_and_state(tmp_path, goal):
    (tmp_path / "bad.py").write_text("def crash(rules, state):\n    return 1 // (state.score - state.score)\n")
    with pytest.raises(GameError, match=r"bad.py, line 2: ZeroDivisionError: .* in score=\d+,rival"):
        komi.simulate("pig", 1000, policies=f"{tmp_path}/bad.py:crash", goal=goal)


SHAPES = {  # invalid policies: (source, part of the error)
    "a word": (
        "def shape(rules, state):\n    return 'hold'\n",
        r"bad.py, line 1: policy 'shape' returns 'hold', not an action's number, in score=",
    ),
    "nothing": (
        "def shape(rules, state):\n    pass\n",
        r"bad.py, line 1: policy 'shape' returns None, not an action's number, in score=",
    ),
    "no state": (
        "def shape(rules):\n    return 0\n",
        r"bad.py, line 1: 'shape' takes \(rules\): a policy takes \(rules, state\) and returns an action's number, or",
    ),
}


@pytest.mark.parametrize(("text", "complaint"), SHAPES.values(), ids=SHAPES)
def test_a_policy_of_another_shape_is_named_and_not_the_game(tmp_path, text, complaint):
    (tmp_path / "bad.py").write_text(text)
    with pytest.raises(KomiError, match=complaint):
        komi.simulate("pig", 1000, policies=f"{tmp_path}/bad.py:shape", goal=10)


@pytest.mark.parametrize("goal", [12, *slowly(60)])
def test_a_table_that_does_not_know_a_state_is_refused_with_it(goal):
    small = komi.solve("pig", goal=10)
    table = TablePolicy("small", small.optimal_play.states, small.optimal_play.choices)
    with pytest.raises(GameError, match="policy small does not cover state score="):
        komi.simulate("pig", 1000, policies=table, goal=goal)


@pytest.mark.slow
def test_games_of_one_deal_differ_only_by_what_players_choose(tmp_path):
    (tmp_path / "sure.py").write_text(LAST_LEGAL)
    simulation = komi.simulate("red7", deals=40, per_deal=25, policies=f"{tmp_path}/sure.py:last")
    assert set(simulation.deal_rates.flat) == {0.0, 1.0}
    assert simulation.variance(0).share == pytest.approx(1.0)


@pytest.mark.parametrize("name", ["pig", pytest.param("red7", marks=pytest.mark.slow)])
def test_win_rates_sum_to_one(name):
    assert sum(seat.mean for seat in komi.simulate(name, 5000).wins) == pytest.approx(1.0)


def spread_of(measure, simulations):
    """Return the standard deviation between simulations over the mean standard error that each reports."""
    estimates = [measure(simulation) for simulation in simulations]
    reported = np.sqrt(np.mean([one.stderr**2 for one in estimates]))
    return float(np.std([one.mean for one in estimates], ddof=1) / reported)


MEASURES = {
    "wins": lambda one: one.wins[2],
    "turns": lambda one: one.turns,
    "actions": lambda one: one.actions,
    "never acted": lambda one: one.some_never_acted,
    "lead changes": lambda one: one.lead_changes,
    "still running": lambda one: one.still_running[14],
    "moves": lambda one: one.moves_at_least[10],
}


@pytest.mark.slow
@pytest.mark.parametrize("amount", [{"games": 4000}, {"deals": 250, "per_deal": 12}], ids=str)
def test_standard_errors_are_what_repeated_simulations_spread_by(amount):
    simulations = [komi.simulate("red7", **amount, seed=seed) for seed in range(100)]
    for name, measure in MEASURES.items():  # the standard deviation of 100 is known to 7 %
        assert 0.75 < spread_of(measure, simulations) < 1.3, name


@pytest.mark.parametrize("stderr", [0.02, 0.0006])
def test_it_ends_when_the_win_rates_are_exact_enough(stderr):
    simulation = komi.simulate("pig", until_stderr=stderr)
    assert max(seat.stderr for seat in simulation.wins) <= stderr
    assert simulation.games < 1.2 * 0.25 / stderr**2


def test_a_coarse_simulation_continues_to_a_finer_error(tmp_path):
    komi.simulate("pig", until_stderr=0.05, keep=tmp_path / "kept.npz")
    block = run.results_file.load(tmp_path / "kept.npz", kept_header(tmp_path / "kept.npz"))[1]
    assert block == 1
    finer = komi.simulate("pig", until_stderr=0.001, keep=tmp_path / "kept.npz")
    assert 0.9 * 0.25 / 0.001**2 < finer.games < 1.1 * 0.25 / 0.001**2
    assert run.results_file.load(tmp_path / "kept.npz", kept_header(tmp_path / "kept.npz"))[1] > 500


def kept_header(path):
    with np.load(path) as kept:
        return json.loads(str(kept["header"]))


def test_coarse_errors_take_few_games_of_a_deal_too():
    simulation = komi.simulate("pig", until_stderr=0.02, per_deal=100)
    assert max(seat.stderr for seat in simulation.wins) <= 0.02
    assert simulation.games <= 128 * 100


@pytest.mark.slow
def test_the_program_of_2015_is_repeated():
    simulation = komi.simulate("red7", 300_000, seed=1, eliminated="compared", idle_discards=False)
    for seat, published in zip(simulation.wins, (0.2720, 0.3242, 0.4037), strict=True):
        assert abs(seat.mean - published) < 4 * np.hypot(seat.stderr, 0.0019)  # its own error: 10,000 deals
    assert simulation.turns.mean == pytest.approx(14.1, abs=0.05)


@pytest.mark.slow
def test_a_discard_not_added_in_vain_is_the_published_variant():
    settings = {"eliminated": "compared", "idle_discards": False}
    simulation = komi.simulate("red7", 100_000, policies="single", **settings)
    assert simulation.turns.mean == pytest.approx(14.6, abs=0.05)
    assert simulation.wins[2].mean == pytest.approx(0.395, abs=0.01)


def test_every_number_is_a_row_of_the_table():
    simulation = komi.simulate("pig", deals=130, per_deal=3)
    table = simulation.records()
    assert sum(row["value"] for row in table if row["quantity"] == "games_of_turns") == 390
    assert len([row for row in table if row["quantity"] == "deal_win_rate"]) == 2 * 130


@pytest.mark.slow
def test_chance_moves_are_not_decisions():
    simulation = komi.simulate("red7", 2000)
    assert simulation.turns.mean - simulation.actions.mean == pytest.approx(2.0)  # two of three players drop out


@pytest.mark.slow
def test_a_cluster_sees_what_threads_see(tmp_path):
    ray = pytest.importorskip("ray")
    (tmp_path / "sure.py").write_text(LAST_LEGAL)
    settings = {"seed": 8, "policies": ["random", f"{tmp_path}/sure.py:last"]}
    try:
        assert seen(komi.simulate("pig", 40_000, cluster="auto", workers=2, **settings)) == seen(
            komi.simulate("pig", 40_000, **settings)
        )
    finally:
        ray.shutdown()
