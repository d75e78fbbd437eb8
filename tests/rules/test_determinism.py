"""Rules that are no function of their arguments are refused with the line, before anything is asked of them."""

from pathlib import Path
from typing import Any

import pytest

import komi
from komi.checking import consistency
from komi.policies import named
from komi.rules import catalog, determinism
from komi.rules.enumeration import explore
from komi.rules.interpreter import Interpreter

import rulefiles

ROLL = "    yield 1 / 3, State(rival, score, 0), 1\n"


@pytest.mark.parametrize("name", catalog.names())
def test_built_in_games_are_functions_of_their_arguments(name: str) -> None:
    determinism.check(catalog.find(name).module)


def above(text: str) -> tuple[str, str]:
    return "players = 2", f"{text}\n\nplayers = 2"


def first(text: str) -> tuple[str, str]:
    """A line at the beginning of `outcomes`."""
    return ROLL, f"    {text}\n{ROLL}"


IMPURE = {  # what the rules do: (replacements, the line to be named, what is said of it)
    "draw a number": ([above("import random"), first("random.randint(1, 2)")], "random.randint(", "random.randint"),
    "draw with NumPy": ([above("import numpy as np"), first("np.random.rand()")], "np.random", "np.random.rand"),
    "hide NumPy's numbers": ([above("import numpy as np"), first("r = np.random")], "np.random", "np.random"),
    "keep a generator": (
        [above("import numpy as np\nRNG = np.random.default_rng()"), first("RNG.random()")],
        "RNG.random",
        "RNG",
    ),
    "read the clock": ([above("from time import time as now"), first("now()")], "    now()", "now"),
    "read a file": ([first("open('rules.txt').read()")], "open(", "open"),
    "read what was in memory": ([above("import numpy as np"), first("np.empty(3)")], "np.empty", "np.empty"),
    "call what draws": (
        [above("import random\n\ndef luck():\n    return random.random()"), first("luck()")],
        "return random",
        "'luck' uses random.random",
    ),
    "call a lambda that draws": (
        [above("import random\nluck = lambda: random.random()"), first("luck()")],
        "luck = ",
        "random.random",
    ),
    "call what a table holds": (
        [above("import random\n\ndef luck():\n    return random.random()\n\nALL = (luck,)"), first("ALL[0]()")],
        "return random",
        "random.random",
    ),
    "import inside": ([first("import random")], "    import random", "at the top of the file"),
    "count calls": ([above("COUNT = 0"), first("global COUNT; COUNT += 1")], "COUNT += 1", "changes COUNT"),
    "fill a list": ([above("SEEN = []"), first("SEEN.append(1)")], "SEEN.append", "changes SEEN"),
    "fill a list by another name": (
        [above("SEEN = [[]]"), first("seen = SEEN[0]; seen.append(1)")],
        "seen.append",
        "changes seen",
    ),
    "have a list filled": (
        [above("SEEN = []\n\ndef see(what):\n    what.append(1)"), first("see(SEEN)")],
        "what.append",
        "'see' changes what",
    ),
    "fill an array": ([above("import numpy as np\nA = np.zeros(3)"), first("A[0] += 1")], "A[0] += 1", "changes A[0]"),
    "count in an attribute": ([first("over.calls = 1")], "over.calls", "changes over.calls"),
    "read what a label changes": (
        [above("A = [0]\n\ndef label(rules, state, action):\n    A[0] += 1\n    return str(action)"), first("A[0]")],
        "A[0] += 1",
        "'label' changes A[0], which 'outcomes' reads",
    ),
    "read a name that a label changes": (
        [above("A = 0\n\ndef label(rules, state, action):\n    global A\n    A += 1\n    return 'x'"), first("A")],
        "A += 1",
        "'label' changes A, which 'outcomes' reads",
    ),
    "keep a default": (
        [above("def see(seen=[]):\n    return len(seen)"), first("see()")],
        "def see",
        "'see' has the default []",
    ),
    "keep a closure": (
        [
            above("def made():\n    n = [0]\n\n    def f():\n        n[0] += 1\n\n    return f\n\nf = made()"),
            first("f()"),
        ],
        "n[0] += 1",
        "changes n[0]",
    ),
}


@pytest.mark.parametrize(("replacements", "text", "said"), IMPURE.values(), ids=IMPURE)
def test_rules_that_depend_on_more_than_their_arguments_are_refused(
    tmp_path: Path, replacements: list[tuple[str, str]], text: str, said: str
) -> None:
    path = rulefiles.write(tmp_path, *replacements)
    with pytest.raises(komi.GameError) as caught:
        komi.find(str(path))
    sentence = str(caught.value)
    assert sentence.startswith(f"sprint.py, line {rulefiles.line_of(path, text)}: ")
    assert said in sentence
    assert "follow from their arguments alone" in sentence or "kept from call to call" in sentence


PURE = {
    "functions of mathematics": [above("import math"), first("math.floor(2.5)")],
    "tables": [above("import numpy as np\nA, B, C = [1], {1: 2}, np.zeros(3)"), first("A[0] + B[1] + C[0]")],
    "a table filled when the file is loaded": [
        above("A = [0]\n\ndef fill():\n    A[0] = 1\n\nfill()"),
        first("A[0]"),
    ],
    "lists of their own": [first("own = []; own.append(1)")],
    "lists of their own, filled elsewhere": [
        above("def see(what):\n    what.append(1)"),
        first("own = [0]; see(own)"),
    ],
    "labels that draw": [
        above("import random\n\ndef label(rules, state, action):\n    return f'{action} {random.random()}'"),
    ],
}


@pytest.mark.parametrize("replacements", PURE.values(), ids=PURE)
def test_what_never_changes_may_be_read(tmp_path: Path, replacements: list[tuple[str, str]]) -> None:
    assert komi.find(str(rulefiles.write(tmp_path, *replacements)))


def test_what_a_file_beside_the_rules_draws_is_refused_there(tmp_path: Path) -> None:
    (tmp_path / "dice.py").write_text("import random\n\n\ndef face():\n    return random.randint(1, 6)\n")
    path = rulefiles.write(tmp_path, above("import dice"), first("dice.face()"))
    with pytest.raises(komi.GameError, match=r"^dice\.py, line 5: 'face' uses random\.randint"):
        komi.find(str(path))


@pytest.mark.parametrize("command", ["solve", "check", "moves", "simulate", "fair", "play", "value"])
def test_every_command_refuses_them(run: Any, tmp_path: Path, command: str) -> None:
    ended = run(command, rulefiles.write(tmp_path, above("import random"), first("random.random()")))
    assert ended.code == 2
    assert ended.err.startswith("komi: sprint.py, line ")
    assert ended.err.count("\n") == 1


def test_policies_that_draw_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text("import random\n\n\ndef bold(rules, state):\n    return random.randint(0, 1)\n")
    with pytest.raises(komi.GameError, match=r"^mine\.py, line 5: 'bold' uses random\.randint"):
        named.from_file(f"{path}:bold")


def test_rules_that_say_something_else_when_asked_again_are_a_problem(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = komi.find(str(rulefiles.write(tmp_path)))
    interpreter = Interpreter(game, game.default_rules)
    walked, _ = explore(interpreter, 1000)
    consistency.check_determinism(interpreter, walked)
    assert not interpreter.problems
    monkeypatch.setattr(game.module, "legal", lambda rules, state: iter([1]))
    consistency.check_determinism(interpreter, walked)
    assert "another result when they are called again" in interpreter.problems["again"].message
