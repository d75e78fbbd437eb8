"""The checker runs rules of its language alone: nothing else can remember, look around or tell equal states apart."""

import itertools
import json
import subprocess
import sys
import time
import zlib
from pathlib import Path
from typing import Any

import pytest

from komi.proof.certificate import rule_fields
from komi.proof.nodes import check_rules
from komi.proof.verification import CHECKER
from komi.rules import catalog

import certificates

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted(each for each in (ROOT / "examples").glob("*.py") if "def legal" in each.read_text())
ONE = 1 << 40


def rules(decide: str, more: str = "", body: str = "") -> str:
    """Return a rule file in which chance leads from x=0 to x=1, and from there to a win if `decide` says so."""
    return f"""from typing import NamedTuple
from komi.game import CHANCE
players = 2
class Rules(NamedTuple):
    n: int = 1
class State(NamedTuple):
    x: int
{body}
{more}
def start(rules):
    return State(0)
def legal(rules, state):
    yield CHANCE
def outcomes(rules, state, action):
    win = {decide}
    yield 1, State(1 if state.x == 0 else 2 if win else 3), 0
def over(rules, state):
    return state.x >= 2
def payoff(rules, state):
    return 1 if state.x == 2 else 0
"""


FRAME = """def seen():
    box = []
    def run():
        yield int("{0[0].gi_frame.f_back.f_back.f_back.f_back.f_locals[self].evaluated}".format(box))
    box.append(run())
    for count in box[0]:
        pass
    return count"""
CLOSURE = """def make():
    box = []
    def run():
        box.append(1)
        return len(box)
    return run
SET = {make()}
def tick():
    for each in SET:
        return each()"""
