"""Values that no strategy attains are proved, and said to be such."""

import re
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, product
from pathlib import Path
from typing import Any

import pytest

import komi
from komi.compiling.compiled import CompiledGame
from komi.errors import SolveError
from komi.rules import catalog
from komi.solvers.solve import solve_without_storing

from exact import eliminated

GAMES = Path(__file__).parents[1] / "games"
REACH, WAYS = (catalog.find(str(GAMES / name)) for name in ("random_reach.py", "random_ways.py"))
Mixes = tuple[tuple[Fraction, ...], ...]
"""The probabilities of a player's actions in each place."""
HIDE_OR_RUN, LONG_WAY, PURGATORY = (str(GAMES / f"{name}.py") for name in ("hide_or_run", "long_way", "purgatory"))


def climbs(heads: list[Fraction], devil: tuple[int, ...]) -> Fraction:
    """Compute the climber's chance of heaven against a devil who shows these coins, the last terrace last.

    With x the chance from the first terrace, the chance from each terrace is a + b x for known a and b.
    """
    constant, factor = Fraction(1), Fraction(0)  # in heaven
    for chance, coin in reversed(list(zip(heads, devil, strict=True))):
        climb = chance if coin else 1 - chance
        constant, factor = climb * constant, climb * factor + (1 - chance if coin else 0)
    return constant / (1 - factor) if factor < 1 else Fraction(0)


@pytest.mark.parametrize("terraces", [1, 2, 3, pytest.param(6, marks=pytest.mark.slow)])
def test_the_climber_wins_within_the_bound_against_every_devil(terraces: int) -> None:
    solution = komi.solve(PURGATORY, terraces=terraces)
    heads = []
    for terrace in range(terraces):
        tails_share, heads_share = map(Fraction, solution.mixed({"terrace": terrace}).values())
        heads.append(heads_share / (tails_share + heads_share))
    worst = min(climbs(heads, devil) for devil in product((0, 1), repeat=terraces))
    assert solution.value() == 1.0
    assert 1 - worst <= solution.error_bound <= 1e-6
    assert 1 - worst >= solution.error_bound / 1.001 - 1e-12


def test_near_optimal_play_is_said_to_be_near_optimal(run: Any) -> None:
    shown = run("solve", HIDE_OR_RUN).out
    assert "wins 100.0000 % of the games" in shown
    assert "A player has only near-optimal strategies" in shown
    assert run("value", HIDE_OR_RUN, "--state", "thrower=0", "--json").solution["supremum"]


def test_a_value_that_a_strategy_attains_is_no_supremum() -> None:
    assert not komi.solve("skunk", goal=5).is_supremum()


class Ways:
    """The values of the places of random ways for the first player, and whether each player can attain them."""

    def __init__(self, rules: Any) -> None:
        self._rules, end = rules, rules.places
        self.values = {end: Fraction(1), end + 1: Fraction(0), end + 2: Fraction(1), end + 3: Fraction(0)}
        self.attained = {end: (False, True), end + 1: (True, False), end + 2: (True, True), end + 3: (True, True)}
        for place in reversed(range(end)):
            self._add(place)

    def _add(self, place: int) -> None:
        """Add a place: an optimal action of a player must be such that the player can attain what follows.

        Where the other player chooses, that holds for all optimal actions, and after chance for both events.
        """
        chooser, after = (getattr(WAYS.module, name) for name in ("chooser", "after"))
        mover, ways = chooser(self._rules, place), [after(self._rules, place, action) for action in range(2)]
        values = [self.values[way] for way in ways]
        self.values[place] = (max, min, lambda each: sum(each) / 2)[mover](values)
        best = [way for way in ways if mover == 2 or self.values[way] == self.values[place]]
        self.attained[place] = tuple(
            (any if mover == seat else all)(self.attained[way][seat] for way in best) for seat in (0, 1)
        )


def test_values_that_rest_on_unattained_ones_are_marked_where_a_player_cannot_attain_them() -> None:
    compiled, met = CompiledGame(WAYS), Counter[tuple[bool, bool]]()
    for plan in range(150):
        rules = WAYS.rules({"plan": plan})
        solution: Any = solve_without_storing(compiled, rules)
        if not isinstance(solution, komi.SimultaneousSolution):  # play comes to no hide-or-run
            continue
        ways = Ways(rules)
        for place in range(rules.places):
            state = WAYS.module.at(rules, place)
            if solution.data.states.index_of(state) < 0:
                continue
            value = ways.values[place] if state.mover == 0 else 1 - ways.values[place]
            assert abs(Fraction(solution.value(state)) - value) <= Fraction(solution.error_bound), rules
            is_attained = all(ways.attained[place])
            assert not (solution.is_supremum(state) and is_attained), (rules, place)
            met[solution.is_supremum(state), is_attained] += 1
    assert met[True, False] >= 100
    assert met[False, False] <= met[True, False] / 4, met  # of several optimal actions some lead elsewhere


