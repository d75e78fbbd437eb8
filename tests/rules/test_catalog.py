"""Games are found by name and by file, and what a file says is what is run."""

import sys
from pathlib import Path

import pytest

import komi
from komi.rules import catalog, loading, source

import rulefiles

IMPORTING = ("players = 2", "import dice\n\nplayers = 2")
SHARED = ("yield 1 / 3, State(rival", "yield dice.share(), State(rival")


def test_unknown_game_suggests_the_near_one() -> None:
    with pytest.raises(komi.InputError, match="did you mean 'red-light'"):
        komi.find("red-lihgt")


def test_unknown_game_with_nothing_near_says_where_to_look() -> None:
    with pytest.raises(komi.InputError, match="'komi games' lists them"):
        komi.find("xyzzy")


def test_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(komi.InputError, match=r"there is no file .*nothing\.py"):
        komi.find(str(tmp_path / "nothing.py"))


def test_syntax_error_names_the_line(tmp_path: Path) -> None:
    path = rulefiles.write(tmp_path, ("def over(rules, state):", "def over(rules, state)"))
    with pytest.raises(komi.GameError, match=r"sprint\.py, line 40: expected ':'"):
        komi.find(str(path))


def test_syntax_error_in_a_helper_names_the_helper(tmp_path: Path) -> None:
    (tmp_path / "dice.py").write_text("def share(:\n")
    with pytest.raises(komi.GameError, match=r"^dice\.py, line 1: "):
        komi.find(str(rulefiles.write(tmp_path, IMPORTING)))


def test_error_while_a_file_is_run_names_the_line(tmp_path: Path) -> None:
    path = rulefiles.write(tmp_path, ("players = 2", "players = 2 / 0"))
    with pytest.raises(komi.GameError, match=r"sprint\.py, line 5: ZeroDivisionError: division by zero\."):
        komi.find(str(path))


def test_file_that_exits_is_refused(tmp_path: Path) -> None:
    path = rulefiles.write(tmp_path, ("players = 2", "raise SystemExit(0)"))
    with pytest.raises(komi.GameError, match=r"line 5: SystemExit"):
        komi.find(str(path))


def test_file_that_does_not_end_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KOMI_RULE_SECONDS", "0.2")
    path = rulefiles.write(tmp_path, ("players = 2", "while True:\n    pass"))
    with pytest.raises(komi.GameError, match=r"line [56]: loading the file does not end within 0.2 seconds"):
        komi.find(str(path))


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("def over", "def ended", "does not define 'over'"),
        ("goal: int = 5", "goal: int", "every field of Rules needs a default"),
        ("goal: int = 5", "goal: list = []", r"rule 'goal' is \[\], not a number"),
        ("class State(NamedTuple)", "class State(tuple)", "State must be a NamedTuple"),
    ],
)
def test_file_that_leaves_out_a_part_is_refused(tmp_path: Path, old: str, new: str, sentence: str) -> None:
    with pytest.raises(komi.GameError, match=sentence):
        komi.find(str(rulefiles.write(tmp_path, (old, new))))


def test_sources_are_the_file_and_all_that_it_imports_from_beside_it(tmp_path: Path) -> None:
    (tmp_path / "kit").mkdir()
    (tmp_path / "kit" / "__init__.py").write_text("from .faces import FACES\n")
    (tmp_path / "kit" / "faces.py").write_text("import numbers\nFACES = 3\n")
    (tmp_path / "dice.py").write_text("from kit import FACES\n\ndef share():\n    return 1 / FACES\n")
    (tmp_path / "unused.py").write_text("")
    game = komi.find(str(rulefiles.write(tmp_path, IMPORTING, SHARED)))
    names = [str(path.relative_to(tmp_path)) for path in source.files(game.module)]
    assert names == ["dice.py", "kit/__init__.py", "kit/faces.py", "sprint.py"]
    assert next(game.outcomes(game.default_rules, game.module.State(0, 0, 0), 0))[0] == 1 / 3


def test_edit_of_a_helper_of_a_helper_is_seen_at_once(tmp_path: Path) -> None:
    """Also one of the same length within the same second, which Python's own bytecode files miss."""
    path = rulefiles.write(tmp_path, IMPORTING, SHARED)
    (tmp_path / "dice.py").write_text("from faces import FACES\n\ndef share():\n    return 1 / FACES\n")
    shares = []
    for faces in (3, 4, 3):
        (tmp_path / "faces.py").write_text(f"FACES = {faces}\n")
        game = komi.find(str(path))
        shares.append((loading.digest(game.module), game.module.dice.share()))
    assert [share for _, share in shares] == [1 / 3, 1 / 4, 1 / 3]
    assert shares[0] == shares[2] != shares[1]


def test_what_was_loaded_keeps_its_digest_when_the_file_is_edited(tmp_path: Path) -> None:
    path = rulefiles.write(tmp_path)
    game = komi.find(str(path))
    before = loading.digest(game.module)
    rulefiles.write(tmp_path, ("goal: int = 5", "goal: int = 6"))
    assert loading.digest(game.module) == before != loading.digest(komi.find(str(path)).module)


def test_helpers_of_the_same_name_in_two_folders_are_two(tmp_path: Path) -> None:
    shares = []
    for faces in (3, 4):
        folder = tmp_path / str(faces)
        folder.mkdir()
        (folder / "dice.py").write_text(f"def share():\n    return 1 / {faces}\n")
        shares.append(komi.find(str(rulefiles.write(folder, IMPORTING, SHARED))).module.dice.share())
    assert shares == [1 / 3, 1 / 4]


def test_helper_named_like_one_of_pythons_modules_does_not_take_its_place(tmp_path: Path) -> None:
    import colorsys

    (tmp_path / "colorsys.py").write_text("HUE = 7\n")
    game = komi.find(str(rulefiles.write(tmp_path, ("players = 2", "import colorsys\n\nplayers = 2"))))
    assert game.module.colorsys.HUE == 7
    assert sys.modules["colorsys"] is colorsys


def test_import_that_cannot_be_traced_is_refused(tmp_path: Path) -> None:
    (tmp_path / "dice.py").write_text("")
    path = rulefiles.write(tmp_path, ("players = 2", "__import__('dice')\n\nplayers = 2"))
    with pytest.raises(komi.GameError, match=r"^sprint\.py, line 5: '__import__' is used"):
        komi.find(str(path))


def test_game_in_a_folder_has_its_name_and_its_parts(tmp_path: Path) -> None:
    folder = tmp_path / "long_sprint"
    folder.mkdir()
    (folder / "table.py").write_text("def how_to_play(rules):\n    return f'Run to {rules.goal}.'\n")
    file = rulefiles.write(
        folder, ("from typing import NamedTuple", "from typing import NamedTuple\n\nfrom table import how_to_play")
    ).rename(folder / "rules.py")
    game = komi.find(str(folder))
    assert game.name == "long-sprint"
    assert game is komi.find(str(file))
    assert game.how_to_play(game.default_rules) == ("Run to 5.",)
    assert source.files(game.module) == [file, folder / "table.py"]


def test_built_in_game_in_a_folder_depends_on_all_its_modules() -> None:
    game = komi.find("red7")
    assert "red7" in catalog.names()
    assert {"rules.py", "canvas.py", "policies.py", "table.py"} <= {file.name for file in source.files(game.module)}
    assert catalog.name_of(game.module) == "red7"
