"""The rules in JavaScript do what the rules in Python do: the same results, floats to the last bit."""

import json
import random
from collections.abc import Callable
from pathlib import Path
from shutil import which
from subprocess import run as run_program
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from komi.errors import GameError, InputError
from komi.exporting.export_model import export_model
from komi.rules import catalog
from komi.rules.enumeration import explore
from komi.rules.game import Game
from komi.rules.interpreter import Interpreter
from komi.rules.tuple_fields import author_of
from komi.translation.comparison import call_javascript, call_python, compare
from komi.translation.javascript import translate
from rule_variants import VARIANTS

import rulefiles

ROOT = Path(__file__).parents[2]
TSC = ROOT / "node_modules" / ".bin" / "tsc"
needs_node = pytest.mark.skipif(not which("node"), reason="there is no Node")
RULE_SETS: list[tuple[str, dict[str, Any]]] = [
    *((name, {}) for name in catalog.names()),
    *((str(file), {}) for file in rulefiles.EXAMPLES),
    *VARIANTS,
]


def played(game: Game, rules: Any, number: int) -> list[Any]:
    """Return states of random play, each once, as the rule file sees them."""
    module = author_of(game.module)
    luck = random.Random(1)
    found: dict[Any, None] = {}
    state = module.start(rules)
    for _ in range(50 * number):
        found.setdefault(state)
        if len(found) == number:
            break
        if module.over(rules, state):
            state = module.start(rules)
            continue
        action = luck.choice(list(module.legal(rules, state)))
        state = luck.choice([after for share, after, _ in module.outcomes(rules, state, action) if share > 0.0])
    return list(found)


def check(name: str, changed: dict[str, Any], states_of: Callable[[Game, Any], list[Any]]) -> None:
    found = catalog.find(name)
    rules = found.rules(changed)
    game = found.under(rules)
    states = states_of(game, rules)
    assert states
    assert compare(game, rules, translate(found, rules, name), states) == []


@needs_node
@pytest.mark.parametrize(
    ("name", "changed"), RULE_SETS, ids=lambda value: Path(value).stem if isinstance(value, str) else ""
)
def test_rules_do_the_same_in_both_languages(name: str, changed: dict[str, Any]) -> None:
    check(name, changed, lambda game, rules: played(game, rules, 200))


@needs_node
@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "changed"), RULE_SETS, ids=lambda value: Path(value).stem if isinstance(value, str) else ""
)
def test_rules_do_the_same_in_all_states_of_small_games(name: str, changed: dict[str, Any]) -> None:
    def first(game: Game, rules: Any) -> list[Any]:
        return [game.nested(state) for state in explore(Interpreter(game, rules), 20_000, 200_000)[0]]

    check(name, changed, first)
    check(name, changed, lambda game, rules: played(game, rules, 4000))


OPERATORS = {
    "floordiv": "a // b if b != 0 else 0",
    "mod": "a % b if b != 0 else 0",
    "quotient": "a / b if b != 0 else 0.0",
    "left": "a << places",
    "right": "a >> places",
    "both": "a & b",
    "one": "a | b",
    "other": "a ^ b",
    "neither": "~a",
    "total": "a + b - (a - b)",
    "product": "a * b",
    "power": "a ** places",
    "order": "(a < b) + (a <= b) * 2 + (a == b) * 4",
    "bits": "a.bit_count() * 64 + a.bit_length()",
}
BITS = {
    "union": "count(a | b) * 64 + length(a | b)",
    "smallest": "nth(a, places % 3)",
    "some": "subset(abs(a), places % (count(abs(a)) + 1), 0.37)",
    "extremes": "max(a, b, places) - min((a, b))",
    "total": "sum([a, b, places], 5)",
    "pair": "int((a, b) == (b, a)) + int(a in (b, places)) * 2 + int((a, places) < (b, places)) * 4",
    "digits": "len(str(a) + f'{b}')",
    "sign": "-a + (+b) - abs(b)",
    "chosen": "a if a and not b else places or b",
    "rounds": "divmod(a, b)[0] if b else 0",
    "share": "int(float(a) * 0.5 < b)",
}
WHOLE = st.one_of(st.integers(-10, 10), st.integers(-(2**33), 2**33), st.integers(1 - 2**53, 2**53 - 1))