THROWER_FIRST = """
from typing import NamedTuple
players, actions = 2, ("hide or wait", "run or throw")
class Rules(NamedTuple):
    unused: int = 0
class State(NamedTuple):
    runner: int = 0
    thrown: int = 0
    end: int = 0
def start(rules):
    return State()
def view(rules, state):
    return state._replace(thrown=min(state.thrown, 1))
def legal(rules, state):
    yield 0
    yield 1
def outcomes(rules, state, action):
    if state.runner == 0:
        yield 1.0, State(1, action + 1, 0), 1
    elif action == 0 and state.thrown == 1:
        yield 1.0, State(), 1
    else:
        yield 1.0, State(0, 0, 2 if action == 1 and state.thrown == 2 else 1), 1
def over(rules, state):
    return state.end > 0
def payoff(rules, state):
    return 1.0 if state.end == 2 else 0.0
"""


def test_the_seat_that_chooses_second_can_be_the_one_that_wins(tmp_path: Path) -> None:
    file = tmp_path / "thrower_first.py"
    file.write_text(THROWER_FIRST)
    solution = komi.solve(str(file))
    assert solution.value() == 0.0
    assert solution.error_bound <= 1e-6
    assert solution.is_supremum()
    hide, run = solution.mixed({"runner": 1, "thrown": 1}).values()
    assert 0 < run < 1e-6 < hide


@pytest.mark.parametrize(("terraces", "says"), [(8, "a tolerance of .* accepts them"), (12, "smaller than a float")])
def test_what_floats_cannot_hold_is_refused_in_a_sentence(terraces: int, says: str) -> None:
    with pytest.raises(SolveError, match=says):
        komi.solve(PURGATORY, terraces=terraces)


def test_a_way_that_wins_for_sure_is_found_however_long_it_is() -> None:
    solution = komi.solve(LONG_WAY)
    assert (solution.value(), solution.is_supremum()) == (1.0, False)
    assert solution.error_bound < 1e-9
    with pytest.raises(SolveError, match="smaller than a float"):
        komi.solve(LONG_WAY, hall=0)


class Places:
    """A random game as the matrices of its places, and what strategies get in it, in exact fractions."""

    def __init__(self, rules: Any) -> None:
        choices, after = REACH.module.choices, REACH.module.after
        self.sizes = [[choices(rules, place, second) for place in range(rules.places)] for second in (0, 1)]
        has_coin = [REACH.module.drawn(rules, place, 50) < 16 for place in range(rules.places)]
        self.targets = [
            {
                (one, other): [after(rules, place, one, other, coin * has_coin[place]) for coin in (0, 1)]
                for one, other in product(*(map(range, (self.sizes[0][place], self.sizes[1][place]))))
            }
            for place in range(rules.places)
        ]

    def step(self, place: int, pair: tuple[Mixes, Mixes]) -> dict[int, Fraction]:
        """Return the probabilities of what follows a place; negative numbers are ends."""
        found: dict[int, Fraction] = Counter()
        for (one, other), targets in self.targets[place].items():
            for target in targets:
                found[target] += pair[0][place][one] * pair[1][place][other] / 2
        return {target: chance for target, chance in found.items() if chance}

    def wins(self, pair: tuple[Mixes, Mixes], end: int) -> list[Fraction]:
        """Compute the chance that play comes to this end, from each place."""
        steps = [self.step(place, pair) for place in range(len(self.targets))]
        near = {end}
        for _ in steps:
            near |= {place for place, after in enumerate(steps) if near & after.keys()}
        inside = sorted(near - {end})
        rows = [
            [
                *(Fraction(place == other) - steps[place].get(other, 0) for other in inside),
                Fraction(steps[place].get(end, 0)),
            ]
            for place in inside
        ]
        found = dict(zip(inside, eliminated(rows), strict=True))
        return [found.get(place, Fraction(0)) for place in range(len(steps))]

    def pure(self, seat: int) -> Iterator[Mixes]:
        """Yield the strategies of one action in each place."""
        for chosen in product(*map(range, self.sizes[seat])):
            yield tuple(
                tuple(Fraction(action == each) for each in range(size))
                for action, size in zip(chosen, self.sizes[seat], strict=True)
            )

    def guaranteed(self, seat: int, mixes: Mixes) -> list[Fraction]:
        """Compute the chance of winning of a strategy against the best reply, play without an end counting as lost."""
        replies = (self.wins((mixes, other)[:: 1 - 2 * seat], -1 - seat) for other in self.pure(1 - seat))
        return [min(chances) for chances in zip(*replies, strict=True)]

    def is_won_surely(self, seat: int, place: int) -> bool:
        """Return whether a strategy wins with probability 1; only the actions that it takes matter for that."""
        parts = [
            [part for number in range(1, size + 1) for part in combinations(range(size), number)]
            for size in self.sizes[seat]
        ]
        return any(
            self.guaranteed(
                seat,
                tuple(
                    tuple(Fraction(action in part, len(part)) for action in range(size))
                    for part, size in zip(taken, self.sizes[seat], strict=True)
                ),
            )[place]
            == 1
            for taken in product(*parts)
        )


