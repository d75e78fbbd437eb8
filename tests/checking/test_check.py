"""`komi.check` finds what is wrong with a rule file, and says in which state."""

from pathlib import Path
from shutil import which
from typing import Any

import pytest

import komi
from komi.checking import hints
from komi.rules import catalog
from komi.solvers.tablebase.tablebase import PositionValue, Tablebase
from komi.translation.javascript import translate

import rulefiles

CHOICES = Path(__file__).parents[1] / "games" / "hidden_choices.py"
HINTED = "def over(rules, state):"

BROKEN = {  # what is wrong: (replacements, what the problem says, a state in which it shows)
    "a dead end": (
        [("    yield HOLD\n", "    if state.turn < 4:\n        yield HOLD\n")],
        "there is no legal action, and the game is not over",
        "turn=5",
    ),
    "probabilities of 0.9": (
        [("yield 1 / 3, State(rival", "yield 0.7 / 3, State(rival")],
        "the probabilities of 'roll' sum to 0.9, not 1",
        "score=0,rival=0,turn=0",
    ),
    "a negative probability": (
        [("yield 1 / 3, State(rival", "yield -1 / 3, State(rival")],
        "line {line}: a probability is -0.33",
        "score=0,rival=0,turn=0",
    ),
    "a state out of its range": (
        [(HINTED, f"def possible(rules, state):\n    return state.turn < 3\n\n\n{HINTED}")],
        "play reaches a state that 'possible' rules out",
        "turn=3",
    ),
    "chances that are more than proportions": (
        [
            (
                "class Rules(NamedTuple):\n    goal: int = 5\n",
                'chances = (("bad", "good"),)\n\n\nclass Rules(NamedTuple):\n    goal: int = 5\n'
                "    bad: float = 1.0\n    good: float = 2.0\n",
            ),
            ("yield 1 / 3, State(rival", "yield rules.bad / 3, State(rival"),
        ],
        "with the numbers of bad, good doubled, the outcomes differ",
        "score=0,rival=0,turn=0",
    ),
    "chances of no rules": (
        [(HINTED, f'chances = (("heads", "tails"),)\n\n\n{HINTED}')],
        "'chances' names 'heads', which is not a rule with a float",
        None,
    ),
    "a payoff of 2": ([("return 0.0", "return 2.0")], "the payoff is 2.0, not from 0 to 1", "rival=5"),
    "a payoff in points": (
        [("players = 2", "players = 1"), ("return 0.0", "return 43.0")],
        "the payoff is 43.0, not from 0 to 1 (points come from 'reward')",
        "rival=5",
    ),
    "an invalid payoff": ([("return 0.0", "pass")], "the payoff is None, not from 0 to 1", "rival=5"),
    "a turn passed back": (
        [("turn, 0), 1\n", "turn, 0), -1\n")],
        "line {line}: the turn passes on by -1 seats",
        "turn=0",
    ),
    "an unknown action": (
        [("    yield HOLD\n", "    yield 2\n")],
        "'legal' yields 2, which is not an action",
        "turn=0",
    ),
    "a fraction in a state": (
        [("turn + face)", "turn + face / 2)")],
        "line {line}: field 'turn' of a state is 1.0, not a whole number",
        "turn=0",
    ),
    "an attribute that is not there": (
        [("return state.rival >=", "return state.rivel >=")],
        "line {line}: AttributeError: 'State' object has no attribute 'rivel'",
        "score=0,rival=0,turn=0",
    ),
    "a division by zero": (
        [("yield 1.0, State(rival", "yield 1.0 + 0 / (3 - turn), State(rival")],
        "line {line}: ZeroDivisionError",
        "turn=3",
    ),
    "an end that is not reported": ([("return state.rival", "state.rival")], "'over' returns None", "turn=0"),
    "pairs for outcomes": (
        [("State(rival, score, 0), 1", "State(rival, score, 0)")],
        "line {line}: 'outcomes' must yield (probability, next state, seats passed on)",
        "turn=0",
    ),
    "an invalid start": ([("return State(0, 0, 0)", "State(0, 0, 0)")], "'start' returns None", None),
    "a start at the end": ([("State(0, 0, 0)", "State(0, 9, 0)")], "the game is over before it begins", "rival=9"),
    "limits that rule out the defaults": (
        [(HINTED, f"def limits(rules):\n    return Rules((6, 9))\n\n\n{HINTED}")],
        "'limits' does not allow the default rules: goal of sprint must be 6 to 9, not 5",
        None,
    ),
    "limits under which the rules fail": (
        [(HINTED, f"def limits(rules):\n    return Rules((0, 9))\n\n\n{HINTED}")],
        "the game is over before it begins, with goal=0, which 'limits' allows",
        "rival=0",
    ),
    "a view that hides what can be done": (
        [(HINTED, f"def view(rules, state):\n    return State(0, 0, 0)\n\n\n{HINTED}")],
        "states with the same 'view' differ in their legal actions",
        "turn=",
    ),
    "events that share a name": (
        [(HINTED, f"def event(rules, state, action, after):\n    return 'a number'\n\n\n{HINTED}")],
        "two outcomes of one action have the same 'event'",
        "turn=0",
    ),
    "an event without a name": (
        [(HINTED, f"def event(rules, state, action, after):\n    return after.turn\n\n\n{HINTED}")],
        "'event' returns 0, which is not a name",
        "turn=0",
    ),
    "transient states round": (
        [(HINTED, f"def transient(rules, state):\n    return True\n\n\n{HINTED}")],
        "'transient' states form a cycle",
        "turn=",
    ),
}


