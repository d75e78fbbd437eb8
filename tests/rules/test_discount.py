"""A game with a discount is the game that stops after an action, with all parts of its rule file."""

from fractions import Fraction
from pathlib import Path

import pytest

import komi
from komi.errors import GameError, InputError, SolveError
from komi.rules.domains import declared_domains
from komi.rules.enumeration import explore
from komi.rules.interpreter import Interpreter
from komi.translation.comparison import compare
from komi.translation.javascript import translate

import rulefiles

EXAMPLES = Path(__file__).parents[2] / "examples"
FOREST = EXAMPLES / "forest.py"
ROBOT = EXAMPLES / "recycling_robot.py"

BY_HAND = '''"""Forest, with an end after each year."""

from typing import NamedTuple

players = 1
actions = ("wait", "cut")


class Rules(NamedTuple):
    discount: float = 0.9


class State(NamedTuple):
    age: int = 0
    is_end: int = 0


def start(rules):
    return State()


def legal(rules, state):
    yield 0
    yield 1


def outcomes(rules, state, action):
    older = min(state.age + 1, 2)
    for chance, age in ((0.1, 0), (0.9, older)) if action == 0 else ((1.0, 0),):
        yield chance * rules.discount, State(age), 0
        yield chance * (1 - rules.discount), State(age, 1), 0


def reward(rules, state, action, after):
    return ((0.0, 0.0, 4.0), (0.0, 1.0, 2.0))[action][state.age]


def over(rules, state):
    return state.is_end == 1


def payoff(rules, state):
    return 0.0
'''

EVERY_PART = '''"""Walk: a walk along columns, with many optional parts."""

from typing import NamedTuple

from komi.game import CHANCE, put

players = 1
actions = ("left", "right")
discount = 0.75


class Rules(NamedTuple):
    steps: int = 3  # to the end of each column


class State(NamedTuple):
    columns: tuple[int, ...]  # steps taken
    thrown: int = 0  # 1 to 3


steps = State(2, 1)


def limits(rules):
    return Rules(steps=(1, 5))


def start(rules):
    return State((0, 0))


def possible(rules, state):
    columns, thrown = state
    return max(columns) <= 2 * rules.steps and 0 <= thrown <= 3


def legal(rules, state):
    columns, thrown = state
    if not thrown:
        yield CHANCE
        return
    yield from (0, 1)


def outcomes(rules, state, action):
    columns, thrown = state
    if action == CHANCE:
        for face in (1, 2, 3):
            yield 1 / 3, State(columns, face), 0
    else:
        yield 1.0, State(put(columns, action, columns[action] + 2)), 0


def sample(rules, state, action, uniform):
    columns, thrown = state
    if action == CHANCE:
        return 1 / 3, State(columns, 1 + int(3 * uniform)), 0
    return 1.0, State(put(columns, action, columns[action] + 2)), 0


def pick(rules, state, uniform):
    if not state.thrown:
        return 0, CHANCE
    return 2, int(2 * uniform)


def reward(rules, state, action, after):
    if action == CHANCE:
        return 0.0
    return float(state.thrown) if after == State(after.columns) and action == 0 else 0.5


def domains(rules):
    return State(columns=range(0, 2 * rules.steps + 1, 2), thrown=range(4))


def symmetries(rules, state):
    yield state


def stage(rules, state):
    return sum(state.columns)


def over(rules, state):
    columns, thrown = state
    return max(columns) >= 2 * rules.steps


def payoff(rules, state):
    return 1.0


def event(rules, state, action, after):
    return str(after.thrown)


def write(rules, state):
    return f"{state.columns[0]}-{state.columns[1]}-{state.thrown}"


def read(rules, text):
    left, right, thrown = map(int, text.split("-"))
    return State((left, right), thrown)


def goes_left(rules, state):
    columns, thrown = state
    return 0


def prefers_short(rules, state, action):
    return -state.columns[action]


policies = (goes_left, prefers_short)
'''


