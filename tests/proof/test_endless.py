"""Certificates of games whose value depends on what an endless game counts: both values are proved."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import chains
import pytest

import komi
from komi.errors import EndlessPlayError, SolveError
from komi.proof.endless import has_both_values
from komi.rounding import proved_only
from komi.rules import catalog

import certificates

GAMES = Path(__file__).parents[1] / "games"
STAND_OFF = GAMES / "stand_off.py"
EXTREMES = catalog.find(str(GAMES / "extremes.py"))

STAY = """
from typing import NamedTuple
players = 1
class Rules(NamedTuple):
    end: int = 2
class State(NamedTuple):
    place: int
def start(rules):
    return State(1)
def legal(rules, state):
    yield 0
    yield 1
def outcomes(rules, state, action):
    yield 1, State(state.place + action), 0
def over(rules, state):
    return state.place == rules.end
def payoff(rules, state):
    return 1 / 2
"""
ONLY_STAY = STAY.replace("    yield 1\n\ndef", "\ndef").replace("    yield 0\n    yield 1\n", "    yield 0\n")
VISITOR = """
from typing import NamedTuple
players = 2
class Rules(NamedTuple):
    end: int = 9
class State(NamedTuple):
    place: int
def start(rules):
    return State(1)
def legal(rules, state):
    yield 0
def outcomes(rules, state, action):
    yield 1, State(2), 2 - state.place
def over(rules, state):
    return state.place == rules.end
def payoff(rules, state):
    return 0