@pytest.mark.parametrize(("replacements", "message", "state"), BROKEN.values(), ids=BROKEN)
def test_what_is_broken_is_named_with_a_state(
    tmp_path: Path, replacements: list[tuple[str, str]], message: str, state: str | None
) -> None:
    path = rulefiles.write(tmp_path, *replacements)
    report = komi.check(str(path))
    assert not report.ok
    problem = report.problems[0]
    line = rulefiles.line_of(path, replacements[0][1].splitlines()[0])
    assert message.format(line=line) in problem.message
    assert (state or "") in (problem.state or "")
    assert (state is None) == (problem.state is None)


def test_an_action_that_all_see_and_that_view_hides_is_named(tmp_path: Path) -> None:
    rules = (Path(__file__).parents[1] / "games" / "little_battleship.py").read_text(encoding="utf-8")
    path = tmp_path / "battleship.py"
    path.write_text(rules.replace("def open_actions(", "def _shots(") + "\n\nopen_actions = True\n")
    [problem] = komi.check(str(path)).problems
    assert "only of actions that 'view' does not hide from the next player, as it does 'hide at 1'" in problem.message


def test_all_kinds_of_problems_are_found_at_once(tmp_path: Path) -> None:
    path = rulefiles.write(
        tmp_path,
        ("yield 1 / 3, State(rival", "yield 0.3, State(rival"),
        ("return 0.0", "return -1.0"),
        ("    yield HOLD\n", "    if state.turn != 3:\n        yield HOLD\n"),
    )
    messages = " ".join(problem.message for problem in komi.check(str(path)).problems)
    assert "sum to 0.9666666667" in messages
    assert "the payoff is -1.0" in messages
    assert "there is no legal action" in messages  # once 3 more points would win


def test_a_game_that_nothing_can_end_is_a_problem(tmp_path: Path) -> None:
    path = rulefiles.write(tmp_path, ("score + turn, 0), 1", "score, 0), 1"))
    report = komi.check(str(path))
    assert [problem.message for problem in report.problems] == [
        "sprint.py: the game can never end, whatever the players choose"
    ]
    assert report.problems[0].state is not None


def test_a_trap_behind_a_door_is_a_problem(tmp_path: Path) -> None:
    """The game ends as a rule, but not from a score of 4, where only rolling is left, and never scores."""
    path = rulefiles.write(
        tmp_path,
        ("    yield HOLD\n", "    if state.score != 4 and state.rival != 4:\n        yield HOLD\n"),
        ("state.score + state.turn < rules.goal", "state.turn < 9"),
        ("turn + face)", "turn + face if score != 4 and rival != 4 else 0)"),
    )
    report = komi.check(str(path))
    assert "can never end" in report.problems[0].message
    assert "=4" in (report.problems[0].state or "")


ROLLING = ("    if state.score + state.turn < rules.goal:\n        yield ROLL", "    yield ROLL")