def write(folder: Path, text: str, name: str = "walk.py") -> Path:
    path = folder / name
    path.write_text(text)
    return path


def test_published_values_are_found() -> None:
    forest = komi.solve(FOREST)
    values = [forest.value(f"age={age}") for age in range(3)]
    assert values == pytest.approx([26.244, 29.484, 33.484], abs=1e-9)  # pymdptoolbox
    assert [forest.best(f"age={age}") for age in range(3)] == ["wait"] * 3
    assert komi.solve(ROBOT, discount=0.9).value() == pytest.approx(42.372881, abs=1e-6)


def test_the_value_is_that_of_the_game_that_ends_by_hand(tmp_path: Path) -> None:
    by_hand = write(tmp_path, BY_HAND, "by_hand.py")
    for discount in (0.3, 0.9, 0.99):
        exact, ours = komi.solve(by_hand, discount=discount), komi.solve(FOREST, discount=discount)
        assert abs(exact.value() - ours.value()) <= exact.error_bound + ours.error_bound
        assert komi.match(by_hand, "random", discount=discount).value == pytest.approx(
            komi.match(FOREST, "random", discount=discount).value, rel=1e-9
        )


def test_averages_are_the_limit_of_discounted_values() -> None:
    average, near = komi.solve(ROBOT), komi.solve(ROBOT, discount=0.9999)
    assert near.value() * 0.0001 == pytest.approx(average.value(), abs=1e-3)


def test_simulation_agrees_within_its_error() -> None:
    exact = komi.match(FOREST, "random").value
    found = komi.simulate(FOREST, 20_000, seed=3)
    assert abs(found.value.mean - exact) < 4 * found.value.stderr


def test_chance_is_not_discounted_and_a_payoff_is_at_the_action_before(tmp_path: Path) -> None:
    walk = komi.solve(write(tmp_path, EVERY_PART))
    third = Fraction(3, 4)

    def value(left: int, right: int) -> Fraction:
        if max(left, right) == 3:
            return Fraction(0)
        ends = [int(max(left + 1, right) == 3), int(max(left, right + 1) == 3)]
        after = [third * value(left + 1, right) + ends[0], third * value(left, right + 1) + ends[1]]
        return sum((max(thrown + after[0], Fraction(1, 2) + after[1]) for thrown in (1, 2, 3)), Fraction(0)) / 3

    assert abs(walk.value() - value(0, 0)) <= walk.error_bound


def test_every_part_of_the_rule_file_holds_in_the_generated_one(tmp_path: Path) -> None:
    path = write(tmp_path, EVERY_PART)
    report = komi.check(path)
    assert report.problems == []
    game = komi.find(path)
    assert (game.name, game.file.name) == ("walk", "walk.py")
    state = game.read(game.default_rules, "2-0-1 stopped")
    assert game.part("over")(game.default_rules, state)
    assert game.write(game.default_rules, state) == "2-0-1 stopped"
    left = komi.match(path, f"{path}:goes_left")
    assert left.value == pytest.approx(2 + 1.5 + 9 / 8 + 9 / 16)  # three steps, and the payoff


def test_the_translation_to_javascript_agrees() -> None:
    for path, rules in ((FOREST, {}), (ROBOT, {"discount": 0.9})):
        game = komi.find(path)
        chosen = game.rules(rules)
        states = list(explore(Interpreter(game, chosen), 100)[0])
        assert compare(game, chosen, translate(game, chosen, "rules"), states) == []