def mixes_of(solution: Any, seat: int) -> Mixes:
    """Return the strategy of a player; an equal mix where play does not come to a place."""
    found = []
    for place in range(solution.rules.places):
        state = solution.game.module.State(place, seat)
        is_met = solution.data.states.index_of(state) >= 0
        shares = solution.mixed(state).values() if is_met else [1.0] * REACH.module.choices(solution.rules, place, seat)
        fractions = list(map(Fraction, shares))
        found.append(tuple(share / sum(fractions) for share in fractions))
    return tuple(found)


def check_reach(solution: Any, met: Counter[str]) -> None:
    """Check the value of the start, that strategies attain it, and that none does where this is denied."""
    game, bound, rules = Places(solution.rules), Fraction(solution.error_bound), solution.rules
    value, slack = Fraction(solution.value()), Fraction(1, 10**12)
    low, high = game.guaranteed(0, mixes_of(solution, 0))[0], 1 - game.guaranteed(1, mixes_of(solution, 1))[0]
    met["solved"] += 1
    if solution.is_supremum():
        met["suprema"] += 1
        assert value in (0, 1), rules
        assert (low if value else 1 - high) >= 1 - bound, rules
        assert not game.is_won_surely(1 - int(value), 0), rules
    assert low <= value + bound + slack, rules
    assert high >= value - bound - slack, rules
    if not solution.data.is_supremum.any():
        assert value - bound - slack <= low <= high <= value + bound + slack, rules
        for seat in (0, 1):
            if abs(value - (1 - seat)) <= bound <= 1e-9:  # a looser bound hides whether the value is attained
                met["won for sure"] += 1
                assert game.is_won_surely(seat, 0), rules


def reach(plans: range) -> Counter[str]:
    compiled, met = CompiledGame(REACH), Counter[str]()
    for plan in plans:
        try:
            solution = solve_without_storing(compiled, REACH.rules({"plan": plan, "places": 1 + plan % 3}))
        except SolveError:
            met["refused"] += 1
            continue
        check_reach(solution, met)
    return met


def test_values_of_random_games_are_those_that_strategies_guarantee() -> None:
    met = reach(range(60))
    assert met["suprema"] >= 3
    assert met["won for sure"] >= 3


@pytest.mark.slow
def test_a_thousand_values_that_no_strategy_attains_are_such() -> None:
    met = reach(range(1_000, 16_000))
    assert met["suprema"] >= 1_000, met


TOSSED_HOME = """
from typing import NamedTuple
players = 2
actions = ("hide or wait", "run or throw")
class Rules(NamedTuple):
    unused: int = 0
class State(NamedTuple):
    thrower: int = 0
    ran: int = 0
    end: int = 0  # 1 home, 2 hit, 3, 4, 5 tossing, 6 won
def start(rules):
    return State()
def view(rules, state):
    return state._replace(ran=min(state.ran, 1))
def legal(rules, state):
    if state.end >= 3:
        yield -1
        return
    yield 0
    yield 1
def outcomes(rules, state, action):
    if state.end >= 3:
        yield 0.3, State(0, 0, 6), 0
        yield 0.7, State(0, 0, 3 + (state.end - 2) % 3), 0
    elif state.thrower == 0:
        yield 1.0, State(1, action + 1, 0), 1
    elif state.ran == 1 and action == 0:
        yield 1.0, State(0, 0, 0), 1
    elif state.ran == 2 and action == 1:
        yield 1.0, State(0, 0, 2), 1
    else:
        yield 1.0, State(0, 0, 3), 1
def over(rules, state):
    return state.end in (2, 6)
def payoff(rules, state):
    return 1.0 if state.end == 6 else 0.0
"""
"""Hide or run, in which the runner who is home tosses coins until it wins: a value 1 with a bound above 0."""


def test_a_value_that_is_proved_only_loosely_names_a_tolerance_that_accepts_it(tmp_path: Path) -> None:
    path = tmp_path / "tossed_home.py"
    path.write_text(TOSSED_HOME)
    with pytest.raises(komi.SolveError, match="a tolerance of") as refused:
        komi.solve(path)
    found = re.search(r"a tolerance of (\S+) accepts", str(refused.value))
    assert found
    assert komi.solve(path, tolerance=float(found[1])).value() == pytest.approx(1.0)
