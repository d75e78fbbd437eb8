"""Payoffs in points: the same game on another scale has the same play, and the errors say what to state."""

from pathlib import Path

import pytest

import komi
from komi.play.review import review
from komi.play.table import Table
from komi.rules.interpreter import Interpreter

import rulefiles

DUEL = '''"""Duel: the higher sum of two dice with three faces each wins; a throw of 1 can be repeated once."""

from typing import NamedTuple

players = 2
actions = ("stay", "again")
STAY, AGAIN = range(2)


class Rules(NamedTuple):
    komi: int = 0


class State(NamedTuple):
    own: int
    rival: int
    thrown: int  # 0 before the throw
    turns: int


def start(rules):
    return State(0, rules.komi, 0, 4)


def legal(rules, state):
    yield STAY
    if state.thrown != 0:
        yield AGAIN


def outcomes(rules, state, action):
    own, rival, thrown, turns = state
    if thrown == 0:
        for face in (1, 2, 3):
            yield 1 / 3, State(own, rival, face, turns), 0
    elif action == STAY:
        yield 1.0, State(rival, own + thrown, 0, turns - 1), 1
    else:
        for face in (1, 2, 3):
            yield 1 / 3, State(rival, own + face, 0, turns - 1), 1


def over(rules, state):
    return state.turns == 0


def payoff(rules, state):
    return SHARE
'''
STAKED = DUEL.replace(
    "    komi: int = 0\n",
    "    komi: int = 0\n"
    "    stake: float = 0.0  # what the winner gets; without one, the game is won or lost\n"
    "    excess: float = 0.0  # what the winner gets beyond the stated range\n",
).replace(
    "return SHARE",
    "result = (state.own > state.rival) - (state.own < state.rival)\n"
    "    return (rules.stake + rules.excess) * result if rules.stake > 0.0 else 0.5 + 0.5 * result\n\n\n"
    "def payoff_range(rules):\n"
    "    return (-rules.stake, rules.stake) if rules.stake > 0.0 else (0.0, 1.0)",
)
STAKES = (1.0, 3.0)


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> komi.Game:
    """Write the game, won or lost or played for a stake: one file, compiled once."""
    path = tmp_path_factory.mktemp("duel") / "duel.py"
    path.write_text(STAKED)
    return komi.find(str(path))


@pytest.mark.parametrize("stake", STAKES)
def test_values_and_choices_are_those_of_the_game_that_is_won_or_lost(game: komi.Game, stake: float) -> None:
    won, paid = komi.solve(game), komi.solve(game, stake=stake)
    assert paid.objective == "expected payoff"
    shares, payoffs = won.arrays()["value"], paid.arrays()["value"]
    assert payoffs == pytest.approx(stake * (2 * shares - 1), abs=1e-12)
    assert paid.values_of(paid.arrays()) == pytest.approx(payoffs, abs=1e-12)
    for index in range(won.all_states.size):
        state = tuple(won.all_states.fields(index))
        bound = paid.error_bound + 2 * stake * won.error_bound + 1e-15
        assert abs(paid.value(state) - stake * (2 * won.value(state) - 1)) <= bound
        assert paid.best(state) == won.best(state)
        assert paid.actions(state).keys() == won.actions(state).keys()


@pytest.mark.parametrize("stake", STAKES)
@pytest.mark.slow
def test_matches_and_losses_scale_with_the_stake(game: komi.Game, stake: float) -> None:
    won, paid = (komi.match(game, "random", "optimal", stake=each) for each in (0.0, stake))
    assert paid.average == pytest.approx(stake * (2 * won.average - 1), abs=1e-12)
    assert paid.first.actions == won.first.actions
    for seat, seat_won in ((paid.first, won.first), (paid.second, won.second)):
        assert seat.rates.wins + seat.rates.draws / 2 == pytest.approx(seat_won.wins, abs=1e-12)
        assert seat.rates.wins + seat.rates.draws + seat.rates.losses == pytest.approx(1.0, abs=1e-12)
    assert won.first.rates is None
    lost, lost_points = (komi.compare(game, "random", stake=each).loss for each in (0.0, stake))
    assert lost_points == pytest.approx(2 * stake * lost)
    regrets, regrets_points = (komi.regret(game, "random", stake=each).losses for each in (0.0, stake))
    assert regrets_points == pytest.approx([2 * stake * each for each in regrets])
    best, best_points = (komi.best_response(game, "random", stake=each) for each in (0.0, stake))
    assert best_points.exploitability == pytest.approx(2 * stake * best.exploitability)