def rule_file(folder: Path, body: str) -> Path:
    """Return a valid rule file with more functions at its end."""
    (folder / "sprint.py").write_text(f"{rulefiles.SOUND}\n\n{body}\n")
    return folder / "sprint.py"


def operator_calls(folder: Path, operators: dict[str, str], body: str, numbers: list[Any]) -> Any:
    """Return calls of the operators on numbers, and their results in both languages."""
    helpers = "\n".join(f"def _{name}(a, b, places):\n    return {text}" for name, text in operators.items())
    order = "\n".join(
        f"    if action == {index}:\n        return _{name}(state.score, state.rival, state.turn)"
        for index, name in enumerate(operators)
    )
    file = rule_file(folder, f"{body}\n{helpers}\ndef square(rules, state, action):\n{order}\n    return None")
    game = catalog.find(file)
    module, rules = author_of(game.module), game.default_rules
    requested = [("square", module.State(*each), index) for each in numbers for index in range(len(operators))]
    _, results = call_javascript(translate(game, rules, "operators"), requested)
    return zip(requested, results, [call_python(game, rules, call) for call in requested], strict=True)


@needs_node
@settings(max_examples=3, deadline=None)
@given(numbers=st.lists(st.tuples(WHOLE, WHOLE, st.integers(0, 60)), min_size=100, max_size=100))
def test_operators_agree_or_refuse(
    tmp_path_factory: pytest.TempPathFactory, numbers: list[tuple[int, int, int]]
) -> None:
    for call, result, expected in operator_calls(tmp_path_factory.mktemp("operators"), OPERATORS, "", numbers):
        if "counts exactly" in str(result):
            name, wide = list(OPERATORS)[call[2]], str(expected).endswith("n")
            assert wide or max(map(abs, (expected, *call[1][:2]))) >= 2**52 or name == "total", call
        else:
            assert result == expected, call


WIDE_RULES = """
from komi.bitset import count, length, nth, subset
FULL = 2**62 - 1
def stage(rules, state):
    return state.score & FULL
"""


@needs_node
@settings(max_examples=3, deadline=None)
@given(
    numbers=st.lists(
        st.tuples(*[st.one_of(WHOLE, st.integers(-(2**62), 2**62))] * 2, st.integers(0, 60)), min_size=100, max_size=100
    )
)
def test_operators_agree_beyond_2_to_the_53_in_rules_that_have_such_numbers(
    tmp_path_factory: pytest.TempPathFactory, numbers: list[tuple[int, int, int]]
) -> None:
    widening = (
        "def turned(rules, state):\n    return state._replace(score=state.rival & FULL, rival=state.score | FULL)"
    )
    operators = {name: text for name, text in OPERATORS.items() if name != "quotient"} | BITS
    folder = tmp_path_factory.mktemp("operators")
    for call, result, expected in operator_calls(folder, operators, WIDE_RULES + widening, numbers):
        assert result == expected, (list(operators)[call[2]], call)


REFUSED = [
    ("def event(rules, state, action, after):\n    return f'{state.turn:02d}'", "the format in"),
    ("def leader(rules, state):\n    return (lambda seat: seat)(0)", "the call '(lambda seat: seat)(0)'"),
    ("def leader(rules, state):\n    return state[::2][0]", "a slice with a step"),
    (
        "def leader(rules, state):\n    try:\n        return 0\n    except ValueError:\n        return 1",
        "the statement",
    ),
    ("FAR = 2j\ndef leader(rules, state):\n    return FAR", "the constant 'FAR'"),
    ("def event(rules, state, action, after):\n    return str(1 if state.turn else 2.0)", "the text of"),
]


@pytest.mark.parametrize(("body", "construct"), REFUSED)
def test_what_has_no_translation_is_refused_with_its_line(body: str, construct: str, tmp_path: Path) -> None:
    file = rule_file(tmp_path, body)
    with pytest.raises(GameError) as refusal:
        export_model(file, tmp_path / "rules.js")
    first = len(rulefiles.SOUND.splitlines())
    sentence = str(refusal.value)
    assert sentence.startswith("sprint.py, line ")
    assert int(sentence.split()[2].rstrip(":")) > first
    assert construct in sentence
    assert sentence.endswith("cannot be translated to JavaScript.")
    assert not (tmp_path / "rules.js").exists()


