"""General-sum games: no seat gains by deviating, and values are those of the policy, in exact fractions."""

from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import komi
from komi.rules import catalog
from komi.rules.kind import kind_of
from komi.web.game_catalog import GameCatalog
from komi.web.page_file import export_page

import rulefiles

TREE, CYCLE = (Path(__file__).with_name(name) for name in ("payoff_tree.py", "payoff_cycle.py"))
EXAMPLES = Path(__file__).parents[2] / "examples"
Vector = tuple[Fraction, ...]


def induced(solution: Any, state: Any, seat: int = 0) -> Vector:
    """Return the values of all seats by backward induction; of equally good actions the solution's is taken."""
    game, rules, seats = solution.game, solution.rules, solution.kind.seats
    if game.part("over")(rules, state):
        payoffs = game.payoffs(rules, state)
        return tuple(Fraction(payoffs[(each - seat) % seats]) for each in range(seats))
    results = {}
    for action in game.part("legal")(rules, state):
        total: list[Fraction] = [Fraction(0)] * seats
        for probability, after, passes in game.outcomes(rules, state, action):
            values = induced(solution, after, (seat + passes) % seats)
            total = [sofar + Fraction(probability) * value for sofar, value in zip(total, values, strict=True)]
        results[action] = tuple(total)
    chosen = solution.optimal_action(state)
    assert results[chosen][seat] == max(vector[seat] for vector in results.values())
    return results[chosen]


def check_tree(seed: int, seats: int) -> None:
    solution = komi.solve(TREE, seed=seed, seats=seats)
    assert isinstance(solution, komi.MultiplayerSolution)
    assert solution.is_audited
    assert not solution.kind.is_opposed
    for ours, exactly in zip(solution.seat_values(), induced(solution, solution.read(None)), strict=True):
        assert abs(Fraction(ours) - exactly) <= solution.error_bound <= 1e-9
    assert max(solution.epsilon) <= 1e-9


@pytest.mark.parametrize("seats", [2, 3])
def test_random_trees_agree_with_backward_induction(seats: int) -> None:
    for seed in range(1, 5):
        check_tree(seed, seats)


@pytest.mark.slow
def test_a_thousand_random_trees_agree_with_backward_induction() -> None:
    for seed in range(100, 1_100):
        check_tree(seed, 2)
        check_tree(seed, 3)


def followed(solution: Any, policies: tuple[tuple[Fraction, ...], ...]) -> list[Vector]:
    """Return the values of both seats at each place if the turn is seat 0's there: seat i stops with policies[i]."""
    game, rules = solution.game, solution.rules
    length, state = rules.length, game.module.State

    def end(place: int, ended: int, mover: int) -> Vector:
        payoffs = game.payoffs(rules, state(place, ended))
        return Fraction(payoffs[-mover % 2]), Fraction(payoffs[(1 - mover) % 2])

    def values(mover: int) -> Vector:
        constant, factor = [Fraction(0), Fraction(0)], Fraction(1)
        for step in range(2 * length):  # then the same place has the same mover again
            place, seat = step % length, (mover + step) % 2
            stops = policies[seat][place]
            for each in range(2):
                ended = stops * end(place, 1, seat)[each] + (1 - stops) / 2 * end(place, 2, seat)[each]
                constant[each] += factor * ended
            factor *= (1 - stops) / 2
        return constant[0] / (1 - factor), constant[1] / (1 - factor)

    return [values(0), values(1)]


def check_cycle(seed: int, length: int) -> None:
    solution = komi.solve(CYCLE, seed=seed, length=length)
    shares = tuple(Fraction(solution.mixed((place, 0))["stop"]) for place in range(length))
    [exactly, _] = followed(solution, (shares, shares))
    for ours, value in zip(solution.seat_values(), exactly, strict=True):
        assert abs(Fraction(ours) - value) <= solution.error_bound
    pure = [tuple(map(Fraction, policy)) for policy in product((0, 1), repeat=length)]
    for policy in pure:
        assert followed(solution, (policy, shares))[0][0] - exactly[0] <= solution.epsilon[0] <= 1e-3
        assert followed(solution, (shares, policy))[0][1] - exactly[1] <= solution.epsilon[1]


