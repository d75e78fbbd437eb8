"""Which rules only `start` reads: found where it is plain, and nothing claimed where it is not."""

import re
from pathlib import Path

import pytest

import komi
from komi.design.dependencies import SOLVED_PARTS, rules_of_start
from komi.rules.declarations import DISPLAY, SIGNATURES, VALUES

from rulefiles import write

WITH_KOMI = ("    goal: int = 5\n", "    goal: int = 5\n    komi: int = 0\n")
START = ("State(0, 0, 0)\n\n\ndef legal", "State(0, rules.komi, 0)\n\n\ndef legal")


def of_start(folder: Path, *replacements: tuple[str, str]) -> frozenset[str]:
    return rules_of_start(komi.find(str(write(folder, WITH_KOMI, START, *replacements))))


@pytest.mark.parametrize("name", ["red-light", "fowl-play", "pig", "piglet", "progressive-pig"])
def test_komi_of_the_built_in_games_is_read_by_start_alone(name: str) -> None:
    assert rules_of_start(komi.find(name)) == {"komi"}


def test_rule_that_play_reads_is_not_of_the_start(tmp_path: Path) -> None:
    assert of_start(tmp_path) == {"komi"}
    assert of_start(
        tmp_path, ("return state.rival >= rules.goal", "return state.rival >= rules.goal + rules.komi")
    ) == (frozenset())


def parts_of(text: str) -> set[str]:
    """Return the parts that paragraphs of the protocol describe."""
    heads = re.findall(r"^- (`.*?):", text, re.MULTILINE | re.DOTALL)
    return {name for head in heads for name in re.findall(r"`(\w+)", head)}


def test_every_part_of_the_protocol_affects_the_solution_or_only_shows_the_game() -> None:
    page = Path(__file__).parents[2] / "docs" / "protocol.md"
    described = page.read_text().partition("## The language of rules")[0]
    display = described.partition("## Display")[2]
    assert parts_of(display) == DISPLAY
    assert parts_of(described) | {"label"} == SIGNATURES.keys() | VALUES | DISPLAY | {"actions", "Rules", "State"}
    assert (SIGNATURES.keys() | VALUES) - DISPLAY - SOLVED_PARTS == {"start", "limits"}


@pytest.mark.parametrize(
    "part",
    [
        "def no_value(rules):\n    return 'none' if rules.komi else ''",
        "def objective(rules):\n    return 'expected points' if rules.komi else 'chance'",
        "def aim(rules):\n    return 'least' if rules.komi else 'most'",
        "def payoff_range(rules):\n    return (-rules.komi, rules.komi) if rules.komi else (0, 1)",
        "def alone(rules):\n    return rules if rules.komi else Rules()",
        "def stage(rules, state):\n    return rules.komi",
        "def players(rules):\n    return 2 + rules.komi",
    ],
)
def test_rule_that_a_part_beside_play_reads_is_not_of_the_start(tmp_path: Path, part: str) -> None:
    assert of_start(tmp_path, ("players = 2\n", ""), ("class Rules", f"players = 2\n\n\n{part}\n\n\nclass Rules")) == (
        frozenset()
    )


def test_whether_something_is_hidden_depends_on_the_start(tmp_path: Path) -> None:
    view = "def view(rules, state):\n    return state\n\n\nclass Rules"
    assert of_start(tmp_path, ("class Rules", view)) == frozenset()


def test_rules_are_followed_into_functions_of_the_file(tmp_path: Path) -> None:
    reached = "return reached(state, rules)\n\n\ndef reached(state, of):\n    return state.rival >= of.goal"
    assert of_start(tmp_path, ("return state.rival >= rules.goal", reached)) == {"komi"}
    with_komi = reached.replace("of.goal", "of.goal + 0 * of.komi")
    assert of_start(tmp_path, ("return state.rival >= rules.goal", with_komi)) == frozenset()


def test_rules_are_followed_into_keyword_arguments(tmp_path: Path) -> None:
    reached = (
        "return reached(state, of=rules)\n\n\ndef reached(state, of):\n    return state.rival >= of.goal + of.komi"
    )
    assert of_start(tmp_path, ("return state.rival >= rules.goal", reached)) == frozenset()


@pytest.mark.parametrize(
    "use",
    [
        "goal, komi = rules\n    return state.rival >= goal",
        "same = rules\n    return state.rival >= same.goal",
        "return state.rival >= rules[0]",
        "return state.rival >= max(rules)",
        "return state.rival >= (lambda of: of.goal)(rules)",
        "return state.rival >= rules._replace(goal=5).goal",
        "return state.rival >= rules.goal if rules else True",
        "return any(state.rival >= of.goal for of in (rules,))",
    ],
)
def test_whole_use_of_the_rules_counts_as_reading_all(tmp_path: Path, use: str) -> None:
    assert of_start(tmp_path, ("return state.rival >= rules.goal", use)) == frozenset()


def test_functions_that_a_name_of_their_own_hides_are_not_followed(tmp_path: Path) -> None:
    use = "over = payoff\n    return state.rival >= rules.goal + 0 * over(rules, state)"
    assert of_start(tmp_path, ("return state.rival >= rules.goal", use)) == frozenset()


def test_decorated_functions_are_not_trusted(tmp_path: Path) -> None:
    decorated = (
        "def longer(of):\n    def wrapped(rules, state):\n        return of(rules, state)\n\n    return wrapped\n\n\n"
        "@longer\ndef over("
    )
    assert of_start(tmp_path, ("def over(", decorated)) == frozenset()


def test_file_that_has_changed_since_it_was_loaded_is_not_trusted(tmp_path: Path) -> None:
    path = write(tmp_path, WITH_KOMI, START)
    game = komi.find(str(path))
    path.write_text(path.read_text().replace("return state.rival >= rules.goal", "return state.rival >= 5"))
    assert rules_of_start(game) == frozenset()


def test_what_a_game_imports_from_beside_it_is_followed(tmp_path: Path) -> None:
    (tmp_path / "ending.py").write_text("def reached(rules, score):\n    return score >= rules.goal\n")
    imported = ("from typing import NamedTuple\n", "from typing import NamedTuple\n\nimport ending\n")
    use = ("return state.rival >= rules.goal", "return ending.reached(rules, state.rival)")
    assert of_start(tmp_path, imported, use) == {"komi"}
