"""`komi.export`: a policy as one self-contained file."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from komi.bellman import ActionCode
from komi.errors import InputError, SolveError
from komi.exporting.dense_table import EMPTY, DenseTable
from komi.exporting.languages import LANGUAGES
from komi.exporting.onnx_model import check_onnx, model_of
from komi.files import check_replaceable, write_atomically
from komi.game import CHANCE
from komi.graph.observations import observed_states
from komi.jit.kernels import Notice
from komi.policies.named import PolicyLike, as_policy
from komi.policies.policy import Policy, misleading_view
from komi.policies.tabulate import tabulate
from komi.progress import Progress, silent
from komi.rules import catalog, vocabulary
from komi.rules.game import Game
from komi.rules.kind import Kind, check_choices, kind_of
from komi.solvers.solution import Solution
from komi.solvers.solve import solve_all_states
from komi.teaching.features import field_ranges
from komi.teaching.strategy_rendering import count_actions
from komi.typing import GameLike, Rules

MODEL = ".onnx"
POLICY_FORMATS = (*LANGUAGES, MODEL)
BY_KOMI = "written by komi."  # in every file
TITLE = 500  # the title of a program ends within this many bytes


@dataclass(frozen=True)
class ExportResult:
    """The result of an export.

    Attributes:
        file: the path of the file.
        states: the number of states that the policy covers.
        size: the size of the file in bytes.
        is_searched: True for a page whose opponents search, because it does not have optimal play.
    """

    file: Path
    states: int
    size: int
    is_searched: bool = False


def export(
    game: GameLike,
    policy: PolicyLike,
    file: Path | str,
    *,
    progress: Progress = silent,
    notice: Notice = lambda message: None,
    **rules: object,
) -> ExportResult:
    """Write a policy as one self-contained file of Python, C or JavaScript; or a network as an ONNX model.

    A table holds the action in each reachable state. A model returns the network's preferred action, legal or not.

    Args:
        game: the name of a game, its rule file, or a Game; see `komi.find`.
        policy: its name, or a Python function; as in `komi.match`.
        file: the path, which ends in .py, .c, .js or .onnx.
        progress: called during long work; see `komi.progress`.
        notice: called with a sentence before a slow step that happens only once.
        rules: the rules to change, by name.

    Raises:
        InputError: for an unknown game, rule, policy or language.
        GameError: if the rules are broken, or the policy takes an action that is not legal.
        SolveError: if the game cannot be solved, or a table cannot represent the policy.
        StorageError: if the file cannot be written.
    """
    file = Path(file)
    if file.suffix not in POLICY_FORMATS:
        raise InputError(f"the file of a policy must end in {', '.join(POLICY_FORMATS)}: {file.name!r} does not.")
    if file.suffix == MODEL:
        check_onnx()
    check_replaceable(file, BY_KOMI, None if file.suffix == MODEL else TITLE)
    found = catalog.find(game)
    settings = found.rules(rules)
    check_choices(found.under(settings), settings, "there is no policy to export")
    if refusal := table_refusal(kind_of(found.under(settings), settings)):
        raise SolveError(refusal)
    solution = solve_all_states(found, progress=progress, notice=notice, **rules)  # type: ignore[arg-type]
    found = solution.game
    play, chosen = solution.optimal_play, as_policy(policy, solution)
    states = play.states
    if solution.kind.hidden:
        states = observed_states(solution.compiled, solution.rules, states, play.choices != CHANCE)
    if file.suffix == MODEL:
        return _export_model(solution, chosen, file)
    actions = tabulate(chosen, solution.compiled, solution.rules, states)
    if solution.kind.hidden and np.any(actions == CHANCE):
        seen = found.module.State(*states.fields(int(np.argmin(actions))))
        raise misleading_view(found, solution.rules, seen)
    if np.any(actions == ActionCode.UNIFORM):
        raise SolveError(f"policy {chosen.name} chooses at random: only deterministic policies can be exported.")
    count = count_actions(found, solution.rules)
    if int(actions.max(initial=0)) >= min(count, EMPTY):
        raise SolveError(f"{found.name} has more actions than an exported table can hold.")
    language, all_fields = LANGUAGES[file.suffix], found.module.State._fields
    table = DenseTable.of(states, language.field_names(all_fields), field_ranges(states), actions)
    start = found.part("start")(solution.rules)
    labels = [found.label(solution.rules, start, action) for action in range(count)]
    title = f"{vocabulary.title(found)}: {chosen.name} play as a table, {BY_KOMI}"
    fields = {table.names[field]: all_fields[field] for field in table.varying}
    text = language.write(table, title, _about(found, solution.rules, fields), labels)
    write_atomically(file, lambda draft: draft.write_text(text, encoding="utf-8"))
    return ExportResult(file, int(states.size), len(text.encode()))


def table_refusal(kind: Kind) -> str | None:
    """Return a sentence on why no policies of a game of this kind are exported; None if they are."""
    if not kind.reason_to_mix or kind.seats == 1:
        return None
    return (
        f"in {kind.name} {kind.reason_to_mix}, so optimal play can mix actions, and an exported table takes one action "
        "in each state: export the model of the game instead, as 'komi export' does without a policy."
    )


def _export_model(solution: Solution[Any], policy: Policy, file: Path) -> ExportResult:
    game, rules = solution.game, solution.rules
    fields = game.module.State._fields
    about = "\n".join(
        [
            f"{vocabulary.title(game)}: {policy.name}, {BY_KOMI}",
            "",
            *_about(game, rules, dict(zip(fields, fields, strict=True))),
        ]
    )
    model = model_of(getattr(policy, "function", None), policy.name, fields, rules, about)
    write_atomically(file, lambda draft: draft.write_bytes(model))
    return ExportResult(file, int(solution.optimal_play.states.size), len(model))


def _about(game: Game, rules: Rules, fields: Mapping[str, str]) -> list[str]:
    """Describe the rules, and the fields of a state by their names in the file."""
    settings = vocabulary.format_rules(rules)
    lines = [f"Rules: {settings}.", ""] if settings else []
    lines.append("The fields of a state, as the player to move observes it:")
    return [*lines, *(f"  {name}: {vocabulary.field_label(game, field)}" for name, field in fields.items())]