def test_no_deviation_gains_more_than_epsilon_on_random_cycles() -> None:
    for seed in range(1, 6):
        for length in (1, 2, 3):
            check_cycle(seed, length)


@pytest.mark.slow
def test_no_deviation_gains_more_than_epsilon_on_many_random_cycles() -> None:
    for seed in range(10, 350):
        for length in (2, 3, 5):
            check_cycle(seed, length)


@pytest.mark.parametrize(
    ("name", "rules", "values"),
    [
        ("ultimatum", {}, (9, 1)),
        ("ultimatum", {"coins": 2}, (1, 1)),
        ("centipede", {}, (4, 1)),
        ("centipede", {"passes": 5, "large": 9, "small": 2}, (9, 2)),
        ("coalition", {}, (11, 0, 1)),
        ("coalition", {"rounds": 1, "coins": 5}, (4, 1, 0)),
    ],
)
def test_values_of_the_examples(name: str, rules: dict[str, int], values: tuple[int, ...]) -> None:
    solution = komi.solve(EXAMPLES / f"{name}.py", **rules)
    assert solution.seat_values() == pytest.approx(values, abs=1e-9)
    assert tuple(map(float, induced(solution, solution.read(None)))) == values


def test_backward_induction_stops_the_centipede_wherever_it_is() -> None:
    solution = komi.solve(EXAMPLES / "centipede.py")
    assert {solution.best((passed, 0)) for passed in range(6)} == {"stop"}


def test_a_match_pays_each_seat_what_both_policies_earn() -> None:
    result = komi.match(EXAMPLES / "ultimatum.py", "random", "optimal")
    first = Fraction(sum(10 - offer for offer in range(1, 11)), 11)  # every offer of a coin is taken
    assert result.values == pytest.approx((float(first), 5.0), abs=result.error_bound)


def test_a_simulation_estimates_the_payoff_of_each_seat() -> None:
    played = komi.simulate(EXAMPLES / "ultimatum.py", 20_000, policies=["random", "optimal"], seed=1)
    for estimate, exactly in zip(played.payoffs, (45 / 11, 5.0), strict=True):
        assert abs(estimate.mean - exactly) <= 5 * estimate.stderr


def test_payoffs_far_from_zero_keep_their_bound(tmp_path: Path) -> None:
    text = (EXAMPLES / "ultimatum.py").read_text()
    text = text.replace("return 0, rules.coins", "return 10**12, 10**12 + rules.coins")
    text = text.replace("return 0\n", "return 10**12\n").replace(
        "return rules.coins -", "return 10**12 + rules.coins -"
    )
    text = text.replace("else state.offer", "else 10**12 + state.offer")
    path = tmp_path / "far.py"
    path.write_text(text)
    solution = komi.solve(path, tolerance=1.0)
    for ours, value in zip(solution.seat_values(), (9, 1), strict=True):
        assert abs(Fraction(ours) - value - 10**12) <= solution.error_bound


