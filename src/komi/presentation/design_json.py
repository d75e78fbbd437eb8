"""The JSON output of the commands on rules: `fair`, `sweep`, `design`, `spread-total` and `learn-chances`."""

from collections.abc import Iterable

from komi.design.fair import KOMI, Fair
from komi.design.find_rules import DesignRow, RuleSearch
from komi.design.learned_chances import LearnedChances
from komi.design.openings import Opening
from komi.design.spread_total import Spread
from komi.design.sweep import Sweep, SweepRow
from komi.presentation.fields import select
from komi.presentation.formatting import weakest_hints
from komi.solvers.solution import VerifiedHints
from komi.typing import Rules


def fair_json(result: Fair) -> dict[str, object]:
    """Return the result as `komi fair --json` prints it."""
    rules = {name: value for name, value in result.rules._asdict().items() if name != KOMI}
    rows = [
        {
            "komi": komi,
            **select(opening, "first", "expected_actions", "expected_actions_range", "error_bound"),
            **_seats(opening),
        }
        for komi, opening in result.rows
    ]
    unit = result.game.payoff_scale(result.rules).unit
    named = {"objective": unit} if unit else {}
    hints = weakest_hints(opening.hints for opening in result.table)
    return {**select(result, "game", "best"), "rules": rules, **named, "table": rows, **_proof(hints)}


def _proof(hints: VerifiedHints | None) -> dict[str, object]:
    return {"proved": hints is None or hints.is_complete, "relies_on": hints}


def sweep_json(result: Sweep, reaching: float | None) -> dict[str, object]:
    """Return the result as `komi sweep --json` prints it, with the first rule set that reaches a value."""
    front = {row.rules for row in result.front()}
    rows = [
        {
            "rules": row.rules,
            **_value_json(result, row),
            **select(row.opening, "expected_actions", "error_bound"),
            "on_front": row.rules in front,
            "in_target": result.in_target(row),
        }
        for row in result.rows
    ]
    found = select(result, "objective") if result.objective else {}
    if reaching is not None:
        first = result.first_reaching(reaching)
        found["reaching"] = {"rules": first.rules, **_value_json(result, first)} if first else None
    about = select(result, "game", "forbidden", target_actions="target")
    return {**about, **found, "rows": rows, "unsolved": _unsolved(result.unsolved)}


def _unsolved(unsolved: Iterable[tuple[Rules, Exception]]) -> list[dict[str, object]]:
    return [{"rules": rules, "reason": str(error)} for rules, error in unsolved]


def design_json(search: RuleSearch) -> dict[str, object]:
    """Return the result as `komi design --json` prints it."""
    return {
        **select(search, "game", "evaluated", "found", "forbidden", complete="is_complete"),
        "targets": [str(target) for target in search.targets],
        "rows": [_design_row(row) for row in search.rows],
        "front": [_design_row(row) for row in search.front],
        "sensitivities": [select(each, "rule", "value", "changes") for each in search.sensitivities],
        "unsolved": _unsolved(search.unsolved),
    }


def _design_row(row: DesignRow) -> dict[str, object]:
    return select(row, "rules", "measures", "distance")


def spread_json(result: Spread, rules: dict[str, object]) -> dict[str, object]:
    """Return the result as `komi spread-total --json` prints it."""
    rows = [
        {"rules": dict(zip(result.over, split.numbers, strict=True)), **select(split, "value", "error_bound")}
        for split in result.splits
    ]
    hints = weakest_hints(split.hints for split in result.splits)
    return {**select(result, "game", "objective"), "rules": rules, "rows": rows, **_proof(hints)}


def learned_chances_json(learned: LearnedChances, seed: int) -> dict[str, object]:
    """Return the result as `komi learn-chances --json` prints it."""
    solution = learned.solution
    return {
        **select(solution, "game", "rules", "error_bound"),
        **select(learned, "counts", "prior", "chances", "credible", "first", "loss", "greatest_loss"),
        "value": solution.value(),
        **_proof(solution.verified_hints),
        "draws": len(learned.draws),
        "seed": seed,
    }


def _value_json(result: Sweep, row: SweepRow) -> dict[str, float]:
    """Return the value of a rule set as JSON."""
    if result.objective:
        return select(row.opening, value="first")
    return {**select(row.opening, "first", "unfairness"), **_seats(row.opening)}


def _seats(opening: Opening) -> dict[str, object]:
    """Return the values of all seats, where there are three or more."""
    return select(opening, "seats") if opening.seats else {}