TICK = "tick() % 2 == 1"
LIST = "def tick():\n    SEEN.append(1)\n    return len(SEEN)"
ATTACKS = {  # each is a way to remember, to look around, or to tell equal states apart
    "__all__ is a list that rules can change": rules(
        TICK, "__all__ = []\ndef tick():\n    __all__.append(1)\n    return len(__all__)"
    ),
    "a walrus in the body of State": rules(
        TICK, "def tick():\n    State.seen.append(1)\n    return len(State.seen)", "    (seen := [])"
    ),
    "a closure in a set": rules(TICK, CLOSURE),
    "NamedTuple bound to another class": rules(
        TICK,
        "NamedTuple = int\nclass E(NamedTuple):\n    seen: list = []\ndef tick():\n    E.seen.append(1)\n"
        "    return len(E.seen)",
    ),
    "equal states that rules tell apart": rules("isinstance(state.x, bool)"),
    "str.format reads the checker": rules("seen() == 1", FRAME),
    "the environment": rules(
        '"{0.__globals__[__builtins__][__import__].__globals__[os].environ[HOME]}".format(start) == "/root"'
    ),
    "% writes an address": rules('"0x7" in "%s" % start'),
    "str.format writes an address": rules("'0x7' in '{0}'.format(start)"),
    "a % of the rules": rules("'7' in text(rules)", "def text(rules):\n    return '%s' % rules.n"),
    "a list": rules(TICK, f"SEEN = []\n{LIST}"),
    "a list in a tuple": rules(
        TICK, "SEEN = ([],)\ndef tick():\n    SEEN[0].append(1)\n    return len(SEEN[0])"
    ),
    "a dict": rules(TICK, "SEEN = {}\ndef tick():\n    SEEN[len(SEEN)] = 1\n    return len(SEEN)"),
    "a default": rules(TICK, "def tick(seen=[]):\n    seen.append(1)\n    return len(seen)"),
    "a default by name": rules(TICK, "def tick(*, seen=[]):\n    seen.append(1)\n    return len(seen)"),
    "a default that is a list beside the rules": rules(
        TICK, "SEEN = []\ndef tick(seen=SEEN):\n    seen.append(1)\n    return len(seen)"
    ),
    "a default of a field": rules(
        TICK,
        "class E(NamedTuple):\n    seen: list = []\ndef tick():\n    E().seen.append(1)\n    return len(E().seen)",
    ),
    "an attribute of a class": rules(
        TICK, "class E(NamedTuple):\n    x: int = 0\n    seen = []\ndef tick():\n    E.seen.append(1)\n    return 1"
    ),
    "an attribute of a function": rules(TICK, "def tick():\n    tick.seen = 1\n    return 1"),
    "a generator kept across calls": rules(
        TICK, "def numbers():\n    yield 1\n    yield 2\nKEPT = numbers()\ndef tick():\n    for each in KEPT:\n"
        "        return each\n    return 0"
    ),
    "an iterator kept across calls": rules(
        TICK, "KEPT = zip((1, 2))\ndef tick():\n    for each, in KEPT:\n        return each\n    return 0"
    ),
    "a method of a list kept across calls": rules(TICK, "ADD = [].append\ndef tick():\n    return ADD(1) or 1"),
    "a generator that is sent to": rules(TICK, "def tick():\n    for each in run():\n        return each\n"
        "def run():\n    got = yield 1\n    yield got"),
    "global": rules(TICK, "SEEN = 0\ndef tick():\n    global SEEN\n    SEEN += 1\n    return SEEN"),
    "nonlocal": rules(TICK, "def make():\n    n = 0\n    def run():\n        nonlocal n\n        n += 1\n"
        "        return n\n    return run\ntick = make()"),
    "lambda": rules(TICK, "tick = lambda seen=[]: seen.append(1) or len(seen)"),
    "a decorator": rules(TICK, "def keep(function):\n    return [].append\n@keep\ndef tick():\n    return 1"),
    "try": rules(TICK, "def deep(n):\n    return deep(n + 1)\ndef tick():\n    try:\n        return deep(0)\n"
        "    except RecursionError:\n        return 1"),
    "with": rules(TICK, "def tick():\n    with open('/tmp/x') as file:\n        return 1"),
    "a star import": rules(TICK, "from os import *\ndef tick():\n    return getpid()"),
    "an import": rules(TICK, "import os\ndef tick():\n    return os.getpid()"),
    "an import inside": rules(TICK, "def tick():\n    import os\n    return os.getpid()"),
    "a name of the checker": rules(TICK, "def tick():\n    return __need__(True, 1) or 1"),
    "an operation of the checker": rules("1 / 2 == 7", "def __Div__(a, b):\n    return 7"),
    "an operation of the checker, as a parameter": rules("half(max) == 1", "def half(__Div__):\n    return 1 / 2"),
    "identity": rules("state.x + 256 is LARGE", "LARGE = 257"),
    "id": rules("id(state) % 32 == 0"),
    "hash": rules("hash('a') % 2 == 0"),
    "type": rules("type(state.x) == bool"),
    "repr": rules("'7' in repr(start)"),
    "str of a function": rules("'7' in str(start)"),
    "an f-string": rules("'7' in f'{start}'"),
    "an f-string of a truth value": rules("f'{state.x == 0}' == 'True'"),
    "a long f-string": rules("f'{state.x:>999999999}' == ''"),
    "a long format": rules("f'{state.x:{10 ** 9}}' == ''"),
    "the order of a set": rules("first({'a', 'b', 'c'}) == 'a'", "def first(words):\n    for word in words:\n"
        "        return word"),
    "the order of a set, by comprehension": rules("first() == 'a'", "def first():\n"
        "    for word in {each for each in ('a', 'b', 'c')}:\n        return word"),
    "frames": rules("run().gi_frame.f_lineno == 0", "def run():\n    yield 1"),
    "a method by another name": rules("look(start)", "def look(thing):\n    write = '{0}'.format\n"
        "    return '7' in write(thing)"),
    "a method as a key": rules("max([start], key='{0}'.format) == start"),
    "a function as a parameter": rules("call('{0}'.format)", "def call(function):\n    return function(start)"),
    "a field with the name of a method": rules("'7' in Thing('{0}'.format).get(start)", "class Thing(NamedTuple):\n"
        "    get: int"),
    "a field in the place of a module": rules("'7' in math.comb(start)", "import math\nfrom math import comb\n"
        "class Thing(NamedTuple):\n    comb: int\nmath = Thing('{0}'.format)"),
    "a field in the place of a module, as a parameter": rules("look()", "import math\nclass Thing(NamedTuple):\n"
        "    comb: int\ndef look(math=1):\n    math = Thing('{0}'.format)\n    return '7' in math.comb(start)"),
    "an attribute of a module": rules("math.__dict__ == 1", "import math"),
    "a function of a module that is not exact": rules("math.sin(1) == 1", "import math"),
    "a walrus": rules("(n := 1) == 1"),
    "match": rules(TICK, "def tick():\n    match 1:\n        case _:\n            return 1"),
    "assert": rules(TICK, "def tick():\n    assert 1\n    return 1"),
    "del": rules(TICK, "def tick():\n    n = 1\n    del n\n    return 1"),
    "raise": rules(TICK, "def tick():\n    raise ValueError"),
    "async": rules(TICK, "def tick():\n    n = (each async for each in start)\n    return n.ag_frame"),
    "a metaclass": rules(TICK, "class E(NamedTuple, metaclass=type):\n    x: int = 0\ndef tick():\n    return 1"),
    "a method of a class": rules(TICK, "class E(NamedTuple):\n    x: int = 0\n    def tick(self):\n        return 1\n"
        "def tick():\n    return E().tick()"),
    "the functional form of NamedTuple": rules(TICK, "E = NamedTuple('E', [('x', int)])\ndef tick():\n"
        "    return E(1).x"),
    "a second meaning of a built-in function": rules(TICK, "def len(n):\n    return 1\ndef tick():\n"
        "    return len(())"),
    "a parameter that is called": rules(TICK, "def tick(len=1):\n    return len(())"),
    "bytes": rules("b'a' == b'a'"),
    "complex numbers": rules("1j == 1j"),
    "very deep recursion": rules(TICK, "def tick(n=0):\n    return tick(n + 1)"),
    "fields by their names": rules(
        "state.x == (1, 2) and state.x.win == 1",
        "class A(NamedTuple):\n    win: int\n    loss: int\nclass B(NamedTuple):\n    loss: int\n    win: int",
    ).replace("State(1 if state.x == 0 else", "State(A(1, 2) if state.x == 0 else").replace(".x >= 2", ".x in (2, 3)"),
    "infinity": rules("state.x < 1e999"),
    "float of a text": rules("float('nan') == 1"),
}  # fmt: skip
CLAIMS: dict[str, dict[str, Any]] = {
    "0": {"interval": [0, 0]},
    "1": {"interval": [ONE - 2, ONE], "states": [[-1, 1]], "lower": [0, ONE - 1], "gap": [ONE, 1]},
    "1, one state": {"interval": [ONE - 2, ONE], "states": [[1]], "lower": [ONE - 1], "gap": [1]},
    "1, none stored": {"interval": [ONE, ONE]},
    "1, True stored": {"interval": [ONE - 2, ONE], "states": [[True]], "lower": [ONE - 1], "gap": [1]},
}


