"""Rules that are not functions of their arguments are refused with the line, before any of them runs."""

from pathlib import Path
from typing import Any

import pytest

import komi
from komi.checking import consistency
from komi.policies import from_files
from komi.rules import catalog, determinism
from komi.rules.enumeration import explore
from komi.rules.interpreter import Interpreter

import rulefiles

ROLL = "    yield 1 / 3, State(rival, score, 0), 1\n"


@pytest.mark.parametrize("name", catalog.names())
def test_built_in_games_are_functions_of_their_arguments(name: str) -> None:
    determinism.check(catalog.find(name).file)


def above(text: str) -> tuple[str, str]:
    return "players = 2", f"{text}\n\nplayers = 2"


def first(text: str) -> tuple[str, str]:
    """Insert a line at the beginning of `outcomes`."""
    return ROLL, f"    {text}\n{ROLL}"


IMPURE = {  # what the rules do: (replacements, the line to be named, what is said of it)
    "draw a number": ([above("import random"), first("random.randint(1, 2)")], "import random", "'random' is imported"),
    "draw in a label": (
        [above("import random\n\ndef label(rules, state, action):\n    return str(random.random())")],
        "import random",
        "chance is what 'outcomes' yields",
    ),
    "use arrays": ([above("import numpy as np\nA = np.zeros(3)"), first("A[0]")], "import numpy", "tables are tuples"),
    "read the clock": ([above("from time import time as now"), first("now()")], "from time", "'time' is imported"),
    "read the clock when loaded": ([above("import time\nNOW = time.time()")], "import time", "'time' is imported"),
    "read the environment when loaded": ([above("import os\nN = len(os.environ)")], "import os", "'os' is imported"),
    "read a file": ([first("open('rules.txt').read()")], "open(", "'open' is used"),
    "read a file when loaded": ([above("N = len(open('rules.txt').read())")], "open(", "'open' is used"),
    "read a file by another name": ([above("read_file = open")], "= open", "'open' is used"),
    "read a file as a default": ([above("def size(by=open):\n    return by")], "by=open", "'open' is used"),
    "look for modules": ([above("import sys\nsys.path.insert(0, 'lib')")], "import sys", "'sys' is imported"),
    "import a library of Python by a name of another": (
        [above("from typing import sys")],
        "from typing import sys",
        "rules can import from typing Any, ",
    ),
    "import komi's own code": ([above("from komi.cache import root")], "komi.cache", "'komi.cache' is imported"),
    "know where the file is": ([above("N = len(__file__)")], "__file__", "'__file__' is used"),
    "reach other code": (
        [first("start.__globals__['x'] = 1")],
        "start.__globals__",
        "attribute '__globals__' is used",
    ),
    "reach other code by its text": ([first("getattr(start, '__globals__')")], "getattr", "'getattr' is used"),
    "import inside": ([first("import math")], "    import math", "at the top of the file"),
    "count calls": ([above("COUNT = 0"), first("global COUNT; COUNT += 1")], "COUNT += 1", "changes COUNT"),
    "fill a list": ([above("SEEN = []"), first("SEEN.append(1)")], "SEEN.append", "'outcomes' changes SEEN"),
    "fill a list in a label": (
        [above("A = [0]\n\ndef label(rules, state, action):\n    A[0] += 1\n    return str(action)"), first("A[0]")],
        "A[0] += 1",
        "'label' changes A[0]",
    ),
    "fill a list of a class": (
        [above("class Kept:\n    seen = []"), first("Kept.seen.append(1)")],
        "Kept.seen.append",
        "changes Kept.seen",
    ),
    "count in an attribute": ([first("over.calls = 1")], "over.calls", "changes over.calls"),
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
        "    def f()",
        "'f' keeps [0]",
    ),
    "keep a closure in a table": (
        [
            above("def made():\n    n = [0]\n\n    def f():\n        n[0] += 1\n\n    return f\n\nALL = {1: [made()]}"),
            first("ALL[1][0]()"),
        ],
        "    def f()",
        "'f' keeps [0]",
    ),
    "use up an iterator": (
        [above("import itertools\nNUMBERS = itertools.count()"), first("next(NUMBERS)")],
        "next(NUMBERS)",
        "'NUMBERS' is read, a count, which can change",
    ),
    "keep a method of a list": (
        [above("see = [].append"), first("see(1)")],
        "see(1)",
        "'see' is read, a method of a list",
    ),
    "keep an object": (
        [above("class Kept:\n    pass\n\nKEPT = Kept()"), first("KEPT")],
        "    KEPT",
        "'KEPT' is read, a Kept, which can change",
    ),
    "keep a default of a field": (
        [above("class Kept(NamedTuple):\n    seen: list = []"), first("Kept().seen")],
        "    Kept()",
        "'Kept' is read, a class that keeps [[]]",
    ),
    "keep a list in an enumeration": (
        [above("from enum import Enum\n\nclass Kept(Enum):\n    seen = [1]"), first("kept = Kept.seen.value")],
        "kept = Kept",
        "'Kept' is read, a class that keeps [[1]]",
    ),
    "an attribute read in a format string": ([first("'{0.__globals__}'.format(start)")], "format(", "write f'...'"),
    "keep a table that grows when it is read": (
        [above("from collections import defaultdict\nSEEN = defaultdict(int)"), first("SEEN[1]")],
        "    SEEN[1]",
        "'SEEN' is read, a defaultdict",
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
    assert sentence.count("\n") == 0


CHANGED_BY_ANOTHER_NAME = {
    "a part of a list": [above("SEEN = [[]]"), first("seen = SEEN[0]; seen.append(1)")],
    "a list that a function is given": [above("SEEN = []\n\ndef see(what):\n    what.append(1)"), first("see(SEEN)")],
    "a dict": [above("SEEN = {}"), first("seen = SEEN; seen[1] = 1")],
    "a set in a dict": [above("SEEN = {1: {1}}"), first("for seen in SEEN.values(): seen.add(2)")],
}


@pytest.mark.parametrize("replacements", CHANGED_BY_ANOTHER_NAME.values(), ids=CHANGED_BY_ANOTHER_NAME)
def test_what_is_beside_the_rules_cannot_be_changed(tmp_path: Path, replacements: list[tuple[str, str]]) -> None:
    game = komi.find(str(rulefiles.write(tmp_path, *replacements)))
    with pytest.raises((AttributeError, TypeError)):
        next(game.outcomes(game.default_rules, game.module.State(0, 0, 0), 0))


def test_a_list_keeps_its_numbers_when_it_is_made_constant(tmp_path: Path) -> None:
    text = "A, B, C = [1, [2]], {3: [4]}, {5, 6}\nclass Kept:\n    d = [7]"
    module = komi.find(str(rulefiles.write(tmp_path, above(text)))).module
    assert (module.A, dict(module.B), module.C, module.Kept.d) == ((1, (2,)), {3: (4,)}, {5, 6}, (7,))


PURE = {
    "functions of mathematics": [above("import math\nfrom math import comb"), first("math.floor(2.5) + comb(3, 2)")],
    "tables": [above("A, B, C = [1], {1: 2}, (1, (2, 3))"), first("A[0] + B[1] + C[1][0]")],
    "a table filled when the file is loaded": [
        above("from itertools import product\nA = [0]\nfor x, y in product((1, 2), (3, 4)):\n    A[0] += x * y"),
        first("A[0]"),
    ],
    "a count that only makes a table": [
        above("from collections import Counter\nWAYS = Counter((1, 2, 2))\nTABLE = [WAYS[i] for i in range(3)]"),
        first("TABLE[2]"),
    ],
    "lists of their own": [first("own = []; own.append(1)")],
    "lists of their own, filled elsewhere": [
        above("def see(what):\n    what.append(1)"),
        first("own = [0]; see(own)"),
    ],
    "names like Python's": [above("def size(open, id):\n    return open + id"), first("size(1, 2)")],
    "functions of built-in games": [above("from komi.games._seats import passed"), first("passed")],
}


@pytest.mark.parametrize("replacements", PURE.values(), ids=PURE)
def test_what_never_changes_may_be_read(tmp_path: Path, replacements: list[tuple[str, str]]) -> None:
    assert komi.find(str(rulefiles.write(tmp_path, *replacements)))


def test_what_a_file_beside_the_rules_draws_is_refused_there(tmp_path: Path) -> None:
    (tmp_path / "dice.py").write_text("import random\n\n\ndef face():\n    return random.randint(1, 6)\n")
    path = rulefiles.write(tmp_path, above("import dice"), first("dice.face()"))
    with pytest.raises(komi.GameError, match=r"^dice\.py, line 1: 'random' is imported"):
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
    with pytest.raises(komi.GameError, match=r"^mine\.py, line 1: 'random' is imported"):
        from_files.from_file(f"{path}:bold")


def test_rules_that_say_something_else_when_requested_again_are_a_problem(
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
