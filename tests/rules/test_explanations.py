"""Rules that cannot be compiled, or fail when compiled, are reported in one sentence with the line."""

import math
from pathlib import Path

import numba
import pytest

import komi
from komi.compiling.explanations import explain
from komi.rules import source

import rulefiles

pytestmark = pytest.mark.usefixtures("compiled_rules")
HOLD = "        yield 1.0, State(rival"

MISTAKES = {  # (replacements, the text that stands in the line that must be named, what must be said of it)
    "missing attribute": ([("return state.rival", "return state.rivel")], "rivel", "no attribute 'rivel'"),
    "missing rule": ([("< rules.goal:", "< rules.gaol:")], "gaol", "no attribute 'gaol'"),
    "misspelt variable": ([("score + turn, 0)", "score + trun, 0)")], "trun", "name 'trun' is not defined"),
    "too few fields": ([("State(rival, score, 0)", "State(rival, score)")], "State(rival, score)", "'turn'"),
    "too many fields": ([("State(rival, score, 0)", "State(rival, score, 0, 0)")], "score, 0, 0)", "5 were given"),
    "pairs": ([("State(rival, score, 0), 1", "State(rival, score, 0)")], "score, 0)\n", "must yield (probability"),
    "a plain tuple": ([("State(rival, score, 0), 1", "(rival, score, 0), 1")], "(rival, score, 0)", "not a State"),
    "floats in a state": ([("turn + face)", "turn / 2)")], "turn / 2", "field 'turn' of a state is 0.0"),
    "a bool in a state": ([("turn + face)", "turn > 9)")], "turn > 9", "field 'turn' of a state is False"),
    "unknown builtin": ([(HOLD, "        sorted([1], key=abs)\n" + HOLD)], "sorted", "'sorted'"),
    "a mixed dict": ([(HOLD, "        {1: 'a', 'b': 2}\n" + HOLD)], "'b': 2", "cannot be compiled"),
    "string formatting": ([(HOLD, "        f'{score:>3}'\n" + HOLD)], ":>3", "format spec"),
    "a class": (
        [("    return state.rival", "    class Rival: ...\n    return state.rival")],
        "class Rival",
        "compiled",
    ),
}


@pytest.mark.parametrize(("replacements", "text", "reason"), MISTAKES.values(), ids=MISTAKES)
def test_mistake_is_reported_with_its_line(
    tmp_path: Path, replacements: list[tuple[str, str]], text: str, reason: str
) -> None:
    path = rulefiles.write(tmp_path, *replacements)
    with pytest.raises(komi.GameError) as caught:
        komi.solve(str(path))
    sentence = str(caught.value)
    assert sentence.startswith(f"sprint.py, line {rulefiles.line_of(path, text.strip())}: ")
    assert reason in sentence
    assert "\n" not in sentence


def test_error_that_only_some_rules_meet_names_line_and_state(tmp_path: Path) -> None:
    path = rulefiles.write(tmp_path, ("score + turn, 0), 1", "score + turn + 0 // (9 - rules.goal), 0), 1"))
    assert komi.solve(str(path)).value() > 0
    with pytest.raises(komi.GameError, match=r"line 33: ZeroDivisionError: .* in score=0,rival=0,turn=0\."):
        komi.solve(str(path), goal=9)


@pytest.mark.slow
def test_error_far_from_the_start_is_not_an_error_of_the_compiler(tmp_path: Path) -> None:
    far = "0 // (abs(score - 150) + abs(rival - 150))"
    path = rulefiles.write(tmp_path, ("score + turn, 0), 1", f"score + turn + {far}, 0), 1"), ("= 5", "= 200"))
    with pytest.raises(komi.GameError, match=r"line 33: ZeroDivisionError: .* in score=150,rival=150,turn=0\."):
        komi.solve(str(path))


def test_mistake_in_a_helper_names_the_helper(tmp_path: Path) -> None:
    (tmp_path / "dice.py").write_text("def share(rules):\n    return 1 / rules.sides\n")
    path = rulefiles.write(
        tmp_path,
        ("players = 2", "import dice\n\nplayers = 2"),
        ("yield 1 / 3, State(rival", "yield dice.share(rules), State(rival"),
    )
    with pytest.raises(komi.GameError, match=r"^dice\.py, line 2: AttributeError: 'Rules' object has no .*'sides'"):
        komi.solve(str(path))