def claimed(file: Path, source: str, claim: str) -> Path:
    return certificates.with_rules(file, source, bits=40, **CLAIMS[claim])


@pytest.mark.parametrize("source", ATTACKS.values(), ids=ATTACKS)
def test_rules_outside_of_the_language_prove_nothing(source: str, tmp_path: Path) -> None:
    for claim in CLAIMS:
        result, status = certificates.check(claimed(tmp_path / "attack.cert", source, claim))
        assert not result["verified"], claim
        assert status == 2 or claim != "0", result


def test_a_refusal_names_the_line(tmp_path: Path) -> None:
    result, _ = certificates.check(claimed(tmp_path / "attack.cert", rules("id(state) == 0"), "0"))
    assert "line 15: 'id(state)'" in result["reason"]


def test_the_language_has_what_games_need(tmp_path: Path) -> None:
    more = """TABLE = [[0] * 3 for _ in range(2)]
for row in range(2):
    TABLE[row][1] += row
NAMES = {1: 2}
import math
from itertools import product as pairs
WORDS = tuple(f"{row}/{math.comb(4, row)}" for row in range(3))
class Pair(NamedTuple):
    first: int = 1
    second: int = 2
def numbers(end):
    number = 0
    while number < end:
        number += 1
        if number == 2:
            continue
        yield number
def both(end):
    yield from numbers(end)
def made(n):
    longer = [0] * n
    for place, each in enumerate(longer):
        longer[place] = each + 1
    n *= n
    return sum(longer) * n // n
"""
    decide = " and ".join(
        (
            "TABLE[1][1] == 1 and NAMES.get(5, 7) == 7 and sum(both(3)) == 4 and made(3) == 3",
            "WORDS[2] == '2/6' and len(tuple(pairs(TABLE[0], repeat=2))) == 9",
            "Pair()._replace(first=3) == (3, 2) and 1 in {1, 2} and max(min(n, 2) for n in range(5)) == 2",
        )
    )
    file = claimed(tmp_path / "sound.cert", rules(decide, more), "1, one state")
    result, status = certificates.check(file)
    assert status == 0, result


