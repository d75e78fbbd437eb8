"""Rules and states that people type are understood, or refused in one sentence."""

import inspect
import re
from pathlib import Path
from types import FunctionType
from typing import Any

import pytest

import komi
from komi.errors import RuleError
from komi.game import CHANCE
from komi.rules.declarations import OPTIONS
from komi.web.page_file import export_page

import rulefiles

GAMES = Path(__file__).parent / "games"


@pytest.mark.parametrize(
    ("name", "settings", "sentence"),
    [
        (
            "pig",
            {"gaol": 50},
            r"pig has no rule 'gaol' \(did you mean 'goal'\?\); its rules are goal, sides, komi, players\.",
        ),
        ("pig", {"goal": "many"}, "rule 'goal' of pig must be a whole number, not 'many'"),
        ("pig", {"goal": 1.5}, "must be a whole number, not '1.5'"),
        ("pig", {"goal": 0}, "goal of pig must be 1 to 1000, not 0"),
        ("pig", {"sides": 1}, "sides of pig must be 2 to 100, not 1"),
        ("pig", {"komi": -1}, "komi of pig must be 0 to 99, not -1"),
        ("pig", {"komi": 100}, "komi of pig must be 0 to 99, not 100"),
        ("pig", {"goal": 10**30}, "must be a whole number"),
        ("fowl-play", {"chickens": 0}, "chickens of fowl-play must be 1 to 200, not 0"),
        ("fowl-play", {"wolves": 0}, "wolves of fowl-play must be 1 to 50, not 0"),
        ("red-light", {"red": 0}, "red of red-light must be 1 to 50, not 0"),
    ],
)
def test_rules_out_of_range_are_refused(name: str, settings: dict[str, object], sentence: str) -> None:
    with pytest.raises(komi.InputError, match=sentence):
        komi.find(name).rules(settings)


@pytest.mark.parametrize(
    ("state", "sentence"),
    [
        ("score", "'score' is not of the form field=value"),
        ("score=", "'score=' is not of the form field=value"),
        ("score=1,score=2", "field 'score' is given twice"),
        ("scor=1", r"no field 'scor' \(did you mean 'score'\?\); its fields are score, rival, turn"),
        ("score=x", "field 'score' of a state of pig must be a whole number, not 'x'"),
        ("score=1.5", "must be a whole number, not '1.5'"),
        ("score=100", "pig has no state score=100,rival=0,turn=0: its rules do not allow score=100 there"),
        ("score=-1", "pig has no state score=-1"),
        ("turn=1", "pig has no state score=0,rival=0,turn=1"),
        ((1, 2), r"a state of pig has 3 fields \(score, rival, turn\), not 2"),
        ({"points": 3}, "a state of pig has no field 'points'"),
    ],
)
def test_malformed_and_impossible_states_are_refused(state: str, sentence: str) -> None:
    pig = komi.find("pig")
    with pytest.raises(komi.InputError, match=sentence):
        pig.read(pig.default_rules, state)


def test_fields_left_out_are_as_at_the_start() -> None:
    pig = komi.find("pig")
    rules = pig.rules({"komi": 4})
    assert pig.read(rules, "turn=5") == pig.module.State(score=0, rival=4, turn=5)
    assert pig.read(rules, {}) == pig.part("start")(rules)


@pytest.mark.parametrize("name", ["pig", "fowl-play"])
def test_what_is_written_can_be_read_again(name: str) -> None:
    game = komi.find(name)
    state = game.read(game.default_rules, "score=12,rival=40,turn=5" + (",chickens=9" if name == "fowl-play" else ""))
    assert game.read(game.default_rules, game.write(game.default_rules, state)) == state


def test_events_of_a_silent_game_are_named_by_the_fields_that_tell_them_apart() -> None:
    game = komi.find(str(GAMES / "two_dice_kept.py"))
    events = game.events(game.default_rules, game.part("start")(game.default_rules), CHANCE)
    assert [event.label for event in events][:3] == [
        "lower 1 and higher 1",
        "lower 1 and higher 2",
        "lower 1 and higher 3",
    ]