@needs_node
def test_whole_numbers_beyond_2_to_the_53_raise_an_error(tmp_path: Path) -> None:
    body = "def stage(rules, state):\n    return (1 << state.score) + state.rival - (1 << state.score)"
    game = catalog.find(rule_file(tmp_path, body))
    requested = [("stage", game.module.State(*fields)) for fields in ((52, 7, 0), (53, 7, 0), (52, 2**53 - 1, 0))]
    _, (first, *others) = call_javascript(translate(game, game.default_rules, "sprint"), requested)
    assert first == 7
    assert all("JavaScript counts exactly" in result for result in others)


@needs_node
def test_parts_may_return_other_iterables(tmp_path: Path) -> None:
    text = "".join(rulefiles.SOUND.partition("def legal(rules, state):")[:2])
    tail = rulefiles.SOUND.partition("def legal(rules, state):")[2].partition("\n\n\n")[2]
    file = tmp_path / "sprint.py"
    file.write_text(f"{text}\n    return range(2)\n\n\n{tail}")
    check(str(file), {}, lambda game, rules: played(game, rules, 20))


def test_fixed_seats_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="rules hold the choices of all players"):
        export_model("pig", tmp_path / "rules.js", fix={1: "optimal"})


def test_the_module_has_the_rules_that_were_chosen(tmp_path: Path) -> None:
    result = export_model("piglet", tmp_path / "rules.js", goal=4)
    text = (tmp_path / "rules.js").read_text()
    assert result.states == 0
    assert result.size == len(text.encode())
    assert "export const RULES = new Rules(4, " in text


def test_the_command_writes_the_rules(run: Any, tmp_path: Path) -> None:
    file = tmp_path / "pig.js"
    written = json.loads(run("export", "pig", "--set", "goal=50", "--to", str(file), "--json").out)
    assert written["rules"]["goal"] == 50
    assert (written["file"], written["states"], written["bytes"]) == (str(file), 0, file.stat().st_size)
    assert (
        run("export", "pig", "--set", "goal=50", "--to", str(file)).out
        == f"Written: {file}, {written['bytes']:,} bytes\n"
    )
    module = tmp_path / "pig.mjs"
    run("export", "pig", "--set", "goal=50", "--to", str(module))
    assert module.read_text() == file.read_text()
    refused = run("export", "pig", "--to", str(file), "--fix", "1=optimal")
    assert (refused.code, refused.out) == (2, "")
    assert "--fix is for models" in refused.err


def test_a_wrong_ending_is_refused_with_those_of_rules(run: Any, tmp_path: Path) -> None:
    sentence = "without a policy in .js or .mjs, for the rules: 'pig.ts' does not."
    assert sentence in run("export", "pig", "--to", str(tmp_path / "pig.ts")).err
    assert sentence in run("export", "pig", "optimal", "--to", str(tmp_path / "pig.ts")).err
    assert "'pig.mjs' does not." in run("export", "pig", "optimal", "--to", str(tmp_path / "pig.mjs")).err


@needs_node
@pytest.mark.skipif(not TSC.exists(), reason="there is no TypeScript: npm ci")
def test_typescript_accepts_the_types_of_all_rules(tmp_path: Path) -> None:
    for number, (name, changed) in enumerate(RULE_SETS):
        export_model(name, tmp_path / f"{Path(name).stem}-{number}.mjs", **changed)
    options = ["--noEmit", "--allowJs", "--checkJs", "--strict", "--target", "es2023", "--module", "es2022"]
    options += ["--moduleResolution", "bundler", "--types", "", "--ignoreConfig"]
    done = run_program(
        [TSC, *options, *sorted(tmp_path.glob("*.mjs"))], capture_output=True, text=True, check=False, cwd=tmp_path
    )
    assert done.returncode == 0, done.stdout
