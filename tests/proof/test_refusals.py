"""The checker accepts no certificate that proves nothing: changed ones, wrong rules, rules that are not arithmetic."""

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import komi
from komi.compiling.compiled import CompiledGame
from komi.errors import KomiError
from komi.rules import catalog
from komi.rules.game import Game
from komi.solvers.stochastic.optimal_values import Values, find_values
from komi.transient import verification

import certificates

Fields = dict[str, Any]
GOAL = 10
GAMES = Path(__file__).parents[1] / "games"


@pytest.fixture(scope="module")
def pig(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate of a small game of Pig."""
    file = tmp_path_factory.mktemp("certificates") / "pig.cert"
    komi.prove("pig", file, goal=GOAL)
    return file


def corrupt(fields: Fields, numbers: random.Random) -> str:
    """Change one thing that matters; return what."""
    claim = fields["claims"][0]
    index = numbers.randrange(len(claim["lower"]))
    what = numbers.choice(("lower", "upper", "interval", "state", "missing", "rule", "source", "claim"))
    match what:
        case "lower":
            claim["lower"][index] += claim["gap"][index] + numbers.randrange(1, 1 << 20)
            claim["gap"][index] = numbers.randrange(2)
        case "upper":
            claim["gap"][index] = -numbers.randrange(1, 1 << 20)
        case "interval":
            claim["lower"][index] += numbers.choice((-1, 1)) * (1 << numbers.randrange(24, 36))
        case "state":
            other = (index + numbers.randrange(1, len(claim["lower"]))) % len(claim["lower"])
            for column in claim["states"]:
                column[index], column[other] = column[other], column[index]
        case "missing":
            rows = list(zip(*claim["states"], strict=True))
            score, rival, *_ = rows[index]
            for place in sorted({rows.index((score, rival, 0, 0, 0)), rows.index((rival, score, 0, 0, 0))})[::-1]:
                for column in (*claim["states"], claim["seats"], claim["lower"], claim["gap"]):
                    del column[place]  # a 1 leads from each of the two states to the other
        case "rule":
            fields["rules"][numbers.choice(("goal", "sides", "komi"))] += 1
        case "source":
            source = fields["modules"]["komi.games.pig"]
            old, new = numbers.choice(
                (
                    ("1.0 / rules.sides", "1.0 / (rules.sides + 1)"),
                    ("turn + face", "turn + face + 1"),
                    ("range(2,", "range(1,"),
                )
            )
            fields["modules"]["komi.games.pig"] = source.replace(old, new)
        case "claim":
            claim["interval"][numbers.randrange(2)] = sum(claim["interval"]) // 2
    return what


def refuse_corruptions(file: Path, seeds: range) -> None:
    sound = certificates.read(file)
    for seed in seeds:
        numbers, what = random.Random(seed), []
        changed = certificates.change(file, lambda fields: what.append(corrupt(fields, numbers)))  # noqa: B023
        if certificates.read(changed) == sound:
            continue
        result, status = certificates.check(changed)
        assert status == 1, (seed, what, result)
        assert result["reason"]
        assert len(result["state"]) == 5


def test_corruptions_are_refused_with_a_state(pig: Path) -> None:
    refuse_corruptions(pig, range(50))


@pytest.mark.slow
def test_a_thousand_corruptions_are_refused(pig: Path) -> None:
    refuse_corruptions(pig, range(100, 1100))


def test_each_changed_byte_is_noticed(pig: Path, tmp_path: Path) -> None:
    data, file = pig.read_bytes(), tmp_path / "changed.cert"
    for place in (*range(90), *range(90, len(data), 41)):
        file.write_bytes(data[:place] + bytes([data[place] ^ 1 << place % 8]) + data[place + 1 :])
        assert certificates.check(file)[1] == 2, place


def rely_on_hints(file: Path, game: Game, rules: Any, values: Values) -> None:
    """Put values that rely on hints into a certificate, in place of those of the states that are not inside a roll."""

    def replace(fields: Fields) -> None:
        claim = fields["claims"][0]
        unit = 1 << claim["bits"]
        for index, row in enumerate(zip(*claim["states"], strict=True)):
            state = game.module.State(*row)
            if not game.part("transient")(rules, state):
                value = float(values.values[values.states.index_of(state)])
                claim["lower"][index], claim["gap"][index] = int((value - 1e-9) * unit), int(2e-9 * unit)
        start = float(values.values[values.states.index_of(game.part("start")(rules))])
        claim["interval"] = [int((start - 2e-9) * unit), int((start + 2e-9) * unit)]

    certificates.change(file, replace)


@pytest.mark.slow
def test_false_proofs_that_rely_on_broken_hints_are_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The proof that relied on 'roll' and 'totals' without verifying them."""
    monkeypatch.setattr(verification, "verify_sharing", lambda compiled, rules, rolls, states, progress: states.size)
    game, file = catalog.find(str(GAMES / "random_rolls.py")), tmp_path / "rolls.cert"
    compiled, false = CompiledGame(game), 0
    for plan in range(40):
        chosen = {"plan": plan, "stored": 20, "broken": 1}
        promising = game.rules({**chosen, "promised": True})
        try:
            proof = komi.prove(game, file, **chosen, promised=False)
            values = find_values(compiled, promising, [game.part("start")(promising)])
        except KomiError:
            continue
        rely_on_hints(file, game, promising, values)
        start = float(values.values[values.states.index_of(game.part("start")(promising))])
        if not proof.lower - 1e-8 <= start <= proof.upper + 1e-8:
            assert certificates.check(file.with_suffix(".changed"))[1] == 1, plan
            false += 1
    assert false >= 2


WALK = """
from typing import NamedTuple
players = 1
actions = ("on", "back")
class Rules(NamedTuple):
    end: int = 2
class State(NamedTuple):
    place: int
def start(rules):
    return State(1)
def legal(rules, state):
    yield 0
def outcomes(rules, state, action):
    yield 1 / 2, State(state.place + 1), 0
    yield 0.5, State(state.place - 1), 0
def over(rules, state):
    return state.place in (0, rules.end)
def payoff(rules, state):
    return 1 if state.place else 0
"""
DUEL = WALK.replace("players = 1", "players = 2")
BOTH_WAYS = "    yield 1 / 2, State(state.place + 1), 0\n    yield 0.5, State(state.place - 1), 0\n"
STAY = {"states": [[1]], "bits": 10}


def rules_with(old: str, new: str, source: str = WALK) -> str:
    assert old in source
    return source.replace(old, new)


BAD_RULES = {
    "imports": rules_with("players = 1", "import os\nplayers = len(os.sep)"),
    "imports later": rules_with("    yield 0\n", "    import os\n    yield 0\n"),
    "opens": rules_with("    yield 0\n", "    open('/tmp/stolen', 'w')\n    yield 0\n"),
    "evaluates": rules_with("players = 1", "players = eval('1')"),
    "attributes": rules_with("players = 1", "players = len(().__class__.__mro__[-1].__subclasses__())"),
    "frames": rules_with("    yield 0\n", "    yield (lambda: (yield))().gi_frame.f_back\n"),
    "names": rules_with("players = 1", "players = __builtins__['len'](())"),
    "divides by zero": rules_with("1 / 2", "1 / (rules.end - 2)"),
    "floats": rules_with("1 / 2", "2 ** 0.5"),
    "powers": rules_with("1 / 2", "10 ** 10 ** 10"),
    "memory": rules_with("players = 1", "players = 1\nMANY = [0] * 10 ** 13"),
    "remembers": rules_with(
        "players = 1", "players = 1\ndef made():\n    seen = []\n    return lambda: seen\nMADE = made()"
    ),
    "global": rules_with("    yield 0\n", "    global actions\n    yield 0\n"),
    "appends": rules_with("    yield 0\n", "    SEEN.append(0)\n    yield 0\n") + "SEEN = []\n",
    "default": rules_with("def legal(rules, state)", "def legal(rules, state, seen=[])"),
    "class": rules_with("    end: int = 2", "    end: int = 2\n    seen = []"),
    "syntax": rules_with("players = 1", "players ="),
    "recursion": rules_with("    yield 0\n", "    yield from legal(rules, state)\n"),
    "too many actions": rules_with("    yield 0\n", "    while True:\n        yield 0\n"),
    "missing part": rules_with("def payoff", "def paid"),
}


@pytest.mark.parametrize("source", BAD_RULES.values(), ids=BAD_RULES)
def test_rules_that_are_not_arithmetic_are_refused(source: str, tmp_path: Path) -> None:
    file = certificates.with_rules(tmp_path / "walk.cert", source)
    result, status = certificates.check(file)
    assert (status, result["verified"]) == (2, False)
    assert "\n" not in result["reason"]
    assert result["reason"]


WRONG_RULES = {
    "do not sum": rules_with("0.5", "0.5000000000000001"),
    "sums over": rules_with("0.5", "2 / 3"),
    "negative": rules_with("    yield 0.5", "    yield 1, State(2), 0\n    yield -0.5"),
    "no action": rules_with("    yield 0\n", "    yield from ()\n"),
    "chance and choice": rules_with("    yield 0\n", "    yield 0\n    yield -1\n"),
    "payoff": rules_with("return 1 if", "return 1.5 if"),
    "reward": WALK + "def reward(rules, state, action, after):\n    return 1\n",
    "no state": rules_with("0.5, State(state.place - 1)", "0.5, Rules(state.place - 1)"),
    "payoffs": rules_with("payoff(rules, state):", "payoff(rules, state, seat):", DUEL),
    "endless": rules_with("State(state.place + 1)", "State(1)"),
}


@pytest.mark.parametrize("source", WRONG_RULES.values(), ids=WRONG_RULES)
def test_rules_that_define_no_game_are_refused_with_a_state(source: str, tmp_path: Path) -> None:
    result, status = certificates.check(certificates.with_rules(tmp_path / "walk.cert", source))
    assert (status, result["verified"], list(result["state"])) == (1, False, ["place"])


def test_a_literal_is_the_fraction_that_it_names(tmp_path: Path) -> None:
    tenths = rules_with("yield 0.5", "yield 0.4", rules_with("1 / 2", "0.1 + 0.2 + 0.3"))
    exact = {"bits": 30, "interval": [round(0.6 * (1 << 30)) - 1, round(0.6 * (1 << 30)) + 1]}
    assert certificates.check(certificates.with_rules(tmp_path / "walk.cert", tenths, **exact))[1] == 0


def test_rules_can_be_fractions(tmp_path: Path) -> None:
    halves = rules_with(
        "yield 0.5", "yield rules.half", rules_with("    end: int = 2", "    end: int = 2\n    half: float = 0.25 * 2")
    )
    half = {"bits": 10, "interval": [511, 513]}
    file = certificates.with_rules(tmp_path / "walk.cert", halves, **half)
    assert certificates.check(file)[1] == 0
    assert certificates.check(certificates.change(file, lambda fields: fields.update(rules={"half": 0.5})))[1] == 0
    assert certificates.check(certificates.change(file, lambda fields: fields.update(rules={"half": 0.4})))[1] == 1


def test_endless_rules_end_with_the_time_limit(run: Any, tmp_path: Path) -> None:
    source = rules_with("    yield 0\n", "    while True:\n        pass\n    yield 0\n")
    refused = run("verify", certificates.with_rules(tmp_path / "walk.cert", source), "--seconds", 1)
    assert refused.code == 2
    assert refused.err.count("\n") == 1
    assert "do not end" in refused.err


def test_files_that_are_not_certificates_are_refused(run: Any, pig: Path, tmp_path: Path) -> None:
    cut, new, other = tmp_path / "cut", tmp_path / "new", tmp_path / "other"
    cut.write_bytes(pig.read_bytes()[:-100])
    certificates.write(new, certificates.read(pig), version=3)
    other.write_text("hello")
    expected = {cut: "damaged or cut short", new: "of version 3", other: "not a certificate", tmp_path / "x": "no file"}
    for file, reason in expected.items():
        refused = run("verify", file)
        assert (refused.code, refused.err.count("\n")) == (2, 1)
        assert reason in refused.err
    assert run("prove", "pig", "-o", other).code == 2
    assert other.read_text() == "hello"


def test_state_limit_is_kept(pig: Path) -> None:
    assert certificates.check(pig, max_states=10)[1] == 2


WON = 1 << 41
TUG = """
from typing import NamedTuple
players = 2
class Rules(NamedTuple):
    end: int = 3
class State(NamedTuple):
    place: int
def start(rules):
    return State(1)
def legal(rules, state):
    yield 0
    yield 1
def outcomes(rules, state, action):
    yield 1, State(state.place + 1 - 2 * action), 1
def over(rules, state):
    return state.place in (0, rules.end)
def payoff(rules, state):
    return 0 if state.place == 0 else 1
"""
SCORES = {
    "step": 1,
    "bits": 41,
    "interval": [WON - 1] * 2,
    "states": [[1, 2]],
    "lower": [WON - 1, 2],
    "gap": [0, 0],
}


def test_a_wrong_score_is_refused(tmp_path: Path) -> None:
    file = certificates.with_rules(tmp_path / "tug.cert", TUG, **SCORES)
    result, status = certificates.check(file)
    assert (status, *(result["claims"][0][name] for name in ("lower", "plies"))) == (0, 1.0, 1)
    for index, score in enumerate((WON - 1, 2)):
        for other in (0, 1, WON // 2, WON - score, score - 1, score + 1):
            changed = certificates.change_claim(file, lambda claim: claim["lower"].__setitem__(index, other))  # noqa: B023
            assert certificates.check(changed)[1] == 1, (index, other)
    for score in (0, 1, WON // 2, WON - 3, WON):
        changed = certificates.change_claim(file, lambda claim: claim.update(interval=[score, score]))  # noqa: B023
        assert certificates.check(changed)[1] == 1, score


def stored(low: int, high: int, **fields: Any) -> Fields:
    return {**STAY, "lower": [low], "gap": [high - low], "interval": [low, high], **fields}


def chosen(source: str, action: str) -> str:
    return rules_with("    yield 0\n", f"    yield 0\n    {action}\n", source)


AT_ONCE = rules_with(BOTH_WAYS, "    yield 1, State(2), 0\n", DUEL)  # a win in one ply
LOOP = rules_with("    yield 1 / 2, State(state.place + 1), 0\n", "    yield 1 / 2, state, 0\n")  # at the value 0
WRONG: dict[str, tuple[str, str, str, Fields]] = {  # for each mutation a certificate that it accepts
    "a lower value need not be reached": (
        "self.step or lower <= self.least or is_better",
        "True",
        LOOP,
        stored(500, 600),
    ),
    "a lower value may be held for ever": (
        "lower + (self.endless[seat] != self.greatest)",
        "lower",
        rules_with(BOTH_WAYS, "    yield 1, state, 0\n"),
        stored(500, 1024),
    ),
    "an upper value need not hold": (
        "self.step or upper >= self.greatest or is_worse",
        "True",
        WALK,
        stored(100, 200),
    ),
    "an upper value may be held for ever": (
        "upper - (self.endless[seat] != self.least)",
        "upper",
        rules_with(BOTH_WAYS, "    yield 1, state, 0\n"),
        stored(0, 500),
    ),
    "a claim need not contain the value": (
        "shares[0] * self.one <= low <= high <= shares[1] * self.one",
        "True",
        WALK,
        {"bits": 10, "interval": [0, 1]},
    ),
    "probabilities need not sum to 1": (
        "sum(weights) == common and",
        "",
        rules_with("yield 0.5", "yield 0.25"),
        {"bits": 10, "interval": [682, 683]},  # weights are divided by their sum
    ),
    "probabilities may be negative": (
        "and min(weights) >= 0",
        "",
        rules_with("    yield 0.5", "    yield 1, State(2), 0\n    yield -0.5"),
        {"bits": 10, "interval": [1535, 1537]},
    ),
    "play may come back": (
        'need(False, "play returns here, past no stored state", after[1])',
        "(0, 0)",
        LOOP,
        {"bits": 10, "interval": [-1, 1]},
    ),
    "the other player's interval is taken as it is": (
        "lower, upper = self.one - upper, self.one - lower",
        "pass",
        rules_with("State(state.place + 1), 0", "State(state.place + 1), 1", DUEL),
        {"bits": 10, "interval": [511, 513]},
    ),
    "the worst action is taken": (
        "values = max(low for low, _ in found), max(high for _, high in found)",
        "values = min(low for low, _ in found), min(high for _, high in found)",
        rules_with("State(state.place + 1)", "State(state.place + 1 - 2 * action)", chosen(WALK, "yield 1")),
        {"bits": 10, "interval": [-1, 1]},
    ),
    "the least is taken for the most": (
        'aim == "least"',
        "False",
        rules_with("State(state.place + 1)", "State(state.place + 1 - 2 * action)", chosen(WALK, "yield 1"))
        + 'aim = "least"\n',
        {"bits": 10, "interval": [511, 513]},
    ),
    "rewards are not counted": (
        " + gain)",
        ")",
        WALK + "def reward(rules, state, action, after):\n    return 1\ndef objective(rules):\n    return 'points'\n",
        {"bits": 10, "interval": [511, 513]},
    ),
    "rewards add to a chance": (
        "self.gains or not any(rewards)",
        "True",
        WALK + "def reward(rules, state, action, after):\n    return 1\n",
        {"bits": 10, "interval": [1535, 1537]},
    ),
    "payoffs may be anything": (
        "min(shares) >= 0 and max(shares) <= 1 and (len(shares) == 1 or sum(shares) == 1)",
        "True",
        rules_with("return 1 if", "return 2 if"),
        {"bits": 10, "interval": [1023, 1025]},
    ),
    "an outcome need not be a state": (
        "{*map(type, after)} <= {self.State}",
        "True",
        rules_with("0.5, State(state.place - 1)", "0.5, Rules(state.place - 1)")
        .replace("state.place in", "state[0] in")
        .replace("if state.place else", "if state[0] else"),
        {"bits": 10, "interval": [511, 513]},
    ),
    "plies may be anything": (
        "not self.step or lower == low == high == upper",
        "True",
        rules_with(BOTH_WAYS, "    yield 1, state, 0\n", DUEL),
        stored(WON - 1, WON - 1, step=1, bits=41),
    ),
    "a ply may count twice": (
        " and self.step in (0, 1)",
        "",
        AT_ONCE,
        {"step": 2, "bits": 41, "interval": [WON - 2] * 2},
    ),
    "plies may be more than a number can hold": (
        "unit > 40",
        "True",
        rules_with(BOTH_WAYS, "    yield 1, State(state.place + 1), 0\n", DUEL),  # a win in two plies
        {"step": 1, "bits": 2, "interval": [2] * 2, "rules": {"end": 3}},
    ),
    "a game with plies may have chance": (
        "not self.step or not found[1:]",
        "True",
        DUEL,
        {"step": 1, "bits": 41, "interval": [WON // 2] * 2},
    ),
    "a game with plies may have other results": (
        "and not (self.step and 2 * shares[0] % 1)",
        "",
        rules_with("return 1 if", "return 1 / 4 if", AT_ONCE),
        {"step": 1, "bits": 41, "interval": [WON // 4 + 1] * 2},
    ),
    "two players may have rewards": (
        "not self.gains or (self.players == 1 and endless is None)",
        "True",
        DUEL + "def reward(rules, state, action, after):\n    return 1\ndef objective(rules):\n    return 'points'\n",
        {"bits": 10, "interval": [1535, 1537]},
    ),
    "the worst payoff may be the best": (
        "0 < self.best == (1 - self.players) * self.worst",
        "True",
        rules_with(BOTH_WAYS, "    yield 1, State(2 * action), 0\n", chosen(DUEL, "yield 1"))
        + "payoff_range = (1, -1)\n",
        {"bits": 10, "interval": [512, 512]},
    ),
}


@pytest.mark.parametrize(("old", "new", "source", "fields"), WRONG.values(), ids=WRONG)
def test_each_condition_is_needed(old: str, new: str, source: str, fields: Fields, tmp_path: Path) -> None:
    file = certificates.with_rules(tmp_path / "wrong.cert", source, **fields)
    assert certificates.check(file)[1] != 0
    result, status = certificates.check(file, certificates.mutated(old, new))
    assert status == 0, result


NONSENSE = ({"seat": 2}, {"seat": -1}, {"play": [None]}, {"play": [None] * 3}, {"step": -1}, {"endless": 2})


@pytest.mark.parametrize("fields", NONSENSE, ids=str)
def test_claims_without_a_theorem_are_refused(fields: Fields, tmp_path: Path) -> None:
    duel: Fields = {"bits": 10, "interval": [511, 513]}
    assert certificates.check(certificates.with_rules(tmp_path / "duel.cert", DUEL, **duel))[1] == 0
    assert certificates.check(certificates.with_rules(tmp_path / "duel.cert", DUEL, **duel | fields))[1] == 2


TRUE: dict[str, tuple[str, Callable[[], Fields]]] = {
    "walk": (WALK, lambda: {"bits": 10, "interval": [511, 513]}),
    "stored": (WALK, lambda: stored(500, 520)),
}


@pytest.mark.parametrize(("source", "fields"), TRUE.values(), ids=TRUE)
def test_true_claims_are_accepted(source: str, fields: Callable[[], Fields], tmp_path: Path) -> None:
    assert certificates.check(certificates.with_rules(tmp_path / "true.cert", source, **fields()))[1] == 0
