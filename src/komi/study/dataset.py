"""The anonymous data set: one row per decision and per game, and a codebook of the columns."""

import csv
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from komi.errors import InputError
from komi.files import write_atomically
from komi.study.human_decisions import HumanDecision, StudyData, StudyResult

DECISIONS = {
    "person": "a number that stands for who chose, drawn anew for each data set; nothing else is known of them",
    "game": "the game's name",
    "rules": "its rules, as name=value",
    "opponent": "the opponent's name; empty without one",
    "seat": "the person's, from 0",
    "games_before": "games of this name that the person had finished before",
    "entry": "the decision's place in the log of the game, from 0",
    "state": "where, in the game's notation, as the person saw it",
    "options": "the legal actions in the order of the rules, divided by |",
    "chosen": "the action taken",
    "best": "an action that gives nothing away; the one taken, if it is such a one",
    "chance": "the chance of winning before the decision, or the objective of a game for one player, if all play on "
    "optimally; empty where the game is not solved",
    "worth": "the same after each option, divided by |",
    "loss": "what the action gave away of it",
}
GAMES = {
    "person": DECISIONS["person"],
    "game": DECISIONS["game"],
    "rules": DECISIONS["rules"],
    "opponent": DECISIONS["opponent"],
    "seat": DECISIONS["seat"],
    "games_before": DECISIONS["games_before"],
    "payoff": "what the person got: 1 for a win, 0 for a loss, a share where it was shared; the objective of a game "
    "for one player",
    "start": "the chance of winning at the start, or the objective, if all play optimally",
    "luck": "how much chance added to it",
    "skill": "how much the difference in play added to it: payoff - start = luck + skill",
}


def check_parquet() -> None:
    """Check that Parquet files can be written, before any computation.

    Raises:
        InputError: if pyarrow is missing.
    """
    try:
        import pyarrow  # noqa: F401
    except ImportError:
        raise InputError("a study writes Parquet files with pyarrow: pip install 'komi[study]'.") from None


def write_dataset(games: Sequence[StudyData], folder: Path) -> list[Path]:
    """Write decisions and games as Parquet and CSV, and the codebook; return the files.

    Raises:
        StorageError: if one cannot be written.
    """
    decisions = [_decision(decision) for each in games for decision in each.decisions]
    results = [_result(result) for each in games for result in each.results]
    files = []
    for name, columns, rows in (("decisions", DECISIONS, decisions), ("games", GAMES, results)):
        files += [_write_parquet(folder / f"{name}.parquet", columns, rows)]
        files += [_write_csv(folder / f"{name}.csv", columns, rows)]
    codebook = folder / "codebook.md"
    write_atomically(codebook, lambda draft: draft.write_text(_codebook(), encoding="utf-8"))
    return [*files, codebook]


def _decision(decision: HumanDecision) -> dict[str, Any]:
    kept = decision.kept
    best = None
    if decision.worth is not None and decision.chance is not None:
        chance = decision.chance
        nearest = min(range(len(decision.worth)), key=lambda i: abs((decision.worth or ())[i] - chance))
        best = decision.options[decision.chosen if not decision.loss else nearest]
    return {
        **_game(decision),
        "entry": decision.number,
        "state": kept.game.write(kept.rules, decision.state),
        "options": "|".join(decision.options),
        "chosen": decision.options[decision.chosen],
        "best": best,
        "chance": decision.chance,
        "worth": None if decision.worth is None else "|".join(f"{worth:.12g}" for worth in decision.worth),
        "loss": decision.loss,
    }


def _result(result: StudyResult) -> dict[str, Any]:
    numbers = {name: getattr(result, name) for name in ("payoff", "start", "luck", "skill")}
    return {**_game(result), **numbers}


def _game(row: HumanDecision | StudyResult) -> dict[str, Any]:
    """Return the columns that both tables share."""
    kept = row.kept
    return {
        "person": kept.person,
        "game": kept.game.name,
        "rules": " ".join(f"{name}={value}" for name, value in kept.rules._asdict().items()),
        "opponent": kept.opponent,
        "seat": kept.seat,
        "games_before": kept.games_before,
    }


def _write_parquet(file: Path, columns: dict[str, str], rows: Sequence[dict[str, Any]]) -> Path:
    import pyarrow  # checked by `check_parquet`
    from pyarrow import parquet

    whole = {"person", "seat", "games_before", "entry"}
    numbers = {"chance", "loss", "payoff", "start", "luck", "skill"}
    types = {
        name: pyarrow.int64() if name in whole else pyarrow.float64() if name in numbers else pyarrow.string()
        for name in columns
    }
    table = pyarrow.table({name: pyarrow.array([row[name] for row in rows], types[name]) for name in columns})
    write_atomically(file, lambda draft: parquet.write_table(table, draft))
    return file


def _write_csv(file: Path, columns: dict[str, str], rows: Sequence[dict[str, Any]]) -> Path:
    def write(draft: Path) -> None:
        with draft.open("w", newline="", encoding="utf-8") as text:
            writer = csv.DictWriter(text, list(columns))
            writer.writeheader()
            writer.writerows(rows)

    write_atomically(file, write)
    return file


def _codebook() -> str:
    lines = [
        "# Codebook",
        "",
        "Finished games of people who agreed to have their decisions studied. No names, no times, no addresses: a",
        "person is a number that is drawn anew each time the data set is written. Left out are games with other",
        "people, games given up, those in which chance was entered by hand, and choices with one legal action only.",
        "Whether a person asked for a hint before a decision is not kept.",
    ]
    for title, columns in (("decisions", DECISIONS), ("games", GAMES)):
        lines += ["", f"## {title}.parquet, {title}.csv", "", "| column | meaning |", "| --- | --- |"]
        lines += [f"| {name} | {meaning.replace('|', 'a vertical bar')} |" for name, meaning in columns.items()]
    return "\n".join(lines) + "\n"