def test_events_without_names_are_named_by_what_changes(tmp_path: Path) -> None:
    game = komi.find(str(rulefiles.write(tmp_path)))
    state = game.module.State(score=2, rival=1, turn=2)
    assert [event.label for event in game.events(game.default_rules, state, 0)] == [
        "score 1 and rival 2 and turn 0",
        "turn 4",
        "turn 5",
    ]


def test_an_action_that_cannot_fail_is_an_event_with_its_name() -> None:
    pig = komi.find("pig")
    [event] = pig.events(pig.default_rules, pig.read(pig.default_rules, "turn=5"), pig.module.HOLD)
    assert (event.label, event.probability, event.passes) == ("hold", 1.0, 1)


@pytest.mark.parametrize(
    ("name", "state", "labels"),
    [
        ("pig", "", {"1", "2", "3", "4", "5", "6"}),
        ("progressive-pig", "turn=4", {"1", "2", "3", "4", "5", "6"}),
        ("piglet", "turn=1", {"heads", "tails"}),
        ("fowl-play", "turn=1,chickens=1", {"chicken", "wolf"}),
        ("red-light", "red=3,turn=1,green=1", {"green", "red"}),
        ("two-dice-pig", "score=5", {"one 1", "two 1s", *(f"total {total}" for total in range(4, 13))}),
        ("two-dice-pig", "", {"a 1", *(f"total {total}" for total in range(4, 13))}),
        (
            "big-pig",
            "turn=5",
            {"one 1", "two 1s", "total 8 or double 2", "double 3", "double 4", "double 5", "double 6"}
            | {f"total {total}" for total in (5, 6, 7, 9, 10, 11)},
        ),
    ],
)
def test_chance_events_have_the_names_of_the_table(name: str, state: str, labels: set[str]) -> None:
    game = komi.find(name)
    rules = game.default_rules
    events = game.events(rules, game.read(rules, state), 0)
    assert {event.label for event in events} == labels
    assert len(events) == len(labels)


LIMITED = ("def over", "def limits(rules):\n    return {limits}\n\n\ndef over")


@pytest.mark.parametrize(
    ("rule", "limits", "sentence"),
    [
        (
            "faces: int = 3",
            "Rules(goal=(1, 9))",
            "'limits' says 3 of rule 'faces', which must be (least, greatest) or",
        ),
        ("faces: int = 3", "Rules((1, 9), (1, 2, 3, 4))", "'limits' says (1, 2, 3, 4) of rule 'faces'"),
        ("faces: int = 3", "Rules((1, 9), 'few')", "'limits' says 'few' of rule 'faces'"),
        ("faces: int = 3", "((1, 9), (1, 9))", "'limits' returns ((1, 9), (1, 9)), not Rules of (least, greatest)"),
        ("who: str = 'me'", "Rules((1, 9), 'me')", "'limits' says 'me' of rule 'who', which must be a tuple of words"),
    ],
)
@pytest.mark.parametrize("command", ["solve", "check", "simulate"])
def test_limits_of_another_form_are_reported_as_such(
    run: Any, tmp_path: Path, command: str, rule: str, limits: str, sentence: str
) -> None:
    path = rulefiles.write(
        tmp_path,
        ("    goal: int = 5\n", f"    goal: int = 5\n    {rule}\n"),
        (LIMITED[0], LIMITED[1].format(limits=limits)),
    )
    ended = run(command, path)
    assert ended.code in (1, 2)
    assert sentence in ended.out + ended.err


