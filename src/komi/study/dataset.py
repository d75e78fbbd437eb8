"""The anonymous data set: one row per decision and per game, and a codebook of the columns."""

import csv
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from komi.errors import InputError
from komi.files import write_atomically
from komi.study.human_decisions import HumanDecision, StudyData, StudyResult

DECISIONS = {
    "person": "the number of the person who chose, assigned anew in each data set; nothing else is known about people",
    "game": "the name of the game",
    "rules": "the rules, as name=value",
    "opponent": "the name of the opponent; empty if there is none",
    "seat": "the person's seat, from 0",
    "games_before": "the number of games with the same name that the person had finished before",
    "entry": "the index of the decision in the log of the game, from 0",
    "state": "the state as the person observed it, in the notation of the game",
    "options": "the legal actions in the order of the rules, separated by |",
    "chosen": "the action chosen",
    "best": "an action without a loss; the action chosen if it is one",
    "chance": "the probability of winning before the decision, or in a single-player game the objective, under optimal "
    "play; empty if the game is not solved",
    "worth": "the same after each option, separated by |",
    "loss": "the loss of the action in this probability or objective",
}
GAMES = {
    "person": DECISIONS["person"],
    "game": DECISIONS["game"],
    "rules": DECISIONS["rules"],
    "opponent": DECISIONS["opponent"],
    "seat": DECISIONS["seat"],
    "games_before": DECISIONS["games_before"],
    "payoff": "the person's payoff: 1 for a win, 0 for a loss, a part of 1 for a shared win; in a single-player game "
    "the objective",
    "start": "the probability of winning at the start, or the objective, under optimal play",
    "luck": "the part of the result that is due to chance",
    "skill": "the part that is due to the difference in play: payoff - start = luck + skill",
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
    record = decision.record
    best = None
    if decision.option_values is not None and decision.value is not None:
        value = decision.value
        nearest = min(range(len(decision.option_values)), key=lambda i: abs((decision.option_values or ())[i] - value))
        best = decision.options[decision.chosen if not decision.loss else nearest]
    return {
        **_game(decision),
        "entry": decision.number,
        "state": record.game.write(record.rules, decision.state),
        "options": "|".join(decision.options),
        "chosen": decision.options[decision.chosen],
        "best": best,
        "chance": decision.value,
        "worth": None
        if decision.option_values is None
        else "|".join(f"{value:.12g}" for value in decision.option_values),
        "loss": decision.loss,
    }


def _result(result: StudyResult) -> dict[str, Any]:
    numbers = {name: getattr(result, name) for name in ("payoff", "start", "luck", "skill")}
    return {**_game(result), **numbers}


def _game(row: HumanDecision | StudyResult) -> dict[str, Any]:
    """Return the columns that both tables share."""
    record = row.record
    return {
        "person": record.person,
        "game": record.game.name,
        "rules": " ".join(f"{name}={value}" for name, value in record.rules._asdict().items()),
        "opponent": record.opponent,
        "seat": record.seat,
        "games_before": record.games_before,
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
        "Finished games of people who agreed to have their decisions studied. The data set contains no names, times or",
        "addresses: a person is a number that is assigned anew each time the data set is written. It excludes games",
        "against other people, resigned games, games in which chance events were entered by hand, and decisions with",
        "only one legal action. It does not record whether a person asked for a hint before a decision.",
    ]
    for title, columns in (("decisions", DECISIONS), ("games", GAMES)):
        lines += ["", f"## {title}.parquet, {title}.csv", "", "| column | meaning |", "| --- | --- |"]
        lines += [f"| {name} | {meaning.replace('|', 'a vertical bar')} |" for name, meaning in columns.items()]
    return "\n".join(lines) + "\n"