CONTRADICTIONS: dict[str, tuple[str, str]] = {  # how the checker is weakened, so that it accepts the attack
    "a walrus in the body of State": ('"""arguments ', '"""NamedExpr arguments '),
    "NamedTuple bound to another class": (
        "isinstance(parent, ast.ClassDef)\n",
        'isinstance(parent, ast.ClassDef) or name == "NamedTuple"\n',
    ),
    "% writes an address": ('"%" not in text or', "True or"),
    "a list": ('getattr(value, "_make", tuple)(map(frozen, value))', "value"),
    "a dict": ("types.MappingProxyType(dict(map(frozen, value.items())))", "value"),
    "a default": ('getattr(value, "__defaults__", None)', "None"),
    "a default by name": ('("kwonlyargs", "format_spec")', '("format_spec",)'),
    "a default of a field": ('getattr(value, "_field_defaults", {}).values()', "()"),
    "an attribute of a class": ("<= {ast.AnnAssign,", "<= {ast.Assign, ast.AnnAssign,"),
    "a generator kept across calls": ("is_plain(value) or is_fixed", "True"),
    "global": ('"""arguments ', '"""Global arguments '),
    "an operation of the checker": (
        "case ast.FunctionDef(decorator_list=[]): return",
        "case ast.FunctionDef(): return 1 or",
    ),
    "identity": ("| ast.Is() ", ""),
    "a name of the checker": ('"__" not in name and', "name and"),
    "the order of a set, by comprehension": ("isinstance(parent, ast.Compare)", "True"),
    "frames": ('("_", "gi_")', '("_",)'),
    "a method by another name": (
        "return name in self.functions  #",
        "return True  #",
    ),
    "str.format writes an address": ("NoneType, (", 'NoneType, ("format", '),
    "an f-string": (
        'need(type(value) in (int, str), "its rules write what is not a number") or str(value)',
        "str(value)",
    ),
    "an f-string of a truth value": ("type(value) in (int, str)", "type(value) in (int, bool, str)"),
    "a field with the name of a method": ("isinstance(parent, ast.AnnAssign) and name in METHODS", "False"),
    "a field in the place of a module, as a parameter": ("in self.modules", "in {'math'}"),
    "a method as a key": ('ast.keyword(arg=None | "key")', "ast.keyword(arg=None)"),
    "fields by their names": ("return state if type(state) is self.State and {", "return state if True or {"),
}


@pytest.mark.parametrize("name", CONTRADICTIONS)
def test_each_limit_of_the_language_is_needed(name: str, tmp_path: Path) -> None:
    program = certificates.mutated(*CONTRADICTIONS[name])
    reasons = []
    for claim in CLAIMS:
        result, _ = certificates.check(claimed(tmp_path / "attack.cert", ATTACKS[name], claim), program)
        reasons.append(result.get("reason"))
    assert None in reasons, reasons


CHECKED = [*catalog.names(), *map(str, EXAMPLES)]


@pytest.mark.parametrize("name", CHECKED, ids=[Path(name).stem for name in CHECKED])
def test_games_are_in_the_language(name: str) -> None:
    game = catalog.find(name)
    check_rules(rule_fields(game, game.default_rules))