GROWING = {  # what grows without an end: (replacements, the field)
    "a turn total": ([ROLLING], "turn"),
    "a turn total that is only said to be none below 0": (
        [ROLLING, (HINTED, f"def possible(rules, state):\n    return state.turn >= 0\n\n\n{HINTED}")],
        "turn",
    ),
    "scores of a game that is never over": ([("return state.rival >= rules.goal", "return False"), ROLLING], "turn"),
    "a score that falls": ([("State(rival, score, 0), 1\n    for", "State(rival, score - 1, 0), 1\n    for")], "rival"),
}


@pytest.mark.slow
@pytest.mark.parametrize(("replacements", "field"), GROWING.values(), ids=GROWING)
def test_a_field_that_grows_without_an_end_is_a_problem(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, replacements: list[tuple[str, str]], field: str
) -> None:
    monkeypatch.setenv("KOMI_MAX_STATES", "10_000")
    report = komi.check(str(rulefiles.write(tmp_path, *replacements)))
    assert [problem.message for problem in report.problems] == [
        f"sprint.py: neither 'over' nor 'possible' bounds field {field!r}, which grows without bound"
    ]
    assert not report.ends


@pytest.mark.slow
def test_a_game_with_too_many_states_to_store_is_not_broken_and_not_proved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KOMI_MAX_STATES", "2")
    report = komi.check(str(rulefiles.write(tmp_path)))
    assert report.ok
    assert report.unproved
    assert not report.ends


def test_an_error_is_reported_once(tmp_path: Path) -> None:
    report = komi.check(str(rulefiles.write(tmp_path, ("state.turn < rules", "state.trun < rules"))))
    assert [problem.message.partition(": ")[2] for problem in report.problems] == [
        "AttributeError: 'State' object has no attribute 'trun'"
    ]


def test_a_corner_of_the_limits_where_the_rules_fail_is_named(tmp_path: Path) -> None:
    limits = "def limits(rules):\n    return Rules(goal=(1, 9))\n\n\ndef start(rules):\n    1 << (8 - rules.goal)\n"
    report = komi.check(str(rulefiles.write(tmp_path, ("def start(rules):\n", limits))))
    assert "ValueError: negative shift count, with goal=9, which 'limits' allows." in str(report.problems[0])


def test_rules_that_are_not_solved_are_said_to_be_refused(run: Any) -> None:
    result = run("check", CHOICES, "--set", "recalls=0")
    assert result.code == 0
    assert "Not checked further: hidden-choices has imperfect recall" in result.out
    assert result.out.endswith("'komi simulate' and 'komi play --opponent easy' do not need it.\n")


def test_a_field_far_out_of_its_range_is_a_problem_however_large_it_is(tmp_path: Path) -> None:
    ranged = f"def possible(rules, state):\n    return state.turn < 1000\n\n\n{HINTED}"
    path = rulefiles.write(tmp_path, (HINTED, ranged), ("turn + face)", "turn + face if rival < 4 else 2**40)"))
    report = komi.check(str(path))
    assert "play reaches a state that 'possible' rules out" in report.problems[0].message


@pytest.mark.parametrize("players", ["0", "-1", "2.5", "'two'"])
def test_an_invalid_number_of_players_is_a_problem(tmp_path: Path, players: str) -> None:
    report = komi.check(str(rulefiles.write(tmp_path, ("players = 2", f"players = {players}"))))
    assert [str(problem) for problem in report.problems] == [
        f"sprint.py: 'players' is {players}, not a whole number from 1 on."
    ]


def test_an_action_of_a_game_without_any_is_a_problem(tmp_path: Path) -> None:
    report = komi.check(str(rulefiles.write(tmp_path, ('actions = ("roll", "hold")', "actions = ()"))))
    assert [str(problem) for problem in report.problems] == [
        "sprint.py: 'legal' yields 0, which is not an action in score=0,rival=0,turn=0."
    ]


def test_rules_that_overflow_differ_compiled(tmp_path: Path) -> None:
    path = rulefiles.write(tmp_path, ("return 0.0", "return 1.0 if (state.rival + 2**31) ** 3 > 0 else 0.0"))
    report = komi.check(str(path))
    assert "a power exceeds 64 bits in score=0,rival=5,turn=0" in report.problems[0].message
    assert str(report.problems[0]).count("score=") == 1