@pytest.mark.slow
def test_strategies_and_networks_lose_in_points(game: komi.Game, tmp_path: Path) -> None:
    card, network = tmp_path / "card.py", tmp_path / "network.py"
    taught = komi.teach(game, card, numbers=1, seconds=0.2, stake=3.0)
    trained = komi.approximate(game, network, weights=20, seconds=0.5, stake=3.0)
    assert taught.front[-1].loss == pytest.approx(taught.loss, abs=1e-6)
    for result, policy in ((taught, f"{card}:cheat_sheet"), (trained, f"{network}:network")):
        won = komi.match(game, policy, "optimal")
        assert result.strength.objective == "expected payoff"
        assert result.loss == pytest.approx(6.0 * (0.5 - won.average), abs=1e-9)
        best = komi.best_response(game, policy, stake=3.0)
        assert result.worst_case == pytest.approx(-best.average, abs=1e-9)


@pytest.mark.slow
def test_the_fairest_komi_is_the_same(game: komi.Game) -> None:
    stake = 3.0
    won, paid = komi.fair(game, 3), komi.fair(game, 3, stake=stake)
    assert paid.best == won.best
    assert [each.unfairness for each in paid.table] == pytest.approx(
        [2 * stake * each.unfairness for each in won.table]
    )
    swept = komi.sweep(game, {"komi": range(3)}, stake=stake)
    again = komi.sweep(game, {"komi": range(3)}, stake=stake)  # from the store
    assert [row.rules.komi for row in swept.rows] == [row.rules.komi for row in again.rows]
    assert again.rows[0].opening.unfairness == swept.rows[0].opening.unfairness


@pytest.mark.slow
def test_simulations_play_the_same_games(game: komi.Game) -> None:
    stake = 3.0
    won, paid = (komi.simulate(game, 2_000, seed=1, stake=each) for each in (0.0, stake))
    draws = 1.0 - sum(each.mean for each in paid.wins)
    assert paid.payoffs[0].mean == pytest.approx(stake * (2 * won.wins[0].mean - 1))
    assert paid.payoffs[0].stderr == pytest.approx(2 * stake * won.wins[0].stderr)
    assert paid.wins[0].mean + draws / 2 == pytest.approx(won.wins[0].mean)


def test_a_review_counts_points(game: komi.Game) -> None:
    stake = 3.0
    solution = komi.solve(game, stake=stake)
    table = Table(game, solution.rules, ["stay", "thrown 1", "stay", "stay", "thrown 1", "stay"])
    table.resign(0)
    assert table.payoffs == (-stake, stake)
    assert table.results == (0.0, 1.0)
    found = review(solution, table, 0)
    assert found.start == solution.value()
    assert found.luck + found.skill == pytest.approx(-stake - found.start)


@pytest.mark.slow
def test_deterministic_games_are_won_or_lost_or_have_values(tmp_path: Path) -> None:
    chase = DUEL.replace("if state.thrown != 0:\n        yield AGAIN", "yield AGAIN").replace(
        """    if thrown == 0:
        for face in (1, 2, 3):
            yield 1 / 3, State(own, rival, face, turns), 0
    elif action == STAY:
        yield 1.0, State(rival, own + thrown, 0, turns - 1), 1
    else:
        for face in (1, 2, 3):
            yield 1 / 3, State(rival, own + face, 0, turns - 1), 1
""",
        "    yield 1.0, State(rival, own + 1 + action * turns, 0, turns - 1), 1\n",
    )
    margin = "state.own - state.rival\n\n\npayoff_range = (-9, 9)"
    path = rulefiles_text(tmp_path, chase.replace("SHARE", margin))
    solution = komi.solve(path)
    assert isinstance(solution, komi.StochasticSolution)
    assert solution.value() == pytest.approx(2.0, abs=solution.error_bound)  # 5 and 3 against 4 and 2
    sign = "5 * ((state.own > state.rival) - (state.own < state.rival))\n\n\npayoff_range = (-5, 5)"
    table = komi.solve(rulefiles_text(tmp_path, chase.replace("SHARE", sign), "sign.py"))
    assert isinstance(table, komi.Tablebase)
    assert (table.value(), table.expected_value()) == ("win", 5.0)


def rulefiles_text(folder: Path, text: str, name: str = "chase.py") -> str:
    path = folder / name
    path.write_text(text)
    return str(path)


PENNIES = '''"""Pennies: both show a side at the same time; two heads pay 3, two tails 1, else the first pays 2."""

from typing import NamedTuple

players = 2
actions = ("heads", "tails")
payoff_range = (-3, 3)


class Rules(NamedTuple):
    pass


class State(NamedTuple):
    first: int = 0  # 1 or 2 when it has been chosen
    second: int = 0


def start(rules):
    return State()


def legal(rules, state):
    yield 0
    yield 1


def outcomes(rules, state, action):
    if state.first == 0:
        yield 1.0, State(1 + action, 0), 1
    else:
        yield 1.0, State(state.first, 1 + action), 1


def over(rules, state):
    return state.second != 0


def payoff(rules, state):
    if state.first != state.second:
        return -2.0
    return 3.0 if state.first == 1 else 1.0


def view(rules, state):
    return state if state.second else State(min(state.first, 1), 0)


def turned(rules, state):
    return state
'''