HANGS = {
    "a range": "max(range(10 ** 12))",
    "a factorial": "factorial(10 ** 8)",
    "a binomial coefficient": "comb(10 ** 9, 5 * 10 ** 8)",
    "a product": "big(7, 20)",
    "a product in place": "bigger(7)",
    "a product of fractions": "big(1 / 7, 20)",
    "a product of a list": "prod([7 ** 9000] * 90)",
    "a power": "10 ** 10 ** 10",
    "a power of a fraction": "(1 / 3) ** -(10 ** 10)",
    "a shift": "1 << 10 ** 9",
    "a shift in place": "shifted(10 ** 9)",
    "a list": "[0] * 10 ** 9",
    "a text": "'ab' * 10 ** 9",
    "a tuple, repeated": "10 ** 9 * (1, 2)",
    "products": "max(product(range(1000), repeat=10))",
    "combinations": "max(combinations(range(1000), 500))",
    "a quotient": "quotient(7)",
    "a literal": "1e300000000",
    "a small literal": "1e-300000000",
}
MORE = """from math import comb, factorial, prod
from itertools import combinations, product
def big(n, times):
    for _ in range(times):
        n = n * n
    return n
def bigger(n):
    while n:
        n *= n
    return n
def shifted(places):
    n = 1
    n <<= places
    return n
def quotient(n):
    while n:
        n = n + 1 / n
    return n
"""


@pytest.mark.parametrize("work", HANGS.values(), ids=HANGS)
def test_what_would_take_long_is_refused_before(work: str, tmp_path: Path) -> None:
    begin = time.process_time()
    file = claimed(tmp_path / "hang.cert", rules(f"({work}) == 1", MORE), "0")
    result, status = certificates.check(file)
    assert status == 2
    assert "too l" in result["reason"]
    assert time.process_time() - begin < 2


def write_text(file: Path, text: str) -> Path:
    """Write a text as the content of a certificate."""
    return certificates.write_packed(file, zlib.compress(text.encode()))


def alone(file: Path, *options: str) -> tuple[dict[str, Any], int]:
    """Return the result of `python verify.py`, and its exit status."""
    command = [sys.executable, str(CHECKER), str(file), *options]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert not done.stderr
    return json.loads(done.stdout), done.returncode


def test_a_long_number_in_the_file_is_refused(tmp_path: Path) -> None:
    file = certificates.with_rules(tmp_path / "long.cert", rules("1"), rules={"n": 17}, bits=40, interval=[0, 0])
    for number in ("1e300000000", "1e-300000000", "NaN", "Infinity", "9" * 5000):
        certificates.write(file, certificates.read(file) | {"rules": {"n": 17}})
        packed = json.dumps(certificates.read(file)).replace("17", number)
        write_text(file, packed)
        result, status = alone(file)
        assert (result["verified"], status) == (False, 2), number


def test_the_checker_alone_ends_in_time(tmp_path: Path) -> None:
    file = claimed(tmp_path / "endless.cert", rules("tick()", "def tick():\n    while True:\n        pass"), "0")
    begin = time.monotonic()
    result, status = alone(file, "--seconds", "1")
    assert (result["verified"], status) == (False, 2)
    assert "do not end" in result["reason"]
    assert time.monotonic() - begin < 20


ORDER = """from typing import NamedTuple
players = 2
class Rules(NamedTuple):
    n: int = 1
class State(NamedTuple):
    said: int
    coin: int
    right: int = 0
def start(rules):
    return State(0, 0)
def legal(rules, state):
    if state.said == 1 and state.coin == 1:
        yield 1
        yield 0
    else:
        yield 0
        yield 1
def outcomes(rules, state, action):
    if state.said == 0:
        yield 1.0, State(1, action), 1
    else:
        yield 1.0, State(2, 0, 1 if action == state.coin else 0), 1
def over(rules, state):
    return state.said == 2
def payoff(rules, state):
    return 1.0 - state.right
def view(rules, state):
    return state if state.said == 2 else state._replace(coin=0)
def turned(rules, state):
    return state
"""
FIRST = {"name": "the first", "shares": [[1, 0]], "states": [[1], [0], [0]]}


