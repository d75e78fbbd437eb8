"""The JSON output of the commands on rules: `fair`, `sweep`, `design`, `spread-total` and `learn-chances`."""

from dataclasses import asdict
from math import isnan

from komi.design.fair import KOMI, Fair
from komi.design.find_rules import DesignRow, RuleSearch
from komi.design.learned_chances import LearnedChances
from komi.design.spread_total import Spread
from komi.design.sweep import Sweep, SweepRow
from komi.presentation.formatting import weakest_hints
from komi.solvers.solution import VerifiedHints


def fair_json(result: Fair) -> dict[str, object]:
    """Return the result as `komi fair --json` prints it."""
    rules = {name: value for name, value in result.rules._asdict().items() if name != KOMI}
    rows = [
        {
            "komi": komi,
            "first": opening.first,
            "expected_actions": None if isnan(opening.expected_actions) else opening.expected_actions,
            "expected_actions_range": opening.expected_actions_range,
            "error_bound": opening.error_bound,
        }
        for komi, opening in result.rows
    ]
    unit = result.game.payoff_scale(result.rules).unit
    named = {"objective": unit} if unit else {}
    hints = weakest_hints(opening.hints for opening in result.table)
    return {"game": result.game.name, "rules": rules, **named, "table": rows, "best": result.best, **_proof(hints)}


def _proof(hints: VerifiedHints | None) -> dict[str, object]:
    return {"proved": hints is None or hints.is_complete, "relies_on": hints and asdict(hints)}


def sweep_json(result: Sweep, reaching: float | None) -> dict[str, object]:
    """Return the result as `komi sweep --json` prints it, with the first rule set that reaches a value."""
    front = {row.rules for row in result.front()}
    rows = [
        {
            "rules": row.rules._asdict(),
            **_value_json(result, row),
            "expected_actions": row.opening.expected_actions,
            "error_bound": row.opening.error_bound,
            "on_front": row.rules in front,
            "in_target": result.in_target(row),
        }
        for row in result.rows
    ]
    unsolved = [{"rules": rules._asdict(), "reason": str(error)} for rules, error in result.unsolved]
    found: dict[str, object] = {"objective": result.objective} if result.objective else {}
    if reaching is not None:
        first = result.first_reaching(reaching)
        found["reaching"] = {"rules": first.rules._asdict(), **_value_json(result, first)} if first else None
    return {
        "game": result.game.name,
        **found,
        "target_actions": result.target,
        "rows": rows,
        "forbidden": result.forbidden,
        "unsolved": unsolved,
    }


def design_json(search: RuleSearch) -> dict[str, object]:
    """Return the result as `komi design --json` prints it."""
    return {
        "game": search.game.name,
        "targets": [str(target) for target in search.targets],
        "rows": [_design_row(row) for row in search.rows],
        "front": [_design_row(row) for row in search.front],
        "evaluated": search.evaluated,
        "found": search.found,
        "complete": search.is_complete,
        "sensitivities": [
            {"rule": each.rule, "value": each.value, "changes": dict(each.changes)} for each in search.sensitivities
        ],
        "unsolved": [{"rules": rules._asdict(), "reason": str(error)} for rules, error in search.unsolved],
    }


def _design_row(row: DesignRow) -> dict[str, object]:
    return {"rules": row.rules._asdict(), "measures": dict(row.measures), "distance": row.distance}


def spread_json(result: Spread, rules: dict[str, object]) -> dict[str, object]:
    """Return the result as `komi spread-total --json` prints it."""
    rows = [
        {
            "rules": dict(zip(result.over, split.numbers, strict=True)),
            "value": split.value,
            "error_bound": split.error_bound,
        }
        for split in result.splits
    ]
    hints = weakest_hints(split.hints for split in result.splits)
    return {"game": result.game.name, "rules": rules, "objective": result.objective, "rows": rows, **_proof(hints)}


def learned_chances_json(learned: LearnedChances, seed: int) -> dict[str, object]:
    """Return the result as `komi learn-chances --json` prints it."""
    solution = learned.solution
    return {
        "game": solution.game.name,
        "rules": solution.rules._asdict(),
        "counts": dict(learned.counts),
        "prior": learned.prior,
        "chances": dict(learned.chances),
        "value": solution.value(),
        "error_bound": solution.error_bound,
        **_proof(solution.verified_hints),
        "draws": len(learned.draws),
        "seed": seed,
        "credible": learned.credible,
        "first": list(learned.first),
        "loss": learned.loss,
        "greatest_loss": learned.greatest_loss,
    }


def _value_json(result: Sweep, row: SweepRow) -> dict[str, float]:
    """Return the value of a rule set as JSON."""
    if result.objective:
        return {"value": row.opening.first}
    return {"first": row.opening.first, "unfairness": row.opening.unfairness}