@pytest.mark.slow
def test_simultaneous_choices_have_stakes(tmp_path: Path) -> None:
    solution = komi.solve(rulefiles_text(tmp_path, PENNIES, "pennies.py"))
    assert isinstance(solution, komi.SimultaneousSolution)
    assert solution.value() == pytest.approx(-1 / 8, abs=solution.error_bound)
    assert solution.mixed()["heads"] == pytest.approx(3 / 8, abs=1e-6)
    assert komi.match(solution.game, "optimal", "optimal").first.wins == pytest.approx(-1 / 8, abs=1e-6)


@pytest.mark.parametrize(
    ("stated", "sentence"),
    [
        ("payoff_range = (-3, 0)", r"'payoff_range' is \(-3, 0\), so the payoff of one player does not tell"),
        ("payoff_range = 3", "'payoff_range' is 3, not"),
        ("payoff_range = (0, 0)", r"'payoff_range' is \(0, 0\), not \(lowest, highest\)"),
        ("payoff_range = (-1, 1)\nplayers = 1", "is for two and more players: points of one player come from 'reward'"),
        ("payoff_range = (-1, 1)\n\n\ndef objective(rules):\n    return 'chance'", "name what is won"),
        ("def payoff_range(rules, state):\n    return -1, 1", "a value, or a function `payoff_range"),
    ],
)
def test_a_wrong_range_is_refused_in_one_sentence(stated: str, sentence: str, tmp_path: Path) -> None:
    path = rulefiles.write(tmp_path, ("return 0.0", f"return 0.0\n\n\n{stated}"))
    with pytest.raises(komi.GameError, match=sentence):
        komi.solve(str(path))


@pytest.mark.parametrize(
    ("stated", "sentence"),
    [
        ("", "the payoff is 43.0, not from 0 to 1 ('payoff_range' allows points or money) in score=3,rival=5,turn=0."),
        (
            "payoff_range = (-2, 2)",
            "the payoff is 43.0, not from -2 to 2, the 'payoff_range' in score=3,rival=5,turn=0.",
        ),
    ],
)
def test_a_payoff_outside_of_the_range_is_an_error_with_the_state(stated: str, sentence: str, tmp_path: Path) -> None:
    game = komi.find(str(rulefiles.write(tmp_path, ("return 0.0", f"return 43.0\n\n\n{stated}"))))
    interpreter = Interpreter(game, game.default_rules)
    interpreter.check_payoffs(game.module.State(3, 5, 0))
    assert [str(problem) for problem in interpreter.problems.values()] == [f"sprint.py: {sentence}"]


def test_a_payoff_outside_of_the_range_is_found_far_from_the_start(game: komi.Game) -> None:
    with pytest.raises(komi.GameError, match=r"the payoff is not from -3 to 3, the 'payoff_range' in own=\d,rival=\d"):
        komi.solve(game, stake=3.0, excess=0.5)


TINY = '''"""Tiny points: a certain win of few points where a billion could be won."""

from typing import NamedTuple

players = 2
actions = ("a", "b")
payoff_range = (-1e9, 1e9)


class Rules(NamedTuple):
    paid: float = 1e-8


class State(NamedTuple):
    step: int


def objective(rules):
    return "expected points"


def start(rules):
    return State(0)


def legal(rules, state):
    yield 0
    yield 1


def outcomes(rules, state, action):
    yield 0.5, State(1), action
    yield 0.5, State(2), action


def over(rules, state):
    return state.step > 0


def payoff(rules, state):
    return rules.paid
'''


@pytest.mark.parametrize("paid", [1e-8, 5e-324, 0.0, -1e-8])
def test_the_smallest_payoff_is_a_win_or_a_loss(tmp_path: Path, paid: float) -> None:
    path = tmp_path / "tiny.py"
    path.write_text(TINY)
    keeps = komi.match(str(path), lambda observation, mask: 0, paid=paid)
    rates = keeps.first.rates
    wins, draws, losses = (float(paid > 0.0), float(paid == 0.0), float(paid < 0.0))
    assert (rates.wins, rates.draws, rates.losses) == (wins, draws, losses)
    rates = komi.match(str(path), lambda observation, mask: 1, paid=paid).first.rates
    assert (rates.wins, rates.draws, rates.losses) == (losses, draws, wins)
    seen = komi.simulate(str(path), 10, paid=paid)
    assert sum(seat.mean for seat in seen.wins) == 1.0 - draws
