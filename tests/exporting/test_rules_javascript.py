"""The rules in JavaScript do what the rules in Python do: the same results, floats to the last bit."""

import json
import random
from collections.abc import Iterator
from pathlib import Path
from shutil import which
from subprocess import run as run_program
from types import GeneratorType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from komi.errors import GameError, InputError
from komi.exporting.export_model import export_model
from komi.game import CHANCE
from komi.rules import catalog
from komi.rules.declarations import SIGNATURES
from komi.rules.game import Game
from komi.rules.tuple_fields import author_of
from komi.translation.program import PARTS
from rule_variants import VARIANTS

import rulefiles

ROOT = Path(__file__).parents[2]
TSC = ROOT / "node_modules" / ".bin" / "tsc"
needs_node = pytest.mark.skipif(not which("node"), reason="there is no Node")
GAMES = sorted(Path(str(catalog.__file__)).parents[1].glob("games/[a-z]*.py"))
EXAMPLES = sorted(Path(__file__).parents[2].glob("examples/*.py"))
NO_GAMES = ("dqn", "maskable_ppo")  # examples of other kinds
RULE_SETS: list[tuple[str, dict[str, Any]]] = [
    *((file.stem.replace("_", "-"), {}) for file in GAMES),
    *((str(file), {}) for file in EXAMPLES if file.stem not in NO_GAMES),
    *VARIANTS,
]
UNIFORMS = (0.0, 0.37, 0.999999)
ERROR = "error"

DRIVER = """
const rules = await import(process.argv[2]);
let text = "";
for await (const chunk of process.stdin) text += chunk;
const plain = (value) =>
  value === null || value === undefined ? null
  : typeof value === "object" ? Array.from(value, plain)
  : value;
const results = JSON.parse(text).map(([part, state, ...rest]) => {
  try {
    const states = rest.map((each) => (Array.isArray(each) ? new rules.State(...each) : each));
    return plain(rules[part](rules.RULES, ...(state === null ? [] : [new rules.State(...state)]), ...states));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return "error";
  }
});
console.log(JSON.stringify(results));
"""


def plain(value: Any) -> Any:
    if isinstance(value, tuple | list | GeneratorType):
        return [plain(each) for each in value]
    return value


def played(game: Game, rules: Any, number: int, seed: int = 1) -> list[Any]:
    """Return the states of random play, each once, as in the rule file."""
    module = author_of(game.module)
    luck = random.Random(seed)
    found: dict[Any, None] = {}
    for _ in range(number):
        state = module.start(rules)
        while len(found) < number:
            found.setdefault(state)
            if module.over(rules, state):
                break
            action = luck.choice(list(module.legal(rules, state)))
            after = [after for probability, after, _ in module.outcomes(rules, state, action) if probability > 0.0]
            state = luck.choice(after)
    return list(found)


def calls(game: Game, rules: Any, states: list[Any]) -> Iterator[tuple[Any, ...]]:
    """Return all calls of the parts of a game in these states: the part and its arguments after the rules."""
    module = author_of(game.module)
    parts = [part for part in SIGNATURES if part in PARTS and callable(getattr(game.module, part, None))]
    takes = {part: SIGNATURES[part] for part in parts}
    yield from ((part, None) for part in parts if takes[part] == ("rules",))
    for state in states:
        yield from ((part, state) for part in parts if takes[part] == ("rules", "state") and part != "payoff")
        if module.over(rules, state):
            seats = range(game.players(rules)) if game.is_seated else [None]
            yield from (("payoff", state, *([] if seat is None else [seat])) for seat in seats)
            continue
        if "deal" in parts:
            view = module.view(rules, state)
            yield from (("deal", view, *[uniform] * game.deal_uniforms) for uniform in UNIFORMS)
        if "pick" in parts:
            yield from (("pick", state, uniform) for uniform in UNIFORMS)
        for action in module.legal(rules, state):
            shown = [part for part in parts if takes[part] == ("rules", "state", "action")]
            yield from ((part, state, action) for part in shown if action != CHANCE or part == "outcomes")
            if "sample" in parts:
                yield from (("sample", state, action, uniform) for uniform in UNIFORMS)
            followed = [part for part in parts if takes[part] == ("rules", "state", "action", "after")]
            for _, after, _ in list(module.outcomes(rules, state, action))[:8] if followed else ():
                yield from ((part, state, action, after) for part in followed)


def in_python(game: Game, rules: Any, call: tuple[Any, ...]) -> Any:
    part, state, *rest = call
    try:
        return plain(getattr(author_of(game.module), part)(rules, *([] if state is None else [state]), *rest))
    except (ArithmeticError, LookupError, ValueError):
        return ERROR