"""


def check(file: Path, source: str, endless: int | None, low: int, high: int, **fields: Any) -> int:
    """Return the exit status of a certificate with one stored state, in units of 1 / 1024."""
    claim: dict[str, Any] = {"states": [[1]], "lower": [low], "gap": [high - low], "interval": [low, high]}
    return certificates.check(certificates.with_rules(file, source, endless=endless, **{**claim, **fields}))[1]


def test_both_values_are_proved(tmp_path: Path) -> None:
    file = tmp_path / "game.cert"
    assert check(file, STAY, 0, 511, 512) == 0
    assert check(file, STAY, 1, 1024, 1024) == 0


def test_the_values_are_distinguished(tmp_path: Path) -> None:
    file = tmp_path / "game.cert"
    for endless, low, high in (
        (None, 511, 512),
        (1, 511, 512),
        (0, 511, 511),
        (0, 600, 700),
        (0, 1024, 1024),
        (2, 511, 512),
    ):
        assert check(file, STAY, endless, low, high) != 0, (endless, low, high)


WRONG: dict[str, tuple[str, str, str, int, dict[str, Any]]] = {
    "a value may be less than the least payoff": (
        "max(high, self.least)",
        "high",
        ONLY_STAY,
        0,
        {"lower": [-6], "gap": [1], "interval": [-6, -5]},
    ),
    "a value may be more than the greatest payoff": (
        "min(low, self.greatest)",
        "low",
        ONLY_STAY,
        1,
        {"lower": [2000], "gap": [1], "interval": [2000, 2001]},
    ),
    "a value may be held for ever": (
        "lower + (self.endless[seat] != self.greatest)",
        "lower",
        STAY,
        0,
        {"lower": [600], "gap": [100], "interval": [600, 700]},
    ),
    "players are alike, though an endless game counts for one": (
        'claim["play"][1] and endless is None',
        'claim["play"][1]',
        VISITOR,
        0,
        {"states": [[2]], "seats": [0], "lower": [0], "gap": [100], "interval": [924, 1024]},
    ),
    "an endless game counts the same for both players": (
        "abs(endless - (each != self.seat))",
        "endless",
        VISITOR,
        0,
        {"states": [[2]], "seats": [1], "lower": [0], "gap": [100], "interval": [924, 1024]},
    ),
}


@pytest.mark.parametrize(("old", "new", "source", "endless", "fields"), WRONG.values(), ids=WRONG)
def test_each_condition_about_endless_games_is_needed(
    old: str, new: str, source: str, endless: int, fields: dict[str, Any], tmp_path: Path
) -> None:
    file = certificates.with_rules(tmp_path / "game.cert", source, endless=endless, **{"states": [[1]], **fields})
    assert certificates.check(file)[1] == 1
    result, status = certificates.check(file, certificates.mutated(old, new))
    assert status == 0, result


def test_solve_reports_both_values_and_who_can_go_on_for_ever(run: Any) -> None:
    result = run("solve", STAND_OFF, "--json")
    assert result.code == 0
    assert (result.solution["value"], result.solution["states"]) == (None, 1)
    assert "the two players together can go on for ever from shot=" in result.solution["reason"]
    lost, won = result.solution["endless"]
    assert (lost["counts"], won["counts"]) == (0, 1)
    for each, value in ((lost, 0.4), (won, 0.6)):
        assert abs(each["value"] - value) <= each["error_bound"] <= result.solution["error_bound"] <= 1e-9
    text = run("solve", STAND_OFF).out
    assert "Proved: no probability is off by more than" in text
    assert [line.split() for line in text.splitlines() if "0000 %" in line] == [
        ["0", "40.0000", "%"],
        ["1", "60.0000", "%"],
    ]


def test_value_reports_both_values_of_each_action(run: Any) -> None:
    result = run("value", STAND_OFF, "--state", "shot=0", "--json").solution
    lost, won = result["endless"]
    assert (result["best"], result["value"]) == (None, None)
    assert {label: round(value, 6) for label, value in lost["actions"].items()} == {"shoot": 0.4, "wait": 0.4}
    assert {label: round(value, 6) for label, value in won["actions"].items()} == {"shoot": 0.4, "wait": 0.6}
    assert "wait" in run("value", STAND_OFF).out
    refused = run("value", STAND_OFF, "--state", "shot=1")
    assert (refused.code, refused.err) == (2, "komi: shot=1 is over: the player to move gets 0.\n")


def test_tolerance_of_both_values_is_kept(run: Any) -> None:
    refused = run("solve", STAND_OFF, "--tolerance", "1e-15")
    assert (refused.code, refused.out, refused.err.count("\n")) == (2, "", 1)
    assert "proved only to" in refused.err


@pytest.mark.slow
@pytest.mark.parametrize(("seats", "least"), [(1, False), (1, True), (2, False)])
def test_both_values_are_those_of_the_best_policies(seats: int, least: bool, tmp_path: Path) -> None:
    """Beside all pairs of pure policies in fractions, of all small games that have no single value."""
    found = 0
    for plan in range(100):
        rules = {"plan": plan, "seats": seats, "places": 1 + plan % 3, "small": 0.125, "least": least}
        try:
            komi.solve(EXTREMES, **rules)
        except EndlessPlayError:
            settings = EXTREMES.rules(rules)
            table = chains.endings(EXTREMES, settings, EXTREMES.part("start")(settings))
            values, expected = komi.endless_values(EXTREMES, **rules), chains.countings(EXTREMES, settings, table)
            for each, value in zip((values.lost, values.won), expected, strict=True):
                assert abs(Fraction(each.value) - value) <= Fraction(each.error_bound), rules
            komi.prove(EXTREMES, tmp_path / "game.cert", **rules)
            assert certificates.check(tmp_path / "game.cert")[1] == 0, rules
            found += 1
    assert found >= 10


def test_rewards_and_tables_of_three_and_hidden_information_have_no_theorem() -> None:
    for game in (EXTREMES, catalog.find(str(GAMES / "extreme_gains.py")), catalog.find(str(GAMES / "guess.py"))):
        rules = game.rules({"seats": 3} if game is EXTREMES else {})
        assert not has_both_values(game, rules)
        with pytest.raises(SolveError, match="is not a game of one or two players who see everything"):
            komi.endless_values(game, **rules._asdict())


@pytest.mark.slow
def test_games_without_a_theorem_are_refused_with_the_reason(run: Any) -> None:
    refused = run("solve", EXTREMES.file, "--set", "seats=3", "--set", "plan=4", "--set", "small=0.25")
    assert (refused.code, refused.out) == (2, "")
    assert "go on for ever" in refused.err


@pytest.mark.slow
def test_both_values_of_a_game_that_has_two_are_proved(run: Any, tmp_path: Path) -> None:
    game, file = STAND_OFF, tmp_path / "game.cert"
    proof = komi.prove(game, file)
    assert [claim.endless for claim in proof.claims] == [0, 1]
    assert certificates.check(file)[1] == 0
    assert [round(claim.lower, 9) for claim in proof.claims] == [0.4, 0.6]
    assert "if an endless game counts 0 for the first player, is from 0.39999" in " ".join(
        run("verify", file).out.split()
    )


TINY = '''"""Tiny: chances of 2**-30 and 2**-50 in cycles, which are left but for what two players do together."""

from typing import NamedTuple

from komi.game import CHANCE

players = 2
actions = ("a", "b")
T, S = 2.0**-30, 2.0**-50


class Rules(NamedTuple):
    first: int = 3


class State(NamedTuple):
    node: int


def start(rules):
    return State(rules.first)


def legal(rules, state):
    if state.node == 3 or state.node == 0:
        yield CHANCE
    else:
        yield 0
        if state.node != 1:
            yield 1


def outcomes(rules, state, action):
    node = state.node
    if node == 3:
        yield 1 - S, State(4), 2
        yield S, State(4), 2
    elif node == 4 and action == 0:
        yield T, State(4), 1
        yield 1 - T, State(5), 2
    elif node == 4:
        yield 0.5, State(2), 0
        yield 0.5 - T, State(2), 2
        yield T, State(4), 1
    elif node == 2 and action == 0:
        yield 1 - S, State(2), 1
        yield S, State(3), 0
    elif node == 2:
        yield 0.5, State(3), 2
        yield 0.5 - T, State(0), 0
        yield T, State(2), 1
    elif node == 0:
        yield 1 - S, State(1), 2
        yield S, State(3), 2
    else:
        yield 0.5, State(5), 0
        yield 0.5 - T, State(0), 2
        yield T, State(5), 0


def over(rules, state):
    return state.node == 5


def payoff(rules, state):
    return 0.0
'''

CLOSE = '''"""Close: either player ends the game with a little less than half of the win, or passes."""

from typing import NamedTuple

players = 2
actions = ("end", "leave")


class Rules(NamedTuple):
    less: float = 1e-9


class State(NamedTuple):
    ended: int


def start(rules):
    return State(0)


def legal(rules, state):
    yield 0
    yield 1


def outcomes(rules, state, action):
    yield 1.0, State(1 - action), action


def over(rules, state):
    return state.ended == 1


def payoff(rules, state):
    return 0.5 - rules.less
'''


WAITING = '''"""Waiting: take a point, or wait for ever."""

from typing import NamedTuple

players = 2
actions = ("take", "wait")


class Rules(NamedTuple):
    most: int = 2


class State(NamedTuple):
    taken: int = 0


def payoff_range(rules):
    return -rules.most, rules.most


def start(rules):
    return State()


def legal(rules, state):
    yield 0
    yield 1


def outcomes(rules, state, action):
    yield 1.0, State(1 - action), 0


def over(rules, state):
    return state.taken == 1


def payoff(rules, state):
    return 1.0
'''


def test_chances_that_no_factors_can_resolve_are_left_to_fractions(tmp_path: Path) -> None:
    path = tmp_path / "tiny.py"
    path.write_text(TINY)
    with pytest.raises(EndlessPlayError, match=r"which is worth 0 to the player to move if .* lost, and 1 if .* won"):
        komi.solve(str(path))


def test_both_values_are_given_in_the_unit_of_the_game(tmp_path: Path) -> None:
    path = tmp_path / "units.py"
    path.write_text(WAITING)
    with pytest.raises(
        EndlessPlayError, match=r"worth 1 to the player to move if that counts -2, and 2 if it counts 2"
    ):
        komi.solve(str(path))


def test_two_values_as_far_apart_as_the_tolerance_are_both_given(tmp_path: Path) -> None:
    path = tmp_path / "close.py"
    path.write_text(CLOSE)
    with pytest.raises(EndlessPlayError, match=r"worth 0.499999999 to .* as lost, and 0.500000001 if it counts as won"):
        komi.solve(str(path))
    assert komi.solve(str(path), less=1e-10).value() == pytest.approx(0.5, abs=1.1e-10)


def test_an_error_bound_above_the_tolerance_is_written_as_a_larger_number() -> None:
    assert proved_only(1e-9 * (1 + 2.0**-52), 1e-9) == "proved only to 1.1e-09, not to 1e-09"
    assert proved_only(1.3e-7, 1.25e-7) == "proved only to 1.3e-07, not to 1.25e-07"


def declared(tmp_path: Path, line: str) -> str:
    """Write the stand-off with a declaration."""
    path = tmp_path / "declared.py"
    path.write_text(f"{STAND_OFF.read_text()}\n\n{line}\n")
    return str(path)


def test_a_declaration_of_what_an_endless_game_pays_gives_one_value(tmp_path: Path) -> None:
    drawn = komi.solve(declared(tmp_path, "endless = 0.5"))
    assert (drawn.value(), drawn.best()) == (0.5, "wait")
    assert drawn.error_bound < 1e-9
    assert komi.solve(declared(tmp_path, "def endless(rules):\n    return 0.5"), hits=0.7).best() == "shoot"
    with pytest.raises(EndlessPlayError):  # what was solved with the declaration does not serve without it
        komi.solve(declared(tmp_path, ""))


def test_one_player_can_lose_or_win_an_endless_game(tmp_path: Path) -> None:
    path = tmp_path / "stay.py"
    for pays, best in ((0, "end"), (0.75, "stay"), (1.0, "stay")):
        path.write_text(f"{STAY}\nactions = ('stay', 'end')\nendless = {pays}\n")
        solved = komi.solve(str(path))
        assert (solved.value(), solved.best()) == (max(pays, 0.5), best)


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ("endless = 0.4", "is 0.4, not 0.5: an endless game of two is a draw"),
        ("endless = 'draw'", "is 'draw', not a number from 0 to 1"),
        ("endless = 2", "is 2, not a number from 0 to 1"),
        ("endless = 0.5\nplayers = 3", "is for one or two players"),
    ],
)
def test_a_wrong_declaration_is_refused(line: str, wrong: str, tmp_path: Path) -> None:
    line += "\ndef payoff(rules, state, seat):\n    return 1.0 if seat == 1 else 0.0" * ("players" in line)
    with pytest.raises(komi.errors.GameError, match=wrong):
        komi.solve(declared(tmp_path, line))


def test_certificates_do_not_know_the_declaration(tmp_path: Path) -> None:
    with pytest.raises(SolveError, match="it holds whatever an endless game counts"):
        komi.prove(declared(tmp_path, "endless = 0.5"), tmp_path / "proof.json")