def test_words_without_limits_are_reported_as_such(tmp_path: Path) -> None:
    path = rulefiles.write(tmp_path, ("    goal: int = 5\n", "    goal: int = 5\n    who: str = 'me'\n"))
    with pytest.raises(komi.GameError, match="rule 'who' is a word, so that 'limits' must list all it can be"):
        komi.solve(str(path))


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        (
            'actions = ("roll", "hold")',
            "def actions(rules):\n    return ('roll', 'hold')",
            "'actions' must be a tuple of",
        ),
        ('actions = ("roll", "hold")', "actions = ('roll', 1)", "'actions' must be a tuple of labels"),
        (
            "def over(rules, state):\n    return",
            "over = 5\n\n\ndef ended(rules, state):\n    return",
            "'over' must be a func",
        ),
        *(
            ("def start(rules):", f"{said}\n\n\ndef start(rules):", sentence)
            for said, sentence in (
                ("steps = (1, 1)", "'steps' must be a whole number, 1 or more, for each field of State, not"),
                ("steps = State(0, 1, 1)", "'steps' must be a whole number, 1 or more"),
                ("steps = State(1.5, 1, 1)", "'steps' must be a whole number, 1 or more"),
                ("roll = 5", "'roll' must be names of fields, or a function"),
                ("totals = (1,)", "'totals' must be names of fields, or a function"),
                ("chances = 5", "'chances' must be groups of names of rules"),
                ("policies = (1, 2)", "'policies' must be a tuple of functions"),
            )
        ),
    ],
)
def test_parts_of_another_form_are_refused(tmp_path: Path, old: str, new: str, sentence: str) -> None:
    with pytest.raises(komi.GameError, match=f"sprint.py: {sentence}"):
        komi.find(str(rulefiles.write(tmp_path, (old, new))))


@pytest.mark.parametrize(
    ("helper", "part"),
    [
        (
            "def pick(face):\n    return face",
            ", line 20: 'pick' is a part of the protocol: `pick(rules, state, uniform)`",
        ),
        (
            "def throw(state, face):\n    return face",
            ", line 20: 'throw' is a part of the protocol: `throw(rules, state)`",
        ),
        (
            "def roll(state):\n    return 1",
            "'roll' is a part of the protocol: names of fields, or a function `roll(rules)`",
        ),
        ("def steps(n):\n    return n", "'steps' is a part of the protocol: a whole number, 1 or more, for each field"),
        ("order = 3", "'order' is a part of the protocol: `order(rules, state)`; give your value another name."),
        (
            "from math import comb as sample",
            "'sample' is a part of the protocol: `sample(rules, state, action, uniform)`",
        ),
    ],
)
def test_helper_named_like_a_part_is_refused(tmp_path: Path, helper: str, part: str) -> None:
    with pytest.raises(komi.GameError) as refused:
        komi.find(str(rulefiles.write(tmp_path, ("def start(rules):", f"{helper}\n\n\ndef start(rules):"))))
    assert part in str(refused.value)
    assert re.search(r"; give your (function|value) another name\.$", str(refused.value))


@pytest.mark.parametrize("name", ["seed", "tolerance", "progress", "game", "fresh", "size", "points_"])
def test_rule_can_be_named_like_an_option(tmp_path: Path, run: Any, name: str) -> None:
    renamed = [("goal: int", f"{name}: int"), *[("rules.goal", f"rules.{name}")] * 2]
    path = rulefiles.write(tmp_path, *renamed, name="named.py")
    keyword = name if name == "points_" else f"{name}_"
    value = komi.solve(str(path), **{keyword: 3}).value()
    assert value == komi.solve(str(rulefiles.write(tmp_path)), goal=3).value()
    printed = run("solve", path, "--set", f"{name}=3", "--json").solution
    assert (printed["value"], printed["rules"][name]) == (value, 3)


def test_rule_that_is_given_twice_is_refused() -> None:
    with pytest.raises(komi.InputError, match="rule 'goal' of piglet is given twice"):
        komi.solve("piglet", goal=2, goal_=3)


def test_every_option_beside_the_rules_is_one_that_no_rule_is_named_like() -> None:
    for function in (export_page, *(getattr(komi, name) for name in komi.__all__)):
        if isinstance(function, FunctionType) and inspect.getfullargspec(function).varkw == "rules":
            options = inspect.getfullargspec(function)
            assert {*options.args, *options.kwonlyargs} <= OPTIONS


def test_fields_that_there_are_not_are_reported(tmp_path: Path) -> None:
    said = "def fields(rules):\n    return 'score', 'nope'\n\n\ndef start(rules):"
    game = komi.find(str(rulefiles.write(tmp_path, ("def start(rules):", said))))
    with pytest.raises(komi.GameError, match=r"sprint\.py: 'fields' names 'nope', which is not a field of State"):
        game.read(game.default_rules, "score=1")