@pytest.mark.parametrize(
    "source", (ORDER, ORDER.replace("yield 1\n        yield 0", "yield 1\n        yield 2")), ids="os"
)
def test_a_policy_learns_nothing_from_what_is_legal(source: str, tmp_path: Path) -> None:
    fields = {"play": [None, 0], "policies": [FIRST], "states": [[], [], []], "bits": 40, "interval": [0, 0]}
    file = certificates.with_rules(tmp_path / "order.cert", source, **fields)
    result, status = certificates.check(file)
    assert (status, result["reason"]) == (1, "a state that looks like this one has other actions")
    if source == ORDER:
        assert certificates.check(file, certificates.mutated("lists.setdefault(view, legal)", "legal"))[1] == 0


def test_a_literal_is_the_decimal_that_is_written(tmp_path: Path) -> None:
    source = rules("1").replace("    yield 1, State(1 if", "    yield CHANCES, State(1 if")
    source = source.replace("CHANCES, State(1", "0.{0}1, State(1", 1) + "\n"
    tail = "    yield 0.{1}, State(3), 0\ndef over"
    for zeros, nines, status in ((25, 26, 0), (25, 27, 1)):
        text = source.replace("0.{0}1", "0." + "0" * zeros + "1").replace("def over", tail)
        text = text.replace("0.{1}", "0." + "9" * nines)
        file = certificates.with_rules(tmp_path / "decimal.cert", text, bits=40, interval=[0, 1])
        assert certificates.check(file)[1] == status


@pytest.mark.parametrize("passes", ("-1", "0.5", "2 / 4", "(0,)", "'0'", "None"))
def test_passes_are_whole_numbers(passes: str, tmp_path: Path) -> None:
    source = rules("1").replace("2 if win else 3), 0", f"2 if win else 3), {passes}")
    result, status = certificates.check(claimed(tmp_path / "passes.cert", source, "1, one state"))
    assert (status in (1, 2), result["verified"]) == (True, False)


def test_negative_passes_would_be_accepted_without_the_check(tmp_path: Path) -> None:
    source = rules("1").replace("2 if win else 3), 0", "2 if win else 3), -2")
    file, program = claimed(tmp_path / "passes.cert", source, "1, one state"), "and min(passes, default=0) >= 0 "
    assert certificates.check(file)[1] == 1
    assert certificates.check(file, certificates.mutated(program, ""))[1] == 0


def test_a_certificate_without_claims_is_refused(tmp_path: Path) -> None:
    file = claimed(tmp_path / "none.cert", rules("1"), "1, one state")
    empty = certificates.change(file, lambda fields: fields.update(claims=[]))
    assert certificates.check(empty) == ({"verified": False, "reason": "it claims nothing", "state": None}, 2)
    program = certificates.mutated('need(certificate["claims"], "it claims nothing")', "pass")
    assert certificates.check(empty, program)[1] == 0


NONSENSE = (None, True, 5, -1, 0.5, "x", [], [None], [[]], {}, {"x": 1}, [5, 5], 10**30, "9" * 999)


def places(value: Any) -> list[tuple[Any, Any]]:
    """Return all places in a certificate: what holds a value, and its key."""
    keys = list(value) if isinstance(value, dict) else list(range(len(value))) if isinstance(value, list) else []
    return [(value, key) for key in keys] + [each for key in keys for each in places(value[key])]


def test_no_content_of_a_file_ends_in_a_traceback(tmp_path: Path) -> None:
    file = claimed(tmp_path / "sound.cert", rules("1"), "1, one state")
    count = len(places(certificates.read(file)))
    for index, value in itertools.product(range(count), NONSENSE):
        fields = certificates.read(file)
        holder, key = places(fields)[index]
        holder[key] = value
        result, status = certificates.check(certificates.write(file.with_suffix(".changed"), fields))
        assert status in (0, 1, 2)
        assert json.dumps(result, default=float)
        assert result["verified"] == (status == 0)


@pytest.mark.parametrize("text", ("null", "[]", "5", '"x"', "{}", "[" * 100_000, "{", "\x00", '{"claims": 5}'), ids=str)
def test_files_that_hold_something_else_are_refused(text: str, tmp_path: Path) -> None:
    result, status = alone(write_text(tmp_path / "other.cert", text))
    assert (result["verified"], status) == (False, 2)
