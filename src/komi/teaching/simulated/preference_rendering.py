"""Preferences as text, and as the source code of a policy."""

from collections.abc import Mapping
from textwrap import wrap

from komi.rules.game import Game
from komi.teaching.policy_source import policy_module
from komi.teaching.simulated.observed_quantities import ObservedQuantities
from komi.teaching.simulated.orders import RESOLUTION, Criterion, Order, Preferences, is_deterministic, weights
from komi.teaching.strategy_rendering import NAME, StrategyRenderer
from komi.typing import Rules

LINE = 118  # characters in a line
SIZES = {1: "as large as possible", -1: "as small as possible"}
NUMBERS = {1: "as high as possible", -1: "as low as possible"}

_POLICY = '''def {name}(rules, state, action):
    """Return the score of an action: the strategy takes an action with the highest score."""
{body}
{helpers}'''
_OBSERVED = '''

def _observed_by_mover(rules, after, passes):
    """Return the next state as the player who took the action observes it."""
    for _ in range(-passes % {seats}):
        after = turned(rules, after)
    return after
'''
_ROUNDED = '''

def _rounded(mean):
    """Round an average to a whole number of small parts, so that equal averages compare equal."""
    return floor({parts} * mean + 0.5)
'''
_ORDER = '''

def _order{number}(rules, state, action):
    """{text}"""
{zeros}
    for {probability}, {after}, {passes} in outcomes(rules, state, action):
{sums}
    return {total}
'''


class PreferenceRenderer:
    """The rendering of preferences as text and as source code.

    Args:
        game: the game.
        rules: its rules.
        table: the quantities that a player reads off the table.
    """

    def __init__(self, game: Game, rules: Rules, table: ObservedQuantities) -> None:
        self._tests = StrategyRenderer(game, rules, table.features, subject=None, labels=())
        self._game, self._seats, self._table = game, game.players(rules), table

    def sentences(self, preferences: Preferences) -> list[str]:
        """Describe the strategy in sentences, one for each order."""
        clauses = [f"If {self._tests.condition(clause)}: {_order(clause.action)}." for clause in preferences.clauses]
        last = _order(preferences.default)
        return [*clauses, f"Otherwise: {last}." if clauses else f"{last[0].upper()}{last[1:]}."]

    def text(self, preferences: Preferences) -> str:
        """Describe the strategy in one text."""
        return " ".join(self.sentences(preferences))

    def source(self, preferences: Preferences, file: str) -> str:
        """Write a policy file that plays the strategy."""
        orders = preferences.leaves
        calls = [f"_order{number}(rules, state, action)" if order else "0" for number, order in enumerate(orders)]
        body = self._tests.body(preferences.numbered, calls)
        has_turned = self._game.has("turned")
        functions = [_order_source(each, order, self._table, has_turned) for each, order in enumerate(orders) if order]
        observed = [_OBSERVED.format(seats=self._seats)] if has_turned else []
        helpers = "".join([_ROUNDED.format(parts=RESOLUTION), *observed, *functions]) if functions else ""
        about = "\n".join(line for sentence in self.sentences(preferences) for line in wrap(sentence, LINE))
        return policy_module(
            self._game,
            f"a strategy to remember.\n\n{about}",
            ("simulate", f"--games 100000 --policy {file}:{NAME}{' --policy random' * (self._seats - 1)}"),
            f"{_imports(body + helpers)}\n",
            _POLICY.format(name=NAME, body=body, helpers=helpers),
        )


def _imports(code: str) -> str:
    """Write the imports that the code needs."""
    sets = [name for name in ("count", "length") if f"{name}(" in code]
    interface = [name for name in ("outcomes", "turned") if f"{name}(" in code]
    lines = ["from math import floor\n"] if "floor(" in code else []
    lines += [f"from komi.bitset import {', '.join(sets)}"] if sets else []
    lines += [f"from komi.rules.interface import {', '.join(interface)}"] if interface else []
    return "\n".join(lines)


def _order_source(number: int, order: Order, table: ObservedQuantities, has_turned: bool) -> str:
    """Write the function that ranks the result of an action by one of the orders."""
    names = [f"mean{index}" for index in range(len(order))]
    codes = [criterion.quantity.code_of(_field_after(criterion.quantity.field, table.mirrored)) for criterion in order]
    is_certain = is_deterministic(order, table)
    share = "" if is_certain else "probability * "
    sums = [f"        {name} += {share}{code}" for name, code in zip(names, codes, strict=True)]
    if is_certain:
        sums.append("        break  # no criterion depends on chance")
    if has_turned:
        sums.insert(0, "        after = _observed_by_mover(rules, next_state, passes)")
    weighted = zip(weights(order, table.results), names, strict=True)
    text = _order(order)
    return _ORDER.format(
        number=number,
        text=f"{text[0].upper()}{text[1:]}.",
        zeros=f"    {' = '.join(names)} = 0.0",
        probability="_" if is_certain else "probability",
        after="next_state" if has_turned else "after",
        passes="passes" if "passes" in " ".join(sums) else "_",
        sums="\n".join(sums),
        total=" + ".join(f"{weight} * _rounded({name})" for weight, name in weighted),
    )


def _field_after(field: str, mirrored: Mapping[str, str]) -> str:
    """Write the expression of a field of the next state, as the player who took the action observes it."""
    other = mirrored.get(field)
    return f"(after.{other} if passes % 2 else after.{field})" if other else f"after.{field}"


def _order(order: Order) -> str:
    """Describe an order in words."""
    if not order:
        return "take any move"
    criteria = [_criterion(criterion) for criterion in order]
    return "; of such moves, ".join([f"leave {criteria[0]}", *criteria[1:]])


def _criterion(criterion: Criterion) -> str:
    directions = SIZES if criterion.quantity.reading == "size" else NUMBERS
    return f"{criterion.quantity.text} {directions[criterion.sign]}"