@pytest.mark.parametrize("steps", ["State(5, 1, 1)", "State(2, 2, 2)"])
@pytest.mark.parametrize("chance", [True, False])
def test_states_that_are_not_as_steps_say_are_reported(tmp_path: Path, steps: str, chance: bool) -> None:
    changes = [("def start(rules):", f"steps = {steps}\n\n\ndef start(rules):")]
    if not chance:
        changes += [
            ("    yield 1 / 3, State(rival, score, 0), 1\n", ""),
            ("    for face in (2, 3):\n        yield 1 / 3, ", "    for face in (3,):\n        yield 1.0, "),
        ]
    with pytest.raises(komi.GameError, match=r"by 'steps' 'score|by 'steps' 'rival|by 'steps' 'turn"):
        komi.solve(str(rulefiles.write(tmp_path, *changes)))


APART = (
    ("    goal: int = 5\n", "    goal: int = 5\n    head_start: int = 2\n"),
    (
        "def start(rules):",
        "def limits(rules):\n    if rules.head_start >= rules.goal:\n        return 'a head start is below the goal'"
        "\n    return Rules((1, 9), (0, 9))\n\n\ndef start(rules):",
    ),
)


def test_rules_that_do_not_go_together_are_refused_with_the_sentence_of_the_file(run: Any, tmp_path: Path) -> None:
    path = rulefiles.write(tmp_path, *APART)
    said = "sprint cannot be played with goal=3, head_start=4: a head start is below the goal."
    with pytest.raises(komi.InputError, match=said):
        komi.solve(str(path), goal=3, head_start=4)
    ended = run("solve", path, "--set", "goal=3", "--set", "head_start=4")
    assert (ended.code, ended.err) == (2, f"komi: {said}\n")
    with pytest.raises(RuleError) as page:
        komi.find(str(path)).rules({"goal": 2})
    assert page.value.plain_sentence == "These rules do not go together: a head start is below the goal."
    assert komi.check(str(path)).ok


def test_sweeps_skip_rules_that_do_not_go_together(run: Any, tmp_path: Path) -> None:
    path = rulefiles.write(tmp_path, *APART)
    vary = ("--vary", "goal=2..4", "--vary", "head_start=1,3", "--json")
    ended = run("sweep", path, *vary)
    assert (len(ended.solution["rows"]), ended.solution["forbidden"]) == (4, 2)
    ended = run("design", path, *vary, "--target", "actions=5")
    assert (len(ended.solution["rows"]), ended.solution["forbidden"]) == (4, 2)
    assert "skipped 2 rule sets that the limits of sprint do not allow" in ended.err


def test_default_rules_that_do_not_go_together_are_a_problem(tmp_path: Path) -> None:
    (old, new), said = APART
    path = rulefiles.write(tmp_path, (old, new.replace("2", "5")), said)
    (problem,) = komi.check(str(path)).problems
    assert "'limits' does not allow the default rules: sprint cannot be played with the default rules" in str(problem)


def test_limits_that_leave_nothing_are_reported_as_such(tmp_path: Path) -> None:
    said = "def limits(rules):\n    return Rules((60, 1))\n\n\ndef start(rules):"
    game = komi.find(str(rulefiles.write(tmp_path, ("def start(rules):", said))))
    with pytest.raises(komi.InputError, match="no goal of sprint goes with the default rules: 'limits' says 60 to 1"):
        game.rules({})


@pytest.mark.parametrize(
    ("state", "sentence"),
    [
        ((1.5, 0, 0), "field 'score' of a state of piglet must be a whole number, not '1.5'"),
        (("x", 0, 0), "field 'score' of a state of piglet must be a whole number, not 'x'"),
        (5, "a state of piglet is a text, a mapping or a tuple, not 5"),
        ((1, 2), r"a state of piglet has 3 fields \(score, rival, turn\), not 2"),
    ],
)
def test_tuples_that_are_not_states_are_refused(state: Any, sentence: str) -> None:
    game = komi.find("piglet")
    with pytest.raises(komi.InputError, match=sentence):
        game.read(game.default_rules, state)


def test_rule_file_that_prints_is_refused(tmp_path: Path) -> None:
    path = rulefiles.write(tmp_path, ("players = 2", "print('hello')\nplayers = 2"))
    with pytest.raises(komi.GameError, match=f"line {rulefiles.line_of(path, 'hello')}"):
        komi.find(str(path))
