"""Rules that cannot be compiled, or fail compiled, are told in one sentence with the line."""

from pathlib import Path

import pytest

import komi

import rulefiles

HOLD = "        yield 1.0, State(rival"

MISTAKES = {  # (replacements, the text that stands in the line that must be named, what must be said of it)
    "missing attribute": ([("return state.rival", "return state.rivel")], "rivel", "no attribute 'rivel'"),
    "missing rule": ([("< rules.goal:", "< rules.gaol:")], "gaol", "no attribute 'gaol'"),
    "misspelt variable": ([("score + turn, 0)", "score + trun, 0)")], "trun", "name 'trun' is not defined"),
    "too few fields": ([("State(rival, score, 0)", "State(rival, score)")], "State(rival, score)", "'turn'"),
    "too many fields": ([("State(rival, score, 0)", "State(rival, score, 0, 0)")], "score, 0, 0)", "5 were given"),
    "pairs": ([("State(rival, score, 0), 1", "State(rival, score, 0)")], "score, 0)\n", "must yield (probability"),
    "a plain tuple": ([("State(rival, score, 0), 1", "(rival, score, 0), 1")], "(rival, score, 0)", "no State"),
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
    "_replace": ([("State(rival, score, 0), 1", "state._replace(turn=0), 1")], "_replace", "'_replace'"),
}


@pytest.mark.parametrize(("replacements", "text", "reason"), MISTAKES.values(), ids=MISTAKES)
def test_mistake_is_told_with_its_line(
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


def test_error_far_from_the_start_is_no_error_of_the_compiler(tmp_path: Path) -> None:
    far = "0 // (abs(score - 150) + abs(rival - 150))"
    path = rulefiles.write(tmp_path, ("score + turn, 0), 1", f"score + turn + {far}, 0), 1"), ("= 5", "= 200"))
    with pytest.raises(
        komi.GameError, match=r"sprint.py: ZeroDivisionError: .*, in a state that random play has not reached\."
    ):
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