def test_certificates_prove_discounted_values(tmp_path: Path) -> None:
    found = komi.prove(FOREST, tmp_path / "forest.cert")
    assert found.lower <= 26.244 <= found.upper


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("discount = 0.75", "discount = 0.0", "'discount' is 0.0, not a number above 0 and up to 1"),
        ("discount = 0.75", "discount = 1.5", "'discount' is 1.5, not a number above 0 and up to 1"),
        ("discount = 0.75", "discount = True", "'discount' is True, not a number above 0 and up to 1"),
        ("discount = 0.75", "discount = 0.75\naverage = True", "does not go with 'average'"),
        ("players = 1", "players = 2", "two players need a 'payoff_range' with 0 in it"),
        ("def limits", "def alone(rules):\n    return rules\n\n\ndef limits", "without 'alone'"),
        ("def limits", "def objective(rules):\n    return 'chance'\n\n\ndef limits", "let 'objective' name it"),
        ("    thrown: int = 0", "    stopped: int = 0\n    thrown: int = 0", "has a field 'stopped': rename yours"),
        ("discount = 0.75", "def discount(rules, state):\n    return 0.5", "'discount' must be|is a part"),
    ],
)
def test_what_does_not_go_with_a_discount_is_refused(tmp_path: Path, old: str, new: str, sentence: str) -> None:
    path = write(tmp_path, EVERY_PART.replace(old, new, 1))
    with pytest.raises((GameError, SolveError), match=sentence):
        komi.solve(path)


def test_distributions_of_what_is_gained_are_refused() -> None:
    for refused in (komi.measure, lambda game: komi.scores(game, "optimal")):
        with pytest.raises(SolveError, match="this works for games without a discount"):
            refused(FOREST)
    with pytest.raises((GameError, InputError), match="declares a discount"):
        komi.find(f"{FOREST}:at-least")


def test_errors_name_the_line_of_the_rule_file(tmp_path: Path) -> None:
    path = write(tmp_path, EVERY_PART.replace("put(columns, action, columns[action] + 2)", "unknown", 1))
    line = next(number for number, text in enumerate(path.read_text().splitlines(), 1) if "unknown" in text)
    [problem, *_] = komi.check(path).problems
    assert problem.message.startswith(f"walk.py, line {line}: NameError")


def test_helpers_of_that_name_stay_helpers(tmp_path: Path) -> None:
    helper = "\ndef discount(price, share, state, rules):\n    return 0\n\n\ndef start("
    used = "State(rival, score, 0), 1\n    for", "State(rival, score, discount(0, 0, 0, 0)), 1\n    for"
    assert not komi.find(rulefiles.write(tmp_path, ("\ndef start(", helper), used)).has("declared_discount")


@pytest.mark.parametrize("name", ["two-years.py", "2048.py", "class.py"])
def test_the_name_of_the_file_need_not_be_one_in_python(tmp_path: Path, name: str) -> None:
    file = tmp_path / name
    file.write_text(FOREST.read_text() + "\n\ndef played(rules, state):\n    return WAIT\n\n\npolicies = (played,)\n")
    game = komi.find(str(file))
    assert game.part("policies")[0](game.default_rules, game.part("start")(game.default_rules)) == 0
    assert komi.solve(game).value() == pytest.approx(26.244)


def test_what_chance_brings_counts_as_the_next_action(tmp_path: Path) -> None:
    file = tmp_path / "late.py"
    text = FOREST.read_text().replace("age: int = 0", "age: int = 1").replace("return False", "return state.age == 3")
    text = text.replace("    yield WAIT\n    yield CUT", "    yield WAIT if state.age == 0 else -1")
    start = text.index("def outcomes"), text.index("def over")
    file.write_text(
        text[: start[0]]
        + "def outcomes(rules, state, action):\n    yield 1.0, State((2, 0, 3)[state.age]), 0\n\n\n"
        + "def reward(rules, state, action, after):\n    return (10.0, 1.0, 100.0)[state.age]\n\n\n"
        + text[start[1] :].replace("return 0.0", "return 1.0").partition("def event")[0]
    )
    discount = 0.5
    assert komi.solve(str(file), discount=discount).value() == pytest.approx(1.0 + 10.0 + discount * (100.0 + 1.0))


def test_observations_of_a_discounted_game_have_the_domains_of_its_fields(tmp_path: Path) -> None:
    game = komi.find(write(tmp_path, EVERY_PART))
    domains = declared_domains(game, game.rules({}))
    assert [(domain.field, domain.high) for domain in domains][-2:] == [("thrown", 3), ("stopped", 1)]