def test_a_field_beyond_64_bits_is_named_once(tmp_path: Path) -> None:
    report = komi.check(str(rulefiles.write(tmp_path, ("return State(0, 0, 0)", "return State(2**70, 0, 0)"))))
    assert str(report.problems[0]).count("score=") == 1


def test_a_value_that_is_not_in_its_domain_is_a_problem(tmp_path: Path) -> None:
    file = tmp_path / "narrow.py"
    source = Path(str(catalog.find("piglet").file)).read_text()
    file.write_text(source.replace("turn=points", "turn=range(3)"))
    assert [problem.message for problem in komi.check(str(file)).problems] == [
        "narrow.py: 'domains' does not have 3 for 'turn'"
    ]
    file.write_text(source.replace("turn=points", "turn=range(1 // 0)"))
    [problem] = komi.check(str(file)).problems
    assert "ZeroDivisionError" in problem.message


def test_a_false_symmetry_is_a_problem(tmp_path: Path) -> None:
    mirrored = f"def symmetries(rules, state):\n    yield State(state.rival, state.score, 0)\n\n\n{HINTED}"
    report = komi.check(str(rulefiles.write(tmp_path, (HINTED, mirrored))))
    assert "'symmetries' of an image differ from those of the state" in report.problems[0].message


def test_hints_are_listed_only_where_the_game_gives_them() -> None:
    present = hints.present(komi.find("pig"))
    assert {"possible", "limits"} <= set(present)
    assert not {"view", "symmetries"} & set(present)


def test_red_light_is_sound() -> None:
    report = komi.check("red-light", goal=12)
    assert report.ok, report.problems
    assert not report.unproved


@pytest.mark.slow
@pytest.mark.parametrize("name", catalog.names())
def test_built_in_games_are_sound_under_the_rule_book(name: str) -> None:
    report = komi.check(name)
    assert report.ok, report.problems


def test_a_game_without_chance_is_held_against_its_positions() -> None:
    """Version 3 of Traffic Lights can go on for ever: a draw there, not a reason to leave it unproved."""
    report = komi.check("traffic-lights", rows=1, columns=3)
    assert report.ok
    assert not report.unproved
    assert "satisfy their equation" in report.holds[-1]


def test_a_value_that_differs_from_those_of_its_moves_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Tablebase, "position_value", lambda tablebase, state=None: PositionValue("draw", None))
    problem, *_ = komi.check("traffic-lights", rows=1, columns=3).problems
    assert "the solution gives PositionValue(value='draw', plies=None)" in problem.message


def test_action_numbers_have_an_end(tmp_path: Path) -> None:
    path = rulefiles.write(
        tmp_path,
        ("ROLL, HOLD = range(2)", "ROLL, HOLD = 0, 65534"),
        ("def start", 'def label(rules, state, action):\n    return "hold" if action else "roll"\n\n\ndef start'),
    )
    with pytest.raises(komi.GameError, match="which is not an action: action numbers end at 32,761"):
        komi.solve(str(path))


def test_rules_that_cannot_be_certified_are_sound(tmp_path: Path) -> None:
    assert not komi.check(str(rulefiles.write(tmp_path))).uncertified
    caught = (
        "def over(rules, state):\n",
        "def over(rules, state):\n    try:\n        pass\n    finally:\n        pass\n",
    )
    report = komi.check(str(rulefiles.write(tmp_path, caught)))
    assert "line 41" in report.uncertified
    assert report.ok


@pytest.mark.skipif(not which("node"), reason="there is no Node")
def test_rules_are_compared_with_their_translation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    report = komi.check("piglet", goal=3)
    assert any("JavaScript" in sentence for sentence in report.holds)
    assert not report.untranslated
    body = f"{rulefiles.SOUND}\n\ndef event(rules, state, action, after):\n    return f'{{after.turn:02d}}'\n"
    (tmp_path / "sprint.py").write_text(body)
    report = komi.check(str(tmp_path / "sprint.py"))
    assert report.ok
    assert "cannot be translated to JavaScript" in report.untranslated
    monkeypatch.setattr("komi.checking.check.translate", lambda *given: translate(*given).replace("0.5", "0.25"))
    [problem] = komi.check("piglet", goal=3).problems
    assert "'outcomes' returns" in problem.message
    assert problem.state is not None