@pytest.mark.parametrize(
    ("stated", "is_opposed"), [("", True), ("payoff_range = (-44, 44)", True), ("payoff_range = (0, 44)", False)]
)
def test_a_range_that_is_not_symmetric_makes_a_game_general_sum(stated: str, is_opposed: bool, tmp_path: Path) -> None:
    path = rulefiles.write(
        tmp_path,
        ("def payoff(rules, state):\n    return 0.0", f"{stated}\n\n\ndef payoff(rules, state, seat):\n    return 0.5"),
    )
    game = catalog.find(path)
    if is_opposed and stated:
        with pytest.raises(komi.GameError, match=r"do not sum to 0 \(a 'payoff_range' other than"):
            komi.solve(path)
    else:
        assert kind_of(game, game.default_rules).is_opposed == is_opposed


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda game: komi.prove(game, "never.cert"), "certificates are for games"),
        (lambda game: komi.measure(game), "has a 'payoff_range'"),
        (lambda game: komi.sweep(game, {"coins": [4, 6]}), "each seat has a value of its own"),
        (lambda game: komi.learn(game, "value-iteration"), "is neither"),
        (lambda game: komi.teach(game, "never.py"), "interests of the players are opposed"),
        (lambda game: komi.compare(game, "random"), "need not be opposed"),
        (lambda game: GameCatalog([str(game)]), "nobody wins"),
        (lambda game: export_page(game, "never.html"), "nobody wins"),
    ],
)
def test_what_needs_opposed_interests_is_refused(call: Any, sentence: str) -> None:
    with pytest.raises(komi.KomiError, match=sentence):
        call(EXAMPLES / "ultimatum.py")


def test_both_may_hunt_the_stag_or_hares() -> None:
    hares, stag = komi.solve(EXAMPLES / "stag_hunt.py"), komi.solve(EXAMPLES / "stag_hunt.py", hare=2.0)
    assert (hares.seat_values(), hares.best()) == ((3.0, 3.0), "hare")
    assert (stag.seat_values(), stag.best()) == ((5.0, 5.0), "stag")
    assert max(*hares.epsilon, *stag.epsilon) < 1e-9
    assert komi.match(EXAMPLES / "stag_hunt.py", "optimal", "random").values == pytest.approx((3.0, 1.5))
    assert komi.best_response(EXAMPLES / "stag_hunt.py", "random").wins == pytest.approx((3.0, 3.0))


BIMATRIX = """
from typing import NamedTuple
players = 2
actions = ("a", "b", "c")
FIRST = {first}
SECOND = {second}
class Rules(NamedTuple):
    unused: int = 0
class State(NamedTuple):
    first: int = 0
    second: int = 0
def payoff_range(rules):
    return -2, 7
def start(rules):
    return State()
def view(rules, state):
    return state._replace(first=min(state.first, 1))
def legal(rules, state):
    yield from range(3)
def outcomes(rules, state, action):
    yield 1.0, State(action + 1) if state.first == 0 else State(state.first, action + 1), 1
def over(rules, state):
    return state.second > 0
def payoff(rules, state, seat):
    place = 3 * state.first + state.second - 4
    return FIRST[place] if seat == 0 else SECOND[place]
"""


def check_gains(seed: int, folder: Path) -> None:
    """Check the values and the gains of a random game of one choice each, computed from the policies."""
    chance = np.random.default_rng(seed)
    payoffs = chance.integers(-2, 8, (2, 3, 3))
    path = folder / f"bimatrix{seed}.py"
    path.write_text(BIMATRIX.format(first=payoffs[0].ravel().tolist(), second=payoffs[1].ravel().tolist()))
    solution = komi.solve(path, tolerance=1.0)
    rows, columns = (np.array([*solution.mixed(state).values()]) for state in ("first=0", "first=1"))
    values = rows @ payoffs @ columns
    assert solution.seat_values() == pytest.approx(values, abs=1e-9)
    best = (payoffs[0] @ columns).max(), (rows @ payoffs[1]).max()
    gains = np.array(best) - values
    assert (gains <= np.array(solution.epsilon)).all()
    assert gains == pytest.approx(solution.epsilon, abs=1e-9)


def test_gains_in_games_of_one_choice_each_are_those_of_the_matrices(tmp_path: Path) -> None:
    for seed in range(3):
        check_gains(seed, tmp_path)


@pytest.mark.slow
def test_gains_in_a_thousand_games_of_one_choice_each_are_those_of_the_matrices(tmp_path: Path) -> None:
    for seed in range(3, 1_003):
        check_gains(seed, tmp_path)


def test_the_report_names_payoffs_in_place_of_wins(tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    komi.report(EXAMPLES / "ultimatum.py", page)
    assert "expected coins, exactly" in page.read_text()
    assert "win, exactly" not in page.read_text()