ALONE = {  # what rules do that they cannot: (lines of the file, what stands in `outcomes`, what is said of it)
    "a function that is not supported": ("import math", "math.dist((1, 2), (3, 4))", "rules cannot use 'math.dist'"),
    "a method of a state": ("", "state._asdict()", "rules know the fields of a State, and no '_asdict'"),
    "a method of the rules' own": (
        "class Pair(NamedTuple):\n    x: int\n\n    def twice(self):\n        return 2 * self.x",
        "Pair(2).twice()",
        "no 'twice' of it: write a function of the file that takes a Pair",
    ),
    "a generator inside": ("", "def inner():\n        yield 1\n    list(inner())", "put the function beside the rules"),
    "a dict of texts": ("D = {'a': 1}", "D['a']", "rules cannot use 'D', a dict: they use whole numbers"),
    "an instance": (
        "from fractions import Fraction\nT = Fraction(1, 3)",
        "T + 1",
        "rules cannot use 'T', a fractions.Fraction",
    ),
    "a list of texts": ("L = ['a', 1]", "L[turn % 2]", "'getitem' cannot take what it is given"),
    "a list that stays empty": ("", "l = []", "nothing is ever put into 'l'"),
    "two kinds returned": (
        "def f(x):\n    if x > 1:\n        return (1, 2)\n    return 1",
        "f(turn)",
        "a function returns a whole number in one place and a tuple in another",
    ),
    "two kinds of one name": ("", "x = 1\n    if turn > 1:\n        x = (1, 2)\n    x + x", "'x' is a"),
    "a caught error": (
        "",
        "try:\n        1 // turn\n    except ZeroDivisionError:\n        pass",
        "rules cannot catch an error by its name",
    ),
    "the rest of a tuple": ("", "a, *b = state", "name each part"),
    "a class": ("class C:\n    def f(self):\n        return 1", "C()", "rules cannot make a 'C'"),
    "a recursive generator": (
        "def go(n):\n    if n > 0:\n        yield n\n        for x in go(n - 1):\n            yield x",
        "for x in go(3):\n        x",
        "write it as a loop",
    ),
}
JARGON = ("Untyped", "unify", "reflected", "opcode", "attribute '", "Module(", "numba", "getiter", "signature")


@pytest.mark.parametrize(("above", "inside", "reason"), ALONE.values(), ids=ALONE)
def test_what_cannot_be_compiled_is_reported_in_the_words_of_the_guide(
    tmp_path: Path, above: str, inside: str, reason: str
) -> None:
    roll = "    yield 1 / 3, State(rival, score, 0), 1\n"
    path = rulefiles.write(tmp_path, ("players = 2", f"{above}\n\nplayers = 2"), (roll, f"    {inside}\n{roll}"))
    game = komi.find(str(path))
    files = source.files(game.module)
    sentence = str(explain(game, files, (), numba.TypingError(""), (game.default_rules,), lambda rules, state: None))
    assert sentence.startswith("sprint.py, line ")
    assert reason in sentence
    assert not [word for word in JARGON if word in sentence]


PLAIN = (  # what the compiler does not know by itself
    (
        "players = 2",
        "import math\nfrom math import comb\n\nMOVES = [[1, 2], [3, 4]]\n"
        "ODD = {1, 3, 5}\nWORTH = {2: 5, 3: 7, 4: 1}\n\n"
        "def held(state):\n"
        "    yield 1.0, state._replace(rival=state.score + state.turn, score=state.rival, turn=0), 1\n\n"
        "players = 2",
    ),
    ("        yield 1.0, State(rival, score + turn, 0), 1\n", "        yield from held(state)\n"),
    (
        "turn + face)",
        "turn + MOVES[face % 2][turn % 2] + (turn in ODD) + WORTH[face] - WORTH.get(turn, 3) % 3 + (face in WORTH)"
        " + comb(5, turn % 6) % 3 + math.factorial(turn % 5) % 2 + math.perm(4, 2) % 5 + math.isqrt(turn)"
        " + sum(x * face for x in range(3)) % 2 + max(x for x in (1, turn)) % 2 + any(x > 2 for x in (face, turn))"
        " + math.lcm(face, 4) % 3 + sum(value for key, value in WORTH.items() if key > turn) % 2 + len(WORTH))",
    ),
    ("    return state.rival >= rules.goal", "    return any([state.rival >= rules.goal, False])"),
)


@pytest.mark.slow
def test_plain_python_that_the_compiler_does_not_know_says_the_same_compiled(tmp_path: Path) -> None:
    report = komi.check(str(rulefiles.write(tmp_path, *PLAIN)), goal=60)
    assert report.ok, report.problems
    assert any("Interpreted and compiled rules agree" in sentence for sentence in report.holds)


def test_functions_of_mathematics_say_what_pythons_say_or_that_there_is_no_room() -> None:
    @numba.njit
    def said(n: int, k: int) -> tuple[int, int, int]:
        return math.comb(n, k), math.isqrt(n), math.lcm(n, k)

    for n in range(67):
        for k in range(0, 70, 3):
            if math.comb(n, k) < 1 << 63:
                assert said(n, k) == (math.comb(n, k), math.isqrt(n), math.lcm(n, k))
            else:
                with pytest.raises(OverflowError, match="64 bits"):
                    said(n, k)


def test_what_only_compiled_rules_raise_is_reported_with_the_state(tmp_path: Path) -> None:
    path = rulefiles.write(
        tmp_path,
        ("players = 2", "import math\n\nplayers = 2"),
        ("turn + face)", "turn + face + math.comb(100 + turn, 50) % 2)"),
    )
    with pytest.raises(
        komi.GameError, match=r"comb\(\) does not fit into 64 bits in score=0,rival=0,turn=0: komi computes with 64-bit"
    ):
        komi.solve(str(path))
