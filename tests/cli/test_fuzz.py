"""Random arguments to every command: each ends with an answer or with one sentence, and ends soon."""

import io
import random
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from komi import cache
from komi.cli import _add_commands
from komi.cli.commands import COMMANDS, app

import rulefiles

pytest.importorskip("matplotlib")
pytest.importorskip("uvicorn")

GAMES = Path(__file__).parents[1] / "games"
Games = tuple[tuple[str, str], ...]
SECONDS = 120  # for one command, compiling included
NAMED = (  # games, with settings that keep them small
    ("piglet", "goal=3"),
    ("pig", "goal=4"),
    ("red-light", "goal=4"),
    ("traffic-lights", "rows=1"),
    *((str(GAMES / f"{name}.py"), "") for name in ("forced_roll", "best_of_turns", "matching_pennies", "lingering")),
    (str(GAMES / "countdown.py"), "pile=5"),
    (str(GAMES / "last_match.py"), "players=1"),
)
QUICK = tuple(named for named in NAMED if named[0] in ("piglet", "pig", "red-light"))  # compiled for other tests too
WRONG_GAMES = ("nothing.py", "pgi", "", "[bold]", ".", "..py", "\udcff")
ODD = (
    "",
    "0",
    "-1",
    "1",
    "2",
    "x",
    "1.5",
    "nan",
    "inf",
    "-inf",
    "1e-9",
    "9" * 30,
    "[/]",
    "é",
    "\udcff",
    "=",
    "a=b",
    "..",
)
TEXTS = {  # for the options that have a language of their own
    "--set": ("goal=3", "goal=0", "goal=x", "komi=1", "gaol=1", "goal", "rows=2", "leaves=nan", "leaves=1", *ODD),
    "--state": ("score=1", "rival=2,turn=1", "turn=99999999999999999999", "score=-1", "pile=3", "...", "b2", *ODD),
    "--vary": ("goal=2..3", "goal=3,4", "goal=5..1", "goal=1..4:2", "goal=1..4:0", "komi=0", "x=1..2", *ODD),
    "--target-actions": ("3..9", "9..3", "3", "..", *ODD),
    "--slice": ("score=1", "rival=0", "score=99", "turn=1", *ODD),
    "--opponent": ("easy", "hard", "optimal", "random", "ahead:2", "hold-at:2", *ODD),
    "--seat": ("first", "second", "either", "ninth", *ODD),
    "--x": ("score", "turn", "pile", "place", *ODD),
    "--y": ("rival", "score", "face", *ODD),
    "--only": ("piglet", *ODD),
    "--games": ("1", "100", "1e2", "0", "-1", "x", "nan", "inf", "1e99"),
    "--deals": ("3", "0", "-2", "x", "nan"),
    "--per-deal": ("2", "0", "-2", "x"),
    "--until-stderr": ("0.2", "0", "-1", "nan", "inf", "x"),
    "--max-komi": ("0", "1", "2", "-1", "x", "1.5"),
    "--most": ("0", "3", "-1", "x"),
    "--workers": ("1", "0", "-1", "x"),
    "--seed": ("0", "-1", "7", "9" * 30, "x", ""),
    "--host": ("a" * 300, "256.256.256.256", "[", "\udcff"),
    "--database": ("x", "sqlite:///nowhere/x.db", "sqlite://?timeout=abc", "mysql://a/b", "[/]"),
}
POLICIES = (
    "optimal",
    "random",
    "hold-at:2",
    "hold-at",
    "max-score",
    "ahead:1",
    "keep-pace",
    "cautious:2",
    "mine.py:f",
    *ODD,
)
ENDINGS = ("png", "svg", "html", "csv", "parquet", "md", "db", "kept", "", "py")
LEFT_OUT = ("--cluster", "--open", "--help", "--name")


@contextmanager
def time_limit() -> Iterator[None]:
    def too_late(*arguments: object) -> None:
        raise TimeoutError("takes too long")

    before = signal.signal(signal.SIGALRM, too_late)
    signal.alarm(SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def arguments(command: Any, name: str, chance: random.Random, folder: Path, games: Games) -> list[str]:
    """Generate a command line of which most parts are valid."""
    game, small = chance.choice(games)
    words = [name]
    for parameter in command.params:
        if parameter.param_type_name == "argument" and chance.random() < 0.97:
            if parameter.name == "game":
                words.append(chance.choice(WRONG_GAMES) if chance.random() < 0.05 else game)
            elif parameter.name != "files":
                words.append(chance.choice(POLICIES))
        option = parameter.opts[0]
        if parameter.param_type_name != "option" or option in LEFT_OUT or option == "--host":
            continue
        if parameter.required or chance.random() < 0.25:
            words += [option] if parameter.is_flag else [option, value(parameter, chance, folder)]
    if small and any(parameter.opts[0] == "--set" for parameter in command.params):
        words += ["--set", small]
    if name == "serve":
        words += ["--no-open", "--host", chance.choice(TEXTS["--host"])]  # so that no server begins
    if name == "simulate" and not {"--games", "--deals", "--until-stderr"} & set(words):
        words += ["--games", "50"]
    return words


def value(parameter: Any, chance: random.Random, folder: Path) -> str:
    option = parameter.opts[0]
    if option in ("-o", "--output", "--table", "--plot", "--keep", "--store"):
        name = f"file{chance.randrange(5)}.{chance.choice(ENDINGS)}"
        return str(chance.choice((folder, folder / "nowhere")) / name)
    if option in ("--policy", "--against"):
        return chance.choice(POLICIES)
    return chance.choice(TEXTS.get(option, ODD))


def fuzz(run: Any, monkeypatch: pytest.MonkeyPatch, folder: Path, seed: int, commands: int, games: Games) -> None:
    chance = random.Random(seed)
    for name in COMMANDS:
        _add_commands([name])
    known = get_command(app).commands
    names = sorted(name for name in COMMANDS if name != "reproduce")
    monkeypatch.chdir(folder)
    rulefiles.write(folder, name="mine.py")
    monkeypatch.setattr("komi.cli.cache.clear_cache", cache.usage)  # tests in other processes use the same
    monkeypatch.setattr("komi.reporting.game_report.GAMES", 200)
    monkeypatch.setattr("komi.reporting.game_report.DEALS", 4)
    monkeypatch.setattr("komi.reporting.game_report.PER_DEAL", 5)
    for _ in range(commands):
        name = chance.choice(names)
        words = arguments(known[name], name, chance, folder, games)
        monkeypatch.setattr(
            "sys.stdin", io.StringIO("\n".join(chance.choices(("1", "2", "hold", "?", "q", "\0", *ODD), k=30)))
        )
        try:
            with time_limit():
                result = run(*words)
        except BaseException as error:
            raise AssertionError(f"komi {words} ends in {error!r}") from error
        assert result.code in (0, 1, 2), (words, result)
        assert "Traceback" not in result.err, (words, result.err)
        if result.code == 2:
            assert result.err.splitlines()[-1].startswith("komi: "), (words, result.err)
        if "--json" in words and result.code == 0:
            assert isinstance(result.solution, dict), words


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, 1])
def test_no_arguments_end_in_a_traceback(run: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, seed: int) -> None:
    fuzz(run, monkeypatch, tmp_path, seed, 20, QUICK)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 120))
def test_no_arguments_of_many_end_in_a_traceback(
    run: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, seed: int
) -> None:
    fuzz(run, monkeypatch, tmp_path, seed, 200, NAMED)