def in_node(file: Path, requested: list[tuple[Any, ...]]) -> list[Any]:
    """Return the results of these calls of an exported module."""
    (file.parent / "package.json").write_text('{"type": "module"}')
    (file.parent / "driver.js").write_text(DRIVER)
    sent = json.dumps([plain(call) for call in requested])
    done = run_program(
        ["node", file.parent / "driver.js", file], input=sent, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    results: list[Any] = json.loads(done.stdout)
    return results


def check(name: str, changed: dict[str, Any], number: int, folder: Path) -> None:
    export_model(name, folder / "rules.js", **changed)
    found = catalog.find(name)
    rules = found.rules(changed)
    game = found.under(rules)
    requested = list(calls(game, rules, played(game, rules, number)))
    assert requested
    for call, result in zip(requested, in_node(folder / "rules.js", requested), strict=True):
        assert result == in_python(game, rules, call), call


@needs_node
@pytest.mark.parametrize(
    ("name", "changed"), RULE_SETS, ids=lambda value: Path(value).stem if isinstance(value, str) else ""
)
def test_rules_do_the_same_in_both_languages(name: str, changed: dict[str, Any], tmp_path: Path) -> None:
    check(name, changed, 200, tmp_path)


@needs_node
@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "changed"), RULE_SETS, ids=lambda value: Path(value).stem if isinstance(value, str) else ""
)
def test_rules_do_the_same_in_thousands_of_states(name: str, changed: dict[str, Any], tmp_path: Path) -> None:
    check(name, changed, 4000, tmp_path)


OPERATORS = {
    "floordiv": "a // b if b != 0 else 0",
    "mod": "a % b if b != 0 else 0",
    "quotient": "a / b if b != 0 else 0.0",
    "left": "a << count",
    "right": "a >> count",
    "both": "a & b",
    "one": "a | b",
    "other": "a ^ b",
    "neither": "~a",
    "total": "a + b - (a - b)",
    "product": "a * b",
    "power": "a ** count",
    "order": "(a < b) + (a <= b) * 2 + (a == b) * 4",
    "bits": "a.bit_count() * 64 + a.bit_length()",
}
WHOLE = st.one_of(st.integers(-10, 10), st.integers(-(2**33), 2**33), st.integers(1 - 2**53, 2**53 - 1))


def rule_file(folder: Path, body: str) -> Path:
    """Return a valid rule file with more functions at its end."""
    (folder / "sprint.py").write_text(f"{rulefiles.SOUND}\n\n{body}\n")
    return folder / "sprint.py"


@needs_node
@settings(max_examples=3, deadline=None)
@given(numbers=st.lists(st.tuples(WHOLE, WHOLE, st.integers(0, 60)), min_size=100, max_size=100))
def test_operators_agree_or_refuse(
    tmp_path_factory: pytest.TempPathFactory, numbers: list[tuple[int, int, int]]
) -> None:
    folder = tmp_path_factory.mktemp("operators")
    helpers = "\n".join(f"def _{name}(a, b, count):\n    return {text}" for name, text in OPERATORS.items())
    order = "\n".join(
        f"    if action == {index}:\n        return _{name}(state.score, state.rival, state.turn)"
        for index, name in enumerate(OPERATORS)
    )
    file = rule_file(folder, f"{helpers}\ndef square(rules, state, action):\n{order}\n    return None")
    export_model(file, folder / "rules.js")
    game = catalog.find(file)
    module, rules = author_of(game.module), game.default_rules
    requested = [("square", module.State(*each), index) for each in numbers for index in range(len(OPERATORS))]
    for call, result in zip(requested, in_node(folder / "rules.js", requested), strict=True):
        expected = in_python(game, rules, call)
        if result == ERROR and expected != ERROR:
            name = list(OPERATORS)[call[2]]
            assert max(map(abs, (expected, *call[1][:2]))) >= 2**52 or name == "total", call
        else:
            assert result == expected, call


REFUSED = [
    ("def event(rules, state, action, after):\n    return f'{state.turn:02d}'", "the format in"),
    ("def leader(rules, state):\n    return (lambda seat: seat)(0)", "the call '(lambda seat: seat)(0)'"),
    ("def leader(rules, state):\n    return state[::2][0]", "a slice with a step"),
    (
        "def leader(rules, state):\n    try:\n        return 0\n    except ValueError:\n        return 1",
        "the statement",
    ),
    ("FAR = 2**60\ndef leader(rules, state):\n    return FAR", "the constant 'FAR'"),
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
    export_model(rule_file(tmp_path, body), tmp_path / "rules.js")
    state = catalog.find(tmp_path / "sprint.py").module.State
    requested = [("stage", state(*fields)) for fields in ((52, 7, 0), (53, 7, 0), (52, 2**53 - 1, 0))]
    assert in_node(tmp_path / "rules.js", requested) == [7, ERROR, ERROR]


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
